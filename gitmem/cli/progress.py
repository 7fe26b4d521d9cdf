"""What is seen of work that takes longer than a second."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

from gitmem.cli.output import FAINT, console, meanwhile
from gitmem.text.counting import Progress, counted

if TYPE_CHECKING:
    from rich.progress import Progress as Bar


def indexing() -> AbstractContextManager[Progress]:
    return _progress("Reading the memory", lambda total: f"{total:,} sessions")


def looking() -> AbstractContextManager[Progress]:
    return _progress("Looking for secrets", lambda total: counted(total, "text"))


def importing() -> AbstractContextManager[Progress]:
    """For work that is counted in bytes."""
    from rich.filesize import decimal

    return _progress("Importing", decimal)


@contextmanager
def _progress(label: str, amount: Callable[[int], str]) -> Iterator[Progress]:
    """A bar on a terminal, which goes away at the end; a single line elsewhere."""
    bars: list[Bar] = []

    def show(done: int, total: int) -> None:
        if not bars:
            bars.append(_begun(label, amount(total)))
        bars[0].update(bars[0].task_ids[0], completed=done, total=total)

    try:
        yield show
    finally:
        for bar in bars:
            if bar.live.is_started:  # else `stop` would print an empty line
                bar.stop()


def _begun(label: str, amount: str) -> "Bar":
    from rich.progress import Progress as Bar

    stderr = console(stderr=True)
    bar = Bar(console=stderr, transient=True)
    bar.add_task(label)
    if stderr.is_terminal:
        bar.start()
    else:
        meanwhile((f"{label}: {amount}.", FAINT))
    return bar
