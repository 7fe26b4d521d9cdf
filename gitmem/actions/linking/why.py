"""Find the sessions that wrote a line, a file or a commit."""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import field, replace
from itertools import islice
from pathlib import Path

from gitmem.actions.linking.claims import CommitClaim, claim_answer, claims_of_commits
from gitmem.actions.linking.lines import LinkedLines, linked_lines
from gitmem.actions.linking.links import links_to, sessions_touching
from gitmem.actions.linking.recognize import LinkedSession
from gitmem.actions.linking.replaced_decisions import remarks
from gitmem.actions.reading.documents import Listed, list_entries
from gitmem.actions.reading.session_answers import session_answer
from gitmem.answers import Answer, commit_answer
from gitmem.errors import NotFound
from gitmem.frozen import frozen
from gitmem.git.plumbing.blame import blame_file
from gitmem.git.values import Blame, Commit, LineGroup, Lines, Oid
from gitmem.redaction.redact import redact
from gitmem.text.code_names import names_one_of
from gitmem.text.control_characters import harmless
from gitmem.text.counting import Progress
from gitmem.text.markdown import one_line
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

_WITH_LINES = pattern(
    r"(?P<path>.+):(?P<first>[0-9]{1,9})(-(?P<last>[0-9]{1,9}))?", re.DOTALL
)
_DECISIONS, _DECISION = 20, 300
"""Decisions of another author that are shown, and characters of each."""
_TOUCHED = "in its list of files"
_HINT = (
    "Name a file, some of its lines as PATH:FIRST-LAST, or a commit; `ocm search` looks"
    " for words."
)


@frozen
class SourceSession:
    """A session that made some of what was asked about."""

    entry: Listed
    lines: int
    """Lines by this session; 0 for a commit."""
    commits: tuple[Commit, ...]
    decisions: tuple[str, ...]
    """Decisions that name a file concerned."""
    shared_with: tuple[str, ...]
    evidence: str
    """How that is known; "" if the session lists the commits."""
    remarks: Mapping[str, str] = field(default_factory=dict)
    """Objections of the code to these decisions."""


@frozen
class Origin:
    path: str | None
    """Relative to the work tree; None for a commit."""
    blame: Blame
    """Lines by commit."""
    commit: Commit | None
    sources: tuple[SourceSession, ...]
    """Most lines first, then newest."""
    unlinked: Mapping[Oid, int]
    """Lines of commits without a session."""
    claims: Mapping[CommitClaim, int]
    """Lines by what these commits say themselves, most first."""


def why(
    workspace: Workspace, target: str, folder: Path, progress: Progress | None = None
) -> Origin:
    """Return the sessions that a file, lines of it, or a commit come from.

    `target` is a path relative to `folder`, perhaps with `:LINE` or `:FIRST-LAST`, or a
    revision. A path that git does not know here comes from the sessions that touched
    it. Raises NotFound, Ambiguous, and as blame_file.
    """
    place = _place(workspace, target, folder)
    path = place[0] if place else None
    try:
        blame = _blame(workspace, *place) if place else _commit(workspace, target)
        links = links_to(workspace, blame.commits, progress)
    except NotFound:
        path = path or path_in_work_tree(workspace, folder / target) or ""
        sessions = sessions_touching(workspace, path)
        blame = Blame()
        links = [LinkedSession(session, (), _TOUCHED) for session in sessions]
        if not links:
            raise
    return _origin(workspace, path, blame, links)


def _commit(workspace: Workspace, revision: str) -> Blame:
    """Return a commit as the blame of no lines. Raises NotFound and Ambiguous."""
    workspace.current_sessions()
    if commit := workspace.repository.rev_parse(revision):
        return Blame((LineGroup(commit, "", 0, 0, 0),))
    raise NotFound(
        f"{revision!r} is neither a file of this work tree nor a commit.", hint=_HINT
    )


def _blame(workspace: Workspace, path: str, lines: Lines | None) -> Blame:
    """Return the blame of a file; the sessions are read while git works on it."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        blaming = pool.submit(blame_file, workspace.repository, path, lines)
        workspace.current_sessions()
        return blaming.result()


def _place(
    workspace: Workspace, target: str, folder: Path
) -> tuple[str, Lines | None] | None:
    """Split a path and lines; a file with a colon in its name comes first."""
    if path := _file_named(workspace, folder / target):
        return path, None
    match = _WITH_LINES.fullmatch(target)
    path = _file_named(workspace, folder / match["path"]) if match else None
    if not match or not path:
        return None
    first = int(match["first"])
    return path, Lines(first, int(match["last"] or first))


def _file_named(workspace: Workspace, path: Path) -> str | None:
    with suppress(OSError, ValueError):
        return path_in_work_tree(workspace, path) if path.is_file() else None
    return None


def path_in_work_tree(workspace: Workspace, path: Path) -> str | None:
    """Return a path relative to this work tree, links followed; None elsewhere."""
    if workspace.repository.work_tree is None:
        return None
    try:
        root = workspace.repository.work_tree.resolve()
        return path.resolve().relative_to(root).as_posix()
    except (OSError, ValueError, RuntimeError):  # no path, elsewhere, a loop of links
        return None


def _origin(
    workspace: Workspace, path: str | None, blame: Blame, links: list[LinkedSession]
) -> Origin:
    linked = _without_lines(links, blame)
    if path and blame.lines:
        linked = linked_lines(workspace, links, blame)
    only = None
    if len(blame.commits) == 1:
        only = workspace.repository.commit_details(next(iter(blame.commits)))
    paths = [path] if path else [file.path for file in (only.files if only else ())]
    entries = list_entries(workspace, [link.session for link, _ in linked.counts])
    sources = [
        _source(entry, link, lines, linked, paths)
        for entry, (link, lines) in zip(entries, linked.counts, strict=True)
    ]
    judged = (
        replace(source.entry.session, decisions=source.decisions, work_completed=())
        for source in sources
    )
    objections = remarks(workspace, [*judged])
    sources = [
        replace(source, remarks=objections[source.entry.session.id])
        for source in sources
    ]
    return Origin(
        path=path,
        blame=blame,
        commit=Commit(only.oid, redact(only.subject)) if only else None,
        sources=tuple(sorted(sources, key=lambda source: -source.lines)),
        unlinked=linked.unlinked,
        claims=_claims(workspace, linked.unlinked),
    )


def _claims(
    workspace: Workspace, unlinked: Mapping[Oid, int]
) -> dict[CommitClaim, int]:
    lines: Counter[CommitClaim] = Counter()
    claims = claims_of_commits(workspace.repository, unlinked)
    for commit, commit_claims in claims.items():
        lines.update(dict.fromkeys(commit_claims, unlinked[commit]))
    return dict(lines.most_common())


def _without_lines(links: list[LinkedSession], blame: Blame) -> LinkedLines:
    """Return the links of a commit, or of a path without lines."""
    linked = {commit.sha for link in links for commit in link.commits}
    return LinkedLines(
        tuple((link, 0) for link in links),
        {name: count for name, count in blame.commits.items() if name not in linked},
    )


def _source(
    entry: Listed,
    link: LinkedSession,
    lines: int,
    linked: LinkedLines,
    paths: Collection[str],
) -> SourceSession:
    names = {commit.sha for commit in link.commits}
    sharing = {
        sharing_link.session.id: sharing_link.session.session_id
        for sharing_link, _ in linked.counts
        if any(commit.sha in names for commit in sharing_link.commits)
    }
    counts = Counter(sharing.values())
    return SourceSession(
        entry=entry,
        lines=lines,
        commits=link.commits,
        decisions=_decisions(entry, paths),
        shared_with=tuple(
            name if counts[name] == 1 else document_id
            for document_id, name in sorted(sharing.items())
            if document_id != link.session.id
        ),
        evidence=link.evidence,
    )


def _decisions(entry: Listed, paths: Collection[str]) -> tuple[str, ...]:
    """Return those that name a file; another author's are cut and limited."""
    naming = (d for d in entry.session.decisions if names_one_of(d, paths))
    if entry.is_own:
        return tuple(naming)
    return tuple(
        one_line(decision, _DECISION) for decision in islice(naming, _DECISIONS)
    )


def origin_answer(origin: Origin) -> Answer:
    """Return the origin as `--json` shows it."""
    return {
        "path": origin.path,
        "commit": commit_answer(origin.commit) if origin.commit else None,
        "lines": origin.blame.lines,
        "sessions": [_source_answer(source) for source in origin.sources],
        "without_session": {
            "lines": sum(origin.unlinked.values()),
            "commits": list(origin.unlinked),
            "claims": [
                {**claim_answer(claim), "lines": lines}
                for claim, lines in origin.claims.items()
            ],
        },
        "uncommitted_lines": origin.blame.uncommitted,
        "undatable_lines": origin.blame.beyond,
    }


def _source_answer(source: SourceSession) -> Answer:
    return {
        **session_answer(source.entry),
        "lines": source.lines,
        "commits": [commit_answer(commit) for commit in source.commits],
        "decisions": [harmless(decision) for decision in source.decisions],
        "shared_with": list(source.shared_with),
        "evidence": source.evidence or "listed",
        "remarks": {harmless(t): harmless(r) for t, r in source.remarks.items()},
    }
