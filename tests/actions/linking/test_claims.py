"""What a commit says itself of who made it is a claim, by its source."""

import json
from pathlib import Path
from typing import Any

from support.commits import committed, remembered
from support.harness import git
from support.rounds import every_row

from gitmem.actions.linking.claims import CommitClaim, claims_in, claims_of_commits
from gitmem.actions.linking.links import links_to
from gitmem.documents.session.identity import conversation_subject, subject_digest
from gitmem.git.values import Commit
from gitmem.workspace import Workspace

NOTE = """src/a.py
  0123456789abcdef 1-4,9
  s_0123456789abcd::t_0123456789abcd 5
---
"""


def claims(workspace: Workspace, commit: str) -> tuple[CommitClaim, ...]:
    return claims_of_commits(workspace.repository, [commit]).get(commit, ())


@every_row(
    ("trailer", "text"),
    [
        ("Ocm-Session: 0123456789abcdef", "0123456789abcdef"),
        ("Entire-Checkpoint: a3b2c4d5e6f7", "a3b2c4d5e6f7"),
        ("Claude-Session: https://claude.ai/code/s_01", "https://claude.ai/code/s_01"),
        ("Assisted-by: claude-code:claude-opus-4-8", "claude-code:claude-opus-4-8"),
        ("Co-authored-by: Claude <noreply@anthropic.com>", "Claude"),
        ("Co-authored-by: Cursor <cursoragent@cursor.com>", "Cursor"),
        ("Co-authored-by: aider (gpt-5) <aider@example.com>", "aider (gpt-5)"),
    ],
)
def test_trailers_are_claims(trailer: str, text: str) -> None:
    [claim] = claims_in(f"Subject\n\nBody.\n\n{trailer}\n")
    assert (claim.source, claim.text) == (trailer.partition(":")[0], text)


def test_case_of_a_trailer_means_nothing() -> None:
    trailers = (
        "Co-Authored-By: Claude <c@anthropic.com>",
        "co-authored-by: Claude <c>",
    )
    claims_of_both = {*claims_in("x\n\n" + "\n".join(trailers))}
    assert claims_of_both == {CommitClaim("Co-authored-by", "Claude")}


def test_squash_keeps_trailers_in_the_middle() -> None:
    message = (
        "Feature (#12)\n\n* First\n\nOcm-Session: 0000000000000001\n\n"
        "* Second\n\nOcm-Session: 0000000000000002\n\n---------\n\n"
        "Co-authored-by: Grace <grace@example.com>"
    )
    assert [claim.text for claim in claims_in(message)] == [
        "0000000000000001",
        "0000000000000002",
    ]


@every_row(
    "line",
    [
        *("Co-authored-by: Grace <grace@example.com>", "Assisted-by:", "Assisted-by: "),
        *("See Ocm-Session: 0123456789abcdef", "Reviewed-by: Claude <c@anthropic.com>"),
    ],
)
def test_people_and_prose_claim_nothing(line: str) -> None:
    assert [*claims_in(f"Subject\n\n{line}\n")] == []


def test_notes_of_git_ai_are_claims(workspace: Workspace, repository: Path) -> None:
    commit = committed(repository, "a.py", "1\n")
    metadata = {
        "schema_version": "authorship/3.0.0",
        "prompts": {
            "0123456789abcdef": {"agent_id": {"tool": "cursor", "model": "gpt-5"}}
        },
        "sessions": {"s_1": {"agent_id": {"tool": "claude", "model": "opus"}}},
        "humans": {"h_1": {"author": "Ada"}},
    }
    note = NOTE + json.dumps(metadata, indent=2)
    git(repository, "notes", "--ref=ai", "add", f"--message={note}", commit)
    expected = (
        CommitClaim("git-ai note", "cursor gpt-5"),
        CommitClaim("git-ai note", "claude opus"),
    )
    assert claims(workspace, commit) == expected
    blob = git(repository, "rev-parse", f"refs/notes/ai:{commit}")
    start, rest = f"{commit[:2]}/{commit[2:4]}", commit[4:]
    for path in (f"{start}{rest}", f"{start}/{rest}"):
        git(repository, "read-tree", "--empty")
        entry = f"100644,{blob},{path}"
        git(repository, "update-index", "--add", "--cacheinfo", entry)
        tree = git(repository, "write-tree")
        fanned = git(repository, "commit-tree", "-m", "x", tree)
        git(repository, "update-ref", "refs/notes/ai", fanned)
        assert claims(workspace, commit) == expected


@every_row(
    "metadata",
    [
        *("", "{", "null", "[]", '"x"', '{"prompts": []}', '{"prompts": {"a": 1}}'),
        *('{"prompts": {"a": {"agent_id": "x"}}}', "[" * 100_000),
    ],
)
def test_nonsense_in_a_note_claims_nothing(
    workspace: Workspace, repository: Path, metadata: str
) -> None:
    commit = git(repository, "rev-parse", "HEAD")
    file = repository.parent / "note"
    file.write_text(NOTE + metadata)
    git(repository, "notes", "--ref=ai", "add", "-f", f"--file={file}", commit)
    assert claims(workspace, commit) == ()


def trace(commit: str, lines: tuple[object, object], **values: Any) -> dict[str, Any]:
    contributor = {"type": "ai", "model_id": "anthropic/claude-opus-4-8", **values}
    ends = {"start_line": lines[0], "end_line": lines[1]}
    conversation = {"contributor": contributor, "ranges": [ends]}
    return {
        "version": "0.1.0",
        "vcs": {"type": "git", "revision": commit},
        "tool": {"name": "cursor", "version": "2.4.0"},
        "files": [{"path": "a.py", "conversations": [conversation]}],
    }


def test_agent_trace_is_a_claim(workspace: Workspace, repository: Path) -> None:
    before = committed(repository, "a.py", "1\n2\n3\n")
    commit = committed(repository, "a.py", "1\n2\n3\n4\n5\n")
    records = [
        trace(before, (4, 9)),
        trace(commit, (5, 10**12)),
        trace(commit, (1, 2), model_id="of-older-lines"),
        trace(commit, (4, 4), type="human"),
    ]
    (repository / ".agent-trace").mkdir()
    file = repository / ".agent-trace" / "traces.jsonl"
    file.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    claim = CommitClaim("Agent Trace", "cursor anthropic/claude-opus-4-8")
    assert claims(workspace, commit) == (claim,)
    assert claims(workspace, before) == ()


@every_row(
    "change",
    [
        *({"vcs": None}, {"vcs": {"revision": []}}, {"tool": []}, {"files": {}}),
        *({"files": [1]}, {"files": [{"path": 1}]}, {"files": [{"path": "a.py"}]}),
        {"files": [{"path": "a.py", "conversations": [{"contributor": {}}]}]},
        {"files": trace("", ("a", {}))["files"]},
        {"files": trace("", (5, 1))["files"]},
    ],
)
def test_nonsense_in_a_trace_claims_nothing(
    workspace: Workspace, repository: Path, change: dict[str, Any]
) -> None:
    commit = committed(repository, "a.py", f"{change}\n")
    (repository / ".agent-trace").mkdir(exist_ok=True)
    file = repository / ".agent-trace" / "traces.jsonl"
    file.write_text(json.dumps(trace(commit, (1, 1)) | change) + "\n[\n\0\n")
    assert claims(workspace, commit) == ()


def test_secret_and_length_of_a_claim_are_kept_in_bounds() -> None:
    secret = "gh" + "p_" + "a1B2c3D4e5F6" * 3
    [claim] = claims_in(f"x\n\nAssisted-by: {secret} {'x' * 900}\n")
    assert "[REDACTED:github" in claim.text
    assert len(claim.text) <= 100


def test_trailer_leads_to_its_session(workspace: Workspace, repository: Path) -> None:
    one, two = remembered(workspace, "c-1"), remembered(workspace, "c-2")
    subjects = [conversation_subject("cursor", client) for client in ("c-1", "c-2")]
    digests = map(subject_digest, subjects)
    trailers = "\n\n".join(f"* Part\n\nOcm-Session: {digest}" for digest in digests)
    squash = committed(repository, "a.py", "1\n", f"Squash\n\n{trailers}")
    unknown = committed(repository, "b.py", "1\n", f"x\n\nOcm-Session: {'0' * 16}")
    links = links_to(workspace, {squash, unknown})
    assert {link.session.session_id for link in links} == {one, two}
    assert {link.evidence for link in links} == {"Ocm-Session trailer"}
    assert {link.commits for link in links} == {(Commit(squash, "Squash"),)}
    assert claims(workspace, unknown) == (CommitClaim("Ocm-Session", "0" * 16),)
