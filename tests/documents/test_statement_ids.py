"""What a conversation was told, and whether that is what is known now."""

import json

from support.events import event

from gitmem.actions.remembering.statement import in_one_line
from gitmem.documents.event import RECALLED_LIMIT, Compaction, Occasion, Recalled
from gitmem.documents.event_log import from_json, to_json
from gitmem.documents.statement_ids import ids_in, statement_id, words_in_context

MEMORY, DECISION = "m-0123456789ab", "2026-11-01_10-00_claude-code_cache#d1"


def test_a_line_has_the_id_of_its_statement_however_long_it_is() -> None:
    for text in ("Use tabs (not spaces): always", "x " * 300, "a\nb", "()", "日本語"):
        for reference in (MEMORY, DECISION):
            line = in_one_line("constraint", text, reference)
            assert ids_in(f"- {line}") == (statement_id(reference, text),)


def test_a_brief_tells_statements_in_rows() -> None:
    rows = [
        f"- {MEMORY} constraint: Use tabs Why: we do",
        f"- {DECISION[:-3]} (2 to do): asked: Cache",
        "  decision: Cache trees",
    ]
    told = ids_in("\n".join(["Earlier: so", "````text", *rows, "````"]))
    assert told[0] == statement_id(MEMORY, "Use tabs")
    assert told[2] == statement_id("", "Cache trees")


def test_a_row_with_a_day_tells_the_same_and_one_cut_short_nothing() -> None:
    mark = "(2026-11-01, past where newer ones differ)"
    assert ids_in(f"  decision: {mark} Cache trees") == ids_in(
        "  decision: Cache trees"
    )
    assert ids_in(f"  decision: {'word ' * 20}…") == ()
    assert len(ids_in(f"  decision: {'word ' * 40}…")) == 1


def test_other_words_have_another_id() -> None:
    assert statement_id(MEMORY, "Use tabs") != statement_id(MEMORY, "Use spaces")
    assert statement_id(MEMORY, "Use tabs") == statement_id(MEMORY, "use  `tabs`.")


def test_a_context_has_what_it_was_told_since_it_was_shortened() -> None:
    events = [
        event(Recalled, ids=("m@a",)),
        event(Compaction),
        event(Recalled, ids=("m@b", "@c")),
        event(Recalled, ids=("m@d",), subagent="s"),
    ]
    assert words_in_context(reversed(events)) == {"b", "c"}
    assert words_in_context(reversed(events), "s") == {"d"}


def test_what_was_told_is_read_from_a_journal_of_any_version() -> None:
    noted = event(Recalled, where=Occasion.READ, path="a.py", ids=("m@1",), tokens=9)
    assert from_json(to_json(noted)) == noted
    data = json.loads(to_json(noted))
    earlier = {k: v for k, v in data.items() if k not in ("ids", "tokens", "where")}
    known = from_json(json.dumps(earlier))
    assert known == event(Recalled, path="a.py")
    for broken in ({"where": "moon"}, {"ids": "m@1"}, {"ids": [1]}, {"tokens": "9"}):
        assert from_json(json.dumps({**data, **broken})) is None


def test_an_event_is_bounded() -> None:
    many = event(Recalled, ids=tuple(map(str, range(1000))))
    assert len(many.ids) == RECALLED_LIMIT
