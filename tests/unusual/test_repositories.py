"""Odd repositories: what is done in an ordinary one is done in each of them."""

import os

import pytest
from support.git_versions import needs_newer_git, use_newer_git
from unusual import kinds
from unusual.kinds import Kind
from unusual.round_trip import SUBJECT, Begin

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
pytestmark = pytest.mark.endurance
NEWER = kinds.reftable, kinds.linked_work_tree_of_reftable
OLDER = (
    *(kinds.plain, kinds.bare, kinds.linked_work_tree, kinds.linked_work_tree_of_bare),
    *(kinds.submodule, kinds.separate_git_dir, kinds.run_by_a_hook, kinds.led_astray),
    *(kinds.with_alternates, kinds.without_its_alternate, kinds.shallow),
    *(kinds.without_blobs, kinds.sparse_cone, kinds.sparse_index, kinds.split_index),
    *(kinds.unborn, kinds.detached, kinds.mid_rebase, kinds.hooks_elsewhere),
    *(kinds.without_case, kinds.odd_names, kinds.not_utf8, kinds.shared_with_a_group),
    kinds.sha256,
)
ALL = (
    *OLDER,
    *(pytest.param(kind, marks=needs_newer_git) for kind in NEWER),
    pytest.param(kinds.foreign, marks=as_root),
)


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
def test_it_is_lived_in_like_any_other(
    kind: Kind, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind in NEWER:
        use_newer_git(monkeypatch)
    begin(kind).live()


@pytest.mark.parametrize(
    "kind",
    [kinds.sha256, pytest.param(kinds.reftable, marks=needs_newer_git)],
    ids=lambda kind: kind.__name__,
)
def test_commits_of_any_name_are_followed(
    kind: Kind, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind in NEWER:
        use_newer_git(monkeypatch)
    life = begin(kind)
    life.ocm("init", "--yes", "--assistant", "claude")
    life.work()
    life.commit("Take it twice", "--allow-empty")
    life.commit("Take it once, after all", "--amend", "--allow-empty")
    listed = life.session().commits
    assert [each.subject for each in listed] == [SUBJECT, "Take it once, after all"]
    assert listed[-1].sha == life.git("rev-parse", "--short=12", "HEAD")
