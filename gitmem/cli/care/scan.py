"""`ocm scan`: look for secrets in what is stored."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby

import typer

from gitmem.actions.scanning.rewrite import redact_stored
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
    scan_result = _looked(workspace, only)
    if fix and (session_ids := scan_result.sessions):
        redact_stored(workspace, session_ids)
        scan_result = _looked(workspace, only)
    unproven = [*problems(workspace.user_rules())]
    output.say_json(_as_json(scan_result, unproven))
    _say(scan_result)
    _say_gaps(scan_result)
    if scan_result.seen or scan_result.gaps or unproven:
        raise typer.Exit(1)


def _looked(workspace: Workspace, only: set[str] | None) -> Scan:
    with looking() as progress:
        return look(workspace, only, progress)


def _as_json(scan_result: Scan, unproven: Sequence[Problem]) -> dict[str, object]:
    return {
        "texts": scan_result.texts,
        "found": [
            {
                "session_id": place.session_id,
                "where": place.where,
                "earlier": place.is_earlier,
                "rules": dict(sorted(rules.items())),
            }
            for place, rules in _in_order(scan_result)
        ],
        "unread": [*map(asdict, scan_result.gaps)],
        "rules_unproven": [rule.name for rule in unproven],
    }


def _in_order(scan_result: Scan) -> list[tuple[SecretLocation, Counter[str]]]:
    """Sort by session, then those of none."""

    def key(row: tuple[SecretLocation, Counter[str]]) -> tuple[bool, str, str, bool]:
        place, session_id = row[0], row[0].session_id or ""
        return not session_id, session_id, place.where, place.is_earlier

    return sorted(scan_result.seen.items(), key=key)


def _say(scan_result: Scan) -> None:
    looked_at = f"{counted(scan_result.texts, 'text')} looked at"
    if not scan_result.seen:
        style = WARNING if scan_result.gaps else GOOD
        output.say((f"Nothing looks like a secret: {looked_at}.", style))
        return
    by_session = groupby(_in_order(scan_result), key=lambda row: row[0].session_id)
    for session_id, places in by_session:
        output.say_whole((session_id or "(of no session)", ID))
        for place, rules in places:
            earlier = ", earlier" if place.is_earlier else ""
            location = f"{place.where.replace('-', ' ')}{earlier}"
            output.say_whole("  ", (location, FAINT), "  ", _rule_names(rules))
    sessions = counted(len(scan_result.sessions), "session")
    summary = f"What looks like a secret is in {sessions}"
    output.say((f"\n{summary}, of {looked_at}.", WARNING))
    output.hint(_REVOKE)
    output.hint(_REMOVE)


def _rule_names(rules: Counter[str]) -> str:
    """`aws, jwt (3 times)`."""
    return ", ".join(
        name if count == 1 else f"{name} ({count:,} times)"
        for name, count in sorted(rules.items())
    )


def _say_gaps(scan_result: Scan) -> None:
    for gap in scan_result.gaps:
        of_session = f" of {gap.session_id}" if gap.session_id else ""
        location = gap.where.replace("-", " ")
        output.note(
            ("warning:", WARNING), f" not looked at: {location}{of_session}: {gap.why}"
        )
