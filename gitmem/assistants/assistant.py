"""What is known of an assistant: its names, its files, its hooks, its command line.

Facts about other programs, as data. What is put into a file that people share names no
path of any machine: it finds the launcher `ocm/run` in the repository's common dir.
What is put into the user's own settings names the one in the user's gitmem folder.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from enum import StrEnum
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
)
"""Tools that may run without a question: they save and read, and forget nothing."""
LAUNCHER = "ocm/run"
"""Where in the common dir the launcher is; entries that name it are ours."""

_UUID = r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"

# Claude Code itself replaces `${...}` in .mcp.json, so there is none. An assistant that
# was started from a desktop may work anywhere; others do not set the variable. A clone
# may bring a bare repository along, which must not be taken for the common dir.
_SERVE = (
    'cd "${variable}" 2>/dev/null; d=.git; [ -d "$d" ] ||'
    " d=$(git -c safe.bareRepository=explicit rev-parse --git-common-dir 2>/dev/null);"
    f' exec "$d/{LAUNCHER}" serve'
)


# Every hook loads these classes; as dataclasses they would take 4 ms more to make.


class Server(NamedTuple):
    entry: Mapping[str, Any]
    keys: tuple[str, ...] = ("mcpServers", SERVER)
    """Where it stands in the file."""


class Hooks(NamedTuple):
    """The entries of a packaged JSON file, merged into another."""

    template: str


class Rules(NamedTuple):
    """The packaged rules between marks."""

    head: str = ""
    """The packaged text that the file begins with, where it is all ours."""
    text: str = "rules/opencodememory.md"


class Target(NamedTuple):
    """A file that configures an assistant, and what we put there."""

    path: str
    """Relative to the work tree."""
    what: str
    """What is so once our entries are in the file at `{path}`."""
    content: Server | Hooks | Rules
    local: str = ""
    """The file for one user alone that the assistant reads as well, if there is one."""
    user: Callable[[Path, Mapping[str, str]], Path] | None = None
    """The file that it reads wherever it is started, by the user's home and variables;
    None where the content is not needed there, or could not work."""
    allow: tuple[str, ...] = ()
    """Rules by which our tools run without a question. Where the user agrees, they
    come into the file `local`, also without the content, and into that of the user."""
    what_allowed: str = ""
    """What is so once the rules are in the file at `{path}`."""
    by_hand: str = ""
    """What the user can do where the file shall stay as it is; `{ocm}` runs us."""


class What(StrEnum):
    START = "start"
    PROMPT = "prompt"
    EDIT = "edit"
    BEFORE_EDIT = "before edit"
    TODOS = "todos"
    CALL = "call"  # of our checkpoint tool, before it is made
    TURN_END = "turn end"
    COMPACTION = "compaction"
    END = "end"


@frozen(kw_only=True)
class HookEvent:
    what: What
    client_session_id: str
    folder: str = ""
    """Where the assistant works, as an absolute path; empty where it does not say."""
    transcript: str = ""
    """The file in which the assistant keeps the conversation; "" where it names none.
    Any path may stand here."""
    source: str = ""
    prompt: str = ""
    path: str = ""
    change: Change = Change.MODIFIED
    subagent: str = ""
    """The subagent whose event it is, in the client's words."""
    todos: tuple[Todo, ...] = ()
    is_whole_list: bool = False
    arguments: Mapping[str, Any] = field(default_factory=dict)
    last_answer: str = ""
    is_answer: bool = False
    """Whether the turn that ends is one we asked for."""


class HookClient(NamedTuple):
    """How the hooks of an assistant are read; its answers go to standard output."""

    name: str
    read: Callable[[Mapping[str, Any]], HookEvent | None]
    """None for what does not concern a session. The payload is hostile: KeyError,
    TypeError and ValueError are for the caller."""
    brief: Callable[[str], str]
    """Gives the model a text as a conversation begins."""
    nudge: Callable[[str], str]
    """Lets the model go on with a text at the end of a turn."""
    call: Callable[[Mapping[str, Any]], str] = lambda _: ""
    """Makes the call with these arguments; "" where it cannot be changed."""
    tell: Callable[[What, str], str] = lambda *_: ""
    """Gives the model a text at a prompt, or before an edit; "" where it cannot."""
    marks: tuple[str, ...] = ()
    """Keys that only its payloads have, where it runs the hooks of another's file."""
    variable: str = ""
    """An environment variable that it sets for the hooks it runs."""
    project_variable: str = ""
    """The environment variable with the folder that it was started in. It wins over the
    folder of an event, which follows every `cd`."""
    hooks_file: str = ""
    """The file with its own hooks, relative to the root. One that has ours does not
    need those of another assistant's file."""
    has_tools: Callable[[Path, Path, Path, Mapping[str, str]], bool] = lambda *_: True
    """Whether it offers our MCP tools in a work tree, as far as is known: by root,
    common dir, home and variables."""


class CommandLine(NamedTuple):
    """How it is started: a program and its arguments; no shell takes part in it."""

    resume: tuple[str, ...]
    """With `{id}` in the place of the conversation's id."""
    prompt: tuple[str, ...]
    """What stands in front of the prompt of a new conversation."""
    client_id: str = _UUID
    """What its ids look like: never an option, nor anything that a shell acts upon."""

    def resuming(self, client_session_id: str) -> tuple[str, ...] | None:
        """Return the command that goes on; None for what is no id of this assistant."""
        if not re.fullmatch(self.client_id, client_session_id):
            return None
        return tuple(part.replace("{id}", client_session_id) for part in self.resume)


class Check(NamedTuple):
    """A finding of `ocm doctor` on an assistant's own files."""

    grade: str
    code: str
    what: str
    """What follows the title of the assistant."""
    mend: str = ""
    where: str = ""


class Checked(NamedTuple):
    """What an assistant's checks look at; outside of work trees the root is None."""

    user_home: Path
    variables: Mapping[str, str]
    root: Path | None = None
    main_root: Path | None = None
    """The root of the main work tree, also in a linked one."""
    tracks: Callable[[str], bool] = lambda _: False
    is_heard: bool = False
    """Whether its hooks ran lately."""
    has_saved: bool = False
    """Whether it called our tools lately."""


class Assistant(NamedTuple):
    name: str
    client_pattern: str
    """Found, ignoring case, in the name an MCP client gives itself."""
    spoken: tuple[str, ...]
    title: str = ""
    session_variables: tuple[str, ...] = ()
    """Environment variables in which it tells its children the conversation."""
    names_itself_in_shell: bool = False
    """Whether they are seen to be set in the commands that it runs."""
    ids_in_meta: Callable[[Mapping[str, Any]], Iterable[object]] = lambda _: ()
    """Conversation ids in the `_meta` of a tool call, the best first; hostile."""
    reader: Callable[[], Any] | None = None
    """Loads the TranscriptReader of its transcripts; hooks do without."""
    checks: Callable[[Checked], Iterator[Check]] = lambda _: iter(())
    """Whether its settings let it run our hooks and server."""
    asked_about: Callable[[Checked], list[str]] = lambda _: []
    """Tools of ours that it asks the user about before each call."""
    command_line: CommandLine | None = None
    hooks: HookClient | None = None
    commands: tuple[str, ...] = ()
    """Programs that show that it is on this machine."""
    folder: str = ""
    traces: tuple[str, ...] = ()
    """What shows in a work tree that somebody uses it."""
    targets: tuple[Target, ...] = ()
    """What `ocm init` configures; without any, the user has to tell it by hand."""
    asks: str = ""
    """What it will ask the user once it is configured."""
    by_hand: str = ""
    """How the MCP server is added by hand; `{ocm}` runs us."""
    is_untried: bool = False
    """Whether we know it from its documents alone."""


def server(variable: str, **more: Any) -> Server:
    """Return the server of the work tree that an environment variable names."""
    script = _SERVE.replace("{variable}", variable)
    return Server({"command": "sh", "args": ["-c", script], **more})
