"""Checks of each assistant: what `ocm init` installs for it, and whether hooks run.

The plan of `ocm init` decides what should be installed. The journal shows which hooks
run. A client reads the settings of the folder that it is started in, so a work tree
whose branch lacks them has no memory.
"""

from collections.abc import Iterator
from dataclasses import field
from datetime import datetime, timedelta
from itertools import islice

from gitmem.actions.doctor.finding import INIT, Code, Finding, Grade, note, ok, warning
from gitmem.actions.installing.entries import has_ours
from gitmem.actions.installing.install import planned
from gitmem.actions.installing.plan import StepOutcome, StepResult, preview
from gitmem.actions.installing.present import (
    assistants_to_configure,
    form_of,
    has_files,
)
from gitmem.actions.installing.user_settings import is_active, serves
from gitmem.assistants.assistant import (
    Assistant,
    Hooks,
    Permission,
    Rules,
    Server,
    Skill,
    Target,
)
from gitmem.assistants.known import CONFIGURED
from gitmem.assistants.targets import skills_in
from gitmem.config import EVERYWHERE_SETTING, Environment
from gitmem.documents.event import Committed, Trigger
from gitmem.documents.event_log import events_in, is_unhooked
from gitmem.documents.session.record import records_in
from gitmem.frozen import frozen
from gitmem.git.config import is_on_for_all
from gitmem.text.counting import counted, shortlist
from gitmem.work_trees import work_trees
from gitmem.workspace import Workspace

_RECENT = 50
"""Journals to look at, the last written ones."""

_NAMED = 3
_AT_THE_TOP = "at the top of the work tree, where its settings are"


def everywhere(environment: Environment) -> Iterator[Finding]:
    """Say which repositories the user's own settings serve."""
    if serves(environment):
        is_for_all = is_on_for_all(EVERYWHERE_SETTING, environment.variables)
        whom = "every repository" if is_for_all else "repositories that said yes"
        yield ok(Code.REACH, f"your own settings serve {whom}")


def reach(workspace: Workspace) -> Iterator[Finding]:
    if workspace.repository.work_tree is None:
        return
    form = form_of(workspace)
    if form.is_project or form.is_user:
        yield ok(Code.REACH, form.words)
    else:
        yield note(Code.REACH, form.words, INIT)
    if not form.is_user:
        yield from _work_trees(workspace)


def entries(workspace: Workspace) -> Iterator[Finding]:
    """Compare the files of each assistant with the plan of `ocm init`."""
    assistants = assistants_to_configure(workspace, ())
    for assistant in CONFIGURED:
        if assistant not in assistants:
            message = f"{assistant.title} is not in use here"
            yield ok(Code.ASSISTANT, message, about=assistant.name)
        elif workspace.repository.work_tree is None:
            message = f"{assistant.title} is configured in work trees; this is none"
            yield note(Code.ASSISTANT, message, about=assistant.name)
        else:
            yield from _entries(workspace, assistant)


def last_signs(workspace: Workspace) -> Iterator[Finding]:
    """Say when hooks of each assistant last ran."""
    lately, now = recent_activity(workspace), workspace.now()
    by_hooks = dict(lately.by_hooks)
    place = "here" if is_active(workspace) else _AT_THE_TOP
    for assistant in assistants_to_configure(workspace, ()):
        remedy = f"Start it {place}, and ask it something. {assistant.shows}".strip()
        at = by_hooks.pop(assistant.name, None)
        saved = lately.by_server.get(assistant.name)
        if saved and (at is None or saved > at):
            message = (
                f"{assistant.title} saved {_ago(saved, now)} and its hooks did not"
            )
            yield warning(Code.HEARD, message, remedy, assistant.name)
        elif at:
            message = f"{assistant.title}: last heard of {_ago(at, now)}"
            yield ok(Code.HEARD, message, about=assistant.name)
        else:
            message = f"{assistant.title} has not been heard of yet"
            yield note(Code.HEARD, message, remedy, assistant.name)
        if at and assistant.shows and assistant.name not in lately.saved:
            message = f"{assistant.title} has not called our tools yet"
            yield note(Code.MCP_APPROVAL, message, assistant.shows, assistant.name)
    for tool, at in by_hooks.items():
        yield ok(Code.HEARD, f"{tool}: last heard of {_ago(at, now)}", about=tool)


@frozen
class AssistantActivity:
    """Assistants in the last journals, by name."""

    by_hooks: dict[str, datetime] = field(default_factory=dict)
    """The newest event of each."""
    by_server: dict[str, datetime] = field(default_factory=dict)
    """The newest checkpoint of each without any event."""
    saved: set[str] = field(default_factory=set)
    """Assistants that called our tool."""
    roots: set[str] = field(default_factory=set)
    """Work trees with events."""


def recent_activity(workspace: Workspace) -> AssistantActivity:
    activity, journal = AssistantActivity(), workspace.store.journal
    for name in islice(journal.newest_first(), _RECENT):
        lines = journal.lines(name)
        events = events_in(lines)
        activity.roots.update(event.root for event in events)
        hook_events = [event for event in events if not isinstance(event, Committed)]
        if is_unhooked(reversed(events)):
            hook_events = []
        for event in hook_events:
            _keep_newest(activity.by_hooks, event.tool, event.at)
        for record in records_in(lines):
            if record.checkpoint.trigger is Trigger.MANUAL:
                activity.saved.add(record.tool)
            if not hook_events:
                _keep_newest(activity.by_server, record.tool, record.checkpoint.at)
    return activity


def _work_trees(workspace: Workspace) -> Iterator[Finding]:
    """Find work trees without hooks where another one has them."""
    trees = [tree for tree in work_trees(workspace, []) if tree.repository.work_tree]
    lacking = [tree.root for tree in trees if not has_files(tree)]
    if lacking and len(lacking) < len(trees):
        roots = recent_activity(workspace).roots
        silent = [str(tree) for tree in lacking if str(tree.resolve()) not in roots]
        if silent:
            message = (
                f"assistants have no memory in {counted(len(silent), 'work tree')}"
                " without the files that `ocm init` wrote into another:"
                f" {shortlist(silent, _NAMED)}"
            )
            remedy = (
                "Run `ocm init --user` once, for all work trees and folders; or commit"
                " those files."
            )
            yield warning(Code.REACH, message, remedy, "work-trees")


def _entries(workspace: Workspace, assistant: Assistant) -> Iterator[Finding]:
    targets = [
        *assistant.targets,
        *assistant.user_targets,
        *skills_in(assistant.skills),
    ]
    for result in preview(planned(workspace, [assistant.name]).steps):
        for target in targets:
            path = _path_in(result.step.state, target)
            if path and not isinstance(target.content, Permission):
                yield from _entry(workspace, assistant, target, result, path)
    if assistant.is_untried:
        message = f"{assistant.title}: made after its documents, and never run with it"
        yield note(Code.ASSISTANT, message, about=assistant.name)


def _entry(
    workspace: Workspace,
    assistant: Assistant,
    target: Target,
    result: StepResult,
    path: str,
) -> Iterator[Finding]:
    code, kind = _kind(target)
    grade, state, remedy = _state(result, path)
    if kind == "command" and grade is Grade.OK:  # one of many
        return
    message = f"{assistant.title}: {kind} in {path}{state}"
    location = str(workspace.root / path)
    yield Finding(grade, code, message, remedy, assistant.name, location)


def _path_in(message: str, target: Target) -> str:
    """Return the file that a step for the target is about, else ""."""
    before, _, after = target.state.partition("{path}")
    is_same = message.startswith(before) and message.endswith(after)
    return message.removeprefix(before).removesuffix(after) if is_same else ""


def _kind(target: Target) -> tuple[Code, str]:
    match target.content:
        case Server():
            return Code.MCP_ENTRY, "MCP server"
        case Hooks():
            return Code.HOOK_ENTRIES, "hooks"
        case Rules(text=packaged) if packaged.startswith("hooks/"):
            return Code.HOOK_ENTRIES, "plugin"
        case Skill():
            return Code.RULES, "command"
    return Code.RULES, "rules"


def _state(result: StepResult, path: str) -> tuple[Grade, str, str]:
    """Return the grade, what follows the file name, and the remedy."""
    reason = result.reason.removeprefix(path).removeprefix(":").strip()
    match result.outcome:
        case StepOutcome.ALREADY:
            return Grade.OK, "", ""
        case StepOutcome.FAILED:
            return Grade.PROBLEM, f": {reason}", "Mend the file, then run `ocm init`."
        case StepOutcome.SKIPPED:
            return Grade.NOTE, f": {reason}", result.step.advice
    is_there = any(
        has_ours(change.path.name, (change.before or b"").decode("utf-8", "replace"))
        for change in result.step.changes
    )
    state = ": not as this version has it" if is_there else ": not there"
    return Grade.WARNING, state, INIT


def _keep_newest(times: dict[str, datetime], tool: str, at: datetime) -> None:
    times[tool] = max(at, times.get(tool, at))


def _ago(then: datetime, now: datetime) -> str:
    elapsed = max(now - then, timedelta(0))
    for name in ("day", "hour", "minute"):
        if count := elapsed // timedelta(**{f"{name}s": 1}):
            return f"{counted(count, name)} ago"
    return "just now"
