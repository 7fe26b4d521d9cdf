"""What SpecStory shows of a tool that an assistant used: edits, to-do lists, commits.

Each assistant's tools look different there, and so does each version. What they have in
common are a few kinds of lines that name a file, boxes before to-dos, and what git says
of a commit.
"""

import html
from collections.abc import Iterator, Sequence

from gitmem.assistants.transcripts import Made, printed
from gitmem.documents.event import Todo
from gitmem.frozen import frozen
from gitmem.git.values import Change
from gitmem.text.patterns import pattern

_OPENING = pattern(r'<tool-use data-tool-type="([^"]*)" data-tool-name="([^"]*)"')
_TELLING = (
    "<summary>",
    "<details>",
    "**",
    "`",
    " `",
    "+++ ",
    "The file ",
    "File created successfully at: ",
    "Status: ",
    "- [",
    "[",
)
_MOST_LINES = 1000

_FAILED = pattern(r"\*\*Error:\*\*|Status: \*\*(?!completed|success)")
_SUMMARY = pattern(r"<summary>[^<]*?(?:Edit|Create|Write|Delete) file: ([^<•]+)")
_PATCHED = pattern(r"\*\*(Add|Update|Modify|Delete): `([^`]+)`\*\*")
_DONE = pattern(
    r"The file (\S.*?) has been updated|File created successfully at: (\S[^()]*)"
)
_NAMED = pattern(r"<summary>Tool use: \*\*\w+\*\* `([^`]+)`</summary>| ?`([^`]+)`$")
_DIFF = pattern(r"\+\+\+ (?:b/)?(\S.*)")

_TODO = pattern(r"- \[(.)\] (?:[🔥❄🌡]\ufe0f? )?(.+)")
_TODO_TOOLS = {"TodoWrite", "todo_write", "update_plan", "manage_todo_list"}
_PARTIAL = "todo_write"
"""The one that may be told of a few to-dos alone."""


@frozen
class ToolBlock:
    kind: str
    """`write`, `read`, `shell`, `task`, ...: SpecStory's word for tools of all."""
    name: str
    lines: list[str]

    def add(self, line: str) -> None:
        is_telling = line.startswith(_TELLING) or "git " in line
        if is_telling and len(self.lines) < _MOST_LINES:
            self.lines.append(line.rstrip())


def opened(line: str) -> ToolBlock:
    """The block that a line begins; one of no kind where that is not to be read."""
    found = _OPENING.match(line)
    kind, name = (found[1], found[2]) if found else ("", "")
    return ToolBlock(kind, name, [])


def edits(block: ToolBlock) -> Iterator[tuple[str, Change]]:
    if block.kind not in ("write", "edit") or any(map(_FAILED.match, block.lines)):
        return
    patched = list(filter(None, map(_PATCHED.match, block.lines)))
    if patched:
        yield from ((each[2], _change(each[1])) for each in patched)
    elif path := _path(block.lines):
        is_gone = block.name.lower().startswith("delete")
        is_new = any(line.startswith("File created") for line in block.lines)
        change = Change.CREATED if is_new else Change.MODIFIED
        yield path, Change.DELETED if is_gone else change


def edited_file(summary: str) -> str | None:
    found = _SUMMARY.search(summary)
    return html.unescape(found[1]).strip() if found else None


def todos(block: ToolBlock) -> tuple[tuple[Todo, ...], bool]:
    """A to-do list, and whether it is the whole one; () for other tools."""
    if block.name not in _TODO_TOOLS:
        return (), False
    listed = filter(None, map(_TODO.match, block.lines))
    items = tuple(Todo(each[2], each[2], each[1] in "xX") for each in listed)
    return items, block.name != _PARTIAL


def commits(block: ToolBlock) -> Iterator[Made]:
    if block.kind == "shell":
        text = "\n".join(block.lines)
        yield from printed(text, text)


def _path(lines: Sequence[str]) -> str | None:
    if told := next(filter(None, map(edited_file, lines)), None):
        return told
    for marked in (_DONE, _NAMED, _DIFF):
        found = next(filter(None, map(marked.match, lines)), None)
        if found and found.lastindex:
            return str(found[found.lastindex]).strip()
    return None


def _change(word: str) -> Change:
    if word == "Add":
        return Change.CREATED
    return Change.DELETED if word == "Delete" else Change.MODIFIED
