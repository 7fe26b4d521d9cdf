"""`ocm scan`: what is stored already, looked through for secrets."""

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from gitmem.cli import output
from gitmem.cli.options import Json, complete_session
from gitmem.cli.output import FAINT, GOOD, HINT, ID, WARNING
from gitmem.text.counting import counted

if TYPE_CHECKING:
    from collections import Counter

    from gitmem.actions.scanning.scan import Place, Scan
    from gitmem.redaction.user_rules import Problem
    from gitmem.workspace import Workspace

Session = Annotated[
    str | None,
    typer.Option(
        metavar="SESSION",
        help="Only what is stored of this session.",
        autocompletion=complete_session,
        show_default=False,
    ),
]
Fix = Annotated[
    bool,
    typer.Option(
        "--fix",
        help="Redact documents and conversations as they are now. Earlier commits keep"
        " what they have.",
    ),
]


def scan(session: Session = None, fix: Fix = False, as_json: Json = False) -> None:
    """Look for secrets in what is stored.

    In documents, conversations, commit messages and notes, with their earlier states,
    and in journal, log and readable copies. Nothing is changed unless you say so, and
    no secret is shown. The exit status is 0 where all was looked at and nothing found.
    """
    from gitmem.actions.scanning.rewrite import write_anew
    from gitmem.actions.scanning.scan import ids_of
    from gitmem.redaction.user_rules import problems
    from gitmem.workspace import current_workspace

    workspace = current_workspace()
    only = ids_of(workspace, session) if session else None
    found = _looked(workspace, only)
    if fix and (named := found.sessions):
        write_anew(workspace, named)
        found = _looked(workspace, only)
    unproven = list(problems(workspace.user_rules()))
    if as_json:
        output.say_json(_as_json(found, unproven))
    else:
        _say(found)
        _say_what_is_missing(found, unproven)
    if found.seen or found.gaps or unproven:
        raise typer.Exit(1)


def _looked(workspace: "Workspace", only: set[str] | None) -> "Scan":
    from gitmem.actions.scanning.scan import scan
    from gitmem.cli.progress import looking

    with looking() as progress:
        return scan(workspace, only, progress)


def _as_json(found: "Scan", unproven: list["Problem"]) -> dict[str, object]:
    return {
        "texts": found.texts,
        "found": [
            {
                "session_id": place.session_id,
                "where": place.where,
                "earlier": place.is_earlier,
                "rules": dict(sorted(rules.items())),
            }
            for place, rules in _in_order(found)
        ],
        "unread": [
            {"session_id": gap.session_id, "where": gap.where, "why": gap.why}
            for gap in found.gaps
        ],
        "rules_unproven": [each.name for each in unproven],
    }


def _in_order(found: "Scan") -> list[tuple["Place", "Counter[str]"]]:
    """By session; what is of none comes last."""
    return sorted(found.seen.items(), key=lambda one: _sort_key(one[0]))


def _sort_key(place: "Place") -> tuple[bool, str, str, bool]:
    session_id = place.session_id or ""
    return not session_id, session_id, place.where, place.is_earlier


def _say(found: "Scan") -> None:
    looked_at = f"{counted(found.texts, 'text')} looked at"
    if not found.seen:
        style = WARNING if found.gaps else GOOD
        output.say((f"Nothing that looks like a secret, in {looked_at}.", style))
        return
    by_session = groupby(_in_order(found), key=lambda one: one[0].session_id)
    for session_id, places in by_session:
        output.say_whole((session_id or "(of no session)", ID))
        for place, rules in places:
            output.say_whole("  ", (_where(place), FAINT), "  ", _told(rules))
    what = f"What looks like a secret is in {counted(len(found.sessions), 'session')}"
    output.say((f"\n{what}, of {looked_at}.", WARNING))
    for sentence in _advice():
        output.note(("hint:", HINT), f" {sentence}")


def _where(place: "Place") -> str:
    where = place.where.replace("-", " ")
    return f"{where}, earlier" if place.is_earlier else where


def _told(rules: "Counter[str]") -> str:
    """`aws, jwt (3 times)`."""
    return ", ".join(
        name if count == 1 else f"{name} ({count:,} times)"
        for name, count in sorted(rules.items())
    )


def _advice() -> Iterator[str]:
    yield "Revoke it at its provider: only that works for every copy there is."
    yield (
        "`ocm show` shows a session as it is now, `ocm scan --fix` redacts that alone;"
        " `ocm forget --history` takes one out of every commit."
    )


def _say_what_is_missing(found: "Scan", unproven: list["Problem"]) -> None:
    for gap in found.gaps:
        of = f" of {gap.session_id}" if gap.session_id else ""
        where = gap.where.replace("-", " ")
        output.note(("warning:", WARNING), f" not looked at: {where}{of}: {gap.why}")
    for name, what in unproven:
        output.note(
            ("warning:", WARNING),
            f" the rule ocm.redact.{name} counts for nothing: {what}.",
        )
