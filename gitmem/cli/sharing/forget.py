"""`ocm forget`: remove sessions from the memory for good."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from gitmem.actions import forgetting as action
from gitmem.actions.forgetting import remains
from gitmem.actions.remembering import named
from gitmem.cli import output
from gitmem.cli.options import (
    DRY_RUN,
    JSON,
    YES,
    argument,
    complete_session,
    flag,
    option,
    require_yes,
)
from gitmem.cli.output import FAINT, GOOD, HINT, ID
from gitmem.cli.sharing.notices import line_to_remotes
from gitmem.documents.kinds import SESSION
from gitmem.errors import InvalidInput, NotFound
from gitmem.text.counting import counted
from gitmem.text.markdown import line
from gitmem.workspace import Workspace, current_workspace

_NOTHING = "\nNothing was forgotten."


def forget(
    names: list[str] = argument(
        "NAME",
        "Ids, unique beginnings, slugs, the assistants' own ids, `last`; or memories.",
        autocompletion=complete_session,
        default=...,
    ),
    *,
    history: bool = flag(
        "--history",
        "Rewrite earlier commits of the memory without them, also where it is shared.",
    ),
    item: list[str] | None = option(
        "--item TEXT",
        "Forget only the item of its lists that has, or alone contains, the text.",
    ),
    yes: bool = YES,
    dry_run: bool = DRY_RUN,
    as_json: bool = JSON,
) -> None:
    """Forget sessions or memories, with all that repeats them.

    They stay forgotten, whatever their assistants still report, and in every clone
    that syncs. Earlier commits keep them unless `--history` is given.
    """
    workspace = current_workspace()
    if others := [*_beside_sessions(workspace, names)]:
        if len(others) < len(names) or item:
            raise InvalidInput("Forget sessions and memories one after the other.")
        _forget_others(others, history, yes, dry_run, as_json)
        return
    sessions = action.sessions_named(workspace, names, from_history=history)
    if item:
        _forget_items(workspace, sessions, item, yes, dry_run, as_json)
    else:
        _forget_sessions(workspace, sessions, history, yes, dry_run, as_json)


def _forget_sessions(
    workspace: Workspace,
    sessions: Sequence[Any],
    history: bool,
    yes: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    data = [_as_json(workspace, each) for each in sessions]
    left = remains(workspace, from_history=history)
    if not as_json:
        for each in data:
            _say(each)
    if not dry_run:
        where = " in all of the memory's history" if history else ""
        _ask(f"{counted(len(sessions), 'session')}{where}", yes, as_json)
        if history:
            with line_to_remotes(workspace.environment) as remote:
                action.forget_history(workspace, sessions, remote)
        else:
            action.forget(workspace, sessions)
    if as_json:
        said = {"forgotten": data, "history": history, "dry_run": dry_run}
        output.say_json({**said, "remains": left})
    elif dry_run:
        output.say(_NOTHING)
    else:
        _say_what_remains(len(sessions), left)


def _beside_sessions(
    workspace: Workspace, names: Sequence[str]
) -> Iterator[named.Named]:
    """Documents of other kinds; what nothing is named is left to forgotten sessions."""
    for name in names:
        with suppress(NotFound):
            if (found := named.named(workspace, name)).kind is not SESSION:
                yield found


def _forget_others(
    found: Sequence[named.Named],
    history: bool,
    yes: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    told = [
        {f"{each.kind.name}_id": each.id, "title": named.title_of(each)}
        for each in found
    ]
    if not as_json:
        for each, shown in zip(found, told, strict=True):
            output.say_session(each.id, (), shown["title"])
    what = counted(len(found), found[0].kind.name)
    if not dry_run:
        _ask(what, yes, as_json)
        for each in found:
            named.forget(each, from_history=history)
    if as_json:
        output.say_json({"forgotten": told, "history": history, "dry_run": dry_run})
    else:
        output.say(_NOTHING if dry_run else (f"Forgotten: {what}.", GOOD))


def _forget_items(
    workspace: Workspace,
    sessions: Sequence[Any],
    texts: Sequence[str],
    yes: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    if len(sessions) > 1:
        raise InvalidInput("--item is for one session.")
    [session] = sessions
    items = action.items_meant(session, texts)
    if not as_json:
        output.say_whole((session.id, ID))
        for each in items:
            output.say("  ", output.one_line(each), hang=2)
    what = counted(len(items), "item")
    if not dry_run:
        _ask(what, yes, as_json)
        action.forget_items(workspace, session, items)
    if as_json:
        data = {"session_id": session.id, "items": items, "dry_run": dry_run}
        output.say_json(data)
    elif dry_run:
        output.say(_NOTHING)
    else:
        output.say((f"Forgotten: {what}.", GOOD))
        output.say("Earlier commits still have it, and so may what was said.")


def _ask(what: str, yes: bool, as_json: bool) -> None:
    if not yes:
        require_yes(f"Forget {what}, for good?", "forget", is_possible=not as_json)


def _as_json(workspace: Workspace, session: Any) -> dict[str, Any]:
    return {
        "session_id": session.id,
        "goal": line(session.goal),
        "date": session.started_at.date().isoformat(),
        "tool": session.tool,
        "author": line(session.author),
        "words": action.words_of(workspace, session),
    }


def _say(data: dict[str, Any]) -> None:
    author = f", {output.one_line(data['author'])}" if data["author"] else ""
    facts = f"{data['date']}, {data['tool']}{author}, {counted(data['words'], 'word')}"
    output.say_session(data["session_id"], [(facts, FAINT)], data["goal"])


def _say_what_remains(count: int, left: Sequence[str]) -> None:
    output.say()
    output.say((f"Forgotten: {counted(count, 'session')}.", GOOD))
    output.say(("What remains:", HINT))
    for sentence in left:
        output.say("  ", sentence, hang=2)
