"""What can be brought back: what the memory had, or a state before some time."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from gitmem.actions.doctor.memory import journals_of_vanished
from gitmem.actions.doctor.mend_history import is_of_kind
from gitmem.documents.kinds import SESSION
from gitmem.errors import Ambiguous, NotFound
from gitmem.frozen import frozen
from gitmem.git.damage import all_commits
from gitmem.store.forgetting.removal import forgotten_here
from gitmem.store.trees.document_versions import (
    Source,
    State,
    apart,
    earlier_states,
    last_before,
)
from gitmem.store.trees.lost_sessions import Lost, lost, lost_in
from gitmem.store.trees.session_tree import SessionTree
from gitmem.store.trees.tombstones import subject_path
from gitmem.workspace import Workspace

_CANDIDATES = 10


@frozen
class Candidates:
    lost: tuple[Lost, ...]
    """The newest session first."""
    forgotten: int
    """How many were left out because they were forgotten."""


def candidates(workspace: Workspace, *, with_forgotten: bool) -> Candidates:
    """All that can be brought back.

    `with_forgotten` also what was forgotten in other clones: what was forgotten here
    comes back by its name alone. Raises Damaged where objects are missing, and
    Unavailable without git.
    """
    return _chosen(workspace, _all_lost(workspace), with_forgotten=with_forgotten)


def candidates_before(
    workspace: Workspace, moment: datetime, *, with_forgotten: bool
) -> Candidates:
    """What the memory had before a moment, and lacks; raises as `candidates`.

    That is the newest earlier state in history, in each backup, and by the reflog.
    """
    git, memory = workspace.repository, workspace.current_sessions()
    variables = workspace.environment.variables
    known = earlier_states(git)
    tips = [*known[:1], *apart(git, memory, known[1:])]
    states = (last_before(git, each, moment, variables) for each in tips)
    found = lost_in(git, memory, (), filter(None, states), variables)
    return _chosen(workspace, found, with_forgotten=with_forgotten)


def candidates_named(workspace: Workspace, names: Iterable[str]) -> Candidates:
    """Those that are meant by their ids, unique beginnings of them, or slugs.

    Also what was forgotten, as long as anything here has it. Raises NotFound,
    Ambiguous, and as `candidates`.
    """
    found = _all_lost(workspace)
    meant = [one for name in names for one in _named(workspace, found, name)]
    return Candidates(tuple(dict.fromkeys(meant)), forgotten=0)


def _all_lost(workspace: Workspace) -> list[Lost]:
    memory = workspace.current_sessions()
    variables = workspace.environment.variables
    found = lost(workspace.repository, memory, variables)
    known = {one.session_id for one in found}
    return [*found, *_in_journals(workspace, memory, known)]


def _in_journals(
    workspace: Workspace, memory: SessionTree, known: set[str]
) -> Iterator[Lost]:
    """Of what is known otherwise nothing: earlier states have all of it."""
    for name in journals_of_vanished(workspace, memory):
        session_id = workspace.store.journal.position_of(name).document_id
        if session_id and session_id not in known:
            is_here = memory.entry(session_id) is not None
            yield Lost(session_id, Source.JOURNAL, (), is_here)


def _chosen(
    workspace: Workspace, found: Iterable[Lost], *, with_forgotten: bool
) -> Candidates:
    here = forgotten_here(workspace.repository.common_dir)
    others = [one for one in found if subject_path(one.session_id) not in here]
    kept = [one for one in others if with_forgotten or not one.is_forgotten]
    return Candidates(tuple(kept), len(others) - len(kept))


def _named(workspace: Workspace, found: Sequence[Lost], name: str) -> list[Lost]:
    meant = _matching(found, name) or _matching(_unreferenced(workspace), name)
    ids = sorted({one.session_id for one in meant})
    if len(ids) > 1:
        message = f"{name!r} names several sessions that can be brought back."
        raise Ambiguous(message, candidates=ids[:_CANDIDATES])
    if not ids:
        raise NotFound(
            f"Nothing here has more of a session {name!r} than the memory.",
            hint="`ocm restore` lists what can be brought back; `ocm sync --refuse`"
            " keeps what others want to forget. What was forgotten with its history may"
            " be in a backup of another clone.",
        )
    return meant


def _matching(found: Sequence[Lost], name: str) -> list[Lost]:
    """The first of: this id, a beginning of it, this slug."""
    exact = [one for one in found if one.session_id == name]
    beginning = [one for one in found if one.session_id.startswith(name)]
    named = [one for one in found if SESSION.slug(one.session_id) == name]
    return exact or beginning or named


def _unreferenced(workspace: Workspace) -> list[Lost]:
    """What commits have that nothing leads to, until git prunes them."""
    git, variables = workspace.repository, workspace.environment.variables
    commits = (c for c in all_commits(git, variables) if is_of_kind(git, SESSION, c))
    histories = [State(each, Source.OBJECTS) for each in commits]
    return lost_in(git, workspace.store.memory(), histories, (), variables)
