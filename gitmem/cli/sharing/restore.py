"""`ocm restore`: sessions that the memory had and lacks, brought back."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gitmem.cli import output
from gitmem.cli.options import Json, require_yes
from gitmem.cli.output import FAINT, GOOD, HINT, ID
from gitmem.cli.times import moment
from gitmem.errors import InvalidInput
from gitmem.text.counting import counted

if TYPE_CHECKING:
    from gitmem.actions.restoring.candidates import Candidates
    from gitmem.store.trees.lost_sessions import Lost
    from gitmem.workspace import Workspace

Names = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SESSION",
        help="Ids, unique beginnings of them, or slugs; also of forgotten sessions.",
        show_default=False,
    ),
]
Before = Annotated[
    str | None,
    typer.Option(
        metavar="TIME",
        help="All that the memory had before, such as yesterday or 2026-01-31T14:00.",
        show_default=False,
    ),
]
Forgotten = Annotated[
    bool,
    typer.Option(
        "--forgotten",
        help="Also what was forgotten in other clones. What was forgotten here comes"
        " back by its name alone.",
    ),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Show what would come back; do nothing.")
]

_FROM = {
    "history": "from earlier commits",
    "backup": "from a backup",
    "reflog": "from where the ref was",
    "objects": "from objects that nothing leads to",
    "journal": "from the journal",
}


def restore(
    names: Names = None,
    before: Before = None,
    forgotten: Forgotten = False,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Bring back sessions that vanished from the memory.

    Without a session or a time it lists what can be brought back. Earlier documents are
    put together with what is there; the next sync takes them to other clones.
    """
    from gitmem.workspace import current_workspace

    if names and (before or forgotten):
        raise InvalidInput("--before and --forgotten are for what nobody names.")
    workspace = current_workspace()
    found = _found(workspace, names, before, with_forgotten=forgotten)
    told = _told(workspace, found.lost)
    if not as_json:
        _show(told)
    is_asked = bool(names or before)
    restored: list[str] = []
    if is_asked and told and not dry_run:
        restored = _restored(workspace, found.lost, yes=yes, may_ask=not as_json)
    if as_json:
        output.say_json(
            {
                "lost": told,
                "restored": restored,
                "forgotten": found.forgotten,
                "dry_run": dry_run,
            }
        )
    else:
        _say(workspace, found, restored, is_asked=is_asked)


def _found(
    workspace: "Workspace",
    names: list[str] | None,
    before: str | None,
    *,
    with_forgotten: bool,
) -> "Candidates":
    from gitmem.actions.restoring import candidates as action

    if names:
        return action.candidates_named(workspace, names)
    if before:
        at = moment(workspace, before)
        return action.candidates_before(workspace, at, with_forgotten=with_forgotten)
    return action.candidates(workspace, with_forgotten=with_forgotten)


def _told(workspace: "Workspace", lost: Sequence["Lost"]) -> list[dict[str, Any]]:
    from gitmem.actions.restoring.restore import goals_of
    from gitmem.text.markdown import line

    return [
        {
            "session_id": each.session_id,
            "goal": line(goal),
            "date": each.session_id[:10],
            "from": each.source,
            "here": each.is_here,
            "forgotten": each.is_forgotten,
        }
        for each, goal in zip(lost, goals_of(workspace, lost), strict=True)
    ]


def _show(told: Sequence[dict[str, Any]]) -> None:
    for each in told:
        output.say_whole((each["session_id"], ID))
        facts = [_FROM[each["from"]]]
        facts += ["in part"] * each["here"]
        facts += ["forgotten"] * each["forgotten"]
        output.say_whole("  ", (", ".join(facts), FAINT))
        output.say_indented("  ", output.one_line(each["goal"]) or "(no goal)")


def _restored(
    workspace: "Workspace", chosen: Sequence["Lost"], *, yes: bool, may_ask: bool
) -> list[str]:
    from gitmem.actions.restoring.restore import restore as bring_back

    if not yes:
        question = f"Restore {counted(len(chosen), 'session')}?"
        require_yes(question, "Restoring", "restore", is_possible=may_ask)
    return bring_back(workspace, chosen)


def _say(
    workspace: "Workspace",
    found: "Candidates",
    restored: Sequence[str],
    *,
    is_asked: bool,
) -> None:
    if restored:
        output.say((f"\nRestored: {counted(len(restored), 'session')}.", GOOD))
        if workspace.chosen:
            output.note(("hint:", HINT), " `ocm sync` takes them to other clones.")
    elif not found.lost:
        known = "it had then" if is_asked else "anything here has"
        output.say((f"The memory lacks nothing that {known}.", GOOD))
    elif is_asked:
        output.say("\nNothing was restored.")
    else:
        how = "`ocm restore SESSION...` or `ocm restore --before TIME`"
        output.note(("hint:", HINT), f" {how} brings them back.")
    if found.forgotten:
        what = counted(found.forgotten, "session")
        left_out = f"Left out: {what} forgotten in other clones"
        output.note(("hint:", HINT), f" {left_out}; see `--forgotten`.")
