"""`ocm edit` saves what a person changed in a document, and nothing else."""

import re
from pathlib import Path
from shlex import quote, split
from typing import Any

import pytest
from cli.running import Ocm, checkpoint
from support.clones import make_clones, travel
from support.harness import git
from support.workspaces import saved_session, workspace_at

from gitmem.actions.editing.edit import editable, save_edit
from gitmem.actions.remembering.remember import remember
from gitmem.actions.remembering.statement import parse_statement
from gitmem.documents.kinds import MEMORY, SESSION
from gitmem.errors import InvalidInput
from gitmem.lookup import find
from gitmem.waiting import tell_waits

REF = "refs/ocm/sessions"
SAID = {
    "goal": "Tame the walrus",
    "work_completed": ["Bought fish"],
    "work_pending": ["Feed it", "Wash it"],
    "decisions": ["**Herring:** it is cheap", "Two keepers"],
    "references": [{"url": "https://example.org/walrus", "title": "Walrus"}],
}


@pytest.fixture
def session(ocm: Ocm) -> str:
    return checkpoint(ocm, client_session_id="edited-conversation", **SAID)


def raw(ocm: Ocm, name: str) -> str:
    return ocm("show", name, "--raw").out


def edit(ocm: Ocm, text: str, *arguments: str) -> Any:
    return ocm("edit", *arguments, "--from", "-", "--json", stdin=text.encode()).json


def refused(ocm: Ocm, text: str, *arguments: str) -> str:
    ran = ocm("edit", *arguments, "--from", "-", "--json", stdin=text.encode())
    assert ran.status == 2
    return str(ran.error["message"])


def line_of(text: str, words: str) -> int:
    return text[: text.index(words)].count("\n") + 1


def test_each_field_that_was_said_can_change(ocm: Ocm, session: str) -> None:
    text = raw(ocm, session)
    changed = (
        text.replace("Tame the walrus", "Befriend the walrus")
        .replace("- Feed it\n", "")
        .replace("- Two keepers", "- Three keepers\n- ")
        .replace("## References", "## Constraints\n\n* No whips   \n\n## References")
    )
    answer = edit(ocm, changed)
    assert answer == {
        "session_id": session,
        "changed": ["goal", "work_pending", "decisions", "constraints"],
        "markdown_path": ocm("show", session, "--json").json["markdown_path"],
    }
    after = raw(ocm, session)
    assert "\nBefriend the walrus\n" in after
    assert "Feed it" not in after
    assert "Two keepers" not in after
    assert "- **Herring:** it is cheap\n- Three keepers\n" in after
    assert "## Constraints\n\n- No whips\n" in after


def test_nothing_else_of_the_document_changes(ocm: Ocm, session: str) -> None:
    ocm("checkpoint", "--session", session, "--status", "closed")
    before = raw(ocm, session)
    edit(ocm, before.replace("- Two keepers", "- Three keepers"))
    after, times = re.subn(r"\nstated_at: .*", "", raw(ocm, session))
    assert times == 1, "the decision is of today"
    assert after == before.replace("- Two keepers", "- Three keepers")


def test_the_commit_has_who_edited_and_what(
    ocm: Ocm, session: str, repository: Path
) -> None:
    git(repository, "config", "user.name", "Grace")
    edit(ocm, raw(ocm, session).replace("Two keepers", "Three keepers"))
    shown = git(repository, "log", "-1", "--format=%an|%s", REF)
    assert shown.strip() == "Grace|edit: Tame the walrus"


def test_what_is_removed_stays_away(ocm: Ocm, session: str) -> None:
    text = raw(ocm, session)
    edit(ocm, text.replace("- Two keepers\n", ""))
    checkpoint(ocm, client_session_id="edited-conversation", decisions=["Two keepers"])
    assert "Two keepers" not in raw(ocm, session)
    removed = raw(ocm, session)
    again = removed.replace("it is cheap\n", "it is cheap\n- Two keepers\n")
    at = line_of(again, "- Two keepers")
    assert refused(ocm, again) == f"line {at}: decisions cannot change so."


def test_a_clone_that_did_not_see_the_edit_brings_nothing_back(tmp_path: Path) -> None:
    first, second = make_clones(tmp_path, 2)
    saved = saved_session(first.workspace(), decisions=["Herring", "Two keepers"])
    name = saved.session_id or ""
    travel(first.workspace())
    travel(second.workspace())
    document = editable(first.workspace(), name)
    save_edit(document, document.text.replace("- Two keepers\n", "- Three keepers\n"))
    saved_session(second.workspace(), session_id=name, decisions=["Cod"])
    travel(first.workspace())
    travel(second.workspace())
    second.accept()
    travel(second.workspace())
    travel(first.workspace())
    for clone in (first, second):
        decisions = find(clone.workspace(), SESSION, name).decisions
        assert {*decisions} == {"Herring", "Three keepers", "Cod"}


def test_what_others_added_meanwhile_stays(ocm: Ocm, session: str) -> None:
    text = raw(ocm, session)
    checkpoint(
        ocm,
        client_session_id="edited-conversation",
        work_pending=["Wash it", "Brush it"],
        decisions=["Cod on Sundays"],
    )
    edit(ocm, text.replace("- Wash it\n", "- Dry it\n").replace("- Two keepers\n", ""))
    after = raw(ocm, session)
    assert "To Be Completed\n\n- Feed it\n- Dry it\n" in after
    assert "Cod on Sundays" in after
    assert "Two keepers" not in after


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("status: open", "status: closed", "this can only be read."),
        ("## Goal", "## Goals", "this can only be read"),
        ("\n- Feed it", "\n## More\n\n- Feed it", "this can only be read"),
        ("Tame the walrus", "", "goal cannot change so"),
        (
            "[Walrus]",
            "[A walrus]",
            "references cannot change so",
        ),
        ("- Feed it", "- Feed it\n- Bought fish", None),
    ],
)
def test_any_other_change_is_refused_with_its_line(
    ocm: Ocm, session: str, before: str, after: str, says: str | None
) -> None:
    tip = raw(ocm, session)
    changed = tip.replace(before, after, 1)
    if says is None:
        edit(ocm, changed)
        return
    message = refused(ocm, changed)
    number = re.match(r"line (\d+): ", message)
    assert number
    assert says in message
    assert abs(int(number[1]) - line_of(tip, before.strip())) <= 1
    assert raw(ocm, session) == tip


def test_a_finished_to_do_moves_and_an_unfinished_one_is_reworded(
    ocm: Ocm, session: str
) -> None:
    text = raw(ocm, session)
    done = text.replace("- Feed it\n", "").replace("fish\n", "fish\n- Feed it\n")
    edit(ocm, done)
    text = raw(ocm, session)
    undone = text.replace("- Bought fish\n", "").replace(
        "- Wash", "- Bought fish\n- Wash"
    )
    assert "work completed cannot change so" in refused(ocm, undone)


def test_what_an_editor_does_to_lines_is_no_change(ocm: Ocm, session: str) -> None:
    text = raw(ocm, session)
    for edited in (
        text.replace("\n", "\r\n"),
        "\ufeff" + text.replace("\n", "  \n"),
        text.rstrip("\n"),
        text.replace("\n- ", "\n* "),
    ):
        assert edit(ocm, edited)["changed"] == []


def test_secrets_are_redacted(ocm: Ocm, session: str) -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    edit(ocm, raw(ocm, session).replace("Two keepers", f"Use {token}"))
    assert token not in raw(ocm, session)


def test_text_in_another_encoding_is_refused(ocm: Ocm, session: str) -> None:
    text = (
        raw(ocm, session)
        .replace("Two keepers", "Zwei Wärter")
        .encode("latin-1", "replace")
    )
    ran = ocm("edit", "--from", "-", stdin=text)
    assert ran.status == 2
    assert "is not UTF-8" in ran.err


def test_the_editor_of_git_is_used(
    ocm: Ocm, session: str, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = "sed -i -e 's/Two keepers/Three keepers/'"
    monkeypatch.setenv("GIT_EDITOR", editor)
    assert "decisions" in ocm("edit", session).text
    assert "Three keepers" in raw(ocm, session)
    assert not [*(repository / ".git" / "ocm" / "sessions").glob("*.md.*")]


def test_a_refused_text_is_kept_and_can_be_mended(
    ocm: Ocm, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_EDITOR", "sed -i -e 's/## Goal/## Aim/' -e 's/Two/Three/'")
    ran = ocm("edit", session)
    assert ran.status == 2
    [name] = split(ran.err.partition("ocm edit --from ")[2].partition("`")[0])
    kept = Path(name)
    assert kept.stat().st_mode & 0o777 == 0o600
    kept.write_text(kept.read_text().replace("## Aim", "## Goal"))
    assert ocm("edit", "--from", str(kept)).status == 0
    assert "Three keepers" in raw(ocm, session)
    assert not kept.exists()


def test_a_key_in_a_refused_text_is_not_kept(
    ocm: Ocm, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    edits = f"-e 's/## Goal/## Aim/' -e 's/Two/{token}/'"
    monkeypatch.setenv("GIT_EDITOR", f"sed -i {edits}")
    ran = ocm("edit", session)
    [name] = split(ran.err.partition("ocm edit --from ")[2].partition("`")[0])
    text = Path(name).read_text()
    assert "## Aim" in text
    assert token not in text


def test_an_emptied_text_changes_nothing(
    ocm: Ocm, session: str, monkeypatch: pytest.MonkeyPatch, repository: Path
) -> None:
    before = raw(ocm, session)
    for editor, message in (("sed -i d", "text is empty"), ("rm", "cannot be read")):
        monkeypatch.setenv("GIT_EDITOR", editor)
        ran = ocm("edit", session)
        assert message in ran.err
        assert "--from" not in ran.err
    assert raw(ocm, session) == before
    assert not [*(repository / ".git" / "ocm" / "sessions").glob("*.md.*")]


def test_an_editor_that_fails_changes_nothing(
    ocm: Ocm, session: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_EDITOR", "false")
    before = raw(ocm, session)
    assert ocm("edit", session).status == 15
    assert raw(ocm, session) == before


def test_a_text_that_names_nothing_is_refused(ocm: Ocm, session: str) -> None:
    assert "line 1: the text has no header" in refused(ocm, "## Goal\n\nnothing\n")
    assert ocm("edit", session, "--from", "-").status == 2


def test_a_memory_says_what_was_edited(ocm: Ocm, repository: Path) -> None:
    ocm("remember", "Tests need Postgres 15", "--fact", "on port 5432", "--tag", "db")
    name = ocm("memories", "--json").json["memories"][0]["memory_id"]
    text = raw(ocm, name)
    changed = text.replace("Postgres 15", "Postgres 16").replace(
        "- on port 5432\n", "- on 5433\n"
    )
    assert edit(ocm, changed) == {
        "memory_id": name,
        "changed": ["text", "facts"],
        "markdown_path": None,
    }
    memory = find(workspace_at(repository), MEMORY, name)
    assert memory.text == "Tests need Postgres 16"
    assert memory.facts == ("on 5433",)
    assert memory.tags == ("db",)
    assert memory.sources == ("person:Ada <ada@example.com>",)
    assert ocm("recall", "postgres", "--json").json["result"][0]["text"] == memory.text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("kind: fact", "kind: rule"),
        ("- person:", "- person:Eve "),
        ("Tests need Postgres 15", "ok"),
    ],
)
def test_what_a_memory_cannot_say_is_refused(ocm: Ocm, before: str, after: str) -> None:
    ocm("remember", "Tests need Postgres 15")
    name = ocm("memories", "--json").json["memories"][0]["memory_id"]
    text = raw(ocm, name)
    message = refused(ocm, text.replace(before, after))
    assert message.startswith(f"line {line_of(text, before)}: ")
    assert raw(ocm, name) == text


def test_a_fact_that_was_removed_stays_away(tmp_path: Path) -> None:
    first, second = make_clones(tmp_path, 2)
    said = {"text": "Tests need Postgres 16", "facts": ["on port 5432", "locally"]}
    statement = parse_statement(said, first.now)
    name = remember(first.workspace(), statement, "person:Ada").memory.id
    travel(first.workspace())
    travel(second.workspace())
    document = editable(second.workspace(), name)
    save_edit(document, document.text.replace("- on port 5432\n", ""))
    travel(second.workspace())
    travel(first.workspace())
    first.accept()
    for clone in (first, second):
        assert find(clone.workspace(), MEMORY, name).facts == ("locally",)
    document = editable(first.workspace(), name)
    with pytest.raises(InvalidInput, match="facts cannot change so"):
        save_edit(document, document.text.replace("- locally", "- on port 5432"))


def copy_of(ocm: Ocm, name: str) -> Path:
    return Path(ocm("show", name, "--json").json["markdown_path"])


def test_an_edited_copy_is_kept_when_another_would_take_its_place(
    ocm: Ocm, session: str
) -> None:
    path = copy_of(ocm, session)
    path.write_text(path.read_text().replace("Two keepers", "Three keepers"))
    assert ocm("list").err == ""
    checkpoint(ocm, client_session_id="edited-conversation", decisions=["Cod"])
    [edited] = path.parent.glob(f"{session}.md.*")
    assert "Cod" in path.read_text()
    assert ocm("edit", "--from", str(edited)).status == 0
    after = path.read_text()
    assert "Three keepers" in after
    assert "Cod" in after
    assert "Two keepers" not in after
    assert not edited.exists()


def test_a_command_names_the_edited_copy(ocm: Ocm, session: str) -> None:
    path = copy_of(ocm, session)
    path.write_text(path.read_text() + "more\n")
    told: list[str] = []
    tell_waits(told.append)
    ocm("show", session)
    tell_waits(lambda _: None)
    [edited] = path.parent.glob(f"{session}.md.*")
    [sentence] = told
    assert sentence.startswith(f"{path} was edited by hand.")
    assert f"`ocm edit --from {quote(str(edited))}` saves it." in sentence


def test_a_copy_that_is_saved_makes_room_for_the_new_one(
    ocm: Ocm, session: str
) -> None:
    path = copy_of(ocm, session)
    path.write_text(path.read_text().replace("Two keepers", "Three keepers"))
    ran = ocm("edit", "--from", str(path))
    assert ran.err == ""
    assert path.read_text() == raw(ocm, session)
    assert not [*path.parent.glob(f"{session}.md.*")]


def test_a_copy_without_what_is_not_seen_was_not_edited(ocm: Ocm) -> None:
    name = checkpoint(ocm, client_session_id="hidden", goal="Hide\u200b\u200b it")
    path = copy_of(ocm, name)
    for goal in ("Hide\u200b more", "Show it"):
        checkpoint(ocm, client_session_id="hidden", goal=goal)
    assert "Show it" in path.read_text()
    assert not [*path.parent.glob(f"{name}.md.*")]
