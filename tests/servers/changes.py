"""What is wrong in a clone, or with a bare repository that is served."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from servers.scene import Change, Scene, executable, program
from support.harness import git

SESSIONS = "refs/ocm/sessions"
BRANCH = "refs/heads/ocm/sessions"


def config(key: str, value: str) -> Change:
    """A setting of the clone; `{folder}` in it is that of the scene."""

    def change(scene: Scene) -> None:
        git(scene.clone, "config", key, value.format(folder=scene.folder))

    return change


def hub_config(key: str, value: str) -> Change:
    def change(scene: Scene) -> None:
        git(scene.hub, "config", key, value)

    return change


def hook(name: str, script: str) -> Change:
    """Of the bare repository."""

    def change(scene: Scene) -> None:
        executable(scene.hub / "hooks" / name, script)

    return change


def variable(name: str, value: str) -> Change:
    """Of the environment of `ocm`."""

    def change(scene: Scene) -> None:
        scene.variables[name] = value.format(folder=scene.folder)

    return change


def file(name: str, text: str) -> Change:
    """In the folder of the scene; one that can be executed."""

    def change(scene: Scene) -> None:
        executable(scene.folder / name, text)

    return change


def with_users(scene: Scene) -> None:
    """A file of passwords with one user, ada."""
    command = [program("openssl", "openssl"), "passwd", "-apr1", "right"]
    password = subprocess.check_output(command, text=True)
    (scene.folder / "users").write_text(f"ada:{password}")


def without_ssh(scene: Scene) -> None:
    """Git is all that is on the PATH."""
    programs = scene.folder / "programs"
    programs.mkdir()
    (programs / "git").symlink_to(shutil.which("git") or "")
    scene.variables["PATH"] = str(programs)


def served_as_files(scene: Scene) -> None:
    git(scene.hub, "update-server-info")


def read_only_objects(scene: Scene) -> None:
    for folder in _folders(scene.hub / "objects"):
        folder.chmod(0o555)


def cut_objects(scene: Scene) -> None:
    for path in (scene.hub / "objects").rglob("*"):
        if path.is_file():
            path.chmod(0o644)
            path.write_bytes(path.read_bytes()[:20])


def left_lock(scene: Scene) -> None:
    scene.ocm("pull")  # else it looks like a lost race, and what is sent waits there
    lock = scene.hub / f"{SESSIONS}.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.touch()


def branch_in_the_way(scene: Scene) -> None:
    git(scene.hub, "branch", "ocm", "main")
    git(scene.clone, "config", "ocm.remoteRef", BRANCH)


def bundle(scene: Scene) -> None:
    git(scene.hub, "bundle", "create", "--quiet", f"{scene.folder}/a.bundle", "--all")


def pushes_elsewhere(scene: Scene) -> None:
    """To a repository with memory, which is not the one that is fetched from."""
    git(scene.folder, "clone", "-q", "--mirror", str(scene.hub), "other.git")
    git(scene.hub, "update-ref", "-d", SESSIONS)
    other = f"{scene.folder}/other.git"
    git(scene.clone, "config", "remote.origin.pushurl", other)


def _folders(top: Path) -> Iterator[Path]:
    yield top
    yield from (path for path in top.rglob("*") if path.is_dir())
