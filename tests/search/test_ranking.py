from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from search.builders import NOW, found, hits, indexed, learn, session
from support.rounds import every_row, few

from gitmem.documents.session.session import GoalSource, PlanFile, Reference, Session
from gitmem.git.values import Change, Commit, FileChange
from gitmem.search import ranking
from gitmem.search.documents import Match
from gitmem.search.index import Index

NOISE = tuple(f"line {n} speaks of parser, queue, cache and budget" for n in range(300))

FIELDS: dict[str, dict[str, Any]] = {
    "written goal": {"goal": "zebra quokka walrus"},
    "derived goal": {"goal": "zebra quokka walrus", "goal_source": GoalSource.DERIVED},
    "decisions": {"decisions": ("zebra quokka", "walrus")},
    "completed": {"work_completed": ("zebra quokka walrus",)},
    "pending": {"work_pending": ("zebra", "quokka", "walrus")},
    "work": {"work_summary": ("zebra quokka walrus",)},
    "work, long": {"work_summary": (*NOISE, "zebra quokka walrus")},
    "files": {"files": ("zebra/quokka/walrus.py",)},
    "branch": {"branch": "zebra/quokka-walrus"},
    "commits": {"commits": (Commit("a" * 40, "zebra quokka walrus"),)},
    "plan heading": {"plan_files": (PlanFile("p.md", "# Zebra quokka walrus"),)},
    "plan path": {"plan_files": (PlanFile("zebra/quokka/walrus.md", "# P"),)},
    "reference": {"references": (Reference("https://zebra.org/quokka", "Walrus"),)},
    "diff summary": {"diff_summary": "zebra quokka walrus"},
    "a person's section": {"extra_body": "## Notes\nzebra quokka walrus"},
}


def crowd(size: int) -> list[Session]:
    """Sessions that share no word with any query here."""
    return [
        session(f"other-{n}", goal=f"parser{n} queue", work_summary=NOISE[: n % 9])
        for n in range(size)
    ]


@few(2, "field", FIELDS)
def test_three_words_find_any_field(field: str, tmp_path: Path) -> None:
    wanted = session("wanted", **FIELDS[field])
    alone = hits(indexed(tmp_path / "alone", [wanted]), "walrus zebra quokka")
    crowded = hits(
        indexed(tmp_path / "crowded", [*crowd(50), wanted]), "walrus zebra quokka"
    )
    assert [hit.id for hit in alone] == ["wanted"]
    assert crowded == alone, "other sessions change neither score nor decision"


def test_exact_words_count_where_stems_do_not(tmp_path: Path) -> None:
    others = [
        session(f"other-{n}", goal="Force the intents, code it") for n in range(60)
    ]
    wanted = session("wanted", work_summary=(*NOISE, "forcing intention coded"))
    shown = hits(indexed(tmp_path, [wanted, *others]), "forcing coded intention")
    [hit] = [each for each in shown if each.id == "wanted"]
    assert hit.match is Match.STRONG


@pytest.mark.parametrize(("word", "match"), [("zebra", "strong"), ("zebras", "weak")])
def test_every_word_is_an_answer_only_as_it_was_typed(
    word: str, match: str, tmp_path: Path
) -> None:
    others = [session(f"other-{n}", goal="The zebra") for n in range(3)]
    wanted = session("wanted", work_summary=(*NOISE, word))
    index = indexed(tmp_path, [wanted, *others, *crowd(60)])
    shown = {hit.id: hit.match for hit in hits(index, "zebra")}
    assert shown["wanted"] == match


def test_pairs_across_two_chinese_words_are_not_asked_for(tmp_path: Path) -> None:
    wanted = session("wanted", goal="固件升级必须在电池电量高于百分之五十时进行")
    index = indexed(tmp_path, [wanted, *crowd(60)])
    assert found(index, "电池快没电了还能升级吗") == ["wanted"]
    assert found(index, "如何训练推荐模型") == []


def test_the_fields_rank_as_their_weights_say(tmp_path: Path) -> None:
    order = ["goal", "decisions", "todos", "work"]
    index = indexed(
        tmp_path,
        [
            session("work", work_summary=("quokka zebra",)),
            session("todos", work_completed=("quokka zebra",)),
            session("decisions", decisions=("quokka zebra",)),
            session("goal", goal="quokka zebra"),
        ],
    )
    assert found(index, "quokka zebra") == order


def test_a_goal_that_nobody_wrote_weighs_like_work(tmp_path: Path) -> None:
    index = indexed(
        tmp_path,
        [
            session("derived", goal="quokka", goal_source=GoalSource.DERIVED),
            session("decided", decisions=("quokka",)),
        ],
    )
    assert found(index, "quokka") == ["decided", "derived"]


def test_a_derived_goal_that_is_a_prompt_as_well_counts_once(tmp_path: Path) -> None:
    goal = "Retry backoff in the upload client"
    derived: dict[str, Any] = {"goal": goal, "goal_source": GoalSource.DERIVED}
    index = indexed(
        tmp_path,
        [
            session("written", goal=goal, started_at=NOW - timedelta(days=300)),
            session("derived", prompts=(goal, "Thanks a lot"), **derived),
        ],
    )
    assert found(index, "retry backoff upload") == ["written", "derived"]


def test_a_rare_word_tells_more_than_a_common_one(tmp_path: Path) -> None:
    common = [session(f"common-{n}", goal="budget overflow") for n in range(20)]
    index = indexed(tmp_path, [*common, session("rare", goal="quokka overflow")])
    assert found(index, "budget quokka")[0] == "rare"


def test_scores_are_between_nothing_and_one_and_fall(tmp_path: Path) -> None:
    index = indexed(
        tmp_path,
        [session(f"s{n}", goal="zebra " * n, decisions=NOISE[:n]) for n in range(9)],
    )
    scores = [hit.score for hit in hits(index, "zebra budget", 9)]
    assert scores == sorted(scores, reverse=True)
    assert all(ranking.WORTH_A_LOOK * max(scores) <= score <= 1 for score in scores)


def test_one_session_has_one_score_everywhere(tmp_path: Path) -> None:
    wanted = session("wanted", goal="Retry the upload", decisions=("zebra budget",))
    small = hits(indexed(tmp_path / "a", [wanted]), "retry upload")
    large = hits(indexed(tmp_path / "b", [*crowd(60), wanted]), "retry upload")
    assert small == large


@pytest.mark.endurance
def test_a_session_that_was_updated_often_does_not_lose_by_it(tmp_path: Path) -> None:
    wanted = session("wanted", goal="quokka parser")
    index = indexed(tmp_path / "a", [wanted, *crowd(3)])
    for n in range(12):
        learn(index, f"tip {n}", [replace(wanted, work_summary=NOISE[:n])])
    fresh = indexed(tmp_path / "b", [replace(wanted, work_summary=NOISE[:11])])
    assert hits(index, "quokka")[0].score == hits(fresh, "quokka")[0].score


def test_any_spelling_matches(tmp_path: Path) -> None:
    written = {
        "tokenBudget": "token budget",
        "cacheentry": "cacheEntry",
        "設定 東京": "東京タワーの設定",
        "naïve": "nai\u0308ve",
    }
    sessions = [
        session(f"s{n}", work_summary=(*NOISE[:40], text))
        for n, text in enumerate(written.values())
    ]
    index = indexed(tmp_path, [*sessions, *crowd(3)])
    first = [found(index, query)[:1] for query in written]
    assert first == [[each.id] for each in sessions]


class TestPaths:
    @pytest.fixture
    def index(self, tmp_path: Path) -> Index:
        files = ["src/inference/embedding_server.py", "README.md"]
        return indexed(tmp_path, [session("touched", files=files), *crowd(20)])

    @every_row(
        "query",
        [
            "embedding_server",
            "embedding_server.py",
            "src/inference/",
            "ference/embed",
            "SRC/inference",
            "./src/inference/embedding_server.py:12",
            "why does bedding_server.py fail under load in production?",
        ],
    )
    def test_fragment_of_a_path_finds_sessions(self, index: Index, query: str) -> None:
        assert found(index, query) == ["touched"]

    def test_fragments_of_two_paths_are_no_path(self, index: Index) -> None:
        assert not any(
            hit.score >= ranking.TOUCHED for hit in hits(index, "server.pyr/x")
        )
        assert all(hit.score < ranking.TOUCHED for hit in hits(index, "pyreadme.md"))

    def test_it_scores_moderately_when_no_word_matches(self, index: Index) -> None:
        (hit,) = hits(index, "ference/emb zebra quokka walrus")
        assert hit.score == pytest.approx(ranking.TOUCHED)

    def test_words_decide_among_those_who_touched_it(self, tmp_path: Path) -> None:
        file = (FileChange("src/a.py", Change.MODIFIED),)
        index = indexed(
            tmp_path,
            [
                replace(session("plain"), files=file),
                replace(session("told", goal="quokka"), files=file),
                session("elsewhere", goal="quokka"),
            ],
        )
        assert found(index, "src/a.py quokka") == ["told", "plain"]
