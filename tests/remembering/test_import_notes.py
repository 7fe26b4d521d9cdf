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
        *("new", "new", "new", "new", "new", "says nothing", "new")
    ]
    assert [each["text"][:9] for each in found[:2]] == ["Much word"] * 2
    assert found[-1]["text"] == "plain Nothing here has a heading."
    assert ocm("import", "notes", "nowhere.md").status == 1


LISTED = f"""\
We deploy on Fridays, e.g. at noon. Ask Ada first.

# Style

Never:

- push to main
- in tests:
  - sleep
  - use the network,
    not even localhost
- [ ] skip hooks

Use tabs. See `fmt.toml`.
```sh
- no item
```
1. Name tests in sentences. Always.
* The token is {TOKEN}.
"""


def test_statements_stand_behind_what_they_stand_below(
    ocm: Ocm, workspace: Workspace, repository: Path
) -> None:
    (repository / "rules.md").write_text(LISTED)
    asked = ("import", "notes", "rules.md", "--strategy", "statement")
    assert ocm(*asked, "--yes").status == 0
    assert sorted(texts(workspace, limit=50)) == [
        "Style: Name tests in sentences. Always.",
        "Style: Never: in tests: sleep",
        "Style: Never: in tests: use the network, not even localhost",
        "Style: Never: push to main",
        "Style: Never: skip hooks",
        "Style: See `fmt.toml`.",
        "Style: The token is [REDACTED:github].",
        "Style: Use tabs.",
        "rules: Ask Ada first.",
        "rules: We deploy on Fridays, e.g. at noon.",
    ]
    again = ocm(*asked, "--yes", "--json").json["notes"]
    assert {each["outcome"] for each in again} == {"in already"}


def test_no_part_of_a_long_section_is_lost_or_has_half_a_secret(
    ocm: Ocm, workspace: Workspace, repository: Path
) -> None:
    words = " ".join(f"w{number}" for number in range(3000))
    unbroken = "x" * 9000
    paragraphs = [f"Paragraph {number}." for number in range(300)]
    near_the_cut = f"{'y ' * 3480}{TOKEN} {TOKEN}"
    text = "\n\n".join((words, unbroken, *paragraphs, near_the_cut))
    (repository / "long.md").write_text(f"# Much\n{text}")
    assert ocm("import", "notes", "long.md", "--yes").status == 0
    kept = texts(workspace, limit=50)
    assert all(each.startswith("Much\n") for each in kept)
    assert {*words.split(), *paragraphs} <= {
        part
        for each in kept
        for line in each.split("\n")
        for part in (line, *line.split())
    }
    assert sum(each.count("x") for each in kept) >= 9000
    assert not any(TOKEN[4:20] in each for each in kept)
    assert places_of(repository, TOKEN) == []


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
