"""Why a session was found: matched fields, and a snippet that is worth reading."""

import time
import unicodedata
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from search.builders import NOW, TOOLS, session
from support.rounds import every_row, few

from gitmem.documents.session.index import entry
from gitmem.documents.session.session import GoalSource, PlanFile, Reference, Session
from gitmem.git.values import Commit
from gitmem.search.documents import Hit, hit_on
from gitmem.search.matching import QueryWords
from gitmem.search.queries.query import parse
from gitmem.search.reasons import LENGTH, Reasons, reasons

FILLER = "and then we went on with other things of no interest " * 8


def hit_of(found: Session, said: str = "") -> Hit:
    return replace(hit_on(entry(found), 0.5), speech=said)


def why(
    text: str, *, said: str = "", corrected: dict[str, str] | None = None, **facts: Any
) -> Reasons:
    query, found = parse(text, now=NOW, tools=TOOLS), session("one", **facts)
    asked = QueryWords(query.words, corrected or {})
    return reasons(entry(found), hit_of(found, said), query, asked)


def shown(text: str, **given: Any) -> str:
    snippet = why(text, **given).snippet
    return snippet.text if snippet else ""


def marked(text: str, **given: Any) -> list[str]:
    snippet = why(text, **given).snippet
    assert snippet
    return [snippet.text[start:end] for start, end in snippet.marks]


@every_row(
    ("field", "facts"),
    [
        ("goal", {"goal": "a quokka"}),
        ("prompts", {"prompts": ("a quokka",)}),
        ("decisions", {"decisions": ("a quokka",)}),
        ("tried", {"tried": ("a quokka",)}),
        ("questions", {"questions": ("a quokka",)}),
        ("completed", {"work_completed": ("a quokka",)}),
        ("pending", {"work_pending": ("a quokka",)}),
        ("work", {"work_summary": ("a quokka",)}),
        ("work", {"answers": ("a quokka",)}),
        ("work", {"diff_summary": "a quokka"}),
        ("files", {"files": ["src/quokka.py"]}),
        ("branch", {"branch": "fix/quokka"}),
        ("commits", {"commits": (Commit("a" * 12, "quokka: fed"),)}),
        ("plans", {"plan_files": (PlanFile("a.md", "# Quokka"),)}),
        ("references", {"references": (Reference("https://quokka.org", "x"),)}),
        ("notes", {"extra_body": "## Mine\n\nquokka"}),
        ("conversation", {"said": "the quokka sleeps"}),
    ],
)
def test_each_field_with_a_word_is_named(field: str, facts: dict[str, Any]) -> None:
    assert why("quokka", **facts).matched == (field,)
    assert why("giraffe", **facts).matched == ()


def test_the_field_with_most_words_is_named_first() -> None:
    matched = why(
        "retry upload backoff",
        goal="Rework the upload",
        decisions=("Retry an upload with backoff",),
        work_summary=("retry",),
    ).matched
    assert matched == ("decisions", "goal", "work")


def test_a_derived_goal_tells_less_than_what_was_done() -> None:
    facts: dict[str, Any] = {"goal": "quokka", "work_completed": ("quokka",)}
    assert why("quokka", **facts).matched == ("goal", "completed")
    facts["goal_source"] = GoalSource.DERIVED
    assert why("quokka", **facts).matched == ("completed", "goal")


def test_words_match_as_they_do_in_the_index() -> None:
    assert why("retrying uploads", goal="Retried the upload").matched == ("goal",)
    assert why("token budget", goal="set tokenBudget").matched == ("goal",)
    assert why("tokenBudget", goal="the budget").matched == ("goal",)
    assert why("migrat", goal="the migration").matched == ("goal",)
    assert why("café", goal="the CAFE").matched == ("goal",)
    assert why("検索", goal="全文検索の改善").matched == ("goal",)
    assert why("cat", goal="category").matched == ()


def test_what_was_meant_counts_in_place_of_what_was_typed() -> None:
    assert why("quoka", goal="a quokka", corrected={"quoka": "quokka"}).matched == (
        "goal",
    )
    assert why("quoka", goal="a quokka").matched == ()


def test_filters_name_the_field_that_fulfils_them() -> None:
    facts: dict[str, Any] = {
        "branch": "feat/login",
        "files": ["web/gpt2.py"],
        "commits": (Commit("a1b2c3d4e5f6", "x"),),
    }
    assert why("branch:login", **facts).matched == ("branch",)
    assert why("a1b2c3d", **facts).matched == ("commits",)
    assert why("pt2.py", **facts).matched == ("files",)


def test_a_snippet_is_the_item_that_answers_most() -> None:
    assert (
        shown(
            "idempotency key retry",
            goal="Stop the double charge",
            work_completed=("Made the retry safe against timeouts",),
            decisions=("**Idempotency key:** every retry sends the same one",),
        )
        == "Idempotency key: every retry sends the same one"
    )


def test_a_snippet_is_where_the_words_stand_close_together() -> None:
    said = f"Upload is broken. {FILLER}. The upload retry waits too long. {FILLER}"
    text = shown("upload retry", said=said)
    assert text.startswith("The upload retry waits too long. and then")
    assert text.endswith("…")
    assert len(text) <= LENGTH + 1


def test_a_snippet_is_cut_between_words() -> None:
    said = f"{FILLER}quokka {FILLER}"
    text = shown("quokka", said=said)
    assert text.startswith("…")
    assert text.endswith("…")
    assert f" {text.strip('…')} " in said


def test_the_words_of_the_query_are_marked_in_it() -> None:
    said = "We retried uploads, since an upload may fail. 再試行する検索"
    assert marked("retry upload", said=said) == ["retried", "uploads", "upload"]
    assert marked("検索", said=said) == ["検索"]
    assert marked("再試行", said=said) == ["再試行"]


def test_prose_comes_before_a_list_of_paths() -> None:
    paths = " ".join(f"src/upload/retry/part{n}.py" for n in range(30))
    said = f"{paths} I looked at all of these because the upload was slow to begin."
    assert "the upload was slow" in shown("upload retry part7", said=said)


def test_the_goal_is_not_said_twice() -> None:
    goal = "Stop the double charge of customers when the provider times out"
    assert shown("double charge", goal=goal, prompts=(goal,)) == ""
    assert shown("double charge", goal=goal, prompts=(f"{goal[:40]}…",)) == ""
    assert shown("double charge", goal=goal, said=f"{goal} Sure.") == ""
    more = "The charge is sent again by a second worker."
    assert shown("double charge", goal=goal, said=f"{goal} {more}") == more


def test_a_goal_of_a_word_takes_nothing_out_of_what_is_said() -> None:
    decision = "use auth with short tokens"
    assert shown("auth tokens", goal="auth", decisions=(decision,)) == decision
    done = "reauthentication of the gateway"
    assert shown("reauthentication", goal="auth", work_completed=(done,)) == done
    goal = "Rework the upload client"
    later = "Rework the upload clients of the others, too"
    assert shown("upload", goal=goal, decisions=(later,)) == later


def test_a_short_decision_is_worth_reading() -> None:
    assert shown("wal", goal="Locks", decisions=("Use WAL mode",)) == "Use WAL mode"
    assert shown("wal", goal="Use WAL mode", decisions=("Use WAL mode",)) == ""


def test_a_file_is_named_where_nothing_else_answers() -> None:
    files = ["a.py", "b.py", "c.py", "src/upload/quokka_client.py"]
    assert shown("quokka", files=files) == "src/upload/quokka_client.py"
    assert shown("quokka", files=files[3:]) == ""
    assert shown("quokka", goal="quokka") == ""


HOSTILE = [
    "x" * 500_000 + " quokka " + "y" * 500_000,
    "quokka " * 100_000,
    "** quokka" * 50_000,
    "quokka \x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b5A \x08 here it is",
    "the quo\u200bkka and \u202emoc\u2066 quokka with \u200d\ufeff nothing",
    "qu\ud800okka quokka of half a pair, and more",
    "検索" * 100_000 + " quokka",
    "quokka\n\n\t\r\n  \u2028 in \u3000 lines",
]


@few(2, "text", HOSTILE, ids=lambda text: ascii(text[:12]))
@few(1, "place", ["said", "extra_body", "goal"])
def test_snippets_are_short_quick_and_readable(text: str, place: str) -> None:
    facts: dict[str, Any] = {place: text}
    began = time.process_time()
    found = why("quokka 検索 here", decisions=(text,), files=(text,), **facts)
    assert time.process_time() - began < 3
    if found.snippet:
        assert_readable(found.snippet.text)


@given(st.text(max_size=400), st.text(max_size=400), st.text(max_size=30))
def test_snippet_is_one_short_line(said: str, decision: str, text: str) -> None:
    found = why(f"{text} {decision[:20]}", said=said or "x", decisions=(decision,))
    if found.snippet:
        assert_readable(found.snippet.text)
        at = 0
        for start, end in found.snippet.marks:
            assert at <= start < end <= len(found.snippet.text)
            at = end


def assert_readable(text: str) -> None:
    assert 0 < len(text) <= LENGTH + 2
    assert text == " ".join(text.split())
    assert not any(unicodedata.category(c).startswith("C") for c in text)


@every_row(
    ("text", "word", "query"),
    [
        ("إصلاح مشكلة الدَّفع المكرَّر", "الدَّفع", "الدفع"),
        ("תיקון דָּבָר חשוב מאוד", "דָּבָר", "דבר"),
        ("Sửa lỗi đường dẫn tệp", "đường", "duong"),
        ("यह ज़रूरत बहुत बड़ी है", "ज़रूरत", "जरूरत"),
    ],
)
def test_a_word_is_marked_with_its_marks(text: str, word: str, query: str) -> None:
    assert marked(query, decisions=(text,)) == [unicodedata.normalize("NFC", word)]
