"""OpenCode's database: SQLite with a write-ahead log, opened read-only.

Version 1 writes a message and its parts, version 2 one row of `session_message`, and
its sessions into `session_v2` or the old table. What version 1 wrote stays, or is
copied with its ids. The tables are hostile: no view is evaluated, and queries are
bounded.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from gitmem.assistants.payload import inner, text
from gitmem.assistants.transcripts.transcript_files import LONGEST
from gitmem.text.calendar import moment_at
from gitmem.text.patterns import pattern

Row = Mapping[str, Any]
_MILLION = 1_000_000
_MOST_STEPS = 500
"""Millions of SQLite's instructions for a session, some seconds: a sort of hostile
tables takes hours.
"""
_SESSION = "id parent_id directory time_created time_updated fork_session_id revert"
_TABLES = {
    "session": _SESSION,
    "session_v2": _SESSION,
    "message": "id session_id time_created data",
    "part": "id message_id time_updated data",
    "session_message": "id session_id type seq time_created time_updated data",
}
_VERSIONS = ({"session", "message", "part"}, {"session_message"})
"""Tables that each version has."""
_NOT_NEW = "WHERE id NOT IN (SELECT id FROM session_v2)"
DAMAGE = (sqlite3.Error, KeyError, TypeError, ValueError, RecursionError)
"""Errors of reading a hostile database and its rows, beside OSError."""
_NEWER = pattern(r"(?:session|message|part|session_message)_v[0-9]{1,9}")

PARTS = """
    WITH RECURSIVE family(id) AS (
        SELECT :id
        UNION SELECT child.id FROM session AS child
            JOIN family ON child.parent_id = family.id
        UNION SELECT child.id FROM session_v2 AS child
            JOIN family ON child.parent_id = family.id
    ), said AS (
        SELECT id, session_id, time_created, iif(json_valid(data), data, '{}') AS data
        FROM message WHERE id NOT IN (SELECT id FROM session_message)
    )
    SELECT part.data, part.time_updated, family.id = :id AS is_own, '' AS type,
        json_extract(said.data, '$.role') AS role,
        json_extract(said.data, '$.mode') = 'compaction' AS is_summary,
        said.time_created AS said_at, 0 AS seq, said.id AS message_id,
        part.id AS part_id
    FROM family
    JOIN said ON said.session_id = family.id
    JOIN part ON part.message_id = said.id
    WHERE part.time_updated > :since AND said.time_created >= :begun
    UNION ALL
    SELECT row.data, time_updated, family.id = :id, type, type, type = 'compaction',
        time_created, seq, row.id, ''
    FROM family JOIN session_message AS row ON row.session_id = family.id
    WHERE time_updated > :since AND time_created >= :begun
    ORDER BY said_at, seq, message_id, part_id
"""
"""The parts of a session and its subagents that were written later than a time."""
PARENT = """
    SELECT origin.id FROM message AS copy
    JOIN message AS said ON said.time_created = copy.time_created
    JOIN session AS origin ON origin.id = said.session_id
    WHERE copy.session_id = ? AND copy.time_created < ?
        AND origin.time_created <= said.time_created
    ORDER BY copy.time_created DESC
"""
"""The session for which the last copied message was new."""


@contextmanager
def open_read_only(file: Path) -> Iterator[sqlite3.Connection]:
    """Open a hostile database. Raises OSError, sqlite3.Error."""
    # SQLite would report a missing or forbidden file as damage.
    file.open("rb").close()
    address = f"{file.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as database:
        database.text_factory = lambda data: data.decode("utf-8", "replace")
        database.row_factory = sqlite3.Row
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
        # Views and triggers of a hostile schema could call functions with side effects.
        database.execute("PRAGMA trusted_schema = OFF")
        yield database


@contextmanager
def open_database(file: Path) -> Iterator[sqlite3.Connection]:
    """Open OpenCode's database, in which tables that are missing are empty.

    Its sessions are in `sessions`. Raises OSError, sqlite3.Error.
    """
    with open_read_only(file) as database:
        for name in _TABLES.keys() - _tables(database):
            columns = ", ".join(_TABLES[name].split())
            database.execute(f"CREATE TEMP TABLE {name} ({columns})")
        new, old = _select(database, "session_v2"), _select(database, "session")
        union = f"{new} UNION ALL {old} {_NOT_NEW}"
        database.execute(f"CREATE TEMP VIEW sessions AS {union}")
        yield database


def unknown_tables(database: sqlite3.Connection) -> int:
    """Return how many tables are of a newer version; 1 if those of all are missing."""
    tables = _tables(database)
    is_known = any(version <= tables for version in _VERSIONS)
    return len([*filter(_NEWER.fullmatch, tables - _TABLES.keys())]) or int(
        not is_known
    )


def bound_queries(database: sqlite3.Connection) -> None:
    """Bound what all queries about a session take together."""
    steps = iter(range(_MOST_STEPS))
    database.set_progress_handler(lambda: next(steps, None) is None, _MILLION)


def object_in(row: Row, key: str, default: str | None = None) -> Row:
    """Return the JSON object in a column. Raises TypeError, ValueError."""
    return inner({key: json.loads(text(row, key, default))}, key)


def number_in(values: Row, key: str) -> int:
    """Return a number. Raises KeyError, TypeError."""
    if not isinstance(value := values[key], int):
        raise TypeError(key)
    return value


def moment_in(values: Row, key: str) -> datetime:
    """Return the time that a number of milliseconds is."""
    return moment_at(number_in(values, key) // 1000)


def _tables(database: sqlite3.Connection) -> set[str]:
    tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {row["name"] for row in tables}


def _select(database: sqlite3.Connection, table: str) -> str:
    """Return a query for all sessions of a table, which may lack a column."""
    columns = {row["name"] for row in database.execute(f"PRAGMA table_info({table})")}
    expressions = (
        name if name in columns else f"NULL AS {name}" for name in _SESSION.split()
    )
    return f"SELECT {', '.join(expressions)} FROM {table}"  # noqa: S608 - names of ours
