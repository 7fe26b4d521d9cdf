"""`ocm scan`: look for secrets in what is stored."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby

import typer

from gitmem.actions.scanning.rewrite import write_anew
from gitmem.actions.scanning.scan import Scan, SecretLocation, ids_of
from gitmem.actions.scanning.scan import scan as look
from gitmem.cli import output
from gitmem.cli.opening import current_workspace
from gitmem.cli.options import flag, session_option
from gitmem.cli.output import FAINT, GOOD, ID, WARNING
from gitmem.cli.progress import looking
from gitmem.redaction.user_rules import Problem, problems
from gitmem.text.counting import counted
from gitmem.workspace import Workspace

_REVOKE = "Revoke it at its provider: only that works for every copy there is."
_REMOVE = (
    "`ocm show` shows a session as it is now, `ocm scan --fix` redacts that alone;"
    " `ocm forget --history` takes one out of every commit."
)


def scan(
    session: str | None = session_option("Only what is stored of this session."),
    fix: bool = flag(
        "--fix",
        "Redact documents and conversations as they are now, and delete journals with"
        " words that a rewrite removed. Earlier commits keep what they have.",
    ),
) -> None:
    """Look for secrets in what is stored.

    In documents, conversations, commit messages and notes, with their earlier states,
    and in journal, kept diffs, log and readable copies; in the journal also for words
    that a rewrite replaced by ***REMOVED*** in a document. Nothing is changed unless
    you say so, and no secret is shown. The exit status is 0 where all was looked at and
    nothing found.
    """
    workspace = current_workspace()
    only = ids_of(workspace, session) if session else None
    found = _looked(workspace, only)
    if fix and (named := found.sessions):
        write_anew(workspace, named)
        found = _looked(workspace, only)
    unproven = [*problems(workspace.user_rules())]
    output.say_json(_as_json(found, unproven))
    _say(found)
    _say_what_is_missing(found, unproven)
    if found.seen or found.gaps or unproven:
        raise typer.Exit(1)


def _looked(workspace: Workspace, only: set[str] | None) -> Scan:
    with looking() as progress:
        return look(workspace, only, progress)


def _as_json(found: Scan, unproven: Sequence[Problem]) -> dict[str, object]:
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
        "unread": [*map(asdict, found.gaps)],
        "rules_unproven": [each.name for each in unproven],
    }


def _in_order(found: Scan) -> list[tuple[SecretLocation, Counter[str]]]:
    """Sort by session, then those of none."""

    def key(one: tuple[SecretLocation, Counter[str]]) -> tuple[bool, str, str, bool]:
        place, session_id = one[0], one[0].session_id or ""
        return not session_id, session_id, place.where, place.is_earlier

    return sorted(found.seen.items(), key=key)


def _say(found: Scan) -> None:
    looked_at = f"{counted(found.texts, 'text')} looked at"
    if not found.seen:
        style = WARNING if found.gaps else GOOD
        output.say((f"Nothing looks like a secret: {looked_at}.", style))
        return
    by_session = groupby(_in_order(found), key=lambda one: one[0].session_id)
    for session_id, places in by_session:
        output.say_whole((session_id or "(of no session)", ID))
        for place, rules in places:
            earlier = ", earlier" if place.is_earlier else ""
            where = f"{place.where.replace('-', ' ')}{earlier}"
            output.say_whole("  ", (where, FAINT), "  ", _rule_names(rules))
    what = f"What looks like a secret is in {counted(len(found.sessions), 'session')}"
    output.say((f"\n{what}, of {looked_at}.", WARNING))
    output.hint(_REVOKE)
    output.hint(_REMOVE)


def _rule_names(rules: Counter[str]) -> str:
    """`aws, jwt (3 times)`."""
    return ", ".join(
        name if count == 1 else f"{name} ({count:,} times)"
        for name, count in sorted(rules.items())
    )


def _say_what_is_missing(found: Scan, unproven: Sequence[Problem]) -> None:
    for gap in found.gaps:
        of = f" of {gap.session_id}" if gap.session_id else ""
        where = gap.where.replace("-", " ")
        output.note(("warning:", WARNING), f" not looked at: {where}{of}: {gap.why}")
    for name, what in unproven:
        output.note(
            ("warning:", WARNING),
            f" the rule ocm.redact.{name} is ignored: {what}.",
        )
