"""Workspaces and saved sessions, for tests of what stands above the store."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gitmem.actions.reading.find import SearchResult
from gitmem.actions.saving.checkpoint import Saved, save
from gitmem.actions.saving.conversation import Caller
from gitmem.actions.saving.request import parse_request
from gitmem.config import read_environment
from gitmem.documents.kinds import SESSION
from gitmem.workspace import Workspace, open_workspace


def workspace_at(folder: Path, **variables: str) -> Workspace:
    environment = {**os.environ, **variables}
    return open_workspace(read_environment(environment, folder, Path.home()))


def saved_session(
    workspace: Workspace, caller: Caller | None = None, **arguments: Any
) -> Saved:
    return save(workspace, parse_request(arguments), caller or Caller("cursor"))


def saved_id(
    workspace: Workspace, caller: Caller | None = None, **arguments: Any
) -> str:
    """The id of the document of a session that is saved."""
    from gitmem.lookup import find_id  # as below

    saved = saved_session(workspace, caller, **arguments)
    return find_id(workspace, SESSION, saved.session_id or "")


def weak(
    found: SearchResult, answers: Sequence[str] = (), misses: Sequence[str] = ()
) -> SearchResult:
    """The same, had the session answered only these words of the query."""
    from gitmem.search.documents import Match  # tests of versions load an older one

    hit = replace(
        found.hit, match=Match.WEAK, answers=tuple(answers), misses=tuple(misses)
    )
    return replace(found, hit=hit)
