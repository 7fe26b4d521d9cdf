"""What became of others' deletions, kept until somebody was told.

Whoever takes in what was fetched may be a hook, which says nothing.
"""

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from gitmem.documents.session.identity import is_session_id
from gitmem.git.files import read_own, replace_file
from gitmem.store.journal.journal import Journal
from gitmem.store.remote.held_back import Consent
from gitmem.store.remote.merge_result import Taken

_MOST = 1000
"""Ids that are kept of each kind."""


@dataclass(frozen=True, slots=True)
class Unsaid:
    remote: str = ""
    lost: tuple[str, ...] = ()
    """Ids of sessions that the remote had no more, or had less of; all is kept here."""
    held: tuple[str, ...] = ()
    """Ids of sessions that others forgot, and that wait for the user's decision."""
    is_held_said: bool = False

    @property
    def is_nothing(self) -> bool:
        return not (self.lost or self.held)


def read_unsaid(own_dir: Path) -> Unsaid:
    with suppress(OSError, ValueError, TypeError, KeyError):
        found = json.loads(read_own(_file(own_dir)))
        return Unsaid(
            str(found["remote"]),
            _ids(found["lost"]),
            _ids(found["held"]),
            bool(found["is_held_said"]),
        )
    return Unsaid()


def consent_in(own_dir: Path) -> Consent:
    """Which sessions others may forget here, where the user accepts none now."""
    return Consent(Journal(own_dir / "journal"), waiting=read_unsaid(own_dir).held)


def write_unsaid(own_dir: Path, unsaid: Unsaid) -> None:
    """Nothing fails because it cannot be kept."""
    with suppress(OSError):
        if unsaid.is_nothing:
            _file(own_dir).unlink(missing_ok=True)
        else:
            replace_file(_file(own_dir), json.dumps(asdict(unsaid)).encode())


def note_unsaid(own_dir: Path, remote: str, taken: Iterable[Taken]) -> None:
    """Keep what is to be said of what was taken in."""
    before, held, lost = read_unsaid(own_dir), set[str](), set[str]()
    for one in taken:
        held |= {each.session_id for each in one.held}
        lost |= one.lost
    now = Unsaid(
        remote,
        tuple(sorted(lost.union(before.lost))[:_MOST]),
        tuple(sorted(held)[:_MOST]),
        before.is_held_said and held <= {*before.held},
    )
    if now != before:
        write_unsaid(own_dir, now)


def _ids(found: list[str]) -> tuple[str, ...]:
    return tuple(filter(is_session_id, found))


def _file(own_dir: Path) -> Path:
    return own_dir / "unsaid.json"
