"""Measures whether what matters is told before the first edit, with no call of a tool.

    python tests/bench/planted.py [--only ID...] [--way WAY...] [--verbose]

In each history of `planted.jsonl` something is said: remembered, saved in a session, or
only spoken of in a conversation that is imported. It may be corrected once or twice,
ten sessions about other things follow, and then comes a task whose edit it concerns:
Claude Code starts, hears the task, reads the file, and edits it. What hooks told until
then has to hold the newest statement, and an older one only as one that is past.
"""

import argparse
import json
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, reduce
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.measures import table
from bench.planted_project import Conversation, Project, Said, project_at

FOLDER = Path(__file__).parent
CORRECTIONS = (0, 1, 2)
PAST = re.compile(
    r"\bpast\b|until|now:|supersed|replaced|corrected|no longer", re.IGNORECASE
)
"""Words that mark a statement as one that does not hold any more."""
_OPTIONS = {"constraint": "--constraint", "failed": "--tried"}
_OLDEST = timedelta(days=3)


@dataclass(frozen=True, slots=True)
class Statement:
    text: str
    key: str
    """A part of the text that says what matters in it."""
    said: Said
    """How it comes up in a conversation, where it has the key as well."""
    ends_former: bool
    """Whether the correction before it does not hold any more, and is not completed."""


@dataclass(frozen=True, slots=True)
class History:
    id: str
    kind: str
    """As memories have it."""
    names: str
    """What of its file the text names: path, file, identifier, or nothing."""
    path: str
    content: str
    goal: str
    statements: tuple[Statement, ...]
    """The first one, and corrections of it in their order."""
    task: str


@dataclass(frozen=True, slots=True)
class Outcome:
    history: History
    way: str
    corrections: int
    faults: tuple[str, ...]
    told: str


def histories() -> list[History]:
    return [_history(row) for row in _rows("planted.jsonl")]


def _history(row: dict[str, Any]) -> History:
    first = {**row, "text": row.pop("statement"), "ends_former": False}
    spoken = [first, *row.pop("corrections")]
    return History(
        **{name: row[name] for name in History.__slots__ if name in row},
        statements=tuple(
            Statement(x["text"], x["key"], (*map(tuple, x["said"]),), x["ends_former"])
            for x in spoken
        ),
    )


def remember(project: Project, history: History, statement: Statement) -> None:
    project.ocm("remember", statement.text, "--kind", history.kind)


def decide(project: Project, history: History, statement: Statement) -> None:
    _save(project, history.goal, "--decision", statement.text)


def save(project: Project, history: History, statement: Statement) -> None:
    """With the option that its kind has in a session."""
    option = _OPTIONS.get(history.kind, "--decision")
    _save(project, history.goal, option, statement.text)


def _save(project: Project, goal: str, *arguments: str) -> None:
    project.ocm("checkpoint", "--new", "--goal", goal, *arguments, "--status=closed")


def say(project: Project, history: History, statement: Statement) -> None:
    number = history.statements.index(statement)
    began_at = datetime.now(UTC) - _OLDEST + timedelta(hours=20 * number)
    project.keep_transcript(statement.said, began_at)
    project.ocm("import", "claude-code", "--yes")


WAYS: Mapping[str, Callable[[Project, History, Statement], None]] = {
    "remembered": remember,
    "decision": decide,
    "saved": save,
    "imported": say,
}


def played(history: History, way: str, corrections: int) -> Outcome:
    """Play the task of a history in a project of its own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        project = project_at(Path(scratch))
        project.write(history.path, history.content)
        project.commit("Add a file")
        for statement in history.statements[: corrections + 1]:
            WAYS[way](project, history, statement)
        add_newer(project)
        text = _told_before_edit(project, history)
        project.settle()
    missing = tuple(faults(text, history, corrections))
    return Outcome(history, way, corrections, missing, text)


def _told_before_edit(project: Project, history: History) -> str:
    conversation = Conversation(project)
    conversation.start()
    conversation.prompt(history.task)
    conversation.read(history.path)
    return "\n".join(conversation.told)


def add_newer(project: Project) -> None:
    """Save sessions about other things, and wait until all is at rest."""
    project.save(_rows("planted-newer.jsonl"))
    project.settle()


def faults(printed: str, history: History, corrections: int) -> Iterator[str]:
    statements = history.statements[: corrections + 1]
    if not _lines_with(printed, statements[-1]):
        yield "not told"
    for number, (statement, correction) in enumerate(pairwise(statements), 1):
        lines = _lines_with(printed, statement)
        newer = statements[number:]
        if lines and not any(_lines_with(printed, later) for later in newer):
            yield "older alone"
        elif correction.ends_former and not all(map(PAST.search, lines)):
            yield "not marked as past"


def _lines_with(printed: str, statement: Statement) -> list[str]:
    """The lines that tell a statement, without what is the statement's own."""
    lines = (" ".join(line.split()) for line in printed.splitlines())
    texts = [statement.text, statement.key, *(text for _, text in statement.said)]
    return [_without(texts, line) for line in lines if statement.key in line]


def _without(texts: Iterable[str], line: str) -> str:
    return reduce(lambda rest, text: rest.replace(text, ""), texts, line)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", help="ids of histories")
    parser.add_argument("--way", nargs="+", choices=WAYS, default=[*WAYS])
    parser.add_argument("--corrected", nargs="+", type=int, default=[*CORRECTIONS])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", action="store_true", help="what was told")
    chosen = parser.parse_args()
    runs = [
        (history, way, corrections)
        for corrections in chosen.corrected
        for way in chosen.way
        for history in histories()
        if history.id in (chosen.only or [history.id])
    ]
    with ProcessPoolExecutor(chosen.jobs) as pool:
        outcomes = []
        for outcome in pool.map(played, *zip(*runs, strict=True)):
            outcomes.append(outcome)
            _print_faults(outcome, is_verbose=chosen.verbose)
    for corrections in chosen.corrected:
        rows = [outcome for outcome in outcomes if outcome.corrections == corrections]
        title = f"Corrected {corrections} times" if corrections else "Told as it is"
        table(title, _HEADER, _rows_by_way(rows))
    sys.exit(any(outcome.faults for outcome in outcomes))


def _print_faults(outcome: Outcome, *, is_verbose: bool) -> None:
    history, missing = outcome.history, ", ".join(sorted(set(outcome.faults)))
    subject = f"{history.kind}, names {history.names or 'nothing'}"
    case = f"{outcome.way} {outcome.corrections} {history.id} ({subject})"
    print(f"{case}: {missing or 'as it should be'}", flush=True)
    if is_verbose:
        print(outcome.told)


_HEADER = ["", "cases", "newest told", "older alone", "not marked", "told by kind"]


def _rows_by_way(outcomes: Sequence[Outcome]) -> Iterator[list[object]]:
    for way in dict.fromkeys(outcome.way for outcome in outcomes):
        cases = [outcome for outcome in outcomes if outcome.way == way]
        counts = Counter(fault for case in cases for fault in set(case.faults))
        successes = (case for case in cases if "not told" not in case.faults)
        by_kind = Counter(case.history.kind for case in successes)
        kinds = Counter(case.history.kind for case in cases)
        shares = ", ".join(f"{kind} {by_kind[kind]}/{n}" for kind, n in kinds.items())
        misses = (counts[fault] for fault in ("older alone", "not marked as past"))
        yield [way, len(cases), len(cases) - counts["not told"], *misses, shares]


@cache
def _lines(name: str) -> Sequence[str]:
    return (FOLDER / name).read_text("utf-8").splitlines()


def _rows(name: str) -> Iterable[Any]:
    return map(json.loads, _lines(name))


if __name__ == "__main__":
    main()
