"""Antigravity's transcripts: a folder for each conversation, a line for each step.

No document has the format; this is what others recorded of versions 1.0 to 1.2. A step
of the model may name calls of tools, of which the next steps are the results. The work
tree is where the first file was edited or the first command was run.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from gitmem.assistants.antigravity import EDITING, decoded
from gitmem.assistants.assistant import HookEvent, What
from gitmem.assistants.payload import inner, items, text
from gitmem.assistants.transcripts import (
    Made,
    Ran,
    Transcript,
    TranscriptReader,
    Unread,
    printed,
)
from gitmem.assistants.transcripts.transcript_files import aware_moment, json_lines
from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.text.patterns import pattern

_OWN = ".gemini"
_REQUEST = pattern(r"(?s)<USER_REQUEST>(.*?)</USER_REQUEST>")
_COMPLETED = pattern(r"Completed At: (\S{10,40})")


def _places(
    user_home: Path, _variables: Mapping[str, str], _roots: Iterable[Path]
) -> Iterator[Path]:
    for name in ("antigravity-cli", "antigravity"):
        yield user_home / _OWN / name / "brain"


def _read(file: Path) -> Iterator[Transcript | Unread]:
    conversation = _Conversation()
    for line in json_lines(file):
        if isinstance(line, Unread):
            yield line
            continue
        try:
            conversation.add(line.values)
        except (KeyError, TypeError):
            yield Unread("no step of a conversation", line.at)
    if conversation.turns or conversation.seen or conversation.commits:
        yield conversation.transcript(file.absolute().parents[2].name)


ANTIGRAVITY = TranscriptReader("antigravity", "transcript_full.jsonl", _places, _read)


@dataclass(slots=True)
class _Conversation:
    times: list[datetime] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    seen: list[HookEvent] = field(default_factory=list)
    ran: list[Ran] = field(default_factory=list)
    commits: list[Made] = field(default_factory=list)
    folder: str = "/"
    """Of no work tree until one is known."""
    _calls: list[dict[str, Any]] = field(default_factory=list)

    def add(self, step: Mapping[str, Any]) -> None:
        at = aware_moment(text(step, "created_at"))
        if at is None:
            raise KeyError("created_at")
        kind, said = text(step, "type"), text(step, "content", "")
        if kind == "USER_INPUT":
            request = _REQUEST.search(said)
            self._say(Speaker.PERSON, request[1] if request else said, at)
        elif kind == "PLANNER_RESPONSE":
            self._calls = items(step, "tool_calls") if step.get("tool_calls") else []
            self._say(Speaker.ASSISTANT, said, at)
        elif self._calls and step.get("source") == "MODEL":
            call = self._calls.pop(0)
            if step.get("status") == "DONE":
                self._note(text(call, "name"), inner(call, "args"), said, at)
        self.times.append(at)

    def transcript(self, client_session_id: str) -> Transcript:
        return Transcript(
            tool="antigravity",
            client_session_id=client_session_id,
            folder=self.folder,
            began_at=min(self.times),
            ended_at=max(self.times),
            turns=tuple(self.turns),
            seen=tuple(self.seen),
            ran=tuple(self.ran),
            commits=tuple(self.commits),
        )

    def _say(self, speaker: Speaker, said: str, at: datetime) -> None:
        if words := said.strip():
            self.turns.append(Turn(speaker, words, at))

    def _note(
        self, name: str, arguments: Mapping[str, Any], output: str, at: datetime
    ) -> None:
        if name in EDITING:
            path = decoded(text(arguments, "TargetFile"))
            if path and _OWN not in Path(path).parts:
                self._find(str(Path(path).parent))
                edit = HookEvent(what=What.EDIT, client_session_id="", path=path)
                self.seen.append(edit)
        elif name == "run_command":
            command = decoded(text(arguments, "CommandLine"))
            folder = decoded(text(arguments, "Cwd", ""))
            self._find(folder)
            found = _COMPLETED.search(output)
            ended = aware_moment(found[1]) if found else None
            self.ran.append(Ran(command, output, folder, at, ended or at))
            self.commits += printed(command, output)

    def _find(self, folder: str) -> None:
        if self.folder == "/" and folder and _OWN not in Path(folder).parts:
            self.folder = folder
