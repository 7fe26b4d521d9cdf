"""`ocm forget`: sessions out of the memory, and kept out."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gitmem.cli import output
from gitmem.cli.options import Json, complete_session, require_yes
from gitmem.cli.output import FAINT, GOOD, HINT, ID
from gitmem.errors import InvalidInput
from gitmem.text.counting import counted

if TYPE_CHECKING:
    from gitmem.documents.session.session import Session
    from gitmem.workspace import Workspace

Names = Annotated[
    list[str],
    typer.Argument(
        metavar="SESSION",
        help="Ids, unique beginnings, slugs, the assistants' own ids, or `last`.",
        autocompletion=complete_session,
        show_default=False,
    ),
]
History = Annotated[
    bool,
    typer.Option(
        "--history",
        help="Rewrite earlier commits of the memory without them, also where it is"
        " shared.",
    ),
]
Item = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TEXT",
        help="Forget only the item of its lists that has, or alone contains, the text.",
    ),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Show what would be forgotten; do nothing.")
]


def forget(
    names: Names,
    *,
    history: History = False,
    item: Item = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Forget sessions, with all that repeats them.

    They stay forgotten, whatever their assistants still report, and in every clone
    that syncs. Earlier commits keep them unless `--history` is given.
    """
    from gitmem.actions.forgetting.forget import sessions_named
    from gitmem.actions.forgetting.remains import remains
    from gitmem.workspace import current_workspace

    workspace = current_workspace()
    sessions = sessions_named(workspace, names, from_history=history)
    if item:
        _forget_items(workspace, sessions, item, yes, dry_run, as_json)
        return
    told = [_told(workspace, each) for each in sessions]
    left = remains(workspace, from_history=history)
    if not as_json:
        _show(told)
    if not dry_run:
        if not yes:
            _ask(len(sessions), is_possible=not as_json, is_history=history)
        _forget(workspace, sessions, is_history=history)
    if as_json:
        output.say_json(
            {
                "forgotten": told,
                "history": history,
                "dry_run": dry_run,
                "remains": left,
            }
        )
    else:
        _say(len(sessions), left, is_dry=dry_run)


def _forget_items(
    workspace: "Workspace",
    sessions: Sequence["Session"],
    texts: Sequence[str],
    yes: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    from gitmem.actions.forgetting import forget as action

    if len(sessions) > 1:
        raise InvalidInput("--item is for one session.")
    [session] = sessions
    items = action.items_meant(session, texts)
    if not as_json:
        output.say_whole((session.id, ID))
        for each in items:
            output.say_indented("  ", output.one_line(each))
    if not dry_run:
        question = f"Forget {counted(len(items), 'item')}, for good?"
        if not yes:
            require_yes(question, "Forgetting", "forget", is_possible=not as_json)
        action.forget_items(workspace, session, items)
    if as_json:
        told = {"session_id": session.id, "items": items, "dry_run": dry_run}
        output.say_json(told)
    elif dry_run:
        output.say("\nNothing was forgotten.")
    else:
        output.say((f"Forgotten: {counted(len(items), 'item')}.", GOOD))
        output.say("Earlier commits still have it, and so may what was said.")


def _told(workspace: "Workspace", session: "Session") -> dict[str, Any]:
    from gitmem.actions.forgetting.forget import words_of
    from gitmem.text.markdown import line

    return {
        "session_id": session.id,
        "goal": line(session.goal),
        "date": session.started_at.date().isoformat(),
        "tool": session.tool,
        "author": line(session.author),
        "words": words_of(workspace, session),
    }


def _show(told: Sequence[dict[str, Any]]) -> None:
    for each in told:
        output.say_whole((each["session_id"], ID))
        author = f", {output.one_line(each['author'])}" if each["author"] else ""
        words = counted(each["words"], "word")
        output.say_whole(
            "  ", (f"{each['date']}, {each['tool']}{author}, {words}", FAINT)
        )
        output.say_indented("  ", output.one_line(each["goal"]) or "(no goal)")


def _ask(count: int, *, is_possible: bool, is_history: bool) -> None:
    what = counted(count, "session")
    where = " in all of the memory's history" if is_history else ""
    question = f"Forget {what}{where}, for good?"
    require_yes(question, "Forgetting", "forget", is_possible=is_possible)


def _forget(
    workspace: "Workspace", sessions: Sequence["Session"], *, is_history: bool
) -> None:
    from gitmem.actions.forgetting import forget as action
    from gitmem.cli.sharing.sync import line_to_remotes

    if not is_history:
        action.forget(workspace, sessions)
        return
    with line_to_remotes(workspace.environment) as line:
        action.forget_history(workspace, sessions, line)


def _say(count: int, left: Sequence[str], *, is_dry: bool) -> None:
    if is_dry:
        output.say("\nNothing was forgotten.")
        return
    output.say()
    output.say((f"Forgotten: {counted(count, 'session')}.", GOOD))
    output.say(("What remains:", HINT))
    for sentence in left:
        output.say_indented("  ", sentence)
