"""Write changed documents into the index, in batches.

Each commit is a state of the index with a name, so a process that dies costs only the
documents since the last one.
"""

import time

import tantivy

from gitmem.documents.changes import Changes
from gitmem.search.documents import TIP, document, key_of, tip_document
from gitmem.search.folder import guarded
from gitmem.search.workers import with_documents
from gitmem.text.counting import Progress

SILENCE = 1.0
"""Seconds of work before the first report of progress."""
REPORT_EVERY = 0.1
"""Seconds between two reports."""

_HEAP = 50_000_000
"""Bytes that the writer may fill before it begins another segment."""
FIRST, BATCH = 250, 5000
"""Sessions until the first commit, soon for those who wait, and in later batches, some
seconds each, which a kill costs."""


def learn(index: tantivy.Index, changes: Changes, progress: Progress | None) -> None:
    """Bring the index to the tip of the changes, or as far as `changes` go.

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
    last_id, done, due = "", 0, time.monotonic() + SILENCE
    for done, (change, documents) in enumerate(with_documents(changes), start=1):
        last_id = change.id
        with guarded():
            if not is_new:
                writer.delete_documents_by_term("key", key_of(change.kind, last_id))
            for fields in documents:
                writer.add_document(document(fields))
        if done == FIRST or done % BATCH == 0:
            _commit(writer, changes, last_id, done)
        if progress is not None and time.monotonic() >= due:
            progress(done, changes.total)
            due = time.monotonic() + REPORT_EVERY
    _commit(writer, changes, last_id, done)


def _commit(
    writer: tantivy.IndexWriter, changes: Changes, last_id: str, done: int
) -> None:
    """Commit what was learned up to `last_id`, if the changes can name that state."""
    remaining = max(0, changes.total - done)
    tip = changes.so_far(last_id) if remaining else changes.tip
    if tip is None:
        return
    # The tip goes into the same commit as its documents: a crash leaves both or none.
    with guarded():
        writer.delete_documents_by_term("reserved", TIP)
        writer.add_document(tip_document(tip, remaining))
        writer.commit()
