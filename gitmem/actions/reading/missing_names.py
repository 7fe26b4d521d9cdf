"""What sessions say they did to code that neither their commits nor the files have.

It is computed when it is shown. A name that stands anywhere is taken to be right, and a
statement is not judged that plans, negates or removes something.
"""

from collections.abc import Collection, Iterable, Mapping
from itertools import chain, islice

from gitmem.actions.reading.recent import was_held_here
from gitmem.documents.session.session import Session
from gitmem.errors import GitmemError
from gitmem.git.grep import texts_in_files, texts_in_patches
from gitmem.git.repository import Repository
from gitmem.git.work_tree import work_tree_files
from gitmem.search.wording import denies
from gitmem.search.words import fold
from gitmem.store.trees.committing import present_branch
from gitmem.text.code_names import longest_part, own_names_in
from gitmem.text.counting import shortlist
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

MissingNames = Mapping[str, tuple[str, ...]]
"""Names that are nowhere, by the statement that has them."""
_MOST_STATEMENTS, _MOST_SHOWN = 200, 5
_PLANS_OR_REMOVES = pattern(
    r"\b(?:will|shall|should|would|could|may|might|todo|later|next|future|soon"
    r"|plan(?:s|ned)?|propos\w+|consider\w*|remov\w+|delet\w+|drop\w*|rid of"
    r"|wird|werden|soll(?:te|en)?|spater|geplant|entfern\w+|gelosch\w+"
    r"|sera|devra\w*|prevu|supprim\w+|debe\w*|elimin\w+|deve|dovra|rimoss\w+"
    r"|будет|будем|нужно|удал\w+|zal|moet|verwijder\w*)\b"
    r"|将|將|计划|計画|予定|删除|削除|移除"
)
"""Words as `fold` leaves them."""


def missing_names(
    workspace: Workspace, sessions: Collection[Session]
) -> Mapping[str, MissingNames]:
    """Return what completed work and decisions name that is nowhere, by session id.

    Nothing of a session whose work is not all in this clone, nor in a partial clone.
    """
    names_by_id = {session.id: judged_names(session) for session in sessions}
    names = {*chain(*chain(*(names.values() for names in names_by_id.values())))}
    if not names or workspace.repository.is_partial:
        return {}
    try:
        names -= _present_names(workspace.repository, names)
        return {
            session.id: missing
            for session in sessions
            if (missing := _missing(workspace, session, names_by_id[session.id], names))
        }
    except GitmemError:
        return {}


def missing_notice(missing: MissingNames) -> str:
    """Return what a checkpoint's answer says of it; "" where nothing is missing."""
    names = shortlist([*dict.fromkeys(chain(*missing.values()))], _MOST_SHOWN)
    sentence = "Named as done or decided, but in no file and no commit of this session"
    return f"{sentence}: {names}." if names else ""


def judged_names(session: Session) -> Mapping[str, frozenset[str]]:
    """Return the names in what a session says it did or decided, by statement."""
    statements = (*session.work_completed, *session.decisions)
    names = {text: own_names_in(text) for text in statements if _is_judged(text)}
    return dict(islice(names.items(), _MOST_STATEMENTS))


def _is_judged(text: str) -> bool:
    return not (_PLANS_OR_REMOVES.search(fold(text)) or denies(text))


def _missing(
    workspace: Workspace,
    session: Session,
    names: Mapping[str, frozenset[str]],
    absent: set[str],
) -> MissingNames:
    """Return the absent names that the session's own work does not have either."""
    git, candidates = workspace.repository, absent & {*chain(*names.values())}
    candidates -= _paths_named(candidates, (file.path for file in session.files))
    commits = [git.full_name(commit.sha) for commit in session.commits]
    is_on_branch = session.branch == present_branch(git)
    is_here = commits or (is_on_branch and was_held_here(workspace, session))
    if not candidates or not is_here or None in commits:
        return {}
    candidates -= texts_in_patches(git, candidates, [*filter(None, commits)])
    return {
        text: tuple(sorted(own_names & candidates))
        for text, own_names in names.items()
        if own_names & candidates
    }


def _present_names(git: Repository, names: Collection[str]) -> set[str]:
    """Return the names that files have, or are; all where it takes too long to say."""
    paths = work_tree_files(git)
    endings = {path.rpartition(".")[2] for path in paths}
    present = _paths_named(names, paths)
    texts = {}
    for name in {*names} - present:
        is_file = "." in name and name.rpartition(".")[2] in endings
        if is_file or "/" not in name:
            texts[name] = name if is_file else longest_part(name)
        else:  # a branch, or a place elsewhere
            present.add(name)
    in_files = texts_in_files(git, {*texts.values()}) if texts else set()
    if in_files is None:
        return {*names}
    return present | {name for name, text in texts.items() if text in in_files}


def _paths_named(names: Collection[str], paths: Iterable[str]) -> set[str]:
    """Return the names that are a path, or the end of one."""
    listing = "".join(f"/{path}\n" for path in paths)
    return {name for name in names if f"/{name.removeprefix('./')}\n" in listing}
