"""What happens between two writes of a process: its end, or the work of somebody else.

A step is a write to the repository or to the journal, or a git command that begins. The
process under test runs as it is; only before one of its steps something happens.
"""

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from gitmem.git.repository import Repository
from gitmem.store.session_store import SessionStore
from gitmem.workspace import Workspace

_OF_GIT = {"write_tree", "create_commit", "update_ref", "delete_ref", "forget_moves"}
_OF_JOURNAL = {"append", "mark", "forget"}


class EndedError(BaseException):
    """The process is no more; nothing that handles errors can handle it."""


def end() -> None:
    raise EndedError


@contextmanager
def interrupted(
    workspace: Workspace, before: int, happening: Callable[[], object]
) -> Iterator[Workspace]:
    """The workspace of a process before one of whose steps, counted from 0, it happens.

    Nothing happens where the process has not so many.
    """
    steps = _Steps(before, happening)
    repository: Any = _Repository(workspace.repository, _OF_GIT, steps)
    store = SessionStore(repository)
    journal: Any = _Watched(store.journal, _OF_JOURNAL, steps)
    store.journal = journal
    begin = subprocess.Popen

    def begun(*arguments: Any, **options: Any) -> "subprocess.Popen[Any]":
        steps.next()
        return begin(*arguments, **options)

    with patch.object(subprocess, "Popen", begun):
        yield Workspace(workspace.environment, repository, store)


class _Steps:
    def __init__(self, before: int, happening: Callable[[], object]) -> None:
        self._left, self._happening = before, happening

    def next(self) -> None:
        self._left -= 1
        if self._left == -1:
            self._happening()


class _Watched:
    """An object some of whose methods are steps."""

    def __init__(self, inner: Any, names: set[str], steps: _Steps) -> None:
        self._inner, self._names, self._steps = inner, names, steps

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if name not in self._names:
            return found

        def step(*arguments: Any, **options: Any) -> Any:
            self._steps.next()
            return found(*arguments, **options)

        return step


class _Repository(_Watched):
    """The objects of a batch are there at its end, all of them or none."""

    @contextmanager
    def batch(self) -> Iterator[Repository]:
        with self._inner.batch() as batch:
            yield batch
            self._steps.next()
