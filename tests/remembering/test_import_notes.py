"""Markdown files of people and assistants become memories, once."""

from pathlib import Path

import pytest
from cli.running import Ocm
from remembering.saying import texts
from support.transcripts import kept_by_claude_code
from support.user_rule import places_of

from gitmem.workspace import Workspace

TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5"  # made up
NOTES = f"""\
---
name: rules
---
# Rules

## Style

Use tabs, and `# no heading` in code:

```sh
# build it
make
```

## Secrets

The token is {TOKEN}.

## Empty
"""


@pytest.fixture
def file(repository: Path) -> Path:
    path = repository / "CLAUDE.md"
    path.write_text(NOTES)
    return path


@pytest.mark.usefixtures("file")
def test_sections_become_memories_once(
    ocm: Ocm, workspace: Workspace, repository: Path
) -> None:
    asked = ("import", "notes", "CLAUDE.md", "--strategy", "section")
    plan = ocm(*asked, "--dry-run", "--json").json
    assert [each["outcome"] for each in plan["notes"]] == ["new", "new"]
    assert TOKEN not in str(plan)
    assert "new  Style" in ocm(*asked, "--dry-run").text
    assert texts(workspace) == []
    assert ocm(*asked).status == 2  # nobody to ask
    assert ocm(*asked, "--yes").status == 0
    kept = texts(workspace, kinds=["convention"])
    assert sorted(each.partition("\n")[0] for each in kept) == ["Secrets", "Style"]
    assert any("# build it\nmake" in each for each in kept)
    assert places_of(repository, TOKEN) == []
    again = ocm(*asked, "--yes", "--json").json["notes"]
    assert {each["outcome"] for each in again} == {"in already"}
    assert len(texts(workspace)) == 2


def test_a_short_file_is_one_memory_and_a_long_one_many(
    ocm: Ocm, workspace: Workspace, file: Path
) -> None:
    ocm("import", "notes", "CLAUDE.md", "--yes")
    assert [each.partition("\n")[0] for each in texts(workspace)] == ["Rules"]
    (file.parent / "notes").mkdir()
    (file.parent / "notes/long.md").write_text(f"{NOTES}\n{'word ' * 500}")
    (file.parent / "notes/plain.md").write_text("Nothing here has a heading.")
    (file.parent / "notes/long line.md").write_text("# Much\n" + "word " * 2000)
    (file.parent / "notes/ok.md").write_text("")
    found = ocm("import", "notes", "notes", "--dry-run", "--json").json["notes"]
    assert [each["outcome"] for each in found] == [
        *("too long", "new", "new", "new", "says nothing", "new")
    ]
    assert found[-1]["text"] == "plain Nothing here has a heading."
    assert ocm("import", "notes", "nowhere.md").status == 1


def test_the_notes_of_an_assistant_are_taken_where_asked(
    ocm: Ocm, workspace: Workspace, repository: Path, sealed_environment: Path
) -> None:
    folder = kept_by_claude_code(sealed_environment, repository) / "memory"
    folder.mkdir(parents=True)
    (folder / "feedback.md").write_text("---\ntype: feedback\n---\nUse git, not svn.")
    asked = ("import", "notes", "--from", "claude-code", "--yes")
    assert ocm(*asked).status == 0
    assert texts(workspace) == ["feedback\nUse git, not svn."]
    assert ocm("import", "notes").status == 1
