"""Our entries in a file of the user: added, recognised, removed.

In JSON and TOML an entry is ours if it runs the launcher; in other texts, what stands
between our marks; a skill, if its second line says so. So they are recognised
without a note, as in a clone of a team that uses gitmem.
"""

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from itertools import chain
from pathlib import Path, PurePath
from typing import Any, Protocol

from gitmem.actions.installing.blocks import (
    ANOTHER,
    MarkedBlock,
    Table,
    Whole,
    has_marks,
    marks_of,
    value_at,
    without_ours,
    without_table,
)
from gitmem.assistants.assistant import (
    LAUNCHER,
    SERVER,
    Hooks,
    Permission,
    Rules,
    Server,
    Skill,
    Target,
)
from gitmem.assistants.known import CONFIGURED, targets_of
from gitmem.assistants.targets import items, members, read_object
from gitmem.errors import NoPermission
from gitmem.frozen import frozen
from gitmem.resources import resource
from gitmem.text import jsonc
from gitmem.text.insertion import Insertion, inserted

_ALLOW = ("permissions", "allow")
_APPROVED = ("enabledMcpjsonServers",)
_TARGETS = targets_of(CONFIGURED)
_RULES = {
    name: target.content.rules
    for target in _TARGETS
    if isinstance(target.content, Permission) and target.user
    for name in (target.path, target.user(Path(), {}).name)
}
"""Rules by the names of the files that may have them."""


class Entries(Protocol):
    """What a file should contain. InvalidInput is for unreadable text."""

    def are_in(self, text: str) -> bool:
        """Tell whether the text has exactly these entries of ours."""

    def added_to(self, text: str) -> tuple[Insertion, ...]:
        """Return the insertions for a text without entries of ours."""


def entries_of(
    target: Target, launcher: Path | None = None, *, is_for_team: bool = False
) -> Entries:
    """Return the entries of a target.

    `launcher` is the user's own, for the user's own settings. A file for the team may
    answer the client's question about the server.
    """
    content, marks = target.content, marks_of(target.path)
    match content:
        case Skill(text):
            return Whole(_packaged(text))
        case Rules(head, text):
            return MarkedBlock(marks, _packaged(text), _packaged(head))
        case Permission(_, text) if text:
            return MarkedBlock(marks, _packaged(text))
        case Permission(rules):
            return JsonEntries((*_agreement(rules, is_approved=launcher is None),))
        case Server() if not _is_json(target.path):
            return Table(content.keys, _started(content, launcher))
    entries = list[_Entry]()
    if isinstance(content, Hooks):
        data = json.loads(_packaged(content.template))
        entries += _entries_in(_started_by(launcher, data))
        entries += _agreement((), is_approved=is_for_team and content.approves)
    if server := _server_of(content):
        entries += (_Entry((k,), v, is_for_new=True) for k, v in server.head.items())
        entries.append(_Entry(server.keys, _started(server, launcher)))
    return JsonEntries(tuple(entries))


def permitted(target: Target, path: Path, *, is_agreed: bool) -> Target | None:
    """Return a permission with the rules that the user agrees to, now or before.

    None without any. Other targets need no agreement.
    """
    content = target.content
    if is_agreed or not isinstance(content, Permission):
        return target
    if content.text:
        return target if path.exists() else None
    allowed = allowed_in(path)
    rules = tuple(rule for rule in content.rules if rule in allowed)
    return target._replace(content=Permission(rules)) if rules else None


def allowed_in(path: Path) -> list[object]:
    """Return the rules in a file by which tools run without a question."""
    return items(members(read_object(path), "permissions"), "allow")


def cleaned(name: str, text: str) -> str:
    """Return the text of a file of this name without what is ours."""
    if not _is_json(name):
        text = reduce(without_table, _SERVERS, text) if _is_toml(name) else text
        return without_ours(text)
    rules = _RULES.get(name, ())
    return jsonc.without(
        text,
        lambda path, value: (
            _is_ours(path, value)
            or (path[:-1] == _ALLOW and value in rules)
            or (path[:-1] == _APPROVED and value == SERVER)
        ),
    )


def has_ours(name: str, text: str) -> bool:
    """Tell whether a text, readable or not, may have an entry of ours."""
    if _is_json(name):
        return LAUNCHER in text.replace("\\/", "/")  # some programs write it so
    return has_marks(text) or (_is_toml(name) and LAUNCHER in text)


def is_nothing(name: str, text: str) -> bool:
    """Tell whether a text without our entries is as good as empty."""
    if not _is_json(name):
        contents = (content.content for content in _TARGETS)
        heads = {content.head for content in contents if isinstance(content, Rules)}
        return text.strip() in ("", *(_packaged(head).strip() for head in heads))
    try:
        rest = json.loads(text) if text.strip() else {}
    except ValueError:
        return False
    if isinstance(rest, dict):
        rest.pop("$schema", None)  # which OpenCode writes into its settings
    return rest in ({}, *map(_alone, _TARGETS))


@frozen
class _Entry:
    keys: tuple[str, ...]
    value: object
    is_item: bool = False
    """True for an item of a list."""
    is_for_new: bool = False
    """True if only a file without anything gets it."""


@frozen
class JsonEntries:
    entries: tuple[_Entry, ...]

    def are_in(self, text: str) -> bool:
        values = [entry.value for entry in self.entries]
        is_stale = any(entry not in values for entry in _ours_in(text))
        return not is_stale and not self.added_to(text)

    def added_to(self, text: str) -> tuple[Insertion, ...]:
        added: tuple[Insertion, ...] = ()
        is_new = not text.strip()
        for entry in self.entries:
            new = _added(text, entry) if is_new or not entry.is_for_new else ()
            text, added = inserted(text, new), added + new
        return added


def _agreement(rules: Iterable[str], *, is_approved: bool) -> Iterator[_Entry]:
    """Yield the entries by which the user agrees to our tools and the server."""
    yield from (_Entry(_ALLOW, rule, is_item=True) for rule in rules)
    if is_approved:
        yield _Entry(_APPROVED, SERVER, is_item=True)


def _server_of(content: object) -> Server | None:
    if isinstance(content, Hooks):
        return content.server
    return content if isinstance(content, Server) else None


def _started(server: Server, launcher: Path | None) -> Mapping[str, object]:
    """Return the entry of a server, started by the user's own launcher if named."""
    if launcher is None:
        return server.entry
    if isinstance(server.entry["command"], list):
        return {**server.entry, "command": [str(launcher), "user", "serve"]}
    return {**server.entry, "command": str(launcher), "args": ["user", "serve"]}


def _alone(target: Target) -> object:
    """Return what a file that we made has without our entries, such as a version."""
    if not isinstance(target.content, Hooks):
        return {}
    template = json.loads(_packaged(target.content.template))
    return {
        key: value for key, value in template.items() if not isinstance(value, dict)
    }


def _packaged(name: str) -> str:
    return resource(name).read_text("utf-8") if name else ""


def _is_toml(name: str) -> bool:
    return PurePath(name).suffix == ".toml"


def _is_json(name: str) -> bool:
    return PurePath(name).suffix in (".json", ".jsonc")


def _started_by(launcher: Path | None, value: Any) -> Any:
    """Return a template with commands that need no launcher in the repository."""
    match value:
        case {"command": str(command)} | {"bash": str(command)} if launcher:
            key = "command" if "command" in value else "bash"
            at, (kind, name) = shlex.quote(str(launcher)), command.split()[-2:]
            return value | {key: f"[ ! -x {at} ] || {at} user {kind} {name}"}
        case dict():
            return {key: _started_by(launcher, inner) for key, inner in value.items()}
        case list():
            return [_started_by(launcher, item) for item in value]
    return value


def _entries_in(value: object, keys: tuple[str, ...] = ()) -> Iterator[_Entry]:
    match value:
        case dict():
            for key, inner in value.items():
                yield from _entries_in(inner, (*keys, key))
        case list():
            yield from (_Entry(keys, item, is_item=True) for item in value)
        case _:
            yield _Entry(keys, value)


def _added(text: str, entry: _Entry) -> tuple[Insertion, ...]:
    if entry.is_item:
        return jsonc.with_item(text, entry.keys, entry.value)
    server = (
        value_at(jsonc.parsed(text), entry.keys) if entry.keys in _SERVERS else None
    )
    if server is not None and not _runs_launcher(server):
        raise NoPermission(ANOTHER)
    return jsonc.with_member(text, entry.keys, entry.value)


def _ours_in(text: str) -> list[object]:
    values = []

    def collect(path: jsonc.Path, value: object) -> bool:
        if is_ours := _is_ours(path, value):
            values.append(value)
        return is_ours

    jsonc.without(text, collect)
    return values


def _is_ours(path: jsonc.Path, value: object) -> bool:
    if isinstance(path[-1], int):
        return _is_our_hook(value)
    return path in _SERVERS and _runs_launcher(value)


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


_SERVERS = {s.keys for target in _TARGETS if (s := _server_of(target.content))}
