"""What sessions say they did to code that neither their commits nor the files have.

It is computed when it is shown. A name that stands anywhere is taken to be right, and a
statement is not judged that plans, negates or removes something.
"""

from collections.abc import Collection, Iterable, Mapping
from itertools import islice

from gitmem.actions.reading.recent import was_held_here
from gitmem.documents.session.session import Session
from gitmem.errors import GitmemError
from gitmem.git.grep import committed_files, texts_changed, texts_in
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.git.work_tree import work_tree_files
from gitmem.search.wording import denies
from gitmem.search.words import fold
from gitmem.text.code_names import longest_part, own_names_in
from gitmem.text.counting import shortlist
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

_MOST_NAMES = 200
"""Names of one session that are looked for."""
_PLANS_OR_REMOVES = pattern(
    r"\b(?:will|shall|should|would|could|may|might|todo|later|next|future|soon"
    r"|plan(?:s|ned)?|propos\w+|consider\w*|remov\w+|delet\w+|drop\w*|rid of"
    r"|wird|werden|soll(?:te|en)?|spater|geplant|entfern\w+|gelosch\w+"
    r"|sera|devra\w*|prevu|supprim\w+|debe\w*|elimin\w+|deve|dovra|rimoss\w+"
    r"|будет|будем|нужно|удал\w+|zal|moet|verwijder\w*)\b"
    r"|将|將|计划|計画|予定|删除|削除|移除"
)
"""Words as `fold` leaves them."""

_MOST_SHOWN = 5
MissingNames = Mapping[str, tuple[str, ...]]
"""Names that are nowhere, by the statement that has them."""


def missing_names(
    workspace: Workspace, sessions: Collection[Session]
) -> Mapping[str, MissingNames]:
    """Return what completed work and decisions name that is nowhere, by session id.

    Nothing of a session whose work is not all in this clone, nor in a partial clone.
    """
    names_by_id = {session.id: _names_by_statement(session) for session in sessions}
    names = _all_names(names_by_id.values())
    if not names or workspace.repository.is_partial:
        return {}
    try:
        absent = names - _names_in_files(workspace.repository, names, None)
        return {
            session.id: missing
            for session in sessions
            if (own_names := names_by_id[session.id])
            and (missing := _missing(workspace, session, own_names, absent))
        }
    except GitmemError:
        return {}


def missing_notice(missing: MissingNames) -> str:
    """Return what a checkpoint's answer says of it; "" where nothing is missing."""
    if not missing:
        return ""
    names = dict.fromkeys(name for names in missing.values() for name in names)
    return (
        f"Named as done or decided, but neither in the files nor in this session's"
        f" commits: {shortlist([*names], _MOST_SHOWN)}."
    )


def _names_by_statement(session: Session) -> Mapping[str, frozenset[str]]:
    statements = (*session.work_completed, *session.decisions)
    names = {
        text: own_names
        for text in statements
        if (own_names := own_names_in(text)) and not _is_unjudged(text)
    }
    return dict(islice(names.items(), _MOST_NAMES))


def _is_unjudged(text: str) -> bool:
    return bool(_PLANS_OR_REMOVES.search(fold(text))) or denies(text)


def _all_names(names_by_statement: Iterable[Mapping[str, frozenset[str]]]) -> set[str]:
    return {
        name
        for names in names_by_statement
        for own_names in names.values()
        for name in own_names
    }


def _missing(
    workspace: Workspace,
    session: Session,
    names: Mapping[str, frozenset[str]],
    absent: set[str],
) -> MissingNames:
    candidates = _all_names([names]) & absent
    paths = [file.path for file in session.files]
    candidates -= _paths_named(candidates, paths)
    if not candidates:
        return {}
    commits = _own_commits(workspace, session)
    if commits is None:
        return {}
    candidates -= texts_changed(workspace.repository, candidates, commits)
    for commit in _states(workspace, session, commits) if candidates else ():
        candidates -= _names_in_files(workspace.repository, candidates, commit)
    return {
        statement: tuple(sorted(statement_names & candidates))
        for statement, statement_names in names.items()
        if statement_names & candidates
    }


def _own_commits(workspace: Workspace, session: Session) -> list[Oid] | None:
    """Return the commits of a session; None where its work may be elsewhere."""
    git = workspace.repository
    names = [git.full_name(commit.sha) for commit in session.commits]
    is_on_branch = session.branch == git.head().branch
    is_here = names or (was_held_here(workspace, session) and is_on_branch)
    commits = [name for name in names if name]
    return commits if is_here and len(commits) == len(names) else None


def _states(
    workspace: Workspace, session: Session, commits: list[Oid]
) -> Iterable[Oid]:
    """Return the commits that have the code as the session met and left it."""
    shas = filter(None, (session.git_sha_start, session.git_sha_end))
    names = [*filter(None, map(workspace.repository.full_name, shas)), *commits[-1:]]
    return dict.fromkeys(names)


def _names_in_files(
    git: Repository, names: Collection[str], commit: Oid | None
) -> set[str]:
    """Return the names that files have, or are; all where it takes too long to say."""
    if commit is None and git.work_tree is None:
        commit = git.head().commit
        if commit is None:
            return {*names}
    texts = texts_in(git, {*names, *map(longest_part, names)}, commit)
    if texts is None:
        return {*names}
    present = {name for name in names if name in texts}
    if present == {*names}:
        return present
    paths = committed_files(git, commit) if commit else work_tree_files(git)
    endings = {path.rpartition(".")[2] for path in paths}
    present |= _paths_named({*names} - present, paths)
    return present | {
        name
        for name in names
        if not _is_file(name, endings) and ("/" in name or longest_part(name) in texts)
    }


def _is_file(name: str, endings: set[str]) -> bool:
    """Return whether it is the name of a file, by endings that files here have."""
    return "." in name and name.rpartition(".")[2] in endings


def _paths_named(names: Collection[str], paths: Iterable[str]) -> set[str]:
    """Return the names that are a path, or the end of one."""
    listing = "".join(f"/{path}\n" for path in paths)
    return {name for name in names if f"/{name.removeprefix('./')}\n" in listing}
