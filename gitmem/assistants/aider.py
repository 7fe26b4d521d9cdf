"""Aider: the chat history that it appends to in the work tree.

One file holds all conversations of a work tree. Each begins with `# aider chat started
at`. Lines of a prompt begin with `####` after an empty line, lines of Aider's own with
`>`; both end in two spaces, unlike headings and quotations in an answer. The format is
that of `aider/io.py`, the same from 2023 to version 0.86.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gitmem.assistants.transcripts import (
    PrintedCommit,
    Transcript,
    TranscriptReader,
    Unread,
)
from gitmem.assistants.transcripts.transcript_builder import TranscriptBuilder
from gitmem.assistants.transcripts.transcript_files import text_lines
from gitmem.documents.conversation.conversation import Speaker
from gitmem.git.values import Change
from gitmem.text.calendar import read_time
from gitmem.text.patterns import pattern

HISTORY = ".aider.chat.history.md"

_BEGINNING = "# aider chat started at "
_BREAK = "  \n"
_COMMAND = pattern(r"[/!]")
_ASKING = pattern(r"/(?:ask|architect|code|context|copy-context)\s+(?=\S)")
_APPLIED = pattern(r"> Applied edit to (.+)")
_NEW_FILE = pattern(r"> (?:Create new file\?|Allow creation of new file (.+)\?)[^?]* y")
_COMMIT = pattern(r"> Commit ([0-9a-f]{7,40}) (.+)")
_UNDONE = pattern(r"> Removed: ([0-9a-f]{7,40}) ")
_SEVERAL_LINES = pattern(r"> (?:Commit [0-9a-f]{7,40} |# \d+ SEARCH/REPLACE block)")
_HIDDEN = {"<<<<<<< ": ">>>>>>> ", "<thinking-content-": "</thinking-content-"}
_AFTER_ANSWER = "> Tokens: "
_EMPTY_FENCE = pattern(r"^```[^\n]*\n```[ \t]*\n?", re.MULTILINE)


def _places(
    _user_home: Path, variables: Mapping[str, str], roots: Iterable[Path]
) -> Iterator[Path]:
    name = variables.get("AIDER_CHAT_HISTORY_FILE") or HISTORY
    return (root / name for root in roots)


def _read(file: Path) -> Iterator[Transcript | Unread]:
    conversation: _AiderBuilder | None = None
    beginnings: dict[str, int] = {}
    is_lost = False
    for number, line in enumerate(text_lines(file), 1):
        if line.startswith(_BEGINNING):
            yield from _finished(conversation)
            conversation = _begun(line, file, beginnings)
            is_lost = conversation is None
            if is_lost:
                yield Unread("a beginning without a date", number)
        elif conversation:
            conversation.add(line)
        elif line.strip() and not is_lost:
            is_lost = True
            yield Unread("no beginning of a conversation", number)
    yield from _finished(conversation)


AIDER = TranscriptReader("aider", HISTORY, _places, _read)


def _begun(line: str, file: Path, beginnings: dict[str, int]) -> "_AiderBuilder | None":
    try:
        at = read_time(line.removeprefix(_BEGINNING).strip()).replace(tzinfo=None)
    except ValueError:
        return None
    name = f"aider-{at.isoformat()}"
    beginnings[name] = beginnings.get(name, 0) + 1
    if beginnings[name] > 1:
        name = f"{name}-{beginnings[name]}"
    return _AiderBuilder("aider", name, str(file.absolute().parent), began_at=at)


def _finished(conversation: "_AiderBuilder | None") -> Iterator[Transcript | Unread]:
    if conversation:
        conversation.end_turn()
        conversation.commits += conversation.undoable_commits.values()
        yield from conversation.built()


@dataclass(slots=True)
class _AiderBuilder(TranscriptBuilder):
    undoable_commits: dict[str, PrintedCommit] = field(default_factory=dict)
    """Commits, by id, that were not undone."""
    _speaker: Speaker = Speaker.ASSISTANT
    _turn_lines: list[str] = field(default_factory=list)
    _may_be_prompt: bool = False
    _hidden_until: str = ""
    _in_own_lines: bool = False
    _last_own: str = ""
    _new_files: set[str] = field(default_factory=set)

    def add(self, line: str) -> None:
        is_whole = line.endswith(_BREAK)
        is_prompt = is_whole and self._may_be_prompt and line.startswith("####")
        self._may_be_prompt = is_prompt or line == "\n"
        if is_prompt:
            self._add_prompt(line)
        elif self._in_own_lines:
            self._in_own_lines = not is_whole
        elif self._hidden_until:
            if line.startswith((self._hidden_until, _AFTER_ANSWER)):
                self._hidden_until = ""
        elif line.startswith(">") and (is_whole or _SEVERAL_LINES.match(line)):
            self._add_own(line)
            self._in_own_lines = not is_whole
        else:
            self._add_answer(line)

    def end_turn(self) -> None:
        text = "".join(self._turn_lines).strip()
        self._turn_lines.clear()
        self._hidden_until = ""
        is_person = self._speaker is Speaker.PERSON
        words = _prompt_words(text) if is_person else _EMPTY_FENCE.sub("", text).strip()
        self.add_turn(self._speaker, words)

    def _add_prompt(self, line: str) -> None:
        if self._speaker is Speaker.ASSISTANT:
            self.end_turn()
            self._speaker = Speaker.PERSON
        self._in_own_lines = False
        self._turn_lines.append(f"{line[5:].rstrip()}\n")

    def _add_answer(self, line: str) -> None:
        if self._speaker is Speaker.PERSON:
            self.end_turn()
            self._speaker = Speaker.ASSISTANT
        if line.startswith("<"):
            self._hidden_until = next(
                (end for start, end in _HIDDEN.items() if line.startswith(start)), ""
            )
        if not self._hidden_until:
            self._turn_lines.append(line)

    def _add_own(self, line: str) -> None:
        self.end_turn()
        self._speaker = Speaker.ASSISTANT
        text = line.rstrip()
        if match := _APPLIED.fullmatch(text):
            self._add_edit(match[1])
        elif match := _NEW_FILE.match(text):
            self._new_files.add(match[1] or self._last_own)
        elif match := _COMMIT.fullmatch(text):
            self.undoable_commits[match[1]] = PrintedCommit(match[1], match[2])
        elif match := _UNDONE.match(text):
            self.undoable_commits.pop(match[1], None)
        self._last_own = text[2:]

    def _add_edit(self, path: str) -> None:
        is_new = path in self._new_files
        self._new_files.discard(path)
        change = Change.CREATED if is_new else Change.MODIFIED
        self.add_edits([(path, change)], self.folder)


def _prompt_words(text: str) -> str:
    """Return the words of a prompt; "" for a command without any."""
    if asking := _ASKING.match(text):
        return text[asking.end() :]
    return "" if _COMMAND.match(text) or text == "<blank>" else text
