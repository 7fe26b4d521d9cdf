"""Somebody who may push, with force as well, and who knows git and docs/format.md.

What is said of an attack is what is at the remote after it: plumbing writes it there.
"""

import hashlib
import json
import re
import subprocess
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from support.harness import write_object

from gitmem.documents.kinds import SESSION
from gitmem.documents.session.checkpoint import Checkpoint, apply, moment_after
from gitmem.documents.session.identity import document_path as path
from gitmem.documents.session.rendering import render
from gitmem.documents.session.session import Session
from gitmem.redaction.redact import seal

SESSIONS, CONVERSATIONS = "refs/ocm/sessions", "refs/ocm/conversations"
FORMAT = b"1\n"

MINE = ("own", "quiet", "named")
"""Begun in the victim's clone: one is replayed, one put away, one got a slug."""
OTHERS = ("hers", "crowd", "nameless", "nameless too")
TOLD = ("own", "imported", "hers")
"""Of which it is known what was said."""
ALL = (*MINE, "imported", *OTHERS)

Put = tuple[str, bytes]
"""A mode and a content, or for `160000` and `040000` the name of an object."""
Changes = Mapping[str, bytes | Put | None]
Edit = Callable[[str], str]


@dataclass(frozen=True)
class Stage:
    """What the victim had before anything happened."""

    place: Path
    sessions: Mapping[str, Session]
    """By id."""
    texts: Mapping[str, str]
    objects: Mapping[str, str]
    """Names of the documents' blobs."""
    said: Mapping[str, str]
    roles: Mapping[str, tuple[str, ...]]
    """Ids."""

    def ids(self, roles: Iterable[str]) -> list[str]:
        return [each for role in roles for each in self.roles[role]]

    def sessions_of(self, roles: Iterable[str]) -> list[Session]:
        return [self.sessions[each] for each in self.ids(roles)]

    def one(self, role: str) -> Session:
        return self.sessions[self.roles[role][0]]


@dataclass
class Attacker:
    stage: Stage
    remote: Path
    round: int = 0
    """Counted from 0: each is one push, which the victim meets."""

    def git(self, *arguments: str, stdin: bytes = b"") -> str:
        command = ["git", "-C", str(self.remote), *arguments]
        done = subprocess.run(command, input=stdin, capture_output=True, check=True)
        return done.stdout.decode().strip()

    def push(
        self, changes: Changes, ref: str = SESSIONS, *, is_orphan: bool = False
    ) -> None:
        """A commit after the tip, or after nothing."""
        who = b"Mallory <ada@example.com> 1771900000 +0000"
        lines = [
            b"commit %b\ncommitter %b\ndata 3\nwip\n" % (ref.encode(), who),
            b"" if is_orphan else b"from %b^0\n" % ref.encode(),
            *(_change(name, to) for name, to in changes.items()),
        ]
        self.git("fast-import", "--quiet", "--force", stdin=b"".join(lines) + b"\n")

    def point(self, target: str, ref: str = SESSIONS) -> None:
        self.git("update-ref", ref, target)

    def tree(self) -> str:
        return self.git("rev-parse", f"{SESSIONS}^{{tree}}")

    def first(self) -> str:
        return self.git("rev-list", "--max-parents=0", SESSIONS).split()[0]

    def write(self, kind: str, content: bytes) -> str:
        return write_object(self.remote, kind, content)

    def every(self, to: bytes | Put | None, roles: Iterable[str] = ALL) -> Changes:
        return dict.fromkeys(map(path, self.stage.ids(roles)), to)

    def edited(self, edit: Edit, roles: Iterable[str]) -> Changes:
        texts = self.stage.texts
        return {path(i): edit(texts[i]).encode() for i in self.stage.ids(roles)}

    def said(self, to: bytes | None) -> Changes:
        return {path(each, "conversations"): to for each in self.stage.said}

    def graves(self, roles: Iterable[str], text: bytes) -> Changes:
        sessions = self.stage.sessions_of(roles)
        names = (name for each in sessions for name in names_of(each))
        return dict.fromkeys(map(grave, names), text)


Attack = Callable[[Attacker], object]


def document(*sessions: Session) -> dict[str, bytes]:
    return {path(each.id): seal(each, render).encode() for each in sessions}


def names_of(session: Session) -> list[str]:
    """What tombstones of a session are digests of."""
    return [SESSION.subject(session), *SESSION.names(session)]


def grave(name: str) -> str:
    digits = hashlib.sha256(name.encode()).hexdigest()
    return f"forgotten/{digits[:2]}/{digits[2:]}"


def _change(name: str, to: bytes | Put | None) -> bytes:
    quoted = json.dumps(name, ensure_ascii=False).encode()
    if to is None:
        return b"D %b\n" % quoted
    mode, content = to if isinstance(to, tuple) else ("100644", to)
    if mode in {"160000", "040000"}:
        return b"M %b %b %b\n" % (mode.encode(), content, quoted)
    data = b"data %d\n%b\n" % (len(content), content)
    return b"M %b inline %b\n%b" % (mode.encode(), quoted, data)


def pushed(changes: Callable[[Attacker], Changes], ref: str = SESSIONS) -> Attack:
    return lambda a: a.push(changes(a), ref)


def forced(changes: Callable[[Attacker], Changes], ref: str = SESSIONS) -> Attack:
    """In a history of its own."""
    return lambda a: a.push({"format": FORMAT, **changes(a)}, ref, is_orphan=True)


def pointed(target: Callable[[Attacker], str], ref: str = SESSIONS) -> Attack:
    return lambda a: a.point(target(a), ref)


def replaced(to: bytes | Put | None, *roles: str) -> Attack:
    return pushed(lambda a: a.every(to, roles or ALL))


def removed(*roles: str) -> Attack:
    return replaced(None, *roles)


def edited(edit: Edit, *roles: str) -> Attack:
    return pushed(lambda a: a.edited(edit, roles or ALL))


def said_anew(*roles: str, **values: Any) -> Attack:
    """Documents as a gitmem would write them, with other values."""

    def later(session: Session) -> Session:
        at = moment_after(session, session.updated_at)
        return apply(session, Checkpoint(at=at, **values))

    return pushed(lambda a: document(*map(later, a.stage.sessions_of(roles))))


def beside(changes: Changes, *removed: str) -> Attack:
    return pushed(lambda a: {**a.every(None, removed), **changes})


def forgot(roles: Iterable[str], text: bytes = b"\n") -> Attack:
    """In all form, without having been asked."""
    return pushed(lambda a: {**a.every(None, roles), **a.graves(roles, text)})


def buried(roles: Iterable[str]) -> Attack:
    """Tombstones alone."""
    return pushed(lambda a: a.graves(roles, b"\n"))


def without(*headings: str) -> Edit:
    """A document without what stands below some headings."""
    names = "|".join(map(re.escape, headings))
    body = re.compile(rf"^(## (?:{names}))\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
    return lambda text: body.sub(r"\1\n\n", text)


def header_says(key: str, value: str) -> Edit:
    entry = re.compile(rf"^{key}: .*$", re.MULTILINE)
    return lambda text: entry.sub(f"{key}: {value}", text)


def dated(dates: str) -> Attack:
    """Everything is missing in a commit of that time, as git itself may write none."""

    def attack(a: Attacker) -> None:
        removed()(a)
        who = f"Mallory <mallory@example.com> {dates}"
        lines = f"tree {a.tree()}\nparent {a.git('rev-parse', SESSIONS)}\n"
        content = f"{lines}author {who}\ncommitter {who}\n\nwip\n".encode()
        a.point(a.write("commit", content))

    return attack


def by_turns(*attacks: Attack) -> Attack:
    return lambda a: attacks[a.round % len(attacks)](a)


def executable(a: Attacker) -> None:
    [own] = a.stage.ids(["own"])
    a.push({path(own): ("100755", a.stage.texts[own].encode())})


def folders(a: Attacker) -> None:
    [own] = a.stage.ids(["own"])
    a.push({path(own): None, f"{path(own)}/x": b"x"})


def another_day(a: Attacker) -> None:
    [own] = a.stage.ids(["own"])
    moved = path(own).replace("/23/", "/24/")
    a.push({path(own): None, moved: a.stage.texts[own].encode()})


def flood(a: Attacker) -> None:
    hers = a.stage.one("hers")
    stem = hers.id.rpartition("_")[0]
    like = (
        replace(hers, id=f"{stem}_flood-{n}", client_session_id=f"flood-{n}")
        for n in range(150)
    )
    a.push(document(*like))


def one_folder_often(a: Attacker) -> None:
    year = a.git("rev-parse", f"{SESSIONS}:sessions/2026").encode()
    a.push({f"sessions/{n}": ("040000", year) for n in range(2100, 2200)})


def names_twice(a: Attacker) -> None:
    """A tree that has a name twice, and one that leads out of it."""
    blob = bytes.fromhex(a.write("blob", b"x"))
    names = (b"..", b".git", b"format", b"format", b"sessions")
    tree = a.write("tree", b"".join(b"100644 %b\0%b" % (n, blob) for n in names))
    a.point(a.git("commit-tree", tree, "-p", SESSIONS, "-m", "wip"))


def tag(a: Attacker) -> str:
    commit = a.git("rev-parse", SESSIONS)
    what = f"object {commit}\ntype commit\ntag x\ntagger M <m@x> 1 +0000\n\nx\n"
    return a.write("tag", what.encode())


def items_forgotten(a: Attacker) -> None:
    own = a.stage.one("own")
    texts = (*own.work_completed, *own.decisions, *own.work_summary)
    names = (f"{own.tool}\0{own.client_session_id}\0{each}" for each in texts)
    a.push(dict.fromkeys(map(grave, names), b"\n"))


def conversation_forgotten(a: Attacker) -> None:
    client = a.stage.one("own").client_session_id
    a.push({grave(f"cursor\0{client}"): b"\n", **a.every(None, ["own"])})


def ids_forgotten(a: Attacker) -> None:
    graves = map(grave, a.stage.ids(MINE))
    a.push({**dict.fromkeys(graves, b"\n"), **a.every(None, MINE)})


def slices_forgotten(a: Attacker) -> None:
    sessions = a.stage.sessions_of(["crowd"])[a.round * 12 :][:12]
    graves = (grave(name) for each in sessions for name in names_of(each))
    gone = (path(each.id) for each in sessions)
    a.push({**dict.fromkeys(gone), **dict.fromkeys(graves, b"\n")})


def nobody_with_history(a: Attacker) -> Changes:
    """All documents, and a reason to give up every commit before."""
    nobody = {grave("cursor\0nobody"): b"2026-02-24T12:00:00+00:00\nhistory\n"}
    return {**a.edited(str, ALL), **nobody}
