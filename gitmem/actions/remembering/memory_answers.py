"""What remembering and recalling give back, as tools and `--json` show it."""

from itertools import chain
from shlex import quote

from gitmem.actions.remembering.clean_up import Duplicate, Stale
from gitmem.actions.remembering.keeping import SavedMemory
from gitmem.actions.remembering.marks import corrected_mark
from gitmem.actions.remembering.notes import Note
from gitmem.actions.remembering.recall import (
    MOST,
    RecalledMemory,
    RecallQuery,
    Recollection,
    recall,
)
from gitmem.actions.remembering.similar import Similar
from gitmem.actions.remembering.statement import PROJECT, USER
from gitmem.answers import Answer, passed_over
from gitmem.documents.authors import name_in
from gitmem.documents.memory.memory import Category, Memory, MemoryStatus, confidence_of
from gitmem.redaction.redact import redact
from gitmem.text.control_characters import harmless, harmless_lines
from gitmem.text.markdown import encode_item, line, one_line
from gitmem.workspace import Workspace

_TITLE_LENGTH = 100
"""Characters that are told of what other people said, and of a line."""
_QUESTION = "support, merge, supersede, contradict or nothing?"
_LINE = {"memory_id", "text", "kind", "status", "corrected", "author"}
_OVERVIEW = _LINE | {"key", "date", "why", "facts", "files", "rival"}


def of_kept(saved: SavedMemory) -> Answer:
    answer: Answer = {
        "memory_id": saved.memory.id,
        "action": saved.action.value,
        "similar": [_similar(similar) for similar in saved.similar],
    }
    left_out = passed_over(files=saved.unknown_files)
    return {**answer, "notice": left_out} if left_out else answer


def of_recollection(recollection: Recollection) -> Answer:
    """The memories, best first, without what is empty."""
    left_out = passed_over(spaces=recollection.unreachable)
    notice: Answer = {"notice": left_out} if left_out else {}
    return {
        **notice,
        "result": [_recalled(recalled) for recalled in recollection.memories],
    }


def forms_of(recalled: RecalledMemory) -> list[Answer]:
    """Return a memory as one line, as an overview, and whole."""
    whole = _recalled(recalled)
    title = one_line(recalled.memory.title, _TITLE_LENGTH)
    text = title if title == whole["text"] else f"{title.rstrip('…')}…"
    answer = {**whole, "text": text}
    if recalled.memory.status is MemoryStatus.ACTIVE:
        del answer["status"]
    shorter = (
        {n: answer[n] for n in answer if n in names} for names in (_LINE, _OVERVIEW)
    )
    return [*shorter, whole]


def of_stale(stale: Stale) -> Answer:
    memory, recalls = stale.memory, stale.recalls
    return {
        "memory_id": memory.id,
        "text": line(memory.text),
        "kind": memory.kind.value,
        "date": memory.updated_at.date().isoformat(),
        "recalled": recalls.last.isoformat() if recalls else None,
        "times": recalls.times if recalls else 0,
        "command": f"ocm forget {memory.id}",
    }


def of_duplicate(pair: Duplicate) -> Answer:
    """The older memory, the newer one, and the command that does what is proposed."""
    text = quote(harmless(" ".join(pair.newer.text.split())))
    scope = " --scope branch" if pair.newer.branch else ""
    options = f"--replaces {pair.older.id} --as {pair.proposal}"
    return {
        "memory_id": pair.older.id,
        "text": line(pair.older.text),
        "newer_id": pair.newer.id,
        "newer_text": line(pair.newer.text),
        "similarity": round(pair.likeness, 2),
        "proposal": pair.proposal.value,
        "opposite": pair.is_opposite,
        "command": f"ocm remember {text} {options}{scope}",
    }


def of_note(note: Note) -> Answer:
    return {
        "path": str(redact(str(note.path))),
        "text": line(redact(note.text)),
        "outcome": note.fate.value,
    }


def shown_text(recalled: RecalledMemory) -> str:
    """All of what the user said or trusts, and the title of what others said."""
    if recalled.is_own:
        return harmless_lines(recalled.memory.text)
    return one_line(recalled.memory.title, _TITLE_LENGTH)


def profile_text(workspace: Workspace) -> str:
    """What is known of the user, an item each, as far as it holds here."""
    kinds = (Category.PROFILE, Category.PREFERENCE)
    queries = (
        RecallQuery(kinds=kinds, scope=scope, limit=MOST) for scope in (PROJECT, USER)
    )
    profile = chain.from_iterable(
        recall(workspace, query).memories for query in queries
    )
    return "\n".join(map(_profile_item, profile)) or "Nothing is known."


def _profile_item(recalled: RecalledMemory) -> str:
    text = encode_item(shown_text(recalled))
    return text if recalled.is_own else f"{text} (by {name_in(recalled.memory.author)})"


def _similar(similar: Similar) -> Answer:
    memory = similar.memory
    return {
        "memory_id": memory.id,
        "text": line(memory.text),
        "kind": memory.kind.value,
        "similarity": round(similar.likeness, 2),
        "proposal": similar.proposal.value if similar.proposal else _QUESTION,
    }


def _recalled(recalled: RecalledMemory) -> Answer:
    memory = recalled.memory
    row: Answer = {
        "memory_id": memory.id,
        "text": shown_text(recalled),
        "kind": recalled.kind,
        "key": line(memory.key),
        "scope": recalled.scope,
        "status": memory.status.value,
        "match": recalled.match.value,
        "score": round(recalled.score, 3),
        "meaning": round(recalled.cosine, 2) or "",
        "confidence": confidence_of(memory),
        "date": memory.updated_at.date().isoformat(),
        "pinned": memory.pinned,
        "author": "" if recalled.is_own else name_in(memory.author),
        "changed_files": recalled.changed_files,
        "rival": recalled.rival,
        "corrected": corrected_mark(recalled.correction) if recalled.correction else "",
    }
    row |= _details(memory) if recalled.is_own else {}
    return {name: value for name, value in row.items() if value not in ("", [], False)}


def _details(memory: Memory) -> Answer:
    return {
        "why": harmless_lines(memory.why),
        "facts": [line(fact) for fact in memory.facts],
        "tags": [line(tag) for tag in memory.tags],
        "files": sorted({line(file.path) for file in memory.files}),
        "expires": memory.expires.date().isoformat() if memory.expires else "",
    }
