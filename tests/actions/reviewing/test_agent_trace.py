"""Commits of a session as records that the public schema of Agent Trace accepts."""

from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it brings no types
from support.commits import committed, remembered
from support.harness import git

from gitmem.actions.reviewing.agent_trace import trace_records
from gitmem.workspace import Workspace

TEXT = {"type": "string"}
LINE = {"type": "integer", "minimum": 1}


def having(**properties: object) -> dict[str, object]:
    """The schema of an object that has all of these, and nothing else."""
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


def listing(items: object) -> dict[str, object]:
    return {"type": "array", "items": items}


CONVERSATION = having(
    contributor=having(type={"enum": ["human", "ai", "mixed", "unknown"]}),
    ranges=listing(having(start_line=LINE, end_line=LINE)),
)
RECORD = having(
    version={"const": "0.1.0"},
    id={"type": "string", "format": "uuid"},
    timestamp={"type": "string", "pattern": r"^\d{4}(-\d\d){2}T(\d\d:){2}\d\dZ$"},
    vcs=having(type={"const": "git"}, revision=TEXT),
    tool=having(name=TEXT, version=TEXT),
    files=listing(having(path=TEXT, conversations=listing(CONVERSATION))),
    metadata={"type": "object"},
)
"""What we write of the schema at https://agent-trace.dev/, where more is optional."""


def test_a_record_for_each_commit_names_the_lines_it_adds(
    workspace: Workspace, repository: Path
) -> None:
    first = committed(repository, "src/a.py", "1\n2\n3\n")
    second = committed(repository, "src/a.py", "0\n1\n2\nthree\nfour\n")
    session = remembered(workspace, "c-1", first, second, "0" * 12)
    records: list[Any] = trace_records(workspace, session)
    for record in records:
        assert jsonschema.Draft202012Validator(RECORD).is_valid(record)
    assert [record["vcs"]["revision"] for record in records] == [first, second]
    assert records[1]["files"] == [
        {
            "path": "src/a.py",
            "conversations": [
                {
                    "contributor": {"type": "ai"},
                    "ranges": [
                        {"start_line": 1, "end_line": 1},
                        {"start_line": 4, "end_line": 5},
                    ],
                }
            ],
        }
    ]
    assert records[1]["metadata"]["ocm"]["session"] == session
    assert records == trace_records(workspace, session)


def test_first_commit_adds_all_and_merge_nothing(
    workspace: Workspace, repository: Path
) -> None:
    root = git(repository, "rev-list", "--max-parents=0", "HEAD")
    git(repository, "checkout", "--quiet", "-b", "side")
    committed(repository, "side.txt", "1\n")
    git(repository, "checkout", "--quiet", "main")
    committed(repository, "main.txt", "1\n")
    git(repository, "merge", "--quiet", "--no-edit", "side")
    merge = git(repository, "rev-parse", "HEAD")
    session = remembered(workspace, "c-1", root, merge)
    first, merged = trace_records(workspace, session)
    assert first["files"]
    assert merged["files"] == []
