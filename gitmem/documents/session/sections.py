"""The sections of a session's document: what they hold, and where they begin and end.

The format is described, with its version, in docs/format.md.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial, reduce
from typing import Any, NamedTuple

from gitmem.documents.session.fields import FIELDS, FieldForm
from gitmem.documents.session.session import Reference
from gitmem.git.values import SHA, Change, Commit, CommitPatch, FileChange
from gitmem.text.markdown import (
    decode,
    decode_code,
    encode_code,
    encode_inline,
    encode_item,
)
from gitmem.text.patterns import pattern

CHANGES = {
    "### Created": Change.CREATED,
    "### Modified": Change.MODIFIED,
    "### Deleted": Change.DELETED,
}
"""The subsections of files, by the changes that they list."""
NOTES = "## Notes"
"""The section of text that stands where the format has no place for it."""

TABLE_HEAD = "| File | Description |\n|------|-------------|"
SPACE = " \t"
_SHA_AND_SUBJECT = pattern(rf"`({SHA.pattern})`(?: (.*))?", re.DOTALL)
_NO_PATCH = "-"
_PATCH = pattern(
    rf"`({SHA.pattern})` ([0-9a-f]{{12}}|{_NO_PATCH})"
    r"((?: [0-9a-f]{12}(?::[0-9]{1,9}-[0-9]{1,9}(?:,[0-9]{1,9}-[0-9]{1,9})*)?)*)"
)
_OPENINGS = ("```", "~~~")
_FENCE = pattern(r"(`{3,}|~{3,})")


def _path(path: str) -> str:
    return f"- {encode_code(path)}"


def _file(file: FileChange) -> str:
    return _path(file.path)


def _read_file(change: Change, item: str) -> FileChange:
    return FileChange(decode_code(item), change)


def _reference(reference: Reference) -> str:
    title = encode_inline(reference.title, also="[]")
    url = encode_inline(reference.url, also="[]()<> ")
    return f"- [{title}]({url})" if title else f"- {url}"


def _read_reference(item: str) -> Reference:
    title, border, url = item.removesuffix(")").partition("](")
    if not border or not title.startswith("[") or not item.endswith(")"):
        return Reference(url=decode(item), title="")
    return Reference(url=decode(url), title=decode(title[1:]))


def _commit(commit: Commit) -> str:
    subject = encode_inline(commit.subject)
    return f"- `{commit.sha}` {subject}" if subject else f"- `{commit.sha}`"


def _read_commit(item: str) -> Commit | None:
    match = _SHA_AND_SUBJECT.fullmatch(item)
    return Commit(match[1], decode(match[2] or "")) if match else None


def is_valid(patch: CommitPatch) -> bool:
    """Return whether a document can have it; a journal may say anything."""
    return _read_patch(_patch(patch).removeprefix("- ")) == patch


def _patch(patch: CommitPatch) -> str:
    return " ".join([f"- `{patch.sha}`", patch.patch_id or _NO_PATCH, *patch.blobs])


def _read_patch(item: str) -> CommitPatch | None:
    match = _PATCH.fullmatch(item)
    if match is None:
        return None
    patch_id = match[2].removeprefix(_NO_PATCH)
    return CommitPatch(match[1], patch_id, (*match[3].split(),))


class ListSection(NamedTuple):
    name: str
    """The attribute of a session that has the items."""
    encode: Callable[[Any], str] = encode_item
    """Writes an item."""
    decode: Callable[[str], Any] = decode
    """Reads the text behind the dash of an item; returns None for what is none."""


_CODECS: dict[FieldForm, tuple[Callable[[Any], str], Callable[[str], Any]]] = {
    FieldForm.ITEMS: (encode_item, decode),
    FieldForm.PATHS: (_path, decode_code),
    FieldForm.REFERENCES: (_reference, _read_reference),
    FieldForm.COMMITS: (_commit, _read_commit),
    FieldForm.PATCHES: (_patch, _read_patch),
}
LISTS = {
    field.heading: ListSection(field.name, *_CODECS[field.form])
    for field in FIELDS
    if field.form in _CODECS
} | {
    heading: ListSection("files", _file, partial(_read_file, change))
    for heading, change in CHANGES.items()
}
TEXTS = {field.heading: field.name for field in FIELDS if field.form is FieldForm.TEXT}
"""The attributes of a session that a section has as paragraphs."""
PLANS, FILES = (
    next(field.heading for field in FIELDS if field.form is form)
    for form in (FieldForm.PLANS, FieldForm.FILES)
)
_PARENTS = {field.heading: field.parent for field in FIELDS if field.parent}
_PARENTS |= dict.fromkeys(CHANGES, FILES)
PARENTS = frozenset(_PARENTS.values())
"""The headings above subsections."""


@dataclass
class SectionBlock:
    heading: str
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join([self.heading, *self.lines]).rstrip("\n")


def blocks(text: str) -> Iterator[SectionBlock]:
    """Yield the text cut at its second-level headings, and ours of the third level.

    Headings inside a fence are text. The first block is what stands above them all.
    """
    block, section, fence = SectionBlock(""), "", ""
    for line in text.split("\n"):
        if fence or line.startswith(_OPENINGS):
            fence = fence_after(fence, line)
        elif line.startswith("##"):
            heading = line.rstrip(SPACE)
            is_second = heading.startswith("## ")
            if is_second or _PARENTS.get(heading) == section:
                yield block
                section = heading if is_second else section
                block = SectionBlock(heading)
                continue
        block.lines.append(line)
    yield block


def closed(section: str) -> str:
    """Return it with its fence closed, so that it takes in nothing that follows."""
    fence = reduce(fence_after, section.split("\n"), "")
    return f"{section}\n{fence}" if fence else section


def fence_after(fence: str, line: str) -> str:
    """Return what would close the fence that is open below a line, "" for none.

    `fence` is that above the line.
    """
    if fence:
        end = line.rstrip(SPACE)
        is_end = end.startswith(fence) and not end.strip(fence[0])
        return "" if is_end else fence
    opening = line.startswith(_OPENINGS) and _FENCE.match(line)
    return opening.group() if opening else ""
