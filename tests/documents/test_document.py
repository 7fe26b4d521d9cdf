"""A document is the session: written, read, edited by people, shown by viewers."""

import re
import time
from collections.abc import Iterator
from dataclasses import fields, replace
from datetime import timedelta
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from support.harness import NOON
from support.rounds import every_row, rounds
from support.strategies import NASTY, SESSION_ID, checkpoints, session, sessions, texts

from gitmem.documents.session.checkpoint import Checkpoint, apply
from gitmem.documents.session.fields import APPENDED
from gitmem.documents.session.parsing import parse
from gitmem.documents.session.rendering import render
from gitmem.documents.session.session import (
    PROMPTS_LIMIT,
    PlanFile,
    Reference,
    Session,
    without_items,
)
from gitmem.documents.session.statement_times import text_digest
from gitmem.documents.session.statements import Statement, statements
from gitmem.git.values import Change, Commit, CommitPatch, FileChange

FULL = session(
    branch="main",
    git_sha_start="a3f1c99",
    git_sha_end="1234567",
    goal="Migrate the endpoint to TEI for 40% lower latency.",
    work_completed=("Replaced the client", "Wrote the manifest"),
    work_pending=("Tune the batch size",),
    files=(
        FileChange("k8s/tei.yaml", Change.CREATED),
        FileChange("src/embedding_server.py", Change.MODIFIED),
        FileChange("src/old.py", Change.DELETED),
    ),
    prompts=("make it faster", "now write the manifest"),
    diff_summary="3 files changed, 187 insertions(+), 43 deletions(-)",
    work_summary=("Profiled the old path",),
    plan_files=(PlanFile("docs/plan.md", "## Migration Plan"),),
    decisions=("**TEI over Infinity:** native support. [Docs](https://a.b/c)",),
    tried=("Two workers: they share the memory", "gRPC: no gain"),
    constraints=("The response format stays",),
    blockers=("No GPU until Thursday",),
    questions=("Does the canary need its own pool?",),
    references=(Reference("https://a.b/c?x=1&y=2", "TEI docs"),),
    commits=(Commit("d8e2f04", "serve: answer from TEI"),),
)


@given(sessions())
def test_reading_gives_back_every_session_that_was_written(written: Session) -> None:
    assert parse(written.id, render(written)) == written


@every_row("text", [*NASTY, "", "a\n\n\nb", "\n\n", " a ", "x" * 100_000])
def test_every_hostile_text_survives_in_every_place(text: str) -> None:
    written = session(
        goal=text,
        prompts=("before", text),
        diff_summary=text,
        last_answer=text,
        client_summary=text,
        changed_meanwhile=(text, "after"),
        work_completed=(text, "after"),
        work_pending=("before", text),
        decisions=(text,),
        tried=("before", text),
        constraints=(text,),
        blockers=(text, "after"),
        questions=(text,),
        files=(FileChange(f"{text}.py", Change.CREATED),),
        plan_files=(PlanFile(f"{text}.md", text),),
        references=(Reference(f"https://a/{text}", text),),
        commits=(Commit("abcdef0", text),),
    )
    assert parse(written.id, render(written)) == written


def test_a_patch_is_read_only_as_it_is_written() -> None:
    blob = "0b4c6d8e2f1a"
    lines = (f"`d8e2f04` - {blob}", f"`d8e2f04` {blob} {blob} {blob}:3-17,20-20")
    others = (f"`d8e2f04` {blob} x", f"`d8e2f04` {blob}1", f"d8e2f04 {blob}")
    items = "".join(f"- {line}\n" for line in (*lines, *others))
    read = parse(SESSION_ID, f"## Patches\n\n{items}")
    assert read.patches == (
        CommitPatch("d8e2f04", "", (blob,)),
        CommitPatch("d8e2f04", blob, (blob, f"{blob}:3-17,20-20")),
    )
    assert all(f"- {line}\n" in render(read) for line in (*lines, *others))


@settings(max_examples=rounds(18))
@given(texts(), texts())
@example("## Goal\nmine", "---\n")
@example("\t---", "")
@example("\t", "")
@example("\x85", "")
@example("\n\t", "")
@example(" \n  a: b", "")
@example("  x: y\nbranch: main\n  z", "")
@example("```\n## Goal", "")
@example("", "## \n\nx")
@example("branch: ''\ngoal_source: derived", "")
@example("", "## Files Touched\n\n### Modified\n\n- b\n- a\n\n### Created\n\n- b")
@example("", "## Work Done\n\n- a\n- a")
def test_any_text_can_be_read_and_settles_at_once(head: str, body: str) -> None:
    first = parse(SESSION_ID, f"---\n{head}\n---\n{body}")
    assert parse(SESSION_ID, render(first)) == first


def test_the_document_reads_as_a_person_expects() -> None:
    assert render(FULL) == (
        """---
format: gitmem/2
session_id: 2026-02-23_14-32_cursor_tei-migration
tool: cursor
project: inference
client_session_id: c-1
branch: main
status: open
trigger: manual
started_at: 2026-02-23T12:00:00+00:00
updated_at: 2026-02-23T12:00:00+00:00
git_sha_start: a3f1c99
git_sha_end: "1234567"
goal_source: written
---

## Goal

Migrate the endpoint to TEI for 40% lower latency.

## Prompts

- make it faster
- now write the manifest

## Todos

### ✅ Work Completed

- Replaced the client
- Wrote the manifest

### 🔲 Work To Be Completed

- Tune the batch size

## Files Touched

### Created

- `k8s/tei.yaml`

### Modified

- `src/embedding_server.py`

### Deleted

- `src/old.py`

## Git Diff Summary

3 files changed, 187 insertions(+), 43 deletions(-)

## Work Done

- Profiled the old path

## Plan Files

| File | Description |
|------|-------------|
| `docs/plan.md` | ## Migration Plan |

## Architecture Decisions

- **TEI over Infinity:** native support. [Docs](https://a.b/c)

## Tried And Given Up

- Two workers: they share the memory
- gRPC: no gain

## Constraints

- The response format stays

## Blockers

- No GPU until Thursday

## Open Questions

- Does the canary need its own pool?

## References

- [TEI docs](https://a.b/c?x=1&y=2)

## Commits

- `d8e2f04` serve: answer from TEI
"""
    )


def test_added_text_survives_a_checkpoint() -> None:
    edited = render(FULL).replace(
        "goal_source: written\n",
        "goal_source: written\nreviewer: Ana   # asked on Monday\ntags:\n  - perf\n",
    )
    added = "## Questions\n\nWhy *not* gRPC?\n\n```sh\n## Goal\n```\n\n- [ ] ask Ben\n"
    edited += "\n" + added
    read = parse(FULL.id, edited)
    later = render(replace(read, work_pending=("Something else",)))
    assert "reviewer: Ana   # asked on Monday\ntags:\n  - perf\n" in later
    assert later.endswith(added)
    assert read.goal == FULL.goal


def test_sections_that_an_older_gitmem_moved_to_the_end_are_read() -> None:
    """It takes those that it does not know for a person's own."""
    before, new, after = re.split(r"(?s)(## Tried.*?)(?=## Ref)", render(FULL))
    assert parse(FULL.id, f"{before}{after}\n{new}") == FULL


@every_row(
    "added",
    ["# A title\n\nAbove all.", "A line between the lists.", "### My own\n\n- item"],
)
def test_text_without_a_place_is_kept_as_notes(added: str) -> None:
    edited = render(FULL).replace("## Todos\n", f"## Todos\n\n{added}\n")
    read = parse(FULL.id, edited)
    assert replace(read, extra_body="") == FULL
    assert read.extra_body == f"## Notes\n\n{added}"


def test_a_paragraph_below_a_list_is_no_part_of_its_last_item() -> None:
    edited = render(FULL).replace(
        "- Profiled the old path\n",
        "- Profiled the old path\n\nAna doubts it.\n\n### Mine\n",
    )
    read = parse(FULL.id, edited)
    assert read.work_summary == ("Profiled the old path",)
    assert read.extra_body == "## Notes\n\nAna doubts it.\n\n### Mine"


def test_other_line_ends_are_the_same_document() -> None:
    assert parse(FULL.id, "\ufeff" + render(FULL).replace("\n", "\r\n")) == FULL


def test_file_name_wins_over_the_header_id() -> None:
    forged = render(FULL).replace(FULL.id, "2026-01-01_00-00_cursor_other")
    assert parse(FULL.id, forged).id == FULL.id


def viewer(text: str) -> list[Token]:
    """What a viewer shows, raw HTML enabled, tables on."""
    body = text.split("\n---\n", 1)[1]
    return MarkdownIt("commonmark", {"html": True}).enable("table").parse(body)


def flat(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from flat(token.children or [])


@settings(max_examples=rounds(18))
@given(texts(), texts())
@example("`<script>`", "`<b>` and `")
def test_viewer_shows_no_html_of_a_text(one: str, other: str) -> None:
    shown = viewer(
        render(
            session(
                goal=one or "g",
                diff_summary=other or "d",
                work_completed=(one, other),
                decisions=(other, one),
                plan_files=(PlanFile(one or "p", other),),
                references=(Reference(one or "u", other),),
                files=(FileChange(one or "f", Change.CREATED),),
                commits=(Commit("abcdef0", other),),
            )
        )
    )
    assert not [token for token in flat(shown) if token.type.startswith("html_")]
    headings = [
        shown[index + 1].content
        for index, token in enumerate(shown)
        if token.type == "heading_open" and token.level == 0
    ]
    assert headings == [
        "Goal",
        "Todos",
        "✅ Work Completed",
        "Files Touched",
        "Created",
        "Git Diff Summary",
        "Plan Files",
        "Architecture Decisions",
        "References",
        "Commits",
    ]


def test_viewer_shows_generics_as_written() -> None:
    text = "Use `Vec<String>` or Vec<String>, a < b, a&b, &amp; done"
    inlines = [t for t in viewer(render(session(decisions=(text,)))) if t.children]
    shown = "".join(child.content for child in inlines[-1].children or [])
    assert shown == "Use Vec<String> or Vec<String>, a < b, a&b, & done"


@settings(max_examples=rounds(5))
@given(sessions(), checkpoints())
def test_work_never_vanishes_or_doubles(before: Session, checkpoint: Any) -> None:
    after = apply(before, checkpoint)
    for name in ("work_completed", "work_summary", "decisions", "plan_files"):
        old, new = getattr(before, name), getattr(after, name)
        assert new[: len(old)] == old
        assert len(set(new)) == len(new)
        assert set(getattr(checkpoint, name)) <= set(new)
    assert apply(after, checkpoint) == after
    is_silent = after == before or checkpoint.rewritten
    assert after.updated_at == max(before.updated_at, checkpoint.at) or is_silent
    assert parse(after.id, render(after)) == after


MANY = st.lists(st.integers(0, 40).map(str), max_size=30).map(tuple)


@given(MANY, MANY, MANY)
def test_the_first_prompts_stay_however_they_came(
    one: tuple[str, ...], two: tuple[str, ...], three: tuple[str, ...]
) -> None:
    def after(before: Session, asked: tuple[str, ...]) -> Session:
        return apply(before, Checkpoint(at=NOON, prompts=asked))

    in_turn = after(after(after(session(), one), two), three)
    later_ones = after(after(session(), two), three).prompts
    assert after(after(session(), one), later_ones).prompts == in_turn.prompts


def test_prompts_are_bounded_but_for_added_ones() -> None:
    asked = tuple(f"prompt {number}" for number in range(PROMPTS_LIMIT + 5))
    made = Checkpoint(at=NOON, prompts=asked)
    assert apply(session(), made).prompts == asked[:PROMPTS_LIMIT]
    edited = session(prompts=tuple(f"by hand {n}" for n in range(PROMPTS_LIMIT + 1)))
    assert apply(edited, made).prompts == edited.prompts


def test_every_field_of_a_session_is_in_its_document() -> None:
    unset_lists: dict[str, Any] = {
        name: ("a",) for name in APPENDED if not getattr(FULL, name)
    }
    unset_lists["patches"] = (CommitPatch("ab12", "0b4c6d8e2f1a"),)
    full = replace(
        FULL,
        ended_at=NOON,
        author="Ada <ada@example.com>",
        parent="0a1b2c3d",
        program="sdk-cli",
        other_repositories=2,
        former_ids=("2026-02-23_14-32_cursor_0a1b2c3d",),
        former_commits=("ab12",),
        ranks=(("work_completed", (0, 0)),),
        stated_at=((text_digest(FULL.decisions[0]), NOON + timedelta(hours=1)),),
        last_answer="…It answers in 9 ms now.",
        client_summary="1. The request\n\n# 2. The state",
        changed_meanwhile=("notes.txt",),
        extra_header="x: y\n",
        extra_body="## Mine",
        **unset_lists,
    )
    told = replace(full, work_summary=(), answers=("Old path profiled: 3 s.",))
    for one, left_out in ((full, {"answers", "answers_at"}), (told, {"work_summary"})):
        unset = {f.name for f in fields(Session) if not getattr(one, f.name)}
        assert unset == left_out
        assert parse(one.id, render(one)) == one


def test_what_was_tried_and_what_holds_adds_up() -> None:
    said = Checkpoint(at=NOON, tried=("a", "b"), constraints=("c",))
    again = Checkpoint(at=NOON, tried=("b", "d"))
    after = apply(apply(session(), said), again)
    assert (after.tried, after.constraints) == (("a", "b", "d"), ("c",))


def test_blockers_and_questions_are_replaced_each_at_its_time() -> None:
    second, third = NOON + timedelta(seconds=1), NOON + timedelta(seconds=2)
    said = apply(session(), Checkpoint(at=NOON, blockers=("a", "b"), questions=("c",)))
    anew = apply(said, Checkpoint(at=second, blockers=("b",), work_pending=("d",)))
    assert (anew.blockers, anew.questions) == (("b",), ("c",))
    none_left = apply(anew, Checkpoint(at=third, questions=()))
    assert (none_left.blockers, none_left.questions) == (("b",), ())
    times = (none_left.blockers_at, none_left.questions_at, none_left.pending_at)
    assert times == (second, third, second)
    assert apply(none_left, Checkpoint(at=NOON, blockers=("a",))) == none_left


def test_items_of_every_list_can_be_removed() -> None:
    gone = without_items(FULL, lambda text: text.startswith(("gRPC", "No GPU")))
    assert gone == replace(FULL, tried=FULL.tried[:1], blockers=())


def test_statements_are_named_by_their_places() -> None:
    found = list(statements(FULL))
    names = [(each.reference.removeprefix(SESSION_ID), each.kind) for each in found]
    assert names == [
        *(("#d1", "decision"), ("#t1", "failed"), ("#t2", "failed")),
        *(("#c1", "constraint"), ("#b1", "blocker"), ("#q1", "question")),
    ]
    told = Statement(f"{SESSION_ID}#t2", "failed", "gRPC: no gain", FULL.started_at)
    assert found[2] == told


def test_each_statement_has_the_time_when_it_was_made_first() -> None:
    one, two, three = (NOON + timedelta(hours=hours) for hours in (1, 2, 3))
    first = apply(session(), Checkpoint(at=one, decisions=("a",), blockers=("x",)))
    later = apply(first, Checkpoint(at=two, decisions=("a", "b"), tried=("c",)))
    last = apply(later, Checkpoint(at=three, blockers=("y",)))
    read = parse(last.id, render(last))
    times = {statement.text: statement.at for statement in statements(read)}
    assert times == {"a": one, "b": two, "c": two, "y": three}
    edited = parse(last.id, render(last).replace("- a\n", "- new\n"))
    times = {statement.text: statement.at for statement in statements(edited)}
    assert times["new"] == session().started_at
    assert times["b"] == two


@every_row(
    "told",
    [
        *("2026-02-25=1f3a9c2e", "x=1f3a9c2e", "=", "1f3a9c2e", "1f3a9c2e,1f3a9c2e"),
        *("2026-02-25T09:00:00+00:00=1f3a", "2026-02-25T99:00:00+00:00={digest}"),
        "2026-02-25T09:00:00+00:00=" + ",".join(["1f3a9c2e"] * 100_000),
    ],
)
def test_times_that_cannot_be_count_for_nothing(told: str) -> None:
    written = session(decisions=("a",))
    told = told.format(digest=text_digest("a"))
    forged = render(written).replace("---\n\n", f'stated_at: "{told}"\n---\n\n')
    assert parse(written.id, forged) == written


def test_answers_give_way_to_what_somebody_writes_of_the_work() -> None:
    told = apply(session(), Checkpoint(at=NOON, answers=("Mended.",)))
    written = apply(told, Checkpoint(at=NOON, work_summary=("Mended it",)))
    assert (written.answers, written.answers_at) == ((), None)
    assert apply(written, Checkpoint(at=NOON, answers=("And tested.",))) == written


def test_answers_are_those_that_were_taken_last() -> None:
    first, last = (
        Checkpoint(at=NOON + timedelta(minutes=n), answers=(f"Step {n}.",))
        for n in (1, 2)
    )
    later = apply(session(), Checkpoint(at=NOON + timedelta(hours=1), goal="go on"))
    for before in (session(), later):
        told = apply(apply(before, first), last)
        assert (told.answers, told.answers_at) == (last.answers, last.at)
        assert apply(told, first) == told
        assert parse(told.id, render(told)) == told


@every_row(
    "head",
    [
        "tool: [\n" * 30_000,
        "tool: " + "[" * 200_000,
        "tool: x\x85branch: " + "[" * 200_000,
        "tool: x\u2028branch: " + "[" * 900,
        "tool: ? " + "[" * 900,
        "tool: x\n  branch: " + "[" * 200_000,
        "tool:\n" + "".join(f"{' ' * n}-\n" for n in range(1, 900)),
        "tool: &a [*a]\nproject: !!python/object:os.system x\n",
    ],
)
def test_a_header_made_to_break_the_reader_counts_for_nothing(head: str) -> None:
    read = parse(SESSION_ID, f"---\n{head}\n---\n## Goal\n\ng\n")
    assert read.tool in ("", "x")
    assert (read.project, read.branch, read.goal) == ("", None, "g")


def test_a_reference_takes_no_longer_for_being_hostile() -> None:
    begin = time.process_time()
    parse(SESSION_ID, f"## References\n\n- [{'](' * 200_000}\n")
    assert time.process_time() - begin < 2


def test_lone_surrogate_of_a_document_stays_out() -> None:
    read = parse(SESSION_ID, "## Goal\n\na &#xD800; b\n")
    assert read.goal == "a \N{REPLACEMENT CHARACTER} b"


def test_ranges_of_a_patch_name_no_more_lines_than_a_file_has() -> None:
    ranges = ",".join(["1-999999999"] * 50)
    lines = CommitPatch("d8e2f04", "", (f"{'a' * 12}:{ranges}",)).own_lines("a" * 12)
    assert lines == frozenset(range(1, 1_000_001))
    few = CommitPatch("d8e2f04", "", (f"{'a' * 12}:3-5,9-9",)).own_lines("a" * 12)
    assert few == frozenset((3, 4, 5, 9))
