"""The document of a session, as Markdown for people and assistants.

The format is described, with its version, in docs/format.md. `parsing` is the inverse.
"""

from collections.abc import Iterable
from datetime import datetime
from itertools import groupby

from gitmem.documents import header
from gitmem.documents.session import ranks, sections, statement_times
from gitmem.documents.session.fields import FIELDS, STAMPED, FieldForm, SessionField
from gitmem.documents.session.session import PlanFile, Session
from gitmem.text.markdown import encode_code, encode_inline, encode_paragraphs

FORMAT = "2"
ROOM = 1_000_000
"""Bytes up to which a document is added to: ten times the longest conversation that was
measured, with all that both sides said."""
DOCUMENT_LIMIT = 4_000_000
"""Bytes of a document that is read, and that a merge makes: remotes may refuse a file
of five million, and with it all of the memory for ever."""


def render(session: Session) -> str:
    """Return the document, ending in a line end."""
    parts = [header.write(_header_values(session), session.extra_header)]
    for parent, fields in groupby(FIELDS, key=lambda field: field.parent):
        content = [_field(field, session) for field in fields]
        parts += [_section(parent, *content)] if parent else content
    parts.append(session.extra_body)
    return "\n\n".join(part.rstrip("\n") for part in parts if part) + "\n"


def _field(field: SessionField, session: Session) -> str:
    value = getattr(session, field.name)
    match field.form:
        case FieldForm.TEXT:
            return _section(field.heading, encode_paragraphs(value))
        case FieldForm.PLANS:
            return _section(field.heading, _table(value))
        case FieldForm.FILES:
            files = [
                _list(heading, (file for file in value if file.change is change))
                for heading, change in sections.CHANGES.items()
            ]
            return _section(field.heading, *files)
    return _list(field.heading, value)


def _header_values(session: Session) -> list[tuple[str, str]]:
    def time(name: str, assumed: datetime | None) -> tuple[str, str]:
        """Nothing where a reader assumes the same."""
        at = getattr(session, name)
        return name, "" if _iso(at) == _iso(assumed) else _iso(at)

    updated_at = session.updated_at
    return [
        ("format", f"gitmem/{FORMAT}"),
        ("session_id", session.session_id),
        ("tool", session.tool),
        ("project", session.project),
        ("author", session.author),
        ("client_session_id", session.client_session_id),
        ("parent", session.parent),
        ("program", session.program),
        ("other_repositories", str(session.other_repositories or "")),
        ("former_ids", " ".join(session.former_ids)),
        ("branch", session.branch or ""),
        ("status", session.status),
        ("trigger", session.trigger),
        ("started_at", _iso(session.started_at)),
        ("updated_at", _iso(updated_at)),
        ("ended_at", _iso(session.ended_at)),
        ("git_sha_start", session.git_sha_start or ""),
        ("git_sha_end", session.git_sha_end or ""),
        ("goal_source", session.goal_source if session.goal else ""),
        time("goal_at", updated_at),
        *(
            time(said_at, updated_at if getattr(session, name) else None)
            for name, said_at in STAMPED.items()
        ),
        time("observed_at", updated_at),
        ("former_commits", " ".join(session.former_commits)),
        ("ranks", ranks.encode(session.ranks)),
        ("stated_at", statement_times.encode(session.stated_at)),
    ]


def _iso(time: datetime | None) -> str:
    return time.isoformat(timespec="seconds") if time else ""


def _section(heading: str, *parts: str) -> str:
    """Return the heading above its parts; nothing when they are all empty."""
    content = "\n\n".join(part for part in parts if part)
    return f"{heading}\n\n{content}" if content else ""


def _list(heading: str, items: Iterable[object]) -> str:
    return _section(heading, "\n".join(map(sections.LISTS[heading].encode, items)))


def _table(plan_files: tuple[PlanFile, ...]) -> str:
    rows = [
        f"| {encode_code(plan.path)} | {encode_inline(plan.header, also='|')} |"
        for plan in plan_files
    ]
    return "\n".join([sections.TABLE_HEAD, *rows]) if rows else ""
