"""Progress of remotes on a terminal, and notices of sharing."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime

import typer

from gitmem.actions.installing.git_hooks import pre_push_fault
from gitmem.actions.sharing.deletion_notices import notices
from gitmem.actions.sharing.new_authors import new_authors, trust_authors
from gitmem.actions.sharing.sync_report import SyncOutcome, SyncReport, in_words
from gitmem.actions.sharing.sync_status import LastSync
from gitmem.cli import output
from gitmem.cli.options import can_ask
from gitmem.cli.output import FAINT, GOOD, PATH, WARNING, Part, one_line
from gitmem.store.remote.remote import TransportOptions
from gitmem.store.remote.watched_git import Notify, ignore_progress
from gitmem.text.calendar import spoken
from gitmem.text.control_characters import harmless
from gitmem.text.counting import counted
from gitmem.workspace import Workspace

_MOST_LISTED = 10
_MOST_ASKED = 5
PATIENCE = 600.0
"""Seconds, where nobody at a terminal decides."""


@contextmanager
def line_to_remotes(patience: float | None = None) -> Iterator[TransportOptions]:
    """Return the line to remotes; show on a terminal what git says."""
    may_ask = False
    notify: Notify = ignore_progress
    with ExitStack() as stack:
        if output.is_terminal(sys.stderr):
            may_ask = patience is None and sys.stdin.isatty()
            notify = _spinner(stack)
        yield TransportOptions(patience or PATIENCE, may_ask, notify)


def _spinner(stack: ExitStack) -> Notify:
    """Show a spinner with the last line of git."""
    from rich.text import Text

    def text(line: str) -> Text:
        return Text(one_line(line), FAINT)

    status = output.console(stderr=True).status(text("Waiting for the remote"))
    stack.enter_context(status)
    return lambda line: status.update(text(line))


def say_notices(workspace: Workspace, *, again: bool = False) -> None:
    """Report deletions by others to a person, once; `again` repeats what waits."""
    if not output.is_json():
        for sentence in notices(workspace, again=again):
            output.note(("note: ", WARNING), one_line(sentence))


def ask_about_authors(workspace: Workspace) -> None:
    """Ask once for each new author whether their memories are told in full."""
    if not can_ask():
        return
    authors, trusted = new_authors(workspace), []
    if len(authors) > _MOST_ASKED:
        output.hint(
            f"Of {len(authors):,} authors, assistants are told titles alone;"
            " `git config --add ocm.trust ADDRESS` tells one in full, and '*' all."
        )
    else:
        trusted = [
            author for author in authors if typer.confirm(_question(author), err=True)
        ]
    trust_authors(workspace, authors, trusted)


def _question(author: str) -> str:
    who = harmless(one_line(author))
    return f"Tell assistants in full what {who} remembers here, like what you do?"


def last_sync_summary(last_sync: LastSync | None, now: datetime) -> Part:
    """How the last sync went, and when."""
    if last_sync is None:
        return "none yet"
    summary = f"{spoken(last_sync.at, now)}: {one_line(last_sync.words)}"
    return (summary, WARNING) if last_sync.error else summary


def say_push_trouble(workspace: Workspace) -> None:
    """Report why auto-push does not work."""
    if trouble := pre_push_fault(workspace):
        warning = f"auto-push sends nothing: {trouble}."
        output.note(("note: ", WARNING), one_line(warning))
        output.hint("`ocm doctor` says what to do.")


def say_report(report: SyncReport) -> None:
    is_lost = report.outcome is SyncOutcome.LOST
    output.say((in_words(report), WARNING if is_lost else GOOD))
    if is_lost:
        output.hint("Try again: `ocm sync`.")
    if report.outcome is SyncOutcome.PLANNED:
        output.note(("Fetched; nothing was changed or sent.", FAINT))
    if report.unredacted:
        count = counted(len(report.unredacted), "fetched document")
        output.note(("warning: ", WARNING), f"There are secrets in {count}.")
        output.hint("`ocm scan` names them, and `ocm scan --fix` redacts them here.")
    refused = [(one_line(x.path), f", {one_line(x.what)}") for x in report.not_taken]
    for name, why in refused[:_MOST_LISTED]:
        output.note(("not taken: ", WARNING), (name, PATH), why)
    if unlisted := report.more_not_taken + len(refused[_MOST_LISTED:]):
        output.note((f"And {unlisted:,} more that were not taken.", WARNING))
