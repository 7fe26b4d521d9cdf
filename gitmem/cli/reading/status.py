"""`ocm status`: how the memory of this repository stands."""

from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from gitmem.cli.options import Json
from gitmem.cli.output import (
    FAINT,
    ID,
    PATH,
    WARNING,
    Part,
    one_line,
    say_json,
    say_whole,
)
from gitmem.cli.sharing.sync import say_notices, say_push_trouble
from gitmem.cli.times import spoken
from gitmem.text.counting import counted

if TYPE_CHECKING:
    from gitmem.actions.reading.status import Standing
    from gitmem.actions.sharing.sync_status import LastSync, Shared


def status(as_json: Json = False) -> None:
    """Say how the memory of this repository stands."""
    from gitmem.actions.installing.git_hooks import push_trouble
    from gitmem.actions.reading import status as action
    from gitmem.workspace import current_workspace

    workspace = current_workspace()
    standing = action.status(workspace)
    if as_json:
        say_json(_json(standing))
        return
    for name, *parts in _lines(standing, workspace.now()):
        say_whole((f"{name:<10}", FAINT), *parts)
    say_notices(workspace, again=True)
    if standing.shared:
        say_push_trouble(push_trouble(workspace))


def _json(standing: "Standing") -> dict[str, Any]:
    shared = _shared_json(standing.shared) if standing.shared else None
    return asdict(standing) | {"root": str(standing.root), "shared": shared}


def _shared_json(shared: "Shared") -> dict[str, Any]:
    last = shared.last and asdict(shared.last) | {"at": shared.last.at.isoformat()}
    return {
        "remote": shared.remote or None,
        "unsent": shared.unsent,
        "last": last,
        "why_not": shared.why_not or None,
    }


def _lines(standing: "Standing", now: datetime) -> list[list[Part]]:
    return [
        ["project", standing.project],
        ["root", (str(standing.root), PATH)],
        ["sessions", f"{standing.sessions:,}"],
        ["newest", (standing.newest or "none yet", ID if standing.newest else FAINT)],
        ["tip", _tip(standing)],
        ["waiting", _waiting(standing)],
        ["index", _index(standing)],
        ["registry", "known" if standing.registered else _UNKNOWN],
        *_of_sharing(standing.shared, now),
    ]


_UNKNOWN: Part = ("not yet known: run `ocm init`", WARNING)


def _tip(standing: "Standing") -> Part:
    return f"{standing.ref} at {standing.tip[:12]}" if standing.tip else standing.ref


def _index(standing: "Standing") -> Part:
    if standing.indexing:
        return f"is being built: {standing.indexing} so far"
    return "up to date" if standing.indexed else "catches up with the next search"


def _waiting(standing: "Standing") -> Part:
    if standing.pending == 0:
        return "nothing"
    return (f"{standing.pending:,} checkpoints for a writer", WARNING)


def _of_sharing(shared: "Shared | None", now: datetime) -> list[list[Part]]:
    if shared is None:
        return [["shared", "with nobody"]]
    if shared.why_not:
        return [["shared", (one_line(shared.why_not), WARNING)]]
    unsent = "all is sent"
    if shared.unsent:
        unsent = f"{counted(shared.unsent, 'session')} to be sent"
    return [
        ["shared", f"with {one_line(shared.remote)}, {unsent}"],
        ["last sync", *_last(shared.last, now)],
    ]


def _last(last: "LastSync | None", now: datetime) -> list[Part]:
    if last is None:
        return ["none yet"]
    words = one_line(last.words)
    return [f"{spoken(last.at, now)}: ", (words, WARNING) if last.error else words]
