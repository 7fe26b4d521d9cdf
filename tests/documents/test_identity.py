"""Ids and slugs: what file systems, people and clients can live with."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rounds import every_row

from gitmem.documents.names import clean_client_id, clean_tool, digest
from gitmem.documents.session.identity import (
    clean_slug,
    conversation_subject,
    digest_in,
    document_path,
    is_session_id,
    new_id,
    new_session_id,
    provisional_slug,
    subject_digest,
    tool_in,
)
from gitmem.errors import InvalidInput
from gitmem.redaction.redact import redact
from gitmem.store.trees.tombstones import subject_path

START = datetime(2026, 2, 23, 14, 32, tzinfo=UTC)
ID = "2026-02-23_14-32_cursor_tei-migration"


def test_an_id_says_when_with_whom_and_about_what() -> None:
    assert new_session_id(START, "cursor", "tei-migration") == ID
    assert document_path(ID) == f"sessions/2026/02/23/{ID}.md"


def test_a_path_has_the_minute_in_utc_and_the_digest_of_the_conversation() -> None:
    """The digest begins the name of the tombstone."""
    subject = conversation_subject("cursor", "c-1")
    began_at = START.astimezone(timezone(timedelta(hours=14)))
    document_id = new_id(began_at, "cursor", subject)
    assert document_id == f"2026-02-23_14-32_cursor_{digest(subject)[:16]}"
    assert (tool_in(document_id), digest_in(document_id)) == (
        "cursor",
        subject_digest(subject),
    )
    assert (
        subject_path(subject)
        .replace("/", "")
        .startswith(f"forgotten{digest_in(document_id)}")
    )


@every_row("name", [ID, "", "x", f"{ID}-0a1b2c3d", "_0123456789abcdef0"])
def test_a_name_without_a_digest_has_none(name: str) -> None:
    assert digest_in(name) == ""


@every_row(
    "text",
    [
        *("", "x", f"{ID}/..", f"../{ID}", f"{ID}\n", f"{ID}.md", ID.upper()),
        *(f" {ID}", f"{ID}\x00", ID.replace("cursor", ""), f"{ID}_x", "۲" + ID[1:]),
        ID + "x" * 128,
    ],
)
def test_what_is_no_id_is_never_a_path(text: str) -> None:
    assert not is_session_id(text)
    with pytest.raises(InvalidInput):
        document_path(text)


@every_row(
    ("text", "slug"),
    [
        ("tei-migration", "tei-migration"),
        (" TEI  Migration ", "tei-migration"),
        ("kv_cache_prefill", "kv-cache-prefill"),
        ("Überholspur", "uberholspur"),
        ("--a--b--", "a-b"),
    ],
)
def test_a_slug_is_folded_to_what_a_file_name_holds(text: str, slug: str) -> None:
    assert clean_slug(text) == slug


@every_row("text", ["", "-", "日本語", "a b c d e", "x" * 61, "../.."])
def test_a_slug_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        clean_slug(text)


@given(st.text(), st.text())
def test_whatever_becomes_an_id_is_one(slug: str, tool: str) -> None:
    try:
        made = new_session_id(START, clean_tool(tool), clean_slug(slug))
    except InvalidInput:
        return
    assert is_session_id(made)
    assert made.isascii()


def test_conversations_of_one_minute_have_slugs_of_their_own() -> None:
    """Codex names conversations by UUIDs of version 7, which begin with the time."""
    first = provisional_slug("019ab3c4-d5e6-7f01-8a2b-3c4d5e6f7081")
    second = provisional_slug("019ab3c4-d5e7-7f01-9a2b-3c4d5e6f7092")
    assert (first, second) == ("5e6f7081", "5e6f7092")


@given(st.text(st.characters()))
def test_every_client_id_has_a_provisional_slug(client_id: str) -> None:
    slug = provisional_slug(client_id)
    assert is_session_id(new_session_id(START, "cursor", slug))


@given(st.uuids().map(str))
def test_no_uuid_is_taken_for_a_secret(client_id: str) -> None:
    assert redact(client_id) == client_id == clean_client_id(client_id)
