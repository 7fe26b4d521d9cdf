"""Our entries in a file of the user: added, recognised, removed.

In JSON and TOML an entry is ours if it runs the launcher; in other texts, what stands
between our marks; a skill, if its second line says so. So they are recognised
without a note, as in a clone of a team that uses gitmem.
"""

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from pathlib import Path, PurePath
from typing import Any

from gitmem.actions.installing.blocks import (
    SERVERS,
    Entries,
    JsonEntries,
    JsonEntry,
    MarkedBlock,
    Table,
    Whole,
    has_marks,
    is_our_value,
    marks_of,
    server_of,
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
from gitmem.resources import resource
from gitmem.text import jsonc

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
    entries = list[JsonEntry]()
    if isinstance(content, Hooks):
        data = json.loads(_packaged(content.template))
        entries += _entries_in(_started_by(launcher, data))
        entries += _agreement((), is_approved=is_for_team and content.approves)
    if server := server_of(content):
        entries.append(JsonEntry(server.keys, _started(server, launcher)))
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
        text = reduce(without_table, SERVERS, text) if _is_toml(name) else text
        return without_ours(text)
    rules = _RULES.get(name, ())
    return jsonc.without(
        text,
        lambda path, value: (
            is_our_value(path, value)
            or (path[:-1] == _ALLOW and value in rules)
            or (path[:-1] == _APPROVED and value == SERVER)
        ),
    )


def has_ours(name: str, text: str) -> bool:
    """Tell whether a text, readable or not, may have an entry of ours."""
    if _is_json(name):
        # An unreadable file counts too: it may hold entries of ours.
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


def _agreement(rules: Iterable[str], *, is_approved: bool) -> Iterator[JsonEntry]:
    """Yield the entries by which the user agrees to our tools and the server."""
    yield from (JsonEntry(_ALLOW, rule, is_item=True) for rule in rules)
    if is_approved:
        yield JsonEntry(_APPROVED, SERVER, is_item=True)


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


def _entries_in(value: object, keys: tuple[str, ...] = ()) -> Iterator[JsonEntry]:
    match value:
        case dict():
            for key, inner in value.items():
                yield from _entries_in(inner, (*keys, key))
        case list():
            yield from (JsonEntry(keys, item, is_item=True) for item in value)
        case _:
            yield JsonEntry(keys, value)
