"""What the actions give back, as the tools and `--json` show it: one shape for both."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.actions.reading.documents import ConversationText, Document, Listed
from gitmem.documents.conversation.conversation import Turn, parse
from gitmem.git.values import Commit, FileChange
from gitmem.text.control_characters import harmless
from gitmem.text.markdown import line

if TYPE_CHECKING:
    from gitmem.actions.linking.why import Origin, SourceSession
    from gitmem.actions.reading.find import Results
    from gitmem.actions.reading.found import Location, SearchResult
    from gitmem.actions.reading.session_diff import SessionDiff
    from gitmem.actions.reading.staleness import Staleness
    from gitmem.actions.saving.checkpoint import Saved
    from gitmem.search.index import Extent

Answer = dict[str, object]

NO_HITS = "No sessions found matching your query."
_ASK = (
    "No session clearly matches; the nearest are listed. "
    "Ask the user, or search again in other words."
)


def of_checkpoint(saved: "Saved") -> Answer:
    return {
        "session_id": saved.session_id,
        "markdown_path": _path(saved.markdown_path),
        "status": saved.status.value,
    }


def of_search(results: "Results") -> list[Answer] | str:
    """The hits, best first; a sentence where there are none."""
    return [_hit(each) for each in results.found] or NO_HITS


def notice(results: "Results") -> str:
    """How many sessions the hits are from, and what to do where none clearly matches.

    "" where nothing has to be said.
    """
    asking = _ASK if results.are_weak else ""
    return " ".join(filter(None, (so_far(results.extent), asking)))


def so_far(extent: "Extent | None") -> str:
    """How many sessions an index has that is being built; "" where it has all."""
    if extent is None:
        return ""
    return f"The index is being built; this is from the newest {extent}."


def understood(results: "Results") -> Answer:
    """What was read out of the query; only what is there."""
    from gitmem.search.queries import query

    told: Answer = {**query.understood(results.query)}
    if results.corrected:
        told["corrected"] = dict(results.corrected)
    if results.dropped:
        told["dropped"] = [*results.dropped]
    return told


def is_plain(understood: Answer) -> bool:
    """Whether nothing was read out of a query but what to look for, as it was typed."""
    return understood.keys() <= {"words", "also", "paths", "commits"}


def of_list(listed: Iterable[Listed]) -> list[Answer]:
    return [_listed(each) for each in listed]


def of_files(files: Iterable[FileChange]) -> list[Answer]:
    return [
        {"path": harmless(file.path), "change_type": file.change.value}
        for file in files
    ]


def of_text(shown: Document | ConversationText) -> Answer:
    """A document as one text, a conversation turn by turn."""
    if isinstance(shown, ConversationText):
        turns = [_turn(each) for each in parse(shown.text)]
        return {"session_id": shown.session.id, "turns": turns}
    return {
        f"{shown.kind}_id": shown.id,
        "markdown_path": _path(shown.markdown_path),
        "document": shown.text,
    }


def of_diff(diff: "SessionDiff") -> Answer:
    return {
        "session_id": diff.session_id,
        "diff": diff.patches,
        "off_branches": [_commit(each) for each in diff.off_branches],
        "missing": [_commit(each) for each in diff.missing],
        "uncommitted": diff.uncommitted,
    }


def of_why(origin: "Origin") -> Answer:
    return {
        "path": origin.path,
        "commit": _commit(origin.commit) if origin.commit else None,
        "lines": origin.blame.lines,
        "sessions": [_source(each) for each in origin.sources],
        "without_session": {
            "lines": sum(origin.unlinked.values()),
            "commits": list(origin.unlinked),
        },
        "uncommitted_lines": origin.blame.uncommitted,
        "undatable_lines": origin.blame.beyond,
    }


def passed_over(files: Sequence[str] = (), spaces: Sequence[str] = ()) -> str:
    """Return what is said of unknown files and unreadable spaces; "" for none."""
    told = {"Not in the repository": files, "Not readable": spaces}
    return " ".join(f"{what}: {', '.join(told[what])}." for what in told if told[what])


def _hit(found: "SearchResult") -> Answer:
    hit, snippet = found.hit, found.reasons.snippet
    return {
        "rank": found.rank,
        "score": round(hit.score, 3),
        "match": hit.match.value,
        "session_id": hit.id,
        "goal": line(hit.title),
        "date": hit.at.date().isoformat(),
        "tool": line(hit.tool),
        "author": line(hit.author) or None,
        "own": found.is_own,
        "top_files": [line(path) for path in hit.paths],
        "markdown_path": _path(found.markdown_path),
        "matched": list(found.reasons.matched),
        "snippet": harmless(snippet.text) if snippet else "",
        "changed_since": _stale(found.staleness) if found.staleness else None,
        "answers": list(hit.answers),
        "misses": list(hit.misses),
        **_located(found.location),
    }


def _stale(staleness: "Staleness") -> Answer:
    return {"changed": len(staleness.changed), "files": staleness.files}


def _located(location: "Location | None") -> Answer:
    if location is None:
        return {}
    return {
        "project": line(location.project),
        "root": str(location.root),
        "remote": line(location.remote),
    }


def _turn(turn: Turn) -> Answer:
    return {
        "speaker": turn.speaker.lower(),
        "at": turn.at.isoformat() if turn.at else None,
        "text": turn.text,
    }


def _session(listed: Listed) -> Answer:
    session = listed.session
    return {
        "session_id": session.id,
        "goal": line(session.goal),
        "date": session.started_at.date().isoformat(),
        "tool": line(session.tool),
        "author": line(session.author) or None,
        "own": listed.is_own,
        "status": session.status.value,
        "markdown_path": _path(listed.markdown_path),
    }


def _listed(listed: Listed) -> Answer:
    session = listed.session
    return {
        **_session(listed),
        "state": listed.state.value,
        "branch": line(session.branch or "") or None,
        "files": len(session.files),
        "work": listed.is_work,
        "client_session_id": line(session.client_session_id) or None,
        "parent": line(session.parent) or None,
    }


def _source(source: "SourceSession") -> Answer:
    return {
        **_session(source.listed),
        "lines": source.lines,
        "commits": [_commit(each) for each in source.commits],
        "decisions": [harmless(each) for each in source.decisions],
        "shared_with": list(source.shared_with),
    }


def _commit(commit: Commit) -> Answer:
    return {"sha": commit.sha, "subject": line(commit.subject)}


def _path(path: Path | None) -> str | None:
    return str(path) if path else None
