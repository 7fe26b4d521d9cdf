"""What an index learns, written into it: some documents at a time.

Whatever was written last is a state of the index, with a name, so a process that dies
costs the documents since then.
"""

import time

import tantivy

from gitmem.documents.changes import Changes
from gitmem.search.documents import TIP, document, key_of, tip_document
from gitmem.search.folder import guarded
from gitmem.search.workers import documented
from gitmem.text.counting import Progress

SILENCE = 1.0
"""Seconds of work before anybody is told of its progress, ..."""
TOLD_EVERY = 0.1
"""... and between one report and the next."""

_HEAP = 50_000_000
"""Bytes that the writer may fill before it begins another segment."""
FIRST, BATCH = 250, 5000
"""Sessions that are written together: soon the first ones, for who waits for them, and
then so many at a time, which is some seconds and what a kill costs."""


def learn(index: tantivy.Index, changes: Changes, progress: Progress | None) -> None:
    """Bring the index to the tip of the changes, or as far as they go.

    `progress` is called once that has taken longer than SILENCE. Raises UnusableError.
    """
    with guarded():
        writer = index.writer(_HEAP, num_threads=1)
    try:
        _write(writer, changes, progress)
    finally:
        with guarded():
            writer.wait_merging_threads()  # and release Tantivy's lock


def _write(
    writer: tantivy.IndexWriter, changes: Changes, progress: Progress | None
) -> None:
    if is_new := changes.since is None:
        writer.delete_all_documents()
    last, done, due = "", 0, time.monotonic() + SILENCE
    for done, (change, documents) in enumerate(documented(changes), start=1):
        last = change.id
        with guarded():
            if not is_new:
                writer.delete_documents_by_term("key", key_of(change.kind, last))
            for fields in documents:
                writer.add_document(document(fields))
        if done == FIRST or done % BATCH == 0:
            _commit(writer, changes, last, done)
        if progress is not None and time.monotonic() >= due:
            progress(done, changes.total)
            due = time.monotonic() + TOLD_EVERY
    _commit(writer, changes, last, done)


def _commit(
    writer: tantivy.IndexWriter, changes: Changes, last: str, done: int
) -> None:
    """What was learned up to the document `last`, where that is a state."""
    left = max(0, changes.total - done)
    tip = changes.so_far(last) if left else changes.tip
    if tip is None:
        return
    with guarded():
        writer.delete_documents_by_term("reserved", TIP)
        writer.add_document(tip_document(tip, left))
        writer.commit()
