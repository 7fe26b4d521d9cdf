"""`ocm space`: memories of a person or a team, in repositories of their own."""

import shutil
from typing import Any

import typer

from gitmem.actions.remembering.places import (
    require_space,
    space_folder,
    space_names,
    space_of,
)
from gitmem.actions.remembering.shared_spaces import is_shared, space_sharing
from gitmem.actions.sharing.preview import shown_url
from gitmem.actions.sharing.share_settings import ShareRequest
from gitmem.actions.sharing.sync_status import last_sync, unsent
from gitmem.cli import output
from gitmem.cli.options import DRY_RUN, YES, argument, confirmed, flag, option
from gitmem.cli.output import FAINT, GOOD, ID, PATH, WARNING
from gitmem.cli.sharing.begin_sharing import Manner, begin
from gitmem.config import Environment, current_environment
from gitmem.documents.kinds import MEMORY
from gitmem.errors import GitmemError, InvalidInput, NoPermission
from gitmem.git.opening import make_bare
from gitmem.redaction.redact import follow, following, redact
from gitmem.store.remote.watched_git import without_secrets
from gitmem.store.trees.committing import REMOTE_URL
from gitmem.text.counting import counted
from gitmem.workspace import Workspace

space = typer.Typer(help="Keep memories for all repositories, or for a team.")

NAME = argument("NAME", "Lower-case letters, digits, '.', '-' and '_'.", default=...)


@space.command()
def add(
    name: str = NAME,
    url: str | None = argument("URL", "A repository that the team can reach."),
    *,
    yes: bool = flag("--yes -y", "Share it, and do not ask."),
    despite_findings: bool = flag(
        "--despite-findings", "With --yes: also what looks like a secret."
    ),
    dry_run: bool = DRY_RUN,
    timeout: float | None = option("--timeout SECONDS", "Give up after so long."),
) -> None:
    """Add a space, on this machine alone or shared at URL.

    With a URL it shows what would leave and who can read it there, and asks. The space
    `user` is there already: a URL brings it to your other machines.
    """
    environment = current_environment()
    folder = space_folder(environment, name)
    is_new, is_kept = not folder.is_dir(), False
    if is_new:
        make_bare(folder, environment.variables)
    answer: dict[str, Any] = {"name": name, "new": is_new, "shared": False}
    try:
        space_workspace = space_of(environment, name)
        follow(space_workspace.user_rules())
        if url:
            manner = Manner(yes, despite_findings, dry_run, timeout, name)
            answer |= begin(
                space_workspace, _share_request(space_workspace, name, url), manner
            )
        is_kept = not dry_run
    finally:
        if is_new and not is_kept and not is_shared(space_of(environment, name)):
            shutil.rmtree(folder)
    output.say_json(answer)
    if not url:
        done = "is there already" if not is_new else "would be" if dry_run else "is"
        output.say(f"The space {name} {done}{' added' if is_new else ''}.")


@space.command(name="list")
def list_() -> None:
    """List the spaces, where they are shared, and what is to be sent."""
    environment = current_environment()
    space_rows = [_space_row(environment, name) for name in space_names(environment)]
    output.say_json(space_rows)
    if not space_rows:
        output.note("There are no spaces.")
        output.hint("`ocm space add NAME [URL]` adds one.")
    for row in space_rows:
        _say(row)


@space.command()
def remove(
    name: str = NAME,
    *,
    yes: bool = YES,
    dry_run: bool = DRY_RUN,
) -> None:
    """Remove a space from this machine, with all its memories.

    What is at its URL stays there, and in every clone that has taken it.
    """
    environment = current_environment()
    folder = space_folder(environment, name)
    require_space(environment, name)
    row = _space_row(environment, name)
    _say(row)
    output.say("Would be deleted: ", (str(folder), PATH))
    question = f"Remove the space {name} from this machine, for good?"
    if confirmed(question, "space remove", yes=yes, dry_run=dry_run):
        if folder.is_symlink():
            raise NoPermission(f"{folder} is a symbolic link; remove it yourself.")
        shutil.rmtree(folder)
        output.say((f"The space {name} is removed.", GOOD))
    output.say_json(row | {"removed": not dry_run})


def _share_request(space_workspace: Workspace, name: str, url: str) -> ShareRequest:
    """Read where the space shall go; a path counts from the current folder."""
    environment = space_workspace.environment
    path = environment.start / url
    address = str(path.resolve()) if path.exists() else url
    if (present := space_workspace.repository.config(REMOTE_URL)) not in (
        None,
        address,
    ):
        raise InvalidInput(
            f"The space {name} is shared with {without_secrets(present)} already.",
            hint=f"`ocm space remove {name}` ends that.",
        )
    return ShareRequest(url=address)


def _space_row(environment: Environment, name: str) -> dict[str, Any]:
    """Return what is said of a space, also of one that cannot be read."""
    row: dict[str, Any] = {"name": name, "url": None, "memories": 0, "waiting": []}
    row |= {"last": None, "error": None}
    try:
        space_workspace = space_of(environment, name)
        with following(space_workspace.user_rules()):
            tree = space_workspace.current(MEMORY)
        row["memories"] = len([*tree.ids()])
        if shared := space_sharing(space_workspace):
            row["url"] = shown_url(space_workspace, shared.remote)
            row["waiting"] = sorted(unsent(space_workspace, shared.remote, tree))
            newest_sync = last_sync(space_workspace)
            row["last"] = newest_sync and newest_sync.as_json()
    except (GitmemError, OSError) as error:
        row["error"] = redact(str(error))
    return row


def _say(row: dict[str, Any]) -> None:
    facts = [counted(row["memories"], "memory")]
    facts.append(row["url"] or "on this machine alone")
    if row["url"]:
        facts.append(f"{len(row['waiting']):,} to be sent")
    output.say((row["name"], ID), (f"  {', '.join(facts)}", FAINT), hang=4)
    newest_sync = row["last"] or {"error": None}
    if trouble := row["error"] or (newest_sync["error"] and newest_sync["what"]):
        output.say("  ", (output.one_line(trouble), WARNING), hang=2)
