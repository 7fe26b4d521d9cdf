"""Build the transcript of a conversation from its records, one after another."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from gitmem.assistants.assistant import EventKind, HookEvent
from gitmem.assistants.transcripts import (
    CommandRun,
    PrintedCommit,
    Transcript,
    Unread,
    printed_commits,
    shown_commits,
    subjects_in,
)
from gitmem.assistants.transcripts.transcript_files import JsonLine
from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.git.values import Change
from gitmem.text.patterns import pattern

Mark = tuple[int, int, int]
Take = Callable[[dict[str, Any]], None]
"""Takes an object of a file. Raises KeyError, TypeError, ValueError."""
_NAME = pattern(r"[A-Za-z_.:/$ -]{1,60}")
_MOST_NAMES = 20
_RUN_LENGTH = 20_000
"""Characters of a command, and of its output."""


@dataclass(slots=True)
class TranscriptBuilder:
    """A conversation so far, as in `Transcript`."""

    tool: str
    id: str = ""
    folder: str = ""
    branch: str | None = None
    began_at: datetime | None = None
    ended_at: datetime | None = None
    turns: list[Turn] = field(default_factory=list)
    events: list[HookEvent] = field(default_factory=list)
    commits: list[PrintedCommit] = field(default_factory=list)
    runs: list[CommandRun] = field(default_factory=list)
    summary: str = ""
    parent: str = ""
    base: str = ""
    program: str = ""
    unread: dict[str, Unread] = field(default_factory=dict)
    """Damaged and passed over records: the first of each reason, with their count."""
    _subjects: set[str] = field(default_factory=set)
    """Texts of its commands that can be subjects of commits."""

    def take_lines(
        self, lines: Iterable[JsonLine | Unread], take: Take, fault: str
    ) -> None:
        """Call `take` with each object; what it cannot take has the fault."""
        for line in lines:
            if isinstance(line, Unread):
                self.add_unread(line)
                continue
            try:
                take(line.values)
            except (KeyError, TypeError, ValueError):
                self.add_unread(Unread(fault, line.at))

    def add_time(self, at: datetime | None) -> None:
        if at:
            self.ended_at = max(self.ended_at or at, at)

    def add_turn(
        self, speaker: Speaker, words: str, at: datetime | None = None
    ) -> None:
        if words:
            self.turns.append(Turn(speaker, words, at))

    def add_event(self, kind: EventKind, folder: str = "", **values: Any) -> None:
        values |= {"client_session_id": self.id, "at": self.ended_at}
        self.events.append(HookEvent(kind=kind, folder=folder, **values))

    def add_edits(self, edits: Iterable[tuple[str, Change]], folder: str) -> None:
        for path, change in edits:
            if path:
                self.add_event(EventKind.EDIT, folder, path=path, change=change)

    def add_command(
        self,
        command: str,
        output: str,
        folder: str,
        began: datetime | None,
        ended: datetime | None,
    ) -> None:
        """Add a command and its commits; without an end these alone."""
        self.commits += self.commits_in(command, output)
        if ended:
            self.add_run(CommandRun(command, output, folder, began or ended, ended))

    def commits_in(self, command: str, output: str) -> list[PrintedCommit]:
        """Return the commits in an output that this or an earlier command made."""
        self._subjects |= subjects_in(command)
        commits = [*printed_commits(command, output)]
        subjects = self._subjects - {commit.subject for commit in commits}
        return [*commits, *shown_commits(output, subjects)]

    def pass_over(self, kind: str) -> None:
        """Count a record of an unknown type, a hostile text."""
        is_name = _NAME.fullmatch(kind) and len(self.unread) < _MOST_NAMES
        name = kind if is_name else ""
        self.add_unread(Unread(f"unknown type of record {name}".strip()))

    def add_unread(self, more: Unread) -> None:
        first = self.unread.get(more.reason, replace(more, count=0))
        self.unread[more.reason] = replace(first, count=first.count + more.count)

    def mark(self) -> Mark:
        """Return the state to which `take_back` returns."""
        return len(self.turns), len(self.events), len(self.runs)

    def take_back(self, mark: Mark) -> None:
        """Remove what was added since: the person took it back.

        Commits stay, as git has them.
        """
        turns, seen, ran = mark
        del self.turns[turns:], self.events[seen:], self.runs[ran:]

    def add_run(self, ran: CommandRun) -> None:
        command, output = ran.command[:_RUN_LENGTH], ran.output[:_RUN_LENGTH]
        self.runs.append(replace(ran, command=command, output=output))

    def transcript(self) -> Transcript | None:
        """Return the transcript; None if no time is known."""
        if self.began_at is None:
            return None
        return Transcript(
            tool=self.tool,
            client_session_id=self.id,
            folder=self.folder,
            branch=self.branch,
            began_at=self.began_at,
            ended_at=max(self.began_at, self.ended_at or self.began_at),
            turns=tuple(self.turns),
            events=tuple(self.events),
            commits=tuple(self.commits),
            runs=tuple(self.runs),
            summary=self.summary,
            parent=self.parent,
            base=self.base,
            program=self.program,
        )

    def built(self) -> Iterator[Transcript | Unread]:
        """Yield what was not read, and the transcript unless it is empty."""
        yield from self.unread.values()
        if self.turns or self.summary or self.events or self.commits or self.runs:
            yield self.transcript() or Unread("no time")
