"""The body of a session document, cut at its headings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from gitmem.model import document

SPACE = " \t"

_PARENTS = {
    document.COMPLETED: document.TODOS,
    document.PENDING: document.TODOS,
    document.CREATED: document.FILES,
    document.MODIFIED: document.FILES,
    document.DELETED: document.FILES,
}
_FENCE = re.compile(r"(`{3,}|~{3,})")


@dataclass
class Block:
    heading: str
    lines: list[str] = field(default_factory=list)
    open_fence: str = ""
    """What would close the fence that is open at the end."""

    @property
    def text(self) -> str:
        return "\n".join([self.heading, *self.lines]).rstrip("\n")


def blocks(text: str) -> Iterator[Block]:
    """The text cut at its second-level headings, and ours of the third level.

    Headings inside a fence are text. The first block is what stands above them all.
    """
    block, section, fence = Block(""), "", ""
    for line in text.split("\n"):
        heading = line.rstrip(SPACE)
        if fence:
            fence = "" if _closes(fence, heading) else fence
        elif heading.startswith("## ") or _PARENTS.get(heading, "none") == section:
            yield block
            section = heading if heading.startswith("## ") else section
            block = Block(heading)
            continue
        elif opening := _FENCE.match(line):
            fence = opening.group()
        block.lines.append(line)
    block.open_fence = fence
    yield block


def _closes(fence: str, line: str) -> bool:
    return line.startswith(fence) and not line.strip(fence[0])
