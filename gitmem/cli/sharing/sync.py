"""`ocm sync`, `ocm push` and `ocm pull`: exchange the memory with the remote."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import typer

from gitmem.actions.remembering.places import space_of
from gitmem.actions.remembering.shared_spaces import (
    SyncedSpace,
    space_sharing,
    sync_spaces,
)
from gitmem.actions.sharing import review_held, sync_report
from gitmem.actions.sharing import sync as action
from gitmem.actions.sharing.deletion_notices import counted_documents
from gitmem.actions.sharing.review_held import Withheld
from gitmem.actions.sharing.share_settings import ShareRequest, Sharing, chosen_sharing
from gitmem.actions.sharing.sync_report import SyncOutcome, in_words
from gitmem.actions.sharing.sync_steps import SyncOptions
from gitmem.cli import output
from gitmem.cli.opening import current_workspace
from gitmem.cli.options import DRY_RUN, argument, can_ask, flag, option
from gitmem.cli.output import FAINT, GOOD, ID, WARNING, one_line
from gitmem.cli.sharing.begin_sharing import Manner, begin
from gitmem.cli.sharing.notices import (
    ask_about_authors,
    line_to_remotes,
    say_notices,
    say_push_trouble,
    say_report,
)
from gitmem.config import current_environment
from gitmem.errors import InvalidInput, RemoteChanged
from gitmem.redaction.redact import follow, redact
from gitmem.text.counting import counted
from gitmem.workspace import Workspace

REMOTE = argument("REMOTE", "The remote that memory is shared with; there is no other.")
TIMEOUT = option(
    "--timeout SECONDS", "Give up after so long, and ask for no password.", min=1.0
)


def sync(  # noqa: PLR0913 - each is an option of the command line
    remote: str | None = REMOTE,
    *,
    dry_run: bool = DRY_RUN,
    review: bool = flag("--review", "List what others forgot and is held back here."),
    accept: list[str] | None = option(
        "--accept SESSION|all", "Forget what others forgot, then exchange."
    ),
    refuse: list[str] | None = option(
        "--refuse SESSION|all", "Keep it, for everybody, then exchange."
    ),
    space: str | None = option("--space NAME", "That of this space alone."),
    timeout: float | None = TIMEOUT,
) -> None:
    """Exchange the memory with the remote it is shared with.

    So is each space that is shared. Nothing is lost: what changed on both sides is put
    together. What others forgot or replaced of what was begun or changed here waits for
    --accept or --refuse. At a terminal it asks once about each new author of memories.
    `ocm share on` and `ocm space add` choose the remotes.
    """
    if review:
        _review(*_workspace_and_sharing(space, remote))
        return
    _decide(space, remote, accept or [], refuse or [])
    _run(space, remote, timeout, SyncOptions(is_dry=dry_run))


def push(
    remote: str | None = REMOTE,
    dry_run: bool = DRY_RUN,
    timeout: float | None = TIMEOUT,
) -> None:
    """Send what is new here to the remote.

    What is new there is taken where that is needed for it.
    """
    _run(None, remote, timeout, SyncOptions(is_dry=dry_run, pulls=False))


def pull(
    remote: str | None = REMOTE,
    dry_run: bool = DRY_RUN,
    timeout: float | None = TIMEOUT,
) -> None:
    """Take what is new at the remote; send nothing."""
    _run(None, remote, timeout, SyncOptions(is_dry=dry_run, pushes=False))


def _run(
    space: str | None, remote: str | None, timeout: float | None, wish: SyncOptions
) -> None:
    """Sync and print the result.

    Where neither a space nor a remote is named, the spaces go first: what is wrong with
    one stops nothing else. Exits with 1 for a lost race, and with the status of a space
    that failed.
    """
    workspace, answer = _workspace(space), dict[str, Any]()
    is_all = space is None and remote is None
    with line_to_remotes(timeout) as line:
        spaces = [*sync_spaces(workspace.environment, wish, line)] if is_all else []
    _say_spaces(spaces)
    statuses = [space_row.status for space_row in spaces]
    if workspace.chosen or not spaces:
        sharing = _sharing(workspace, space, remote)
        manner = Manner(is_dry=wish.is_dry, timeout=timeout, space=space or "")
        answer = _synced(workspace, sharing, wish, manner)
        statuses.append(int(answer.get("outcome") == SyncOutcome.LOST.value))
        say_notices(workspace, again=True)
        say_push_trouble(workspace)
        if workspace.chosen and not wish.is_dry:
            ask_about_authors(workspace)
    output.say_json(answer | {"spaces": [space_row.as_json() for space_row in spaces]})
    if failed := next(filter(None, statuses), 0):
        raise typer.Exit(failed)


def _synced(
    workspace: Workspace, sharing: Sharing, wish: SyncOptions, manner: Manner
) -> dict[str, Any]:
    """Sync; where the URL leads elsewhere than was agreed to, ask as at first."""
    try:
        with line_to_remotes(manner.timeout) as line:
            report = action.sync(workspace, sharing, wish, line)
    except RemoteChanged as error:
        if not can_ask():
            raise
        output.note((one_line(error.message), WARNING))
        return begin(workspace, ShareRequest(), manner)["sync"] or {}
    say_report(report)
    return sync_report.as_json(report)


def _say_spaces(spaces: Sequence[SyncedSpace]) -> None:
    for space_row in spaces:
        if space_row.report:
            output.say((space_row.name, ID), f"  {in_words(space_row.report)}")
            if waiting := space_row.report.held_back:
                message = f"{counted_documents(waiting)} that others forgot or replaced"
                output.hint(f"{message}: `ocm sync --space {space_row.name} --review`.")
        if space_row.error:
            message = one_line(redact(space_row.error.message))
            output.note((f"{space_row.name}: ", WARNING), message)
            if isinstance(space_row.error, RemoteChanged) and space_row.error.hint:
                output.hint(space_row.error.hint)


def _workspace(space: str | None) -> Workspace:
    if space is None:
        return current_workspace()
    space_workspace = space_of(current_environment(), space)
    follow(space_workspace.user_rules())
    return space_workspace


def _workspace_and_sharing(
    space: str | None, remote: str | None
) -> tuple[Workspace, Sharing]:
    workspace = _workspace(space)
    return workspace, _sharing(workspace, space, remote)


def _sharing(workspace: Workspace, space: str | None, remote: str | None) -> Sharing:
    if space is None:
        return chosen_sharing(workspace, remote)
    if space_settings := space_sharing(workspace):
        return space_settings
    raise InvalidInput(
        f"The space {space} is shared with no remote.",
        hint=f"`ocm space add {space} URL` shows what would leave, and asks.",
    )


def _review(workspace: Workspace, sharing: Sharing) -> None:
    workspace.current_sessions()
    held_back = review_held.withheld(workspace, sharing)
    output.say_json([*map(asdict, held_back)])
    if not held_back:
        output.note("Nothing is held back.")
    for document in held_back:
        _say_withheld(document)


def _say_withheld(withheld: Withheld) -> None:
    contents = (
        counted(withheld.items, "item") if withheld.items else f"the {withheld.kind}"
    )
    did = "replaced" if withheld.is_ended else "forgot"
    instead = f" by {withheld.replaced_by}" if withheld.replaced_by else ""
    at = f", {withheld.at:%Y-%m-%d %H:%M}" if withheld.at else ""
    why = "begun or changed in this clone" if withheld.is_own else "many at once"
    whose = f", of {withheld.author}" if withheld.author else ""
    who = withheld.by or "somebody"
    facts = one_line(f"{who} {did} {contents}{instead}{at}; {why}{whose}")
    output.say_session(withheld.session_id, [(facts, FAINT)], withheld.goal)


def _decide(
    space: str | None, remote: str | None, accept: list[str], refuse: list[str]
) -> None:
    for names, decide, question in (
        (refuse, review_held.refuse, "Kept"),
        (accept, review_held.accept, "Accepted"),
    ):
        if names:
            ids = decide(*_workspace_and_sharing(space, remote), names)
            output.note((f"{question}: {counted_documents(ids)}.", GOOD))
