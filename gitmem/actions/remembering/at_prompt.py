"""What clearly answers a prompt, found without opening a workspace.

That takes longer than all of this. Where an index has yet to learn something, a
workspace brings it up to date.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.actions.remembering.statement import PROJECT, in_one_line
from gitmem.config import Environment, current_time
from gitmem.documents.authors import Circle
from gitmem.documents.kinds import MEMORY, SESSION
from gitmem.documents.memory.kind import ACTIVE
from gitmem.documents.memory.memory import Category, Memory, same_words
from gitmem.documents.session.index import STATING
from gitmem.errors import GitmemError
from gitmem.frozen import frozen
from gitmem.git.command import RefusedError, answer_in
from gitmem.git.layout import own_dir
from gitmem.git.opening import open_known
from gitmem.search.folder import UnusableError, opened
from gitmem.search.index import Index
from gitmem.search.likeness import words_of
from gitmem.search.queries.query import MOST_CHARACTERS, Query, of_words
from gitmem.store.journal.journal import journal_of
from gitmem.store.known import bare_places, note_silent_sessions
from gitmem.store.trees.committing import circle_in
from gitmem.store.trees.document_tree import DocumentTree
from gitmem.store.trees.tree_changes import other_tips
from gitmem.text.code_names import names_in
from gitmem.text.counting import NOT_ENGLISH

if TYPE_CHECKING:
    from gitmem.workspace import Workspace

_LOOKED_AT = 10
"""Documents of a kind that have most words of the question."""
_CLEAR = 0.05
"""So few statements share with the question by chance what a clear one shares."""
_USUAL = 12
"""Words of a text; longer ones share more by chance."""
_REFS = (MEMORY.ref, SESSION.ref)
_MOST_RULES = 3
_MOST_CHANGED = 50
"""Memories that are looked into for rules when many arrive at once."""
_RULES = frozenset({Category.CONSTRAINT, Category.CONVENTION, Category.PREFERENCE})
_TOLD = frozenset({"decision", "constraint", "failed"})
"""Kinds of statements of sessions."""


class _BehindError(Exception):
    """An index has yet to learn something."""


_UNREADABLE = (_BehindError, UnusableError, GitmemError, RefusedError, OSError)


@frozen
class ClearStatement:
    chance: float
    """How many statements would share as much with the question by chance."""
    text: str
    line: str


@frozen
class _Scope:
    """A repository that has memories: that of the work tree, or a space."""

    name: str
    common_dir: Path
    memories: str
    """The commit of the memories, "" for none."""
    sessions: str = ""
    branch: str | None = None
    """That of the work tree, "" for none; None in a space."""


@dataclass
class AtPrompt:
    """Somebody at a prompt in a work tree."""

    environment: Environment
    root: Path
    common_dir: Path
    question: str = ""
    """The first prompt of the conversation, the latest one, and the files at hand."""

    def __post_init__(self) -> None:
        self._scopes = [*self._found_scopes()]
        question = self.question[:MOST_CHARACTERS]
        self._names = names_in(question)
        self._words = {*filter(_is_topical, words_of(question) - NOT_ENGLISH)}

    @property
    def state(self) -> str:
        """What commits the memories are at, by their scopes."""
        return ",".join(f"{each.name}={each.memories}" for each in self._scopes)

    def new_rules(self, before: str, client_session_id: str) -> list[str]:
        """Return lines for rules that arrived since a state, but not from here."""
        tips = dict(part.split("=", 1) for part in before.split(",") if "=" in part)
        here, lines = f"session:{client_session_id}", []
        for scope in self._scopes:
            if tips.get(scope.name, scope.memories) != scope.memories:
                with suppress(*_UNREADABLE):
                    changed = self._changed_since(scope, tips[scope.name])
                    lines += [_line(m) for m in changed if here not in m.sources]
        return lines[:_MOST_RULES]

    def clear_lines(self, open_workspace: Callable[[], "Workspace"]) -> list[str]:
        """Return a line for each statement that clearly answers, the surest first."""
        try:
            clear = self._clear()
        except _UNREADABLE:
            _catch_up(open_workspace())
            self._scopes, clear = [*self._found_scopes()], []
            with suppress(*_UNREADABLE):  # an index may be kept nowhere
                clear = self._clear()
        lines: dict[str, str] = {}
        for each in sorted(clear, key=lambda each: each.chance):
            lines.setdefault(same_words(each.text), each.line)
        return [*lines.values()]

    def _clear(self) -> list[ClearStatement]:
        """Raises _BehindError, UnusableError, and as git does."""
        return [each for scope in self._scopes for each in self._clear_in(scope)]

    def _clear_in(self, scope: _Scope) -> Iterator[ClearStatement]:
        index = _index_of(scope)
        shares = index.shares(self._words)
        tree, own = self._memories(scope)
        for hit in index.nearest_hits(_active(scope.branch), shares, limit=_LOOKED_AT):
            chance = self._chance(hit.title, shares) * index.documents
            if chance < _CLEAR and own.trusts(hit.author):
                memory = tree.readable(hit.id)
                if memory and memory.is_current(current_time()):
                    yield ClearStatement(chance, hit.title, _line(memory))
        stating = of_words("", SESSION.name, ((STATING,),))
        for hit in index.nearest_hits(stating, shares, limit=_LOOKED_AT):
            for reference, kind, text, *_ in hit.stated:
                chance = self._chance(text, shares) * index.documents
                if chance < _CLEAR and kind in _TOLD and own.trusts(hit.author):
                    line = in_one_line(kind, text, reference)
                    yield ClearStatement(chance, text, line)
        if scope.sessions and not index.search(stating, limit=1):
            note_silent_sessions(scope.common_dir)

    def _chance(self, text: str, shares: Mapping[str, float]) -> float:
        """Return how likely a text shares as much with the question by chance."""
        if any(_is_same_name(*pair) for pair in product(names_in(text), self._names)):
            return 0.0
        words = words_of(text)
        crowd = max(1.0, len(words) / _USUAL) * max(1.0, len(self._words) / _USUAL)
        return prod(min(shares[word] * crowd, 1.0) for word in words & shares.keys())

    def _changed_since(self, scope: _Scope, before: str) -> Iterator[Memory]:
        """Yield rules that differ from those of another commit. Raises Damaged."""
        tree, own = self._memories(scope)
        changed = sorted(tree.differing_ids(tree.at(before or None)))
        for memory in filter(None, map(tree.readable, changed[:_MOST_CHANGED])):
            is_here = memory.branch in ("", scope.branch)
            is_rule = memory.kind in _RULES and memory.is_current(current_time())
            if is_rule and is_here and own.trusts(memory.author):
                yield memory

    def _memories(self, scope: _Scope) -> tuple[DocumentTree[Memory], Circle]:
        variables = self.environment.variables
        git = there = open_known(self.common_dir, self.root, variables)
        own = circle_in(git)
        if scope.branch is None:
            there = open_known(scope.common_dir, None, variables)
            own = circle_in(there).joined(own)
        return DocumentTree(MEMORY, there, scope.memories or None), own

    def _found_scopes(self) -> Iterator[_Scope]:
        """Raises RefusedError."""
        tips, head = self._tips(self.common_dir), ""
        with suppress(RefusedError):  # HEAD may be detached
            head = self._git(self.root, "symbolic-ref", "--quiet", "HEAD").strip()
        branch = head.removeprefix("refs/heads/")
        commits = (tips.get(MEMORY.ref, ""), tips.get(SESSION.ref, ""))
        yield _Scope(PROJECT, self.common_dir, *commits, branch)
        for space in bare_places(self.common_dir, self.environment.spaces):
            yield _Scope(space.stem, space, self._tips(space).get(MEMORY.ref, ""))

    def _tips(self, common_dir: Path) -> dict[str, str]:
        asked = ("for-each-ref", "--format=%(refname) %(objectname)", *_REFS)
        lines = self._git(common_dir, f"--git-dir={common_dir}", *asked).splitlines()
        return dict(line.split(" ") for line in lines)

    def _git(self, folder: Path, *question: str) -> str:
        answer = answer_in(folder, [*question], self.environment.variables)
        return answer.decode("utf-8", "replace")


def _index_of(scope: _Scope) -> Index:
    """Raises _BehindError and UnusableError."""
    there = scope.common_dir
    if next(journal_of(there, MEMORY).unreplayed(), None) is not None:
        raise _BehindError
    index = Index(opened(there / "ocm-index"), None, own_dir(there) / "index.lock")
    tip = index.tip or ""
    sessions = tip.partition(";")[0].partition(" ")[0]
    known = other_tips(tip).get(MEMORY.name, "")
    if (known, sessions) != (scope.memories, scope.sessions):
        raise _BehindError
    return index


def _catch_up(workspace: "Workspace") -> None:
    from gitmem.actions.any_kind import current
    from gitmem.actions.reading.catch_up import ask_index
    from gitmem.actions.remembering.places import places

    for place in places(workspace, None, []):
        with suppress(GitmemError, OSError):
            current(place.workspace, MEMORY)
            ask_index(place.workspace, lambda _: None)


def _active(branch: str | None) -> Query:
    branches = tuple(f"branch:{each}" for each in sorted({"", branch or ""}))
    return of_words("", MEMORY.name, ((ACTIVE,), branches))


def _line(memory: Memory) -> str:
    return in_one_line(memory.kind, memory.title, memory.id)


def _is_topical(word: str) -> bool:
    return len(word) > 2 or not word.isascii()


def _is_same_name(one: str, other: str) -> bool:
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")
