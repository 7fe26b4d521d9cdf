"""`ocm sync`, `ocm push` and `ocm pull`: memory goes to a remote, and comes from it."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from gitmem.cli import output
from gitmem.cli.options import Json
from gitmem.cli.output import FAINT, GOOD, HINT, ID, PATH, WARNING, one_line
from gitmem.text.counting import counted

if TYPE_CHECKING:
    from gitmem.actions.sharing.review_held import Withheld
    from gitmem.actions.sharing.share_settings import Sharing
    from gitmem.actions.sharing.sync_report import Report
    from gitmem.config import Environment
    from gitmem.store.remote.remote import Line
    from gitmem.workspace import Workspace

PATIENCE = 86_400.0
"""Seconds, where nobody is there: a transfer that moves is not cut, and a remote that
says nothing is left after seconds."""
_MOST_LISTED = 10

RemoteName = Annotated[
    str | None,
    typer.Argument(
        metavar="REMOTE",
        help="The remote that memory is shared with; there is no other.",
        show_default=False,
    ),
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Fetch, and say what would be done; do no more."),
]
Review = Annotated[
    bool,
    typer.Option("--review", help="List what others forgot and is held back here."),
]
Accept = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SESSION|all", help="Forget what others forgot, then exchange."
    ),
]
Refuse = Annotated[
    list[str] | None,
    typer.Option(metavar="SESSION|all", help="Keep it, for everybody, then exchange."),
]
Timeout = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS",
        min=1.0,
        help="Give up after so long, and ask for no password.",
        show_default=False,
    ),
]


def sync(  # noqa: PLR0913 - each is an option of the command line
    remote: RemoteName = None,
    *,
    dry_run: DryRun = False,
    review: Review = False,
    accept: Accept = None,
    refuse: Refuse = None,
    timeout: Timeout = None,
    as_json: Json = False,
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
    _run(remote, timeout, as_json, is_dry=dry_run)


def push(
    remote: RemoteName = None,
    dry_run: DryRun = False,
    timeout: Timeout = None,
    as_json: Json = False,
) -> None:
    """Send what is new here to the remote.

    What is new there is taken where that is needed for it.
    """
    _run(remote, timeout, as_json, is_dry=dry_run, pulls=False)


def pull(
    remote: RemoteName = None,
    dry_run: DryRun = False,
    timeout: Timeout = None,
    as_json: Json = False,
) -> None:
    """Take what is new at the remote; send nothing."""
    _run(remote, timeout, as_json, is_dry=dry_run, pushes=False)


@contextmanager
def line_to_remotes(
    environment: "Environment", patience: float | None = None
) -> Iterator["Line"]:
    """Give the line to remotes, and show on a terminal what git says."""
    from rich.text import Text

    from gitmem.store.remote.remote import Line
    from gitmem.store.remote.watched_git import unheard

    stderr = output.console(stderr=True)
    is_terminal = stderr.is_terminal
    status = stderr.status(Text("Talking to the remote", FAINT))

    def told(text: str) -> None:
        status.update(Text(one_line(text), FAINT))

    if is_terminal:
        status.start()
    try:
        may_ask = patience is None and is_terminal and sys.stdin.isatty()
        heard = told if is_terminal else unheard
        yield Line(environment.variables, patience or PATIENCE, may_ask, heard)
    finally:
        status.stop()


def say_notices(workspace: "Workspace", *, again: bool = False) -> None:
    """Say once what others took away, and with `again` what waits for a decision."""
    from gitmem.actions.sharing.review_held import notices

    for sentence in notices(workspace, again=again):
        output.note(("note: ", WARNING), one_line(sentence))


def say_push_trouble(trouble: str) -> None:
    """Say why memory goes along with no push, if it is meant to and does not."""
    if trouble:
        what = f"memory goes along with no push: {trouble}."
        output.note(("note: ", WARNING), one_line(what))
        output.note(("hint:", HINT), " `ocm doctor` says what to do.")


def say_report(report: "Report") -> None:
    from gitmem.actions.sharing.sync_report import Outcome, in_words

    is_lost = report.outcome is Outcome.LOST
    output.say((in_words(report), WARNING if is_lost else GOOD))
    if is_lost:
        output.note(("hint:", HINT), " Try again: `ocm sync`.")
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


def _run(
    remote: str | None, timeout: float | None, as_json: bool, **wish: bool
) -> None:
    """Exchange memory, and say what came of it. Leaves with 1 for a lost race."""
    from gitmem.actions.installing.git_hooks import push_trouble
    from gitmem.actions.sharing import sync as action
    from gitmem.actions.sharing import sync_report
    from gitmem.actions.sharing.sync_steps import Wish

    workspace, sharing = _opened(remote)
    with line_to_remotes(workspace.environment, timeout) as line:
        report = action.sync(workspace, sharing, Wish(**wish), line)
    if as_json:
        output.say_json(sync_report.as_json(report))
    else:
        say_report(report)
        say_notices(workspace, again=True)
        say_push_trouble(push_trouble(workspace))
    if report.outcome is sync_report.Outcome.LOST:
        raise typer.Exit(1)


def _opened(remote: str | None) -> "tuple[Workspace, Sharing]":
    from gitmem.actions.sharing.share_settings import chosen_sharing
    from gitmem.workspace import current_workspace

    workspace = current_workspace()
    return workspace, chosen_sharing(workspace, remote)


def _review(remote: str | None, as_json: bool) -> None:
    from gitmem.actions.sharing.review_held import withheld

    workspace, sharing = _opened(remote)
    workspace.current_sessions()
    found = withheld(workspace, sharing)
    if as_json:
        times = (each.at.isoformat() if each.at else None for each in found)
        told = zip(found, times, strict=True)
        output.say_json([asdict(each) | {"at": at} for each, at in told])
    elif not found:
        output.note("Nothing is held back.")
    for each in () if as_json else found:
        _say_withheld(each)


def _say_withheld(withheld: "Withheld") -> None:
    what = counted(withheld.items, "item") if withheld.items else "the session"
    by = withheld.by or "somebody"
    at = f", {withheld.at:%Y-%m-%d %H:%M}" if withheld.at else ""
    why = "begun in this clone" if withheld.is_own else "many at once"
    whose = f", of {withheld.author}" if withheld.author else ""
    output.say_whole((withheld.session_id, ID))
    output.say_indented("  ", one_line(withheld.goal) or "(no goal)")
    told = one_line(f"{by} forgot {what}{at}; {why}{whose}")
    output.say_indented("  ", (told, FAINT))


def _decide(remote: str | None, accept: list[str], refuse: list[str]) -> None:
    if not (accept or refuse):
        return
    from gitmem.actions.sharing import review_held

    workspace, sharing = _opened(remote)
    for names, decide, what in (
        (refuse, review_held.refuse, "Kept"),
        (accept, review_held.accept, "Forgotten"),
    ):
        if names:
            ids = decide(workspace, sharing, names)
            output.note((f"{what}: {counted(len(ids), 'session')}.", GOOD))
