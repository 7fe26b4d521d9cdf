"""What `ocm doctor` looks at for each assistant: our entries, and whether it is heard.

What should be installed is decided by the plan of `ocm init` alone. Whether hooks are
live, their own traces in the journal say best.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice

from gitmem.actions.doctor.finding import INIT, Code, Finding, Grade
from gitmem.actions.installing.detect import others, present
from gitmem.actions.installing.entries import has_ours
from gitmem.actions.installing.everywhere import is_active
from gitmem.actions.installing.install import planned
from gitmem.actions.installing.plan import Outcome, Result, foresee
from gitmem.assistants.configured import CONFIGURED, Configured, Hooks, Server, Target
from gitmem.documents.session import record as records
from gitmem.documents.session.event import Committed, events_in, is_unhooked
from gitmem.documents.session.record import Record
from gitmem.documents.session.session import Trigger
from gitmem.errors import FormatTooNew
from gitmem.text.counting import counted
from gitmem.workspace import Workspace

RECENT = 50
"""How many journals, the last written ones, are looked at."""

_AT_THE_TOP = "at the top of the work tree, where its settings are"
_NEVER_RUN = ("cursor",)
"""Assistants that we know from their documents alone."""


def assistants(workspace: Workspace) -> Iterator[Finding]:
    """What `ocm init` puts into the files of each assistant."""
    found = present(workspace, ())
    for assistant in CONFIGURED:
        if assistant not in found:
            yield _of(assistant, f"{assistant.title} is not in use here")
        elif workspace.repository.work_tree is None:
            what = f"{assistant.title} is configured in work trees; this is none"
            yield _of(assistant, what, Grade.NOTE)
        else:
            yield from _entries(workspace, assistant)
    for other in others(workspace):
        yield Finding(
            code=Code.ASSISTANT,
            grade=Grade.NOTE,
            about=other.command,
            what=f"{other.title} is here, and has to be told by hand",
            mend=other.how.format(ocm="ocm"),
        )


def heard(workspace: Workspace) -> Iterator[Finding]:
    """When each assistant's hooks last wrote something: whether they are live."""
    lately, now = heard_lately(workspace), workspace.now()
    by_hooks, by_server = dict(lately.by_hooks), lately.by_server
    where = "here" if is_active(workspace) else _AT_THE_TOP
    for assistant in present(workspace, ()):
        at = by_hooks.pop(assistant.name, None)
        saved = by_server.get(assistant.name)
        if saved and (at is None or saved > at):
            what = f"saved {_ago(saved, now)} and its hooks did not"
            yield _silent(assistant, what, where)
        elif at:
            what = f"{assistant.title}: last heard of {_ago(at, now)}"
            yield Finding(code=Code.HEARD, about=assistant.name, what=what)
        else:
            what = "has not been heard of yet"
            yield _silent(assistant, what, where, Grade.NOTE)
    for tool, at in by_hooks.items():
        what = f"{tool}: last heard of {_ago(at, now)}"
        yield Finding(code=Code.HEARD, about=tool, what=what)


def _of(assistant: Configured, what: str, grade: Grade = Grade.OK) -> Finding:
    return Finding(code=Code.ASSISTANT, grade=grade, about=assistant.name, what=what)


def _entries(workspace: Workspace, assistant: Configured) -> Iterator[Finding]:
    for result in foresee(planned(workspace, [assistant.name]).steps):
        for target in assistant.targets:
            if path := _path_in(result.step.what, target):
                code, entries = _kind(target)
                grade, state, mend = _state(result, path)
                yield Finding(
                    code=code,
                    grade=grade,
                    about=assistant.name,
                    what=f"{assistant.title}: {entries} in {path}{state}",
                    where=str(workspace.root / path),
                    mend=mend,
                )
    if assistant.name in _NEVER_RUN:
        what = f"{assistant.title}: made after its documents, and never run with it"
        yield _of(assistant, what, Grade.NOTE)


def _path_in(what: str, target: Target) -> str:
    """The file that a step for the target is about; nothing where it is another's."""
    before, _, after = target.what.partition("{path}")
    is_one = what.startswith(before) and what.endswith(after)
    return what.removeprefix(before).removesuffix(after) if is_one else ""


def _kind(target: Target) -> tuple[Code, str]:
    match target.content:
        case Server():
            return Code.MCP_ENTRY, "MCP server"
        case Hooks():
            return Code.HOOK_ENTRIES, "hooks"
    return Code.RULES, "rules"


def _state(result: Result, path: str) -> tuple[Grade, str, str]:
    """How grave it is, what follows the name of the file, and the way to mend it."""
    reason = result.reason.removeprefix(path).removeprefix(":").strip()
    match result.outcome:
        case Outcome.ALREADY:
            return Grade.OK, "", ""
        case Outcome.FAILED:
            return Grade.PROBLEM, f": {reason}", "Mend the file, then run `ocm init`."
        case Outcome.SKIPPED:
            return Grade.NOTE, f": {reason}", result.step.advice
    is_there = any(
        has_ours(change.path.name, (change.before or b"").decode("utf-8", "replace"))
        for change in result.step.changes
    )
    state = ": not as this version has it" if is_there else ": not there"
    return Grade.WARNING, state, INIT


def _silent(
    assistant: Configured, what: str, where: str, grade: Grade = Grade.WARNING
) -> Finding:
    return Finding(
        code=Code.HEARD,
        grade=grade,
        about=assistant.name,
        what=f"{assistant.title} {what}",
        mend=f"Start it {where}, and ask it something.",
    )


@dataclass(frozen=True, slots=True)
class Heard:
    """What the last journals have of assistants, by their names."""

    by_hooks: dict[str, datetime] = field(default_factory=dict)
    """The newest event of each."""
    by_server: dict[str, datetime] = field(default_factory=dict)
    """The newest checkpoint of each without any event."""
    saved: set[str] = field(default_factory=set)
    """Those that saved themselves."""


def heard_lately(workspace: Workspace) -> Heard:
    heard, journal = Heard(), workspace.store.journal
    for name in islice(journal.newest_first(), RECENT):
        lines = journal.lines(name)
        events = events_in(lines)
        seen = [each for each in events if not isinstance(each, Committed)]
        if is_unhooked(reversed(events)):
            seen = []
        for event in seen:
            _keep_newest(heard.by_hooks, event.tool, event.at)
        for record in _records(lines):
            if record.checkpoint.trigger is Trigger.MANUAL:
                heard.saved.add(record.tool)
            if not seen:
                _keep_newest(heard.by_server, record.tool, record.checkpoint.at)
    return heard


def _keep_newest(times: dict[str, datetime], tool: str, at: datetime) -> None:
    times[tool] = max(at, times.get(tool, at))


def _records(lines: Sequence[str]) -> Iterator[Record]:
    for line in lines:
        with suppress(FormatTooNew):
            if record := records.from_json(line):
                yield record


def _ago(then: datetime, now: datetime) -> str:
    gone = max(now - then, timedelta(0))
    for unit, name in (
        (timedelta(days=1), "day"),
        (timedelta(hours=1), "hour"),
        (timedelta(minutes=1), "minute"),
    ):
        if count := gone // unit:
            return f"{counted(count, name)} ago"
    return "just now"
