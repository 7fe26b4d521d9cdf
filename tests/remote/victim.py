"""A clone that meets what others pushed, and what it has to have afterwards."""

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from remote.attacker import ALL, CONVERSATIONS, SESSIONS, Attacker, Stage
from remote.clones import Clone, make_clones, of_the_user
from remote.hostile_histories import Back, Hostile, Saw
from support.clones import Way, remote_in, travel
from support.harness import NOON, git, make_repository
from support.workspaces import workspace_at

from gitmem.actions.sharing import deletion_notices
from gitmem.actions.sharing.share_settings import (
    memory_there,
    proposal,
    turn_on,
)
from gitmem.documents.kinds import CONVERSATION
from gitmem.documents.session.identity import document_path, new_id
from gitmem.documents.session.session import Reference, Session
from gitmem.errors import GitmemError
from gitmem.git.values import Change, Commit, FileChange
from gitmem.redaction.redact import redact
from gitmem.store.remote.held_back import read_unsaid
from gitmem.store.trees.document_tree import tree_at_tip

_REFSPEC = "+refs/ocm/*:refs/ocm/remotes/origin/*"
_LISTS = (
    *("prompts", "work_completed", "work_summary", "decisions"),
    *("plan_files", "references", "commits"),
)
_TEXTS = ("goal", "author", "project", "client_session_id", "diff_summary", "tool")


class Met(Enum):
    """How a victim meets what was pushed."""

    FETCH = "git fetch, then reading"
    SYNC = "ocm sync"
    PULL = "ocm pull"
    JOIN = "init --share in a fresh clone, then ocm sync"


@dataclass(frozen=True)
class Said:
    """What the victim is told; roles of sessions of which all are named."""

    lost: set[str]
    held: set[str]
    is_error: bool


def make_stage(place: Path) -> Stage:
    """The victim's clone, that of a colleague, and their remote."""
    victim, colleague = make_clones(place, 2, said=True)
    for clone in (victim, colleague):
        git(clone.folder, "remote", "set-url", "origin", f"../{remote_in(place).name}")
    clients = {
        "own": "0a1b2c3d-4e5f-4000-8000-000000000000",
        "quiet": "1a1b2c3d-4e5f-4000-8000-000000000000",
        "named": "2a1b2c3d-4e5f-4000-8000-000000000000",
        "imported": "3a1b2c3d-4e5f-4000-8000-000000000000",
        "hers": "ba1b2c3d-4e5f-4000-8000-000000000000",
    }
    for role in ("own", "quiet", "named"):
        victim.checkpoint(clients[role], **_work(role))
    victim.checkpoint(clients["named"], slug="has-a-name")
    for role in ("own", "imported"):
        victim.import_conversations(clients[role], f"Please look at {role}")
    victim.workspace().store.journal.archive(clients["quiet"])
    colleague.minutes = 3
    colleague.checkpoint(clients["hers"], **_work("hers"))
    colleague.import_conversations(clients["hers"], "Please look at hers")
    for number in range(24):
        colleague.minutes = 4 + number
        colleague.checkpoint(f"crowd-{number}", goal=f"Crowd {number}")
    colleague.workspace().store.replay()
    for number in range(2):
        text = f"## Goal\n\nNameless {number}\n\n## Questions\n\nWhose?\n"
        named = f"2026-02-23_09-00_cursor_nameless-{number}"
        text = f"---\nsession_id: {named}\n---\n\n{text}"
        made = new_id(NOON.replace(hour=9), "cursor", named)
        assert colleague.put(document_path(made), redact(text))
    for clone in (colleague, victim, colleague):
        travel(clone.workspace())
    for folder in (victim.folder, remote_in(place)):
        git(folder, "repack", "-adq")
    return _stage(place, victim, {client: role for role, client in clients.items()})


def _work(word: str) -> dict[str, object]:
    return {
        "goal": f"Goal of {word}",
        "work_completed": (f"Did {word}",),
        "work_summary": ("Looked into it", f"Found {word}"),
        "decisions": (f"**{word}:** it is so",),
        "work_pending": (f"Finish {word}",),
        "references": (Reference(f"https://example.com/{word}", word),),
        "files": (FileChange(f"src/{word}.py", Change.MODIFIED),),
        "commits": (Commit("a" * 12, "wip"), Commit("b" * 12, "wip")),
        "diff_summary": "1 file modified.",
        "last_answer": "It is done.",
    }


def _stage(place: Path, victim: Clone, clients: dict[str, str]) -> Stage:
    def role_of(session: Session) -> str:
        client = session.client_session_id
        nameless = "nameless too" if session.session_id.endswith("1") else "nameless"
        return clients.get(client, "crowd") if client else nameless

    memory = victim.memory()
    sessions = {each.id: each for each in memory.newest()}
    roles: dict[str, tuple[str, ...]] = {}
    for session in sessions.values():
        role = role_of(session)
        roles[role] = (*roles.get(role, ()), session.id)
    assert {role: len(ids) for role, ids in roles.items()} == {
        role: 24 if role == "crowd" else 1 for role in ALL
    }
    return Stage(
        place=place,
        sessions=sessions,
        texts={each: memory.text(each) or "" for each in sessions},
        objects={each: e.oid for each in sessions if (e := memory.entry(each))},
        said=_said_in(victim),
        roles=roles,
    )


def _said_in(clone: Clone) -> dict[str, str]:
    seam = clone.workspace().repository
    tree = tree_at_tip(CONVERSATION, seam)
    return {each: tree.text(each) or "" for each in tree.ids()}


@dataclass
class Scene:
    """Of one history: copies of the victim's clone and of the remote."""

    stage: Stage
    place: Path
    history: Hostile

    def __post_init__(self) -> None:
        self.remote = remote_in(self.place)
        for name in ("0", self.remote.name):
            shutil.copytree(self.stage.place / name, self.place / name, symlinks=True)
        self.victim = Clone(self.place / "0")
        self.attacker = Attacker(self.stage, self.remote)
        self.gone = self.history.back is Back.GONE and {*self.stage.ids(["crowd"])}
        self._before = self._of_others()
        self._tips = [git(self.remote, "rev-parse", SESSIONS, CONVERSATIONS)]

    def is_played(self, number: int, how: Met) -> Said:
        """A round, after which the victim has all it had."""
        self.attacker.round = number
        self.history.attack(self.attacker)
        said = self._meets(how)
        self.nothing_is_missing_in(self.victim)
        self.all_is_in_history()
        return said

    def _meets(self, how: Met) -> Said:
        if how is Met.FETCH:
            command = ("fetch", "--quiet", "--no-write-fetch-head", "origin", _REFSPEC)
            git(self.victim.folder, *command)
            self.victim.workspace().current_sessions()
            return self._said(is_error=False)
        if how is Met.JOIN:
            self.joined(f"before{self.attacker.round}")
        try:
            way = Way.PULL if how is Met.PULL else Way.SYNC
            report = travel(self.victim.workspace(), way)
        except GitmemError:
            return self._said(is_error=True)
        said = self._said(is_error=False)
        assert said.lost >= self._roles(report.kept)
        assert said.held == self._roles(report.held_back)
        return said

    def comes_back(self) -> None:
        """Everybody does what the history says, or else syncs."""
        if self.history.back is Back.REPAIRED:
            git(self.remote, "update-ref", SESSIONS, self._tips[0].split()[0])
        if self.history.back is Back.REFUSED:
            self.victim.refuse()
        travel(self.victim.workspace())
        third = self.joined("after")
        assert third
        for clone in (self.victim, third):
            self.nothing_is_missing_in(clone)

    def nothing_is_missing_in(self, clone: Clone) -> None:
        said, found = _said_in(clone), [*clone.memory().newest()]
        sessions = {each: one for one in found for each in one.former_ids}
        sessions |= {one.id: one for one in found}
        for before in self.stage.sessions.values():
            if not (self.gone and before.id in self.gone):
                after = sessions[before.id]
                assert [*_lost(before, after)] == []
                length = len(self.stage.said.get(before.id, ""))
                assert len(said.get(after.id, "")) >= length

    def all_is_in_history(self) -> None:
        """Every document of the victim's, and what was said, whatever became of it."""
        folder = self.victim.folder
        found = git(folder, "rev-list", "--objects", SESSIONS, CONVERSATIONS)
        objects = {line[:40] for line in found.splitlines()}
        assert {*self.stage.objects.values(), *self._tips[0].split()} <= objects

    def is_at_rest(self) -> None:
        """What the victim has is there, and nothing of the users' was touched."""
        report = travel(self.victim.workspace())
        assert (report.sent, report.kept) == ((), ())
        assert (report.arrived, report.updated) == ((), ())
        assert not self.stage.sessions.keys() & {*report.held_back}
        assert self._of_others() == self._before

    def joined(self, name: str) -> Clone | None:
        """A fresh clone that takes part, as `ocm init --share` does it.

        None where the remote has nothing that can be taken part in.
        """
        fresh = make_repository(self.place / name)
        git(fresh, "remote", "add", "origin", str(self.remote))
        workspace = workspace_at(fresh)
        there = memory_there(workspace)
        if there is None:
            return None
        wanted = replace(there, with_conversations=True)
        turn_on(workspace, proposal(workspace, wanted))
        try:
            travel(workspace_at(fresh))
        except GitmemError:
            return None
        return Clone(fresh)

    def expected(self, how: Met) -> Said:
        """What the history says that is told."""
        history = self.history
        is_error = history.saw is Saw.ERROR and how is not Met.FETCH
        is_heard_of = history.is_heard_of or how is not Met.FETCH
        lost = {*history.lost} if is_heard_of else set()
        return Said(lost, {*history.held}, is_error)

    def _roles(self, ids: Iterable[str]) -> set[str]:
        """What is the attacker's own counts for nothing."""
        named = {*ids}
        found = {role for role, some in self.stage.roles.items() if named & {*some}}
        assert {*self.stage.ids(found)} == named & self.stage.sessions.keys()
        return found

    def _said(self, *, is_error: bool) -> Said:
        """What the next command says: at most a sentence of each, once."""
        unsaid = read_unsaid(self.victim.workspace().own_dir)
        notices = deletion_notices.notices(self.victim.workspace())
        is_news = bool(unsaid.held) and not unsaid.is_held_said
        assert len(notices) == bool(unsaid.lost) + is_news
        assert deletion_notices.notices(self.victim.workspace()) == []
        return Said(self._roles(unsaid.lost), self._roles(unsaid.held), is_error)

    def _of_others(self) -> tuple[dict[str, bytes], dict[str, bytes]]:
        return self.victim.of_the_user(), of_the_user(self.remote)


def _lost(before: Session, after: Session) -> Iterator[str]:
    """What of a session another version has not."""
    for name in _LISTS:
        if not {*getattr(before, name)} <= {*getattr(after, name)}:
            yield name
    if not {f.path for f in before.files} <= {f.path for f in after.files}:
        yield "files"
    for name in _TEXTS:
        if getattr(before, name) and not getattr(after, name):
            yield name
    if before.extra_body.strip() not in after.extra_body:
        yield "extra_body"
