"""Reading a session document, whoever wrote it.

`parse(session.id, render(session)) == session` for every session. `parse` is total: a
document may have been edited by hand or pulled from anywhere, so what is missing or
unreadable gets a harmless default, and text that has no place in the format is kept as
a person's own.
"""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from gitmem.documents import header
from gitmem.documents.event import Trigger
from gitmem.documents.session import ranks, sections, statement_times
from gitmem.documents.session.checkpoint import merge_files
from gitmem.documents.session.fields import COUNT_DIGITS, FIELDS
from gitmem.documents.session.identity import is_session_id
from gitmem.documents.session.sections import SPACE, SectionBlock, closed, fence_after
from gitmem.documents.session.session import (
    GoalSource,
    PlanFile,
    Session,
    Status,
)
from gitmem.git.values import SHA
from gitmem.text.markdown import decode, decode_code
from gitmem.text.patterns import pattern

_TEXTS = (
    *("tool", "project", "author", "client_session_id", "parent", "program"),
    *("branch", "git_sha_start", "git_sha_end"),
)
_TIMES = ("ended_at", *{field.stamp for field in FIELDS if field.stamp})
_MEMBERS = {
    "status": Status.OPEN,
    "trigger": Trigger.MANUAL,
    "goal_source": GoalSource.WRITTEN,
}
"""What is one of a few words, by what it is where it says nothing."""
_KEYS = frozenset(
    (
        *("format", "session_id", "started_at", "updated_at", "former_ids", "ranks"),
        *("former_commits", "other_repositories", "stated_at"),
        *(*_TEXTS, *_TIMES, *_MEMBERS),
    )
)
_COUNT = pattern(rf"[1-9][0-9]{{,{COUNT_DIGITS - 1}}}", re.ASCII)
_LINE_END = pattern(r"\r\n?")
_ITEM_STARTS = frozenset(("- ", "* ", "+ ", "-", "*", "+"))
_CELL_BORDER = pattern(r"(?<!\\)\|")


def parse(document_id: str, text: str) -> Session:
    """Return the session that a document holds.

    `document_id` is the stem of its path.
    """
    head, body = parts(text)
    return Session(id=document_id, **_header(document_id, head), **_body(body))


def parts(text: str) -> tuple[str, str]:
    """Header and body of a document, whatever an editor made of its line ends."""
    return header.split(_LINE_END.sub("\n", text.removeprefix("\ufeff")))


def _header(document_id: str, text: str) -> dict[str, Any]:
    entries = header.read(text, _KEYS)
    value = entries.values.get
    started_at = header.time_in(value("started_at")) or _time_in(document_id)
    return {
        **{name: value(name, "") for name in _TEXTS},
        **{name: header.time_in(value(name)) for name in _TIMES},
        **{
            name: header.member_in(type(default), value(name), default)
            for name, default in _MEMBERS.items()
        },
        "session_id": next(filter(is_session_id, [value("session_id", "")]), ""),
        "former_ids": tuple(filter(is_session_id, value("former_ids", "").split())),
        "former_commits": tuple(
            filter(SHA.fullmatch, value("former_commits", "").split())
        ),
        "other_repositories": _count_in(value("other_repositories", "")),
        "started_at": started_at,
        "updated_at": header.time_in(value("updated_at")) or started_at,
        "ranks": ranks.decode(value("ranks", "")),
        "stated_at": statement_times.decode(value("stated_at", "")),
        "extra_header": entries.extra,
    }


def _count_in(text: str) -> int:
    return int(text) if _COUNT.fullmatch(text) else 0


def _time_in(document_id: str) -> datetime:
    day, _, minute = document_id[:16].partition("_")
    epoch = datetime.fromtimestamp(0, UTC)
    return header.time_in(f"{day}T{minute.replace('-', ':')}") or epoch


@dataclass
class _Contents:
    """What the blocks of a document come to, while they are being read."""

    values: dict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))
    unknown: list[str] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)


def _body(text: str) -> dict[str, Any]:
    contents = _Contents()
    for block in sections.blocks(text):
        _read_block(block, contents)
    if strays := "\n".join(contents.strays).strip("\n"):
        notes = f"{sections.NOTES}\n\n{strays}"
        contents.unknown = [*map(closed, contents.unknown), notes]
    values: dict[str, Any] = {name: tuple(v) for name, v in contents.values.items()}
    for name in sections.TEXTS.values():
        values[name] = "\n\n".join(values.get(name, ()))
    values["files"] = merge_files((), values.get("files", ()))
    return {**values, "extra_body": "\n\n".join(contents.unknown)}


def _read_block(block: SectionBlock, contents: _Contents) -> None:
    if section := sections.LISTS.get(block.heading):
        for item in _items(block, contents.strays):
            value = section.decode(item)
            if value is None:
                contents.strays.append("- " + item.replace("\n", "\n  "))
            else:
                contents.values[section.name].append(value)
    elif block.heading in sections.TEXTS:
        if text := "\n".join(block.lines).strip("\n"):
            contents.values[sections.TEXTS[block.heading]].append(decode(text))
    elif block.heading == sections.PLANS:
        _read_table(block, contents)
    elif not block.heading or block.heading in sections.PARENTS:
        contents.strays += block.lines
    else:
        contents.unknown.append(block.text)


def _items(block: SectionBlock, strays: list[str]) -> list[str]:
    """Return the items of a list, still encoded.

    Lines before the first are strays, and so is what follows an item at the left
    margin, if that is a fence or comes after a blank line: in Markdown that is no part
    of the item any more.
    """
    items: list[list[str]] = []
    item, fence = strays, ""
    for line in block.lines:
        if not fence and line[:2] in _ITEM_STARTS:
            item = [line[2:]]
            items.append(item)
            continue
        fence = fence_after(fence, line)
        item = strays if fence or _ends(item, line) else item
        item.append(line if item is strays else line.removeprefix("  "))
    return ["\n".join(lines).rstrip("\n") for lines in items]


def _ends(item: list[str], line: str) -> bool:
    """Return whether a line does not go on with the item that is above it."""
    is_at_margin = line[:1] not in ("", *SPACE)
    return is_at_margin and not "".join(item[-1:]).strip(SPACE)


def _read_table(block: SectionBlock, contents: _Contents) -> None:
    for line in block.lines:
        if not line.startswith("|"):
            contents.strays.append(line)
        elif line.rstrip(SPACE) not in sections.TABLE_HEAD.split("\n"):
            row = line[1:].rstrip(SPACE).removesuffix("|")
            path, *rest = _CELL_BORDER.split(row, maxsplit=1)
            title = decode("".join(rest).strip(SPACE))
            plan = PlanFile(decode_code(path.strip(SPACE)), title)
            contents.values["plan_files"].append(plan)
