"""The facts about an assistant: its names, files, hooks and command line.

Entries in shared files name no path of a machine: they find the launcher `ocm/run` in
the repository's common dir. Those in the user's own settings name the launcher in the
user's gitmem folder.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from gitmem.documents.event import Todo
from gitmem.frozen import frozen
from gitmem.git.values import Change

SERVER = "opencodememory"
TOOLS = (
    "ocm__checkpoint",
    "ocm__search_sessions",
    "ocm__list_sessions",
    "ocm__get_session_files",
    "ocm__remember",
    "ocm__recall",
    "ocm__memories",
    "ocm__context",
)
"""Tools that may run without a question: they save and read, and forget nothing."""
LAUNCHER = "ocm/run"
"""The launcher in the common dir; entries that name it are ours."""

_UUID = r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"


# Every hook loads these classes; as dataclasses they would take 4 ms more to make.


UserPath = Callable[[Path, Mapping[str, str]], Path]
"""A place among the user's own files, by home and variables."""


class Server(NamedTuple):
    entry: Mapping[str, Any]
    keys: tuple[str, ...] = ("mcpServers", SERVER)
    """Keys down to the entry in the file."""


class Hooks(NamedTuple):
    """Entries of a packaged JSON file, merged into another."""

    template: str
    server: Server | None = None
    """The server, where it stands in the same file."""
    approves: bool = False
    """True if a file of the team answers the client's question about the server."""


class Rules(NamedTuple):
    """A packaged text between marks, of which the file's name tells the form."""

    head: str = ""
    """The packaged beginning of a file that is all ours."""
    text: str = "rules/opencodememory.md"


class Skill(NamedTuple):
    """A packaged file as a whole: a command of the user's."""

    text: str


class Permission(NamedTuple):
    """The agreement that our tools run without a question, where the user gives it."""

    rules: tuple[str, ...] = ()
    """Rules for the `TOOLS`, in their order."""
    text: str = ""
    """A packaged text between marks, of a client without such rules."""


class Target(NamedTuple):
    """A file that configures an assistant, and what we put there."""

    path: str
    """Relative to the work tree."""
    state: str
    """The state once our entries are in `{path}`."""
    content: Server | Hooks | Rules | Skill | Permission
    local: str = ""
    """The file for this user alone, if the assistant reads one."""
    user: UserPath | None = None
    """The user's own settings; None for no use."""
    manual_advice: str = ""
    """A command or line for the user where the file stays as it is; `{ocm}` runs us."""
    served_by: tuple[str, ...] = ()
    """Files of another assistant that do the same for this one; one is enough."""
    is_served: Callable[[Path], bool] = lambda _: True
    """Tells whether this one reads them in the work tree with a root."""


TURN = "turn"
"""The source of a turn's first event, of a client that tells no beginning: one begins a
conversation if it is not known.
"""


class EventKind(StrEnum):
    START = "start"
    PROMPT = "prompt"
    EDIT = "edit"
    BEFORE_EDIT = "before edit"
    READ = "read"
    SUBAGENT = "subagent"  # which starts
    TODOS = "todos"
    CALL = "call"  # of our checkpoint tool, before it is made
    TURN_END = "turn end"
    COMPACTION = "compaction"
    END = "end"


@frozen(kw_only=True)
class HookEvent:
    kind: EventKind
    client_session_id: str
    folder: str = ""
    """Working folder, absolute; "" if unknown."""
    transcript: str = ""
    """The file of the conversation, a hostile path; "" if unknown."""
    source: str = ""
    prompt: str = ""
    path: str = ""
    change: Change = Change.MODIFIED
    more_edits: tuple[tuple[str, Change], ...] = ()
    """Other files of the same edit."""
    reads: tuple[str, ...] = ()
    """Paths that it reads, or words of a shell command, of which some may be paths."""
    subagent: str = ""
    """The subagent whose event it is, in the client's words."""
    todos: tuple[Todo, ...] = ()
    is_whole_list: bool = False
    arguments: Mapping[str, Any] = field(default_factory=dict)
    last_answer: str = ""
    is_answer: bool = False
    """True if the turn that ends answers our nudge."""
    at: datetime | None = None
    """The time in a transcript; None if unknown."""

    @property
    def edits(self) -> tuple[tuple[str, Change], ...]:
        """Paths as the client names them, and what becomes of them."""
        return ((self.path, self.change), *self.more_edits)


class HookClient(NamedTuple):
    """The hooks of an assistant: how they are read, and answered on standard output."""

    name: str
    read: Callable[[Mapping[str, Any]], HookEvent | None]
    """Returns None for what concerns no session. Payloads are hostile: raises KeyError,
    TypeError and ValueError.
    """
    brief: Callable[[str], str]
    """Formats a text for the beginning of a conversation."""
    nudge: Callable[[str], str]
    """Formats a text that makes the model continue at the end of a turn."""
    call: Callable[[Mapping[str, Any]], str] = lambda _: ""
    """Formats a call of our tool with other arguments; "" if impossible."""
    context: Callable[[EventKind, str], str] = lambda *_: ""
    """Formats a text for a prompt, a read, or before an edit; "" if impossible."""
    silent_starts: tuple[str, ...] = ()
    """Sources of starts at which it takes no brief, so that the next prompt has it."""
    marks: tuple[str, ...] = ()
    """Keys of its payloads alone, if it runs the hooks of another's file."""
    transcripts: str = ""
    """A part of the paths of its transcripts alone, for the same."""
    variable: str = ""
    """A variable that it sets for hooks."""
    project_variable: str = ""
    """The variable with the folder it was started in; an event's follows `cd`."""
    keeps_brief: bool = True
    """True if it resumes a conversation with its brief, and sends a beginning after a
    compaction.
    """
    is_cut_off: Callable[[Any, Mapping[str, str]], bool] = lambda *_: False
    """Tells by payload and variables of an end whether the terminal was closed or the
    client terminated.
    """


class CommandLine(NamedTuple):
    """The commands that start it: a program and arguments, without a shell."""

    resume: tuple[str, ...]
    """`{id}` stands for the conversation."""
    prompt: tuple[str, ...]
    """Followed by the first prompt."""
    client_id: str = _UUID
    """Pattern of ids: no option, nothing that a shell acts upon."""

    def resuming(self, client_session_id: str) -> tuple[str, ...] | None:
        """Return the command that resumes a conversation; None for a wrong id."""
        # Ids come from documents of others, and must become no option and no command.
        if not re.fullmatch(self.client_id, client_session_id):
            return None
        return tuple(part.replace("{id}", client_session_id) for part in self.resume)


class Assistant(NamedTuple):
    name: str
    client_pattern: str
    """Matches the name of an MCP client, ignoring case."""
    nicknames: tuple[str, ...]
    title: str = ""
    session_variables: tuple[str, ...] = ()
    """Variables that tell its children the conversation."""
    names_itself_in_shell: bool = False
    """True if commands that it runs see them."""
    ids_in_meta: Callable[[Mapping[str, Any]], Iterable[object]] = lambda _: ()
    """Conversation ids in the hostile `_meta` of a tool call, best first."""
    reader: str = ""
    """The TranscriptReader of its transcripts, for `load`."""
    command_line: CommandLine | None = None
    hooks: HookClient | None = None
    commands: tuple[str, ...] = ()
    """Programs that show it is installed."""
    folder: str = ""
    traces: tuple[str, ...] = ()
    """Files that show its use in a work tree."""
    targets: tuple[Target, ...] = ()
    """Files that `ocm init` configures."""
    user_targets: tuple[Target, ...] = ()
    """Files of the user that have none like them in a work tree."""
    skills: str = ".agents/skills"
    """The folder of a work tree from which it reads skills. Those that read another's
    as well show a name once.
    """
    asks: str = ""
    """Sentences on what it asks the user after that, of files in a work tree."""
    asks_of_hooks: str = ""
    """Sentences on what it asks the user of hooks in any file."""
    shows: str = ""
    """How it shows its user whether it runs our hooks and server."""
    is_untried: bool = False
    """True if it is known from its documents alone."""
    reads_ignored: bool = True
    """True if it reads files that git ignores, as readable copies are."""


def load(name: str) -> Any:
    """Return what `module:name` is in a module of assistants that hooks do without."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(f"gitmem.assistants.{module}"), attribute)
