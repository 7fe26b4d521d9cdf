"""The forms of our entries in a file: members of JSON, blocks, tables, whole files."""

from collections.abc import Mapping
from functools import reduce
from itertools import chain
from pathlib import PurePath
from typing import Protocol

from gitmem.assistants.assistant import LAUNCHER, SERVER, Hooks, Server
from gitmem.assistants.known import CONFIGURED, targets_of
from gitmem.errors import NoPermission
from gitmem.frozen import frozen
from gitmem.text import jsonc, toml
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

_ANOTHER = f"has a server {SERVER} already, which is not ours"
_ALL_MARKS = (MARKDOWN, SHELL, JAVASCRIPT)
_SKILL = "# ocm:skill (written by `ocm init`; `ocm uninstall` removes it)"


class Entries(Protocol):
    """What a file should contain. InvalidInput is for unreadable text."""

    def are_in(self, text: str) -> bool:
        """Tell whether the text has exactly these entries of ours."""

    def added_to(self, text: str) -> tuple[Insertion, ...]:
        """Return the insertions for a text without entries of ours."""


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
            raise NoPermission(_ANOTHER)
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


@frozen
class JsonEntry:
    keys: tuple[str, ...]
    value: object
    is_item: bool = False
    """True for an item of a list."""


@frozen
class JsonEntries:
    entries: tuple[JsonEntry, ...]

    def are_in(self, text: str) -> bool:
        values = [entry.value for entry in self.entries]
        is_stale = any(entry not in values for entry in _ours_in(text))
        return not is_stale and not self.added_to(text)

    def added_to(self, text: str) -> tuple[Insertion, ...]:
        added: tuple[Insertion, ...] = ()
        for entry in self.entries:
            new = _added(text, entry)
            text, added = inserted(text, new), added + new
        return added


def joined(entries: Entries, later: Entries) -> Entries:
    """Return the entries of two targets that share a file, which is JSON."""
    if isinstance(entries, JsonEntries) and isinstance(later, JsonEntries):
        return JsonEntries(entries.entries + later.entries)
    raise TypeError("only JSON has entries of several targets")


def server_of(content: object) -> Server | None:
    if isinstance(content, Hooks):
        return content.server
    return content if isinstance(content, Server) else None


def _added(text: str, entry: JsonEntry) -> tuple[Insertion, ...]:
    if entry.is_item:
        return jsonc.with_item(text, entry.keys, entry.value)
    server = value_at(jsonc.parsed(text), entry.keys) if entry.keys in SERVERS else None
    if server is not None and not _runs_launcher(server):
        raise NoPermission(_ANOTHER)
    return jsonc.with_member(text, entry.keys, entry.value)


def _ours_in(text: str) -> list[object]:
    values = []

    def collect(path: jsonc.Path, value: object) -> bool:
        if is_ours := is_our_value(path, value):
            values.append(value)
        return is_ours

    jsonc.without(text, collect)
    return values


def is_our_value(path: jsonc.Path, value: object) -> bool:
    if isinstance(path[-1], int):
        return _is_our_hook(value)
    return path in SERVERS and _runs_launcher(value)


def _is_our_hook(value: object) -> bool:
    """Tell whether a hook, or all of a group, is ours: the user may add to a group."""
    match value:
        case {"hooks": [*group]}:
            return bool(group) and all(map(_is_our_hook, group))
    return _runs_launcher(value)


def _runs_launcher(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    parts = (value.get(key) for key in ("command", "args", "bash"))
    words = (part if isinstance(part, list) else [part] for part in parts)
    return any(LAUNCHER in str(word) for word in chain(*words))


SERVERS = {
    s.keys for target in targets_of(CONFIGURED) if (s := server_of(target.content))
}
