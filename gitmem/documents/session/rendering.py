"""The document of a session, as Markdown for people and assistants.

The format is described, with its version, in docs/format.md. `parsing` is the inverse.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime

from gitmem.documents import header
from gitmem.documents.session import ranks
from gitmem.documents.session.session import TIMED, PlanFile, Reference, Session
from gitmem.git.values import Change, Commit
from gitmem.text.markdown import (
    encode_code,
    encode_inline,
    encode_item,
    encode_paragraphs,
)

FORMAT = "1"
ROOM = 1_000_000
"""Bytes up to which a document is added to: ten times the longest conversation that was
measured, with all that both sides said."""
DOCUMENT_LIMIT = 4_000_000
"""Bytes of a document that is read, and that a merge makes: remotes may refuse a file
of five million, and with it all of the memory for ever."""

GOAL = "## Goal"
PROMPTS = "## Prompts"
TODOS = "## Todos"
COMPLETED = "### ✅ Work Completed"
PENDING = "### 🔲 Work To Be Completed"
FILES = "## Files Touched"
CREATED = "### Created"
MODIFIED = "### Modified"
DELETED = "### Deleted"
DIFF = "## Git Diff Summary"
DONE = "## Work Done"
ANSWERS = "## Answers"
LAST_ANSWER = "## Last Answer"
CLIENT_SUMMARY = "## Compaction Summary"
MEANWHILE = "## Changed Meanwhile"
PLANS = "## Plan Files"
REFERENCES = "## References"
COMMITS = "## Commits"
NOTES = "## Notes"
STATED = {
    "decisions": "## Architecture Decisions",
    "tried": "## Tried And Given Up",
    "constraints": "## Constraints",
    "blockers": "## Blockers",
    "questions": "## Open Questions",
}
"""The sections of statements, by their fields."""

CHANGES = {
    CREATED: Change.CREATED,
    MODIFIED: Change.MODIFIED,
    DELETED: Change.DELETED,
}
TABLE_HEAD = "| File | Description |\n|------|-------------|"


def render(session: Session) -> str:
    """The document, ending in a line end."""
    parts = [
        header.write(_header_values(session), session.extra_header),
        _section(GOAL, encode_paragraphs(session.goal)),
        _section(PROMPTS, _list(session.prompts)),
        _section(
            TODOS,
            _section(COMPLETED, _list(session.work_completed)),
            _section(PENDING, _list(session.work_pending)),
        ),
        _section(
            FILES,
            *(_section(title, _files(session, of)) for title, of in CHANGES.items()),
        ),
        _section(MEANWHILE, _paths(session.changed_meanwhile)),
        _section(DIFF, encode_paragraphs(session.diff_summary)),
        _section(DONE, _list(session.work_summary)),
        _section(ANSWERS, _list(session.answers)),
        _section(LAST_ANSWER, encode_paragraphs(session.last_answer)),
        _section(CLIENT_SUMMARY, encode_paragraphs(session.client_summary)),
        _section(PLANS, _table(session.plan_files)),
        *(_section(title, _list(getattr(session, n))) for n, title in STATED.items()),
        _section(REFERENCES, "\n".join(map(_reference, session.references))),
        _section(COMMITS, "\n".join(map(_commit, session.commits))),
        session.extra_body,
    ]
    return "\n\n".join(part.rstrip("\n") for part in parts if part) + "\n"


def _header_values(session: Session) -> list[tuple[str, str]]:
    return [
        ("format", f"gitmem/{FORMAT}"),
        ("session_id", session.id),
        ("tool", session.tool),
        ("project", session.project),
        ("author", session.author),
        ("client_session_id", session.client_session_id),
        ("parent", session.parent),
        ("former_ids", " ".join(session.former_ids)),
        ("branch", session.branch or ""),
        ("status", session.status),
        ("trigger", session.trigger),
        ("started_at", _iso(session.started_at)),
        ("updated_at", _iso(session.updated_at)),
        ("ended_at", _iso(session.ended_at)),
        ("git_sha_start", session.git_sha_start or ""),
        ("git_sha_end", session.git_sha_end or ""),
        ("goal_source", session.goal_source if session.goal else ""),
        ("goal_at", _iso_unless(session.updated_at, session.goal_at)),
        *_times_of_lists(session),
        ("observed_at", _iso_unless(session.updated_at, session.observed_at)),
        ("ranks", ranks.encode(session.ranks)),
    ]


def _times_of_lists(session: Session) -> Iterator[tuple[str, str]]:
    for name, said_at in TIMED.items():
        assumed = session.updated_at if getattr(session, name) else None
        yield said_at, _iso_unless(assumed, getattr(session, said_at))


def _iso(time: datetime | None) -> str:
    return time.isoformat(timespec="seconds") if time else ""


def _iso_unless(assumed: datetime | None, time: datetime | None) -> str:
    """Nothing where a reader assumes the same."""
    return "" if _iso(time) == _iso(assumed) else _iso(time)


def _section(heading: str, *parts: str) -> str:
    """The heading above its parts; nothing when they are all empty."""
    content = "\n\n".join(part for part in parts if part)
    return f"{heading}\n\n{content}" if content else ""


def _list(items: tuple[str, ...]) -> str:
    return "\n".join(map(encode_item, items))


def _files(session: Session, change: Change) -> str:
    return _paths(file.path for file in session.files if file.change is change)


def _paths(paths: Iterable[str]) -> str:
    return "\n".join(f"- {encode_code(path)}" for path in paths)


def _table(plan_files: tuple[PlanFile, ...]) -> str:
    rows = [
        f"| {encode_code(plan.path)} | {encode_inline(plan.header, also='|')} |"
        for plan in plan_files
    ]
    return "\n".join([TABLE_HEAD, *rows]) if rows else ""


def _reference(reference: Reference) -> str:
    title = encode_inline(reference.title, also="[]")
    url = encode_inline(reference.url, also="[]()<> ")
    return f"- [{title}]({url})" if title else f"- {url}"


def _commit(commit: Commit) -> str:
    subject = encode_inline(commit.subject)
    return f"- `{commit.sha}` {subject}" if subject else f"- `{commit.sha}`"
