"""What the search is measured on: real sessions from a folder.

The folder holds `sessions.jsonl` (id, first, last, branch, prompts, assistant, files)
and `queries.jsonl` (subject of a commit, gold: the ids of the sessions that made it),
`own-words.jsonl` (id, query, gold: what a developer would type weeks later),
`unrelated-typed.jsonl` (id, query: what no session answers) and LoCoMo conversations
(`locomo*.json`).

Nobody wrote a goal in the sessions, so goal and answers are derived, as if they had
been imported. Every occurrence of a commit's subject is taken out of those that are
asked for commits, or the answer would be copied and not found.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Any

from gitmem.documents.conversation import conversation
from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.documents.session.gist import answers_of, goal_of, prompts_of
from gitmem.documents.session.session import GoalSource, Session
from gitmem.git.values import Change, FileChange

NOW = datetime(2029, 1, 1, tzinfo=UTC)


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
    also: tuple[str, ...] = ()
    """Other wordings of it."""


@dataclass(frozen=True, slots=True)
class Corpus:
    kept: list[Kept]
    asked: list[Asked]
    now: datetime = NOW


def commits(folder: Path) -> Corpus:
    """The sessions, and commit subjects that ask for them."""
    asked = [
        Asked(row["subject"], frozenset(row["gold"]))
        for row in _rows(folder / "queries.jsonl")
    ]
    leaks = {one.text for one in asked if one.text}
    kept = [*sessions(folder, leaks)]
    return Corpus(kept, answerable(asked, kept))


def sessions(folder: Path, leaks: Collection[str] = ()) -> Iterator[Kept]:
    return (_imported(row, leaks) for row in _rows(folder / "sessions.jsonl"))


def answerable(asked: Iterable[Asked], kept: Iterable[Kept]) -> list[Asked]:
    """Those that `kept` has an answer to, with what it has of their gold."""
    ids = {one.id for one in kept}
    within = (replace(one, gold=one.gold & ids) for one in asked)
    return [one for one in within if one.gold]


def own_words(folder: Path, also: Path | None = None) -> list[Asked]:
    """What asks for the sessions; in `also` are other wordings of it."""
    wordings = {row["id"]: row["also"] for row in _rows(also)} if also else {}
    return [
        Asked(row["query"], frozenset(row["gold"]), tuple(wordings.get(row["id"], ())))
        for row in _rows(folder / "own-words.jsonl")
    ]


def unrelated(folder: Path) -> list[Asked]:
    """What no session answers, typed as own words are."""
    rows = _rows(folder / "unrelated-typed.jsonl")
    return [Asked(row["query"], frozenset()) for row in rows]


def conversations(corpus: Corpus) -> Corpus:
    """`corpus` as `ocm import` keeps it: rows of one client id are one session.

    A conversation that was resumed left two transcripts, and mostly the later one holds
    all of the earlier one.
    """
    rows: dict[str, list[Kept]] = {}
    for one in sorted(corpus.kept, key=lambda one: (one.session.updated_at, one.id)):
        rows.setdefault(one.session.client_session_id or one.id, []).append(one)
    named = {row.id: together[0].id for together in rows.values() for row in together}
    asked = [
        replace(one, gold=frozenset(map(named.__getitem__, one.gold)))
        for one in corpus.asked
    ]
    return replace(corpus, kept=[*map(_as_one, rows.values())], asked=asked)


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
        client_session_id=row["id"][-_UUID:],
        started_at=datetime.fromisoformat(row["first"]),
        updated_at=datetime.fromisoformat(row["last"]),
        branch=row["branch"],
        goal=goal_of(prompts) or "",
        goal_source=GoalSource.DERIVED,
        prompts=prompts_of(prompts),
        answers=answers_of(answers),
        files=tuple(FileChange(path, Change.MODIFIED) for path in row["files"]),
    )
    turns = chain(
        (Turn(Speaker.PERSON, text) for text in prompts),
        (Turn(Speaker.ASSISTANT, text) for text in answers),
    )
    return Kept(session, tuple(turns))


_UUID = 36
"""Characters of a client id, which ends the id of a row."""


def _without(leaks: Collection[str], text: str) -> str:
    lowered = text.lower()
    held = [re.escape(leak) for leak in leaks if leak.lower() in lowered]
    longest_first = "|".join(sorted(held, key=len, reverse=True))
    return re.sub(longest_first, " ", text, flags=re.IGNORECASE) if held else text


def _as_one(rows: list[Kept]) -> Kept:
    """The rows of a conversation, from the one that ended first to the last."""
    if len(rows) == 1:
        return rows[0]
    turns: dict[Turn, None] = {}
    for row in rows:
        turns |= dict.fromkeys(row.turns)
    prompts = list(conversation.prompts(turns))
    files = dict.fromkeys(file for row in rows for file in row.session.files)
    session = replace(
        rows[0].session,
        started_at=min(row.session.started_at for row in rows),
        updated_at=rows[-1].session.updated_at,
        branch=rows[-1].session.branch,
        goal=goal_of(prompts) or "",
        prompts=prompts_of(prompts),
        answers=answers_of(conversation.answers(turns)),
        files=tuple(files),
    )
    return Kept(session, tuple(turns))


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
            yield Asked(row["question"], gold)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)
