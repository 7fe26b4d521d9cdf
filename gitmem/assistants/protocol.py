"""Whom we listen to: what a hook was told, in our words, and how the client is told.

Every assistant has its own names and shapes for the same few occasions. One module each
turns them into a `HookEvent`, and our answers into what its client reads.
"""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

from gitmem.documents.event import Todo
from gitmem.frozen import frozen
from gitmem.git.values import Change


class What(StrEnum):
    START = "start"
    PROMPT = "prompt"
    EDIT = "edit"
    TODOS = "todos"
    CALL = "call"  # of our checkpoint tool, before it is made
    TURN_END = "turn end"
    COMPACTION = "compaction"
    END = "end"


@frozen(kw_only=True)
class HookEvent:
    """One occasion in a conversation."""

    what: What
    client_session_id: str
    folder: str = ""
    """Where the assistant works, as an absolute path; empty where it does not say."""
    transcript: str = ""
    """The file in which the assistant keeps the conversation; "" where it names none.
    Any path may stand here."""
    source: str = ""
    """How a conversation began: `startup`, `resume`, `clear`, `compact`."""
    prompt: str = ""
    path: str = ""
    """The file that was edited, as the client names it."""
    change: Change = Change.MODIFIED
    todos: tuple[Todo, ...] = ()
    is_whole_list: bool = False
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """Those of the call."""
    last_answer: str = ""
    """What the assistant said last, as a turn ends."""
    is_answer: bool = False
    """Whether the turn that ends is one we asked for."""


class HookClient(Protocol):
    """Whose hooks we read; its answers are printed on standard output."""

    @property
    def name(self) -> str:
        """As it stands in session ids and in the `tool` of a session."""

    @property
    def project_variable(self) -> str:
        """The environment variable in which it names the folder it was started in.

        It wins over the folder of an occasion, which follows every `cd`. "" for none.
        """

    @property
    def hooks_file(self) -> str:
        """The file with its own hooks, relative to the root; "" where we use no such.

        One that has ours does not need those of another assistant's file.
        """

    def has_tools(
        self, root: Path, common_dir: Path, home: Path, variables: Mapping[str, str], /
    ) -> bool:
        """Tell whether it offers our MCP tools in a work tree, as far as is known."""

    def read(self, payload: Mapping[str, Any]) -> HookEvent | None:
        """None for what does not concern a session.

        The payload is hostile: KeyError, TypeError and ValueError are for the caller.
        """

    def brief(self, text: str, /) -> str:
        """Gives the model `text` as a conversation begins."""

    def nudge(self, text: str, /) -> str:
        """Lets the model go on with `text` at the end of a turn; "" where it cannot."""

    def call(self, arguments: Mapping[str, Any], /) -> str:
        """Makes the call with these arguments; "" where it cannot be changed."""
