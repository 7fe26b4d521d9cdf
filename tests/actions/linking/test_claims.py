"""What a commit says itself of who made it is a claim, by its source."""

import json
from pathlib import Path

from support.commits import committed
from support.harness import git
from support.rounds import every_row

from gitmem.actions.linking.claims import CommitClaim, claims_in, claims_of_commits
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
        ("Co-Authored-By: Cursor <cursoragent@cursor.com>", "Cursor"),
        ("co-authored-by: aider (gpt-5) <aider@example.com>", "aider (gpt-5)"),
    ],
)
def test_trailers_are_claims(trailer: str, text: str) -> None:
    [claim] = claims_in(f"Subject\n\nBody.\n\n{trailer}\n")
    assert (claim.source, claim.text) == (trailer.partition(":")[0], text)


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


def test_secret_and_length_of_a_claim_are_kept_in_bounds() -> None:
    secret = "gh" + "p_" + "a1B2c3D4e5F6" * 3
    [claim] = claims_in(f"x\n\nAssisted-by: {secret} {'x' * 900}\n")
    assert "[REDACTED:github" in claim.text
    assert len(claim.text) <= 100
