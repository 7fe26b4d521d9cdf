"""`ocm restore`: bring back what vanished from the memory."""

from collections.abc import Sequence
from typing import Any

import typer

from gitmem.actions.restoring import (
    candidates,
    candidates_named,
    goals_of,
)
from gitmem.actions.restoring import restore as bring_back
from gitmem.actions.restoring_refs import give_up, may_restore_secrets, restore_refs
from gitmem.cli import output
from gitmem.cli.options import (
    DRY_RUN,
    YES,
    argument,
    can_ask,
    flag,
    require_answer,
)
from gitmem.cli.output import FAINT, GOOD, hint
from gitmem.documents.kinds import SESSION
from gitmem.errors import InvalidInput
from gitmem.store.trees.lost_sessions import Lost
from gitmem.store.trees.ref_losses import RefLoss, ref_losses
from gitmem.text.counting import counted
from gitmem.text.markdown import line
from gitmem.workspace import Workspace, current_workspace

_FROM = {
    "history": "from earlier commits",
    "backup": "from a backup",
    "reflog": "from where the ref was",
    "journal": "from the journal",
}


def restore(
    names: list[str] | None = argument(
        "SESSION",
        "Ids, unique beginnings of them, or slugs; also of forgotten sessions.",
    ),
    forgotten: bool = flag(
        "--forgotten",
        "Also what was forgotten in other clones. What was forgotten here comes"
        " back by its name alone.",
    ),
    yes: bool = YES,
    dry_run: bool = DRY_RUN,
) -> None:
    """Bring back what vanished from the memory.

    Without a session it names what other programs took from the memory, and what can
    be restored, and asks once. Earlier documents are joined with what is there; the
    next sync takes them to other clones.
    """
    if names and forgotten:
        raise InvalidInput("--forgotten cannot be combined with SESSION.")
    workspace, is_named = current_workspace(), bool(names)
    losses = [] if is_named else ref_losses(workspace.repository)
    if names:
        restorable = candidates_named(workspace, names)
    else:
        restorable = candidates(workspace, with_forgotten=forgotten)
    dropped = {item for loss in losses for item in loss.dropped}
    sessions = [lost for lost in restorable.lost if lost.session_id not in dropped]
    refs, listing = [*map(_listed_ref, losses)], _list_sessions(workspace, sessions)
    restored = list[str]()
    if (losses or sessions) and not dry_run:
        restored = _restored(workspace, losses, sessions, is_named=is_named, yes=yes)
    outcome = {
        "restored": restored,
        "forgotten": restorable.forgotten,
        "dry_run": dry_run,
    }
    output.say_json({"refs": refs, "lost": listing, **outcome})
    if not (losses or sessions):
        output.say(("The memory has everything that is found here.", GOOD))
    elif not restored:
        output.say("\nNothing was restored.")
        hint("`ocm restore --yes` restores all of it, `ocm restore SESSION...` some.")
    else:
        _say_restored(workspace, restored)
    if restorable.forgotten:
        summary = counted(restorable.forgotten, "session")
        hint(f"Left out: {summary} forgotten in other clones; see `--forgotten`.")


def _say_restored(workspace: Workspace, restored: Sequence[str]) -> None:
    noun = "session" if all(map(SESSION.is_id, restored)) else "document"
    output.say((f"\nRestored: {counted(len(restored), noun)}.", GOOD))
    if workspace.chosen:
        hint("`ocm sync` takes them to other clones.")


def _listed_ref(loss: RefLoss) -> dict[str, Any]:
    """Say what a ref lost, and return it for JSON."""
    output.say(f"{loss}.")
    dropped, changed = list(loss.dropped), list(loss.replaced)
    return {"ref": loss.ref, "gone": dropped, "changed": changed}


def _list_sessions(
    workspace: Workspace, sessions: Sequence[Lost]
) -> list[dict[str, Any]]:
    """Name the sessions that can be restored, and return them for JSON."""
    goals = goals_of(workspace, sessions)
    for lost, goal in zip(sessions, goals, strict=True):
        facts = [_FROM[lost.source]]
        facts += ["in part"] * lost.is_here + ["forgotten"] * lost.is_forgotten
        output.say_session(lost.session_id, [(", ".join(facts), FAINT)], line(goal))
    return [
        {
            "session_id": lost.session_id,
            "goal": line(goal),
            "date": lost.session_id[:10],
            "from": lost.source,
            "here": lost.is_here,
            "forgotten": lost.is_forgotten,
        }
        for lost, goal in zip(sessions, goals, strict=True)
    ]


def _restored(
    workspace: Workspace,
    losses: Sequence[RefLoss],
    sessions: Sequence[Lost],
    *,
    is_named: bool,
    yes: bool,
) -> list[str]:
    """Restore what the user agrees to, and return the ids.

    Where nobody can be asked, refs that are gone as a whole are restored, as the
    command says so. What was taken out of them may be a secret, and needs `--yes`.
    """
    counts = [(len(losses), "ref"), (len(sessions), "session")]
    summary = " and ".join(counted(*count) for count in counts if count[0])
    if is_named:
        require_answer("restore", yes=yes, dry_run=False)
    elif not (yes or can_ask()):
        losses = [] if may_restore_secrets(workspace, losses) else losses
        sessions, yes = [], True
    if not yes and not typer.confirm(f"Restore {summary}?", err=True):
        give_up(workspace, losses)
        raise typer.Abort
    return [*restore_refs(workspace, losses), *bring_back(workspace, sessions)]
