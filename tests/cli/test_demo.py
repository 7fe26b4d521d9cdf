"""The demo is the picture of the product: everything it shows is real."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.endurance


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """What the demo prints, and the repository that it kept."""
    room = tmp_path_factory.mktemp("demo")
    done = subprocess.run(
        [sys.executable, "-m", "gitmem", "demo", "--keep"],
        capture_output=True,
        text=True,
        check=True,
        cwd=room,
        env={**os.environ, "PYTHONPATH": ":".join(sys.path), "TMPDIR": str(room)},
    )
    assert done.stderr.startswith("About ")  # the cost of the brief
    return done.stdout, next(room.glob("ocm-demo-*"))


def test_second_assistant_is_told_finds_and_recalls(shown: tuple[str, Path]) -> None:
    text, _ = shown
    brief, search, recall, document = text.split("\n● ")[2:]
    assert "to do: Show a pending payment as pending" in brief
    assert re.search(
        r"1  \S+_claude-code_double-charge\s+today .*, strong match", search
    )
    assert re.search(r"1 of 1 line: \w+ retry: send an idempotency key", search)
    assert "Every call of the provider carries an idempotency key." in recall
    assert "Work To Be Completed" not in document
    assert "`shop/retry.py`" in document
    for subject in ("send an idempotency key", "show a pending payment as pending"):
        assert f"` retry: {subject}\n" in document


def test_document_and_log_are_real(shown: tuple[str, Path]) -> None:
    text, folder = shown
    log = subprocess.check_output(
        ["git", "-C", str(folder), "log", "--oneline", "refs/ocm/sessions"], text=True
    )
    assert len(log.splitlines()) == 3
    assert log in text
    [document] = (folder / ".openCodeMemory" / "sessions").glob("*double-charge.md")
    assert document.read_text() in text


def test_what_was_private_is_shown_redacted(shown: tuple[str, Path]) -> None:
    text, folder = shown
    assert "- Sandbox login: [REDACTED]" in text
    found = subprocess.run(["grep", "-r", "correct horse", str(folder)], check=False)
    assert found.returncode == 1
