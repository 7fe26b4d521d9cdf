"""A block of ours in a text of the user, between two marker lines."""

from dataclasses import dataclass

from gitmem.model.insertion import Insertion


@dataclass(frozen=True, slots=True)
class Marks:
    begin: str
    end: str


MARKDOWN = Marks(
    "<!-- ocm:begin (written by `ocm init`; `ocm uninstall` removes it) -->",
    "<!-- ocm:end -->",
)
SHELL = Marks(
    "# ocm:begin (written by `ocm init`; `ocm uninstall` removes it)",
    "# ocm:end",
)


def block_in(text: str, marks: Marks) -> str | None:
    """What stands between the marks, with "\\n" as line end and at its end; None
    where no block is.

    Only whole lines that equal a mark count: the first begin that an end follows.
    InvalidInput names the line of a begin without an end.
    """
    raise NotImplementedError


def with_block(text: str, body: str, marks: Marks) -> tuple[Insertion, ...]:
    """What puts a block at the end, behind a blank line; empty when it is there.

    InvalidInput when a block of other text is there: take that out first.
    """
    raise NotImplementedError


def without_block(text: str, marks: Marks) -> str:
    """The text without its block and the blank line before it."""
    raise NotImplementedError
