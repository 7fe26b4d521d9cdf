"""How long a search takes, and what it costs to be ready for one."""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice

from bench.data import Kept
from bench.measures import milliseconds, spread, table
from bench.ours import Ours

from gitmem.documents.conversation import conversation
from gitmem.documents.session import rendering

_CHANGES = 100


def searches(corpora: Mapping[str, Ours], texts: Sequence[str]) -> None:
    """Measure searches of an index that is open and cached."""
    table(
        "Warm search, five hits (ms, p50 / p99)",
        ["sessions", "ms"],
        ([size, _warm(ours, texts)] for size, ours in corpora.items()),
    )


def upkeep(corpora: Mapping[str, Ours]) -> None:
    """What the index costs; this changes it."""
    table(
        "The index",
        [
            "sessions",
            "MB of text",
            "MB on disk",
            "built (s)",
            "caught up with one change (ms, p50 / p99)",
            "new process, index opened, first query (ms)",
        ],
        ([size, *_upkeep(one)] for size, one in corpora.items()),
    )


def _warm(ours: Ours, texts: Sequence[str]) -> str:
    for text in texts[:20]:
        ours.ids(text, 5)
    return spread(milliseconds(partial(ours.ids, text, 5)) for text in texts)


def _upkeep(ours: Ours) -> list[str]:
    text = sum(map(_text, ours.kept)) / 1e6
    disk, built = ours.size / 1e6, ours.built
    cold = _cold(ours)
    changes = (_change(ours, one) for one in islice(ours.kept, _CHANGES))
    figures = (f"{text:.1f}", f"{disk:.1f}", f"{built:.1f}")
    return [*figures, spread(changes), f"{cold:.0f}"]


def _text(kept: Kept) -> int:
    """Bytes of the document and the conversation, as git has them before packing."""
    texts = rendering.render(kept.session), conversation.render(kept.turns)
    return sum(len(text.encode()) for text in texts)


def _change(ours: Ours, kept: Kept) -> float:
    return milliseconds(lambda: ours.learn(kept.id, [kept], since="before"))


def _cold(ours: Ours) -> float:
    """A new process that opens the index and searches once; the best of five."""
    code = (
        "import sys; from pathlib import Path; from datetime import datetime, UTC;"
        "from gitmem.search.index import Index;"
        "from gitmem.search.queries.query import parse;"
        "f = Path(sys.argv[1]); i = Index.open(f / 'index', f / 'lock');"
        "i.search(parse('return the length', now=datetime.now(UTC), tools={}), limit=5)"
    )
    run = [sys.executable, "-c", code, str(ours.folder)]
    return min(milliseconds(lambda: subprocess.run(run, check=True)) for _ in range(5))
