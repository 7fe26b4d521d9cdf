"""Sharing: what goes where, and what is held back; and what `ocm doctor` finds."""

from collections.abc import Mapping
from itertools import groupby, islice
from typing import Any

from gitmem.actions.remembering.places import space_names
from gitmem.actions.sharing.preview import shown_url
from gitmem.actions.sharing.review_held import withheld
from gitmem.actions.sharing.share_settings import sharing
from gitmem.actions.sharing.sync_status import shared, unsent
from gitmem.documents.kinds import KINDS
from gitmem.workspace import Workspace

_MOST_UNSENT = 30
"""Sessions that wait to be sent and are named."""


def values(workspace: Workspace, _: Mapping[str, str]) -> dict[str, Any]:
    memory = workspace.current_sessions()
    settings, status = sharing(workspace), shared(workspace)
    common = {"sharing": settings, "spaces": space_names(workspace.environment)}
    if settings is None or status is None or status.why_not:
        return common | {"status": status}
    waiting = sorted(unsent(workspace, settings.remote, memory), reverse=True)
    return common | {
        "status": status,
        "url": shown_url(workspace, settings.remote),
        "kinds": [
            (kind.root, kind.ref in settings.remote.refs) for kind in KINDS.values()
        ],
        "held": withheld(workspace, settings),
        "waiting": [*filter(None, map(memory.readable, islice(waiting, _MOST_UNSENT)))],
        "waiting_count": len(waiting),
    }


def care_values(workspace: Workspace, _: Mapping[str, str]) -> dict[str, Any]:
    """Return what `ocm doctor` finds, by group."""
    from gitmem.actions.doctor.doctor import examine  # it loads all assistants
    from gitmem.actions.doctor.finding import Grade

    findings = examine(workspace.environment)
    groups = groupby(findings, lambda finding: finding.code.group)
    return {
        "groups": [(group, [*of_group]) for group, of_group in groups],
        "bad": sum(f.grade in (Grade.PROBLEM, Grade.WARNING) for f in findings),
    }
