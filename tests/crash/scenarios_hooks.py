"""What is killed: what assistants and git start as something happens."""

import json
from dataclasses import dataclass, field
from typing import Any

from crash.forking import Ended
from crash.killing import require_soon
from crash.scenarios import Scenario, client_id, memory_of
from crash.warm import HOOK, Command
from hook.calls import edit, events, install
from support.commits import committed
from support.events import event, note, now
from support.harness import git
from support.installing import python_with_gitmem
from support.transcripts import claude_code_file, kept_by_claude_code

from gitmem.documents.event import Edit, Event, Prompt, Start
from gitmem.documents.session.session import Session


@dataclass
class NotingScenario(Scenario):
    """`ocm-hook claude-code`, of an edit."""

    noted: set[str] = field(default_factory=set)

    def prepare(self) -> Command:
        self.number += 1
        path = f"file-{self.number}.py"
        (self.folder / path).touch()
        call = edit(self.folder, str(self.folder / path), client_id(1))
        return Command(
            self.folder,
            ("claude-code",),
            entry=HOOK,
            stdin=json.dumps(call.payload),
            variables=call.variables,
        )

    def check(self, ended: Ended) -> None:
        if ended.status == 0:
            self.noted.add(f"file-{self.number}.py")
        seen = events(self.folder, client_id(1))
        assert self.noted <= {each.path for each in seen if isinstance(each, Edit)}
        self.ocm("list", "--json")
        if self.noted:
            assert self.noted <= files_of(session_of(self, 1))


@dataclass
class LaterScenario(Scenario):
    """What a hook starts as a conversation ends: `ocm-hook later`."""

    def prepare(self) -> Command:
        self.number += 1
        client = client_id(self.number)
        see(self, Start, client, source="startup")
        see(self, Prompt, client, text=f"Prompt {self.number}.")
        see(self, Edit, client, path="file.txt")
        kept = kept_by_claude_code(self.folder.parent / "home", self.folder)
        file = claude_code_file(kept, client, f"Prompt {self.number}.", cwd=self.folder)
        return self._later(str(file))

    def check(self, ended: Ended) -> None:
        del ended
        self.ocm("list", "--json")
        require_soon(self.warm.ran(self._later("")))
        session = session_of(self, self.number)
        assert files_of(session) == {"file.txt"}
        assert len(list(memory_of(self.folder).ids())) == self.number

    def _later(self, transcript: str) -> Command:
        named = (client_id(self.number), "session-end", "claude-code", transcript)
        return Command(self.folder, ("later", str(self.folder), *named), entry=HOOK)


@dataclass
class CommittedScenario(Scenario):
    """What git's hook starts in the background: `ocm-hook git post-commit`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        place = self.folder.parent
        install(self.folder, python_with_gitmem(place))

    def prepare(self) -> Command:
        self.number += 1
        see(self, Start, client_id(1))
        see(self, Edit, client_id(1), path="made.txt")
        committed(self.folder, "made.txt", f"{self.number}\n", f"commit {self.number}")
        return self._told()

    def check(self, ended: Ended) -> None:
        del ended
        require_soon(self.warm.ran(self._told()))
        commits = [each.subject for each in session_of(self, 1).commits]
        assert commits[-1] == f"commit {self.number}"
        assert len(commits) == len(set(commits))

    def _told(self) -> Command:
        commit = git(self.folder, "rev-parse", "HEAD")
        return Command(self.folder, ("git", "post-commit", commit), entry=HOOK)


def see(scenario: Scenario, kind: type[Event], client: str, **values: Any) -> None:
    """Have hooks note that this happened now."""
    root = str(scenario.folder)
    note(scenario.folder, event(kind, at=now(), client=client, root=root, **values))


def session_of(scenario: Scenario, number: int) -> Session:
    """The session of a conversation, which has one alone."""
    newest = memory_of(scenario.folder).newest()
    (found,) = [s for s in newest if s.client_session_id == client_id(number)]
    return found


def files_of(session: Session) -> set[str]:
    return {each.path for each in session.files}
