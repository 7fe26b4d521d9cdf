"""`list`, `show`, `files`, `export`, `status` and `rebuild-index`."""

import re
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cli.running import Ocm, checkpoint
from support.commits import remembered
from support.events import event, note, now
from support.harness import NOON, git, script
from support.rounds import every_row
from support.workspaces import saved_session, workspace_at

from gitmem.actions.reading.session_answers import NO_HITS
from gitmem.documents.event import Prompt, Start
from gitmem.documents.kinds import SESSION
from gitmem.documents.session.identity import document_path
from gitmem.lookup import find_id
from gitmem.text.calendar import spoken

GOAL = "Migrate the embedding endpoint from vLLM to TEI"


@pytest.fixture
def saved(ocm: Ocm, repository: Path) -> str:
    (repository / "client.py").write_text("x = 1\n")
    return str(
        ocm(
            *("checkpoint", "--json", "--slug", "tei-migration", "--goal", GOAL),
            *("--todo", "batch size", "--decision", "**TEI:** speaks BGE-M3"),
        ).json["session_id"]
    )


def test_a_list_has_the_keys_of_the_tool(ocm: Ocm, saved: str) -> None:
    (listed,) = ocm("list", "--json").json
    assert list(listed) == [
        *("session_id", "goal", "date", "until", "tool"),
        *("author", "own", "status", "markdown_path"),
        *("state", "branch", "files", "work"),
        *("client_session_id", "parent"),
    ]
    assert listed["session_id"] == saved
    assert saved in Path(listed["markdown_path"]).read_text()


def test_piped_list_has_a_whole_session_a_line(ocm: Ocm) -> None:
    goal = "word " * 60
    for name in ("one", "two"):
        ocm("checkpoint", "--slug", name, "--goal", goal)
    rows = [line.split("\t") for line in ocm("list").out.splitlines()]
    assert {row[0].rpartition("_")[2] for row in rows} == {"one", "two"}
    for _, started, *facts in rows:
        assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", started)
        assert facts == ["cli", "open", "main", "0", goal.strip()]


def test_what_was_worked_on_last_is_first(
    ocm: Ocm, repository: Path, terminal: Callable[[int], None]
) -> None:
    workspace = workspace_at(repository)
    for client, days in (("one", 0), ("two", 1), ("one", 2)):
        at = NOON + timedelta(days)
        remembered(workspace, client, at=at, tried=(f"{days} days",))
    assert [row["goal"] for row in ocm("list", "--json").json] == [
        "Goal of one",
        "Goal of two",
    ]
    assert "Goal of one" in ocm("show", "last").out
    terminal(100)
    assert re.search("23 Feb.* to 25 Feb", ocm("list", "--limit", "1").text)


def test_list_leaves_out_small_talk(ocm: Ocm, repository: Path) -> None:
    begun = event(Start, at=now(), source="startup")
    note(repository, begun, event(Prompt, at=now(), text="Explain the tokenizer."))
    hidden = ocm("list")
    assert (hidden.status, hidden.out) == (0, "")
    assert "`ocm list --all`" in hidden.err
    assert "\trunning\t" in ocm("list", "--all").out
    assert "Explain the tokenizer." in ocm("search", "tokenizer").out
    (listed,) = ocm("list", "--json").json
    assert (listed["work"], listed["state"], listed["status"]) == (
        False,
        "running",
        "open",
    )


def test_a_list_has_ten_rows_unless_more_are_asked_for(
    ocm: Ocm, repository: Path
) -> None:
    workspace = workspace_at(repository)
    for number in range(11):
        saved_session(workspace, goal=f"Goal {number}")
    assert len(ocm("list").out.splitlines()) == 10
    assert len(ocm("list", "--json").json) == 10
    assert "There are more: --all" in ocm("list").err
    for options in (["--all"], ["--limit", "11"]):
        ran = ocm("list", *options)
        assert (len(ran.out.splitlines()), ran.err) == (11, "")


def test_where_there_are_no_sessions_a_list_is_empty(ocm: Ocm) -> None:
    assert ocm("list", "--json").json == []
    listed = ocm("list")
    assert (listed.status, listed.out) == (0, "")
    assert "No sessions yet" in listed.err


@every_row("columns", [40, 130])
def test_on_a_terminal_ids_are_whole_and_only_paths_are_wider(
    ocm: Ocm, saved: str, terminal: Callable[[int], None], columns: int
) -> None:
    terminal(columns)
    listed, found = ocm("list").text, ocm("search", "embedding").text
    for out in (listed, found):
        assert saved in out
    narrow = [line for line in (listed + found).splitlines() if "/" not in line]
    assert all(len(line) <= columns for line in narrow)


def test_show_gives_programs_the_document_as_it_is(ocm: Ocm, saved: str) -> None:
    path = document_path(find_id(workspace_at(Path.cwd()), SESSION, saved))
    stored = git(Path.cwd(), "show", f"refs/ocm/sessions:{path}")
    assert ocm("show", saved).out == f"{stored}\n"
    shown = ocm("show", saved, "--json").json
    assert list(shown) == ["session_id", "markdown_path", "document"]
    assert shown["document"] == f"{stored}\n"


def test_show_draws_the_document_on_a_terminal(
    ocm: Ocm, saved: str, terminal: Callable[[int], None]
) -> None:
    terminal(80)
    drawn = ocm("show", "last").text
    assert drawn.splitlines()[0].endswith(saved)
    assert "## Goal" not in drawn
    assert GOAL in drawn
    assert "• batch size" in drawn
    assert "## Goal" in ocm("show", "last", "--raw").out


def test_an_unknown_assistant_is_refused_with_those_that_are_known(ocm: Ocm) -> None:
    saved = checkpoint(ocm, goal="Mend the login", tool="someone-new")
    for command in (["list"], ["search", "login"]):
        refused = ocm(*command, "--tool", "xyz")
        assert (refused.status, refused.out) == (2, "")
        assert "'xyz'" in refused.err
        assert "claude-code" in refused.err
        assert "someone-new" in refused.err
        assert saved in ocm(*command, "--tool", "someone-new", "--json").out


def test_what_cannot_be_a_name_is_refused(ocm: Ocm) -> None:
    names = ("../../etc/passwd", "a/b", "..", "", "a\x1b[2Jb")
    asked = *(("show", name) for name in names), ("files", ".."), ("export", "")
    for command, name in asked:
        refused = ocm(command, "--", name)
        assert refused.status == 2
        assert "cannot be the name of a session" in refused.err
        assert "\x1b" not in refused.err


@pytest.mark.usefixtures("saved")
def test_an_unknown_name_is_told_with_the_way_on(ocm: Ocm) -> None:
    refused = ocm("show", "nope")
    assert refused.status == 1
    assert "error: No session or memory is named 'nope'" in refused.err
    assert "hint: `ocm list`" in refused.err
    assert ocm("show", "nope", "--json").error["code"] == "not-found"


def test_the_beginning_of_slugs_is_told_with_those_that_begin_so(ocm: Ocm) -> None:
    names = [
        checkpoint(ocm, client_session_id=f"c-{slug}", goal="Wishes", slug=slug)
        for slug in ("wishlist-api", "wishlist-link", "other-wishlist")
    ]
    hint = ocm("show", "wishlist", "--json").error["hint"]
    assert [name in hint for name in names] == [True, True, False]


def test_sessions_of_one_name_are_told_apart_by_their_goals(ocm: Ocm) -> None:
    names = {
        checkpoint(ocm, client_session_id=f"c-{goal}", goal=goal, slug="same-slug")
        for goal in ("Bake bread", "Brew coffee")
    }
    hint = ocm("show", "same-slug", "--json").error["hint"]
    assert "Bake bread" in hint
    assert "Brew coffee" in hint
    assert names


def test_files_are_listed_with_what_became_of_them(ocm: Ocm, saved: str) -> None:
    touched = ocm("files", "last", "--json").json
    assert touched == [{"path": "client.py", "change_type": "created"}]
    assert ocm("files", saved).out == "created   client.py\n"


def test_export_prints_the_path_where_there_is_no_clipboard(
    ocm: Ocm, saved: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(Path(shutil.which("git") or "").parent))
    exported = ocm("export", "last", "--json").json
    assert list(exported) == ["session_id", "markdown_path", "clipboard"]
    assert saved in Path(exported["markdown_path"]).read_text()
    assert Path(ocm("export", saved).out.strip()).is_absolute()


@pytest.mark.usefixtures("saved")
def test_export_uses_the_first_clipboard_that_works(
    ocm: Ocm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "wl-copy", "exit 1")
    script(tmp_path / "xclip", f"cat > '{tmp_path}/clipboard'")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    exported = ocm("export", "last", "--json").json
    assert exported["clipboard"] == "xclip"
    assert (tmp_path / "clipboard").read_text() == exported["markdown_path"]


def test_status_has_its_keys(ocm: Ocm, saved: str, repository: Path) -> None:
    standing = ocm("status", "--json").json
    assert list(standing) == [
        *("project", "root", "ref", "tip", "sessions", "newest"),
        *("pending", "indexed", "indexing", "registered", "shared"),
        *("memories", "week"),
    ]
    assert standing["newest"] == saved
    assert standing["tip"] == git(repository, "rev-parse", "refs/ocm/sessions")
    assert "run `ocm init`" in ocm("status").out
    ocm("init")
    assert ocm("status", "--json").json["registered"]


@pytest.mark.usefixtures("saved")
def test_an_index_that_is_rebuilt_answers_the_same(ocm: Ocm, repository: Path) -> None:
    before = ocm("search", "embedding", "--json").json
    index = repository / ".git" / "ocm-index"
    for file in index.iterdir():
        file.write_bytes(b"garbage")
    assert ocm("rebuild-index", "--json").json == {"sessions": 1}
    assert ocm("search", "embedding", "--json").json == before
    assert before != NO_HITS


@every_row(
    ("ago", "words"),
    [
        (timedelta(minutes=5), "today 11:55"),
        (timedelta(days=1), "yesterday 12:00"),
        (timedelta(days=3), "Friday 12:00"),
        (timedelta(days=30), "24 January 12:00"),
        (timedelta(days=400), "19 January 2025"),
        (timedelta(days=-3), "26 February 2026"),
    ],
)
def test_times_are_shown_as_people_say_them(ago: timedelta, words: str) -> None:
    now = datetime(2026, 2, 23, 12, 0, tzinfo=UTC)
    assert spoken(now - ago, now) == words


def test_json_and_documents_act_on_no_terminal(ocm: Ocm) -> None:
    goal = "a \u202e b 😀 \U000e0041"
    ocm("checkpoint", "--goal", goal)
    shown = ocm("show", "last", "--json")
    assert not {"\u202e", "\U000e0041"} & set(shown.out)
    assert goal in shown.json["document"]
    assert ocm("list", "--json").json[0]["goal"] == "a b 😀"


def test_other_authors_are_named(ocm: Ocm, repository: Path) -> None:
    git(repository, "config", "user.name", "Grace Hopper")
    git(repository, "config", "user.email", "grace@example.com")
    ocm("checkpoint", "--goal", "Draw the menu.")
    for command in (["list"], ["search", "menu"], ["show", "last"]):
        assert "by Grace Hopper" not in ocm(*command).out
    git(repository, "config", "user.email", "ada@example.com")
    for command in (["list"], ["search", "menu"]):
        assert "by Grace Hopper" in ocm(*command).out
        (one,) = ocm(*command, "--json").json
        assert one["author"] == "Grace Hopper <grace@example.com>"
        assert one["own"] is False


def test_foreign_goals_are_cut_in_json_too(ocm: Ocm, repository: Path) -> None:
    ocm("checkpoint", "--goal", "word " * 5000)
    assert len(ocm("list").out) > 20_000
    git(repository, "config", "user.email", "grace@example.com")
    assert len(ocm("list").out) < 500
