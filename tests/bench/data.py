"""What the search is measured on: real sessions from a folder, and made ones.

The folder holds `sessions.jsonl` (id, first, last, branch, prompts, assistant, files)
and `queries.jsonl` (subject of a commit, gold: the ids of the sessions that made it),
and perhaps LoCoMo conversations (`locomo*.json`). Nobody wrote a goal in them, so the
first prompt is a derived one. Every occurrence of a query in a session is taken out of
it, or the answer would be copied and not found.
"""

import importlib
import inspect
import json
import random
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from gitmem.model.session import Change, FileChange, GoalSource, Session
from gitmem.search.words import fold, tokens

NOW = datetime(2026, 6, 1, tzinfo=UTC)

MODULES = """
    argparse ast asyncio calendar cmd collections colorsys configparser csv decimal
    difflib email.message fractions ftplib gettext gzip heapq html.parser http imaplib
    ipaddress logging mailbox optparse pathlib plistlib poplib pprint queue random sched
    shelve smtplib sqlite3 statistics string tarfile textwrap threading urllib.request
    uuid wave weakref xml.dom.minidom zipfile
"""


@dataclass(frozen=True, slots=True)
class Asked:
    text: str
    gold: frozenset[str]


def commits(folder: Path) -> list[Asked]:
    """Commit subjects, and the sessions that made the commits."""
    rows = _rows(folder / "queries.jsonl")
    return [Asked(row["subject"], frozenset(row["gold"])) for row in rows]


def sessions_of(folder: Path, *, prose: bool) -> list[Session]:
    """The real sessions; with `prose`, also what the assistant said in them."""
    subjects = {re.escape(asked.text) for asked in commits(folder) if asked.text}
    leak = re.compile("|".join(sorted(subjects, key=len, reverse=True)), re.IGNORECASE)
    return [_session(row, leak, prose) for row in _rows(folder / "sessions.jsonl")]


def conversations(folder: Path) -> Iterator[tuple[list[Session], list[Asked]]]:
    """LoCoMo: each conversation's sessions, and questions about them."""
    for path in sorted(folder.glob("locomo*.json")):
        for sample in json.loads(path.read_text()):
            told = sample["conversation"]
            numbers = [n for n in range(1, 100) if told.get(f"session_{n}")]
            yield [_told(told, n) for n in numbers], list(_questions(sample["qa"]))


def foreign(count: int) -> list[str]:
    """Queries that no session answers: what modules of Python say of themselves."""
    return random.Random(1).sample(sentences(4, 14), count)


def own_words(sessions: list[Session], count: int) -> list[Asked]:
    """Three words of one session that at most five sessions have."""
    held = {session.id: _words_of(session) for session in sessions}
    spread = Counter(word for words in held.values() for word in words)
    rare = {
        id_: sorted(w for w in words if spread[w] <= 5 and len(w) > 3 and w.isalpha())
        for id_, words in held.items()
    }
    ids = sorted(id_ for id_, words in rare.items() if len(words) >= 3)
    chance = random.Random(2)
    return [
        Asked(" ".join(chance.sample(rare[id_], 3)), frozenset([id_]))
        for id_ in chance.choices(ids, k=count)
    ]


def made(count: int) -> Iterator[Session]:
    """Sessions of the usual size, about 260 words and five files."""
    chance, lines = random.Random(3), sentences(5, 25)
    names = sorted({word for line in lines for word in line.split() if word.isalpha()})

    def some(number: int) -> tuple[str, ...]:
        return tuple(chance.choices(lines, k=number))

    for number in range(count):
        at = datetime(2025, 1, 1, tzinfo=UTC) + timedelta(minutes=37 * number)
        files = [chance.choices(names, k=3) for _ in range(chance.randint(1, 9))]
        yield Session(
            id=f"{at:%Y-%m-%d_%H-%M}_cursor_{number:08x}",
            tool="cursor",
            project="made",
            client_session_id=str(number),
            started_at=at,
            updated_at=at,
            goal=chance.choice(lines),
            work_completed=some(6),
            work_pending=some(3),
            decisions=some(5),
            work_summary=some(14),
            files=tuple(
                FileChange(f"src/{a}/{b}_{c}.py".lower(), Change.MODIFIED)
                for a, b, c in files
            ),
        )


def sentences(shortest: int, longest: int) -> list[str]:
    """Lines of the standard library's documentation, by their number of words."""
    warnings.simplefilter("ignore")
    found = {line.strip() for text in _documentation() for line in text.splitlines()}
    return sorted(s for s in found if shortest <= len(s.split()) <= longest)


def _documentation() -> Iterator[str]:
    for name in MODULES.split():
        module = importlib.import_module(name)
        for thing in [module, *vars(module).values()]:
            members = list(vars(thing).values()) if inspect.isclass(thing) else []
            for documented in [thing, *members]:
                text = getattr(documented, "__doc__", None)
                if isinstance(text, str):
                    yield text


def _session(row: dict[str, Any], leak: re.Pattern[str], prose: bool) -> Session:
    texts = [*row["prompts"], *(row["assistant"] if prose else [])]
    goal, *rest = [leak.sub(" ", text) for text in texts] or [""]
    return Session(
        id=row["id"],
        tool="claude-code",
        project="bench",
        client_session_id=row["id"],
        started_at=datetime.fromisoformat(row["first"]),
        updated_at=datetime.fromisoformat(row["last"]),
        branch=row["branch"],
        goal=goal,
        goal_source=GoalSource.DERIVED,
        work_summary=tuple(rest),
        files=tuple(FileChange(path, Change.MODIFIED) for path in row["files"]),
    )


def _told(conversation: dict[str, Any], number: int) -> Session:
    turns = conversation[f"session_{number}"]
    return Session(
        id=f"D{number}",
        tool="people",
        project="locomo",
        client_session_id=f"D{number}",
        started_at=NOW + timedelta(days=number),
        updated_at=NOW,
        work_summary=(
            conversation[f"session_{number}_date_time"],
            *(f"{t['speaker']} {t['text']} {t.get('blip_caption', '')}" for t in turns),
        ),
    )


def _questions(rows: list[dict[str, Any]]) -> Iterator[Asked]:
    for row in rows:
        gold = frozenset(re.findall(r"D\d+(?=:)", " ".join(row["evidence"])))
        if gold:
            yield Asked(row["question"], gold)


def _words_of(session: Session) -> set[str]:
    texts = [session.goal, *session.work_summary, *(f.path for f in session.files)]
    return {fold(token) for text in texts for token in tokens(text)}


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]
