"""The transcripts of Gemini CLI: a file of JSON lines for each session.

Written after records and the source of version 0.61.0. A line is the head of a session,
a message, or a change of either: a message that gets tool calls is written again, and
one that sets `messages` replaces them all, as after a compaction. Nothing is taken
twice, and what was said before stays. Older versions wrote one object, `.json`.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from gitmem.assistants.gemini.hooks import OWN_FOLDER, done_by, without_files
from gitmem.assistants.payload import client_id, inner, items, text, texts, typed_words
from gitmem.assistants.transcripts import Transcript, TranscriptReader, Unread
from gitmem.assistants.transcripts.transcript_builder import Mark, TranscriptBuilder
from gitmem.assistants.transcripts.transcript_files import aware_moment, json_lines
from gitmem.documents.conversation.conversation import Speaker

_SNAPSHOT = "<state_snapshot>", "</state_snapshot>"
"""Around the summary that takes the place of earlier messages."""
_BEHIND_SNAPSHOT = "Got it. Thanks for the additional context!"
_LONGEST_PATH = 4096
_LINES = ("sessionId", "id", "$set", "messages")
_HARMLESS = ("info", "warning", "error")


@dataclass(slots=True)
class _GeminiBuilder(TranscriptBuilder):
    is_of_agent: bool = False
    _taken_ids: set[str] = field(default_factory=set)
    """Messages whose words are taken, and tool calls."""
    _marks: dict[str, Mark] = field(default_factory=dict)
    """The states before each message."""

    def take(self, values: dict[str, Any]) -> None:
        """Take a line, of which one is the head.

        Raises KeyError, TypeError, ValueError.
        """
        if self.began_at is None:
            self._begin(values)
        if "$rewindTo" in values:
            # Gemini CLI forgets all messages if it does not know this one.
            self.take_back(self._marks.get(text(values, "$rewindTo"), (0, 0, 0)))
        elif values.keys().isdisjoint(_LINES):
            self.pass_over("")
        for message in _messages(values):
            self._take_message(message)

    def _begin(self, head: Mapping[str, Any]) -> None:
        name, at = client_id(head, "sessionId"), aware_moment(text(head, "startTime"))
        if at is None:
            raise ValueError("no time")
        self.id, self.began_at = name, at
        self.is_of_agent = head.get("kind") == "subagent"

    def _take_message(self, message: Mapping[str, Any]) -> None:
        """Take what is new of a message."""
        at = aware_moment(message.get("timestamp"))
        self.add_time(at)
        self._marks.setdefault(text(message, "id", ""), self.mark())
        content = message.get("content")
        match kind := message.get("type"):
            case "user" if summary := _summary(content):
                self.summary = summary
            case "user":
                display = message.get("displayContent") or content
                words = without_files(_joined(map(typed_words, texts(display)))).strip()
                self._say(message, Speaker.PERSON, words, at)
            case "gemini":
                words = _joined(texts(content))
                if words != _BEHIND_SNAPSHOT:
                    self._say(message, Speaker.ASSISTANT, words, at)
                for call in _items_if_any(message, "toolCalls"):
                    self._take_call(call, at)
            case _ if kind not in _HARMLESS:
                self.pass_over(str(kind))

    def _say(
        self, message: Mapping[str, Any], who: Speaker, words: str, at: datetime | None
    ) -> None:
        if words and self._is_new(text(message, "id")):
            self.add_turn(who, words, at)

    def _is_new(self, name: str) -> bool:
        is_new = name not in self._taken_ids
        self._taken_ids.add(name)
        return is_new

    def _take_call(self, call: Mapping[str, Any], began: datetime | None) -> None:
        if call.get("status") != "success" or not self._is_new(text(call, "id")):
            return
        tool, arguments = text(call, "name"), inner(call, "args")
        display = call.get("resultDisplay")
        if tool == "run_shell_command":
            command, output = text(arguments, "command"), next(texts(display), "")
            folder = str(Path(self.folder, text(arguments, "dir_path", "")))
            is_dated = self.folder and began
            ended = aware_moment(call.get("timestamp")) if is_dated else None
            self.add_command(command, output, folder, began, ended)
        elif done := done_by(tool, arguments, display):
            self.add_event(folder=self.folder, **done)


def _places(
    user_home: Path, variables: Mapping[str, str], roots: Iterable[Path]
) -> Iterator[Path]:
    """Yield the folders of conversations held in these roots and below.

    A folder has the name of its project, or of older versions the hash of its path.
    """
    projects = tuple(roots)
    hashes = {*map(_hashed, projects)}
    for folder in sorted((OWN_FOLDER(user_home, variables) / "tmp").glob("*")):
        project = Path(_project_of(folder))
        if folder.name in hashes or any(map(project.is_relative_to, projects)):
            yield folder / "chats"


def _hashed(root: Path) -> str:
    return sha256(os.fsencode(root)).hexdigest()


def _project_of(folder: Path) -> str:
    """Return the path of the project that a folder is for; "" if unknown."""
    with suppress(OSError):
        marker = folder / ".project_root"
        # A link or a pipe in the folder of a project could lead anywhere, or block.
        if marker.is_file() and not marker.is_symlink():
            with marker.open(encoding="utf-8", errors="replace") as stream:
                return stream.read(_LONGEST_PATH).strip()
    return ""


def _read(file: Path) -> Iterator[Transcript | Unread]:
    """Read a session, unless it is a subagent's."""
    session = _GeminiBuilder("gemini-cli", folder=_project_of(file.parent.parent))
    session.take_lines(json_lines(file), session.take, "not as Gemini CLI writes it")
    if not session.is_of_agent:
        yield from session.built()


def _messages(values: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the messages of a line. Raises TypeError."""
    if "id" in values:
        return [values]
    values = inner(values, "$set") if "$set" in values else values
    return _items_if_any(values, "messages")


def _items_if_any(values: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    return items(values, key) if values.get(key) is not None else []


def _summary(content: object) -> str:
    begin, end = _SNAPSHOT
    _, _, rest = _joined(texts(content)).partition(begin)
    return rest.partition(end)[0].strip()


def _joined(words: Iterable[str]) -> str:
    return "\n\n".join(filter(None, words)).strip()


GEMINI = TranscriptReader(
    "gemini-cli",
    "session-*.json*",
    _places,
    _read,
    days_kept=30,
    is_of=lambda file, root: file.parent.parent.name == _hashed(root),
)
