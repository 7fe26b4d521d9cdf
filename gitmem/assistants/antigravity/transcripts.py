"""Antigravity's transcripts: a folder for each conversation, a line for each step.

No document has the format; this is what others recorded of versions 1.0 to 1.2. A step
of the model may name calls of tools, of which the next steps are the results. The work
tree is where the first file was edited or the first command was run.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from gitmem.assistants.antigravity import EDITING, decoded
from gitmem.assistants.assistant import EventKind
from gitmem.assistants.payload import inner, items, text
from gitmem.assistants.targets import user_path
from gitmem.assistants.transcripts import (
    Transcript,
    TranscriptReader,
    Unread,
    shared_places,
)
from gitmem.assistants.transcripts.transcript_builder import TranscriptBuilder
from gitmem.assistants.transcripts.transcript_files import aware_moment, json_lines
from gitmem.documents.conversation.conversation import Speaker
from gitmem.text.patterns import pattern

_OWN = ".gemini"
_REQUEST = pattern(r"(?s)<USER_REQUEST>(.*?)</USER_REQUEST>")
_COMPLETED = pattern(r"Completed At: (\S{10,40})")


def _read(file: Path) -> Iterator[Transcript | Unread]:
    conversation = _AntigravityBuilder("antigravity")
    fault = "no step of a conversation"
    conversation.take_lines(json_lines(file), conversation.take, fault)
    conversation.id = file.absolute().parents[2].name
    yield from conversation.built()


ANTIGRAVITY = TranscriptReader(
    "antigravity",
    "transcript_full.jsonl",
    shared_places(
        user_path(f"{_OWN}/antigravity-cli/brain"),
        user_path(f"{_OWN}/antigravity/brain"),
    ),
    _read,
)


@dataclass(slots=True)
class _AntigravityBuilder(TranscriptBuilder):
    _calls: list[dict[str, Any]] = field(default_factory=list)

    def take(self, step: Mapping[str, Any]) -> None:
        at = aware_moment(text(step, "created_at"))
        if at is None:
            raise KeyError("created_at")
        self.add_time(at)
        kind, content = text(step, "type"), text(step, "content", "")
        if kind == "USER_INPUT":
            request = _REQUEST.search(content)
            words = request[1] if request else content
            self.add_turn(Speaker.PERSON, words.strip(), at)
        elif kind == "PLANNER_RESPONSE":
            self._calls = items(step, "tool_calls") if step.get("tool_calls") else []
            self.add_turn(Speaker.ASSISTANT, content.strip(), at)
        elif self._calls and step.get("source") == "MODEL":
            call = self._calls.pop(0)
            if step.get("status") == "DONE":
                self._note(text(call, "name"), inner(call, "args"), content, at)
        self.began_at = min(self.began_at or at, at)

    def _note(
        self, name: str, arguments: Mapping[str, Any], output: str, at: datetime
    ) -> None:
        if name in EDITING:
            path = decoded(text(arguments, "TargetFile"))
            if path and _OWN not in Path(path).parts:
                self._find(str(Path(path).parent))
                self.add_event(EventKind.EDIT, path=path)
        elif name == "run_command":
            command = decoded(text(arguments, "CommandLine"))
            folder = decoded(text(arguments, "Cwd", ""))
            self._find(folder)
            completed = _COMPLETED.search(output)
            ended = aware_moment(completed[1]) if completed else None
            self.add_command(command, output, folder, at, ended or at)

    def _find(self, folder: str) -> None:
        if not self.folder and folder and _OWN not in Path(folder).parts:
            self.folder = folder
