"""Histories of our refs as clones have them, side by side in one repository."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from support.harness import NOON, git, write_object

from gitmem.documents.kinds import CONVERSATION, SESSION
from gitmem.documents.session.identity import conversation_subject, new_id
from gitmem.documents.session.naming import with_slug
from gitmem.documents.session.rendering import render
from gitmem.documents.session.session import Session
from gitmem.git.libgit2.repository import open_repository
from gitmem.git.values import Content, Oid
from gitmem.redaction.redact import redact, seal
from gitmem.store.remote.held_back import consent_in
from gitmem.store.remote.merge_refs import (
    MergeResult,
    merge_history,
)
from gitmem.store.trees.committing import author
from gitmem.store.trees.document_tree import tree_at_tip
from gitmem.store.trees.session_tree import (
    REF,
    sessions_at,
)
from gitmem.store.trees.tombstones import Tombstone, paths_of, rendered

FORMAT: Mapping[str, Content] = {"format": redact("2\n")}


class Clones:
    def __init__(self, folder: Path, ref: str = REF) -> None:
        self.folder = folder
        self.git = open_repository(folder)
        self.ref = ref

    def commit(self, changes: Mapping[str, Content], *parents: Oid) -> Oid:
        """With the format in the first one."""
        base = self.git.tree_of(parents[0]) if parents else None
        changes = changes if parents else {**FORMAT, **changes}
        return self.commit_of(self.git.write_tree(base, changes), *parents)

    def commit_of(self, tree: Oid, *parents: Oid) -> Oid:
        by = author(self.git, NOON)
        return self.git.create_commit(tree, [*parents], redact("changes\n"), by)

    def take(
        self,
        ours: Oid | None,
        theirs: Oid | None,
        followed: Oid | None = None,
        memory: Oid | None = None,
    ) -> MergeResult:
        """Theirs is taken in where our ref is at `ours`; it stays there."""
        tip = self.git.resolve_ref(self.ref)
        if tip and ours is None:
            self.git.delete_ref(self.ref)
        elif ours and ours != tip:
            assert self.git.update_ref(self.ref, tip, ours, "test")
        by = author(self.git, NOON)
        if self.ref == REF:
            consent = consent_in(self.git, SESSION)
            here = tree_at_tip(SESSION, self.git)
            taken = merge_history(self.git, here, theirs, by, consent, followed)
        else:
            tip = memory or self.git.resolve_ref(REF)
            sessions = MergeResult(REF, tip, tip, tip, tip)
            said = tree_at_tip(CONVERSATION, self.git)
            taken = merge_history(self.git, said, theirs, by, sessions, followed)
        assert self.git.resolve_ref(self.ref) == ours
        return taken

    def tree(self, commit: Oid | None) -> Oid | None:
        return self.git.tree_of(commit) if commit else None

    def sessions(self, commit: Oid | None) -> dict[str, Session]:
        return {each.id: each for each in sessions_at(self.git, commit).newest()}

    def parents(self, commit: Oid | None) -> list[Oid]:
        return git(self.folder, "log", "-1", "--format=%P", str(commit)).split()

    def blob(self, content: bytes) -> Oid:
        return self.object("blob", content)

    def raw_tree(self, *entries: tuple[str, bytes, Oid]) -> Oid:
        """A tree with modes and names that git itself would refuse to write."""
        lines = (
            b"%b %b\0%b" % (mode.encode(), name, bytes.fromhex(oid))
            for mode, name, oid in entries
        )
        return self.object("tree", b"".join(lines))

    def object(self, kind: str, content: bytes) -> Oid:
        return write_object(self.folder, kind, content)


def session(number: int, **values: object) -> Session:
    """Five of them begin a day, each at another minute."""
    began = NOON + timedelta(days=number // 5, minutes=number % 5)
    client_id = f"{number:08x}-0000-4000-8000-000000000000"
    begun = Session(
        id=new_id(began, "cursor", conversation_subject("cursor", client_id)),
        session_id=f"{began:%Y-%m-%d_%H-%M}_cursor_{number:08x}",
        tool="cursor",
        project="inference",
        client_session_id=client_id,
        started_at=began,
        updated_at=began,
    )
    return replace(begun, **values)  # type: ignore[arg-type] # any field may be given


def named(session: Session, slug: str) -> Session:
    return with_slug(session, session, slug)


def path(session: Session, root: str = "sessions") -> str:
    return f"{root}/{session.id[:10].replace('-', '/')}/{session.id}.md"


def documents(*sessions: Session) -> dict[str, Content]:
    return {path(each): seal(each, render) for each in sessions}


def buried(
    session: Session, *, with_history: bool = False, when: datetime = NOON
) -> dict[str, Content]:
    """The tombstones of a session that was forgotten for the first time."""
    text = rendered(Tombstone(when, with_history))
    return dict.fromkeys(paths_of(SESSION, session), text)
