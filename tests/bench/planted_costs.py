"""Measures what is told where nothing should be, and what a long conversation is told.

    python tests/bench/planted_costs.py [--verbose]

The statements of all histories are in one memory, each remembered, saved and imported:
then come 100 prompts and 100 edits, each after a read, that have to do with none of
them. In another memory are a thousand lines that assistants wrote in the sessions
of `january`; conversations of 30 prompts and 60 edits are made of the prompts and files
of these very sessions.
"""

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain, cycle, islice
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import data
from bench.histories import BY, extend_with_memories
from bench.measures import table
from bench.planted import FOLDER, add_newer, histories
from bench.planted_project import Conversation, Project, project_at

from gitmem.documents.memory.memory import Category, Memory, ids_of
from gitmem.text.counting import estimated_tokens

JANUARY = FOLDER / "january"
UNRELATED, TOGETHER = 100, 10
"""Prompts, and as many edits; and how many of both are in one conversation."""
MEMORIES, PROMPTS, EDITS = 1000, 30, 60
_LINE = re.compile(r"\w[^\n]{30,250}\b")
_FIRST = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Told:
    """What a conversation was told."""

    of_prompts: Sequence[str]
    of_edits: Sequence[str]
    """And of the reads before them."""

    @property
    def tokens(self) -> int:
        return sum(map(estimated_tokens, chain(self.of_prompts, self.of_edits)))


def unrelated() -> list[tuple[str, str]]:
    """Prompts and files of other projects that were told something, and that."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        project = _project_with_all(Path(scratch))
        asked = [each.text for each in data.unrelated(JANUARY)[:UNRELATED]]
        paths = [path for _, files in _sessions() for path in files][:UNRELATED]
        _write_empty(project, paths)
        found: list[tuple[str, str]] = []
        for at in range(0, UNRELATED, TOGETHER):
            prompts, files = asked[at : at + TOGETHER], paths[at : at + TOGETHER]
            told = _talk(project, prompts, files)
            found += zip(prompts, told.of_prompts, strict=True)
            found += zip(files, told.of_edits, strict=True)
        project.settle()
    return [(what, text) for what, text in found if text]


def _project_with_all(folder: Path) -> Project:
    project, known = project_at(folder), histories()
    for each in known:
        project.write(each.path, each.content)
        ago = timedelta(days=30 + known.index(each))
        project.keep_transcript(each.statements[0].said, datetime.now(UTC) - ago)
    project.commit("Add files")
    project.ocm("import", "claude-code", "--yes")
    decided = [{"goal": x.goal, "decisions": [x.statements[0].text]} for x in known]
    project.save(decided)
    for each in known:
        project.ocm("remember", each.statements[0].text, "--kind", each.kind)
    add_newer(project)
    return project


def long_conversation(number: int) -> Told:
    """One of those that January's sessions are made into, one after the other."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        project = project_at(Path(scratch))
        sessions = [*_sessions()]
        _write_empty(project, [path for _, files in sessions for path in files])
        project.commit("Add files")
        extend_with_memories(project.root, _memories())
        project.ocm("recall", "anything")
        prompts, files = _conversations(sessions)[number]
        told = _talk(project, prompts, islice(cycle(files), EDITS))
        project.settle()
    return told


def _conversations(
    sessions: Sequence[tuple[list[str], list[str]]],
) -> list[tuple[list[str], list[str]]]:
    """Prompts and files of sessions that follow each other, as many as are wanted."""
    made: list[tuple[list[str], list[str]]] = [([], [])]
    for prompts, files in sessions:
        made[-1][0].extend(prompts)
        made[-1][1].extend(files)
        if len(made[-1][0]) >= PROMPTS:
            made.append(([], []))
    return [(prompts[:PROMPTS], files) for prompts, files in made[:-1]]


def _talk(project: Project, prompts: Sequence[str], files: Any) -> Told:
    """Prompts with edits between them, each of a file that was read before."""
    conversation, paths = Conversation(project), [*files]
    conversation.start()
    of_prompts: list[str] = []
    of_edits: list[str] = []
    each_time = -(-len(paths) // len(prompts))
    for number, prompt in enumerate(prompts):
        of_prompts.append(conversation.prompt(prompt))
        edited = paths[number * each_time :][:each_time]
        of_edits += [conversation.read(x) + conversation.edit(x) for x in edited]
    return Told(of_prompts, of_edits)


def _sessions() -> Iterator[tuple[list[str], list[str]]]:
    for row in _rows():
        yield row["prompts"], row["files"]


def _memories() -> Iterator[Memory]:
    texts = chain.from_iterable(row["assistant"] for row in _rows())
    lines = dict.fromkeys(chain.from_iterable(map(_LINE.findall, texts)))
    for number, text in enumerate(islice(lines, MEMORIES)):
        at = _FIRST + timedelta(minutes=number)
        yield Memory(
            id=next(ids_of(text, "")),
            text=text,
            kind=[*Category][number % len(Category)],
            created_at=at,
            updated_at=at,
            author=BY,
        )


def _rows() -> list[dict[str, Any]]:
    lines = (JANUARY / "sessions.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _write_empty(project: Project, paths: Sequence[str]) -> None:
    for path in paths:
        project.write(path, "// nothing\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verbose", action="store_true", help="what was told")
    is_verbose = parser.parse_args().verbose
    conversations = len(_conversations([*_sessions()]))
    with ProcessPoolExecutor() as pool:
        told_of = pool.submit(unrelated)
        costs = [*pool.map(long_conversation, range(conversations))]
        disturbed = told_of.result()
    for what, text in disturbed:
        print(f"told of {what!r}" + (f": {text}" if is_verbose else ""))
    told = [[len(disturbed), 2 * UNRELATED]]
    table("What is unrelated", ["told something", "prompts and edits"], told)
    rows = [
        [number, sum(map(bool, x.of_prompts)), sum(map(bool, x.of_edits)), x.tokens]
        for number, x in enumerate(costs)
    ]
    header = ["conversation", "prompts told", "edits told", "tokens beside the brief"]
    table(f"In a memory of {MEMORIES:,}", header, rows)
    print(f"median: {median(each.tokens for each in costs):.0f} tokens")


if __name__ == "__main__":
    main()
