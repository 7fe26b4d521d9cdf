"""`ocm brief`, `context`, `resume` and `handoff`: how work goes on."""

import os
import shlex
import shutil
import sys
from dataclasses import asdict
from pathlib import Path

from gitmem.actions.context import build
from gitmem.actions.context.brief import Brief
from gitmem.actions.context.page import PageSection
from gitmem.actions.context.resumption import Resumption, hand_over, resumption
from gitmem.assistants.known import UNKNOWN
from gitmem.cli import output
from gitmem.cli.opening import current_workspace
from gitmem.cli.options import (
    MAYBE_SESSION,
    argument,
    complete_tool,
    flag,
    option,
    path_in,
    session_option,
)
from gitmem.errors import Unavailable
from gitmem.text.counting import CONTEXT_BUDGET

_OFF = """\
The brief is turned off: `git config ocm.brief.budget` says 0.
`git config ocm.brief.budget 800` turns it on."""
_COST = """\
About {tokens:,} tokens of {budget:,}, {characters:,} characters: {parts}.
`git config ocm.brief.budget N` sets the budget, 0 turns the brief off."""


def brief(
    session: str | None = session_option(
        "What this session would be told when it goes on."
    ),
) -> None:
    """Show what a new conversation is told, and its cost."""
    workspace = current_workspace()
    if session:
        new_brief = build.brief_on_resume(workspace, session)
    else:
        new_brief = build.brief(workspace, None, UNKNOWN)
    output.say_json({"characters": len(new_brief.text), **asdict(new_brief)})
    output.say_raw(new_brief.text)
    output.note(_cost(new_brief))


def _cost(new_brief: Brief) -> str:
    if not new_brief.text:
        return _OFF
    return _COST.format(
        tokens=new_brief.tokens,
        budget=new_brief.budget,
        characters=len(new_brief.text),
        parts=", ".join(map(_part, new_brief.parts)),
    )


def _part(part: PageSection) -> str:
    left_out = f" ({part.left_out} rows left out)" if part.left_out else ""
    return f"{part.name} {part.tokens}{left_out}"


def context(  # noqa: PLR0913 - its options
    task: list[str] | None = argument("TASK", "What is to be done, or a question."),
    *,
    file: list[str] | None = option("--file -f PATH", "A file at hand; repeatable."),
    budget: int = option("--budget N", "Tokens at most.", default=CONTEXT_BUDGET),
    timeline: bool = flag("--timeline", "Only the sessions before and after."),
    around: str | None = option("--around SESSION", "Before and after this session."),
    state: bool = flag("--state", "Only where the branch stands."),
    log: bool = flag("--log", "What the conversation of a session was told."),
) -> None:
    """Tell what a task needs, within a budget.

    For example: ocm context retry failed payments --file src/retry.py
    With --log, TASK names the session, as for `ocm show`; it is the last one else.
    """
    if log:
        _say_log(" ".join(task or ["last"]))
        return
    from gitmem.actions.context import context as of_task
    from gitmem.actions.context.task import ContextRequest

    workspace = current_workspace()
    files = [path_in(workspace, path) for path in file or ()]
    parts = ["state"] * state + ["timeline"] * bool(timeline or around)
    request = ContextRequest(" ".join(task or ()), files, budget, parts, around or "")
    task_context = of_task.context(workspace, request)
    output.say_json(of_task.of_context(task_context))
    output.say_raw(task_context.text)
    left_out = f", {task_context.left_out} left out" if task_context.left_out else ""
    output.note(
        f"About {task_context.tokens:,} tokens of {task_context.budget:,}{left_out}."
    )


def _say_log(session: str) -> None:
    from gitmem.actions.context.log import deliveries

    workspace = current_workspace()
    log = deliveries(workspace, session)
    rows = [asdict(delivery) for delivery in log]
    for row in rows:
        row["where"] = row.pop("occasion")
    output.say_json(rows)
    for delivery in log:
        about = f" {output.one_line(delivery.path)}" if delivery.path else ""
        time = f"{workspace.local(delivery.at):%Y-%m-%d %H:%M}"
        text = f"{delivery.occasion}{about}, {delivery.tokens} tokens"
        output.say((time, output.FAINT), f"  {text}")
        for id_ in delivery.ids:
            mark = ", its file was edited" if id_ in delivery.touched else ""
            output.say_whole("  ", (id_, output.ID), mark)
    if not log:
        output.note("The conversation was told nothing in the last 90 days.")


def resume(
    session: str | None = MAYBE_SESSION,
    is_run: bool = flag("--run", "Start it here and now."),
) -> None:
    """Print the command that goes on with a session.

    It is the assistant's own, such as `claude --resume ID`, and goes on with the very
    conversation.
    """
    how_to_resume = resumption(current_workspace(), session)
    if is_run:
        _start(how_to_resume)
        return
    output.say_json(asdict(how_to_resume))
    output.say_whole(_line(how_to_resume))


def _start(how_to_resume: Resumption) -> None:
    """Become the client, in the folder of the conversation; no shell is asked."""
    program = shutil.which(how_to_resume.command[0])
    if program is None:
        raise Unavailable(
            f"There is no `{how_to_resume.command[0]}` on the PATH.",
            hint=f"Where it is installed: {_line(how_to_resume)}",
        )
    program = str(Path(program).absolute())  # a PATH may have relative folders
    os.chdir(how_to_resume.folder)
    sys.stdout.flush()
    os.execv(program, how_to_resume.command)  # noqa: S606 - arguments of a known form


def _line(how_to_resume: Resumption) -> str:
    """For a shell, with the folder where that is another one than here."""
    command = shlex.join(how_to_resume.command)
    if how_to_resume.folder.resolve() == Path.cwd():
        return command
    return f"cd {shlex.quote(str(how_to_resume.folder))} && {command}"


def handoff(
    to: str = option(
        "--to ASSISTANT",
        "Who goes on with it, such as codex or claude-code.",
        default=...,
        autocompletion=complete_tool,
    ),
    session: str | None = MAYBE_SESSION,
) -> None:
    """Print what another assistant needs to go on.

    Without SESSION that may be one that is still running. The conversation that is
    given the text is noted to go on from it.
    """
    handed = hand_over(current_workspace(), session, to)
    output.say_json(asdict(handed))
    output.say_raw(handed.text)
    if handed.command:
        prompt = f'"$(ocm handoff {handed.session_id} --to {handed.to})"'
        output.note_whole(f"Start it with: {shlex.join(handed.command[:-1])} {prompt}")
    else:
        output.note_whole(f"Give {handed.to} this text as its first prompt.")
