"""`ocm import claude-mem|codemem|basic-memory`: what other programs remember."""

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from cli.running import Ocm
from support.harness import git
from support.workspaces import workspace_at

from gitmem.documents.kinds import MEMORY
from gitmem.documents.memory.memory import Category, Memory

DATA = Path(__file__).parent.parent / "fixtures" / "other-memories"
CLAUDE_MEM, CODEMEM = DATA / "claude-mem-13.25.3", DATA / "codemem-0.19.0"
NOTE = DATA / "basic-memory-0.24.1" / "Retry payments.md"


def database(data: Path, file: Path, **changes: Any) -> Path:
    """A database of the real program, with changes to each row of memories."""
    connection = sqlite3.connect(file)
    connection.executescript((data / "schema.sql").read_text())
    for table, rows in json.loads((data / "rows.json").read_text()).items():
        for row in rows:
            changed = row | {
                name: text for name, text in changes.items() if name in row
            }
            marks = ", ".join("?" * len(changed))
            names = ", ".join(f'"{name}"' for name in changed)
            values = [*changed.values()]
            connection.execute(
                f"INSERT INTO {table} ({names}) VALUES ({marks})", values
            )
    connection.commit()
    connection.close()
    return file


def memories(repository: Path) -> list[Memory]:
    tree = workspace_at(repository).current(MEMORY)
    return sorted(tree.documents(tree.ids()), key=lambda memory: memory.text)


def imported(ocm: Ocm, *arguments: str) -> list[tuple[str, str]]:
    answer = ocm("import", *arguments, "--json").json
    return [
        (row["outcome"], row["text"].partition("\n")[0]) for row in answer["memories"]
    ]


def test_observations_of_claude_mem_become_memories(
    ocm: Ocm, repository: Path, tmp_path: Path
) -> None:
    facts = json.dumps(["three tries", "1 s, 2 s, 4 s"])
    file = database(CLAUDE_MEM, tmp_path / "c.db", project="repository", facts=facts)
    assert imported(ocm, "claude-mem", str(file)) == [("new", "Retry payments")]
    [memory] = memories(repository)
    assert memory.text == "Retry payments\nUse exponential backoff for payments"
    assert (memory.kind, memory.facts) == (
        Category.DISCOVERY,
        ("1 s, 2 s, 4 s", "three tries"),
    )
    assert memory.created_at.isoformat() == "2026-11-27T13:37:17+00:00"
    assert memory.sources == ("tool:claude-mem",)
    assert memory.author == "Ada <ada@example.com>"


def test_summaries_of_claude_mem_become_memories(
    ocm: Ocm, repository: Path, tmp_path: Path
) -> None:
    file = database(CLAUDE_MEM, tmp_path / "c.db")
    connection = sqlite3.connect(file)
    connection.execute(
        "INSERT INTO session_summaries (memory_session_id, project, request, learned,"
        " next_steps, created_at, created_at_epoch) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            "manual-shop-claude",
            "repository",
            "Make payments retry",
            "Tests need a clock",
            "Mock the clock",
            "2026-11-27T13:40:00.000Z",
            1795786800000,
        ),
    )
    connection.commit()
    connection.close()
    assert imported(ocm, "claude-mem", str(file)) == [("new", "Make payments retry")]
    [memory] = memories(repository)
    assert memory.text.splitlines()[1:] == ["Tests need a clock", "Mock the clock"]


def test_active_memories_of_codemem_become_memories(
    ocm: Ocm, repository: Path, tmp_path: Path
) -> None:
    file = database(CODEMEM, tmp_path / "c.db", cwd="/x")
    rows = imported(ocm, "codemem", str(file), "--project", "shop")
    assert rows == [("new", "Retry payments"), ("new", "Broken clock")]
    clock, retry = memories(repository)
    assert (clock.kind, retry.kind) == (Category.FIX, Category.DECISION)
    assert retry.tags == ("pay", "retry")
    assert retry.text == "Retry payments\nUse exponential backoff, 3 tries"


def test_private_memories_of_codemem_stay_there(ocm: Ocm, tmp_path: Path) -> None:
    file = database(CODEMEM, tmp_path / "c.db", visibility="private")
    assert imported(ocm, "codemem", str(file), "--project", "shop") == []


def test_notes_of_basic_memory_become_memories(
    ocm: Ocm, repository: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "notes" / "decisions"
    folder.mkdir(parents=True)
    shutil.copy(NOTE, folder)
    (folder / "Clock.md").write_text(
        "---\ntitle: CI clock\n---\n\n# CI clock\n\nIt drifts.\n\n"
        "## Relations\n- relates to [[Time]]\n\n- a plain item\n"
    )
    rows = imported(ocm, "basic-memory", str(folder.parent))
    assert rows == [
        ("new", "CI clock"),
        ("new", "Retry payments: Use exponential backoff, 3 tries"),
        ("new", "Retry payments: CI clock skew"),
    ]
    clock, skew, retry = memories(repository)
    assert clock.text == "CI clock\nIt drifts.\n\n- a plain item"
    assert (retry.kind, retry.tags) == (Category.DECISION, ("pay", "retry"))
    assert skew.why == "seen in May"


def test_importing_again_changes_nothing(
    ocm: Ocm, repository: Path, tmp_path: Path
) -> None:
    file = database(CODEMEM, tmp_path / "c.db")
    imported(ocm, "codemem", str(file), "--project", "shop")
    forgotten = memories(repository)[0].id
    ocm("forget", forgotten, "--yes")
    tip = git(repository, "rev-parse", "refs/ocm/memories")
    outcomes = {
        fate for fate, _ in imported(ocm, "codemem", str(file), "--project", "shop")
    }
    assert outcomes == {"in already"}
    assert git(repository, "rev-parse", "refs/ocm/memories") == tip


def test_a_dry_run_writes_nothing(ocm: Ocm, repository: Path, tmp_path: Path) -> None:
    file = database(CODEMEM, tmp_path / "c.db", project="repository")
    shown = ocm("import", "codemem", str(file), "--dry-run").out
    assert "new  Broken clock Clock skew in CI" in shown
    assert memories(repository) == []


def test_another_project_is_left_alone(ocm: Ocm, tmp_path: Path) -> None:
    file = database(CLAUDE_MEM, tmp_path / "c.db")
    assert "--project names another" in ocm("import", "claude-mem", str(file)).out


def test_without_a_path_the_program_s_own_file_is_read(ocm: Ocm) -> None:
    ran = ocm("import", "claude-mem")
    assert ran.status == 1
    assert ".claude-mem/claude-mem.db" in ran.err


@pytest.mark.parametrize("program", ["claude-mem", "codemem"])
def test_what_is_no_database_is_refused(
    ocm: Ocm, repository: Path, tmp_path: Path, program: str
) -> None:
    file = tmp_path / "c.db"
    sqlite3.connect(file).close()
    for content in (b"", b"nonsense" * 1000):
        file.write_bytes(content)
        ran = ocm("import", program, str(file))
        assert ran.status == 2
        assert f"no database of {program}" in ran.err
    assert memories(repository) == []


def test_hostile_rows_are_bounded_and_redacted(
    ocm: Ocm, repository: Path, tmp_path: Path
) -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    file = database(
        CLAUDE_MEM,
        tmp_path / "c.db",
        project="repository",
        type="\x1b[2J",
        narrative=f"x {token} " + "y" * 20_000,
        facts=json.dumps(["f" * 5000, 7, {}] + [str(n) for n in range(200)]),
        concepts="[" * 100_000,
        files_read="../../etc/passwd",
        created_at="yesterday",
    )
    assert imported(ocm, "claude-mem", str(file)) == [("new", "Retry payments")]
    [memory] = memories(repository)
    assert token not in memory.text
    assert len(memory.text) <= 8000
    assert max(map(len, memory.facts)) <= 500
    assert memory.kind is Category.FACT
    assert memory.files == ()
