"""What becomes of each text that two clones have in different versions."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from gitmem.model.document import DOCUMENT_LIMIT, render
from gitmem.model.merging import settled, stem_of
from gitmem.model.reader import parse
from gitmem.redaction.redact import seal
from gitmem.store.exchange.strangers import Difference
from gitmem.store.git.values import FILE_MODE, Content, Oid, TreeEntry
from gitmem.store.trees import forgotten
from gitmem.store.trees.conversations import ConversationTree
from gitmem.store.trees.day_tree import DayTree
from gitmem.store.trees.memory import Memory

T = TypeVar("T", bound=DayTree)


@dataclass(frozen=True, slots=True)
class Sides(Generic[T]):
    ours: T
    theirs: T
    base: T
    """Where the two parted; empty where that is not known."""
    found: Difference

    def versions(self, session_id: str) -> list[TreeEntry]:
        """None where it goes, two where both changed it, else one.

        What one side removed and the other changed stays.
        """
        ours, theirs = self._both(session_id)
        base = _oid(self.base.entry(session_id))
        if base in (ours, theirs):
            ours, theirs = (theirs, None) if ours == base else (ours, None)
        return [_file(oid) for oid in dict.fromkeys((ours, theirs)) if oid]

    def contested_stems(self) -> set[str]:
        """Those under which both sides changed something."""
        stems: tuple[set[str], set[str]] = set(), set()
        for session_id, versions in self.found.texts.items():
            base = _oid(self.base.entry(session_id))
            for changed, version in zip(stems, versions, strict=True):
                if version != base:
                    changed.add(stem_of(session_id))
        return stems[0] & stems[1]

    def burying(self) -> list[T]:
        """Those of the two that have tombstones."""
        return [one for one in (self.ours, self.theirs) if one.folder(forgotten.ROOT)]

    def _both(self, session_id: str) -> tuple[Oid | None, Oid | None]:
        same = _oid(self.ours.entry(session_id))
        return self.found.texts.get(session_id, (same, same))


def settled_conversations(
    sides: Sides[ConversationTree], memory: Memory
) -> dict[str, Content]:
    """By session id. Of two versions the longer one is kept.

    `memory` says which sessions are forgotten.
    """
    gone = {each for each in sides.found.texts if forgotten.is_id_gone(memory, each)}
    return {
        each: None if each in gone else _longest(sides, sides.versions(each))
        for each in sides.found.texts
    }


def settled_documents(sides: Sides[Memory]) -> dict[str, Content]:
    """By session id; ids may be among them that neither side had."""
    contested = sides.contested_stems()
    contents: dict[str, Content] = {
        each: next(iter(_unforgotten(sides, each)), None)
        for each in sides.found.texts
        if stem_of(each) not in contested
    }
    for ids in _ids_of_stems(sides, contested):
        contents |= _put_together(sides, ids)
    return contents


def settled_tombstones(sides: Sides[T]) -> dict[str, Content]:
    """By path. All stay; of two versions the one that tells more, or the earlier."""
    both = {
        path: _telling_most(sides, [_file(oid) for oid in versions if oid])
        for path, versions in sides.found.tombstones.items()
        if any(versions)
    }
    return {**_of_other_ids(sides), **both}


def _of_other_ids(sides: Sides[T]) -> dict[str, Content]:
    """Tombstones for ids that a forgotten session had where nobody knew of it.

    What was said in it is known by its ids alone.
    """
    found: dict[str, Content] = {}
    memories = sides.burying()
    for session_id, text in _differing_texts(sides) if memories else ():
        path = forgotten.tombstone_path_of(session_id, text)
        told = [*filter(None, (memory.file(path) for memory in memories))]
        paths = (
            forgotten.tombstone_paths_of_ids(parse(session_id, text)) if told else ()
        )
        for each in paths:
            if not any(memory.file(each) for memory in memories):
                found[each] = _telling_most(sides, told)
    return found


def _differing_texts(sides: Sides[T]) -> Iterator[tuple[str, str]]:
    for session_id, versions in sides.found.texts.items():
        for oid in filter(None, versions):
            yield session_id, sides.ours.content(_file(oid))


def _telling_most(sides: Sides[T], tombstones: list[TreeEntry]) -> TreeEntry:
    def less_and_later(file: TreeEntry) -> tuple[bool, str]:
        text = sides.ours.content(file)
        return not forgotten.read_tombstone(text).with_history, text

    return min(tombstones, key=less_and_later)


def _oid(file: TreeEntry | None) -> Oid | None:
    return file.oid if file else None


def _file(oid: Oid) -> TreeEntry:
    return TreeEntry(oid, FILE_MODE)


def _longest(sides: Sides[T], versions: list[TreeEntry]) -> TreeEntry | None:
    """Of texts of one length the greater one."""
    if len(versions) < 2:
        return versions[0] if versions else None

    def length_and_text(file: TreeEntry) -> tuple[int, str]:
        text = sides.ours.content(file)
        return len(text), text

    return max(versions, key=length_and_text)


def _unforgotten(sides: Sides[Memory], session_id: str) -> list[TreeEntry]:
    """Versions of a session that has no tombstone, neither here nor there."""
    memories = sides.burying()

    def is_forgotten(file: TreeEntry) -> bool:
        path = forgotten.tombstone_path_of(session_id, sides.ours.content(file))
        return any(memory.file(path) for memory in memories)

    versions = sides.versions(session_id)
    return [each for each in versions if not memories or not is_forgotten(each)]


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

    A text that says what comes out stays as it is. Where no reader would take what
    comes out, the longer version of each is kept; history has the other.
    """
    versions = {each: _unforgotten(sides, each) for each in ids}
    files = [(each, file) for each, some in versions.items() for file in some]
    files.sort(key=lambda named: named[1].oid, reverse=True)
    texts = [sides.ours.content(file) for _, file in files]
    longest: dict[str, Content] = {
        each: _longest(sides, some) for each, some in versions.items()
    }
    if sum(map(_size, texts)) > DOCUMENT_LIMIT:  # nor is so much redacted in time
        return longest
    known = {
        parse(each, text): file for (each, file), text in zip(files, texts, strict=True)
    }
    contents: dict[str, Content] = dict.fromkeys(versions)
    for session in settled(known):
        if file := known.get(session):
            contents[session.id] = file
        elif _size(text := seal(session, render)) > DOCUMENT_LIMIT:
            return longest
        else:
            contents[session.id] = text
    return contents


def _size(text: str) -> int:
    """In bytes."""
    return len(text.encode())
