"""What git says of a remote, told to a person."""

import pytest

from gitmem.store.exchange.refusals import unreachable


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (
            "A place where git looks for objects is not there",
            (
                "error: unable to normalize alternate object path: /gone/objects",
                "fatal: the object refs/ocm/remotes/memory/sessions does not exist",
            ),
        ),
        (
            "Git cannot read all of the memory, here or at memory",
            ("fatal: the object refs/ocm/sessions does not exist",),
        ),
        (
            "The connection to memory broke",
            ("fatal: early EOF", "fatal: index-pack failed"),
        ),
        (
            "Git is too old for a partial clone that lacks objects",
            (
                "error: unknown option `refetch'",
                "usage: git fetch [<options>] [<repository> [<refspec>...]]",
                "    --stdin               accept refspecs from stdin",
            ),
        ),
    ],
)
def test_a_remote_is_not_blamed_for_what_is_missing_here_or_cut_off(
    message: str, said: tuple[str, ...]
) -> None:
    assert unreachable("memory", said).message.startswith(message)
