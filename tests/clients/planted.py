"""A scenario for every client: what concerns a file is told before its first edit."""

from collections.abc import Mapping

from bench.planted import WAYS, History, add_newer, histories
from bench.planted_project import Project
from clients.play import Play
from clients.scripted_model import say

_HOW: Mapping[str, str] = {
    "proto-numbers": "remembered",
    "bulk-insert-copy": "remembered",
    "zh-order-state": "decision",
    "cache-ttl": "decision",
    "websocket-fallback": "imported",
}
"""Histories by their ids, and how they came into the memory."""


def planted(play: Play) -> None:
    """Each task reads a file and edits it, and calls no tool of ours."""
    project = Project(play.stage.project, play.stage.home)
    chosen = [each for each in histories() if each.id in _HOW]
    for each in chosen:
        project.write(each.path, each.content)
    project.commit("Add files")
    for each in chosen:
        WAYS[_HOW[each.id]](project, each, each.statements[0])
    add_newer(project)
    told = {each.id: _is_told(play, each) for each in chosen}
    play.compare("told before the edit", told, dict.fromkeys(told, True))


def _is_told(play: Play, history: History) -> bool:
    """Whether the request that is answered by an edit has the statement."""
    client, file = play.stage.client, play.file(history.path)
    line = history.content.splitlines()[0]
    *_, edit = client.edit(str(file), line, f"{line} changed")
    play.tell(client.read(str(file)), edit, say("Changed."))
    play.prompt(history.task)
    is_edited = f"{line} changed" in file.read_text("utf-8")
    play.compare(f"{history.path} is edited", is_edited, wanted=True)
    return history.statements[0].key in play.texts()[1]
