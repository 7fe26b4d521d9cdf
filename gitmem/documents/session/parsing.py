"""Reading a session document, whoever wrote it.

`parse(session.id, render(session)) == session` for every session. `parse` is total: a
document may have been edited by hand or pulled from anywhere, so what is missing or
unreadable gets a harmless default, and text that has no place in the format is kept as
a person's own.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from gitmem.documents import header
from gitmem.documents.event import Trigger
from gitmem.documents.session import ranks, rendering
from gitmem.documents.session.additions import SPACE, Block, blocks, closed, fence_after
from gitmem.documents.session.checkpoint import merge_files
from gitmem.documents.session.identity import is_session_id
from gitmem.documents.session.session import (
    RANKED,
    TIMED,
    GoalSource,
    PlanFile,
    Reference,
    Session,
    Status,
)
from gitmem.git.values import SHA, Commit, FileChange
from gitmem.text.markdown import decode, decode_code
from gitmem.text.patterns import pattern

_KEYS = frozenset(
    (
        *("format", "session_id", "tool", "project", "client_session_id"),
        *("author", "parent", "former_ids", "branch", "status", "trigger"),
        *("started_at", "updated_at", "ended_at", "git_sha_start", "git_sha_end"),
        *("goal_source", "goal_at", *TIMED.values(), "observed_at", "ranks"),
    )
)
_LINE_END = pattern(r"\r\n?")
_ITEM = pattern(r"[-*+](?: |$)")
_SHA_AND_SUBJECT = pattern(rf"`({SHA.pattern})`(?: (.*))?", re.DOTALL)
_CELL_BORDER = pattern(r"(?<!\\)\|")


def parse(session_id: str, text: str) -> Session:
    """The session that a document holds.

    `session_id` is the name it is kept under: that, and not what the header claims, is
    its id.
    """
    head, body = parts(text)
    return Session(id=session_id, **_header(session_id, head), **_body(body))


def parts(text: str) -> tuple[str, str]:
    """Header and body of a document, whatever an editor made of its line ends."""
    return header.split(_LINE_END.sub("\n", text.removeprefix("\ufeff")))


def _header(session_id: str, text: str) -> dict[str, Any]:
    entries = header.read(text, _KEYS)
    value = entries.values.get
    started_at = header.time_in(value("started_at")) or _time_in(session_id)
    return {
        "tool": value("tool", ""),
        "project": value("project", ""),
        "client_session_id": value("client_session_id", ""),
        "author": value("author", ""),
        "parent": value("parent", ""),
        "former_ids": tuple(filter(is_session_id, value("former_ids", "").split())),
        "branch": value("branch") or None,
        "status": header.member_in(Status, value("status"), Status.OPEN),
        "trigger": header.member_in(Trigger, value("trigger"), Trigger.MANUAL),
        "started_at": started_at,
        "updated_at": header.time_in(value("updated_at")) or started_at,
        "ended_at": header.time_in(value("ended_at")),
        "git_sha_start": value("git_sha_start") or None,
        "git_sha_end": value("git_sha_end") or None,
        "goal_source": header.member_in(
            GoalSource, value("goal_source"), GoalSource.WRITTEN
        ),
        "goal_at": header.time_in(value("goal_at")),
        **{said_at: header.time_in(value(said_at)) for said_at in TIMED.values()},
        "observed_at": header.time_in(value("observed_at")),
        "ranks": ranks.decode(value("ranks", "")),
        "extra_header": entries.extra,
    }


def _time_in(session_id: str) -> datetime:
    day, _, minute = session_id[:16].partition("_")
    epoch = datetime.fromtimestamp(0, UTC)
    return header.time_in(f"{day}T{minute.replace('-', ':')}") or epoch


@dataclass
class _Contents:
    """What the blocks of a document come to, while they are being read."""

    values: dict[str, list[Any]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)

    def add(self, name: str, value: object) -> None:
        self.values.setdefault(name, []).append(value)


def _body(text: str) -> dict[str, Any]:
    found = _Contents()
    for block in blocks(text):
        _read_block(block, found)
    if strays := "\n".join(found.strays).strip("\n"):
        notes = f"{rendering.NOTES}\n\n{strays}"
        found.unknown = [*map(closed, found.unknown), notes]
    fields: dict[str, Any] = {name: tuple(v) for name, v in found.values.items()}
    for name in _TEXTS.values():
        fields[name] = "\n\n".join(fields.get(name, ()))
    for name in filter(fields.__contains__, RANKED):
        fields[name] = tuple(dict.fromkeys(fields[name]))
    fields["files"] = merge_files((), fields.get("files", ()))
    return {**fields, "extra_body": "\n\n".join(found.unknown)}


def _read_block(block: Block, found: _Contents) -> None:
    if block.heading in _ITEM_READERS:
        name, read = _ITEM_READERS[block.heading]
        for item in _items(block, found):
            value = read(block.heading, item)
            if value is None:
                found.strays.append("- " + item.replace("\n", "\n  "))
            else:
                found.add(name, value)
    elif block.heading in _TEXTS:
        if text := "\n".join(block.lines).strip("\n"):
            found.add(_TEXTS[block.heading], decode(text))
    elif block.heading == rendering.PLANS:
        _read_table(block, found)
    elif block.heading in ("", rendering.TODOS, rendering.FILES):
        found.strays += block.lines
    else:
        found.unknown.append(block.text)


def _items(block: Block, found: _Contents) -> list[str]:
    """The items of a list, still encoded.

    Lines before the first are strays, and so is what follows an item at the left
    margin, if that is a fence or comes after a blank line: in Markdown that is no part
    of the item any more.
    """
    items: list[list[str]] = []
    item, fence = found.strays, ""
    for line in block.lines:
        was_inside, fence = bool(fence), fence_after(fence, line)
        if not was_inside and _ITEM.match(line):
            item = [line[2:]]
            items.append(item)
        else:
            item = found.strays if fence or _ends(item, line) else item
            item.append(line if item is found.strays else line.removeprefix("  "))
    return ["\n".join(lines).rstrip("\n") for lines in items]


def _ends(item: list[str], line: str) -> bool:
    """Whether a line does not go on with the item that is above it."""
    is_after_blank = not "".join(item[-1:]).strip(SPACE)
    return is_after_blank and line[:1] not in ("", *SPACE)


def _read_table(block: Block, found: _Contents) -> None:
    for line in block.lines:
        if not line.startswith("|"):
            found.strays.append(line)
        elif line.rstrip(SPACE) not in rendering.TABLE_HEAD.split("\n"):
            row = line[1:].rstrip(SPACE).removesuffix("|")
            path, *rest = _CELL_BORDER.split(row, maxsplit=1)
            title = decode("".join(rest).strip(SPACE))
            found.add("plan_files", PlanFile(decode_code(path.strip(SPACE)), title))


def _read_text(_heading: str, item: str) -> str:
    return decode(item)


def _read_file(heading: str, item: str) -> FileChange:
    return FileChange(decode_code(item), rendering.CHANGES[heading])


def _read_path(_heading: str, item: str) -> str:
    return decode_code(item)


def _read_reference(_heading: str, item: str) -> Reference:
    title, border, url = item.removesuffix(")").partition("](")
    if not border or not title.startswith("[") or not item.endswith(")"):
        return Reference(url=decode(item), title="")
    return Reference(url=decode(url), title=decode(title[1:]))


def _read_commit(_heading: str, item: str) -> Commit | None:
    found = _SHA_AND_SUBJECT.fullmatch(item)
    return Commit(found[1], decode(found[2] or "")) if found else None


_TEXTS = {
    rendering.GOAL: "goal",
    rendering.DIFF: "diff_summary",
    rendering.LAST_ANSWER: "last_answer",
    rendering.CLIENT_SUMMARY: "client_summary",
}
_ITEM_READERS: dict[str, tuple[str, Callable[[str, str], object]]] = {
    rendering.PROMPTS: ("prompts", _read_text),
    rendering.COMPLETED: ("work_completed", _read_text),
    rendering.PENDING: ("work_pending", _read_text),
    rendering.CREATED: ("files", _read_file),
    rendering.MODIFIED: ("files", _read_file),
    rendering.DELETED: ("files", _read_file),
    rendering.MEANWHILE: ("changed_meanwhile", _read_path),
    rendering.DONE: ("work_summary", _read_text),
    rendering.ANSWERS: ("answers", _read_text),
    **{title: (name, _read_text) for name, title in rendering.STATED.items()},
    rendering.REFERENCES: ("references", _read_reference),
    rendering.COMMITS: ("commits", _read_commit),
}
