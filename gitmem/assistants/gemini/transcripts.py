"""The transcripts of Gemini CLI: a file of JSON lines for each session.

Written after records and the source of version 0.61.0. A line is the head of a session,
a message, or a change of either: a message that gets tool calls is written again, and
one that sets `messages` replaces them all, as after a compaction. Nothing is taken
twice, and what was said before stays. Older versions wrote one object, `.json`.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from gitmem.assistants.assistant import HookEvent
from gitmem.assistants.gemini.hooks import asked, done_by
from gitmem.assistants.gemini.settings import own_folder
from gitmem.assistants.payload import client_id, inner, items, text, typed
from gitmem.assistants.transcripts import (
    Made,
    Ran,
    Transcript,
    TranscriptReader,
    Unread,
    printed,
)
from gitmem.assistants.transcripts.transcript_files import (
    LONGEST,
    Line,
    aware_moment,
    json_lines,
)
from gitmem.documents.conversation.conversation import Speaker, Turn

_SNAPSHOT = "<state_snapshot>", "</state_snapshot>"
"""Around the summary that takes the place of earlier messages."""
_BEHIND_SNAPSHOT = "Got it. Thanks for the additional context!"
_OUTPUT_LENGTH = 10_000
_LONGEST_PATH = 4096


@dataclass(slots=True)
class _Session:
    id: str
    folder: str
    is_of_agent: bool
    began_at: datetime
    _ended_at: datetime
    _known: set[str] = field(default_factory=set)
    """Messages whose words are taken, and tool calls."""
    _turns: list[Turn] = field(default_factory=list)
    _seen: list[HookEvent] = field(default_factory=list)
    _commits: list[Made] = field(default_factory=list)
    _ran: list[Ran] = field(default_factory=list)
    _summary: str = ""

    @classmethod
    def of(cls, head: Mapping[str, Any], folder: str) -> "_Session":
        """Read the head of a session. Raises KeyError, TypeError, ValueError."""
        name, at = client_id(head, "sessionId"), aware_moment(text(head, "startTime"))
        if at is None:
            raise ValueError("no time")
        return cls(name, folder, head.get("kind") == "subagent", at, at)

    def take(self, message: Mapping[str, Any]) -> None:
        """Take what is new of a message. Raises KeyError, TypeError."""
        at = aware_moment(message.get("timestamp"))
        self._ended_at = max(self._ended_at, at or self._ended_at)
        content = message.get("content")
        match message.get("type"):
            case "user" if summary := _summary(content):
                self._summary = summary
            case "user":
                shown = message.get("displayContent") or content
                words = asked(_joined(map(typed, _texts(shown)))).strip()
                self._say(message, Speaker.PERSON, words, at)
            case "gemini":
                words = _joined(_texts(content))
                if words != _BEHIND_SNAPSHOT:
                    self._say(message, Speaker.ASSISTANT, words, at)
                for call in _listed(message, "toolCalls"):
                    self._take_call(call, at)

    def come_to(self) -> Iterator[Transcript]:
        if self._turns or self._seen or self._commits:
            yield Transcript(
                tool="gemini-cli",
                client_session_id=self.id,
                folder=self.folder,
                began_at=self.began_at,
                ended_at=self._ended_at,
                turns=tuple(self._turns),
                seen=tuple(self._seen),
                commits=tuple(self._commits),
                ran=tuple(self._ran),
                summary=self._summary,
            )

    def _say(
        self, message: Mapping[str, Any], who: Speaker, words: str, at: datetime | None
    ) -> None:
        if words and self._is_new(text(message, "id")):
            self._turns.append(Turn(who, words, at))

    def _is_new(self, name: str) -> bool:
        is_new = name not in self._known
        self._known.add(name)
        return is_new

    def _take_call(self, call: Mapping[str, Any], began: datetime | None) -> None:
        if call.get("status") != "success" or not self._is_new(text(call, "id")):
            return
        tool, arguments = text(call, "name"), inner(call, "args")
        shown = call.get("resultDisplay")
        if tool == "run_shell_command":
            command, output = text(arguments, "command"), next(_texts(shown), "")
            self._commits += printed(command, output)
            ended = aware_moment(call.get("timestamp"))
            if self.folder and began and ended:
                folder = str(Path(self.folder, text(arguments, "dir_path", "")))
                ran = Ran(command, output[:_OUTPUT_LENGTH], folder, began, ended)
                self._ran.append(ran)
        elif done := done_by(tool, arguments, shown):
            event = HookEvent(client_session_id=self.id, folder=self.folder, **done)
            self._seen.append(event)


_DAMAGE = (KeyError, TypeError, ValueError)


def _places(
    user_home: Path, variables: Mapping[str, str], roots: Iterable[Path]
) -> Iterator[Path]:
    """Yield the folders of conversations held in these roots and below.

    A folder has the name of its project, or of older versions the hash of its path.
    """
    known = tuple(roots)
    hashes = {sha256(os.fsencode(root)).hexdigest() for root in known}
    for folder in sorted((own_folder(user_home, variables) / "tmp").glob("*")):
        project = Path(_project_of(folder))
        if folder.name in hashes or any(map(project.is_relative_to, known)):
            yield folder / "chats"


def _project_of(folder: Path) -> str:
    """Return the path of the project that a folder is for; "" if unknown."""
    with suppress(OSError):
        marker = folder / ".project_root"
        if marker.is_file() and not marker.is_symlink():
            with marker.open(encoding="utf-8", errors="replace") as opened:
                return opened.read(_LONGEST_PATH).strip()
    return ""


def _read(file: Path) -> Iterator[Transcript | Unread]:
    """Read a session, unless it is a subagent's."""
    folder, session = _project_of(file.parent.parent), None
    for line in _whole(file) if file.suffix == ".json" else json_lines(file):
        if isinstance(line, Unread):
            yield line
            continue
        try:
            session = session or _Session.of(line.values, folder)
            for message in _messages(line.values):
                session.take(message)
        except _DAMAGE:
            yield Unread("not as Gemini CLI writes it", line.at)
    if session and not session.is_of_agent:
        yield from session.come_to()


def _whole(file: Path) -> Iterator[Line | Unread]:
    """Yield the one object of a file. Raises OSError."""
    with file.open("rb") as opened:
        content = opened.read(LONGEST)
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        value = None
    yield Line(1, value) if isinstance(value, dict) else Unread("no JSON object", 1)


def _messages(values: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the messages of a line. Raises TypeError."""
    if "id" in values:
        return [values]
    return _listed(inner(values, "$set") if "$set" in values else values, "messages")


def _listed(values: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    return items(values, key) if values.get(key) is not None else []


def _summary(content: object) -> str:
    begin, end = _SNAPSHOT
    _, _, rest = _joined(_texts(content)).partition(begin)
    return rest.partition(end)[0].strip()


def _texts(content: object) -> Iterator[str]:
    """Yield the texts of a message, without the model's thoughts."""
    parts = content if isinstance(content, list) else [{"text": content}]
    for part in parts:
        if isinstance(part, dict) and not part.get("thought"):
            words = part.get("text")
            if isinstance(words, str):
                yield words


def _joined(words: Iterable[str]) -> str:
    return "\n\n".join(filter(None, words)).strip()


GEMINI = TranscriptReader("gemini-cli", "session-*.json*", _places, _read)
