"""Measures recall: how often the memory that answers is among the first, and how sure.

    python tests/bench/recall_bench.py [DATA_FOLDER]

`memories-blind.jsonl` has statements of three invented projects, and questions in other
people's words; some ask for what nobody said. The folder may hold LoCoMo conversations,
whose turns are memories then.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import data, histories
from bench.measures import median_and_tenth, milliseconds, table
from support.harness import make_repository
from support.workspaces import workspace_at

from gitmem.actions.remembering.meanings import build_meanings
from gitmem.actions.remembering.recall import RecalledMemory, RecallQuery, recall
from gitmem.documents.memory.memory import (
    CONFIDENCE,
    IMPORTANCE,
    Category,
    Memory,
    MemoryFile,
    ids_of,
)
from gitmem.search.documents import Match

BLIND = Path(__file__).with_name("memories-blind.jsonl")
_STATED = datetime(2026, 1, 1, tzinfo=UTC)
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    answers: frozenset[str]
    case: str = "real"


@dataclass(frozen=True, slots=True)
class Case:
    """Memories by the name that questions call them, and the questions."""

    memories: dict[str, Memory]
    questions: list[Question]


def blind() -> Case:
    rows = [json.loads(line) for line in BLIND.read_text("utf-8").splitlines()]
    statements = [row for row in rows if row["type"] == "statement"]
    memories = {
        row["id"]: memory(number, row["text"], **_details(row))
        for number, row in enumerate(statements)
    }
    questions = [
        Question(row["text"], frozenset(row["answers"]), row["case"])
        for row in rows
        if row["type"] == "question"
    ]
    return Case(memories, questions)


def later_statements() -> list[dict[str, Any]]:
    """What says again, or against, what a statement of the blind set says."""
    rows = map(json.loads, BLIND.read_text("utf-8").splitlines())
    return [row for row in rows if row["type"] == "later"]


def locomo(folder: Path) -> Iterator[Case]:
    """The turns of each conversation as memories, and its questions."""
    for path in sorted(folder.glob("locomo*.json")):
        for sample in json.loads(path.read_text("utf-8")):
            conversation = sample["conversation"]
            turns = [
                turn
                for name in sorted(conversation, key=lambda key: (len(key), key))
                if isinstance(conversation[name], list)
                for turn in conversation[name]
            ]
            memories = {
                turn["dia_id"]: memory(number, f"{turn['speaker']}: {turn['text']}")
                for number, turn in enumerate(turns)
            }
            questions = [
                Question(row["question"], gold)
                for row in sample["qa"]
                if (gold := frozenset(row["evidence"]) & memories.keys())
            ]
            yield Case(memories, questions)


def memory(number: int, text: str, kind: str = "fact", **details: Any) -> Memory:
    at = _STATED + timedelta(minutes=number)
    category = Category(kind)
    return Memory(
        id=next(ids_of(text, "")),
        text=text,
        kind=category,
        importance=IMPORTANCE.get(category, 0.5),
        confidence=CONFIDENCE.get(category, 0.8),
        created_at=at,
        updated_at=at,
        author=histories.BY,
        **details,
    )


def _details(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "kind": row["kind"] if row["kind"] in set(Category) else "fact",
        "why": row["why"],
        "files": tuple(MemoryFile(path, "") for path in row["files"]),
        "tags": tuple(row["tags"]),
    }


Recall = Callable[[str], Sequence[RecalledMemory]]


def repository_with(folder: Path, case: Case, *, by_meaning: bool = False) -> Recall:
    """Return what asks the memories, kept in a repository."""
    histories.extend_with_memories(make_repository(folder), case.memories.values())
    workspace = workspace_at(folder)
    if by_meaning:
        workspace.open_index()  # the vectors are kept beside it
        build_meanings(workspace)

    def answer(text: str) -> Sequence[RecalledMemory]:
        query = RecallQuery(text, by_meaning=by_meaning)
        return recall(workspace, query).memories

    return answer


@dataclass(frozen=True, slots=True)
class Answer:
    question: Question
    rights: tuple[bool, ...]
    """Of each of the first hits, whether it answers."""
    is_strong: bool


def answers(case: Case, recall_memories: Recall) -> list[Answer]:
    ids = {case.memories[name].id: name for name in case.memories}
    replies = []
    for question in case.questions:
        hits = recall_memories(question.text)[:_SHOWN]
        rights = tuple(ids[hit.memory.id] in question.answers for hit in hits)
        is_strong = any(hit.match is Match.STRONG for hit in hits)
        replies.append(Answer(question, rights, is_strong))
    return replies


def figures(replies: Sequence[Answer]) -> list[object]:
    real = [answer for answer in replies if answer.question.answers]
    strong = [answer for answer in real if answer.is_strong]
    wrong = sum(not any(answer.rights) for answer in strong)
    row: list[object] = [f"{recall_at(most, real):.3f}" for most in (1, _SHOWN)]
    row.append(f"{wrong} of {len(strong)}")
    row += [unanswerable(replies, name) for name in ("near", "unrelated", "typed")]
    return row


def recall_at(most: int, replies: Sequence[Answer]) -> float:
    """The mean share of what answers a question among so many hits."""
    return mean(
        sum(answer.rights[:most]) / len(answer.question.answers)
        for answer in replies
        if answer.question.answers
    )


def unanswerable(replies: Sequence[Answer], case: str) -> str:
    """How many questions of a case are answered nevertheless, and strongly."""
    matching = [answer for answer in replies if answer.question.case == case]
    answered = sum(bool(answer.rights) for answer in matching)
    strong = sum(answer.is_strong for answer in matching)
    return f"{answered} / {strong} of {len(matching)}" if matching else "-"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    data_folder = parser.parse_args().folder
    cases = {"blind": blind()}
    if data_folder:
        typed = [Question(q.text, q.gold, "typed") for q in data.unrelated(data_folder)]
        cases |= {f"LoCoMo {n}": case for n, case in enumerate(locomo(data_folder), 1)}
        for case in cases.values():
            case.questions.extend(typed)
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["OCM_HOME"] = f"{scratch}/home"
        for name, by_meaning in product(cases, (False, True)):
            case, folder = cases[name], Path(scratch, f"{name}-{by_meaning}")
            asking = repository_with(folder, case, by_meaning=by_meaning)
            replies = answers(case, asking)
            times = [milliseconds(partial(asking, q.text)) for q in case.questions]
            spread = " / ".join(f"{n:.0f}" for n in median_and_tenth(times))
            kind = f"{name}, by meaning" if by_meaning else name
            rows.append([kind, *figures(replies), spread])
    header = ["R@1", "R@5", "strong, none right", "near misses", "unrelated", "typed"]
    table("Recall", ["memories", *header, "ms (median, p90)"], rows)


if __name__ == "__main__":
    main()
