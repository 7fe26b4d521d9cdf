"""Sessions as the tools and `--json` show them: hits, listings, files, texts, diffs."""

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from gitmem.actions.reading.documents import (
    ConversationText,
    Document,
    Listed,
    SessionDiff,
)
from gitmem.answers import Answer, commit_answer, indexed_so_far, path_answer
from gitmem.documents.conversation.conversation import Turn, parse
from gitmem.git.values import FileChange
from gitmem.text.control_characters import harmless
from gitmem.text.markdown import line

if TYPE_CHECKING:
    from gitmem.actions.reading.find import Location, Results, SearchResult
    from gitmem.actions.reading.staleness import Staleness

NO_HITS = "No sessions found matching your query."
_ASK = (
    "No session clearly matches; the nearest are listed. "
    "Ask the user, or search again in other words."
)


def hit_answers(results: "Results") -> list[Answer] | str:
    """Return the hits, best first; a sentence if there are none."""
    return [_hit_answer(result) for result in results.results] or NO_HITS


def search_notice(results: "Results") -> str:
    """Return how many sessions are indexed, and what to do if no hit clearly matches.

    "" if there is nothing to say.
    """
    asking = _ASK if results.are_weak else ""
    return " ".join(filter(None, (indexed_so_far(results.extent), asking)))


def understood_query(results: "Results") -> Answer:
    """Return the filters, phrases and words of the query that are not empty."""
    from gitmem.search.queries import query

    understood: Answer = {**query.understood(results.query)}
    if results.corrected:
        understood["corrected"] = dict(results.corrected)
    if results.dropped:
        understood["dropped"] = [*results.dropped]
    return understood


def is_plain_query(understood: Answer) -> bool:
    """Return whether the query was plain words: no filter, nothing corrected."""
    return understood.keys() <= {"words", "also", "paths", "commits"}


def listing_answers(entries: Iterable[Listed]) -> list[Answer]:
    return [_listed_answer(entry) for entry in entries]


def file_answers(files: Iterable[FileChange]) -> list[Answer]:
    return [
        {"path": harmless(file.path), "change_type": file.change.value}
        for file in files
    ]


def document_answer(document: Document | ConversationText) -> Answer:
    """Return a document as one text, a conversation turn by turn."""
    if isinstance(document, ConversationText):
        turns = [_turn_answer(turn) for turn in parse(document.text)]
        return {"session_id": document.session.session_id, "turns": turns}
    return {
        f"{document.kind}_id": document.id,
        "markdown_path": path_answer(document.markdown_path),
        "document": document.text,
    }


def diff_answer(diff: SessionDiff) -> Answer:
    return {
        "session_id": diff.session_id,
        "diff": diff.patches,
        "off_branches": [commit_answer(commit) for commit in diff.off_branches],
        "missing": [commit_answer(commit) for commit in diff.missing],
        "uncommitted": diff.uncommitted,
    }


def _days(first: datetime, last: datetime) -> Answer:
    """Return the day of the beginning, and that of the last work if it is later."""
    is_later = last.date() > first.date()
    return {"date": f"{first.date()}", "until": f"{last.date()}" if is_later else None}


def _hit_answer(result: "SearchResult") -> Answer:
    hit, snippet = result.hit, result.reasons.snippet
    return {
        "rank": result.rank,
        "score": round(hit.score, 3),
        "match": hit.match.value,
        "session_id": hit.public_id,
        "goal": line(hit.title),
        **_days(hit.at, hit.until),
        "tool": line(hit.tool),
        "author": line(hit.author) or None,
        "own": result.is_own,
        "top_files": [line(path) for path in hit.paths],
        "markdown_path": path_answer(result.markdown_path),
        "matched": list(result.reasons.matched),
        "snippet": harmless(snippet.text) if snippet else "",
        "changed_since": _staleness_answer(result.staleness),
        "not_in_code": [line(name) for name in result.missing],
        "answers": list(hit.answers),
        "misses": list(hit.misses),
        **_location_answer(result.location),
    }


def _staleness_answer(staleness: "Staleness | None") -> Answer | None:
    if not staleness:
        return None
    return {"changed": len(staleness.changed), "files": staleness.files}


def _location_answer(location: "Location | None") -> Answer:
    if location is None:
        return {}
    return {
        "project": line(location.project),
        "root": str(location.root),
        "remote": line(location.remote),
    }


def _turn_answer(turn: Turn) -> Answer:
    return {
        "speaker": turn.speaker.lower(),
        "at": turn.at.isoformat() if turn.at else None,
        "text": turn.text,
    }


def session_answer(entry: Listed) -> Answer:
    session = entry.session
    return {
        "session_id": session.session_id,
        "goal": line(session.goal),
        **_days(session.started_at, session.updated_at),
        "tool": line(session.tool),
        "author": line(session.author) or None,
        "own": entry.is_own,
        "status": session.status.value,
        "markdown_path": path_answer(entry.markdown_path),
    }


def _listed_answer(entry: Listed) -> Answer:
    session = entry.session
    return {
        **session_answer(entry),
        "state": entry.state.value,
        "branch": line(session.branch or "") or None,
        "files": len(session.files),
        "work": entry.is_work,
        "client_session_id": line(session.client_session_id) or None,
        "parent": line(session.parent) or None,
    }
