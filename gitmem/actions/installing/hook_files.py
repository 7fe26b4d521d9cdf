"""Git's hooks as they are: where git looks for them, what is there, and who owns them.

Husky, lefthook and pre-commit rewrite their files, so those are left to them. What they
read and write was seen with husky 9.1, lefthook 2.2 and pre-commit 4.
"""

import os
import re
from pathlib import Path

from gitmem.actions.installing.plan import content_of
from gitmem.errors import InvalidInput
from gitmem.frozen import frozen
from gitmem.resources import resource
from gitmem.workspace import Workspace

_KEPT = ".before-ocm"
_VERSION = re.compile(rb"^# ocm hook (\d{1,9})$", re.MULTILINE)
_OWN_NAME = re.compile(rb"basename|\{0##|PROGRAM_NAME")
"""Signs of a hook that depends on its own name."""

_CALL = '"$(git rev-parse --git-common-dir)/ocm/run" git {} 2>/dev/null || :'
LINES = {
    "post-commit": _CALL.format("post-commit"),
    "post-rewrite": _CALL.format('post-rewrite "$1"'),
    "prepare-commit-msg": _CALL.format('prepare-commit-msg "$@"'),
    "pre-push": _CALL.format('pre-push "$@" >&2'),
}
"""The lines that call ocm from a script."""
_MARK = re.compile(rb"husky|lefthook|pre-commit(?=\.com)|(?<=j178/)prek")
_PRE_COMMIT = (".pre-commit-config.yaml", ".pre-commit-config.yml", "prek.toml")
_CONFIGURED_IN = {
    "husky": (".husky/{}",),
    "lefthook": ("lefthook*.*", ".lefthook*.*", ".config/lefthook*.*"),
    "pre-commit": _PRE_COMMIT,
    "prek": _PRE_COMMIT,
}
"""Patterns of files below the top that may call ocm; `{}` is the hook."""


@frozen
class GitHook:
    name: str
    path: Path
    content: bytes | None
    is_executable: bool

    @property
    def version(self) -> int | None:
        return version(self.content or b"")

    @property
    def beside(self) -> Path:
        """The place of the hook that was there before ours."""
        return self.path.with_name(self.name + _KEPT)


@frozen
class Obstacle:
    why_not: str
    advice: str
    is_overcome: bool
    owner: str = ""


def hooks_folder(workspace: Workspace) -> Path:
    """Return where git looks for hooks, as `git rev-parse --git-path hooks`.

    Raises InvalidInput where git fails as well.
    """
    configured = workspace.repository.config("core.hooksPath")
    if configured is None:
        return workspace.repository.common_dir / "hooks"
    home = workspace.environment.variables.get("HOME") or "/"
    path = re.sub(r"^~(?=/|$)", lambda _: home, configured) or "/"  # as git takes ""
    try:
        return workspace.root / Path(path).expanduser()  # other users' homes
    except RuntimeError as error:
        raise InvalidInput(
            f"core.hooksPath is {configured!r}, and there is no such user.",
            hint="Git does nothing here either: mend it with `git config`.",
        ) from error


def git_hook(folder: Path, name: str, suffix: str = "") -> GitHook:
    """Return a hook; with `suffix`, as another program renamed it. Raises OSError."""
    path = folder / f"{name}{suffix}"
    return GitHook(name, path, content_of(path), os.access(path, os.X_OK))


def obstacle_to(workspace: Workspace, hook: GitHook) -> Obstacle | None:
    if manager := _manager(workspace, hook):
        if hook.name == "post-rewrite" and _CONFIGURED_IN[manager] is _PRE_COMMIT:
            why_not = f"{manager} has this hook, and passes nothing on"
            return Obstacle(why_not, "", is_overcome=False, owner=manager)
        why_not = f"{manager} has this hook; have it run this"
        calls_ocm = _is_configured(workspace, hook, manager)
        return Obstacle(why_not, LINES[hook.name], calls_ocm, manager)
    why_not = _why_not_ours(workspace, hook)
    is_overcome = hook.is_executable and _calls_ocm(hook.content or b"", hook.name)
    return Obstacle(why_not, LINES[hook.name], is_overcome) if why_not else None


def hook_text(workspace: Workspace, hook: GitHook) -> bytes:
    """Return our text of a hook, for its folder.

    Inside the common dir the launcher has a fixed place. In a work tree, git is asked:
    `ocm/run` next to the folder could be anybody's.
    """
    template = resource(f"hooks/git/{hook.name}").read_bytes()
    common_dir = workspace.repository.common_dir.resolve()
    is_beside = hook.path.parent.resolve().parent == common_dir
    by_git = b"$(git rev-parse --git-common-dir 2>/dev/null)"
    return template.replace(b"@COMMON_DIR@", b"${0%/*}/.." if is_beside else by_git)


def version(text: bytes) -> int | None:
    match = _VERSION.search(text)
    return int(match[1]) if match else None


def _manager(workspace: Workspace, hook: GitHook) -> str:
    if hook.version is not None:
        return ""
    if hook.path.is_relative_to(workspace.root / ".husky"):
        return "husky"
    match = _MARK.search(hook.content or b"")
    return match[0].decode() if match else ""


def _is_configured(workspace: Workspace, hook: GitHook, manager: str) -> bool:
    configured_in = _CONFIGURED_IN[manager]
    patterns = (pattern.format(hook.name) for pattern in configured_in)
    files = [path for pattern in patterns for path in workspace.root.glob(pattern)]
    if configured_in is _PRE_COMMIT:  # it also runs what was there before
        files.append(hook.path.with_name(f"{hook.name}.legacy"))
    texts = (file.read_bytes() for file in files if file.is_file())
    return any(_calls_ocm(text, hook.name) for text in texts)


def _calls_ocm(text: bytes, hook: str) -> bool:
    return re.search(rb"ocm/run\W+git " + hook.encode(), text) is not None


def _why_not_ours(workspace: Workspace, hook: GitHook) -> str:
    folder, top = hook.path.parent.resolve(), workspace.root.resolve()
    common_dir = workspace.repository.common_dir.resolve()
    if not any(map(folder.is_relative_to, (top, common_dir))):
        return f"git looks for hooks outside of this repository, in {folder}"
    if hook.path.is_symlink():
        return f"{hook.path} is a link to {hook.path.readlink()}"
    path = folder / hook.name
    is_below = path.is_relative_to(top)
    if is_below and workspace.repository.tracks(path.relative_to(top).as_posix()):
        return f"git tracks {path.relative_to(top)}"
    if hook.version is None and _OWN_NAME.search(hook.content or b""):
        return f"{hook.path} looks at its own name, so it cannot be given another"
    return ""
