"""`ocm restore`: bring back sessions that vanished."""

from collections.abc import Sequence
from typing import Any

from gitmem.actions.restoring import (
    Candidates,
    candidates,
    candidates_named,
    goals_of,
)
from gitmem.actions.restoring import restore as bring_back
from gitmem.cli import output
from gitmem.cli.options import (
    DRY_RUN,
    YES,
    argument,
    flag,
    goes_ahead,
    moment,
    option,
)
from gitmem.cli.output import FAINT, GOOD, hint
from gitmem.errors import InvalidInput
from gitmem.store.trees.lost_sessions import Lost
from gitmem.text.counting import counted
from gitmem.text.markdown import line
from gitmem.workspace import Workspace, current_workspace

_FROM = {
    "history": "from earlier commits",
    "backup": "from a backup",
    "reflog": "from where the ref was",
    "objects": "from unreferenced objects",
    "journal": "from the journal",
}


def restore(
    names: list[str] | None = argument(
        "SESSION",
        "Ids, unique beginnings of them, or slugs; also of forgotten sessions.",
    ),
    before: str | None = option(
        "--before TIME",
        "All that the memory had before, such as yesterday or 2026-01-31T14:00.",
    ),
    forgotten: bool = flag(
        "--forgotten",
        "Also what was forgotten in other clones. What was forgotten here comes"
        " back by its name alone.",
    ),
    yes: bool = YES,
    dry_run: bool = DRY_RUN,
) -> None:
    """Bring back sessions that vanished from the memory.

    Without a session or a time it lists what can be brought back. Earlier documents are
    put together with what is there; the next sync takes them to other clones.
    """
    if names and (before or forgotten):
        raise InvalidInput("--before and --forgotten cannot be combined with SESSION.")
    workspace = current_workspace()
    if names:
        found = candidates_named(workspace, names)
    else:
        at = moment(workspace, before) if before else None
        found = candidates(workspace, at, with_forgotten=forgotten)
    goals = goals_of(workspace, found.lost)
    lost = [_as_json(*each) for each in zip(found.lost, goals, strict=True)]
    for each in lost:
        _say(each)
    is_asked, restored = bool(names or before), list[str]()
    question = f"Restore {counted(len(lost), 'session')}?"
    if is_asked and lost and goes_ahead(question, "restore", yes=yes, dry_run=dry_run):
        restored = bring_back(workspace, found.lost)
    said = {"lost": lost, "restored": restored, "forgotten": found.forgotten}
    output.say_json({**said, "dry_run": dry_run})
    _say_outcome(workspace, found, restored, is_asked=is_asked)


def _as_json(lost: Lost, goal: str) -> dict[str, Any]:
    return {
        "session_id": lost.session_id,
        "goal": line(goal),
        "date": lost.session_id[:10],
        "from": lost.source,
        "here": lost.is_here,
        "forgotten": lost.is_forgotten,
    }


def _say(lost: dict[str, Any]) -> None:
    facts = [_FROM[lost["from"]]]
    facts += ["in part"] * lost["here"] + ["forgotten"] * lost["forgotten"]
    source = (", ".join(facts), FAINT)
    output.say_session(lost["session_id"], [source], lost["goal"])


def _say_outcome(
    workspace: Workspace, found: Candidates, restored: Sequence[str], *, is_asked: bool
) -> None:
    if restored:
        output.say((f"\nRestored: {counted(len(restored), 'session')}.", GOOD))
        if workspace.chosen:
            hint("`ocm sync` takes them to other clones.")
    elif not found.lost:
        known = "it had then" if is_asked else "is found here"
        output.say((f"The memory has everything that {known}.", GOOD))
    elif is_asked:
        output.say("\nNothing was restored.")
    else:
        hint(
            "`ocm restore SESSION...` or `ocm restore --before TIME` brings them back."
        )
    if found.forgotten:
        what = counted(found.forgotten, "session")
        hint(f"Left out: {what} forgotten in other clones; see `--forgotten`.")
