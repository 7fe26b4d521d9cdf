"""Measures the context of a task: how long it takes, and whether it has the answer.

    python tests/bench/context_bench.py speed [SIZE]
    python tests/bench/context_bench.py locomo DATA_FOLDER

`speed` makes a repository with so many sessions and memories, and times context, recall
and a search of the index alone in turn. `locomo` asks the questions of `bench.data`,
each conversation in a repository of its own, of the search and of a context.
"""

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import data, histories, made
from bench.data import Asked, Corpus, Kept
from bench.measures import estimate, milliseconds, scored, spread, table
from support.harness import git, make_repository
from support.workspaces import workspace_at

from gitmem.actions.context.context import context
from gitmem.actions.context.task import ContextRequest
from gitmem.actions.reading.find import search
from gitmem.actions.remembering.recall import RecallQuery, recall
from gitmem.indexing import caught_up_index
from gitmem.resources import collect_rarely
from gitmem.search.queries.query import of_words
from gitmem.workspace import Workspace

_ROUNDS = 200


def speed(place: Path, size: int) -> None:
    folder = _repository(place)
    sessions = (replace(s, branch="main") for s in histories.sessions(0, size))
    histories.extend(folder, sessions)
    histories.extend_with_memories(folder, histories.memories(size))
    workspace = _workspace(folder)
    caught_up_index(workspace)
    index = workspace.open_index()
    tasks = [line for each in made.sessions(_ROUNDS) for line in each.work_summary[:1]]
    figures: dict[str, list[float]] = {}
    for task in tasks:
        query = of_words(task, "session", ())
        for name, work in {
            "a search of the index alone": lambda q=query: index.search(q, limit=5),
            "recall": lambda t=task: recall(workspace, RecallQuery(t)),
            "context": lambda t=task: context(workspace, ContextRequest(t)),
        }.items():
            figures.setdefault(name, []).append(milliseconds(work))
    rows = [[name, spread(each), f"{min(each):.1f}"] for name, each in figures.items()]
    table(f"{size:,} sessions and memories (ms)", ["", "p50 / p99", "least"], rows)


def locomo(place: Path, folder: Path) -> None:
    found: dict[str, list[float]] = {"search": [], "context": []}
    most = 0
    for number, corpus in enumerate(data.locomo(folder)):
        workspace, questions = _of_corpus(place / str(number), corpus)
        for asked in questions:
            hits = [each.hit.id for each in search(workspace, asked.text).results]
            told = context(workspace, ContextRequest(asked.text))
            found["search"].append(scored(hits, asked, 0).five)
            items = {item.id for item in told.items}
            found["context"].append(len(asked.gold & items) / len(asked.gold))
            most = max(most, told.tokens)
    title = f"LoCoMo: {len(found['search'])} questions, at most {most} tokens"
    rows = [[name, estimate(shares)] for name, shares in found.items()]
    table(title, ["", "evidence session is there"], rows)


def _of_corpus(place: Path, corpus: Corpus) -> tuple[Workspace, list[Asked]]:
    """Its sessions under ids that a repository can have."""
    place.mkdir()
    folder, names, kept = _repository(place), {}, []
    for one in corpus.kept:
        at = one.session.started_at
        names[one.id] = f"{at:%Y-%m-%d_%H-%M}_cursor_{one.id.lower()}"
        session = replace(one.session, id=names[one.id], tool="cursor", branch="main")
        kept.append(Kept(replace(session, author=histories.BY), one.turns))
    histories.extend_with_said(folder, kept)
    asked = [
        Asked(each.text, frozenset(map(names.__getitem__, each.gold)))
        for each in corpus.asked
    ]
    return _workspace(folder), asked


def _repository(place: Path) -> Path:
    folder = make_repository(place / "repository")
    name, _, address = histories.BY.rstrip(">").partition(" <")
    git(folder, "config", "user.name", name)
    git(folder, "config", "user.email", address)
    return folder


def _workspace(folder: Path) -> Workspace:
    return workspace_at(folder, OCM_HOME=str(folder.parent / "home"))


def main() -> None:
    collect_rarely()  # as every command and server of ours
    with tempfile.TemporaryDirectory() as place:
        match sys.argv[1:]:
            case ["speed"]:
                speed(Path(place), 10_000)
            case ["speed", size]:
                speed(Path(place), int(size))
            case ["locomo", folder]:
                locomo(Path(place), Path(folder))
            case _:
                sys.exit(__doc__)


if __name__ == "__main__":
    main()
