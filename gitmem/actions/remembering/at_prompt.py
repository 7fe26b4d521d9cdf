"""What clearly answers a prompt, found without opening a workspace.

That takes longer than all of this. Where an index has yet to learn something, a
workspace brings it up to date.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.actions.remembering.corrections import (
    Claim,
    corrections,
    memory_claim,
    statement_claim,
    statements_of,
)
from gitmem.actions.remembering.statement import PROJECT, in_one_line
from gitmem.config import Environment, current_time
from gitmem.documents.authors import Trust
from gitmem.documents.kinds import MEMORY, SESSION
from gitmem.documents.memory.kind import ACTIVE
from gitmem.documents.memory.memory import RULES, Memory, same_words
from gitmem.documents.session.index import STATING
from gitmem.documents.session.statements import OPEN_KINDS, SAID
from gitmem.errors import GitmemError
from gitmem.frozen import frozen
from gitmem.git.command import RefusedError, answer_in
from gitmem.git.layout import own_dir
from gitmem.git.opening import open_known
from gitmem.redaction.redact import redact
from gitmem.search.folder import UnusableError, open_index
from gitmem.search.index import Index
from gitmem.search.likeness import words_of
from gitmem.search.queries.query import MOST_CHARACTERS, of_words
from gitmem.store.journal.journal import journal_of
from gitmem.store.known import bare_places, note_silent_sessions
from gitmem.store.trees.committing import configured_trust, present_branch
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
_TIPS, _REFS = "--format=%(refname) %(objectname)", (MEMORY.ref, SESSION.ref)
_MOST_RULES = 3
_MOST_CHANGED = 50
"""Memories that are looked into for rules when many arrive at once."""
_NOT_TOLD = OPEN_KINDS | {SAID}
"""Kinds of statements of sessions."""


class _BehindError(Exception):
    """An index has yet to learn something."""


_UNREADABLE = (_BehindError, UnusableError, GitmemError, RefusedError, OSError)


@frozen
class _Scope:
    """A repository that has memories: that of the work tree, or a space."""

    name: str
    common_dir: Path
    memories: str
    """The commit of the memories, "" for none."""
    sessions: str = ""
    branch: str | None = None
    """Branch of the work tree, "" for none; None in a space."""


@dataclass
class AtPrompt:
    """Somebody at a prompt in a work tree."""

    environment: Environment
    root: Path
    common_dir: Path
    client_session_id: str = ""
    question: str = ""
    """The files at hand, the first prompt of the conversation, and the latest one."""

    def __post_init__(self) -> None:
        question = self.question[:MOST_CHARACTERS]
        words = words_of(question) - NOT_ENGLISH
        self._words = {word for word in words if len(word) > 2 or not word.isascii()}
        self._names = names_in(question)
        self._git = open_known(self.common_dir, self.root, self.environment.variables)
        self._scopes = [*self._found_scopes()]

    @property
    def state(self) -> str:
        """The commits of the memories, by their scopes."""
        return ",".join(f"{scope.name}={scope.memories}" for scope in self._scopes)

    def new_rules(self, before: str) -> list[str]:
        """Return lines for rules that others stated since a state."""
        tips = dict(part.split("=", 1) for part in before.split(",") if "=" in part)
        moved = [s for s in self._scopes if tips.get(s.name, s.memories) != s.memories]
        with suppress(*_UNREADABLE):
            rules = (self._rules_since(scope, tips[scope.name]) for scope in moved)
            return [*map(_line, chain.from_iterable(rules))][:_MOST_RULES]
        return []

    def clear_lines(self, open_workspace: Callable[[], "Workspace"]) -> list[str]:
        """Return a line for each statement that clearly answers, the surest first."""
        with suppress(*_UNREADABLE):
            return self._clear_lines()
        from gitmem.actions.remembering.recall import RecallQuery, recall

        recall(open_workspace(), RecallQuery(limit=1))  # every index catches up
        self._scopes = [*self._found_scopes()]
        with suppress(*_UNREADABLE):  # an index may be kept nowhere
            return self._clear_lines()
        return []

    def _clear_lines(self) -> list[str]:
        """Raises _BehindError, UnusableError, and as git does."""
        lines: dict[str, str] = {}
        clear = (
            clear_statement
            for scope in self._scopes
            for clear_statement in self._clear(scope)
        )
        for _, _, text, line in sorted(clear):
            lines.setdefault(same_words(text), line)
        return [*lines.values()]

    def _clear(self, scope: _Scope) -> Iterator[tuple[float, float, str, str]]:
        """Yield chances, ages, texts and lines of what is clear or corrected that."""
        index = _index_of(scope)
        shares, documents = index.shares(self._words), index.documents
        own_entries = index.lookup(self.client_session_id)
        claims = [*self._claims(scope, index)]
        newer = corrections(claims)
        for claim in claims:
            chance = self._chance(claim, shares) * documents
            holds = newer.get(claim.reference, claim)
            if chance < _CLEAR and holds.reference.partition("#")[0] not in own_entries:
                line = in_one_line(holds.kind, holds.title, holds.reference)
                yield chance, -holds.at.timestamp(), holds.text, line

    def _claims(self, scope: _Scope, index: Index) -> Iterator[Claim]:
        """Yield what memories and sessions say with most words of the question."""
        tree, trust = self._memories(scope)
        branches = tuple(f"branch:{branch}" for branch in {"", scope.branch or ""})
        active = of_words("", MEMORY.name, ((ACTIVE,), branches))
        for hit in index.nearest(active, self._words, limit=_LOOKED_AT):
            memory = tree.readable(hit.id)
            if (
                memory
                and memory.is_current(current_time())
                and trust.covers(hit.author)
            ):
                yield memory_claim(memory)
        stating = of_words("", SESSION.name, ((STATING,),))
        for hit in index.nearest(stating, self._words, limit=_LOOKED_AT):
            if trust.covers(hit.author):
                stated = (s for s in statements_of(hit) if s.kind not in _NOT_TOLD)
                yield from map(statement_claim, stated)
        if scope.sessions and not index.search(stating, limit=1):
            note_silent_sessions(scope.common_dir)

    def _chance(self, claim: Claim, shares: Mapping[str, float]) -> float:
        """Return how likely a claim shares as much with the question by chance."""
        if any(_is_same_name(*pair) for pair in product(claim.names, self._names)):
            return 0.0
        words = words_of(claim.title)
        crowd = max(1.0, len(words) / _USUAL) * max(1.0, len(self._words) / _USUAL)
        return prod(min(shares[word] * crowd, 1.0) for word in words & shares.keys())

    def _rules_since(self, scope: _Scope, before: str) -> Iterator[Memory]:
        """Yield rules that differ from those of a commit. Raises Damaged."""
        tree, trust = self._memories(scope)
        changed = sorted(tree.differing_ids(tree.at(before or None)))
        for memory in filter(None, map(tree.readable, changed[:_MOST_CHANGED])):
            is_rule = memory.kind in RULES and memory.is_current(current_time())
            is_here = memory.branch in ("", scope.branch)
            is_news = redact(f"session:{self.client_session_id}") not in memory.sources
            if is_rule and is_here and is_news and trust.covers(memory.author):
                yield memory

    def _memories(self, scope: _Scope) -> tuple[DocumentTree[Memory], Trust]:
        git, trust = self._git, configured_trust(self._git)
        if scope.branch is None:
            variables = self.environment.variables
            git = open_known(scope.common_dir, None, variables)
            trust = configured_trust(git).joined(trust)
        return DocumentTree(MEMORY, git, scope.memories or None), trust

    def _found_scopes(self) -> Iterator[_Scope]:
        """Raises RefusedError."""
        tips, branch = self._tips(self.common_dir), present_branch(self._git) or ""
        commits = (tips.get(MEMORY.ref, ""), tips.get(SESSION.ref, ""))
        yield _Scope(PROJECT, self.common_dir, *commits, branch)
        for space in bare_places(self.common_dir, self.environment.spaces):
            yield _Scope(space.stem, space, self._tips(space).get(MEMORY.ref, ""))

    def _tips(self, common_dir: Path) -> dict[str, str]:
        command = [f"--git-dir={common_dir}", "for-each-ref", _TIPS, *_REFS]
        answer = answer_in(common_dir, command, self.environment.variables)
        return dict(line.split(" ") for line in answer.decode().splitlines())


def _index_of(scope: _Scope) -> Index:
    """Raises _BehindError and UnusableError."""
    common_dir = scope.common_dir
    if next(journal_of(common_dir, MEMORY).unreplayed(), None) is not None:
        raise _BehindError
    index = Index(
        open_index(common_dir / "ocm-index"), None, own_dir(common_dir) / "index.lock"
    )
    sessions = (index.tip or "").partition(";")[0].partition(" ")[0]
    memories = other_tips(index.tip or "").get(MEMORY.name, "")
    if (memories, sessions) != (scope.memories, scope.sessions):
        raise _BehindError
    return index


def _line(memory: Memory) -> str:
    return in_one_line(memory.kind, memory.title, memory.id)


def _is_same_name(*names: str) -> bool:
    """Tell whether two paths are the same, or one is the end of the other."""
    shorter, longer = sorted((f"/{name}" for name in names), key=len)
    return longer.endswith(shorter)
