from pathlib import Path

from cli.running import Ocm
from support.commits import committed, remembered
from support.harness import git
from support.workspaces import workspace_at


def test_notes_are_turned_on_shown_and_turned_off(ocm: Ocm, repository: Path) -> None:
    assert ocm("notes").out == "off  No commit has a note.\n"
    one = committed(repository, "a.py", "1\n")
    made = remembered(workspace_at(repository), "c-1", one)
    told = ocm("notes", "on")
    assert told.status == 0
    assert "refs/notes/ocm has 1 note, 1 of them written now." in told.out
    assert "git log --notes=ocm" in told.out
    assert made in git(repository, "log", "--notes=ocm")
    assert "refs/notes/ocm has 1 note.\n" in ocm("notes").out
    off = ocm("notes", "off").out
    assert "refs/notes/ocm has 1 note, which stay" in off
    assert "update-ref" not in off


def test_json_has_the_same_keys_every_time(ocm: Ocm, repository: Path) -> None:
    committed(repository, "a.py", "1\n")
    for arguments, is_on in ((), False), (("on",), True), (("off",), False):
        told = ocm("notes", *arguments, "--json").json
        expected = (
            ("on", is_on),
            ("ref", "refs/notes/ocm"),
            ("notes", 0),
            ("written", 0),
        )
        assert told == dict(expected)
