"""What the index costs beside bare Tantivy on the same text, taken in turn.

Bare Tantivy has one field, `en_stem`, and adds a document for each session. Processor
time is that of all threads and processes.
"""

import resource
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import TypeVar

import tantivy
from bench.data import Kept
from bench.measures import table
from search.builders import changed

from gitmem.documents.changes import Changed, Changes
from gitmem.documents.conversation import conversation
from gitmem.documents.session import rendering
from gitmem.search.index import Index

T = TypeVar("T")

_ROUNDS = 5
_HEAP = 50_000_000


def costs(corpora: Mapping[str, Iterable[Kept]]) -> None:
    table(
        f"The index beside bare Tantivy (processor time, median of {_ROUNDS})",
        ["sessions", "s", "bare: s", "ratio", "index / text"],
        ([name, *_cost([*sessions])] for name, sessions in corpora.items()),
    )


def _cost(sessions: Sequence[Kept]) -> list[str]:
    changes = [changed(kept.session, kept.turns) for kept in sessions]
    texts = [_text(kept) for kept in sessions]
    ours, bare, sizes = [], [], []
    for _ in range(_ROUNDS):
        bare.append(_measured(_index_text, texts)[0])
        seconds, size = _measured(_index, changes)
        ours.append(seconds)
        sizes.append(size)
    ratio = median(our / its for our, its in zip(ours, bare, strict=True))
    share = median(sizes) / sum(len(text.encode()) for text in texts)
    return [
        f"{median(ours):.2f}",
        f"{median(bare):.2f}",
        f"{ratio:.1f}",
        f"{share:.2f}",
    ]


def _measured(
    index: Callable[[Path, Sequence[T]], None], content: Sequence[T]
) -> tuple[float, int]:
    """Index the content in a new folder; return the seconds and bytes that takes."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        before = _seconds()
        index(folder, content)
        seconds = _seconds() - before
        files = (path for path in folder.rglob("*") if path.is_file())
        return seconds, sum(path.stat().st_size for path in files)


def _index(folder: Path, changes: Sequence[Changed]) -> None:
    index = Index.open(folder / "index", folder / "lock")
    index.catch_up("tip", lambda _: Changes(None, "tip", len(changes), changes))


def _index_text(folder: Path, texts: Sequence[str]) -> None:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="en_stem")
    index = tantivy.Index(builder.build(), str(folder))
    writer = index.writer(_HEAP, num_threads=1)
    for text in texts:
        writer.add_document(tantivy.Document(text=text))
    writer.commit()
    writer.wait_merging_threads()


def _text(kept: Kept) -> str:
    return rendering.render(kept.session) + conversation.render(kept.turns)


def _seconds() -> float:
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
