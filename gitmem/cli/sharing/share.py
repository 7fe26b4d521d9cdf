"""`ocm share`: whether memory leaves this machine, and where it goes."""

from typing import TYPE_CHECKING, Annotated

import typer

from gitmem.cli import output
from gitmem.cli.options import Json
from gitmem.cli.output import FAINT, GOOD, HINT, WARNING, Part
from gitmem.cli.sharing.begin_sharing import Manner, begin, fit_hook, say_line
from gitmem.cli.sharing.sync import Timeout, say_push_trouble
from gitmem.errors import InvalidInput
from gitmem.text.counting import counted

if TYPE_CHECKING:
    from gitmem.actions.sharing.share_settings import Sharing
    from gitmem.actions.sharing.sync_status import LastSync

share = typer.Typer(help="Say where the memory goes, and choose it.")

Remote = Annotated[
    str | None,
    typer.Argument(
        metavar="REMOTE",
        help="One of git's remotes. [the only one, or origin]",
        show_default=False,
    ),
]
Url = Annotated[
    str | None,
    typer.Option(metavar="URL", help="Another repository than that remote's."),
]
Ref = Annotated[
    str | None,
    typer.Option(
        metavar="REF",
        help="Where sessions go there: refs/heads/ocm/sessions for hosts that take"
        " nothing but branches. [refs/ocm/sessions]",
    ),
]
Conversations = Annotated[
    bool | None,
    typer.Option(
        "--conversations/--no-conversations",
        help="Share what was said in full, too.",
        show_default=False,
    ),
]
AutoPush = Annotated[
    bool | None,
    typer.Option(
        "--auto-push/--no-auto-push",
        help="Send the memory along when you push to the remote.",
        show_default=False,
    ),
]
AutoPull = Annotated[
    bool | None,
    typer.Option(
        "--auto-pull/--no-auto-pull",
        help="Look for what is new as conversations begin.",
        show_default=False,
    ),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Share it, and do not ask.")]
Despite = Annotated[
    bool,
    typer.Option(
        "--despite-findings",
        help="With --yes: also sessions with what looks like a secret.",
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say what would leave; send nothing.")
]


@share.callback(invoke_without_command=True)
def _share_alone(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        status()


@share.command()
def on(  # noqa: PLR0913 - each is an option of the command line
    *,
    remote: Remote = None,
    url: Url = None,
    ref: Ref = None,
    conversations: Conversations = None,
    auto_push: AutoPush = None,
    auto_pull: AutoPull = None,
    yes: Yes = False,
    despite_findings: Despite = False,
    dry_run: DryRun = False,
    timeout: Timeout = None,
    as_json: Json = False,
) -> None:
    """Share the memory with one remote, after showing what would leave.

    It asks before anything does, and then does the first sync. Nothing goes to any
    other remote.
    """
    from gitmem.actions.sharing.share_settings import Wanted
    from gitmem.workspace import current_workspace

    wanted = Wanted(remote, url, ref, conversations, auto_push, auto_pull)
    manner = Manner(yes, despite_findings, dry_run, as_json, timeout)
    told = begin(current_workspace(), wanted, manner)
    if as_json:
        output.say_json(told)
    if told["sync"] and told["sync"]["outcome"] == "lost":
        raise typer.Exit(1)


@share.command()
def off(as_json: Json = False) -> None:
    """Share the memory no more; what is at the remote stays there."""
    from gitmem.actions.sharing.share_settings import turn_off
    from gitmem.workspace import current_workspace

    workspace = current_workspace()
    name = turn_off(workspace)
    fit_hook(workspace, in_silence=as_json)
    if workspace.chosen:
        raise InvalidInput(
            "Memory is still shared: that is set outside of this repository.",
            hint="`git config --show-origin --get-all ocm.remote` says where.",
        )
    if as_json:
        output.say_json({"remote": name})
    elif name is None:
        output.say("This memory is shared with no remote.")
    else:
        output.say(
            f"Nothing goes to {name} any more. What is there stays there, and in every"
            " clone that has taken it."
        )


@share.command()
def status(as_json: Json = False) -> None:
    """Say with whom the memory is shared, and how the last sync went."""
    from gitmem.actions.installing.git_hooks import push_trouble
    from gitmem.actions.sharing.preview import shown_url
    from gitmem.actions.sharing.share_settings import sharing
    from gitmem.actions.sharing.sync_status import last_sync, unsent
    from gitmem.workspace import current_workspace

    workspace = current_workspace()
    found = sharing(workspace)
    if found is None:
        _say_unshared(as_json)
        return
    workspace.current_sessions()
    url = shown_url(workspace, found.remote)
    waiting, last = sorted(unsent(workspace, found.remote)), last_sync(workspace)
    trouble = push_trouble(workspace)
    if as_json:
        told = _status_json(found, url, waiting, last)
        output.say_json(told | {"auto_push_trouble": trouble or None})
        return
    say_line("shared with", f"{found.remote.name}, {url}")
    say_line("refs there", ", ".join(found.remote.refs.values()))
    say_line("auto-push", "on" if found.auto_push else "off")
    say_line("auto-pull", "on" if found.auto_pull else "off")
    say_line("to be sent", counted(len(waiting), "session"))
    say_line("last sync", _last_words(last))
    say_push_trouble(trouble)


def _say_unshared(as_json: bool) -> None:
    if as_json:
        output.say_json({"shared": False})
        return
    output.say("This memory is shared with no remote.")
    output.note(("hint:", HINT), " `ocm share on` shows what would leave, and asks.")


def _last_words(last: "LastSync | None") -> Part:
    if last is None:
        return ("none yet", FAINT)
    said = f"{last.at:%Y-%m-%d %H:%M}  {output.one_line(last.words)}"
    return (said, WARNING if last.error else GOOD)


def _status_json(
    found: "Sharing", url: str, waiting: list[str], last: "LastSync | None"
) -> dict[str, object]:
    return {
        "shared": True,
        "remote": found.remote.name,
        "url": url,
        "refs": dict(found.remote.refs),
        "auto_push": found.auto_push,
        "auto_pull": found.auto_pull,
        "waiting": waiting,
        "last": last
        and {
            "at": last.at.isoformat(),
            "what": last.words,
            "error": last.error,
            "hint": last.hint,
        },
    }
