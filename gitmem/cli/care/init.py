"""`ocm init`: connect the repository and its assistants."""

import shlex
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import typer
from rich.filesize import decimal

from gitmem.actions.importing.histories import NewTranscripts, importable_histories
from gitmem.actions.importing.import_transcripts import ImportRequest as WantedImport
from gitmem.actions.installing.earlier import removal
from gitmem.actions.installing.install import Plan, planned
from gitmem.actions.installing.plan import StepResult
from gitmem.actions.installing.present import form_of
from gitmem.actions.sharing.share_settings import (
    ShareRequest,
    decline,
    is_undecided,
    memory_there,
)
from gitmem.assistants.assistant import Assistant
from gitmem.assistants.known import CONFIGURED
from gitmem.assistants.readers import reader_title
from gitmem.cli.care.import_ import run
from gitmem.cli.care.init_plan import (
    agreed,
    agrees_once,
    chosen_scope,
    is_replaced,
    is_to_do,
    say_summary,
)
from gitmem.cli.opening import current_workspace
from gitmem.cli.options import DRY_RUN, VERBOSE, can_ask, flag, option
from gitmem.cli.output import PATH, is_json, note, say, say_json, say_whole
from gitmem.cli.sharing.begin_sharing import Declined, Manner, begin
from gitmem.cli.steps import carried_out, has_failed, steps_json
from gitmem.resources import resource
from gitmem.store.trees.session_tree import REF
from gitmem.text.counting import counted
from gitmem.workspace import Workspace

_SHARE = "ocm init --share"
_NAMES = [assistant.name for assistant in CONFIGURED]


def init(  # noqa: PLR0913 - each is an option of the command line
    *,
    assistant: list[str] | None = option(
        "--assistant NAME",
        "Configure this one and no others, found or not; may be repeated.",
        values=_NAMES,
    ),
    local: bool | None = option(
        "--local/--team",
        "For you, in files that git ignores; or for the team, in files to commit."
        " [as last time, --local at first]",
    ),
    user: bool = flag(
        "--user",
        "For you, in your own settings: all work trees and folders of this repository.",
    ),
    all_repositories: bool = flag(
        "--all-repositories", "With --user: for every repository of yours."
    ),
    share: bool = flag("--share", "Share the memory with the remote, without asking."),
    allow_tools: bool | None = option(
        "--allow-tools/--ask-tools",
        "Let Claude Code start the server and run gitmem's tools without asking.",
    ),
    replace: bool = flag(
        "--replace", "Take out the openCodeMemory of ocm-session-memory."
    ),
    yes: bool = flag(
        "--yes -y", "Allow the tools, and import earlier conversations, without asking."
    ),
    verbose: bool = VERBOSE,
    dry_run: bool = DRY_RUN,
) -> None:
    """Connect this repository and its assistants to gitmem.

    It shows its plan and asks. It may be run again at any time: what is so already
    stays as it is. `ocm uninstall` undoes it. What assistants keep of earlier
    conversations is offered to be imported; a memory that others share at the remote,
    to be taken part in.
    """
    workspace, ocm = current_workspace(), str(_own_path())
    root = workspace.root
    may_ask = can_ask() and not (dry_run or yes)
    scope = chosen_scope(
        local, is_user=user, is_for_all=all_repositories, may_ask=may_ask
    )
    make = partial(
        planned,
        workspace,
        assistant or (),
        allows_tools=yes or may_ask if allow_tools is None else allow_tools,
        ocm=shlex.quote(ocm),
        is_local=local,
        scope=scope,
    )
    plan = make()
    is_open = plan.is_first and scope is None
    say_summary(plan, workspace, is_new=is_open)
    earlier = removal(workspace)
    if earlier and not replace:
        replace = is_replaced(earlier, workspace, may_ask=may_ask)
    if may_ask and is_to_do(plan):
        make = agreed(make, workspace, is_open=is_open)
    if replace:
        carried_out(earlier, root, is_dry=dry_run, is_verbose=verbose)
    plan = make()
    results = carried_out(plan.steps, root, is_dry=dry_run, is_verbose=verbose)
    is_done = not has_failed(results)
    _say_what_is(plan, workspace, results)
    answer = _as_json(workspace, plan, results, ocm)
    if not is_done:
        say_json({**answer, "sharing": None, "history": []})
        raise typer.Exit(1)
    answer["sharing"] = _offer_to_share(workspace, is_wanted=share, is_dry=dry_run)
    histories = [*importable_histories(workspace)]
    say_json({**answer, "history": [*map(_history_json, histories)]})
    for history in histories:
        _offer_to_import(workspace, history, is_dry=dry_run, yes=yes)


def _own_path() -> Path:
    """Return the running `ocm`: assistants rarely have the user's PATH."""
    started = Path(sys.argv[0]).absolute()
    beside = started.with_name("ocm")
    return beside if beside.exists() else started


def _as_json(
    workspace: Workspace, plan: Plan, results: Sequence[StepResult], ocm: str
) -> dict[str, Any]:
    """Return what was done, and paths that programs need."""
    form = form_of(workspace)
    return {
        "project": workspace.project,
        "root": str(workspace.root),
        "assistants": [assistant.name for assistant in plan.assistants],
        "form": {
            "project": form.is_project,
            "user": form.is_user,
            "all": form.is_for_all,
        },
        "asked_about": plan.asked_about,
        "steps": steps_json(results, workspace.root),
        "server": [ocm, "serve"],
        "rules": str(resource("rules/opencodememory.md")),
        "hooks": str(resource("hooks")),
    }


def _say_what_is(
    plan: Plan, workspace: Workspace, results: Sequence[StepResult]
) -> None:
    """Print what is active now, and what to do next."""
    outcomes, words = {result.outcome for result in results}, form_of(workspace).words
    if "planned" not in outcomes:
        say("\n", words[0].upper(), words[1:], ".")
    if "failed" in outcomes:
        say("Not all of it could be done. Mend what failed, and run `ocm init` again.")
    elif not outcomes.isdisjoint(("done", "planned")):
        _say_what_next(plan, workspace.repository.work_tree)


def _say_what_next(plan: Plan, work_tree: Path | None) -> None:
    say()
    if plan.commits:
        say_whole("To commit it: ", (f"git add {shlex.join(plan.commits)}", PATH))
    for assistant in plan.assistants:
        _say_of(assistant, has_files=plan.form != "user")
    if plan.asked_about:
        say("Claude Code asks before it starts the server, where it suggests no, and")
        say("before it runs gitmem's tools. To agree:")
        say_whole("  ", ("ocm init --allow-tools", PATH))
    if work_tree and not plan.assistants:
        say("No assistant that can be configured was found. To name one all the same:")
        default, *alternatives = (assistant.name for assistant in CONFIGURED)
        alternatives_text = f" (or {', '.join(alternatives)})"
        say_whole("  ", (f"ocm init --assistant {default}", PATH), alternatives_text)
    if plan.assistants:
        say("Work as before: the next conversation is saved. `ocm list` shows it, and")
        say("`ocm doctor` whether everything works.")


def _say_of(assistant: Assistant, *, has_files: bool) -> None:
    if assistant.asks and has_files:
        say(assistant.asks)
    if assistant.asks_of_hooks:
        say(assistant.asks_of_hooks)
    if assistant.is_untried:
        say(f"{assistant.title} was never tried with gitmem, only read about.")


def _offer_to_share(
    workspace: Workspace, *, is_wanted: bool, is_dry: bool
) -> dict[str, Any] | None:
    """Share on request, at the ref where the remote has a memory already.

    Otherwise offer a memory at the remote.
    """
    if is_wanted:
        say()
        shared_memory = None if workspace.chosen else memory_there(workspace)
        return begin(
            workspace, shared_memory or ShareRequest(), Manner(yes=True, is_dry=is_dry)
        )
    shared_memory = memory_there(workspace) if is_undecided(workspace) else None
    if shared_memory is None:
        return None
    say_whole(f"\nThere is a memory at {shared_memory.name}.")
    if is_dry or not can_ask():
        say_whole("To take part in it: ", (_SHARE, PATH))
        return {
            "remote": shared_memory.name,
            "ref": shared_memory.ref or REF,
            "command": _SHARE,
        }
    try:
        return begin(workspace, shared_memory, Manner())
    except Declined:
        decline(workspace)
        note("You are not asked again; `ocm share on` takes part at any time.")
        return None


def _offer_to_import(
    workspace: Workspace, history: NewTranscripts, *, is_dry: bool, yes: bool
) -> None:
    """Import what the user agrees to, or print how."""
    if is_json():
        return
    say()
    described = _described(history, workspace.environment.user_home)
    about, question = history.reader.tool, f"Import {described}?"
    may_ask = can_ask() and not is_dry
    if (yes and not is_dry) or (may_ask and agrees_once(workspace, about, question)):
        run(workspace, WantedImport(reader=history.reader))
    else:
        say_whole(f"There are earlier conversations: {described}.")
        say_whole("To import them: ", (_command(history), PATH))
    if history.vanishing:
        name = reader_title(about)
        say(f"By default {name} deletes {history.vanishing:,} of them within a week.")


def _history_json(history: NewTranscripts) -> dict[str, Any]:
    return {
        "assistant": history.reader.tool,
        "transcripts": len(history.files),
        "bytes": history.size,
        "folder": str(history.folder),
        "vanishing": history.vanishing,
        "command": _command(history),
    }


def _described(history: NewTranscripts, home: Path) -> str:
    count = counted(len(history.files), "transcript")
    folder, size = history.folder, decimal(history.size)
    is_inside = folder.is_relative_to(home)
    place = f"~/{folder.relative_to(home)}" if is_inside else str(folder)
    return f"{count} of {reader_title(history.reader.tool)} ({size}) from {place}"


def _command(history: NewTranscripts) -> str:
    return f"ocm import {history.reader.tool}"
