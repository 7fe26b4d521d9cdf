import json
from pathlib import Path

import pytest
from cli.running import Ocm
from harness import make_repository

from gitmem.actions.reading.find import NO_HITS


@pytest.fixture
def saved(ocm: Ocm) -> str:
    content = json.dumps(
        {"goal": "Migrate the embedding endpoint to TEI", "tool": "cursor"}
    ).encode()
    return str(
        ocm("checkpoint", "--input", "-", "--json", stdin=content).json["session_id"]
    )


def test_a_hit_has_the_keys_of_the_tool(ocm: Ocm, saved: str) -> None:
    (hit,) = ocm("search", "embedding", "--json").json
    assert list(hit) == [
        *("rank", "score", "session_id", "goal"),
        *("date", "tool", "top_files", "markdown_path"),
    ]
    assert (hit["rank"], hit["session_id"], hit["tool"]) == (1, saved, "cursor")
    assert saved in Path(hit["markdown_path"]).read_text()


def test_the_words_of_a_query_need_no_quotes(ocm: Ocm, saved: str) -> None:
    assert saved in ocm("search", "endpoint", "embedding", "in", "cursor").out
    assert NO_HITS in ocm("search", "embedding", "in", "claude", "code").out


@pytest.mark.usefixtures("saved")
def test_no_hit_is_an_answer_and_no_error(ocm: Ocm) -> None:
    found = ocm("search", "kubernetes", "--json")
    assert (found.status, found.json) == (0, NO_HITS)
    assert ocm("search", "kubernetes").out == f"{NO_HITS}\n"


@pytest.mark.parametrize(
    "query",
    ["the of and", '"', 'a AND (b OR "c', "* ? ~2", "id:7", "-x +y", "x " * 5_000, " "],
)
@pytest.mark.usefixtures("saved")
def test_no_query_is_an_error(ocm: Ocm, query: str) -> None:
    found = ocm("search", "--json", "--", query)
    assert found.status == 0
    assert found.json == NO_HITS or isinstance(found.json, list)


@pytest.mark.usefixtures("saved")
def test_an_assistant_can_be_named(ocm: Ocm) -> None:
    assert len(ocm("search", "embedding", "--tool", "Cursor", "--json").json) == 1
    assert ocm("search", "embedding", "--tool", "codex", "--json").json == NO_HITS


def test_the_scope_may_be_all_repositories(
    ocm: Ocm, saved: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ocm("init")
    monkeypatch.chdir(make_repository(tmp_path / "other"))
    assert ocm("search", "embedding", "--json").json == NO_HITS
    (hit,) = ocm("search", "embedding", "--scope", "global", "--json").json
    assert hit["session_id"] == saved


def test_limits_and_scopes_that_make_no_sense_are_refused(ocm: Ocm) -> None:
    assert ocm("search", "x", "--limit", "0", "--json").error["code"] == "invalid-input"
    assert ocm("search", "x", "--scope", "moon").status == 2
    assert ocm("search", "x", "--limit", "many", "--json").error["code"] == "usage"
    assert ocm("search").status == 2
