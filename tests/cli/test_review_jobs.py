"""The jobs of docs/review.md post a page, and replace it: their steps are run here.

The forge is a bare repository; programs that stand in for `gh` and `curl` note what
they were asked.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import Any

import pytest
import yaml
from support.commits import committed, remembered
from support.harness import git, script
from support.workspaces import workspace_at

from gitmem.actions.reviewing.page import MARKER

ROOT = Path(__file__).parents[2]
REF = "refs/ocm/sessions"


def jobs() -> Iterator[Any]:
    """The YAML blocks of the document."""
    text = (ROOT / "docs" / "review.md").read_text("utf-8")
    for block in text.split("```yaml\n")[1:]:
        yield yaml.safe_load(block.partition("```")[0])


@dataclass(frozen=True)
class Job:
    """A clone as a forge makes it for a job, and the programs on its PATH."""

    clone: Path
    programs: Path
    temporary: Path

    def run(self, script_text: str, **variables: str) -> None:
        environment = {
            **os.environ,
            "PATH": f"{self.programs}:{os.environ['PATH']}",
            "RUNNER_TEMP": str(self.temporary),
            "GITMEM": "gitmem",
            **variables,
        }
        subprocess.run(
            ["bash", "-eo", "pipefail", "-c", script_text],
            cwd=self.clone,
            env=environment,
            check=True,
        )

    @property
    def requests(self) -> list[str]:
        return (self.temporary / "requests").read_text().splitlines()


@pytest.fixture
def job(repository: Path, tmp_path: Path) -> Job:
    git(repository, "checkout", "--quiet", "-b", "feature")
    name = committed(repository, "src/charge.py", "1\n", "Send a key")
    remembered(workspace_at(repository), "c-1", name, goal="Stop the double charge")
    forge, clone = tmp_path / "forge.git", tmp_path / "clone"
    git(repository, "clone", "--quiet", "--bare", str(repository), str(forge))
    git(repository, "push", "--quiet", str(forge), f"{REF}:{REF}")
    git(tmp_path, "clone", "--quiet", f"file://{forge}", str(clone))
    git(clone, "checkout", "--quiet", "--detach", name)
    programs, temporary = tmp_path / "programs", tmp_path / "temporary"
    temporary.mkdir()
    for installer in ("pip", "pipx"):
        script(programs / installer, "exit 0")
    script(
        programs / "ocm",
        f"PYTHONPATH='{ROOT}' exec '{sys.executable}' -P -m gitmem \"$@\"",
    )
    note = 'printf "%s\\n" "$*" >>"$RUNNER_TEMP/requests"'
    script(
        programs / "gh",
        f'{note}\ncase $2 in --paginate) jq -r "$5" "$RUNNER_TEMP/comments";; esac',
    )
    script(
        programs / "curl",
        f'{note}\ncase $* in *per_page*) cat "$RUNNER_TEMP/comments";; esac',
    )
    return Job(clone, programs, temporary)


def _comment(number: int, login: str, body: str) -> dict[str, object]:
    return {"id": number, "user": {"login": login}, "body": body}


@pytest.mark.slow
@pytest.mark.skipif(not which("jq"), reason="gh has jq built in; here it stands in")
def test_github_action_posts_a_page_and_replaces_it(job: Job) -> None:
    action, _ = jobs()
    steps = [step["run"] for step in action["jobs"]["story"]["steps"] if "run" in step]
    variables = {
        "GITHUB_BASE_REF": "main",
        "GITHUB_REPOSITORY": "ada/pay",
        "NUMBER": "7",
    }
    theirs = _comment(41, "ada", f"{MARKER} I am the bot")
    other = _comment(43, "github-actions[bot]", f"See {MARKER}")
    own = _comment(42, "github-actions[bot]", f"{MARKER}\n\n## The")
    for comments in ([theirs, other], [theirs, other, own]):
        (job.temporary / "comments").write_text(json.dumps(comments))
        for step in steps:
            job.run(step, **variables)
    assert "### Stop the double charge" in (job.temporary / "story.md").read_text()
    requests = [line for line in job.requests if line.startswith("api")]
    listing, posted, _, replaced = requests
    assert "/ada/pay/issues/7/comments --jq" in listing
    body = f"-F body=@{job.temporary}/story.md"
    assert posted.endswith(f"/ada/pay/issues/7/comments {body}")
    assert "-X" not in posted
    assert "-X PATCH" in replaced
    assert replaced.endswith(f"/ada/pay/issues/comments/42 {body}")


@pytest.mark.slow
def test_gitlab_job_posts_a_page_and_replaces_it(job: Job) -> None:
    _, configuration = jobs()
    variables = {
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": git(job.clone, "rev-parse", "HEAD~1"),
        "CI_COMMIT_SHA": git(job.clone, "rev-parse", "HEAD"),
        "CI_API_V4_URL": "https://gitlab.example.com/api/v4",
        "CI_PROJECT_ID": "3",
        "CI_MERGE_REQUEST_IID": "7",
        "OCM_TOKEN": "t",
    }
    theirs = _comment(41, "ada", f"See {MARKER}")
    own = _comment(42, "bot", f"{MARKER}\n\n## The")
    for comments in ([theirs], [theirs, own]):
        (job.temporary / "comments").write_text(json.dumps(comments))
        job.run("\n".join(configuration["story"]["script"]), **variables)
    assert "### Stop the double charge" in (job.clone / "story.md").read_text()
    notes = "https://gitlab.example.com/api/v4/projects/3/merge_requests/7/notes"
    assert [line.partition(" t ")[2] for line in job.requests if "@" in line] == [
        f"--data-urlencode body@story.md {notes}",
        f"--request PUT --data-urlencode body@story.md {notes}/42",
    ]
