"""Why: a file, its lines, a commit, a folder or a branch, and the sessions behind."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from gitmem.actions.linking.why import Origin, SourceSession, why
from gitmem.actions.reading.recent import recent
from gitmem.actions.reviewing.branch_story import branch_story, range_named
from gitmem.frozen import frozen
from gitmem.git.files import read_text
from gitmem.git.values import LineGroup
from gitmem.workspace import Workspace

_MOST_LINES = 5000
"""Lines of a file that are shown."""
_MOST_FILES = 12
"""Files that an empty page proposes."""


@frozen
class FileLine:
    number: int
    text: str
    is_first: bool
    """True for the first line of a commit's."""
    commit: str
    """"" for a line in no commit."""
    source: SourceSession | None
    is_shared: bool
    """True if several sessions wrote lines of that commit."""


def values(workspace: Workspace, parameters: Mapping[str, str]) -> dict[str, Any]:
    target, folder = parameters.get("target", "").strip(), workspace.root
    empty: dict[str, Any] = dict.fromkeys(("story", "origin", "files"))
    empty["target"] = target
    if not target:
        return empty | {"files": _newest_files(workspace)}
    if commit_range := range_named(workspace, target, folder):
        return empty | {"story": branch_story(workspace, commit_range)}
    origin = why(workspace, target, folder)
    lines = [*_lines(workspace, origin)] if origin.path else []
    return empty | {"origin": origin, "lines": lines}


def _newest_files(workspace: Workspace) -> list[str]:
    sessions = recent(workspace, workspace.current_sessions())
    files = chain.from_iterable(session.files for session in sessions.own)
    paths = dict.fromkeys(file.path for file in files)
    root = workspace.root
    return [path for path in paths if (root / path).is_file()][:_MOST_FILES]


def _lines(workspace: Workspace, origin: Origin) -> Iterator[FileLine]:
    text = read_text(workspace.root / (origin.path or "")).split("\n")
    sources = [*_sources_by_commit(origin)]
    for group in sorted(_groups(origin), key=lambda group: group.final_line):
        is_committed = group in origin.blame.groups
        commit = group.commit if is_committed else ""
        commit_sources = [source for sha, source in sources if sha == commit]
        for number in group.final:
            if number > min(len(text), _MOST_LINES):
                return
            is_first = number == group.final_line
            yield FileLine(
                number,
                text[number - 1],
                is_first,
                commit,
                commit_sources[0] if commit_sources else None,
                is_shared=len(commit_sources) > 1,
            )


def _groups(origin: Origin) -> Iterator[LineGroup]:
    yield from origin.blame.groups
    yield from origin.blame.uncommitted_groups


def _sources_by_commit(origin: Origin) -> Iterator[tuple[str, SourceSession]]:
    """Yield each commit with a session of it; "" for what is not committed."""
    for source in origin.sources:
        if not source.commits:
            yield "", source
        yield from ((commit.sha, source) for commit in source.commits)
