"""What is given any bytes, and what has to hold whatever they are.

A target raises nothing but an AssertionError, where something does not hold; any other
exception is a finding as well. Where an error is the answer to bad input, it is named.
"""

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from assistants.transcripts.hostile import read_sound
from fuzz import documents, requests
from fuzz.target import InMemory, Target
from hook.calls import CLAUDE, COPILOT, FIXTURES
from search.builders import NOW, found, indexed
from search.builders import session as with_facts
from support.harness import NOON, record
from support.strategies import session

from gitmem.assistants.known import ASSISTANTS, NICKNAMES
from gitmem.assistants.readers import READERS
from gitmem.documents import header
from gitmem.documents.event import (
    Committed,
    Compaction,
    Edit,
    End,
    Nudge,
    Prompt,
    Start,
    Todo,
    Todos,
    WorkTreeState,
)
from gitmem.documents.event_log import to_json
from gitmem.documents.names import clean_client_id
from gitmem.documents.session import record as records
from gitmem.documents.session.checkpoint import Rewrite, apply
from gitmem.documents.session.parsing import parse, parts
from gitmem.documents.session.rendering import render
from gitmem.documents.session.session import PlanFile, Reference, Session
from gitmem.errors import FormatTooNew
from gitmem.git.values import Change, Commit, FileChange
from gitmem.hook.observe import HookConversation, observe
from gitmem.hook.place import Checkout
from gitmem.redaction.redact import redact, seal
from gitmem.search.index import Index
from gitmem.search.queries.query import MOST_WORDS, understood
from gitmem.search.queries.query import parse as parse_query
from gitmem.store.journal.journal import Journal
from gitmem.store.session_store import pending_in

SESSION_ID = "2026-02-23_14-32_cursor_tei-migration"
_KEYS = frozenset({"session_id", "tool", "branch", "status", "started_at"})
_NAME = "conversation"
_PAYLOADS = [FIXTURES / CLAUDE, FIXTURES / COPILOT]


def read_document(data: bytes) -> None:
    """Any text can be read, and settles at once."""
    first = parse(SESSION_ID, data.decode("utf-8", "replace"))
    again = parse(SESSION_ID, render(first))
    assert again == first


def read_header(data: bytes) -> None:
    """What is written from it reads the same, and nothing that is not ours goes."""
    text, _ = parts(data.decode("utf-8", "replace"))
    first = header.read(text, _KEYS)
    written = header.write(first.values.items(), first.extra)
    again = header.read(header.split(written + "body")[0], _KEYS)
    kept = {key: value for key, value in first.values.items() if value}
    assert (again.values, again.extra) == (kept, first.extra)


def read_query(data: bytes) -> None:
    """It asks for so many words at most, can be told, and finds what there is."""
    text = data.decode("utf-8", "replace")
    query = parse_query(text, now=NOW, tools=NICKNAMES)
    assert len(query.words) <= MOST_WORDS
    json.dumps(understood(query))
    assert set(found(_index(), text)) <= {"one", "two"}


def hear_payload(data: bytes) -> None:
    """Told of by the name of any assistant, it becomes notes that can be read."""
    try:
        payload = json.loads(data)
    except (ValueError, RecursionError):
        return
    heard = [each.hooks for each in ASSISTANTS if each.hooks]
    for assistant in heard if isinstance(payload, dict) else ():
        with suppress(KeyError, TypeError, ValueError), InMemory() as folder:
            seen = assistant.read(payload)
            if seen and seen.client_session_id:
                name = clean_client_id(seen.client_session_id)
                place = Checkout(folder, folder)
                observe(seen, HookConversation(assistant.name, name, place, NOON))
                _apply_all(Journal(folder / "ocm" / "journal"))


def read_journal(data: bytes) -> None:
    """What is pending makes a session that can be written and read."""
    with InMemory() as folder:
        content, _, mark = data.partition(b"\0")
        (folder / f"{_NAME}.jsonl").write_bytes(content)
        (folder / f"{_NAME}.mark").write_bytes(mark)
        _apply_all(Journal(folder))


def read_transcript(data: bytes) -> None:
    """Whoever is asked to read it gives sound pieces of it alone."""
    with InMemory() as folder:
        for reader in READERS:
            file = folder / f"{reader.tool}{data[:1].hex()}.jsonl"
            file.write_bytes(data[1:])
            read_sound(reader, file)


def hide_secrets(data: bytes) -> None:
    """Redacting twice changes nothing more."""
    once = redact(data.decode("utf-8", "replace"))
    assert redact(once) == once


def _apply_all(journal: Journal) -> None:
    for name in journal.names():
        with suppress(FormatTooNew):
            changes = pending_in(journal, name, "project", lambda _, file: file)
            for _, change in changes:
                now = session()
                for checkpoint in change.checkpoints if change else ():
                    now = apply(now, checkpoint)
                    seal(now, _written)


def _written(session: Session) -> str:
    text = render(session)
    assert parse(session.id, text) == session
    return text


@cache
def _index() -> Index:
    sessions = [
        with_facts("one", goal="Retry uploads", files=["src/a.py"]),
        with_facts("two", goal="Move to TEI", branch="feature/x"),
    ]
    return indexed(Path(tempfile.mkdtemp(prefix="gitmem-")), sessions)


def _documents() -> Iterator[bytes]:
    full = replace(
        session(),
        goal="Move\n\n```\n## Goal\n```",
        work_completed=("one", "two `x`"),
        extra_body="## Mine\n\n* a\n",
    )
    yield render(full).encode()
    yield f"---\ntool: x\nbranch: 'a: b'\nmine: |\n  x\n---\n{render(full)}".encode()


def _queries() -> Iterator[bytes]:
    yield from (
        b'"exact words" in src/a.py last week -not tool:cursor branch:x author:ada',
        b"what did we do between 2026-03-01 and yesterday in claude code a1b2c3d",
    )


def _payloads() -> Iterator[bytes]:
    for folder in _PAYLOADS:
        for file in sorted(folder.glob("*.json")):
            yield json.dumps(json.loads(file.read_text("utf-8"))["stdin"]).encode()


def _journals() -> Iterator[bytes]:
    whose: Any = {"at": NOON, "tool": "cursor", "client_session_id": "c", "root": "/x"}
    seen = [
        Start(**whose, source="startup"),
        WorkTreeState(**whose, branch="main", head="a1b2c3d", dirty=("src/b.py",)),
        Prompt(**whose, text="Fix it"),
        Edit(**whose, path="src/a.py", change=Change.MODIFIED),
        Todos(**whose, items=(Todo("1", "one", done=True),), is_whole=True),
        Committed(**whose, sha="a1b2c3d", subject="Fix"),
        Compaction(**whose),
        Nudge(**whose),
        End(**whose),
    ]
    saved = record(
        slug="fix-it",
        goal="Fix",
        prompts=("Fix it",),
        work_completed=("one",),
        work_pending=("two",),
        work_summary=("three",),
        decisions=("four",),
        plan_files=(PlanFile("plan.md", "Plan"),),
        references=(Reference("https://a.b/c", "five"),),
        files=(FileChange("src/a.py", Change.CREATED),),
        commits=(Commit("a1b2c3d", "Fix"),),
        rewritten=(Rewrite("a1b2c3d", Commit("d4e5f6a", "Fix")),),
        diff_summary="six",
        branch="main",
        head="a1b2c3d",
    )
    lines = [*map(to_json, seen[:3]), records.to_json(saved), *map(to_json, seen[3:])]
    yield ("\n".join(lines) + '\n\0{"offset": 0, "session_id": null}').encode()


def _transcripts() -> Iterator[bytes]:
    line = {
        "type": "user",
        "sessionId": "c",
        "cwd": "/x",
        "timestamp": "2026-02-23T12:00:00Z",
        "message": {"role": "user", "content": "Fix it"},
    }
    yield b"\0" + json.dumps(line).encode() + b"\n"
    yield b"\0<!-- Claude Code Session -->\n\n_**User (2026-02-23 12:00Z)**_\n\nFix\n"
    yield b"\0# aider chat started at 2026-02-23 12:00:00\n\n#### fix it\n\ndone\n"


def _secrets() -> Iterator[bytes]:
    yield b"password=hunter2!x Authorization: Bearer abcdef0123456789 https://u:p4ss@h/"
    yield (
        b"-----BEGIN RSA PRIVATE " + b"KEY-----\nMIIabc\n<private>x</private> QUtJQQ=="
    )


TARGETS: Mapping[str, Target] = {
    "reader": Target(read_document, _documents, has_lines=True),
    "header": Target(read_header, _documents, has_lines=True),
    "query": Target(read_query, _queries),
    "payload": Target(hear_payload, _payloads, has_lines=True),
    "journal": Target(read_journal, _journals, has_lines=True),
    "transcript": Target(read_transcript, _transcripts, has_lines=True),
    "redaction": Target(hide_secrets, _secrets),
    **documents.TARGETS,
    **requests.TARGETS,
}
