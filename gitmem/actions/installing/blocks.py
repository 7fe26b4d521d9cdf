"""Our text in files that are not JSON: blocks between marks, and whole files."""

from collections.abc import Mapping
from functools import reduce
from pathlib import PurePath

from gitmem.assistants.assistant import LAUNCHER, SERVER
from gitmem.errors import NoPermission
from gitmem.frozen import frozen
from gitmem.text import toml
from gitmem.text.insertion import (
    JAVASCRIPT,
    MARKDOWN,
    SHELL,
    Insertion,
    Marks,
    appended,
    blocks_in,
    inserted,
    with_block,
    without_block,
    without_lines,
)

ANOTHER = f"has a server {SERVER} already, which is not ours"
_ALL_MARKS = (MARKDOWN, SHELL, JAVASCRIPT)
_SKILL = "# ocm:skill (written by `ocm init`; `ocm uninstall` removes it)"


@frozen
class MarkedBlock:
    marks: Marks
    body: str
    head: str = ""

    def are_in(self, text: str) -> bool:
        return blocks_in(text, self.marks) == [self.body]

    def added_to(self, text: str) -> tuple[Insertion, ...]:
        head = () if text or not self.head else (Insertion(0, self.head),)
        return (*head, *with_block(inserted(text, head), self.body, self.marks))


@frozen
class Whole:
    """A file that is all ours."""

    text: str

    def are_in(self, text: str) -> bool:
        return text.replace("\r\n", "\n") == self.text

    def added_to(self, text: str) -> tuple[Insertion, ...]:
        if text:
            raise NoPermission("is there already, and is not ours")
        return (Insertion(0, self.text),)


@frozen
class Table:
    """A server in a TOML file, at its end unless the program rewrote that.

    Codex does when the user agrees to something, and moves comments: so there are no
    marks, and ours is what runs the launcher.
    """

    keys: tuple[str, ...]
    values: Mapping[str, object]

    def are_in(self, text: str) -> bool:
        server = value_at(toml.parsed(text), self.keys)
        return isinstance(server, dict) and self.values.items() <= server.items()

    def added_to(self, text: str) -> tuple[Insertion, ...]:
        if value_at(toml.parsed(text), self.keys) is not None:
            raise NoPermission(ANOTHER)
        added = (appended(text, toml.table(self.keys, self.values)),)
        toml.parsed(inserted(text, added))
        return added


def without_table(text: str, keys: tuple[str, ...]) -> str:
    """Return the text without a server's table, and those inside, if it is ours."""
    spans = toml.tables_in(text, keys)
    is_ours = any(LAUNCHER in text[begin:stop] for begin, stop in spans)
    return without_lines(text, spans) if is_ours else text


def marks_of(name: str) -> Marks:
    return {".toml": SHELL, ".js": JAVASCRIPT}.get(PurePath(name).suffix, MARKDOWN)


def without_ours(text: str) -> str:
    """Return the text without our blocks; nothing of a file that is all ours."""
    return "" if _is_skill(text) else reduce(without_block, _ALL_MARKS, text)


def has_marks(text: str) -> bool:
    return _is_skill(text) or any(marks.begin in text for marks in _ALL_MARKS)


def value_at(value: object, keys: tuple[str, ...]) -> object:
    """Return the member at `keys`, None if there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _is_skill(text: str) -> bool:
    return text.splitlines()[1:2] == [_SKILL]
