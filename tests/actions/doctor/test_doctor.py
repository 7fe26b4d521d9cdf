"""What `ocm doctor` finds: nothing where all is well, and never a reason to stop."""

import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.doctor import NOTE, OK, PROBLEM, SERVER, WARNING, Place, made_healthy
from support.events import event, note, now
from support.harness import git
from support.installing import python_with_gitmem, times, tree
from support.workspaces import saved_session, workspace_at

from gitmem.actions.doctor.doctor import repair
from gitmem.actions.doctor.finding import INIT, Code, Grade
from gitmem.config import read_environment
from gitmem.documents.event import Edit


@pytest.mark.endurance
def test_all_is_well_where_everything_was_done(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_healthy(place, python_with_gitmem(tmp_path), monkeypatch)
    assert place.grave() == []
    codes = {each.code for each in place.findings()}
    assert codes == set(Code) - {
        *(Code.OWNER, Code.SETTING),
        Code.CONVERSATIONS,  # nothing was said, and nothing is shared
        *(Code.LOCK, Code.PERMISSIONS, Code.OWN_FILE, Code.VANISHED, Code.PLACE),
        *(Code.FETCH, Code.PUSH, Code.SYNC, Code.UNSENT, Code.STRANGER),
        *(Code.HELD_BACK, Code.VANISHING, Code.PASSED_OVER),
    }


def test_before_init_all_that_is_missing_comes_by_init(place: Place) -> None:
    (place.repository / ".claude").mkdir()
    missing = place.grave()
    assert {each.grade for each in missing} == {WARNING}
    assert {each.remedy for each in missing} == {INIT}
    assert {each.code for each in missing} == {
        *(Code.LAUNCHER, Code.REGISTRY, Code.COPIES, Code.GIT_HOOK),
        *(Code.MCP_ENTRY, Code.HOOK_ENTRIES, Code.RULES),
    }


def test_nothing_is_written(healthy: Place) -> None:
    saved_session(workspace_at(healthy.repository), goal="g")
    note(healthy.repository, event(Edit, at=now(), path="a.py"))
    folders = healthy.repository, healthy.home
    before = tree(*folders), [times(each) for each in folders]
    healthy.findings()
    assert (tree(*folders), [times(each) for each in folders]) == before


def break_everything(place: Place) -> None:
    place.write(".git/refs/ocm/sessions", "1" * 40 + "\n")
    place.launcher.unlink()
    place.launcher.mkdir()
    place.write(".git/ocm/log", os.urandom(3000))
    place.write(".git/ocm/journal/x.jsonl", b'\n{"v": 1\n\xff\xfe\x00\n[[[\n')
    place.write(".git/ocm/journal/x.mark", b"[")
    place.write(".git/ocm/installed.json", b'{"files": 3')
    place.write(".git/ocm-index", "no folder")
    place.write("~/ocm/registry.json", "[")
    place.write(".mcp.json", b"\xff\xfe")
    place.write(".claude/settings.json", '{\n  "hooks": {\n    oops\n')
    place.write(".claude/settings.local.json", "[" * 100_000)
    place.write("~/.claude/settings.json", "3")
    place.write("~/.claude.json", '{"projects": {"a": 3, "b": []}, "mcpServers": 4}')
    place.write(".cursor/hooks.json", "{{")
    place.write(".git/info/exclude", b"\xff\n")
    (place.repository / "AGENTS.md").unlink()
    (place.repository / "AGENTS.md").symlink_to("AGENTS.md")
    for hook in ("post-commit", "post-rewrite"):
        path = place.common_dir / "hooks" / hook
        path.unlink()
        path.mkdir()
    git(place.repository, "config", "ocm.nudge.edits", "many")


def test_where_everything_is_damaged_everything_is_told(healthy: Place) -> None:
    break_everything(healthy)
    before = tree(healthy.repository, healthy.home)
    grades: dict[Code, set[Grade]] = {}
    for each in healthy.findings():
        grades.setdefault(each.code, set()).add(each.grade)
    assert tree(healthy.repository, healthy.home) == before
    for code in (Code.MEMORY, Code.LAUNCHER, Code.HOOK_ENTRIES):
        assert PROBLEM in grades[code]
    for code in (Code.JOURNAL, Code.REGISTRY, Code.SETTING):
        assert WARNING in grades[code]


@pytest.mark.endurance
def test_mending_everything_spares_the_users_files(
    healthy: Place,
) -> None:
    saved_session(workspace_at(healthy.repository), goal="g")
    break_everything(healthy)
    users = (
        *(".mcp.json", ".claude/settings.json"),
        *(".cursor/hooks.json", "~/.claude.json"),
    )
    before = [healthy.read(each) for each in users]
    variables = {"PATH": "/usr/bin:/bin", "HOME": str(healthy.home)}
    mended = repair(read_environment(variables, healthy.repository, healthy.home))
    assert [healthy.read(each) for each in users] == before
    assert [each.code for each in mended.remaining if each.is_repairable] == []
    assert workspace_at(healthy.repository).store.memory().commit


FILES = (
    *(".git/ocm/log", ".git/ocm/journal/x.jsonl", ".git/ocm/journal/x.mark"),
    *(".git/ocm/run", ".git/ocm/installed.json", ".git/refs/ocm/sessions"),
    *("~/.claude.json", "~/.claude/settings.json", ".claude/settings.json"),
    *("~/ocm/registry.json", ".mcp.json", ".git/hooks/post-commit", "AGENTS.md"),
)
KEYS = st.sampled_from(["projects", "hooks", "mcpServers", "v", "event", "at"])
SCRAPS = st.one_of(
    st.binary(max_size=60),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.sampled_from([SERVER, "hooks"]),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner),
        max_leaves=8,
    ).map(lambda value: json.dumps(value).encode()),
)


@pytest.mark.endurance
@given(content=SCRAPS, name=st.sampled_from(FILES))
def test_any_file_content_is_survived(place: Place, content: bytes, name: str) -> None:
    (place.repository / ".claude").mkdir(exist_ok=True)
    file = place.write(name, content)
    assert place.findings()[-1].code is Code.LOG
    file.unlink()


def test_what_is_no_file_is_not_waited_for(place: Place) -> None:
    (place.repository / ".claude").mkdir()
    for name in FILES:
        file = place.write(name, "")
        file.unlink()
        if "claude" in name or ".git/ocm/" in name:
            os.mkfifo(file)  # whoever opened it would wait for ever
        else:
            file.mkdir()
    assert len(place.findings()) > 10


def test_outside_a_repository_machine_is_shown(place: Place, tmp_path: Path) -> None:
    found = {each.code: each for each in place.findings_at(tmp_path)}
    assert found[Code.REPOSITORY].grade is NOTE
    assert found.keys() == {Code.VERSIONS, Code.PATH, Code.REPOSITORY}


def test_linked_work_tree_is_like_the_main_one(healthy: Place, tmp_path: Path) -> None:
    git(healthy.repository, "worktree", "add", "--quiet", str(tmp_path / "linked"))
    healthy.write("~/.claude/settings.json", "{}")
    found = healthy.findings_at(tmp_path / "linked")
    by_code = {each.code: each for each in found if each.about != "cursor"}
    for code in (Code.LAUNCHER, Code.REGISTRY, Code.HEARD):
        assert by_code[code].grade is OK
    assert by_code[Code.HOOK_ENTRIES].remedy == INIT


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_hooks_do_nothing_in_a_repository_of_another_user(healthy: Place) -> None:
    os.chown(healthy.common_dir, 65534, -1)
    assert "another user" in healthy.found(Code.REPOSITORY).message
    git(healthy.repository, "config", "--global", "safe.directory", "*")
    assert healthy.found(Code.OWNER).grade is PROBLEM


def test_a_repository_that_cannot_be_opened_is_a_problem(place: Place) -> None:
    git(place.repository, "config", "core.repositoryformatversion", "1")
    git(place.repository, "config", "extensions.unheardOf", "true")
    found = place.found(Code.REPOSITORY)
    assert (found.grade, found.location) == (PROBLEM, "")


def test_the_codes_that_are_described_are_those_that_there_are() -> None:
    page = Path(__file__).parents[3] / "docs" / "troubleshooting.md"
    table = page.read_text("utf-8").partition("## What `ocm doctor` checks")[2]
    rows = re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)
    assert rows == [code.value for code in Code]
