"""What is seen of work that takes longer than a second."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gitmem.cli.output import FAINT, console, note

_LABEL = "Reading the memory"


@contextmanager
def indexing() -> Iterator[Callable[[int, int], None]]:
    """Gives what is to be called with (done, total).

    A bar on a terminal, which goes away at the end; a single line elsewhere.
    """
    from rich.progress import Progress

    stderr = console(stderr=True)
    bar = Progress(console=stderr, transient=True)

    def show(done: int, total: int) -> None:
        if not bar.task_ids:
            bar.add_task(_LABEL)
            if stderr.is_terminal:
                bar.start()
            else:
                note((f"{_LABEL}: {total:,} sessions.", FAINT))
        bar.update(bar.task_ids[0], completed=done, total=total)

    try:
        yield show
    finally:
        if bar.live.is_started:
            bar.stop()
