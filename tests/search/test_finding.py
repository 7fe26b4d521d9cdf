"""What makes a session one of the first, beside the words of its document."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from search.builders import NOW, TOOLS, changed, found, hits, indexed, learn, session
from support.rounds import every_row, few

from gitmem.documents.changes import Changed, Changes
from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.documents.session.session import GoalSource, Session
from gitmem.git.values import Commit
from gitmem.search.asking import is_one_edit, meant
from gitmem.search.documents import PASSAGE_LENGTH, Match, documents_of
from gitmem.search.index import Hit, Index
from gitmem.search.queries.query import parse, with_also

TALK = "we went on and on about the cache and its budget for the whole long afternoon"


def told(id_: str, *said: str, **facts: Any) -> Changed:
    return changed(
        session(id_, **facts), tuple(Turn(Speaker.ASSISTANT, t) for t in said)
    )


def learnt(folder: Path, *each: Changed) -> Index:
    index = Index.open(folder / "index", folder / "lock")
    index.catch_up("tip", lambda since: Changes(since, "tip", len(each), each))
    return index


class TestWhatWasSaid:
    def test_it_finds_its_session_and_passage(self, tmp_path: Path) -> None:
        index = learnt(
            tmp_path,
            told("one", TALK * 20, "the quokka needs a zebra crossing", goal="Parser"),
            told("two", TALK * 30),
        )
        [hit] = hits(index, "quokka zebra crossing")
        assert hit.id == "one"
        assert "the quokka needs a zebra crossing" in hit.speech

    def test_earlier_questions_are_found_too(self, tmp_path: Path) -> None:
        asked: dict[str, Any] = {
            "goal": "Feed the quokka at the zebra crossing",
            "goal_source": GoalSource.DERIVED,
            "prompts": ("Feed the quokka…", "and the giraffe beside the pond"),
        }
        index = learnt(tmp_path, told("one", TALK, TALK, **asked))
        assert found(index, "quokka zebra crossing") == ["one"]
        assert found(index, "giraffe pond") == ["one"]

    def test_answers_are_found_without_a_conversation(self, tmp_path: Path) -> None:
        index = learnt(tmp_path, told("one", answers=("The quokka eats the zebra.",)))
        assert found(index, "quokka zebra") == ["one"]

    def test_adjacent_words_beat_scattered_ones(self, tmp_path: Path) -> None:
        together = "the quokka saw a zebra eat llama food"
        index = learnt(
            tmp_path,
            told("scattered", "quokka", TALK * 20, "zebra", TALK * 20, "llama"),
            told("together", TALK * 20, together, TALK * 20),
        )
        assert found(index, "quokka zebra llama") == ["together", "scattered"]

    def test_better_passage_is_shown(self, tmp_path: Path) -> None:
        index = learnt(tmp_path, told("one", TALK, decisions=("quokka over zebra",)))
        [hit] = hits(index, "quokka zebra")
        assert hit.speech == ""

    def test_text_is_cut_into_equal_pieces(self) -> None:
        turns = [f"word{n}" for n in range(10 * PASSAGE_LENGTH)]
        one = told("one", *turns, goal="goal").entry
        entry = one()
        assert entry is not None
        stored = (each.get("stored") for each in [*documents_of(entry)][2:])
        pieces = [each.decode().split() for each in stored if isinstance(each, bytes)]
        assert [len(piece) for piece in pieces] == [PASSAGE_LENGTH] * 10
        assert [word for piece in pieces for word in piece] == turns


class TestAnAnswer:
    """Whether there is one, in few sessions and in many."""

    @few(1, "size", [5, 50, 500])
    def test_half_the_query_is_a_weak_match(self, tmp_path: Path, size: int) -> None:
        crowd = [session(f"s{n}", goal="fix the cache budget") for n in range(size)]
        banner = session(
            "banner", extra_body=f"{TALK * 9} the startup banner {TALK * 9}"
        )
        index = indexed(tmp_path, [*crowd, banner])
        [hit] = hits(index, "why the startup banner stopped appearing on screen")
        assert (hit.id, hit.match) == ("banner", Match.WEAK)
        assert hit.answers == ("startup", "banner")
        assert set(hit.misses) >= {"stopped", "appearing"}

    @few(1, "size", [5, 50, 500])
    def test_most_of_the_query_is_a_strong_one(self, tmp_path: Path, size: int) -> None:
        crowd = [session(f"s{n}", goal="fix the cache budget") for n in range(size)]
        banner = session("banner", work_summary=("the startup banner is not shown",))
        [hit] = hits(indexed(tmp_path, [*crowd, banner]), "no startup banner shown")
        assert (hit.id, hit.match) == ("banner", Match.STRONG)
        assert not hit.answers
        assert not hit.misses

    def test_strong_matches_come_before_weak_ones(self, tmp_path: Path) -> None:
        every = "quokka zebra llama ostrich walrus giraffe"
        index = indexed(
            tmp_path,
            [
                session("half", extra_body=f"{TALK * 9} quokka zebra llama {TALK * 9}"),
                session("all", extra_body=f"{TALK * 9} {every} {TALK * 9}"),
                *(session(f"s{n}", goal="parser queue") for n in range(50)),
            ],
        )
        found = hits(index, every)
        assert [(hit.id, hit.match.value) for hit in found] == [
            ("all", "strong"),
            ("half", "weak"),
        ]

    def test_one_or_two_common_words_are_one(self, tmp_path: Path) -> None:
        index = indexed(
            tmp_path, [session(f"s{n}", goal="fix the cache budget") for n in range(50)]
        )
        assert len(found(index, "cache")) == len(found(index, "budget cache")) == 5

    def test_three_scattered_rare_words_are_one(self, tmp_path: Path) -> None:
        long = told("long", "quokka", TALK * 30, "zebra", TALK * 30, "llama")
        others = [told(f"o{n}", TALK * 20, "quokka zebra") for n in range(3)]
        assert "long" in found(learnt(tmp_path, long, *others), "llama zebra quokka")

    def test_identifier_of_common_parts_is_one(self, tmp_path: Path) -> None:
        crowd = [
            session(
                f"s{n}", work_summary=("a budget of the token cache",) * (1 + n % 2)
            )
            for n in range(20)
        ]
        wanted = session("wanted", work_summary=("raise tokenBudgetOfCache",))
        index = indexed(tmp_path, [*crowd, wanted])
        assert found(index, "tokenBudgetOfCache")[0] == "wanted"
        assert found(index, "token_budget_of_cache")[0] == "wanted"

    def test_hits_far_behind_the_best_are_dropped(self, tmp_path: Path) -> None:
        best = session("best", goal="quokka zebra llama ostrich")
        index = indexed(tmp_path, [best, session("far", work_summary=("ostrich",))])
        assert found(index, "quokka zebra llama ostrich") == ["best"]


class TestConditions:
    def test_a_phrase_has_its_words_in_a_row(self, tmp_path: Path) -> None:
        index = learnt(
            tmp_path,
            told("row", "then we made it Idempotent per-key, at last"),
            told("apart", "the key was per chance idempotent"),
        )
        assert found(index, '"idempotent per key"') == ["row"]
        assert sorted(found(index, "idempotent per key")) == ["apart", "row"]

    def test_a_word_to_leave_out_may_stand_anywhere(self, tmp_path: Path) -> None:
        index = learnt(
            tmp_path,
            told("said", "about redis", goal="cache"),
            told("written", goal="cache", decisions=("Redis over files",)),
            told("neither", goal="cache"),
        )
        assert found(index, "cache -redis") == ["neither"]
        assert sorted(found(index, 'cache -"redis over"')) == ["neither", "said"]
        assert found(index, "-redis") == ["neither"]

    def test_a_branch_is_a_filter_by_any_part_of_its_name(self, tmp_path: Path) -> None:
        branches = {"login": "feat/Login-form", "qa": "qa", "v2": "release/v2"}
        each = [told(id_, TALK, branch=name) for id_, name in branches.items()]
        index = learnt(tmp_path, *each, told("none", TALK))
        assert found(index, "cache branch:feat/login") == ["login"]
        assert found(index, "cache branch:QA") == ["qa"]
        assert found(index, "branch:v2") == ["v2"]
        assert sorted(found(index, "branch:a")) == ["login", "qa", "v2"]
        assert found(index, "branch:x") == []


class TestWordsThatNobodyWrote:
    @every_row("typed", ["migratoin", "mgration", "migratiom"])
    def test_one_edit_away_another_is_meant(self, tmp_path: Path, typed: str) -> None:
        index = indexed(
            tmp_path, [session("one", goal="The migration of the TEI server")]
        )
        assert found(index, f"tei {typed}") == ["one"]
        query = parse(f"tei {typed}", now=NOW, tools=TOOLS)
        assert index.corrections(query) == {typed: "migration"}

    @every_row("typed", ["cached retry", "trafic", "token_bugdet"])
    def test_other_words_are_taken_as_they_are(
        self, tmp_path: Path, typed: str
    ) -> None:
        goals = "cached traffic", "cache retry", "token_budget"
        sessions = [session(goal, goal=goal) for goal in goals]
        query = parse(typed, now=NOW, tools=TOOLS)
        assert indexed(tmp_path, sessions).corrections(query) == {}


class TestOtherWordings:
    """What an assistant sends along: synonyms, names that the code might use."""

    def hits(self, index: Index, text: str, *also: str) -> list[Hit]:
        query = with_also(parse(text, now=NOW, tools=TOOLS), also)
        return index.search(query, limit=5)

    def test_they_find_what_the_words_of_the_user_do_not(self, tmp_path: Path) -> None:
        index = indexed(tmp_path, [session("prune", goal="Prune stale branches")])
        asked = "throw away old leftovers"
        assert self.hits(index, asked) == []
        [hit] = self.hits(index, asked, "prune stale branches", "garbage collection")
        assert hit.id == "prune"

    def test_they_count_less_than_the_words_of_the_user(self, tmp_path: Path) -> None:
        index = indexed(
            tmp_path,
            [
                session("other", goal="prune branches"),
                session("own", goal="clean leftovers"),
            ],
        )
        found = self.hits(index, "clean leftovers", "prune branches")
        assert [hit.id for hit in found] == ["own", "other"]

    def test_words_that_no_session_has_change_nothing(self, tmp_path: Path) -> None:
        index = indexed(tmp_path, [session("one", goal="clean leftovers")])
        plain = self.hits(index, "clean leftovers")
        assert self.hits(index, "clean leftovers", "quokka zebra") == plain

    def test_weak_match_names_the_words_it_misses(self, tmp_path: Path) -> None:
        crowd = [session(f"s{n}", goal="parser queue") for n in range(50)]
        wanted = session("wanted", work_summary=("prune the leftovers",))
        [hit] = self.hits(
            indexed(tmp_path, [*crowd, wanted]),
            "tidying up throws my leftovers overboard",
            "prune",
        )
        assert hit.match is Match.WEAK
        assert hit.answers == ("leftovers",)
        assert "prune" not in hit.misses


def old_first(numbers: list[int]) -> list[int]:
    return numbers[::-1]


def mixed(numbers: list[int]) -> list[int]:
    return [*numbers[::3], *numbers[1::3], *numbers[2::3]]


@few(1, "build", [mixed, sorted, old_first])
@few(1, "batches", [3, 1, 2, 9])
def test_the_newest_of_many_equal_ones_are_found_in_every_build(
    tmp_path: Path, build: Callable[[list[int]], list[int]], batches: int
) -> None:
    order, index = build([*range(900)]), indexed(tmp_path, ())
    for batch in range(batches):
        some = order[batch * 900 // batches : (batch + 1) * 900 // batches]
        learn(index, f"t{batch}", map(an_equal_one, some))
    newest = [f"s{number:03}" for number in range(5)]
    assert found(index, "quokka zebra") == newest
    assert found(index, "src/loader.py") == newest
    assert found(index, "cursor sessions") == newest


def an_equal_one(number: int) -> Session:
    moment = NOW - timedelta(minutes=number)
    facts: dict[str, Any] = {"started_at": moment, "updated_at": moment}
    goal = "Feed the quokka and the zebra"
    return session(f"s{number:03}", goal=goal, files=["src/loader.py"], **facts)


@every_row("text", ["q", "Q", "7", "é", "q 7", "ا", "の", "ⓠ"])
def test_lone_letters_are_no_strong_match(text: str) -> None:
    with TemporaryDirectory() as folder:
        goals = {"lone": f"point {text} of the plan", "other": "feed the quokka"}
        index = indexed(Path(folder), [session(n, goal=g) for n, g in goals.items()])
        assert all(hit.match is Match.WEAK for hit in hits(index, text))


@every_row("text", ["nothing at all", "none of them", "all"])
def test_grammar_is_no_strong_match(text: str) -> None:
    with TemporaryDirectory() as folder:
        goals = {"vague": f"feed the quokka, and {text} else", "other": "weigh it"}
        index = indexed(Path(folder), [session(n, goal=g) for n, g in goals.items()])
        assert all(hit.match is Match.WEAK for hit in hits(index, text))


@every_row("text", ["猫", "책", "q7", "q quokka"])
def test_a_short_word_may_be_a_strong_match(text: str) -> None:
    with TemporaryDirectory() as folder:
        index = indexed(Path(folder), [session("one", goal=f"feed {text} here")])
        assert [hit.match for hit in hits(index, text)] == [Match.STRONG]


@every_row(
    "asked",
    [
        "Retry the upload after a timeout of the proxy (#412)",
        "retry the upload after timeout of the proxy",
        "fix: Retry the upload after a timeout of the proxy",
        "retrying the uploads after timeouts of the proxy",
        '"Retry the upload after a timeout of the proxy"',
    ],
)
def test_the_subject_of_a_commit_finds_its_session_first(asked: str) -> None:
    words = "retry the upload after a timeout of the proxy"
    lists = Commit(
        "4de33d4", "fix: retry the upload after a timeout of the proxy (#412)"
    )
    others = {"goal": f"{words}, {words}", "decisions": (words, words)}
    facts = {"commits": (Commit("1", "Add a proxy"), lists, Commit("2", "Tidy up"))}
    with TemporaryDirectory() as folder:
        crowd = [session(f"s{n}", **others) for n in range(9)]
        wanted = session("wanted", goal="Work on the network", **facts)
        index = indexed(Path(folder), [*crowd, wanted, session("part", goal="proxy")])
        first = hits(index, asked)[0]
        assert (first.id, first.match) == ("wanted", Match.STRONG)
        assert found(index, asked, 1) == ["wanted"]


def test_a_subject_is_no_filter(tmp_path: Path) -> None:
    subjects = "Show in fix/oom what failed last week", 'Say "not found" at the end'
    listing = [
        session(f"c{n}", goal="Work", commits=(Commit(f"{n}", subject),))
        for n, subject in enumerate(subjects)
    ]
    goal, week = "show what failed, say not found at the end", timedelta(days=4)
    other = session("other", goal=goal, branch="fix/oom", started_at=NOW - week)
    index = indexed(tmp_path, [*listing, other])
    for n, subject in enumerate(subjects):
        assert found(index, subject)[0] == f"c{n}"
    assert "c1" not in found(index, "say not found at the end -end")


def test_a_few_words_are_no_subject(tmp_path: Path) -> None:
    lists = Commit("4de33d4", "Retry the upload after a timeout of the proxy")
    index = indexed(
        tmp_path,
        [
            session("one", goal="Work on the network", commits=(lists,)),
            session("two", goal="upload after a timeout"),
        ],
    )
    assert found(index, "upload after a timeout")[0] == "two"


def test_recency_decides_between_near_equals_alone(tmp_path: Path) -> None:
    old, new = NOW - timedelta(days=300), NOW

    def between(**of_old: Any) -> list[str]:
        sessions = [
            session("old", started_at=old, **of_old),
            session("new", started_at=new, work_summary=("quokka zebra",)),
        ]
        return found(indexed(tmp_path / str(len(of_old)), sessions), "quokka zebra")

    assert between(work_summary=("quokka zebra",)) == ["new", "old"]
    assert between(goal="quokka zebra", branch="main") == ["old", "new"]


WORDS = st.text("abc", max_size=6)


@given(WORDS, WORDS)
def test_one_edit_is_as_all_edits_written_out(one: str, other: str) -> None:
    assert is_one_edit(one, other) == (other in edits(one) - {one})


def edits(word: str) -> set[str]:
    cuts = [(word[:i], word[i:]) for i in range(len(word) + 1)]
    return {
        *(a + b[1:] for a, b in cuts if b),
        *(a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1),
        *(a + c + b[1:] for a, b in cuts if b for c in "abc"),
        *(a + c + b for a, b in cuts for c in "abc"),
    }


def test_the_word_of_most_sessions_is_meant() -> None:
    known = {"cacle": 1, "cache": 7, "caches": 9, "cabhe": 7}
    assert meant("cacje", known.items()) == "cache"
    assert meant("cabje", known.items()) == "cabhe"
    assert meant("queue", known.items()) is None
