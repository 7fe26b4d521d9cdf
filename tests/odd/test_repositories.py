"""Odd repositories: what is done in an ordinary one is done in each of them."""

import io
import os
import sys
from pathlib import Path

import pytest
from cli.running import Ran
from git_versions import needs_newer_git, use_newer_git
from installing import python_with_gitmem
from odd import kinds
from odd.kinds import Kind
from odd.life import Life

from gitmem.cli.main import run

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
CHEAP = (kinds.sha256,)
"""So odd that they are lived in all the time."""
NEWER = (
    *(kinds.reftable, kinds.sha256_and_reftable),
    kinds.linked_work_tree_of_reftable,
)
LONG = (
    *(kinds.plain, kinds.bare, kinds.linked_work_tree, kinds.linked_work_tree_of_bare),
    *(kinds.submodule, kinds.separate_git_dir, kinds.run_by_a_hook, kinds.led_astray),
    *(kinds.with_alternates, kinds.without_its_alternate, kinds.shallow),
    *(kinds.without_blobs, kinds.without_trees, kinds.partial_by_extension),
    *(kinds.sparse_cone, kinds.sparse_patterns, kinds.sparse_index, kinds.split_index),
    *(kinds.unborn, kinds.detached, kinds.mid_rebase, kinds.mid_merge),
    *(kinds.packed_refs, kinds.hooks_elsewhere, kinds.without_case),
    *(kinds.odd_names, kinds.not_utf8),
    *(kinds.linked_work_tree_of_sha256, kinds.bare_sha256, kinds.submodule_of_sha256),
    kinds.separate_git_dir_of_sha256,
)
ALL = (
    *CHEAP,
    *(pytest.param(kind, marks=pytest.mark.endurance) for kind in LONG),
    *(
        pytest.param(kind, marks=[pytest.mark.endurance, needs_newer_git])
        for kind in NEWER
    ),
    *(
        pytest.param(kind, marks=[pytest.mark.endurance, as_root])
        for kind in (kinds.foreign, kinds.foreign_sha256)
    ),
)


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_it_is_lived_in_like_any_other(
    kind: Kind,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if kind in NEWER:
        use_newer_git(monkeypatch)
    odd = kind(tmp_path)
    (tmp_path / "bin").mkdir()
    monkeypatch.setattr(sys, "executable", str(python_with_gitmem(tmp_path / "bin")))
    monkeypatch.chdir(odd.root)

    def ocm(*arguments: str, stdin: bytes = b"") -> Ran:
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            for name, value in odd.variables.items():
                patch.setenv(name, value)
            status = run(arguments)
        captured = capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    Life(odd, tmp_path / "memory.git", ocm).live()
