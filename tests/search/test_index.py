from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from search.builders import NOW, changed, found, hits, indexed, learn, session
from support.rounds import every_row, few

from gitmem.documents.changes import Changed, Changes
from gitmem.documents.session.session import Session, Status
from gitmem.git.values import Change, Commit, FileChange
from gitmem.search import documents, ranking
from gitmem.search import index_writer as module
from gitmem.search.folder import in_memory
from gitmem.search.index import Extent, Hit, Index
from gitmem.search.queries.query import of_words


def test_a_hit_says_what_the_session_is(tmp_path: Path) -> None:
    started = datetime(2026, 2, 23, 14, 32, tzinfo=timezone(timedelta(hours=5)))
    files = ["a.py", "b.py", "c.py", "d.py"]
    wanted = session(
        "one", goal="Quokka\ngoal", started_at=started, files=files, status=Status.OPEN
    )
    (hit,) = hits(indexed(tmp_path, [wanted]), "quokka goal")
    assert hit == Hit(
        kind="session",
        id="one",
        public_id="one",
        score=hit.score,
        title="Quokka\ngoal",
        at=started,
        until=started,
        tool="cursor",
        status="open",
        project="inference",
        paths=("a.py", "b.py", "c.py"),
    )
    assert hit.at.utcoffset() == timedelta(hours=5)


def test_the_nearest_have_most_of_the_stems(tmp_path: Path) -> None:
    told = [session("one", goal="quokka cache"), session("two", goal="quokka")]
    index = indexed(tmp_path, [*told, session("three", goal="wombat cache")])
    query = of_words("", "session", ())
    near = [hit.id for hit in index.nearest(query, ["quokka", "cach"], limit=3)]
    assert (near[0], {*near}) == ("one", {"one", "two", "three"})
    assert len(index.nearest(query, ["quokka", "cach"], limit=1)) == 1
    assert index.nearest(of_words("", "memory", ()), ["quokka"], limit=3) == []
    assert index.nearest(query, [], limit=3) == []


class TestCatchingUp:
    def test_the_changes_since_its_own_tip_are_asked_for_once(
        self, tmp_path: Path
    ) -> None:
        index = indexed(tmp_path, [session("one")], tip="t1")
        second = Index.open(tmp_path / "index", tmp_path / "lock")
        asked: list[str | None] = []

        def changes(since: str | None) -> Changes:
            asked.append(since)
            return Changes(since, "t2", 1, [changed(session("two", goal="quokka"))])

        for each in (index, second):  # the first process has done it
            each.catch_up("t2", changes)
            assert (each.tip, found(each, "quokka")) == ("t2", ["two"])
        assert asked == ["t1"]

    def test_cut_off_goes_on_from_a_named_state(self, tmp_path: Path) -> None:
        told = [changed(session(each, goal="quokka")) for each in ("c", "b", "a")]
        asked: list[str | None] = []

        def changes(since: str | None) -> Changes:
            asked.append(since)
            rest = told[2:] if since else told[:2]
            total = 1 if since else 3
            return Changes(since, "t1", total, rest, lambda one: f"t1 from {one}")

        index = Index.open(tmp_path / "index", tmp_path / "lock")
        index.catch_up("t1", changes)
        assert (index.tip, index.unlearned, index.extent) == (
            "t1 from b",
            1,
            Extent(2, 3),
        )
        index.catch_up("t1", changes)
        assert (index.tip, index.unlearned, index.extent) == ("t1", 0, None)
        assert asked == [None, "t1 from b"]
        assert sorted(found(index, "quokka")) == ["a", "b", "c"]

    def test_what_has_no_name_yet_is_not_learned(self, tmp_path: Path) -> None:
        index = indexed(tmp_path, [session("one", goal="quokka")], tip="t1")
        news = [changed(session("two", goal="quokka"))]
        index.catch_up("t2", lambda since: Changes(since, "t2", 2, news))
        assert (index.tip, found(index, "quokka")) == ("t1", ["one"])

    def test_sessions_are_added_replaced_and_removed(self, tmp_path: Path) -> None:
        index = indexed(
            tmp_path, [session("one", goal="quokka"), session("two", goal="quokka")]
        )
        learn(index, "t2", [session("one", goal="zebra"), "two", session("three")])
        assert found(index, "quokka") == []
        assert found(index, "zebra") == ["one"]

    def test_without_common_ground_all_is_void(self, tmp_path: Path) -> None:
        index = indexed(tmp_path, [session("one", goal="quokka")])
        other = session("other", goal="quokka zebra")
        index.catch_up("t2", lambda _: Changes(None, "t2", 1, [changed(other)]))
        assert found(index, "quokka") == ["other"]
        assert index.tip == "t2"

    def test_failure_leaves_the_index_as_it_was(self, tmp_path: Path) -> None:
        index = indexed(tmp_path, [session("one", goal="quokka")], tip="t1")

        def broken(since: str | None) -> Changes:
            def sessions() -> Iterator[Changed]:
                yield changed(session("two", goal="quokka"))
                raise KeyError("blob")

            return Changes(since, "t2", 2, sessions())

        with pytest.raises(KeyError):
            index.catch_up("t2", broken)
        assert index.tip == "t1"
        assert found(index, "quokka") == ["one"]
        learn(index, "t2", [session("two", goal="quokka")])
        assert found(index, "quokka") == ["one", "two"]

    def test_progress_is_told_when_it_takes_long(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told: list[tuple[int, int]] = []
        sessions = [session(f"s{n}") for n in range(3)]

        def changes(since: str | None) -> Changes:
            return Changes(since, "t", 3, [*map(changed, sessions)])

        def progress(done: int, total: int) -> None:
            told.append((done, total))

        quick = Index.open(tmp_path / "quick", tmp_path / "lock")
        quick.catch_up("t", changes, progress)
        assert told == []
        monkeypatch.setattr(module, "SILENCE", 0.0)
        monkeypatch.setattr(module, "REPORT_EVERY", 0.0)
        slow = Index.open(tmp_path / "slow", tmp_path / "lock")
        slow.catch_up("t", changes, progress)
        assert told == [(1, 3), (2, 3), (3, 3)]


class TestFilters:
    @pytest.fixture
    def index(self, tmp_path: Path) -> Index:
        return indexed(
            tmp_path,
            [
                session("now", goal="quokka"),
                session(
                    "claude",
                    goal="quokka",
                    tool="claude-code",
                    started_at=NOW - timedelta(days=1),
                ),
                session("old", goal="quokka", started_at=NOW - timedelta(days=60)),
            ],
        )

    @every_row(
        ("query", "expected"),
        [
            ("quokka last week", ["now", "claude"]),
            ("quokka before march 15", ["old"]),
            ("quokka today", ["now"]),
            ("quokka in cursor", ["now", "old"]),
            ("last week", ["now", "claude"]),
            ("claude code session yesterday", ["claude"]),
            ("what did we do in january", ["old"]),
        ],
    )
    def test_they_decide_who_may_be_found(
        self, index: Index, query: str, expected: list[str]
    ) -> None:
        assert found(index, query) == expected

    def test_a_period_ends_before_its_end(self, tmp_path: Path) -> None:
        midnight = datetime(2026, 3, 20, tzinfo=UTC)
        index = indexed(
            tmp_path,
            [
                session("first", started_at=midnight),
                session("last", started_at=midnight - timedelta(seconds=1)),
            ],
        )
        assert found(index, "yesterday") == ["last"]
        assert found(index, "today") == ["first"]

    def test_a_session_is_of_every_day_from_its_beginning_to_its_last_work(
        self, tmp_path: Path
    ) -> None:
        begun, worked_on = NOW - timedelta(days=8), NOW - timedelta(days=1)
        days = session("days", goal="walrus", started_at=begun, updated_at=worked_on)
        index = indexed(tmp_path, [days])
        for query in ("walrus yesterday", "8 days ago", "3 days ago", "last 2 days"):
            assert found(index, query) == ["days"]
        for query in ("walrus today", "9 days ago"):
            assert found(index, query) == []

    def test_alone_they_list_the_newest_with_the_full_score(self, index: Index) -> None:
        (hit,) = hits(index, "since 2020-01-01", limit=1)
        assert (hit.id, hit.score) == ("now", 1.0)


OLD = "2026-03-20_15-00_cursor_old"


class TestNames:
    def test_a_session_is_looked_up_by_any_of_its_names(self, tmp_path: Path) -> None:
        wanted = session("new-slug", former_ids=(OLD,), client_session_id="uuid-1")
        twin = session("twin", client_session_id="uuid-1")
        index = indexed(tmp_path, [wanted, twin])
        assert index.lookup("new-slug") == ["new-slug"]
        assert index.lookup(OLD) == ["new-slug"]
        assert index.lookup("uuid-1") == ["new-slug", "twin"]
        assert index.lookup("new") == index.lookup("") == index.lookup("\udcff") == []

    def test_the_tip_is_no_session(self, tmp_path: Path) -> None:
        index = indexed(tmp_path, [session("one")], tip="t1")
        assert index.lookup("tip") == index.lookup("t1") == []
        assert found(index, "tip") == found(index, "t1") == []
        assert found(index, "since 2000-01-01") == ["one"]

    def test_an_id_finds_its_session_first(self, tmp_path: Path) -> None:
        id_ = "2026-02-23_14-32_cursor_tei-migration"
        index = indexed(tmp_path, [session(id_), session("x", goal=id_)])
        assert found(index, f" {id_}\n")[0] == id_


class TestCommits:
    def test_sessions_are_found_by_the_commits_they_list(self, tmp_path: Path) -> None:
        index = indexed(
            tmp_path,
            [
                session("one", commits=(Commit("a" * 12, "s"), Commit("b" * 12, "s"))),
                session("two", commits=(Commit("b" * 40, "s"),)),
                session("none", goal="a" * 12),
            ],
        )
        assert index.ids_with_commits(["a" * 40]) == ["one"]
        assert sorted(index.ids_with_commits(["b" * 40, "c" * 40])) == ["one", "two"]
        assert index.ids_with_commits(["c" * 40]) == index.ids_with_commits([]) == []
        assert index.ids_with_commits(["", "s", "\udcff", "a" * 11, "tip"]) == []

    def test_rewritten_commit_has_its_present_name(self, tmp_path: Path) -> None:
        before = session("one", commits=(Commit("a" * 12, "s"),))
        index = indexed(tmp_path, [before], "t1")
        learn(index, "t2", [replace(before, commits=(Commit("b" * 12, "s"),))])
        assert index.ids_with_commits(["a" * 40]) == []
        assert index.ids_with_commits(["b" * 40]) == ["one"]

    @every_row("query", ["1abc234", "1ABC2345", "who made 1abc2345def6?"])
    def test_prefix_of_a_commit_finds_it(self, tmp_path: Path, query: str) -> None:
        commits = (Commit("1abc2345def6", "s"),), (Commit("1abc9999def6", "s"),)
        made = [session(f"s{n}", commits=each) for n, each in enumerate(commits)]
        assert found(indexed(tmp_path, made), query) == ["s0"]


class TestLimits:
    def test_no_more_than_asked_for(self, tmp_path: Path) -> None:
        index = indexed(tmp_path, [session(f"s{n}", goal="quokka") for n in range(9)])
        assert len(hits(index, "quokka", 4)) == 4
        assert len(hits(index, "today", 4)) == 4
        assert hits(index, "quokka", 0) == hits(index, "today", 0) == []

    @few(
        5,
        "query",
        [
            '"a AND (b',
            "-x +y ~z^2",
            "error: foo",
            "x" * 10_000,
            "quokka " * 2_000,
            " ".join(f"word{n}/a.py" for n in range(1_000)),
            "東京" * 3_000,
            "a\0b",
            "\ud800 \udfff/x.py",
            "[[[(((" * 500,
        ],
    )
    def test_every_query_has_an_answer(self, tmp_path: Path, query: str) -> None:
        index = indexed(tmp_path, [session("one", goal="quokka", files=["a.py"])])
        assert set(found(index, query)) <= {"one"}

    def test_of_a_huge_session_a_part_is_searched(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for each in (documents, ranking):
            monkeypatch.setattr(each, "MOST", 1000)
        text = "word " * 200
        huge = session("huge", goal="quokka", work_summary=(f"{text} zebra",))
        index = indexed(tmp_path, [huge])
        assert (found(index, "quokka"), found(index, "zebra")) == (["huge"], [])

    @given(text=st.text(), query=st.text())
    def test_any_text_may_be_in_a_session_and_in_a_query(
        self, tmp_path: Path, text: str, query: str
    ) -> None:
        hostile = Session(
            id=text or "x",
            tool=text,
            project=text,
            client_session_id=text,
            started_at=NOW,
            updated_at=NOW,
            goal=text,
            files=(FileChange(text, Change.CREATED),),
            branch=text,
            decisions=(text,),
            commits=(Commit(text, text),),
        )
        index = Index(in_memory(), None, tmp_path / "lock")
        learn(index, "t", [hostile])
        assert len(hits(index, query)) <= 1
        assert found(index, "today") == [hostile.id]
