"""`ocm share`: choose the remote of the memory."""

import typer

from gitmem.actions.installing.git_hooks import pre_push_fault
from gitmem.actions.sharing.preview import shown_url
from gitmem.actions.sharing.share_settings import ShareRequest, sharing, turn_off
from gitmem.actions.sharing.sync_status import last_sync, unsent
from gitmem.cli import output
from gitmem.cli.opening import current_workspace
from gitmem.cli.options import DRY_RUN, argument, flag, option
from gitmem.cli.sharing.begin_sharing import Manner, begin, fit_hook, say_line
from gitmem.cli.sharing.notices import last_sync_summary, say_push_trouble
from gitmem.cli.sharing.sync import TIMEOUT
from gitmem.errors import InvalidInput
from gitmem.text.counting import counted

share = typer.Typer(help="Say where the memory goes, and choose it.")


@share.callback(invoke_without_command=True)
def _share_alone(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        status()


@share.command()
def on(  # noqa: PLR0913 - each is an option of the command line
    *,
    remote: str | None = argument(
        "REMOTE", "One of git's remotes. [the only one, or origin]"
    ),
    url: str | None = option("--url URL", "Another repository than that remote's."),
    ref: str | None = option(
        "--ref REF",
        "Where sessions go there: refs/heads/ocm/sessions for hosts that take"
        " nothing but branches. [refs/ocm/sessions]",
    ),
    conversations: bool | None = option(
        "--conversations/--no-conversations", "Share what was said in full, too."
    ),
    auto_push: bool | None = option(
        "--auto-push/--no-auto-push",
        "Send the memory along when you push to the remote.",
    ),
    auto_pull: bool | None = option(
        "--auto-pull/--no-auto-pull", "Look for what is new as conversations begin."
    ),
    yes: bool = flag("--yes -y", "Share it, and do not ask."),
    despite_findings: bool = flag(
        "--despite-findings", "With --yes: also sessions with what looks like a secret."
    ),
    dry_run: bool = DRY_RUN,
    timeout: float | None = TIMEOUT,
) -> None:
    """Share the memory with one remote, after showing what would leave.

    It asks before anything does, and then does the first sync. Nothing goes to any
    other remote.
    """
    request = ShareRequest(remote, url, ref, conversations, auto_push, auto_pull)
    manner = Manner(yes, despite_findings, dry_run, timeout)
    data = begin(current_workspace(), request, manner)
    output.say_json(data)
    if data["sync"] and data["sync"]["outcome"] == "lost":
        raise typer.Exit(1)


@share.command()
def off() -> None:
    """Share the memory no more; what is at the remote stays there."""
    workspace = current_workspace()
    name = turn_off(workspace)
    fit_hook(workspace)
    if workspace.chosen:
        raise InvalidInput(
            "Memory is still shared: that is set outside of this repository.",
            hint="`git config --show-origin --get-all ocm.remote` says where.",
        )
    output.say_json({"remote": name})
    if name is None:
        output.say("This memory is shared with no remote.")
    else:
        output.say(
            f"Nothing goes to {name} any more. What is there stays there, and in every"
            " clone that has taken it."
        )


@share.command()
def status() -> None:
    """Say with whom the memory is shared, and how the last sync went."""
    workspace = current_workspace()
    settings = sharing(workspace)
    if settings is None:
        output.say_json({"shared": False})
        output.say("This memory is shared with no remote.")
        output.hint("`ocm share on` shows what would leave, and asks.")
        return
    workspace.current_sessions()
    remote, url = settings.remote, shown_url(workspace, settings.remote)
    waiting, newest_sync = sorted(unsent(workspace, remote)), last_sync(workspace)
    answer = {
        "shared": True,
        "remote": remote.name,
        "url": url,
        "refs": dict(remote.refs),
        "auto_push": settings.auto_push,
        "auto_pull": settings.auto_pull,
        "waiting": waiting,
        "last": newest_sync and newest_sync.as_json(),
        "auto_push_trouble": pre_push_fault(workspace) or None,
    }
    output.say_json(answer)
    say_line("shared with", f"{remote.name}, {url}")
    say_line("refs there", ", ".join(remote.refs.values()))
    say_line("auto-push", "on" if settings.auto_push else "off")
    say_line("auto-pull", "on" if settings.auto_pull else "off")
    say_line("to be sent", counted(len(waiting), "session"))
    say_line("last sync", last_sync_summary(newest_sync, workspace.now()))
    say_push_trouble(workspace)
