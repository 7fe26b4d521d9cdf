"""`ocm share`: whether memory leaves this machine, and where it goes."""

import sys
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, Annotated

import typer

from gitmem.cli import output
from gitmem.cli.offered import json_of_offer, say_line, say_offer
from gitmem.cli.options import Json
from gitmem.cli.output import FAINT, GOOD, HINT, WARNING, Part
from gitmem.cli.sync import say_report
from gitmem.cli.talking import Timeout, line_to_remotes
from gitmem.errors import InvalidInput, Unreachable
from gitmem.model.counting import counted
from gitmem.model.harmless import harmless

if TYPE_CHECKING:
    from gitmem.actions.sharing.offer import Offer
    from gitmem.actions.sharing.record import LastSync
    from gitmem.actions.sharing.settings import Sharing
    from gitmem.actions.sharing.share import Proposal
    from gitmem.workspace import Workspace

share = typer.Typer(
    help="Say whether memory leaves this machine, and where it goes.",
    no_args_is_help=True,
)

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
    from gitmem.actions.sharing.publicity import place_of
    from gitmem.actions.sharing.share import Wanted, proposal
    from gitmem.workspace import current_environment, open_workspace

    workspace = open_workspace(current_environment())
    may_ask = not as_json and sys.stdin.isatty()
    if not (yes or dry_run or may_ask):
        raise InvalidInput(
            "`ocm share on` asks first, and there is no terminal to ask on.",
            hint="`--dry-run` shows what would leave, and `--yes` answers.",
        )
    proposed = proposal(
        workspace, Wanted(remote, url, ref, conversations, auto_push, auto_pull)
    )
    with suppress(Unreachable) if dry_run else nullcontext():
        _reach(workspace, proposed, timeout)
    place = place_of(workspace, proposed.sharing.remote)
    offer = _offered(workspace, proposed)
    if not as_json:
        say_offer(offer, place, proposed)
    told = json_of_offer(offer, place, proposed)
    if dry_run:
        if as_json:
            output.say_json(told | {"shared": False, "sync": None})
        return
    _require_consent(offer, proposed, yes=yes, despite=despite_findings)
    _share(workspace, proposed, timeout, told if as_json else None)


@share.command()
def off(as_json: Json = False) -> None:
    """Share the memory no more; what is at the remote stays there."""
    from gitmem.actions.sharing.share import turn_off
    from gitmem.workspace import current_environment, open_workspace

    workspace = open_workspace(current_environment())
    name = turn_off(workspace)
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
    from gitmem.actions.sharing.record import last_sync
    from gitmem.actions.sharing.settings import sharing
    from gitmem.actions.sharing.standing import unsent
    from gitmem.workspace import current_environment, open_workspace

    workspace = open_workspace(current_environment())
    found = sharing(workspace)
    if found is None:
        _say_unshared(as_json)
        return
    workspace.drained_memory()
    waiting, last = sorted(unsent(workspace, found.remote)), last_sync(workspace)
    if as_json:
        output.say_json(_status_json(found, waiting, last))
        return
    for name, part in _status_lines(found, waiting, last):
        say_line(name, part)


def _reach(workspace: "Workspace", proposed: "Proposal", timeout: float | None) -> None:
    """Raises Unreachable before anything is decided."""
    from gitmem.store.remote import refs_at

    remote = proposed.sharing.remote
    with line_to_remotes(workspace.environment, timeout) as line:
        wanted = list(remote.refs.values())
        refs_at(workspace.repository, remote.location, wanted, line)


def _offered(workspace: "Workspace", proposed: "Proposal") -> "Offer":
    from gitmem.actions.sharing.offer import offered
    from gitmem.cli.progress import looking

    with looking() as show:
        return offered(workspace, proposed.sharing.remote, show)


def _require_consent(
    offer: "Offer", proposed: "Proposal", *, yes: bool, despite: bool
) -> None:
    """Raises typer.Abort for a no, InvalidInput where a choice has to be made."""
    if not yes:
        name = proposed.sharing.remote.name
        question = f"Share this memory with {name}?"
        if offer.suspects:
            question = (
                f"Share this memory with {name}, with the"
                f" {counted(len(offer.suspects), 'session')} above as they are?"
            )
        typer.confirm(harmless(question), abort=True, err=True)
    elif offer.suspects and not despite:
        suspects = counted(len(offer.suspects), "session")
        raise InvalidInput(
            f"{suspects} have what looks like a secret, and nothing was shared.",
            hint="`ocm share on --dry-run` lists them, `ocm forget` removes one;"
            " `--despite-findings` shares them as they are.",
        )


def _share(
    workspace: "Workspace",
    proposed: "Proposal",
    timeout: float | None,
    told: dict[str, object] | None,
) -> None:
    from gitmem.actions.sharing.report import Outcome
    from gitmem.actions.sharing.report import as_json as json_of
    from gitmem.actions.sharing.share import turn_on
    from gitmem.actions.sharing.sync import Wish, sync

    turn_on(workspace, proposed)
    with line_to_remotes(workspace.environment, timeout) as line:
        report = sync(workspace, proposed.sharing, Wish(), line)
    if told is None:
        output.say(f"This memory is shared with {report.remote} now.")
        say_report(report)
    else:
        output.say_json(told | {"shared": True, "sync": json_of(report)})
    if report.outcome is Outcome.LOST:
        raise typer.Exit(1)


def _say_unshared(as_json: bool) -> None:
    if as_json:
        output.say_json({"shared": False})
        return
    output.say("This memory is shared with no remote.")
    output.note(("hint:", HINT), " `ocm share on` shows what would leave, and asks.")


def _status_json(
    found: "Sharing", waiting: list[str], last: "LastSync | None"
) -> dict[str, object]:
    told = last and {
        "at": last.at.isoformat(),
        "what": last.words,
        "error": last.error,
        "hint": last.hint,
    }
    return {
        "shared": True,
        "remote": found.remote.name,
        "location": _shown(found),
        "refs": dict(found.remote.refs),
        "auto_push": found.auto_push,
        "auto_pull": found.auto_pull,
        "waiting": waiting,
        "last": told,
    }


def _status_lines(
    found: "Sharing", waiting: list[str], last: "LastSync | None"
) -> list[tuple[str, Part]]:
    words: Part = ("none yet", FAINT)
    if last:
        said = f"{last.at:%Y-%m-%d %H:%M}  {output.one_line(last.words)}"
        words = (said, WARNING if last.error else GOOD)
    return [
        ("shared with", _shown(found)),
        ("refs there", ", ".join(found.remote.refs.values())),
        ("auto-push", "on" if found.auto_push else "off"),
        ("auto-pull", "on" if found.auto_pull else "off"),
        ("to be sent", counted(len(waiting), "session")),
        ("last sync", words),
    ]


def _shown(found: "Sharing") -> str:
    from gitmem.store.git_network import without_secrets

    return without_secrets(found.remote.location)
