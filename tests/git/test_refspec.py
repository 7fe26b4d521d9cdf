"""Which ref becomes which: as git itself has it."""

import subprocess
from pathlib import Path

from support.harness import git, make_repository
from support.rounds import few

from gitmem.git.config import sources_of

HERE = "refs/ocm/sessions"


@few(
    6,
    ("refspecs", "source"),
    [
        (["+refs/*:refs/*"], HERE),
        (["refs/ocm/*:refs/ocm/*"], HERE),
        (["+refs/ocm/sessions:refs/ocm/sessions"], HERE),
        (["+refs/heads/ocm/*:refs/ocm/*"], "refs/heads/ocm/sessions"),
        (["+refs/heads/s*ns:refs/ocm/s*ns"], "refs/heads/sessions"),
        (["+refs/heads/*:refs/remotes/origin/*"], None),
        (["+refs/ocm/sessions*:refs/ocm/remotes/origin/sessions*"], None),
        (["+refs/*:refs/*", "^refs/ocm/*"], None),
        (["+refs/*:refs/*", "^refs/ocm/sessions"], None),
        (["+refs/*:refs/*", "^refs/ocm/conversations"], HERE),
        (["refs/ocm/sessions"], None),
        (["main:main", ""], None),
        ([], None),
    ],
)
def test_what_a_fetch_writes_to_our_ref(
    refspecs: list[str], source: str | None, tmp_path: Path
) -> None:
    assert sources_of(refspecs, HERE) == ([source] if source else [])
    there = make_repository(tmp_path / "there")
    for ref in (HERE, "refs/heads/ocm/sessions", "refs/heads/sessions"):
        git(there, "update-ref", ref, "HEAD")
    git(tmp_path, "init", "--quiet", "--bare", "here")
    fetch = ["git", "fetch", "--quiet", str(there), *filter(None, refspecs)]
    subprocess.run(fetch, cwd=tmp_path / "here", check=False, capture_output=True)
    is_written = bool(git(tmp_path / "here", "for-each-ref", HERE))
    assert is_written is (source is not None)
