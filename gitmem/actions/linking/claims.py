"""What is said of who made commits: in trailers, notes of git-ai, Agent Trace.

Anybody may have written that, so it is shown as a claim, by its source.
"""

import json
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any

from gitmem.actions.linking.recognize import MOST_BYTES, LinkedSession, message_of
from gitmem.answers import Answer
from gitmem.assistants.payload import inner, items, text, text_if_any
from gitmem.assistants.transcripts.transcript_files import JsonLine, json_lines
from gitmem.documents.authors import name_in
from gitmem.errors import Damaged
from gitmem.frozen import frozen
from gitmem.git.commit_changes import lines_added_by
from gitmem.git.repository import Repository
from gitmem.git.values import Commit, Oid
from gitmem.redaction.redact import redact
from gitmem.text.markdown import one_line
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

_SOURCES = {
    source.lower(): source
    for source in (
        *("Ocm-Session", "Entire-Checkpoint", "Claude-Session", "Assisted-by"),
        "Co-authored-by",
    )
}
_TRAILER = pattern(
    rf"^[ \t]*({'|'.join(_SOURCES)}):[ \t]*(\S[^\n]{{0,1000}})",
    re.MULTILINE | re.IGNORECASE,
)
"""A forge's squash has the trailers of its commits in the middle of its message."""
_OWN_TRAILER = pattern(r"^[ \t]*Ocm-Session:[ \t]*([0-9a-f]{16})[ \t]*$", re.MULTILINE)
_ASSISTANTS = pattern(
    r"claude|anthropic|cursor|copilot|codex|openai|aider|devin-ai|gemini|jules|ampcode"
    r"|opencode|windsurf|codeium",
    re.IGNORECASE,
)
_GIT_AI = "refs/notes/ai"
_LENGTH = 100
"""Characters of a claim."""


@frozen
class CommitClaim:
    source: str
    """The trailer, or the kind of note or record."""
    text: str


def claims_of_commits(
    git: Repository, commits: Collection[Oid]
) -> Mapping[Oid, tuple[CommitClaim, ...]]:
    """Return what these commits claim, for those that claim something."""
    notes = _git_ai_notes(git, commits)
    traces = [*_traced_commits(git, commits)]
    claims = {
        commit: (
            *claims_in(message_of(git, commit)),
            *_claims_in_note(notes.get(commit, b"")),
            *(_claim("Agent Trace", text) for oid, text in traces if oid == commit),
        )
        for commit in commits
    }
    return {commit: tuple(dict.fromkeys(c)) for commit, c in claims.items() if c}


def named_in_messages(
    workspace: Workspace, commits: Collection[Oid]
) -> Iterator[LinkedSession]:
    """Yield the sessions that `Ocm-Session` trailers of these commits name."""
    commits_by_digest: defaultdict[str, list[Commit]] = defaultdict(list)
    for commit in commits:
        message = message_of(workspace.repository, commit)
        for digest in dict.fromkeys(_OWN_TRAILER.findall(message)):
            commits_by_digest[digest].append(Commit(commit, message.partition("\n")[0]))
    if not commits_by_digest:
        return
    memory = workspace.store.memory()
    for digest, own_commits in commits_by_digest.items():
        document_id = memory.ids_by_identity.get(digest)
        session = memory.readable(document_id) if document_id else None
        if session:
            yield LinkedSession(session, tuple(own_commits), "Ocm-Session trailer")


def claims_in(message: str) -> Iterator[CommitClaim]:
    """Yield what the trailers of a message say of sessions and assistants."""
    for key, value in _TRAILER.findall(message):
        source = _SOURCES[key.lower()]
        is_author = source == "Co-authored-by"
        if not is_author or _ASSISTANTS.search(value):
            yield _claim(source, name_in(value) if is_author else value)


def _claim(source: str, text: str) -> CommitClaim:
    return CommitClaim(source, one_line(redact(text), _LENGTH))


def _git_ai_notes(git: Repository, commits: Collection[Oid]) -> Mapping[Oid, bytes]:
    """Return the notes of those commits that have one."""
    tip = git.resolve_ref(_GIT_AI)
    paths = {path: commit for commit in commits for path in _note_paths(commit)}
    notes = {}
    for path, blob in git.blobs(tip, paths).items() if tip else ():
        with suppress(Damaged):
            notes[paths[path]] = git.read_blob(blob, MOST_BYTES)
    return notes


def _note_paths(commit: Oid) -> Iterator[str]:
    """Yield where git keeps a note, by how many there are."""
    yield commit
    yield f"{commit[:2]}/{commit[2:]}"
    yield f"{commit[:2]}/{commit[2:4]}/{commit[4:]}"


def _claims_in_note(note: bytes) -> Iterator[CommitClaim]:
    """Yield the assistants in git-ai's metadata, JSON below the lines of each file."""
    metadata: Any = None
    with suppress(ValueError, RecursionError):
        metadata = json.loads(note.rpartition(b"\n---\n")[2] or "null")
    for group in ("prompts", "sessions"):
        entries = metadata.get(group) if isinstance(metadata, dict) else None
        for entry in entries.values() if isinstance(entries, dict) else ():
            assistant = entry.get("agent_id") if isinstance(entry, dict) else None
            if isinstance(assistant, dict):
                names = (assistant.get("tool"), assistant.get("model"))
                text = " ".join(name for name in names if isinstance(name, str))
                yield _claim("git-ai note", text)


def claim_answer(claim: CommitClaim) -> Answer:
    return {"source": claim.source, "text": claim.text}


_FILE = ".agent-trace/traces.jsonl"
"""The file in which the reference implementation keeps its records."""
_BY_ASSISTANTS = ("ai", "mixed")


def _traced_commits(
    git: Repository, commits: Collection[Oid]
) -> Iterator[tuple[Oid, str]]:
    """Yield commits of which an assistant claims lines, with its name and model.

    The commit has to add one of the lines: some programs name the commit before it.
    """
    for record in _records(git):
        with suppress(KeyError, TypeError, ValueError):
            commit = text(inner(record, "vcs"), "revision")
            models = [*_models(git, commit, record)] if commit in commits else []
            name = text_if_any(inner(record, "tool"), "name")
            yield from ((commit, f"{name} {model}".strip()) for model in models)


def _records(git: Repository) -> Iterator[Mapping[str, Any]]:
    with suppress(OSError):
        for line in json_lines(git.work_tree / _FILE) if git.work_tree else ():
            if isinstance(line, JsonLine):
                yield line.values


def _models(git: Repository, commit: Oid, record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the models of the assistants that wrote lines that a commit adds."""
    added_by_path = lines_added_by(git, commit)
    for file in items(record, "files"):
        hunks = added_by_path.get(text(file, "path"), ())
        added = [number for hunk in hunks for number, _ in hunk]
        for conversation in items(file, "conversations"):
            contributor = inner(conversation, "contributor")
            is_by_assistant = contributor.get("type") in _BY_ASSISTANTS
            if is_by_assistant and _has_lines(conversation, added):
                yield text_if_any(contributor, "model_id")


def _has_lines(conversation: Mapping[str, Any], added: list[int]) -> bool:
    for lines in items(conversation, "ranges"):
        place = bisect_left(added, lines["start_line"])
        if place < len(added) and added[place] <= lines["end_line"]:
            return True
    return False
