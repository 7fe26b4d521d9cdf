"""Documents of every kind, changes to memories, tombstones, and exported files."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import reduce
from itertools import permutations
from typing import Any

from fuzz.target import InMemory, Target
from support.harness import NOON, make_repository
from support.strategies import SESSION_ID, session
from support.workspaces import workspace_at

from gitmem.actions.backup.export import LINES_VERSION
from gitmem.actions.backup.import_file import import_file
from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.documents.kind import Kind
from gitmem.documents.kinds import CONVERSATION, KINDS, MEMORY, SESSION
from gitmem.documents.memory.kind import Stated
from gitmem.documents.memory.memory import Memory, MemoryFile, Relation, RelationType
from gitmem.documents.session.identity import conversation_subject, new_id
from gitmem.documents.session.session import PlanFile, Reference
from gitmem.errors import FormatTooNew, GitmemError
from gitmem.git.values import Change, Commit, FileChange
from gitmem.store.trees.tombstones import prevailing, read_tombstone, rendered
from gitmem.workspace import Workspace

_MEMORY_ID = "m-0123456789ab"
_SESSION_ID = new_id(NOON, "cursor", conversation_subject("cursor", "c-1"))
_IDS: Mapping[Kind[Any], str] = {
    SESSION: _SESSION_ID,
    CONVERSATION: _SESSION_ID,
    MEMORY: _MEMORY_ID,
}
_SEPARATOR = "\n\0\n"
_PROJECT = "inference"


def join_documents(data: bytes) -> None:
    """Clones that hear of three versions in any order end with one document."""
    kind = [*_IDS][(data or b"\0")[0] % len(_IDS)]
    texts = data[1:].decode("utf-8", "replace").split(_SEPARATOR)[:3]
    _require_join(kind, [kind.parse(_IDS[kind], text) for text in texts])


def _require_join(kind: Kind[Any], versions: list[Any]) -> None:
    one, *others = [kind.merge(version, version) for version in versions]
    joined = reduce(kind.merge, others, one)
    assert _reread(kind, joined) == joined
    assert reduce(kind.merge, [*reversed(others), one]) == joined
    assert kind.merge(one, reduce(kind.merge, others, joined)) == joined
    assert all(kind.merge(version, joined) == joined for version in versions)


def _reread(kind: Kind[Any], document: Any) -> Any:
    return kind.parse(_IDS[kind], kind.render(document))


def read_changes(data: bytes) -> None:
    """What a journal has of memories is applied once, whatever came before."""
    memory: Memory | None = None
    for line in data.decode("utf-8", "replace").split("\n"):
        with suppress(FormatTooNew):
            if change := MEMORY.decode(line):
                assert MEMORY.decode(MEMORY.encode(change)) == change
                before = memory
                memory = MEMORY.apply(before, change)
                assert MEMORY.apply(memory, change) == memory
                MEMORY.message(before, memory, change)
                MEMORY.entry(memory)


def read_tombstones(data: bytes) -> None:
    """Whichever prevails is the same in any order, and can be taken back."""
    texts = data.decode("utf-8", "replace").split("\0")[:3]
    assert len({prevailing(order) for order in permutations(texts)}) == 1
    for record in map(read_tombstone, texts):
        assert read_tombstone(rendered(record)).is_in_force == record.is_in_force
        restored = record.restored(NOON)
        assert not record.is_in_force or not restored.is_in_force
        assert prevailing([rendered(record), rendered(restored)]) == rendered(restored)


def import_lines(data: bytes) -> None:
    """A file that is refused changes nothing; another one brings the same once."""
    with InMemory() as folder:
        workspace = workspace_at(
            make_repository(folder / _PROJECT), OCM_HOME=str(folder / "home")
        )
        file = folder / "memory.jsonl"
        file.write_bytes(data)
        try:
            import_file(workspace, "jsonl", file, _PROJECT, is_dry=False)
        except GitmemError:
            assert not _documents(workspace)
            return
        first = _documents(workspace)
        import_file(workspace, "jsonl", file, _PROJECT, is_dry=False)
        assert _documents(workspace) == first


def _documents(workspace: Workspace) -> Mapping[str, list[Any]]:
    trees = {name: workspace.current(kind) for name, kind in KINDS.items()}
    documents = {
        name: [tree.readable(document_id) for document_id in tree.ids()]
        for name, tree in trees.items()
    }
    return {name: values for name, values in documents.items() if values}


def _memory(**values: Any) -> Memory:
    base = {"id": _MEMORY_ID, "text": "Use tabs", "created_at": NOON}
    return Memory(**{**base, "updated_at": NOON, **values})


_MEMORY = _memory(
    text="Use tabs\n\n## Why\n- x",
    why="Ada said so",
    key="tabs",
    branch="main",
    pinned=True,
    expires=NOON,
    author="Ada <ada@example.com>",
    facts=("one", "## Facts\n\n- two"),
    tags=("style",),
    files=(MemoryFile("src/a b.py", "0" * 40), MemoryFile("gone.py")),
    sources=("person:Ada",),
    relations=(Relation(RelationType.SUPERSEDED_BY, "m-abcdefabcdef"),),
)
_SESSION = replace(
    session(id=_SESSION_ID),
    session_id=SESSION_ID,
    author="Ada <ada@example.com>",
    branch="main",
    goal="Move\n\n```\n## Goal\n```",
    goal_at=NOON,
    work_completed=("one", "two `x`"),
    work_pending=("three",),
    pending_at=NOON,
    plan_files=(PlanFile("plan.md", "Plan"),),
    references=(Reference("https://a.b/c", "five"),),
    files=(FileChange("src/a.py", Change.CREATED),),
    commits=(Commit("a1b2c3d", "Fix"), Commit("d4e5f6a", "Fix")),
    former_commits=("a1b2c3d",),
    extra_header="reviewer: Ana\n# asked\nnote: |\n  x\n",
    extra_body="## Mine\n\n* a\n",
)
_TURNS = (
    Turn(Speaker.PERSON, "Fix it\n\n## Person\n\nno", NOON),
    Turn(Speaker.ASSISTANT, "done"),
)
_EXAMPLES: Mapping[Kind[Any], Any] = {
    SESSION: _SESSION,
    CONVERSATION: _TURNS,
    MEMORY: _MEMORY,
}


def _versions() -> Iterator[bytes]:
    later = NOON.replace(hour=13)
    for kind, document in _EXAMPLES.items():
        text = kind.render(document)
        changed = text.replace("one", "six").replace("main", "dev")
        newer = text.replace(NOON.isoformat(), later.isoformat())
        letter = chr([*_IDS].index(kind))
        for texts in ((text, changed, newer), (text, "", "## Mine\n\nx")):
            yield f"{letter}{_SEPARATOR.join(texts)}".encode()


def _changes() -> Iterator[bytes]:
    changes = [Stated(NOON, _MEMORY), Stated(NOON, _memory(facts=("six",)))]
    yield "\n".join(map(MEMORY.encode, changes)).encode()


def _tombstones() -> Iterator[bytes]:
    at = datetime(2026, 2, 23, tzinfo=UTC).isoformat()
    yield f"{at}\nhistory\nforgotten 2\n\0{at}\n\0{at}\nrestored 1\n".encode()


def _exported() -> Iterator[bytes]:
    path = "forgotten/00/" + "0" * 62
    lines = [
        {"gitmem": LINES_VERSION},
        *(
            {"kind": kind.name, "id": _IDS[kind], "text": kind.render(document)}
            for kind, document in _EXAMPLES.items()
        ),
        {"kind": MEMORY.name, "path": path, "text": f"{NOON.isoformat()}\n"},
    ]
    yield "".join(f"{json.dumps(line)}\n" for line in lines).encode()


TARGETS: Mapping[str, Target] = {
    "join": Target(join_documents, _versions, has_lines=True),
    "change": Target(read_changes, _changes, has_lines=True),
    "tombstone": Target(read_tombstones, _tombstones, has_lines=True),
    "lines": Target(import_lines, _exported, has_lines=True),
}
