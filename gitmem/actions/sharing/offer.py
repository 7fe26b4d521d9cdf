"""What would leave if memory were shared: how much, whose, and what is amiss."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

from gitmem.model.redaction import redact
from gitmem.model.session import Session
from gitmem.model.whose import name_in
from gitmem.store.exchange.remote import Remote
from gitmem.store.trees import conversations
from gitmem.store.trees.conversations import Conversations
from gitmem.store.trees.memory import Memory
from gitmem.workspace import Workspace

Show = Callable[[int, int], None]
"""Is called with (done, total)."""

_MARK = re.compile(r"\[REDACTED(?::(?P<rule>[\w-]+))?\]")
_PRIVATE = "private"
"""The rule by which `<private>` text goes."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A session that has what would be redacted if it were saved today."""

    session_id: str
    rules: tuple[str, ...]
    """The names of the rules that see something; what they see is told nowhere."""


@dataclass(frozen=True, slots=True)
class Offer:
    sessions: int
    authors: tuple[tuple[str, int], ...]
    """Names and how many sessions each began; those who began most come first."""
    since: date | None
    """When the first session began; None where there is none."""
    conversations: int
    suspects: tuple[Suspect, ...]


def offered(workspace: Workspace, remote: Remote, show: Show) -> Offer:
    """What of this repository would go to the remote, with all its history."""
    memory = workspace.drained_memory()
    ids = list(memory.ids())
    said = workspace.conversations if conversations.REF in remote.refs else None
    authors: Counter[str] = Counter()
    suspects = []
    for number, session_id in enumerate(ids, 1):
        if session := memory.readable(session_id):
            authors[name_in(session.author)] += 1
            texts = _texts(memory, session, said)
            if rules := {rule for text in texts for rule in _rules_that_see(text)}:
                suspects.append(Suspect(session_id, tuple(sorted(rules))))
        show(number, len(ids))
    return Offer(
        sessions=len(ids),
        authors=tuple((name, n) for name, n in authors.most_common() if name),
        since=date.fromisoformat(min(ids)[:10]) if ids else None,
        conversations=len(said.differing_ids(None)) if said else 0,
        suspects=tuple(suspects),
    )


def _texts(
    memory: Memory, session: Session, said: Conversations | None
) -> Iterator[str]:
    yield memory.document(session.id) or ""
    if said:
        yield said.text(session) or ""


def _rules_that_see(text: str) -> Iterator[str]:
    """The rules that would still change a text that was redacted when it was saved."""
    clean = redact(text)
    if clean != text:
        found = (mark["rule"] or _PRIVATE for mark in _MARK.finditer(clean))
        there = (mark["rule"] or _PRIVATE for mark in _MARK.finditer(text))
        yield from (Counter(found) - Counter(there)).keys() or [_PRIVATE]
