"""Whether every object is there that our refs lead to, and of which sessions not.

Git itself walks through all that the memory ever had. What it does not look at is
whether a single object can be read; so that is asked for the documents of now.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePosixPath

from gitmem.actions.doctor.finding import FIX, Code, Finding, Grade
from gitmem.documents.session.identity import is_session_id
from gitmem.errors import Damaged, FormatTooNew
from gitmem.git.config import is_on
from gitmem.git.missing_objects import missing_objects, paths_of
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.store.trees.day_tree import DayTree
from gitmem.store.trees.kinds import KINDS
from gitmem.store.trees.session_tree import SessionTree
from gitmem.text.counting import counted, listed
from gitmem.workspace import Workspace

_NAMED = 5
"""Sessions that are named at most."""


@dataclass(frozen=True, slots=True)
class Gaps:
    """What is missing of all that leads to a commit of ours."""

    oids: frozenset[Oid]
    now: tuple[str, ...]
    """Ids of the sessions whose texts at this commit cannot be read."""
    earlier: tuple[str, ...]
    """Ids of those of which an earlier state is not there."""


def objects(workspace: Workspace) -> Iterator[Finding]:
    git = workspace.repository
    if is_partial(git):
        return  # what is missing there was promised by a remote
    is_whole = True
    for kind in KINDS:
        try:
            found = _gaps_behind(workspace, kind)
        except (Damaged, FormatTooNew):  # that is told of the ref itself
            is_whole = False
            continue
        if found:
            is_whole = False
            yield Finding(
                code=Code.OBJECTS,
                grade=Grade.PROBLEM,
                about=kind.ref,
                what=_in_words(kind, found),
                where=kind.ref,
                mend=FIX,
                is_mendable=True,
            )
    if is_whole:
        yield Finding(code=Code.OBJECTS, what="no object of the memory is missing")


def gaps(
    git: Repository, kind: type[DayTree], commit: Oid, variables: Mapping[str, str]
) -> Gaps | None:
    """None where all is there. `variables` are the environment of the user.

    Raises FormatTooNew, and Unavailable where git does not run or takes too long.
    """
    unreadable = dict(_unreadable(git, kind, commit))
    missing = missing_objects(git, [commit], variables)
    if not missing and not unreadable:
        return None
    paths = map(PurePosixPath, paths_of(git, commit, missing, variables))
    ids = {path.stem for path in paths if is_session_id(path.stem)}
    return Gaps(
        missing | set(unreadable.values()),
        tuple(sorted(unreadable)),
        tuple(sorted(ids - unreadable.keys())),
    )


def is_partial(git: Repository) -> bool:
    """Whether a remote has promised to have what is missing here."""
    is_promised = any(is_on(git, f"remote.{each}.promisor") for each in git.remotes())
    return is_promised or git.config("extensions.partialClone") is not None


def _gaps_behind(workspace: Workspace, kind: type[DayTree]) -> Gaps | None:
    """Raises Damaged where the ref leads nowhere, and FormatTooNew."""
    git = workspace.repository
    commit = git.resolve_ref(kind.ref)
    if commit and git.tree_of(commit) is None:
        raise Damaged(f"{kind.ref} leads to no commit.")
    variables = workspace.environment.variables
    return gaps(git, kind, commit, variables) if commit else None


def _unreadable(
    git: Repository, kind: type[DayTree], commit: Oid
) -> Iterator[tuple[str, Oid]]:
    """Sessions with the texts of theirs that are not there; of folders, none."""
    with suppress(Damaged):
        tree = kind(git, commit)
        for session_id in tree.ids():
            entry = tree.entry(session_id)
            if entry and not _is_there(git, entry.oid):
                yield session_id, entry.oid


def _is_there(git: Repository, blob: Oid) -> bool:
    try:
        return git.blob_size(blob) >= 0
    except Damaged:
        return False


def _in_words(kind: type[DayTree], found: Gaps) -> str:
    what = f"{counted(len(found.oids), 'object')} of {kind.ref} cannot be read"
    parts = [
        f"{words} {listed(ids, _NAMED)}"
        for words, ids in (
            (f"the {kind.noun} of" if kind is not SessionTree else "", found.now),
            ("an earlier state of", found.earlier),
        )
        if ids
    ]
    return f"{what}: {'; '.join(map(str.strip, parts))}" if parts else what
