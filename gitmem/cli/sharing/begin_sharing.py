"""Begin sharing: show what would leave, ask, and sync."""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from typing import Any

import typer

from gitmem.actions.installing.git_hooks import pre_push_setup
from gitmem.actions.installing.plan import StepOutcome, carry_out
from gitmem.actions.sharing import preview, sync_report
from gitmem.actions.sharing.preview import Offer, ShareTarget, offered, place_of
from gitmem.actions.sharing.share_settings import (
    ShareRequest,
    Sharing,
    proposal,
    turn_on,
)
from gitmem.actions.sharing.sync import sync
from gitmem.actions.sharing.sync_steps import SyncOptions
from gitmem.cli import output
from gitmem.cli.options import require_answer
from gitmem.cli.output import FAINT, ID, PATH, WARNING, Part
from gitmem.cli.progress import looking
from gitmem.cli.sharing.notices import (
    ask_about_authors,
    line_to_remotes,
    say_report,
)
from gitmem.cli.steps import say_result
from gitmem.documents.kinds import CONVERSATION
from gitmem.errors import InvalidInput, Unreachable
from gitmem.frozen import frozen
from gitmem.store.remote.git_transport import refs_at
from gitmem.text.control_characters import harmless
from gitmem.text.counting import counted, shortlist
from gitmem.workspace import Workspace

_COLUMN = 15
_MOST_LISTED = 10
_OF_SESSIONS = ("sessions", "begun by", "conversations", "ref there")
"""Lines that say nothing of a space."""


class Declined(typer.Abort):
    """The user said no."""


@frozen
class Manner:
    """Options of `begin`."""

    yes: bool = False
    """Do not ask."""
    despite_findings: bool = False
    """True if `yes` includes sharing what looks like a secret."""
    is_dry: bool = False
    timeout: float | None = None
    space: str = ""
    """The name of the space to share; "" for the memory of a repository."""

    @property
    def subject(self) -> str:
        return f"The space {self.space}" if self.space else "This memory"

    @property
    def command(self) -> str:
        return "space add" if self.space else "share on"


def begin(
    workspace: Workspace, request: ShareRequest, manner: Manner
) -> dict[str, Any]:
    """Show what would leave, ask, share and sync; return all of it.

    Raises Declined, InvalidInput where nobody can be asked, and Unreachable before any
    change.
    """
    require_answer(manner.command, yes=manner.yes, dry_run=manner.is_dry)
    sharing = proposal(workspace, request)
    remote = sharing.remote
    with (
        suppress(Unreachable) if manner.is_dry else nullcontext(),
        line_to_remotes(manner.timeout) as line,
    ):
        names = list(remote.refs.values())
        refs_at(workspace.repository, remote.location, names, line)
    place = place_of(workspace, remote)
    with looking() as show:
        offer = offered(workspace, remote, show)
    _say_offer(offer, place, manner)
    data = preview.as_json(place, offer)
    if manner.is_dry:
        return data | {"shared": False, "sync": None}
    name = place.url if manner.space else remote.name
    _require_consent(offer, name, manner)
    return data | {"shared": True, "sync": _share(workspace, sharing, name, manner)}


def fit_hook(workspace: Workspace) -> None:
    """Install or remove the hook of pushes, by `ocm.autoPush`."""
    for result in carry_out(pre_push_setup(workspace)):
        if result.outcome is not StepOutcome.ALREADY:
            say_result(result)


def say_line(name: str, part: Part) -> None:
    output.say((f"{name:<{_COLUMN}}", FAINT), part)


def _require_consent(offer: Offer, name: str, manner: Manner) -> None:
    suspects = counted(len(offer.findings), "document")
    if not manner.yes:
        despite = f", with the {suspects} above as they are" if offer.findings else ""
        question = f"Share {manner.subject.lower()} with {name}{despite}?"
        if not typer.confirm(harmless(question), err=True):
            raise Declined
    elif offer.findings and not manner.despite_findings:
        raise InvalidInput(
            f"{suspects} may have a secret; nothing was shared.",
            hint="`--dry-run` lists them, `ocm forget` removes one;"
            " `--despite-findings` shares them as they are.",
        )


def _share(
    workspace: Workspace, sharing: Sharing, name: str, manner: Manner
) -> dict[str, object]:
    turn_on(workspace, sharing)
    fit_hook(workspace)
    with line_to_remotes(manner.timeout) as line:
        report = sync(workspace, sharing, SyncOptions(), line)
    output.say(f"{manner.subject} is shared with {name} now.")
    say_report(report)
    if not manner.space and not manner.yes:
        ask_about_authors(workspace)
    return sync_report.as_json(report)


def _say_offer(offer: Offer, place: ShareTarget, manner: Manner) -> None:
    output.say_whole(("Would be shared with ", "bold"), (place.url, PATH))
    for name, part in _lines(offer, place):
        if not (manner.space and name in _OF_SESSIONS):
            say_line(name, part)
    _say_sessions(
        "What looks like a secret is, or was, in",
        [(x.session_id, f"  {', '.join(x.rules)}") for x in offer.findings],
        "`ocm show` shows a session as it is now. What it was before goes along as"
        " well; `ocm forget --history` takes all of it out.",
    )
    _say_sessions(
        "Too long to be looked through, or not there, in",
        [(session_id, "") for session_id in offer.unread],
        "`ocm doctor` says what is wrong with texts of now.",
    )


def _lines(offer: Offer, place: ShareTarget) -> Iterator[tuple[str, Part]]:
    if place.comes_from:
        yield "comes from", (place.comes_from, PATH)
    sessions = "none here yet; those at the remote are fetched"
    if offer.since:
        since = f"{offer.sessions:,}, since {offer.since}"
        sessions = f"{since}, with all their earlier states"
    yield "sessions", sessions
    people = [f"{author.name} ({author.sessions:,})" for author in offer.authors]
    yield "begun by", shortlist(people, _MOST_LISTED) or "nobody here"
    conversations = (f"{offer.conversations:,}, with all that was said", WARNING)
    yield (
        "conversations",
        conversations if CONVERSATION.ref in place.refs else "stay here",
    )
    for name, count in offer.others.items():
        states = f"{count:,}, with all their earlier states"
        yield name, states if count else "none here yet"
    yield "ref there", next(iter(place.refs.values()))
    readers: dict[bool | None, Part] = {
        None: "not known",
        True: ("anybody: it is public", WARNING),
        False: "nobody without an account",
    }
    yield "who reads it", readers[place.public]


def _say_sessions(title: str, rows: Sequence[tuple[str, str]], hint: str) -> None:
    if not rows:
        return
    output.say((f"{title} {counted(len(rows), 'document')}:", WARNING))
    for session_id, details in rows[:_MOST_LISTED]:
        output.say_whole("  ", (session_id, ID), details)
    if remaining := len(rows[_MOST_LISTED:]):
        output.say(f"  and {remaining:,} more; --json lists all of them.")
    output.hint(hint)
