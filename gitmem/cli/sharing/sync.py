"""`ocm sync`, `ocm push` and `ocm pull`: exchange the memory with the remote."""

from collections.abc import Sequence
from dataclasses import asdict

import typer

from gitmem.actions.installing.git_hooks import push_trouble
from gitmem.actions.sharing import review_held, sync_report
from gitmem.actions.sharing import sync as action
from gitmem.actions.sharing.review_held import Withheld
from gitmem.actions.sharing.share_settings import Sharing, chosen_sharing
from gitmem.actions.sharing.sync_report import Outcome, Report, in_words
from gitmem.actions.sharing.sync_steps import Wish
from gitmem.cli import output
from gitmem.cli.options import DRY_RUN, JSON, argument, flag, option
from gitmem.cli.output import FAINT, GOOD, PATH, WARNING, one_line
from gitmem.cli.sharing.notices import line_to_remotes, say_notices, say_push_trouble
from gitmem.text.counting import counted
from gitmem.workspace import Workspace, current_workspace

_MOST_LISTED = 10

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
    timeout: float | None = TIMEOUT,
    as_json: bool = JSON,
) -> None:
    """Exchange the memory with the remote it is shared with.

    Nothing is lost and nothing asks: sessions that changed on both sides are put
    together. What others forgot of sessions begun here waits for --accept or --refuse.
    `ocm share on` chooses the remote.
    """
    if review:
        _review(remote, as_json)
        return
    _decide(remote, accept or [], refuse or [])
    _run(remote, timeout, as_json, Wish(is_dry=dry_run))


def push(
    remote: str | None = REMOTE,
    dry_run: bool = DRY_RUN,
    timeout: float | None = TIMEOUT,
    as_json: bool = JSON,
) -> None:
    """Send what is new here to the remote.

    What is new there is taken where that is needed for it.
    """
    _run(remote, timeout, as_json, Wish(is_dry=dry_run, pulls=False))


def pull(
    remote: str | None = REMOTE,
    dry_run: bool = DRY_RUN,
    timeout: float | None = TIMEOUT,
    as_json: bool = JSON,
) -> None:
    """Take what is new at the remote; send nothing."""
    _run(remote, timeout, as_json, Wish(is_dry=dry_run, pushes=False))


def say_report(report: Report) -> None:
    is_lost = report.outcome is Outcome.LOST
    output.say((in_words(report), WARNING if is_lost else GOOD))
    if is_lost:
        output.hint("Try again: `ocm sync`.")
    if report.outcome is Outcome.PLANNED:
        output.note(("It was fetched; nothing else was done.", FAINT))
    strangers = [(one_line(x.path), f", {one_line(x.what)}") for x in report.strangers]
    _note_some("not taken: ", strangers, report.more_strangers, "that were not taken")
    odd = [(each.session_id, f" {' and '.join(each.what)}") for each in report.odd]
    _note_some("look at: ", odd, 0, "to look at")


def _note_some(
    label: str, rows: Sequence[tuple[str, str]], more: int, what: str
) -> None:
    for name, why in rows[:_MOST_LISTED]:
        output.note((label, WARNING), (name, PATH), why)
    if more := more + len(rows[_MOST_LISTED:]):
        output.note((f"And {more:,} more {what}.", WARNING))


def _run(remote: str | None, timeout: float | None, as_json: bool, wish: Wish) -> None:
    """Sync and print the result. Exits with 1 for a lost race."""
    workspace, sharing = _opened(remote)
    with line_to_remotes(workspace.environment, timeout) as line:
        report = action.sync(workspace, sharing, wish, line)
    if as_json:
        output.say_json(sync_report.as_json(report))
    else:
        say_report(report)
        say_notices(workspace, again=True)
        say_push_trouble(push_trouble(workspace))
    if report.outcome is Outcome.LOST:
        raise typer.Exit(1)


def _opened(remote: str | None) -> tuple[Workspace, Sharing]:
    workspace = current_workspace()
    return workspace, chosen_sharing(workspace, remote)


def _review(remote: str | None, as_json: bool) -> None:
    workspace, sharing = _opened(remote)
    workspace.current_sessions()
    found = review_held.withheld(workspace, sharing)
    if as_json:
        times = (each.at.isoformat() if each.at else None for each in found)
        rows = zip(found, times, strict=True)
        output.say_json([asdict(each) | {"at": at} for each, at in rows])
    elif not found:
        output.note("Nothing is held back.")
    else:
        for each in found:
            _say_withheld(each)


def _say_withheld(withheld: Withheld) -> None:
    what = counted(withheld.items, "item") if withheld.items else "the session"
    at = f", {withheld.at:%Y-%m-%d %H:%M}" if withheld.at else ""
    why = "begun in this clone" if withheld.is_own else "many at once"
    whose = f", of {withheld.author}" if withheld.author else ""
    facts = one_line(f"{withheld.by or 'somebody'} forgot {what}{at}; {why}{whose}")
    output.say_session(withheld.session_id, [(facts, FAINT)], withheld.goal)


def _decide(remote: str | None, accept: list[str], refuse: list[str]) -> None:
    for names, decide, what in (
        (refuse, review_held.refuse, "Kept"),
        (accept, review_held.accept, "Forgotten"),
    ):
        if names:
            ids = decide(*_opened(remote), names)
            output.note((f"{what}: {counted(len(ids), 'session')}.", GOOD))
