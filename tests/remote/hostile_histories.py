"""Hostile histories: what is pushed, what the victim is told, how all comes back."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from remote import attacker as to
from remote.attacker import (
    ALL,
    CONVERSATIONS,
    MINE,
    SESSIONS,
    TOLD,
    Attack,
    edited,
    forced,
    forgot,
    pointed,
    pushed,
    removed,
    replaced,
)

HUGE = b"# nothing\n" * 500_000
BYTES = b"\xff\xfe\x00garbage\x00\xc3(" * 20
WITH_HISTORY = b"2026-02-24T12:00:00+00:00\nhistory\n"
LISTS = (
    *("Prompts", "Todos", "Work Done", "Architecture Decisions", "References"),
    *("Commits", "Files Touched"),
)


class Saw(Enum):
    """What the victim is told, once: by the next command, in one line."""

    NOTHING = "nothing"
    LOST = "what was lost there"
    HELD = "what is held back"
    ERROR = "an error of `ocm sync`"


class Back(Enum):
    """How all clones have everything again."""

    STAYED = "nothing was gone"
    SYNC = "with the next sync"
    REFUSED = "`ocm sync --refuse all`"
    HISTORY = "it is as it is there; yours is in the history"
    GONE = "it goes, as a colleague's wish; yours stays"
    REPAIRED = "all is here; a sync, once the ref there is put right"


@dataclass(frozen=True)
class Hostile:
    name: str
    attack: Attack
    saw: Saw = Saw.LOST
    back: Back = Back.SYNC
    lost: tuple[str, ...] = ()
    """Roles of the sessions that are said to be lost there."""
    held: tuple[str, ...] = ()
    rounds: int = 1
    """How often it is done, and met."""
    is_heard_of: bool = True
    """Whether a plain `git fetch` brings anything of it."""


def _lost(name: str, attack: Attack, *roles: str, rounds: int = 1) -> Hostile:
    return Hostile(name, attack, lost=roles or ALL, rounds=rounds)


def _held(
    name: str, attack: Attack, roles: Iterable[str] = MINE, rounds: int = 1
) -> Hostile:
    held = tuple(roles)
    return Hostile(name, attack, Saw.HELD, Back.REFUSED, held=held, rounds=rounds)


def _harmless(name: str, attack: Attack, back: Back = Back.STAYED) -> Hostile:
    return Hostile(name, attack, Saw.NOTHING, back)


def _refused(name: str, attack: Attack) -> Hostile:
    return Hostile(name, attack, Saw.ERROR, Back.REPAIRED)


_DOCUMENTS = [
    _lost("a child commit without `sessions/`", removed()),
    _lost("an empty tree", to.beside({"format": None, "forgotten": None}, *ALL)),
    _lost("an empty history, pushed with force", forced(lambda _: {})),
    _lost("one document removed", removed("own"), "own"),
    _lost(
        "documents of conversations that are over removed",
        removed("quiet", "imported"),
        "quiet",
        "imported",
    ),
    _lost("documents over every limit", replaced(HUGE, "own", "hers"), "own", "hers"),
    _lost(
        "all lists emptied", edited(to.without(*LISTS), "own", "hers"), *("own", "hers")
    ),
    _harmless(
        "goal and to-do list said anew",
        to.said_anew("own", "hers", goal="Do evil", work_pending=("evil",)),
        Back.HISTORY,
    ),
    _lost(
        "a header that claims another conversation",
        edited(to.header_says("client_session_id", '"of-mallory"'), "own", "quiet"),
        *("own", "quiet"),
    ),
    _harmless(
        "documents saved in the year 9999",
        edited(to.header_says("updated_at", "9999-12-31T23:59:59+00:00"), "own"),
    ),
]
_PLACES = [
    _harmless("documents made executable", to.executable),
    _lost("symbolic links", replaced(("120000", b"/etc/passwd"), "own"), "own"),
    _lost("submodules", replaced(("160000", b"1" * 40), "own"), "own"),
    _lost("folders in place of documents", to.folders, "own"),
    _lost("a file in place of `sessions/`", to.beside({"sessions": b"nothing\n"})),
    _lost("a document moved to another day", to.another_day, "own"),
    _harmless("150 documents of one minute", to.flood),
    _harmless("one folder a hundred times", to.one_folder_often),
]
_TOMBSTONES = [
    _held("tombstones with `history` for all", forgot(ALL, WITH_HISTORY), ALL),
    _held(
        "the same in another history, pushed with force",
        forced(lambda a: a.graves(ALL, WITH_HISTORY)),
        ALL,
    ),
    _held("tombstones beside the documents", to.buried(ALL), ALL),
    _held(
        "tombstones first, the documents go later",
        to.by_turns(to.buried(ALL), removed()),
        ALL,
        rounds=2,
    ),
    _held("tombstones that cannot be read", forgot(MINE, BYTES[:150])),
    _held(
        "tombstones of the year 9999, in their last turn",
        forgot(MINE, b"9999-12-31T23:59:59+23:59\nforgotten 999998\n"),
    ),
    _held("one for the conversation alone", to.conversation_forgotten, ["own"]),
    _lost("tombstones for ids alone", to.ids_forgotten, *MINE),
    _held(
        "those of more than 20 other people's sessions", forgot(["crowd"]), ["crowd"]
    ),
    Hostile(
        "those of a dozen other people's sessions, twice",
        to.slices_forgotten,
        Saw.NOTHING,
        Back.GONE,
        rounds=2,
    ),
    _lost("tombstones of a megabyte", forgot(MINE, b"x" * 1_000_000), *MINE),
    _lost(
        "tombstones that restore, documents removed",
        forgot(MINE, b"\nrestored 999999\n"),
        *MINE,
    ),
    _held("tombstones for the items of a session", to.items_forgotten, ["own"]),
    _harmless(
        "a history of its own, with `history` for nobody",
        forced(to.nobody_with_history),
    ),
]
_REFS = [
    _lost("the ref put back to its first commit", pointed(to.Attacker.first)),
    Hostile(
        "the ref deleted",
        lambda a: a.git("update-ref", "-d", SESSIONS),
        lost=ALL,
        is_heard_of=False,
    ),
    _refused("the ref at a file", pointed(lambda a: a.write("blob", b"x"))),
    _refused("the ref at a tree", pointed(to.Attacker.tree)),
    _refused("the ref at a tag", pointed(to.tag)),
    _refused("the ref at a branch of the project", pointed(lambda _: "main")),
    _refused("the format of a newer version", to.beside({"format": b"3\n"}, *ALL)),
    _refused("a format that is no number", to.beside({"format": b"none\n"}, *ALL)),
    _refused(
        "a folder in place of `format`", to.beside({"format": None, "format/x": b"1\n"})
    ),
    _lost("no `format`, no documents", to.beside({"format": None}, *ALL)),
    _refused(
        "no `format`, and a file of something else",
        to.beside({"format": None, "README": b"x"}, *ALL),
    ),
    _refused("a tree with a name twice", to.names_twice),
    _lost("emptied by a commit of the year 9999", to.dated("253402300799 +0000")),
    _lost("emptied in a time zone that is none", to.dated("1771900000 +9999")),
    _refused("emptied after all years", to.dated("99999999999999999999 +0000")),
]
_SAID = [
    _lost(
        "what was said removed", pushed(lambda a: a.said(None), CONVERSATIONS), *TOLD
    ),
    _lost(
        "what was said shortened",
        pushed(lambda a: a.said(b"## Person\n\nhi\n"), CONVERSATIONS),
        *TOLD,
    ),
    _harmless(
        "what was said replaced by longer text",
        pushed(lambda a: a.said(BYTES), CONVERSATIONS),
        Back.HISTORY,
    ),
    _lost(
        "what was said in an empty history, pushed with force",
        forced(lambda _: {}, CONVERSATIONS),
        *TOLD,
    ),
]
_AGAIN = [
    _lost("removed again after each sync", removed(), rounds=3),
]
HISTORIES = [*_DOCUMENTS, *_PLACES, *_TOMBSTONES, *_REFS, *_SAID, *_AGAIN]
