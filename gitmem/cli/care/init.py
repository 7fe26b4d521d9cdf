"""`ocm init`: make this repository known, tell its assistants, and say what is left."""

import shlex
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gitmem.cli.care.init_offers import (
    history_json,
    offer_to_import,
    offer_to_share,
    sharing_json,
)
from gitmem.cli.options import Json
from gitmem.cli.output import PATH, say, say_json, say_whole
from gitmem.cli.steps import DryRun, carried_out, has_failed, steps_json
from gitmem.errors import InvalidInput
from gitmem.resources import resource

if TYPE_CHECKING:
    from gitmem.actions.installing.install import Plan
    from gitmem.actions.installing.plan import Result
    from gitmem.actions.installing.user_settings import Scope
    from gitmem.workspace import Workspace

Assistants = Annotated[
    list[str] | None,
    typer.Option(
        "--assistant",
        metavar="NAME",
        help="Configure this one and no others, found or not; may be repeated.",
        show_default=False,
    ),
]
Local = Annotated[
    bool | None,
    typer.Option(
        "--local/--shared",
        help="Keep all of it out of files that git tracks, or share it. [as last time]",
        show_default=False,
    ),
]
User = Annotated[
    bool | None,
    typer.Option(
        "--user/--project",
        help="Put it into your own settings, for all work trees and folders of this"
        " repository, or into files of this work tree. [as last time]",
        show_default=False,
    ),
]
AllRepositories = Annotated[
    bool,
    typer.Option(
        "--all-repositories", help="With --user: for every repository of yours."
    ),
]
Share = Annotated[
    bool,
    typer.Option("--share", help="Share the memory with the remote, without asking."),
]
AllowTools = Annotated[
    bool,
    typer.Option(
        "--allow-tools",
        help="Let Claude Code run gitmem's tools without asking each time.",
    ),
]
Yes = Annotated[
    bool,
    typer.Option(
        "--yes",
        "-y",
        help="Allow the tools, and import earlier conversations, without asking.",
    ),
]


def init(  # noqa: PLR0913 - each is an option of the command line
    *,
    assistant: Assistants = None,
    user: User = None,
    all_repositories: AllRepositories = False,
    local: Local = None,
    share: Share = False,
    allow_tools: AllowTools = False,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Connect this repository and its assistants to gitmem.

    It may be run again at any time: what is so already stays as it is. `ocm uninstall`
    brings every file back as it was. What assistants keep of earlier conversations is
    offered to be imported; a memory that others share at the remote, to be taken part
    in.
    """
    from gitmem.actions.installing.install import planned
    from gitmem.workspace import current_workspace

    workspace, ocm = current_workspace(), str(_own_path())
    root = workspace.root
    may_ask = sys.stdin.isatty() and not (as_json or dry_run)
    wanted = partial(
        planned,
        workspace,
        assistant or (),
        is_local=local,
        scope=_scope(user, local, all_repositories, may_ask=may_ask and not yes),
        ocm=shlex.quote(ocm),
    )
    plan = wanted(allows_tools=allow_tools)
    if plan.asked_about and (yes or (may_ask and _agrees(plan))):
        plan = wanted(allows_tools=True)
    title = f"Plan for {root}: {_names(plan)}"
    results = carried_out(plan.steps, title, root, is_dry=dry_run, in_silence=as_json)
    if as_json:
        is_shared = share and not has_failed(results)
        sharing = sharing_json(workspace, is_wanted=is_shared, is_dry=dry_run)
        history = history_json(workspace)
        done = _told(workspace, plan, results, ocm)
        say_json({**done, "sharing": sharing, "history": history})
    else:
        _say_what_is(plan, workspace, results, shlex.quote(ocm))
        if not has_failed(results):
            offer_to_share(workspace, is_wanted=share, is_dry=dry_run)
            offer_to_import(workspace, is_dry=dry_run, yes=yes)
    if has_failed(results):
        raise typer.Exit(1)


def _scope(
    user: bool | None, local: bool | None, is_for_all: bool, *, may_ask: bool
) -> "Scope | None":
    from gitmem.actions.installing.user_settings import Scope

    if (is_for_all and not user) or (user and local is not None):
        raise InvalidInput(
            "`--all-repositories` goes with `--user`, which goes without `--local`"
            " and `--shared`."
        )
    if not user:
        return None if user is None and local is None else Scope.WORK_TREE
    question = "Serve all your repositories, and not this one alone?"
    if is_for_all or (may_ask and typer.confirm(question, err=True)):
        return Scope.ALL
    return Scope.REPOSITORY


def _agrees(plan: "Plan") -> bool:
    say_whole("gitmem's tools for Claude Code: ", ", ".join(plan.asked_about), ".")
    say("They save and read this memory, and forget nothing. A rule in your own")
    say((plan.rules_in, PATH), " lets each of them run without a question.")
    return typer.confirm("Add these rules?", default=True, err=True)


def _told(
    workspace: "Workspace", plan: "Plan", results: Sequence["Result"], ocm: str
) -> dict[str, Any]:
    """What was done, for programs, and where they find what users are told of."""
    from gitmem.actions.installing.present import form_of

    form = form_of(workspace)
    return {
        "project": workspace.project,
        "root": str(workspace.root),
        "assistants": [each.name for each in plan.assistants],
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


def _names(plan: "Plan") -> str:
    return " and ".join(each.title for each in plan.assistants) or "no assistant"


def _say_what_is(
    plan: "Plan", workspace: "Workspace", results: Sequence["Result"], ocm: str
) -> None:
    """What is active now, unless nothing was done; and what the user may do next."""
    from gitmem.actions.installing.present import form_of

    outcomes, words = {each.outcome for each in results}, form_of(workspace).words
    if "planned" not in outcomes:
        say("\n", words[0].upper(), words[1:], ".")
    if not outcomes.isdisjoint(("done", "planned")):
        _say_what_next(plan, ocm, workspace.repository.work_tree)


def _say_what_next(plan: "Plan", ocm: str, work_tree: Path | None) -> None:
    say()
    for assistant in plan.assistants if plan.has_files else ():
        if assistant.asks:
            say(assistant.asks)
    if plan.asked_about:
        say("Claude Code asks before it runs gitmem's tools. To let them run:")
        say_whole("  ", ("ocm init --allow-tools", PATH))
    if work_tree and not plan.assistants:
        say("No assistant that can be configured was found. To name one all the same:")
        say_whole("  ", ("ocm init --assistant claude-code", PATH), " (or cursor)")
    if plan.by_hand:
        say("Assistants that have to be told by hand where the memory is:")
    for each in plan.by_hand:
        say_whole(f"  {each.title}: ", (each.by_hand.format(ocm=ocm), PATH))
    say("The sessions that are saved are shown by `ocm list`.")


def _own_path() -> Path:
    """The `ocm` that runs: assistants rarely have the PATH of the user's shell."""
    started = Path(sys.argv[0]).absolute()
    beside = started.with_name("ocm")
    return beside if beside.exists() else started
