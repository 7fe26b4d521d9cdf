"""`ocm status`: how the memory of this repository stands."""

from dataclasses import asdict
from typing import TYPE_CHECKING

from gitmem.cli.options import Json
from gitmem.cli.output import FAINT, ID, PATH, WARNING, Part, say, say_json

if TYPE_CHECKING:
    from gitmem.actions.reading.status import Standing


def status(as_json: Json = False) -> None:
    """Say how the memory of this repository stands."""
    from gitmem.actions.reading import status as action
    from gitmem.workspace import current_environment, open_workspace

    standing = action.status(open_workspace(current_environment()))
    if as_json:
        say_json(asdict(standing) | {"root": str(standing.root)})
        return
    for name, *parts in _lines(standing):
        say((f"{name:<10}", FAINT), *parts)


def _lines(standing: "Standing") -> list[list[Part]]:
    return [
        ["project", standing.project],
        ["root", (str(standing.root), PATH)],
        ["sessions", f"{standing.sessions:,}"],
        ["newest", (standing.newest or "none yet", ID if standing.newest else FAINT)],
        ["tip", _tip(standing)],
        ["waiting", _waiting(standing)],
        ["index", "up to date" if standing.indexed else _LATER],
        ["registry", "known" if standing.registered else _UNKNOWN],
    ]


_LATER: Part = "catches up with the next search"
_UNKNOWN: Part = ("not yet known: run `ocm init`", WARNING)


def _tip(standing: "Standing") -> Part:
    return f"{standing.ref} at {standing.tip[:12]}" if standing.tip else standing.ref


def _waiting(standing: "Standing") -> Part:
    if standing.pending == 0:
        return "nothing"
    return (f"{standing.pending:,} checkpoints for a writer", WARNING)
