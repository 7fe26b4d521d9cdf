"""What is wrong in a clone, or with a bare repository that is served."""

import subprocess

from servers.apache import users
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


def own_hook(name: str, script: str) -> Change:
    def change(scene: Scene) -> None:
        executable(scene.clone / ".git" / "hooks" / name, script)

    return change


def with_users(scene: Scene) -> None:
    (scene.folder / "users").write_text(users())


def self_signed(scene: Scene) -> None:
    """`certificate` in the folder of the scene, for 127.0.0.1."""
    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    name = ("-subj", "/CN=server", "-addext", "subjectAltName=IP:127.0.0.1")
    files = ("-keyout", "certificate.key", "-out", "certificate")
    subprocess.run(
        [program("openssl", "openssl"), "req", "-x509", *curve, *name, *files],
        cwd=scene.folder,
        check=True,
        capture_output=True,
    )


def served_as_files(scene: Scene) -> None:
    git(scene.hub, "update-server-info")


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
