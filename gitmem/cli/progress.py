"""What is seen of work that takes longer than a second."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from rich.filesize import decimal

from gitmem.cli.output import FAINT, console, note
from gitmem.text.counting import Progress, counted


def indexing() -> AbstractContextManager[Progress]:
    return _progress("Reading the memory", lambda total: f"{total:,} sessions")


def looking() -> AbstractContextManager[Progress]:
    return _progress("Looking for secrets", lambda total: counted(total, "text"))


def importing() -> AbstractContextManager[Progress]:
    """For work that is counted in bytes."""
    return _progress("Importing", decimal)


@contextmanager
def _progress(label: str, amount: Callable[[int], str]) -> Iterator[Progress]:
    """A bar on a terminal, which goes away at the end; a single line elsewhere."""
    from rich.progress import Progress as Bar

    stderr = console(stderr=True)
    bar = Bar(console=stderr, transient=True)

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
