"""What is wrong in a clone, or with a bare repository that is served."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from servers.apache import users
from servers.scene import Change, Scene, executable
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


def own_hook(name: str, script: str) -> Change:
    def change(scene: Scene) -> None:
        executable(scene.clone / ".git" / "hooks" / name, script)

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
    (scene.folder / "users").write_text(users())


def without_ssh(scene: Scene) -> None:
    """Git is all that is on the PATH."""
    programs = scene.folder / "programs"
    programs.mkdir()
    (programs / "git").symlink_to(shutil.which("git") or "")
    scene.variables["PATH"] = str(programs)


def many_commits(scene: Scene) -> None:
    """More than fit into a request that is sent as it is."""
    commit = git(scene.clone, "rev-parse", SESSIONS)
    for number in range(60):
        made = ("commit-tree", f"{commit}^{{tree}}", "-p", commit, "-m", str(number))
        commit = git(scene.clone, *made)
    git(scene.clone, "update-ref", SESSIONS, commit)


def odd_commit(scene: Scene) -> None:
    """One that no git writes: its times begin with a zero."""
    tip = git(scene.clone, "rev-parse", SESSIONS)
    text = git(scene.clone, "cat-file", "commit", tip).replace("> ", "> 0")
    forged = scene.folder / "forged"
    forged.write_text(f"{text}\n")
    literally = ("hash-object", "--literally", "-t", "commit", "-w", str(forged))
    git(scene.clone, "update-ref", SESSIONS, git(scene.clone, *literally))


def known_branch(scene: Scene) -> None:
    """What is served is on a branch, and the clone has it."""
    git(scene.hub, "update-ref", BRANCH, SESSIONS)
    git(scene.clone, "config", "ocm.remoteRef", BRANCH)
    git(scene.clone, "fetch", "-q", str(scene.hub), f"+{SESSIONS}:{SESSIONS}")


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


def borrowed_objects(scene: Scene) -> None:
    """From a repository that is not there any more."""
    objects = scene.hub / "objects"
    for path in objects.glob("??/*"):
        path.unlink()
    (objects / "info").mkdir(exist_ok=True)
    (objects / "info" / "alternates").write_text("/gone/objects\n")


def other_hash(scene: Scene) -> None:
    shutil.rmtree(scene.hub)
    git(scene.folder, "init", "-q", "--bare", "--object-format=sha256", "hub.git")


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


def newest_part(scene: Scene) -> None:
    """Of what is served; somebody cloned it with `--depth`."""
    shutil.move(scene.hub, scene.folder / "whole.git")
    whole = (scene.folder / "whole.git").as_uri()
    git(scene.folder, "init", "-q", "--bare", "hub.git")
    git(scene.hub, "fetch", "-q", "--depth=1", whole, f"{SESSIONS}:{SESSIONS}")


def newest_part_here(scene: Scene) -> None:
    """Of the memory: it was fetched with `--depth`."""
    whole = scene.clone.as_uri()
    for number in range(2):
        tree = git(scene.clone, "rev-parse", f"{SESSIONS}^{{tree}}")
        made = ("commit-tree", tree, "-p", SESSIONS, "-m", str(number))
        git(scene.clone, "update-ref", SESSIONS, git(scene.clone, *made))
    git(scene.folder, "init", "-q", "shallow")
    shallow = scene.folder / "shallow"
    git(shallow, "fetch", "-q", "--depth=1", whole, f"{SESSIONS}:{SESSIONS}")
    git(shallow, "config", "ocm.remote", "origin")
    shutil.rmtree(scene.clone)
    shutil.move(shallow, scene.clone)


def _folders(top: Path) -> Iterator[Path]:
    yield top
    yield from (path for path in top.rglob("*") if path.is_dir())
