"""Which files of an edit are the project's, and by what name git knows them."""

from pathlib import Path

import pytest
from support.harness import git, make_repository
from support.rounds import every_row

from gitmem.hook.place import Checkout, find_place


@pytest.fixture
def place(repository: Path) -> Checkout:
    (repository / "src").mkdir()
    (repository / "src" / "a.py").touch()
    found = find_place(repository)
    assert found is not None
    return found


@every_row(
    ("named", "path"),
    [
        ("src/a.py", "src/a.py"),
        ("{root}/src/a.py", "src/a.py"),
        ("{root}/src/../src/./a.py", "src/a.py"),
        ("{root}//src//a.py", "src/a.py"),
        ("{root}/not/there.py", "not/there.py"),
        ("{root}/with space/ü.py", "with space/ü.py"),
        ("../outside.py", None),
        ("{root}/../outside.py", None),
        ("{root}beside/a.py", None),
        ("/etc/passwd", None),
        ("{root}", None),
        ("", None),
        ("{root}/.git/config", None),
        ("{root}/src/.git/config", None),
        ("{root}/.openCodeMemory/sessions/a.md", None),
        ("{root}/src/.openCodeMemory", "src/.openCodeMemory"),
        ("{root}/.gitignore", ".gitignore"),
        ("x" * 5000, None),
    ],
)
def test_file_is_relative_to_the_root(
    place: Checkout, named: str, path: str | None
) -> None:
    assert place.path_of(named.replace("{root}", str(place.root)), "") == path


def test_a_relative_name_counts_from_where_the_assistant_works(place: Checkout) -> None:
    assert place.path_of("a.py", str(place.root / "src")) == "src/a.py"
    assert place.path_of("../src/a.py", str(place.root / "src")) == "src/a.py"


def test_links_in_the_project_are_their_targets(
    place: Checkout, tmp_path: Path
) -> None:
    (tmp_path / "outside").mkdir()
    for name, target in (
        ("link", "src"),
        ("out", tmp_path / "outside"),
        ("file", "/etc/passwd"),
        ("one", "two"),
        ("two", "one"),
    ):
        (place.root / name).symlink_to(target)
    assert place.path_of(f"{place.root}/link/a.py", "") == "src/a.py"
    assert place.path_of(f"{place.root}/out/a.py", "") is None
    assert place.path_of(f"{place.root}/file", "") is None
    assert place.path_of(f"{place.root}/one/a.py", "") == "one/a.py"


def test_a_name_that_no_file_can_have_is_no_error(place: Checkout) -> None:
    for name in ("x" * 300 + "/a.py", "src/\0.py"):
        path = place.path_of(f"{place.root}/{name}", "")
        assert path in {None, name}  # from Python 3.14 on a name may be too long


def test_linked_project_is_the_project(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "way").symlink_to(repository)
    place = find_place(tmp_path / "way")
    assert place is not None
    assert place.root == repository
    for root in (repository, tmp_path / "way"):
        assert place.path_of(f"{root}/file.txt", "") == "file.txt"


def test_a_work_tree_inside_of_this_one_names_its_own_files(place: Checkout) -> None:
    inner = place.root / ".claude" / "worktrees" / "one"
    git(place.root, "worktree", "add", "--quiet", str(inner))
    assert place.path_of(f"{inner}/src/b.py", "") == "src/b.py"
    assert place.path_of(f"{inner}/.git", "") is None


def test_a_work_tree_beside_this_one_names_its_own_files(
    place: Checkout, tmp_path: Path
) -> None:
    git(place.root, "worktree", "add", "--quiet", str(tmp_path / "beside"))
    assert place.path_of(f"{tmp_path}/beside/src/b.py", "") == "src/b.py"


def test_a_nested_repository_and_a_submodule_have_their_own_files(
    place: Checkout, tmp_path: Path
) -> None:
    make_repository(place.root / "vendor" / "other")
    library = make_repository(tmp_path / "library")
    allowed = ("-c", "protocol.file.allow=always")
    git(place.root, *allowed, "submodule", "--quiet", "add", str(library), "library")
    for inner in ("vendor/other", "library"):
        assert place.path_of(f"{place.root}/{inner}/b.py", "") is None
    assert place.path_of(f"{place.root}/vendor/b.py", "") == "vendor/b.py"


def test_a_file_that_points_elsewhere_leads_nobody_there(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "clone").mkdir()
    (tmp_path / "clone" / ".git").write_text(f"gitdir: {tmp_path / 'elsewhere'}\n")
    assert find_place(tmp_path / "clone") is None


def test_the_work_tree_is_found_from_below(repository: Path) -> None:
    (repository / "deep" / "er").mkdir(parents=True)
    place = find_place(repository / "deep" / "er")
    assert place == Checkout(repository, repository / ".git")
