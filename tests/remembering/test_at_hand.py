"""Notes for files: which statements are about a file, and how notes are renewed."""

from pathlib import Path

import pytest
from remembering.saying import days_ago, said_at
from support.harness import git
from support.workspaces import saved_session, workspace_at

from gitmem.actions.remembering.at_hand import note_files
from gitmem.actions.remembering.named import find_document_of_kind, forget
from gitmem.actions.remembering.remember import remember
from gitmem.actions.remembering.statement import parse_statement
from gitmem.documents.kinds import MEMORY
from gitmem.store.file_notes import FileNotes

CODE = {
    "payments/retry.py": "class RetryPolicy:\n    def back_off(self):\n        pass\n",
    "payments/queue.py": "MAX_RETRIES = 3\nfrom .retry import RetryPolicy\n",
    "web/app.ts": "export const useTheme = () => {}\nRetryPolicy\n",
    "web/index.ts": "useTheme(); RetryPolicy; flag('--dry-run')\n",
    "web/main.ts": "RetryPolicy\n",
    **{f"part{number}/settings.py": "x = 1\n" for number in range(4)},
    "docs/a b.md": "quiet_words\n",
}


@pytest.fixture
def project(repository: Path) -> Path:
    for path, text in CODE.items():
        (repository / path).parent.mkdir(exist_ok=True)
        (repository / path).write_text(text)
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message", "code")
    return repository


def keep(root: Path, text: str, **values: object) -> str:
    workspace = workspace_at(root)
    said = parse_statement({"text": text, **values}, workspace.now())
    return remember(workspace, said, "person:A <a@b>").memory.id


def noted(root: Path, path: str) -> list[str]:
    """What is told of a file, once the notes are as new as the memory."""
    workspace = workspace_at(root)
    note_files(workspace)
    return FileNotes(workspace.own_dir).of(path)


NAMED: list[tuple[str, list[str]]] = [
    ("Retries in payments/retry.py use jitter", ["payments/retry.py"]),
    ("In retry.py:12, jitter stays", ["payments/retry.py"]),
    ("RetryPolicy has no state", ["payments/retry.py"]),
    ("`RetryPolicy.back_off` sleeps at most 5 s", ["payments/retry.py"]),
    ("MAX_RETRIES stays at 3", ["payments/queue.py"]),
    ("useTheme is the only hook", ["web/app.ts"]),
    ("Offer --dry-run everywhere", ["web/index.ts"]),
    ("quiet_words are never logged", ["docs/a b.md"]),
    ("Never commit settings.py with secrets", []),
    ("web/gone.ts was generated", ["web/gone.ts"]),
    ("Nobody reads ../secret.py or /etc/passwd.txt", ["etc/passwd.txt"]),
    ("Use tabs and four spaces", []),
]


def test_a_statement_is_told_of_the_files_that_its_text_names(project: Path) -> None:
    files = [*CODE, "web/gone.ts", "etc/passwd.txt", "../secret.py", "secret.py"]
    for text, paths in NAMED:
        kept = keep(project, text, kind="decision")
        note_files(workspace_at(project))
        notes = FileNotes(project / ".git" / "ocm")
        told = [path for path in files if kept in "".join(notes.of(path))]
        assert told == paths, text
        forget([find_document_of_kind(workspace_at(project), MEMORY, kept)])


def test_a_file_that_was_given_counts_alone(project: Path) -> None:
    keep(project, "RetryPolicy in retry.py is tested here", files=["web/main.ts"])
    assert noted(project, "payments/retry.py") == []
    assert len(noted(project, "web/main.ts")) == 1


@pytest.mark.endurance
def test_a_session_that_names_a_file_need_not_have_touched_it(project: Path) -> None:
    decided = ["Back off with jitter in retry.py"]
    saved_session(workspace_at(project), goal="Think", decisions=decided)
    for number in range(10):
        saved_session(workspace_at(project), goal=f"Other work {number}")
    (line,) = noted(project, "payments/retry.py")
    assert line.startswith("decision: Back off with jitter in retry.py (")


def test_notes_follow_each_change_of_memory_and_code(project: Path) -> None:
    first = keep(project, "Retries in retry.py use jitter")
    assert first in noted(project, "payments/retry.py")[0]
    second = keep(project, "retry.py logs nothing")
    assert [first in line for line in noted(project, "payments/retry.py")].count(True)
    assert second in "".join(noted(project, "payments/retry.py"))
    git(project, "mv", "payments/retry.py", "web/retry.py")
    git(project, "commit", "--quiet", "--message", "move")
    assert noted(project, "payments/retry.py") == []
    assert len(noted(project, "web/retry.py")) == 2
    keep(project, "Retries in retry.py wait 5 seconds", replaces=first)
    assert first not in "".join(noted(project, "web/retry.py"))
    git(project, "update-ref", "-d", "refs/ocm/memories")
    assert noted(project, "web/retry.py") == []


def test_of_what_was_corrected_the_newest_alone_is_told(project: Path) -> None:
    workspace = workspace_at(project)
    for days, text in (
        (9, "Retry with jitter in retry.py"),
        (6, "No longer retry with jitter in retry.py"),
        (3, "retry.py is covered by slow tests"),
    ):
        said_at(workspace, text, days_ago(workspace, days), author="")
    lines = [line.rpartition(" (")[0] for line in noted(project, "payments/retry.py")]
    mark = f"({days_ago(workspace, 6).date()}, past where newer ones differ)"
    assert lines == [
        "fact: retry.py is covered by slow tests",
        f"fact: {mark} No longer retry with jitter in retry.py",
    ]


def test_what_was_forgotten_stays_in_no_note(project: Path) -> None:
    forgotten = keep(project, "Retries in retry.py use jitter")
    keep(project, "retry.py logs nothing")
    assert len(noted(project, "payments/retry.py")) == 2
    workspace = workspace_at(project)
    forget([find_document_of_kind(workspace, MEMORY, forgotten)])
    assert not (workspace.own_dir / "recall").exists()
    (line,) = noted(project, "payments/retry.py")
    assert "logs nothing" in line


def test_odd_names_and_words_break_nothing(project: Path) -> None:
    for name in ("new\nline.py", 'quo"te.py', "größe мера.py", "-f.py", "$(x).py"):
        (project / name).write_text("Odd_name = 1\n")
    (project / "linked.py").symlink_to("/etc/passwd")
    (project / "minified.js").write_text("Long_word;" * 200_000)
    texts = [
        "`größe` and -f.py hold",
        "Odd_name; linked.py; Long_word",
        "a.b\x1b[2Jc.py",
    ]
    for text in texts:
        keep(project, f"{text} {'x_y ' * 500}")
    assert len(noted(project, "minified.js")) == 1
    assert len(noted(project, "linked.py")) == 1
