"""What remembering and recalling give back, as tools and `--json` show it."""

from itertools import chain
from shlex import quote

from gitmem.actions.answers import Answer, passed_over
from gitmem.actions.remembering.clean_up import Duplicate, Stale
from gitmem.actions.remembering.corrections import past_mark
from gitmem.actions.remembering.keeping import SavedMemory
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
from gitmem.documents.authors import name_in
from gitmem.documents.memory.memory import Category, Memory, MemoryStatus, confidence_of
from gitmem.redaction.redact import redact
from gitmem.text.control_characters import harmless, harmless_lines
from gitmem.text.markdown import encode_item, line, one_line
from gitmem.workspace import Workspace

_TITLE_LENGTH = 100
"""Characters that are told of what other people said, and of a line."""
_LINE = {"memory_id", "text", "kind", "status", "corrected", "author"}
_OVERVIEW = _LINE | {"key", "date", "why", "facts", "files", "rival"}


def of_kept(kept: SavedMemory) -> Answer:
    answer: Answer = {
        "memory_id": kept.memory.id,
        "action": kept.action.value,
        "similar": [_similar(each) for each in kept.similar],
    }
    left_out = passed_over(files=kept.unknown_files)
    return {**answer, "notice": left_out} if left_out else answer


def of_recollection(found: Recollection) -> Answer:
    """The memories, best first, without what is empty."""
    left_out = passed_over(spaces=found.unreachable)
    first: Answer = {"notice": left_out} if left_out else {}
    return {**first, "result": [_recalled(each) for each in found.found]}


def forms_of(found: RecalledMemory) -> list[Answer]:
    """Return a memory as one line, as an overview, and whole."""
    whole = _recalled(found)
    title = one_line(found.memory.title, _TITLE_LENGTH)
    text = title if title == whole["text"] else f"{title.rstrip('…')}…"
    known = {**whole, "text": text}
    if found.memory.status is MemoryStatus.ACTIVE:
        del known["status"]
    shorter = ({n: known[n] for n in known if n in each} for each in (_LINE, _OVERVIEW))
    return [*shorter, whole]


def of_stale(stale: Stale) -> Answer:
    memory, reads = stale.memory, stale.reads
    return {
        "memory_id": memory.id,
        "text": line(memory.text),
        "kind": memory.kind.value,
        "date": memory.updated_at.date().isoformat(),
        "recalled": reads.last.isoformat() if reads else None,
        "times": reads.times if reads else 0,
        "command": f"ocm forget {memory.id}",
    }


def of_duplicate(pair: Duplicate) -> Answer:
    """The older memory, the newer one, and the command that does what is proposed."""
    text = quote(harmless(" ".join(pair.newer.text.split())))
    scope = " --scope branch" if pair.newer.branch else ""
    how = f"--replaces {pair.older.id} --as {pair.proposal}"
    return {
        "memory_id": pair.older.id,
        "text": line(pair.older.text),
        "newer_id": pair.newer.id,
        "newer_text": line(pair.newer.text),
        "similarity": round(pair.likeness, 2),
        "proposal": pair.proposal.value,
        "opposite": pair.is_opposite,
        "command": f"ocm remember {text} {how}{scope}",
    }


def of_note(note: Note) -> Answer:
    return {
        "path": str(redact(str(note.path))),
        "text": line(redact(note.text)),
        "outcome": note.fate.value,
    }


def shown_text(found: RecalledMemory) -> str:
    """All of what the user said or trusts, and the title of what others said."""
    if found.is_own:
        return harmless_lines(found.memory.text)
    return one_line(found.memory.title, _TITLE_LENGTH)


def profile_text(workspace: Workspace) -> str:
    """What is known of the user, an item each, as far as it holds here."""
    kinds = (Category.PROFILE, Category.PREFERENCE)
    asked = (
        RecallQuery(kinds=kinds, scope=each, limit=MOST) for each in (PROJECT, USER)
    )
    found = chain.from_iterable(recall(workspace, each).found for each in asked)
    return "\n".join(map(_profile_item, found)) or "Nothing is known."


def _profile_item(found: RecalledMemory) -> str:
    text = encode_item(shown_text(found))
    return text if found.is_own else f"{text} (by {name_in(found.memory.author)})"


def _similar(similar: Similar) -> Answer:
    known = similar.memory
    return {
        "memory_id": known.id,
        "text": line(known.text),
        "kind": known.kind.value,
        "similarity": round(similar.likeness, 2),
        "proposal": similar.proposal.value,
    }


def _recalled(found: RecalledMemory) -> Answer:
    memory = found.memory
    told: Answer = {
        "memory_id": memory.id,
        "text": shown_text(found),
        "kind": found.kind,
        "key": line(memory.key),
        "scope": found.scope,
        "status": memory.status.value,
        "match": found.match.value,
        "score": round(found.score, 3),
        "confidence": confidence_of(memory),
        "date": memory.updated_at.date().isoformat(),
        "pinned": memory.pinned,
        "author": "" if found.is_own else name_in(memory.author),
        "changed_files": found.changed_files,
        "rival": found.rival,
        "corrected": past_mark(found.correction) if found.correction else "",
    }
    told |= _details(memory) if found.is_own else {}
    return {name: value for name, value in told.items() if value not in ("", [], False)}


def _details(memory: Memory) -> Answer:
    return {
        "why": harmless_lines(memory.why),
        "facts": [line(each) for each in memory.facts],
        "tags": [line(each) for each in memory.tags],
        "files": sorted({line(each.path) for each in memory.files}),
        "expires": memory.expires.date().isoformat() if memory.expires else "",
    }
