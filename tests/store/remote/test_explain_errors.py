"""What git says of a remote, told to a person."""

import re

from support.rounds import every_row

from gitmem.store.remote.explain_errors import refused, unreachable


@every_row(
    ("said", "message"),
    [
        (("fatal: early EOF", "fatal: index-pack failed"), "fatal: index-pack failed"),
        (("ssh: a", "git: b", "fatal: the remote end hung up"), "git: b"),
        (
            ("fatal: the object refs/ocm/sessions does not exist",),
            "fatal: the object refs/ocm/sessions does not exist",
        ),
        (
            ("error: cannot lock ref 'a'", "From host", " ! [new ref]  a -> b"),
            "error: cannot lock ref 'a'",
        ),
    ],
)
def test_of_an_unknown_error_the_last_reason_is_said(
    said: tuple[str, ...], message: str
) -> None:
    assert unreachable("memory", said).message == f"Git failed with memory: {message}"


def test_git_names_a_full_disk_without_its_reason() -> None:
    lock = "error: cannot update ref 'a': couldn't write '/r/.git/a.lock'"
    message = unreachable("memory", (lock, " ! [new ref]  a -> b")).message
    assert message.startswith("There is no room left on this machine")


def test_a_git_that_cannot_refetch_is_too_old() -> None:
    said = ("error: unknown option `refetch'", "usage: git fetch [<options>]")
    message = unreachable("memory", said).message
    assert message.startswith("Git is too old to fetch objects again")


def test_the_words_of_a_hook_are_taken_for_no_reason_of_gits() -> None:
    said = ("no such identity: k", "remote: Your certificate of origin is missing.")
    told = refused("memory", "refs/ocm/sessions", "[remote rejected] (hook)", said)
    assert told.message == f"memory refused refs/ocm/sessions: {said[1][8:]}"


def test_words_of_a_url_are_no_reason_of_git() -> None:
    said = "fatal: unable to access 'https://host/certificate.git/': Empty reply"
    assert unreachable("memory", (said,)).message == (f"Git failed with memory: {said}")


def test_what_a_remote_says_is_bounded_and_harmless() -> None:
    said = ("remote: \x1b]0;owned\x07" + "x" * 3000,) * 5
    told = refused("memory", "refs/ocm/sessions", "[remote rejected] (hook)", said)
    assert len(told.message) < 500
    assert "\x1b" not in told.message


def test_nothing_that_git_says_on_its_way_out_is_left_away() -> None:
    said = ("warning: slow", "error: the dog ate it", "fatal: early EOF")
    assert unreachable("memory", said).message == (
        "Git failed with memory: error: the dog ate it"
    )


@every_row(
    ("said", "message"),
    [
        (
            (
                "remote: Permission to ada/pay.git denied to bob.",
                (
                    "fatal: unable to access 'https://hub/': The requested URL returned"
                    " error: 403"
                ),
            ),
            r"No access to memory: .*error: 403; it said: Permission .* to bob\.",
        ),
        (
            (
                "remote: Support for password authentication was removed.",
                "fatal: Authentication failed for 'https://hub/ada/pay.git/'",
            ),
            r"memory does not take this .*; it said: Support .* was removed\.",
        ),
        (
            (
                "remote: Enumerating objects: 3, done.",
                "remote: Counting objects: 100% (3/3), done.",
                "remote: Total 3 (delta 0), reused 0 (delta 0), pack-reused 0",
                "error: RPC failed; curl 18 transfer closed",
                "fatal: early EOF",
            ),
            r"Git failed with memory: error: RPC failed; curl 18 .* closed",
        ),
        (
            ("no such identity: k", "ERROR: The key is marked as read only."),
            r"No access to memory: ERROR: The key is marked as read only\.",
        ),
        (
            ("ERROR: Repository not found.", "fatal: Could not read from remote."),
            r"memory is not found: ERROR: Repository not found\.",
        ),
    ],
)
def test_host_words_stand_beside_gits(said: tuple[str, ...], message: str) -> None:
    assert re.fullmatch(message, unreachable("memory", said).message)
