"""Sharing begins: what would leave is shown, somebody agrees, and it is sent."""

import sys
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from gitmem.cli import output
from gitmem.cli.offered import json_of_offer, say_offer
from gitmem.cli.steps import say_result
from gitmem.cli.sync import say_report
from gitmem.cli.talking import line_to_remotes
from gitmem.errors import InvalidInput, Unreachable
from gitmem.text.control_characters import harmless
from gitmem.text.counting import counted

if TYPE_CHECKING:
    from gitmem.actions.sharing.preview import Offer
    from gitmem.actions.sharing.share import Proposal, Wanted
    from gitmem.actions.sharing.sync_report import Report
    from gitmem.workspace import Workspace


class Declined(typer.Abort):
    """Somebody was asked, and said no."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How it is begun."""

    yes: bool = False
    """Nobody is asked."""
    despite_findings: bool = False
    """With `yes`: also sessions with what looks like a secret."""
    is_dry: bool = False
    in_silence: bool = False
    """Nothing is printed."""
    timeout: float | None = None
    """Seconds, as for `line_to_remotes`."""


@dataclass(frozen=True, slots=True)
class Begun:
    told: dict[str, Any]
    """All of it, for programs."""
    is_lost: bool = False
    """Whether others were faster each time, and nothing was sent."""


def begin(workspace: "Workspace", wanted: "Wanted", manner: Manner) -> Begun:
    """Raises Declined for a no, InvalidInput where nobody could say anything."""
    from gitmem.actions.sharing.share import proposal
    from gitmem.actions.sharing.visibility import place_of

    _require_somebody(manner)
    proposed = proposal(workspace, wanted)
    with suppress(Unreachable) if manner.is_dry else nullcontext():
        _reach(workspace, proposed, manner.timeout)
    place = place_of(workspace, proposed.sharing.remote)
    offer = _offered(workspace, proposed)
    if not manner.in_silence:
        say_offer(offer, place, proposed)
    told = json_of_offer(offer, place, proposed)
    if manner.is_dry:
        return Begun(told | {"shared": False, "sync": None})
    _require_consent(offer, proposed, manner)
    report = _share(workspace, proposed, manner)
    return _begun(report, told, manner)


def fit_hook(workspace: "Workspace", *, in_silence: bool = False) -> None:
    """Have git tell of pushes, or not any more, as `ocm.autoPush` says now."""
    from gitmem.actions.installing.git_hooks import fitting_push
    from gitmem.actions.installing.plan import Outcome, carry_out

    for result in carry_out(fitting_push(workspace)):
        if not in_silence and result.outcome is not Outcome.ALREADY:
            say_result(result)


def _require_somebody(manner: Manner) -> None:
    may_ask = not manner.in_silence and sys.stdin.isatty()
    if not (manner.yes or manner.is_dry or may_ask):
        raise InvalidInput(
            "`ocm share on` asks first, and there is no terminal to ask on.",
            hint="`--dry-run` shows what would leave, and `--yes` answers.",
        )


def _reach(workspace: "Workspace", proposed: "Proposal", timeout: float | None) -> None:
    """Raises Unreachable before anything is decided."""
    from gitmem.store.remote.git_transport import refs_at

    remote = proposed.sharing.remote
    with line_to_remotes(workspace.environment, timeout) as line:
        wanted = list(remote.refs.values())
        refs_at(workspace.repository, remote.location, wanted, line)


def _offered(workspace: "Workspace", proposed: "Proposal") -> "Offer":
    from gitmem.actions.sharing.preview import offered
    from gitmem.cli.progress import looking

    with looking() as show:
        return offered(workspace, proposed.sharing.remote, show)


def _require_consent(offer: "Offer", proposed: "Proposal", manner: Manner) -> None:
    if not manner.yes:
        name = proposed.sharing.remote.name
        question = f"Share this memory with {name}?"
        if offer.suspects:
            question = (
                f"Share this memory with {name}, with the"
                f" {counted(len(offer.suspects), 'session')} above as they are?"
            )
        if not typer.confirm(harmless(question), err=True):
            raise Declined
    elif offer.suspects and not manner.despite_findings:
        suspects = counted(len(offer.suspects), "session")
        raise InvalidInput(
            f"What looks like a secret is in {suspects}; nothing was shared.",
            hint="`ocm share on --dry-run` lists them, `ocm forget` removes one;"
            " `--despite-findings` shares them as they are.",
        )


def _share(workspace: "Workspace", proposed: "Proposal", manner: Manner) -> "Report":
    from gitmem.actions.sharing.share import turn_on
    from gitmem.actions.sharing.sync import Wish, sync

    turn_on(workspace, proposed)
    fit_hook(workspace, in_silence=manner.in_silence)
    with line_to_remotes(workspace.environment, manner.timeout) as line:
        return sync(workspace, proposed.sharing, Wish(), line)


def _begun(report: "Report", told: dict[str, Any], manner: Manner) -> Begun:
    from gitmem.actions.sharing.sync_report import Outcome, as_json

    if not manner.in_silence:
        output.say(f"This memory is shared with {report.remote} now.")
        say_report(report)
    sync = as_json(report)
    return Begun(told | {"shared": True, "sync": sync}, report.outcome is Outcome.LOST)
