"""`ocm forget`: remove sessions from the memory for good."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from itertools import chain
from typing import Any

from gitmem.actions import forgetting as action
from gitmem.actions.remembering import named
from gitmem.cli import output
from gitmem.cli.opening import current_workspace
from gitmem.cli.options import (
    DRY_RUN,
    YES,
    argument,
    complete_session,
    confirmed,
    flag,
    option,
)
from gitmem.cli.output import FAINT, GOOD, HINT, ID
from gitmem.cli.sharing.notices import line_to_remotes
from gitmem.documents.kinds import SESSION
from gitmem.errors import InvalidInput, NotFound
from gitmem.frozen import frozen
from gitmem.store.remote.remote import TransportOptions
from gitmem.text.counting import counted
from gitmem.text.markdown import line
from gitmem.workspace import Workspace

_ITEMS_REMAIN = "Earlier commits still have it, and so may what was said."


@frozen
class _Plan:
    """What is to be forgotten. It was shown already."""

    summary: str
    answer: dict[str, Any]
    forget: Callable[[TransportOptions | None], object]
    """A function that forgets it, in all history if it gets a way to the remotes."""
    remains: Sequence[str] = ()


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
) -> None:
    """Forget sessions or memories, with all that repeats them.

    They stay forgotten, whatever their assistants still report, and in every clone
    that syncs. Earlier commits keep them unless `--history` is given.
    """
    workspace = current_workspace()
    if other_documents := [*_beside_sessions(workspace, names)]:
        if len(other_documents) < len(names) or item:
            raise InvalidInput(
                "Sessions and memories cannot be forgotten in one command."
            )
        plan = _of_memories(other_documents, history=history)
    elif item:
        plan = _of_items(workspace, names, item, history=history)
    else:
        plan = _of_sessions(workspace, names, history=history)
    question = f"Forget {plan.summary}, for good?"
    if confirmed(question, "forget", yes=yes, dry_run=dry_run):
        with line_to_remotes() if history else nullcontext() as transport:
            plan.forget(transport)
        output.say((f"\nForgotten: {plan.summary}.", GOOD))
        if plan.remains:
            output.say(("What remains:", HINT))
        for sentence in plan.remains:
            output.say("  ", sentence, hang=2)
    else:
        output.say("\nNothing was forgotten.")
    output.say_json(plan.answer | {"dry_run": dry_run})


def _of_sessions(workspace: Workspace, names: Sequence[str], *, history: bool) -> _Plan:
    sessions = action.sessions_named(workspace, names, from_history=history)
    answers = [_as_json(workspace, session) for session in sessions]
    for answer in answers:
        _say(answer)

    from_history = " in all of the memory's history" if history else ""
    summary = f"{counted(len(sessions), 'session')}{from_history}"
    remaining = action.remains(workspace, from_history=history)
    data = {"forgotten": answers, "history": history, "remains": remaining}
    return _Plan(summary, data, partial(action.forget, workspace, sessions), remaining)


def _of_items(
    workspace: Workspace, names: Sequence[str], texts: Sequence[str], *, history: bool
) -> _Plan:
    sessions = action.sessions_named(workspace, names, from_history=history)
    if len(sessions) > 1:
        raise InvalidInput("--item takes one session.")
    [session] = sessions
    items = [action.item_meant(session, text) for text in texts]
    output.say_whole((session.session_id, ID))
    for item in items:
        output.say("  ", output.one_line(item), hang=2)
    return _Plan(
        counted(len(items), "item"),
        {"session_id": session.session_id, "items": items},
        lambda _: action.forget_items(workspace, session, items),
        [_ITEMS_REMAIN],
    )


def _beside_sessions(
    workspace: Workspace, names: Sequence[str]
) -> Iterator[named.NamedDocument]:
    """Documents of other kinds; what nothing is named is left to forgotten sessions."""
    for name in names:
        with suppress(NotFound):
            if (document := named.find_document(workspace, name)).kind is not SESSION:
                yield document


def _of_memories(documents: Sequence[named.NamedDocument], *, history: bool) -> _Plan:
    answers = [
        {f"{document.kind.name}_id": document.id, "title": named.title_of(document)}
        for document in documents
    ]
    for document, answer in zip(documents, answers, strict=True):
        output.say_session(document.id, (), answer["title"])

    remarks = (
        action.remains(document.workspace, document.kind, from_history=history)
        for document in documents
    )
    remaining = [*dict.fromkeys(chain.from_iterable(remarks))]
    summary = counted(len(documents), documents[0].kind.name)
    data = {"forgotten": answers, "history": history, "remains": remaining}
    return _Plan(summary, data, partial(named.forget, documents), remaining)


def _as_json(workspace: Workspace, session: Any) -> dict[str, Any]:
    return {
        "session_id": session.session_id,
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
