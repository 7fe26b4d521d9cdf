"""The body of a session document, cut at its headings."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce

from gitmem.documents.session import rendering
from gitmem.text.patterns import pattern

SPACE = " \t"

_PARENTS = {
    rendering.COMPLETED: rendering.TODOS,
    rendering.PENDING: rendering.TODOS,
    rendering.CREATED: rendering.FILES,
    rendering.MODIFIED: rendering.FILES,
    rendering.DELETED: rendering.FILES,
}
_FENCE = pattern(r"(`{3,}|~{3,})")


@dataclass
class Block:
    heading: str
    lines: list[str] = field(default_factory=list)

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
        is_second = heading.startswith("## ")
        if not fence and (is_second or _PARENTS.get(heading, "none") == section):
            yield block
            section = heading if is_second else section
            block = Block(heading)
        else:
            fence = fence_after(fence, line)
            block.lines.append(line)
    yield block


def closed(section: str) -> str:
    """With its fence closed, so that it takes in nothing that comes behind it."""
    fence = reduce(fence_after, section.split("\n"), "")
    return f"{section}\n{fence}" if fence else section


def fence_after(fence: str, line: str) -> str:
    """What would close the fence that is open below a line, if `fence` is above it.

    "" where none is open.
    """
    if fence:
        return "" if _closes(fence, line.rstrip(SPACE)) else fence
    opening = _FENCE.match(line)
    return opening.group() if opening else ""


def _closes(fence: str, line: str) -> bool:
    return line.startswith(fence) and not line.strip(fence[0])
