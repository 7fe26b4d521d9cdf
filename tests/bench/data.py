"""What the search is measured on: real sessions from a folder.

The folder holds `sessions.jsonl` (id, first, last, branch, prompts, assistant, files)
and `queries.jsonl` (subject of a commit, gold: the ids of the sessions that made it),
and perhaps LoCoMo conversations (`locomo*.json`). Nobody wrote a goal in them, so the
first prompt is a derived one, as if they had been imported. Every occurrence of a
query in a session is taken out of it, or the answer would be copied and not found.
"""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Any

from gitmem.model.conversation import Speaker, Turn
from gitmem.model.observed import goal_of, prompts_of
from gitmem.model.session import Change, FileChange, GoalSource, Session

NOW = datetime(2026, 6, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Kept:
    """A session, and what was said in it."""

    session: Session
    turns: tuple[Turn, ...] = ()

    @property
    def id(self) -> str:
        return self.session.id


@dataclass(frozen=True, slots=True)
class Asked:
    """A query, and the sessions that answer it."""

    text: str
    gold: frozenset[str]
    ignored: frozenset[str] = frozenset()
    """Sessions that count neither as found nor as wrong."""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Corpus:
    kept: list[Kept]
    asked: list[Asked]
    now: datetime = NOW


def commits(*folders: Path) -> Corpus:
    """The sessions of all folders, and commit subjects that ask for them."""
    asked = [
        Asked(row["subject"], frozenset(row["gold"]))
        for row in _rows(folders, "queries.jsonl")
    ]
    leaks = {one.text for one in asked if one.text}
    return Corpus(
        [_imported(row, leaks) for row in _rows(folders, "sessions.jsonl")], asked
    )


def continuations(kept: list[Kept]) -> list[Asked]:
    """The first prompt of a session, which the one before on its branch answers.

    What began no earlier than the prompt was not there yet when it was typed.
    """
    asked = []
    last: dict[str, Kept] = {}
    for one in sorted(kept, key=lambda one: (one.session.started_at, one.id)):
        branch, started = one.session.branch, one.session.started_at
        if not branch or not one.turns:
            continue
        before = last.get(branch)
        if before and before.session.started_at < started:
            later = {k.id for k in kept if k.session.started_at >= started}
            gold = frozenset([before.id])
            asked.append(Asked(one.turns[0].text, gold, frozenset(later)))
        last[branch] = one
    return asked


def locomo(folder: Path) -> Iterator[Corpus]:
    """Each of its conversations as a corpus: its sessions, and questions about them."""
    for path in sorted(folder.glob("locomo*.json")):
        for sample in json.loads(path.read_text("utf-8")):
            told = sample["conversation"]
            numbers = [n for n in range(1, 100) if told.get(f"session_{n}")]
            kept = [_told(told, n) for n in numbers]
            end = max(one.session.started_at for one in kept) + timedelta(days=1)
            yield Corpus(kept, list(_questions(sample["qa"])), end)


def _imported(row: dict[str, Any], leaks: Collection[str]) -> Kept:
    prompts, answers = (
        [_without(leaks, text) for text in row[name]]
        for name in ("prompts", "assistant")
    )
    session = Session(
        id=row["id"],
        tool="claude-code",
        project="bench",
        client_session_id=row["id"],
        started_at=datetime.fromisoformat(row["first"]),
        updated_at=datetime.fromisoformat(row["last"]),
        branch=row["branch"],
        goal=goal_of(prompts[0]) if prompts else "",
        goal_source=GoalSource.DERIVED,
        prompts=prompts_of(prompts),
        files=tuple(FileChange(path, Change.MODIFIED) for path in row["files"]),
    )
    turns = chain(
        (Turn(Speaker.PERSON, text) for text in prompts),
        (Turn(Speaker.ASSISTANT, text) for text in answers),
    )
    return Kept(session, tuple(turns))


def _without(leaks: Collection[str], text: str) -> str:
    lowered = text.lower()
    held = [re.escape(leak) for leak in leaks if leak.lower() in lowered]
    longest_first = "|".join(sorted(held, key=len, reverse=True))
    return re.sub(longest_first, " ", text, flags=re.IGNORECASE) if held else text


def _told(conversation: dict[str, Any], number: int) -> Kept:
    when = conversation[f"session_{number}_date_time"]
    moment = datetime.strptime(when, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    session = Session(
        id=f"D{number}",
        tool="people",
        project="locomo",
        client_session_id=f"D{number}",
        started_at=moment,
        updated_at=moment,
        goal_source=GoalSource.DERIVED,
        work_summary=(when,),
    )
    first = conversation["speaker_a"]
    turns = (
        Turn(
            Speaker.PERSON if said["speaker"] == first else Speaker.ASSISTANT,
            f"{said['speaker']}: {said['text']} {said.get('blip_caption', '')}".strip(),
        )
        for said in conversation[f"session_{number}"]
    )
    return Kept(session, tuple(turns))


def _questions(rows: list[dict[str, Any]]) -> Iterator[Asked]:
    for row in rows:
        gold = frozenset(re.findall(r"D\d+(?=:)", " ".join(row["evidence"])))
        if gold:
            yield Asked(row["question"], gold, kind=_CATEGORIES[row["category"]])


_CATEGORIES = {
    1: "several sessions", 2: "time", 3: "inference", 4: "one session", 5: "trick"
}  # fmt: skip


def _rows(folders: tuple[Path, ...], name: str) -> Iterator[dict[str, Any]]:
    for folder in folders:
        with (folder / name).open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)
