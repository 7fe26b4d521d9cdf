"""`ocm status`: how the memory of this repository stands."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import datetime
from itertools import chain

from gitmem.actions import status as action
from gitmem.actions.context.log import week_in_numbers
from gitmem.actions.remembering.listing import scopes_of_memories
from gitmem.actions.sharing.sync_status import Shared
from gitmem.actions.status import RepositoryStatus
from gitmem.cli import output
from gitmem.cli.opening import current_workspace
from gitmem.cli.output import FAINT, ID, PATH, WARNING, Part, one_line
from gitmem.cli.sharing.notices import last_sync_summary, say_notices, say_push_trouble
from gitmem.text.counting import counted


def status() -> None:
    """Say how the memory of this repository stands."""
    workspace = current_workspace()
    standing = action.status(workspace)
    scopes, week = scopes_of_memories(workspace), week_in_numbers(workspace)
    answer = {"memories": scopes, "week": week}
    output.say_json(asdict(standing) | answer)
    lines = chain(_lines(standing, workspace.now()), _memory_lines(scopes, week))
    for name, part in lines:
        output.say_whole((f"{name:<10}", FAINT), part)
    say_notices(workspace, again=True)
    if standing.shared:
        say_push_trouble(workspace)


def _lines(standing: RepositoryStatus, now: datetime) -> Iterator[tuple[str, Part]]:
    tip = f" at {standing.tip[:12]}" if standing.tip else ""
    waiting: Part = "nothing"
    if standing.pending:
        waiting = (
            f"{standing.pending:,} checkpoints that are not committed yet",
            WARNING,
        )
    index = "up to date" if standing.indexed else "catches up with the next search"
    if standing.indexing:
        index = f"is being built: {standing.indexing} so far"
    unknown: Part = ("not yet known: run `ocm init`", WARNING)
    yield "project", standing.project
    yield "root", (str(standing.root), PATH)
    yield "sessions", f"{standing.sessions:,}"
    yield "newest", (standing.newest or "none yet", ID if standing.newest else FAINT)
    yield "tip", f"{standing.ref}{tip}"
    yield "waiting", waiting
    yield "index", index
    yield "registry", "known" if standing.registered else unknown
    yield from _of_sharing(standing.shared, now)


def _memory_lines(
    scopes: Mapping[str, int], week: Mapping[str, int]
) -> Iterator[tuple[str, Part]]:
    counts = (f"{number:,} {one_line(scope)}" for scope, number in scopes.items())
    yield "memories", ", ".join(counts) or "none yet"
    if week["statements"]:
        statements = counted(week["statements"], "statement")
        conversations = counted(week["conversations"], "conversation")
        summary = f"{statements} told in {conversations}, {week['tokens']:,} tokens"
        edited = f"{week['touched']:,} about files that were edited later"
        yield "this week", f"{summary}; {edited}"


def _of_sharing(shared: Shared | None, now: datetime) -> Iterator[tuple[str, Part]]:
    if shared is None:
        yield "shared", "with nobody"
    elif shared.why_not:
        yield "shared", (one_line(shared.why_not), WARNING)
    else:
        count = f"{counted(shared.unsent, 'session')} to be sent"
        unsent = count if shared.unsent else "all is sent"
        yield "shared", f"with {one_line(shared.remote or '')}, {unsent}"
        yield "last sync", last_sync_summary(shared.last, now)
