"""What `ocm doctor` looks at to tell in which folders assistants have memory.

A client reads a project's settings in the folder that it is started in. So work trees
whose branch lacks them stay without memory, and so do folders below the topmost one.
"""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from itertools import islice
from pathlib import Path

from gitmem.actions.doctor.assistants import RECENT
from gitmem.actions.doctor.finding import INIT, Code, Finding, Grade
from gitmem.actions.importing.find_transcripts import begun_in
from gitmem.actions.importing.import_transcripts import here_of, kept_in
from gitmem.actions.installing.earlier_install import form_of, has_files
from gitmem.actions.installing.everywhere import is_wanted, serves
from gitmem.actions.installing.work_trees import work_trees
from gitmem.assistants.transcripts.claude_code import CLAUDE_CODE
from gitmem.assistants.transcripts.files import TranscriptFile, files_in
from gitmem.config import EVERYWHERE_SETTING, Environment
from gitmem.documents.session.event import events_in
from gitmem.documents.session.identity import clean_client_id
from gitmem.errors import GitmemError
from gitmem.git.config import is_on_for_all
from gitmem.store.journal.journal import journal_name
from gitmem.store.registry import registrations
from gitmem.text.counting import counted
from gitmem.workspace import Workspace, open_other

_MOST_NAMED = 3
_USER = "Run `ocm init --user` once, for all work trees and folders"


def reach(workspace: Workspace) -> Iterator[Finding]:
    if workspace.repository.work_tree is None:
        return
    form = form_of(workspace)
    is_any = form.is_project or form.is_user
    grade, mend = (Grade.OK, "") if is_any else (Grade.NOTE, INIT)
    yield Finding(code=Code.REACH, grade=grade, what=form.words, mend=mend)
    if not form.is_user:
        yield from _work_trees(workspace)
        yield from _subfolders(workspace)


def everywhere(environment: Environment) -> Iterator[Finding]:
    """What can be said outside of a repository."""
    if not serves(environment):
        return
    whom = "every repository"
    if not is_on_for_all(EVERYWHERE_SETTING, environment.variables):
        whom = (
            f"repositories that said yes: {_few(_wanting(environment)) or 'none yet'}"
        )
    yield Finding(code=Code.REACH, what=f"your own settings serve {whom}")


def _wanting(environment: Environment) -> list[str]:
    """Those of the registry, by the names of their projects."""
    names = []
    for one in registrations(environment.home):
        with suppress(GitmemError, OSError):
            if is_wanted(open_other(environment, Path(one.git_dir))):
                names.append(one.project)
    return names


def _work_trees(workspace: Workspace) -> Iterator[Finding]:
    """Those that nobody was heard of in, while another one has what init writes."""
    trees = [each for each in work_trees(workspace, []) if each.repository.work_tree]
    lacking = [each.root for each in trees if not has_files(each)]
    heard = _heard_in(workspace) if lacking else set()
    silent = [str(each) for each in lacking if str(each.resolve()) not in heard]
    if silent and len(lacking) < len(trees):
        yield Finding(
            code=Code.REACH,
            grade=Grade.WARNING,
            about="work-trees",
            what=f"assistants have no memory in {counted(len(silent), 'work tree')}"
            f" without the files that `ocm init` wrote into another: {_few(silent)}",
            mend=f"{_USER}; or commit those files.",
        )


def _heard_in(workspace: Workspace) -> set[str]:
    journal = workspace.store.journal
    names = islice(journal.newest_first(), RECENT)
    return {each.root for name in names for each in events_in(journal.lines(name))}


def _subfolders(workspace: Workspace) -> Iterator[Finding]:
    """Those that Claude Code was started in, by what it keeps, and not heard of."""
    since = _registered_at(workspace)
    if since is None:
        return
    here, names = here_of(workspace), set(workspace.store.journal.names())
    roots = {each.root.resolve() for each in work_trees(workspace, [])}
    folders: dict[str, None] = {}
    files = files_in(kept_in(workspace, CLAUDE_CODE), CLAUDE_CODE.pattern)
    for file in files[-RECENT:]:
        name = journal_name(clean_client_id(file.path.stem))
        if file.changed_at > since and name not in names:
            folder = _folder(file)
            if folder and here.holds(folder) and Path(folder).resolve() not in roots:
                folders[folder] = None
    if folders:
        yield Finding(
            code=Code.REACH,
            grade=Grade.WARNING,
            about="subfolders",
            what=f"Claude Code was started in {_few(list(folders))} and had no memory:"
            " it reads a project's settings in that folder alone",
            mend=f"{_USER}. `ocm import claude-code` brings in what was said.",
        )


def _registered_at(workspace: Workspace) -> datetime | None:
    git_dir = str(workspace.repository.common_dir)
    for one in registrations(workspace.environment.home):
        if one.git_dir == git_dir:
            with suppress(ValueError):
                return workspace.local(datetime.fromisoformat(one.registered_at))
    return None


def _folder(file: TranscriptFile) -> str | None:
    with suppress(OSError, ValueError):
        return begun_in(file.path)
    return None


def _few(paths: list[str]) -> str:
    more = len(paths) - _MOST_NAMED
    named = ", ".join(paths[:_MOST_NAMED])
    return f"{named} and {more} more" if more > 0 else named
