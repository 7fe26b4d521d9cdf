"""Records of Agent Trace 0.1.0 in a work tree, in which other programs claim lines."""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any

from gitmem.assistants.payload import inner, items, text, text_if_any
from gitmem.assistants.transcripts.transcript_files import JsonLine, json_lines
from gitmem.git.added_lines import lines_added_by
from gitmem.git.repository import Repository
from gitmem.git.values import Oid

_FILE = ".agent-trace/traces.jsonl"
"""Where the reference implementation keeps them."""
_BY_ASSISTANTS = ("ai", "mixed")


def traced_commits(
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
