"""Why: a file, its lines, a commit, a folder or a branch, and the sessions behind."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from gitmem.actions.linking.why import Origin, why
from gitmem.actions.reading.recent import recent
from gitmem.actions.reviewing.branch_story import branch_story, range_named
from gitmem.actions.reviewing.page import USUAL, session_rows
from gitmem.documents.session.session import Session
from gitmem.git.files import read_text
from gitmem.workspace import Workspace

_MOST_LINES = 5000
"""Lines of a file that are shown."""
_MOST_FILES = 12
"""Files that an empty page proposes."""


SourceLines = tuple[str, list[Session], list[tuple[int, str]]]
"""A commit, "" for none, the sessions that have it, and lines with their numbers."""


def values(workspace: Workspace, parameters: Mapping[str, str]) -> dict[str, Any]:
    target, folder = parameters.get("target", "").strip(), workspace.root
    empty: dict[str, Any] = dict.fromkeys(("story", "origin", "files"))
    empty["target"] = target
    if not target:
        return empty | {"files": _newest_files(workspace)}
    if commit_range := range_named(workspace, target, folder):
        story = branch_story(workspace, commit_range)
        rows = {
            source.entry.session.id: [*session_rows(source, USUAL)]
            for source in story.sessions
        }
        return empty | {"story": story, "rows": rows}
    origin = why(workspace, target, folder)
    lines = [*_lines(workspace, origin)] if origin.path else []
    return empty | {"origin": origin, "lines": lines}


def _newest_files(workspace: Workspace) -> list[str]:
    sessions = recent(workspace, workspace.current_sessions())
    files = chain.from_iterable(session.files for session in sessions.own)
    paths = dict.fromkeys(file.path for file in files)
    root = workspace.root
    return [path for path in paths if (root / path).is_file()][:_MOST_FILES]


def _lines(workspace: Workspace, origin: Origin) -> Iterator[SourceLines]:
    text = read_text(workspace.root / (origin.path or ""))
    numbered_lines = [*enumerate(text.split("\n"), 1)][:_MOST_LINES]
    sessions = _sessions_by_commit(origin)
    committed = {group.final_line: group.commit for group in origin.blame.groups}
    groups = (*origin.blame.groups, *origin.blame.uncommitted_groups)
    for group in sorted(groups, key=lambda group: group.final_line):
        commit = committed.get(group.final_line, "")
        lines = numbered_lines[group.final_line - 1 : group.final.stop - 1]
        yield commit, sessions.get(commit, []), lines


def _sessions_by_commit(origin: Origin) -> Mapping[str, list[Session]]:
    """Return the sessions of each commit; of "" those of what is not committed."""
    sessions: defaultdict[str, list[Session]] = defaultdict(list)
    for source in origin.sources:
        for sha in [commit.sha for commit in source.commits] or [""]:
            sessions[sha].append(source.entry.session)
    return sessions
