import re
from pathlib import Path

import pytest
from cli.running import Ocm, checkpoint
from support.commits import committed
from support.harness import make_repository
from support.rounds import few
from support.workspaces import saved_session, workspace_at

from gitmem.actions.reading.find import Results, search
from gitmem.actions.reading.session_answers import NO_HITS
from gitmem.cli.reading.search import say_results
from gitmem.config import current_time


@pytest.fixture
def saved(ocm: Ocm) -> str:
    return checkpoint(ocm, goal="Migrate the embedding endpoint to TEI", tool="cursor")


def test_a_hit_has_the_keys_of_the_tool(ocm: Ocm, saved: str) -> None:
    (hit,) = ocm("search", "embedding", "--tool", "Cursor", "--json").json
    assert list(hit) == [
        *("rank", "score", "match", "session_id", "goal"),
        *("date", "until", "tool", "author", "own", "top_files", "markdown_path"),
        *("matched", "snippet", "changed_since", "not_in_code"),
        *("answers", "misses"),
    ]
    assert (hit["rank"], hit["session_id"], hit["tool"]) == (1, saved, "cursor")
    assert (hit["author"], hit["own"]) == ("Ada <ada@example.com>", True)
    assert (hit["matched"], hit["snippet"], hit["changed_since"]) == (
        ["goal"],
        "",
        None,
    )
    assert saved in Path(hit["markdown_path"]).read_text()
    assert ocm("search", "embedding", "--tool", "codex", "--json").json == NO_HITS


def test_the_words_of_a_query_need_no_quotes(ocm: Ocm, saved: str) -> None:
    assert saved in ocm("search", "endpoint", "embedding", "in", "cursor").out
    assert NO_HITS in ocm("search", "giraffes", "in", "claude", "code").out


def test_the_scope_may_be_all_repositories(
    ocm: Ocm, saved: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ocm("init")
    monkeypatch.chdir(make_repository(tmp_path / "other"))
    assert ocm("search", "embedding", "--json").json == NO_HITS
    query = ("search", "embedding", "--scope", "global")
    (hit,) = ocm(*query, "--json").json
    assert (hit["session_id"], hit["project"]) == (saved, "repository")
    assert (hit["root"], hit["remote"]) == (str(tmp_path / "repository"), "")
    assert f"   in {tmp_path / 'repository'}\n" in ocm(*query).out


@pytest.mark.usefixtures("saved")
def test_a_score_is_for_whoever_wants_it_explained(ocm: Ocm) -> None:
    assert ", strong match\n" in ocm("search", "embedding").out
    explained = ocm("search", "embedding", "--explain").out
    assert re.search(r", strong match, score \d+\.\d\d\n", explained)


@pytest.fixture
def results(repository: Path) -> Results:
    workspace = workspace_at(repository)
    for name in ("one", "two"):
        saved_session(workspace, goal="Print the banner", client_session_id=name)
    return search(workspace, "banner")


def shown(results: Results, capsys: pytest.CaptureFixture[str]) -> list[str]:
    say_results(results, current_time(), explain=False)
    return capsys.readouterr().out.splitlines()


def test_nearest_session_is_shown_if_none_matches(ocm: Ocm) -> None:
    prose = "we went on about the cache and its budget the whole afternoon. " * 8
    checkpoint(ocm, work_summary=[f"{prose} the startup banner {prose}"])
    query = ("search", "why the startup banner stopped appearing on screen")
    found = ocm(*query)
    assert found.err == "hint: Search again in other words, or add some: --also.\n"
    out = found.out
    assert out.startswith("No session clearly matches; the nearest are:\n\n1  ")
    assert "\n   has startup, banner; not stopped, appearing, screen\n" in out
    (hit,) = ocm(*query, "--json").json
    assert (hit["match"], hit["answers"]) == ("weak", ["startup", "banner"])


def test_a_word_to_leave_out_is_told_where_to_go(ocm: Ocm) -> None:
    ran = ocm("search", "customers", "-without")
    assert (ran.status, "`ocm search -- retry -upload`" in ran.err) == (2, True)
    assert "`ocm search --help`" in ocm("search", "customers", "--limt", "3").err


def test_limits_and_scopes_that_make_no_sense_are_refused(ocm: Ocm) -> None:
    assert ocm("search", "x", "--limit", "0", "--json").error["code"] == "invalid-input"
    assert ocm("search", "x", "--scope", "moon").status == 2
    assert ocm("search", "x", "--limit", "many", "--json").error["code"] == "usage"
    assert ocm("search").status == 2


@pytest.mark.usefixtures("saved")
def test_how_a_query_was_read_is_told_when_asked(ocm: Ocm) -> None:
    query = ("endpiont", "-docs", "in", "cursor", "since", "2020-01-01")
    shown = ocm("search", "--explain", "--", *query).out
    assert shown.startswith("Understood:\n")
    for line in (
        *("words        endpiont", "without      docs", "tool         cursor"),
        *("after        2020-01-01 00:00", "corrected    endpiont as endpoint"),
        "found in goal",
    ):
        assert line in shown
    assert "Understood" not in ocm("search", "--", *query).out
    assert ocm("search", "endpiont", "--json", "--explain").json == {
        "result": ocm("search", "endpiont", "--json").json,
        "understood": {"words": ["endpiont"], "corrected": {"endpiont": "endpoint"}},
    }


@pytest.mark.usefixtures("saved")
def test_other_wordings_may_be_given(ocm: Ocm) -> None:
    also = ("--also", "vector service", "--also", "text_embeddings")
    shown = ocm("search", "embedding", *also, "--explain")
    assert "  also         vector service, text_embeddings\n" in shown.out
    told = ocm("search", "embedding", *also, "--explain", "--json").json["understood"]
    assert told["also"] == ["vector service", "text_embeddings"]
    too_many = ocm("search", "embedding", *("--also", "x") * 6, "--json")
    assert too_many.error["code"] == "invalid-input"


@pytest.mark.usefixtures("saved")
def test_where_nothing_is_found_it_is_told_as_well(ocm: Ocm) -> None:
    query = ("search", "giraffes in codex", "--explain", "--scope", "global")
    told = ocm(*query)
    assert (told.status, told.out.endswith(f"\n\n{NO_HITS}\n")) == (0, True)
    assert "tool         codex" in told.out
    assert ocm(*query, "--json").json == {
        "result": NO_HITS,
        "understood": {"words": ["giraffes"], "tool": "codex"},
    }
    assert ocm("search", "giraffes in codex").out == f"{NO_HITS}\n"


def test_dropped_filters_stand_above_the_hits(ocm: Ocm, saved: str) -> None:
    query = ("search", 'embedding "endpoint migrated"')
    first, _, hit, *_ = ocm(*query).out.splitlines()
    assert first == 'No session found with "endpoint migrated"; without this filter:'
    assert saved in hit
    whole = ocm(*query, "--json", "--explain").json
    assert [hit["session_id"] for hit in whole["result"]] == [saved]
    assert whole["understood"] == {
        "words": ["embedding", "endpoint", "migrated"],
        "phrases": ["endpoint migrated"],
        "dropped": ["phrases"],
    }


def test_order_question_names_newest_work_and_the_rest(ocm: Ocm) -> None:
    ocm("checkpoint", "--slug", "tei", "--goal", "Move to TEI", "--todo", "batch size")
    first, *lines = ocm("search", "where did we leave off?", "--explain").out.split(
        "\n"
    )
    assert first == "Understood:"
    assert "  about_order  yes" in lines
    assert "   1 to do: batch size" in lines
    (hit,) = ocm("search", "what's next", "--json").json
    assert (hit["matched"], hit["snippet"]) == (["pending"], "1 to do: batch size")


@few(1, "columns", [40, 130])
def test_the_words_of_a_query_stand_out_in_what_is_shown(
    ocm: Ocm, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    decision = f"Every retry sends one idempotency key {'and goes on ' * 30}"
    checkpoint(ocm, goal="Stop it", decisions=[decision])
    for name, value in {"FORCE_COLOR": "1", "COLUMNS": str(columns)}.items():
        monkeypatch.setenv(name, value)
    shown = ocm("search", "idempotency")
    assert re.search(r"\x1b\[1[;\d]*midempotency\x1b\[0m", shown.out)
    quoted = [line for line in shown.text.splitlines() if "goes" in line]
    assert len(quoted) > 1
    assert all(line.startswith("   ") and len(line) <= columns for line in quoted)


def test_files_that_changed_are_counted(ocm: Ocm, repository: Path) -> None:
    (repository / "file.txt").write_text("by the session")
    ocm("checkpoint", "--goal", "Change a file")
    for content in ("later", "later still"):
        committed(repository, "file.txt", content)
    (hit,) = ocm("search", "change a file", "--json").json
    assert hit["changed_since"] == {"changed": 1, "files": 1}
    assert "1 of 1 file changed since" in ocm("search", "change a file").out
