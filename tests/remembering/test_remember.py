"""What becomes of a statement, beside what is known already."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from remembering.saying import ADA, found, said_at, say, stored, texts
from support.harness import NOON
from support.rounds import every_row

from gitmem.actions.remembering import named
from gitmem.documents.kinds import MEMORY
from gitmem.documents.memory.memory import (
    CONFIDENCE,
    IMPORTANCE,
    TEXT_LENGTH,
    Category,
    MemoryStatus,
    Relation,
    RelationType,
    confidence_of,
    ids_of,
)
from gitmem.errors import Ambiguous, InvalidInput, NotFound
from gitmem.workspace import Workspace

BOB = "person:Bob <bob@example.com>"
POSTGRES = "Tests need Postgres 16."


def test_a_statement_is_a_memory_with_what_was_given(workspace: Workspace) -> None:
    kept = say(
        workspace,
        f"{POSTGRES}\nIt runs in a container.",
        kind="constraint",
        key="db.version",
        why="We use MERGE.",
        facts=["The port is 5433."],
        tags=["Database"],
        files=["file.txt", "nowhere.txt", "../etc/passwd"],
        expires="2999-01-31",
        pinned=True,
    )
    memory = stored(workspace, kept.memory.id)
    assert memory == kept.memory
    assert (kept.action, memory.title, memory.why) == (
        "created", POSTGRES, "We use MERGE."
    )  # fmt: skip
    assert (memory.kind, memory.key, memory.pinned) == (
        Category.CONSTRAINT, "db.version", True
    )  # fmt: skip
    assert (memory.facts, memory.tags) == (("The port is 5433.",), ("Database",))
    assert memory.expires
    assert memory.expires.year == 2999
    assert (memory.sources, memory.author) == ((ADA,), "Ada <ada@example.com>")
    assert memory.importance == IMPORTANCE[Category.CONSTRAINT]
    (file,) = memory.files
    assert file.path == "file.txt"
    assert file.blob
    assert kept.unknown_files == ("nowhere.txt", "../etc/passwd")


def test_the_kind_says_how_much_a_memory_counts(workspace: Workspace) -> None:
    guess = say(workspace, "Perhaps the cache is cold.", kind="discovery").memory
    assert guess.confidence == CONFIDENCE[Category.DISCOVERY]
    told = say(workspace, "The cache holds 1,000 entries.", importance=1).memory
    assert (told.kind, told.importance, told.confidence) == ("fact", 1, 0.8)


def test_what_is_committed_leaves_no_journal_to_look_at(workspace: Workspace) -> None:
    first = say(workspace, POSTGRES).memory
    say(workspace, POSTGRES, BOB)
    journal = workspace.store_of(MEMORY).journal
    assert journal.newest_first() == []
    assert journal.names() == [first.id]  # as one that began in this clone
    assert journal.position_of(first.id).document_id == first.id


def test_the_same_words_support(workspace: Workspace) -> None:
    first = say(workspace, POSTGRES)
    assert say(workspace, "tests need  postgres 16").action == "unchanged"
    second = say(workspace, "tests need POSTGRES 16!", BOB)
    assert (second.action, second.memory.id) == ("supported", first.memory.id)
    assert say(workspace, POSTGRES, BOB).action == "unchanged"
    memory = stored(workspace, first.memory.id)
    assert memory.text == POSTGRES
    assert confidence_of(memory) == 0.9


def test_the_same_words_with_more_beside_them_are_merged(workspace: Workspace) -> None:
    first = say(workspace, POSTGRES, tags=["db"])
    again = say(workspace, POSTGRES, tags=["ci"], why="We use MERGE.", pinned=True)
    assert (again.action, again.memory.id) == ("merged", first.memory.id)
    memory = stored(workspace, first.memory.id)
    assert (memory.tags, memory.why, memory.pinned) == (
        ("ci", "db"), "We use MERGE.", True
    )  # fmt: skip


def test_a_key_holds_one_statement(workspace: Workspace) -> None:
    old = say(workspace, "The port is 5432.", key="db.port", why="It is the usual one.")
    new = say(workspace, "The port is 5433.", key="db.port")
    assert (new.action, new.memory.id) == ("superseded", old.memory.id)
    assert texts(workspace, "port") == ["The port is 5433."]
    log = workspace.store_of(MEMORY).memory()
    assert log.document(old.memory.id) == new.memory


def test_a_pinned_holder_of_a_key_is_never_replaced(workspace: Workspace) -> None:
    old = say(workspace, "The port is 5432.", key="db.port", pinned=True)
    new = say(workspace, "The port is 5433.", key="db.port")
    assert new.action == "created"
    assert new.memory.key == ""
    assert new.memory.relations == (Relation(RelationType.CONTEXT_OF, old.memory.id),)
    assert stored(workspace, old.memory.id) == old.memory


def test_what_is_replaced_names_what_it_is_replaced_by(workspace: Workspace) -> None:
    old = say(workspace, "We deploy by hand.", key="deploying").memory
    new = say(workspace, "GitHub Actions deploys.", replaces="deploying")
    assert new.action == "superseded"
    assert new.memory.relations == (Relation(RelationType.SUPERSEDES, old.id),)
    gone = stored(workspace, old.id)
    assert gone.status is MemoryStatus.SUPERSEDED
    assert gone.relations == (Relation(RelationType.SUPERSEDED_BY, new.memory.id),)
    assert texts(workspace, "deploy") == ["GitHub Actions deploys."]
    with pytest.raises(InvalidInput, match="was replaced already"):
        say(workspace, "A robot deploys.", replaces=old.id)


def test_an_update_corrects_a_memory_in_its_place(workspace: Workspace) -> None:
    old = say(workspace, "The port is 5432.", kind="fix", tags=["db"], scope="branch")
    given: dict[str, Any] = {
        "kind": "constraint",
        "importance": 0.2,
        "confidence": 0.3,
        "why": "CI.",
    }
    new = say(
        workspace,
        "The port is 5433.",
        replaces=old.memory.id,
        relation="update",
        tags=["ci"],
        files=["file.txt"],
        **given,
    )
    memory = stored(workspace, old.memory.id)
    assert (new.action, new.memory) == ("updated", memory)
    assert (memory.text, memory.tags) == ("The port is 5433.", ("ci", "db"))
    assert {name: getattr(memory, name) for name in given} == given
    assert memory.files
    assert memory.branch == old.memory.branch
    assert len(texts(workspace)) == 1
    assert say(workspace, "The port is 5432.").memory.id != memory.id


def test_an_update_without_text_changes_the_rest(workspace: Workspace) -> None:
    old = say(workspace, "The port is 5432.", key="db.port").memory
    new = say(workspace, " ", replaces="db.port", relation="update", pinned=True)
    assert new.memory == replace(old, pinned=True, updated_at=new.memory.updated_at)
    with pytest.raises(InvalidInput, match="says nothing"):
        say(workspace, "", relation="update")


def test_a_pinned_memory_is_updated_only_on_purpose(workspace: Workspace) -> None:
    old = say(workspace, "The port is 5432.", pinned=True).memory
    about = {"replaces": old.id, "relation": "update"}
    with pytest.raises(InvalidInput, match="is pinned"):
        say(workspace, "The port is 5433.", **about)
    assert say(workspace, "", importance=1, **about).memory.importance == 1
    new = say(workspace, "The port is 5433.", pinned=True, **about).memory
    assert (new.id, new.text) == (old.id, "The port is 5433.")


def test_an_update_that_another_memory_says_replaces_that(workspace: Workspace) -> None:
    old = say(workspace, "The port is 5432.").memory
    twin = say(workspace, "Port 5433 it is.").memory
    say(workspace, "Port 5433 it is.", replaces=old.id, relation="update")
    assert texts(workspace) == ["Port 5433 it is."]
    assert stored(workspace, twin.id).status is MemoryStatus.SUPERSEDED


@every_row(
    ("said", "kind"),
    [("feature", "fact"), ("refactor", "architecture"), ("bugfix", "fix")],
)
def test_kinds_of_other_systems_are_taken(
    workspace: Workspace, said: str, kind: str
) -> None:
    text = f"Payments have a {said}."
    assert say(workspace, text, kind=said).memory.kind == kind
    assert text in texts(workspace, kinds=[said])


def test_each_relation_does_what_it_says(workspace: Workspace) -> None:
    known = say(workspace, "The cache is Redis.", kind="architecture").memory

    def about(text: str, relation: str) -> tuple[str, bool, tuple[Relation, ...]]:
        kept = say(workspace, text, BOB, replaces=known.id, relation=relation)
        is_known = kept.memory.id == known.id
        return kept.action, is_known, () if is_known else kept.memory.relations

    assert about("Redis it is.", "support") == ("supported", True, ())
    assert about("It keeps a day.", "merge") == ("merged", True, ())
    assert about("Hot keys expire.", "context") == (
        "created", False, (Relation(RelationType.CONTEXT_OF, known.id),)
    )  # fmt: skip
    assert about("Valkey in the cloud.", "contradict") == (
        "created", False, (Relation(RelationType.CONTRADICTS, known.id),)
    )  # fmt: skip
    after = stored(workspace, known.id)
    assert after.text == "The cache is Redis.\nIt keeps a day."
    assert (after.status, confidence_of(after)) == (MemoryStatus.ACTIVE, 0.9)
    assert [each.link for each in after.relations] == [RelationType.CONTRADICTS]
    assert about("The cache is gone.", "supersede")[0] == "superseded"
    assert stored(workspace, known.id).status is MemoryStatus.SUPERSEDED


@every_row(
    ("kind", "pinned", "asked", "action"),
    [
        ("profile", False, "supersede", "merged"),
        ("profile", False, "contradict", "superseded"),
        ("fix", False, "supersede", "created"),
        ("discovery", False, "merge", "created"),
        ("fact", True, "supersede", "created"),
        ("fact", False, "contradict", "superseded"),
        ("pattern", False, "contradict", "created"),
    ],
)
def test_what_may_become_of_a_memory_depends_on_its_kind(
    workspace: Workspace, kind: str, pinned: bool, asked: str, action: str
) -> None:
    who = f"Somebody of {kind}, {asked}, {pinned},"
    known = said_at(workspace, f"{who} it is.", kind=Category(kind), pinned=pinned)
    kept = say(workspace, f"{who} it was.", replaces=known.id, relation=asked)
    assert kept.action == action
    is_gone = stored(workspace, known.id).status is MemoryStatus.SUPERSEDED
    assert is_gone is (action == "superseded")


@every_row("text", ["ok", "Thank you so much!", "word", "", "?!"])
def test_what_says_nothing_is_refused(workspace: Workspace, text: str) -> None:
    with pytest.raises(InvalidInput, match="says nothing that is worth keeping"):
        say(workspace, text)


def test_a_sentence_without_spaces_says_something(workspace: Workspace) -> None:
    assert say(workspace, "テストは遅い").action == "created"


@every_row(
    ("given", "message"),
    [
        ({"text": "word " * (TEXT_LENGTH // 4)}, "text has 9,999 characters; at most"),
        ({"why": "x" * (TEXT_LENGTH + 1)}, "why has 8,001 characters; at most 8,000"),
        ({"kind": "thought"}, "kind must be one of preference, convention, "),
        ({"key": "a/b"}, "'a/b' cannot be a key"),
        ({"key": "a\x1bb"}, "cannot be a key"),
        ({"key": " "}, "cannot be a key"),
        ({"expires": "2020-01-01"}, "expires is in the past: 2020-01-01"),
        ({"expires": "soon"}, "'soon' is not a date"),
        ({"importance": 1.5}, "importance must be between 0 and 1, not 1.5"),
        ({"confidence": -1}, "confidence must be between 0 and 1, not -1"),
        ({"relation": "be"}, "relation must be one of supersede, merge, "),
        ({"tags": ["x"] * 51}, "tags has too much: at most 50 of 500"),
        ({"files": ["x" * 501]}, "files has too much"),
        ({"scope": "a/b"}, "'a/b' cannot be the name of a space"),
    ],
)
def test_bad_arguments_are_named(
    workspace: Workspace, given: dict[str, object], message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        say(workspace, **{"text": POSTGRES, **given})  # type: ignore[arg-type]  # as a client may
    assert texts(workspace) == []


def test_what_is_too_long_has_a_way_on(workspace: Workspace) -> None:
    with pytest.raises(InvalidInput) as caught:
        say(workspace, "long " * TEXT_LENGTH)
    assert caught.value.hint == (
        "Put it in a file, and name that among the files of the memory."
    )


def test_who_replaces_what_is_not_there_gets_candidates(workspace: Workspace) -> None:
    with pytest.raises(NotFound, match="No memory is named 'm-123'"):
        say(workspace, POSTGRES, replaces="m-123")
    like = say(workspace, "Tests need Postgres 15.").memory.id
    with pytest.raises(NotFound) as unknown:
        say(workspace, POSTGRES, replaces="m-123")
    assert unknown.value.hint == f"Memories like it: {like}."
    for number in range(11):
        said_at(workspace, f"The number {number} counts.")
    with pytest.raises(Ambiguous) as caught:
        say(workspace, POSTGRES, replaces="m-")
    assert len(caught.value.candidates) == 10
    assert POSTGRES not in texts(workspace, limit=50)


def test_what_was_forgotten_can_be_remembered_anew(workspace: Workspace) -> None:
    first = say(workspace, POSTGRES).memory
    named.forget([named.find_document_of_kind(workspace, MEMORY, first.id)])
    assert texts(workspace) == []
    again = say(workspace, POSTGRES)
    assert again.action == "created"
    assert again.memory.id != first.id
    assert texts(workspace) == [POSTGRES]


def test_what_was_replaced_can_be_said_anew(workspace: Workspace) -> None:
    first = say(workspace, POSTGRES).memory
    say(workspace, "Tests need MySQL.", replaces=first.id)
    again = say(workspace, POSTGRES)
    assert (again.action, again.memory.id != first.id) == ("created", True)


def test_a_branch_has_memories_of_its_own(workspace: Workspace) -> None:
    whole = say(workspace, POSTGRES).memory
    branch = say(workspace, POSTGRES, scope="branch").memory
    assert (branch.branch, branch.id != whole.id) == ("main", True)
    here = say(workspace, "The port is 5432.", key="port").memory
    there = say(workspace, "The port is 9000.", key="port", scope="branch")
    assert (there.action, there.memory.id != here.id) == ("created", True)
    assert stored(workspace, here.id) == here


def test_an_update_counts_as_later_whatever_the_clock_says(
    workspace: Workspace,
) -> None:
    future = workspace.now().replace(year=2999)
    old = said_at(workspace, "The port is 5432.", future, key="port")
    new = say(workspace, "The port is 5433.", key="port").memory
    assert new.updated_at > old.updated_at
    assert stored(workspace, old.id).text == "The port is 5433."


def test_two_holders_of_a_key_are_told_apart(workspace: Workspace) -> None:
    """As two clones make them."""
    made = [
        said_at(workspace, f"The port is {port}.", key="port") for port in (5432, 5433)
    ]
    first, second = sorted(each.id for each in made)
    rivals = {each.memory.id: each.rival for each in found(workspace, "port")}
    assert rivals == {first: "", second: first}
    kept = say(workspace, "The port is 5434.", key="port")
    assert kept.memory.id == first
    assert replace(kept.memory, text="").key == "port"


def test_what_was_corrected_counts_for_no_key(workspace: Workspace) -> None:
    days = ("Deploys are on Thursdays.", "Deploys are on Fridays.")
    older, newer = sorted(days, key=lambda text: next(ids_of(text, "")))
    said_at(workspace, older, key="deploys")
    said_at(workspace, newer, NOON + timedelta(days=1), key="deploys")
    recalled = [(hit.memory.text, hit.rival) for hit in found(workspace, "deploys")]
    assert recalled == [(newer, ""), (older, "")]


def test_of_two_holders_of_a_key_the_newer_one_counts(workspace: Workspace) -> None:
    texts = [f"The port is {port}." for port in (5432, 5433)]
    first, second = sorted(next(ids_of(text, "")) for text in texts)
    for text in texts:
        is_newer = next(ids_of(text, "")) == second
        said_at(workspace, text, NOON + timedelta(hours=is_newer), key="port")
    [newer, older] = found(workspace, "port")
    assert (newer.memory.id, newer.rival) == (second, "")
    assert older.memory.id == first
    assert older.correction is not None
    assert older.rival == ""  # one reason is enough


def test_of_what_is_said_in_one_second_the_later_is_newer(workspace: Workspace) -> None:
    kept = [say(workspace, f"Part {name} is done") for name in ("one", "two", "three")]
    times = [each.memory.updated_at for each in kept]
    assert times == sorted(set(times))
