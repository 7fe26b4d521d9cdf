"""What conversations were given of the memory, its sharing, and doctor's findings."""

import json
import subprocess
from collections.abc import Mapping
from datetime import timedelta
from itertools import groupby, islice
from typing import Any

from gitmem.actions.context.log import deliveries_since
from gitmem.actions.remembering.places import space_names
from gitmem.actions.sharing.preview import shown_url
from gitmem.actions.sharing.review_held import withheld
from gitmem.actions.sharing.share_settings import sharing
from gitmem.actions.sharing.sync_status import shared, unsent
from gitmem.documents.kinds import KINDS
from gitmem.documents.session.session import Session
from gitmem.errors import GitmemError
from gitmem.lookup import session_of_conversation
from gitmem.resources import module_command
from gitmem.workspace import Workspace

_DAYS = 30
_MOST_CONVERSATIONS = 60
_MOST_UNSENT = 30
"""Sessions that wait to be sent and are named."""


def context_values(workspace: Workspace, _: Mapping[str, str]) -> dict[str, Any]:
    since = workspace.now() - timedelta(days=_DAYS)
    workspace.current_sessions()
    by_client_id = deliveries_since(workspace, since)
    newest = sorted(by_client_id.items(), key=lambda item: item[1][-1].at, reverse=True)
    return {
        "conversations": [
            (client_id, _session(workspace, client_id), deliveries)
            for client_id, deliveries in newest[:_MOST_CONVERSATIONS]
        ],
        "hidden": max(len(newest) - _MOST_CONVERSATIONS, 0),
        "days": _DAYS,
    }


def sharing_values(workspace: Workspace, _: Mapping[str, str]) -> dict[str, Any]:
    memory = workspace.current_sessions()
    settings, status = sharing(workspace), shared(workspace)
    common = {
        "sharing": settings,
        "status": status,
        "spaces": space_names(workspace.environment),
    }
    if settings is None or status is None or status.why_not:
        return common
    waiting = sorted(unsent(workspace, settings.remote, memory), reverse=True)
    return common | {
        "url": shown_url(workspace, settings.remote),
        "kinds": [
            (kind.root, kind.ref in settings.remote.refs) for kind in KINDS.values()
        ],
        "held": withheld(workspace, settings),
        "waiting": [*filter(None, map(memory.readable, islice(waiting, _MOST_UNSENT)))],
        "waiting_count": len(waiting),
    }


def care_values(workspace: Workspace, _: Mapping[str, str]) -> dict[str, Any]:
    """Return what `ocm doctor` finds, by group.

    It is a process of its own, as it reads all that there is.
    """
    environment = workspace.environment
    command = [*module_command("gitmem"), "doctor", "--json"]
    done = subprocess.run(
        command,
        cwd=environment.start,
        env=environment.variables,
        capture_output=True,
        check=False,  # it fails where there are problems
    )
    findings = json.loads(done.stdout)
    groups = groupby(findings, lambda finding: finding["group"])
    return {
        "groups": [(group, [*group_findings]) for group, group_findings in groups],
        "bad": sum(f["grade"] in ("problem", "warning") for f in findings),
    }


def _session(workspace: Workspace, client_id: str) -> Session | None:
    try:
        return session_of_conversation(workspace, client_id)
    except GitmemError:  # two sessions have the id
        return None
