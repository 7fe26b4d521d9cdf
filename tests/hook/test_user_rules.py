"""What hooks note follows the user's rules; the shell leaves it to Python then."""

from pathlib import Path

import pytest
from hook.calls import Hear, claude, edit, events
from hook.editing import ONE, Project, project_at
from redaction.labelled_texts import TELLTALES, everywhere
from support.events import event, note
from support.harness import git
from support.user_rule import HIDDEN, MARK, places_of, put_rule

from gitmem.documents.event import Edit, Prompt, Start


@pytest.fixture
def project(repository: Path) -> Project:
    return project_at(repository)


def test_journal_prompts_and_paths_are_redacted(repository: Path, hear: Hear) -> None:
    put_rule(repository)
    note(repository, event(Start, client=ONE, root=str(repository)))
    hear(claude("UserPromptSubmit", repository, ONE, prompt=f"close {HIDDEN}"))
    hear(edit(repository, f"{repository}/{HIDDEN}.py", ONE))
    noted = events(repository, ONE)
    assert [e.text for e in noted if isinstance(e, Prompt)] == [f"close {MARK}"]
    assert [e.path for e in noted if isinstance(e, Edit)] == [f"{MARK}.py"]
    assert places_of(repository, HIDDEN) == []


@pytest.mark.parametrize("where", ["--local", "--global"])
def test_the_shell_leaves_edits_to_python(project: Project, where: str) -> None:
    git(project.root, "config", where, "ocm.redact.ticket.pattern", "ACME")
    project.edited(edit(project.root, f"{project.root}/{HIDDEN}.py", ONE))
    assert project.noted() == []
    assert project.handed()


def test_shell_asks_git_about_includes(project: Project, tmp_path: Path) -> None:
    included = tmp_path / "included"
    included.write_text("[core]\n")
    git(project.root, "config", "include.path", str(included))
    call = edit(project.root, f"{project.root}/{HIDDEN}.py", ONE)
    project.edited(call)
    assert [path for path, _ in project.noted()] == [f"{HIDDEN}.py"]
    included.write_text('[ocm "redact.ticket"]\npattern = ACME\n')
    project.forget()
    project.edited(call)
    assert project.noted() == []
    included.write_text("[core\n")
    project.edited(call)
    assert project.handed()


def test_a_prompt_stores_no_value_that_a_label_announces(
    repository: Path, hear: Hear
) -> None:
    prompt = "\n".join(everywhere())
    hear(claude("UserPromptSubmit", repository, ONE, prompt=prompt))
    assert any(isinstance(one, Prompt) for one in events(repository, ONE))
    assert places_of(repository, *TELLTALES) == []
