"""`ocm sync`, `ocm push` and `ocm pull`: memory goes to a remote, and comes from it."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from gitmem.cli import output
from gitmem.cli.options import Json
from gitmem.cli.output import FAINT, GOOD, ID, PATH, WARNING
from gitmem.cli.talking import Timeout, line_to_remotes
from gitmem.text.counting import counted

if TYPE_CHECKING:
    from gitmem.actions.sharing.review_held import Withheld
    from gitmem.actions.sharing.sync import Wish
    from gitmem.actions.sharing.sync_report import Report
    from gitmem.store.remote.untrusted import Odd
    from gitmem.workspace import Workspace

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
    from gitmem.actions.sharing.sync import Wish

    if review:
        _review(remote, as_json)
        return
    _decide(remote, accept or [], refuse or [])
    run(remote, Wish(is_dry=dry_run), timeout, as_json)


def push(
    remote: RemoteName = None,
    dry_run: DryRun = False,
    timeout: Timeout = None,
    as_json: Json = False,
) -> None:
    """Send what is new here to the remote.

    What is new there is taken where that is needed for it.
    """
    from gitmem.actions.sharing.sync import Wish

    run(remote, Wish(pulls=False, is_dry=dry_run), timeout, as_json)


def pull(
    remote: RemoteName = None,
    dry_run: DryRun = False,
    timeout: Timeout = None,
    as_json: Json = False,
) -> None:
    """Take what is new at the remote; send nothing."""
    from gitmem.actions.sharing.sync import Wish

    run(remote, Wish(pushes=False, is_dry=dry_run), timeout, as_json)


def run(remote: str | None, wish: "Wish", timeout: float | None, as_json: bool) -> None:
    """Exchange memory, and say what came of it. Leaves with 1 for a lost race."""
    from gitmem.actions.installing.git_hooks import push_trouble
    from gitmem.actions.sharing import sync as action
    from gitmem.actions.sharing.share_settings import chosen_sharing
    from gitmem.actions.sharing.sync_report import Outcome
    from gitmem.actions.sharing.sync_report import as_json as json_of
    from gitmem.workspace import current_workspace

    workspace = current_workspace()
    sharing = chosen_sharing(workspace, remote)
    with line_to_remotes(workspace.environment, timeout) as line:
        report = action.sync(workspace, sharing, wish, line)
    if as_json:
        output.say_json(json_of(report))
    else:
        say_report(report)
        say_notices(workspace, again=True)
        say_push_trouble(push_trouble(workspace))
    if report.outcome is Outcome.LOST:
        raise typer.Exit(1)


def say_notices(workspace: "Workspace", *, again: bool = False) -> None:
    """Say once what others took away, and with `again` what waits for a decision."""
    from gitmem.actions.sharing.review_held import notices

    for sentence in notices(workspace, again=again):
        output.note(("note: ", WARNING), output.one_line(sentence))


def say_push_trouble(trouble: str) -> None:
    """Say why memory goes along with no push, if it is meant to and does not."""
    if trouble:
        what = f"memory goes along with no push: {trouble}."
        output.note(("note: ", WARNING), output.one_line(what))
        output.note(("hint:", output.HINT), " `ocm doctor` says what to do.")


def _review(remote: str | None, as_json: bool) -> None:
    from gitmem.actions.sharing.review_held import withheld
    from gitmem.actions.sharing.share_settings import chosen_sharing
    from gitmem.workspace import current_workspace

    workspace = current_workspace()
    workspace.current_sessions()
    found = withheld(workspace, chosen_sharing(workspace, remote))
    if as_json:
        output.say_json([_json_of(each) for each in found])
    elif not found:
        output.note("Nothing is held back.")
    for each in () if as_json else found:
        _say_withheld(each)


def _json_of(withheld: "Withheld") -> dict[str, object]:
    at = withheld.at.isoformat() if withheld.at else None
    return asdict(withheld) | {"at": at}


def _say_withheld(withheld: "Withheld") -> None:
    what = counted(withheld.items, "item") if withheld.items else "the session"
    by, at = withheld.by or "somebody", f", {withheld.at:%Y-%m-%d %H:%M}"
    why = "begun in this clone" if withheld.is_own else "many at once"
    whose = f", of {withheld.author}" if withheld.author else ""
    output.say_whole((withheld.session_id, ID))
    output.say_indented("  ", output.one_line(withheld.goal) or "(no goal)")
    told = f"{by} forgot {what}{at if withheld.at else ''}; {why}{whose}"
    output.say_indented("  ", (output.one_line(told), FAINT))


def _decide(remote: str | None, accept: list[str], refuse: list[str]) -> None:
    if not (accept or refuse):
        return
    from gitmem.actions.sharing import review_held
    from gitmem.actions.sharing.share_settings import chosen_sharing
    from gitmem.workspace import current_workspace

    workspace = current_workspace()
    sharing = chosen_sharing(workspace, remote)
    for names, decide, what in (
        (refuse, review_held.refuse, "Kept"),
        (accept, review_held.accept, "Forgotten"),
    ):
        if names:
            ids = decide(workspace, sharing, names)
            output.note((f"{what}: {counted(len(ids), 'session')}.", GOOD))


def say_report(report: "Report") -> None:
    from gitmem.actions.sharing.sync_report import Outcome, in_words

    is_lost = report.outcome is Outcome.LOST
    output.say((in_words(report), WARNING if is_lost else GOOD))
    if is_lost:
        output.note(("hint:", output.HINT), " Try again: `ocm sync`.")
    if report.outcome is Outcome.PLANNED:
        output.note(("It was fetched; nothing else was done.", FAINT))
    _note_strangers(report)
    _note_odd(report.odd)


def _note_strangers(report: "Report") -> None:
    for each in report.strangers[:_MOST_LISTED]:
        path, what = output.one_line(each.path), output.one_line(each.what)
        output.note(("not taken: ", WARNING), (path, PATH), f", {what}")
    if more := report.more_strangers + len(report.strangers[_MOST_LISTED:]):
        output.note((f"And {more:,} more that were not taken.", WARNING))


def _note_odd(odd: "list[Odd]") -> None:
    for each in odd[:_MOST_LISTED]:
        what = f" {' and '.join(each.what)}"
        output.note(("look at: ", WARNING), (each.session_id, PATH), what)
    if more := len(odd[_MOST_LISTED:]):
        output.note((f"And {more:,} more to look at.", WARNING))
