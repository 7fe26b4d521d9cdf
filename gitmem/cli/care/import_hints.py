"""What else an import says: conversations that vanish soon, and former folders."""

from shlex import quote

from gitmem.actions.importing.histories import former_folders, kept_histories
from gitmem.actions.importing.import_transcripts import ImportRequest
from gitmem.assistants.known import assistant_named
from gitmem.cli import output
from gitmem.redaction.redact import redact
from gitmem.text.counting import counted
from gitmem.workspace import Workspace

_MOST_FOLDERS = 10
_TITLES = {"specstory": "SpecStory"}


def title(tool: str) -> str:
    assistant = assistant_named(tool)
    return (assistant and assistant.title) or _TITLES.get(tool) or tool.title()


def say_vanishing(workspace: Workspace, tool: str) -> None:
    for history in kept_histories(workspace):
        if history.reader.tool == tool and history.vanishing:
            count = counted(history.vanishing, "conversation")
            output.say(f"{title(tool)} deletes {count} of these within a week.")


def hint_at_former(workspace: Workspace, request: ImportRequest) -> None:
    tool = request.reader.tool
    folders = former_folders(workspace, request.reader, request.moved_from)
    for folder in folders[:_MOST_FOLDERS]:
        command = f"`ocm import {tool} --moved-from {quote(redact(folder))}`"
        output.hint(
            f"{title(tool)} has conversations of a folder that is gone; if this"
            f" repository was there: {command}."
        )
