"""What becomes of each text that two clones have in different versions."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from gitmem.model.document import render
from gitmem.model.merging import settled, stem_of
from gitmem.model.reader import parse
from gitmem.model.redaction import seal
from gitmem.store import forgotten
from gitmem.store.conversations import ConversationTree
from gitmem.store.day_tree import DayTree
from gitmem.store.memory import Memory
from gitmem.store.repository import Content, Oid, TreeEntry
from gitmem.store.strangers import Difference

T = TypeVar("T", bound=DayTree)
_FILE = 0o100644


@dataclass(frozen=True, slots=True)
class Sides(Generic[T]):
    ours: T
    theirs: T
    base: T
    """Where the two parted; empty where that is not known."""
    found: Difference

    def versions(self, session_id: str) -> list[Oid]:
        """None where it goes, two where both changed it, else one.

        What one side removed and the other changed stays.
        """
        ours, theirs = self._both(session_id)
        base = oid_of(self.base.entry(session_id))
        if base in (ours, theirs):
            ours, theirs = (theirs, None) if ours == base else (ours, None)
        return [*dict.fromkeys(filter(None, (ours, theirs)))]

    def contested_stems(self) -> set[str]:
        """Those under which both sides changed something."""
        stems: tuple[set[str], set[str]] = set(), set()
        for session_id, versions in self.found.texts.items():
            base = oid_of(self.base.entry(session_id))
            for changed, version in zip(stems, versions, strict=True):
                if version != base:
                    changed.add(stem_of(session_id))
        return stems[0] & stems[1]

    def _both(self, session_id: str) -> tuple[Oid | None, Oid | None]:
        same = oid_of(self.ours.entry(session_id))
        return self.found.texts.get(session_id, (same, same))


def settled_conversations(
    sides: Sides[ConversationTree], memory: Memory
) -> dict[str, Content]:
    """By session id. Of two versions the longer one is kept.

    `memory` says which sessions are forgotten.
    """
    return {
        each: None
        if forgotten.is_id_forgotten(memory, each)
        else _longest(sides, sides.versions(each))
        for each in sides.found.texts
    }


def settled_documents(sides: Sides[Memory]) -> dict[str, Content]:
    """By session id; ids may be among them that neither side had."""
    contested = sides.contested_stems()
    contents: dict[str, Content] = {
        each: _alone(sides, each)
        for each in sides.found.texts
        if stem_of(each) not in contested
    }
    for ids in _ids_of_stems(sides, contested):
        contents |= _put_together(sides, ids)
    return contents


def settled_tombstones(sides: Sides[T]) -> dict[str, Content]:
    """By path. All stay; of two versions the one that tells more, or the earlier."""
    return {
        path: min(
            (file_of(oid) for oid in versions if oid),
            key=lambda file: _order(sides.ours.content(file)),
        )
        for path, versions in sides.found.tombstones.items()
        if any(versions)
    }


def oid_of(content: Content) -> Oid | None:
    return content.oid if isinstance(content, TreeEntry) else None


def file_of(oid: Oid) -> TreeEntry:
    return TreeEntry(oid, _FILE)


def _order(tombstone: str) -> tuple[bool, str]:
    return not forgotten.read_tombstone(tombstone).with_history, tombstone


def _longest(sides: Sides[ConversationTree], versions: list[Oid]) -> TreeEntry | None:
    files = map(file_of, versions)
    if len(versions) < 2:
        return next(files, None)

    def length_and_text(file: TreeEntry) -> tuple[int, str]:
        text = sides.ours.content(file)
        return len(text), text

    return max(files, key=length_and_text)


def _alone(sides: Sides[Memory], session_id: str) -> TreeEntry | None:
    """What only one side changed, and nobody forgot."""
    for oid in sides.versions(session_id):
        file = file_of(oid)
        if not _is_buried(sides, session_id, file):
            return file
    return None


def _is_buried(sides: Sides[Memory], session_id: str, file: TreeEntry) -> bool:
    memories = [m for m in (sides.ours, sides.theirs) if m.folder(forgotten.ROOT)]
    if not memories:
        return False
    path = forgotten.tombstone_path_of(session_id, sides.ours.content(file))
    return any(memory.file(path) for memory in memories)


def _ids_of_stems(sides: Sides[Memory], stems: set[str]) -> Iterator[set[str]]:
    """All ids of each stem."""
    by_stem: dict[str, set[str]] = {stem: set() for stem in stems}
    days = {stem[:10] for stem in stems}
    here = (each for day in days for each in sides.ours.ids_of_day(day))
    for session_id in (*here, *sides.found.texts):
        if (stem := stem_of(session_id)) in by_stem:
            by_stem[stem].add(session_id)
    yield from by_stem.values()


def _put_together(sides: Sides[Memory], ids: Iterable[str]) -> dict[str, Content]:
    """Sessions that may be one another, whatever ids clones gave them.

    A text that says what comes out stays as it is.
    """
    contents: dict[str, Content] = dict.fromkeys(ids)
    files = ((each, file_of(oid)) for each in contents for oid in sides.versions(each))
    kept = [(each, file) for each, file in files if not _is_buried(sides, each, file)]
    kept.sort(key=lambda named: named[1].oid, reverse=True)
    texts = {parse(each, sides.ours.content(file)): file for each, file in kept}
    for session in settled(texts):
        contents[session.id] = texts.get(session) or seal(session, render)
    return contents
