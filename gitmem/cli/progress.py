"""What is seen of work that takes longer than a second."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from rich.filesize import decimal

from gitmem.cli.output import FAINT, console, note
from gitmem.model.counting import counted

Show = Callable[[int, int], None]
"""Is to be called with (done, total)."""


def indexing() -> AbstractContextManager[Show]:
    return _progress("Reading the memory", lambda total: f"{total:,} sessions")


def looking() -> AbstractContextManager[Show]:
    return _progress("Looking for secrets", lambda total: counted(total, "text"))


def importing() -> AbstractContextManager[Show]:
    """For work that is counted in bytes."""
    return _progress("Importing", decimal)


@contextmanager
def _progress(label: str, amount: Callable[[int], str]) -> Iterator[Show]:
    """A bar on a terminal, which goes away at the end; a single line elsewhere."""
    from rich.progress import Progress

    stderr = console(stderr=True)
    bar = Progress(console=stderr, transient=True)

    def show(done: int, total: int) -> None:
        if not bar.task_ids:
            bar.add_task(label)
            if stderr.is_terminal:
                bar.start()
            else:
                note((f"{label}: {amount(total)}.", FAINT))
        bar.update(bar.task_ids[0], completed=done, total=total)

    try:
        yield show
    finally:
        if bar.live.is_started:
            bar.stop()
