"""Where the user's rules are looked for, and that nobody waits where there are none."""

import os
from pathlib import Path

import pytest
from support.harness import git

from gitmem.errors import Unavailable
from gitmem.git.redaction_settings import user_rules
from gitmem.redaction.user_rules import Setting

TICKET = Setting("ticket", (r"ACME-\d{6}",), ("see ACME-123456",))


def rules(repository: Path, **variables: str) -> tuple[Setting, ...]:
    return user_rules(repository / ".git", {**os.environ, **variables})


def put(repository: Path, where: str = "--local") -> None:
    git(repository, "config", where, "ocm.redact.ticket.pattern", TICKET.patterns[0])
    git(repository, "config", where, "ocm.redact.ticket.sample", TICKET.samples[0])


def test_rules_of_both_count_together(repository: Path) -> None:
    put(repository, "--global")
    git(repository, "config", "--add", "ocm.redact.ticket.sample", "line 1\nline 2")
    git(repository, "config", "ocm.redact.Ärger.pattern", "é")
    assert rules(repository) == (
        Setting("ticket", TICKET.patterns, (*TICKET.samples, "line 1\nline 2")),
        Setting("Ärger", ("é",), ()),
    )


def test_a_file_that_is_included_counts(repository: Path, tmp_path: Path) -> None:
    included = tmp_path / "included"
    included.write_text('[ocm "redact.ticket"]\npattern = x+y\nsample\n')
    git(repository, "config", "--global", "include.path", str(included))
    assert rules(repository) == (Setting("ticket", ("x+y",), ("",)),)


def test_a_file_that_a_clone_brings_along_does_not_count(repository: Path) -> None:
    put(repository)
    content = (repository / ".git" / "config").read_bytes()
    git(repository, "config", "--remove-section", "ocm.redact.ticket")
    for name in (".gitconfig", ".ocm", "config"):
        (repository / name).write_bytes(content)
    assert rules(repository) == ()


def test_git_is_asked_only_where_a_file_has_the_word(repository: Path) -> None:
    assert rules(repository, PATH="") == ()
    git(repository, "config", "--global", "include.path", "nowhere")
    assert rules(repository, PATH="") == ()
    put(repository)
    with pytest.raises(Unavailable):
        rules(repository, PATH="")


def test_settings_that_git_cannot_read_are_not_taken_for_none(repository: Path) -> None:
    with (repository / ".git" / "config").open("a") as config:
        config.write('[ocm "redact.ticket"\n')
    with pytest.raises(Unavailable) as caught:
        rules(repository)
    assert "ticket" not in f"{caught.value} {caught.value.hint}"
