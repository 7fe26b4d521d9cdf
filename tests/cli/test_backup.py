"""`ocm export --all`, `ocm import bundle|jsonl` and `ocm backup`."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from shlex import quote

import pytest
from cli.running import Ocm, checkpoint
from crash.disks import small_disk
from support.harness import git, make_repository
from support.workspaces import workspace_at

from gitmem.actions.backup.export import export_all
from gitmem.actions.backup.import_file import import_file
from gitmem.documents.kinds import KINDS, SESSION, refs
from gitmem.errors import FormatTooNew, GitmemError, InvalidInput, NoPermission

FORMS = ("bundle", "jsonl")


@pytest.fixture
def memory(ocm: Ocm, repository: Path) -> Path:
    """Sessions, one of them forgotten, a memory, and a conversation."""
    names = [
        checkpoint(ocm, client_session_id=f"client-{number}", goal=f"Walrus {number}")
        for number in range(3)
    ]
    assert ocm("forget", names[-1], "--yes").status == 0
    ocm("remember", "Walruses eat clams", "--tag", "food")
    transcript = repository.parent / "transcript.jsonl"
    record = {
        "type": "user",
        "sessionId": "said-0001",
        "uuid": "u1",
        "cwd": str(repository),
        "timestamp": "2026-02-23T14:32:07Z",
        "message": {"role": "user", "content": "tame the walrus in src/walrus.py"},
    }
    transcript.write_text(json.dumps(record) + "\n")
    ocm("import", "claude-code", str(transcript))
    return repository


def tips(folder: Path) -> dict[str, str]:
    lines = git(
        folder, "for-each-ref", "--format=%(refname) %(objectname)"
    ).splitlines()
    return dict(line.split() for line in lines if line.split()[0] in refs())


def documents(folder: Path) -> dict[str, str]:
    listing = {
        f"{ref} {line}"
        for ref in tips(folder)
        for line in git(folder, "ls-tree", "-r", ref).splitlines()
    }
    return dict.fromkeys(sorted(listing), "")


def objects(folder: Path) -> str:
    """All objects that git can read, whether or not anything leads to them."""
    return git(folder, "cat-file", "--batch-all-objects", "--batch-check")


def exported(ocm: Ocm, repository: Path, form: str) -> Path:
    file = repository.parent / f"memory.{form}"
    assert ocm("export", "--all", str(file)).status == 0
    return file


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """Another clone of the project, without a memory."""
    return make_repository(tmp_path / "clone" / "repository")


@pytest.mark.parametrize("form", FORMS)
def test_an_empty_clone_gets_all_documents(
    ocm: Ocm, memory: Path, empty: Path, form: str
) -> None:
    file = exported(ocm, memory, form)
    report = import_file(workspace_at(empty), form, file, None, is_dry=False)
    assert len(report.arrived) == 3
    assert documents(empty) == documents(memory)
    assert {kind.ref for kind in KINDS.values()} == {*tips(empty)}
    if form == "bundle":
        assert tips(empty) == tips(memory)
    assert "ocm-import" not in git(empty, "for-each-ref")


@pytest.mark.parametrize("form", FORMS)
def test_merged_into_itself_it_changes_nothing(
    ocm: Ocm, memory: Path, form: str
) -> None:
    file, before = exported(ocm, memory, form), tips(memory)
    ran = ocm("import", form, str(file))
    assert ran.out == "Nothing is new.\n"
    assert tips(memory) == before


@pytest.mark.parametrize("form", FORMS)
def test_what_both_have_is_joined_and_what_was_forgotten_goes(
    ocm: Ocm, memory: Path, empty: Path, form: str
) -> None:
    file = exported(ocm, memory, form)
    workspace = workspace_at(empty)
    import_file(workspace, form, file, None, is_dry=False)
    name = checkpoint(ocm, client_session_id="client-0", work_completed=["Fed it"])
    ocm("forget", checkpoint(ocm, client_session_id="client-1"), "--yes")
    checkpoint(ocm, client_session_id="client-9", goal="Narwhal")
    file = exported(ocm, memory, form)
    report = import_file(workspace_at(empty), form, file, None, is_dry=False)
    assert (len(report.arrived), len(report.updated), len(report.gone)) == (1, 1, 1)
    assert documents(empty) == documents(memory)
    assert "Fed it" in (
        workspace_at(empty).store.memory().text(report.updated[0]) or ""
    )
    assert name


@pytest.mark.parametrize("form", FORMS)
def test_a_dry_run_says_what_would_come(
    ocm: Ocm, memory: Path, empty: Path, form: str
) -> None:
    file = exported(ocm, memory, form)
    report = import_file(workspace_at(empty), form, file, None, is_dry=True)
    assert len(report.arrived) == 3
    assert tips(empty) == {}


@pytest.mark.parametrize("form", FORMS)
def test_only_the_user_can_read_it_and_is_told_of_conversations(
    ocm: Ocm, memory: Path, form: str
) -> None:
    os.umask(0o022)
    ran = ocm("export", "--all", f"../memory.{form}")
    file = memory.parent / f"memory.{form}"
    assert file.stat().st_mode & 0o777 == 0o600
    assert "1 conversation" in ran.err
    assert [path.name for path in memory.parent.glob(".ocm-*")] == []


def test_a_link_is_replaced_and_not_followed(ocm: Ocm, memory: Path) -> None:
    other = memory.parent / "other.jsonl"
    other.write_text("of the user")
    link = memory.parent / "memory.jsonl"
    link.symlink_to(other)
    assert exported(ocm, memory, "jsonl") == link
    assert not link.is_symlink()
    assert other.read_text() == "of the user"


@pytest.mark.parametrize("form", FORMS)
def test_a_full_disk_has_no_part_of_it(memory: Path, tmp_path: Path, form: str) -> None:
    with small_disk(tmp_path / "disk") as disk, disk.filled(0):
        with pytest.raises((NoPermission, OSError), match="No space left"):
            export_all(workspace_at(memory), disk.folder / f"memory.{form}")
        assert [path.name for path in disk.folder.iterdir()] == ["ballast"]


def test_another_suffix_is_refused(ocm: Ocm) -> None:
    assert ocm("export", "--all", "../memory.zip").status == 2
    assert ocm("export").status == 2


@pytest.mark.parametrize("form", FORMS)
def test_a_file_of_another_project_is_refused_unless_named(
    ocm: Ocm,
    memory: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    form: str,
) -> None:
    file = exported(ocm, memory, form)
    foreign = make_repository(tmp_path / "aquarium")
    workspace, before = workspace_at(foreign), objects(foreign)
    with pytest.raises(InvalidInput, match="another project, repository,") as error:
        import_file(workspace, form, file, None, is_dry=False)
    assert "`--project repository`" in str(error.value.hint)
    assert tips(foreign) == {}
    assert objects(foreign) == before
    monkeypatch.chdir(foreign)
    ran = ocm("import", form, str(file), "--project", "repository")
    assert ("`ocm scan`" in ran.err) == (form == "bundle")
    assert documents(foreign) == documents(memory)


def test_damaged_files_change_nothing(ocm: Ocm, memory: Path, tmp_path: Path) -> None:
    bundle, before = exported(ocm, memory, "bundle"), tips(memory)
    content = bundle.read_bytes()
    for damaged in (b"", b"nonsense\n", content[:-30], content[:-40] + b"x" * 40):
        bundle.write_bytes(damaged)
        target = make_repository(
            tmp_path / f"{len(damaged)}{damaged[-1:].hex()}" / "repository"
        )
        with pytest.raises(GitmemError, match=r"damaged|no bundle"):
            import_file(workspace_at(target), "bundle", bundle, None, is_dry=False)
        assert tips(target) == {}
        assert not (target / ".git" / "ocm" / "import").exists()
    assert tips(memory) == before


def test_packs_of_a_bundle_that_brings_nothing_stay_outside(
    ocm: Ocm, memory: Path
) -> None:
    file, before = exported(ocm, memory, "bundle"), packs(memory)
    import_file(workspace_at(memory), "bundle", file, None, is_dry=False)
    assert packs(memory) == before


def test_its_packs_can_be_read_by_whom_the_folder_is_for(
    ocm: Ocm, memory: Path, empty: Path
) -> None:
    file, folder = exported(ocm, memory, "bundle"), empty / ".git/objects/pack"
    folder.chmod(0o750)
    before = packs(empty)
    import_file(workspace_at(empty), "bundle", file, None, is_dry=False)
    assert {file.stat().st_mode & 0o777 for file in packs(empty) - before} == {0o440}


def packs(folder: Path) -> set[Path]:
    return {*folder.glob(".git/objects/pack/pack-*")}


def test_objects_of_a_newer_format_stay_outside(memory: Path, empty: Path) -> None:
    (memory / "format").write_text("99\n")
    git(memory, "add", "format")
    commit = git(memory, "commit-tree", "-m", "newer", git(memory, "write-tree"))
    git(memory, "update-ref", SESSION.ref, commit)
    git(memory, "bundle", "create", "../newer.bundle", SESSION.ref)
    bundle, before = memory.parent / "newer.bundle", objects(empty)
    with pytest.raises(FormatTooNew):
        import_file(workspace_at(empty), "bundle", bundle, None, is_dry=False)
    assert objects(empty) == before


def test_a_bundle_that_lacks_commits_is_refused(
    ocm: Ocm, memory: Path, empty: Path
) -> None:
    ref = "refs/ocm/sessions"
    git(memory, "bundle", "create", "../part.bundle", f"{ref}~1..{ref}")
    part = memory.parent / "part.bundle"
    with pytest.raises(InvalidInput, match="needs commits that are not here"):
        import_file(workspace_at(empty), "bundle", part, None, is_dry=False)
    assert tips(empty) == {}
    assert ocm("import", "bundle", str(part)).out == "Nothing is new.\n"


def test_a_bundle_of_something_else_is_refused(ocm: Ocm, memory: Path) -> None:
    git(memory, "commit", "--allow-empty", "-m", "x")
    git(memory, "bundle", "create", "../other.bundle", "HEAD")
    ran = ocm("import", "bundle", "../other.bundle")
    assert ran.status == 2
    assert "has no memory" in ran.err


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("[]", "line 3: this is no JSON object."),
        ("{", "line 3: this is no JSON object."),
        (
            '{"kind": "session", "id": "../x", "text": "x"}',
            "line 3: this is no document",
        ),
        ('{"kind": "task", "id": "m-0123456789ab", "text": "x"}', "line 3: "),
        ('{"kind": "session", "path": "format", "text": "9"}', "line 3: "),
    ],
)
def test_a_line_that_cannot_be_read_is_named(
    ocm: Ocm, memory: Path, line: str, says: str
) -> None:
    file, before = exported(ocm, memory, "jsonl"), tips(memory)
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines[:2], line, *lines[2:]]))
    ran = ocm("import", "jsonl", str(file), "--json")
    assert says in ran.error["message"]
    assert tips(memory) == before


def test_a_newer_file_is_refused(ocm: Ocm, memory: Path) -> None:
    file = exported(ocm, memory, "jsonl")
    file.write_text(file.read_text().replace('"gitmem": 1', '"gitmem": 2'))
    assert ocm("import", "jsonl", str(file)).status == 12


def test_secrets_of_a_file_stay_outside(ocm: Ocm, memory: Path, empty: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    file = exported(ocm, memory, "jsonl")
    file.write_text(file.read_text().replace("Walrus 0", f"Walrus {token}"))
    import_file(workspace_at(empty), "jsonl", file, None, is_dry=False)
    objects = git(empty, "cat-file", "--batch-check", "--batch-all-objects")
    for row in objects.splitlines():
        assert token not in git(empty, "cat-file", "-p", row.split()[0])


def test_a_backup_is_verified_and_older_ones_go(ocm: Ocm, memory: Path) -> None:
    folder = memory.parent / "backups"
    folder.mkdir()
    ran = ocm("backup", "--to", str(folder), "--json")
    assert ran.err == ""
    first = Path(ran.json["file"])
    for day in range(3):
        older = first.name.replace(first.name[-23:-15], f"2020010{day + 1}")
        shutil.copy(first, folder / older)
    stranger = folder / "ocm-repository-notes.bundle"
    stranger.write_text("of the user")
    answer = ocm("backup", "--to", "../backups", "--keep", "2", "--json").json
    assert {Path(path).name[-23:-15] for path in answer["dropped"]} >= {"20200101"}
    assert len([*folder.glob("*Z.bundle")]) == 2
    assert stranger.exists()
    assert git(folder, "bundle", "list-heads", str(first)).count("refs/ocm/") == 3


@pytest.mark.usefixtures("memory")
def test_a_backup_stays_that_is_older_by_the_clock(ocm: Ocm) -> None:
    first = Path(ocm("backup", "--to", "..", "--json").json["file"])
    later = first.with_name(first.name.replace(first.name[-23:-19], "2999"))
    first.rename(later)
    answer = ocm("backup", "--to", "..", "--keep", "1", "--json").json
    assert Path(answer["file"]).exists()
    assert answer["dropped"] == [str(later)]


@pytest.mark.usefixtures("memory")
def test_the_line_for_cron_needs_no_path(
    ocm: Ocm, repository: Path, program: Path, terminal: Callable[[int], None]
) -> None:
    folder = repository.parent / "100%"
    folder.mkdir()
    terminal(500)
    hint = ocm("backup", "--to", str(folder)).err
    place, command = quote(str(repository)), quote(str(program))
    assert f"0 3 * * * cd {place} && {command} backup --to " in hint
    assert r"100\%" in hint


@pytest.mark.usefixtures("memory")
def test_a_folder_that_takes_no_files_is_named(ocm: Ocm) -> None:
    for command in (
        ("backup", "--to", "/proc"),
        ("export", "--all", "/proc/memory.bundle"),
        ("export", "--all", "/proc/memory.jsonl"),
        ("backup", "--to", "x" * 300),
        ("import", "jsonl", "x" * 300),
        ("view", "--yes", "--out", "/proc/memory.html"),
    ):
        refused = ocm(*command)
        assert refused.status in (1, 16), refused.err
        assert command[-1].partition("memory")[0] in refused.err


def test_what_is_no_file_is_never_replaced(ocm: Ocm, memory: Path) -> None:
    pipe = memory.parent / "memory.bundle"
    os.mkfifo(pipe)
    for command in (("export", "--all"), ("view", "--yes", "--out")):
        assert "is no file" in ocm(*command, str(pipe)).err
        assert pipe.is_fifo()
    (memory.parent / "stdout").symlink_to("memory.html")
    (memory.parent / "memory.html").touch()
    assert ocm("view", "--yes", "--out", "../stdout").status == 0
    assert (memory.parent / "memory.html").stat().st_size
    assert (memory.parent / "stdout").is_symlink()


def test_a_backup_needs_a_folder_and_a_memory(ocm: Ocm, repository: Path) -> None:
    assert ocm("backup", "--to", "../nowhere").status == 1
    assert "no folder" in ocm("export", "--all", "../nowhere/memory.jsonl").err
    (repository.parent / "loop").symlink_to("loop")
    assert "no folder" in ocm("backup", "--to", "../loop").err
    assert "no folder" in ocm("export", "--all", "../loop/memory.jsonl").err
    assert "no memory yet" in ocm("backup", "--to", "..").err
    assert [*repository.parent.glob("*.bundle")] == []
