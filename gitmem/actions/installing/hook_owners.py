"""Programs that keep git's hooks for themselves, and how each is told to call ocm.

They write the files that git runs, and write them again; so nothing is fought over, and
the user is given what to add to their configuration. What they write and read was seen
with husky 9.1, lefthook 2.2 and pre-commit 4.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_CALL = '"$(git rev-parse --git-common-dir)/ocm/run" git {} 2>/dev/null || :'
_SHELL = {
    "post-commit": "post-commit",
    "post-rewrite": 'post-rewrite "$1"',
    "pre-push": 'pre-push "$@" >&2',
}
"""What a shell script hands on of each hook."""


def line(hook: str) -> str:
    """What calls ocm from a shell script, and does nothing where there is no ocm."""
    return _CALL.format(_SHELL[hook])


def calls_ocm(text: bytes, hook: str) -> bool:
    """Whether a script or a configuration has that line, by and large."""
    return re.search(rb"ocm/run\W+git " + hook.encode(), text) is not None


@dataclass(frozen=True, slots=True)
class HookOwner:
    name: str
    mark: re.Pattern[bytes]
    """In the hooks that it writes."""
    places: tuple[str, ...]
    """Where it may have been told already, below the top; `{}` stands for the hook."""
    told_in: str
    """Where we would tell it, likewise."""
    advice: Mapping[str, str]
    """What to add there, by hook; none where it passes on nothing of what git says."""

    def why_not(self, hook: str) -> str:
        """Why the hook is left to it."""
        told_in = self.told_in.format(hook)
        if hook in self.advice:
            return f"{self.name} has this hook; add this to {told_in}"
        return f"{self.name} has this hook, and passes on nothing that git says"


_LEFTHOOK = """\
{}:
  commands:
    ocm:
      run: '{}'
"""

_PRE_COMMIT = """\
- repo: local
  hooks:
  - id: ocm
    name: ocm
    entry: sh -c '{1}'
    language: system
    stages: [{0}]
    always_run: true
    pass_filenames: false
"""
_NAMED_BY_PRE_COMMIT = 'pre-push "$PRE_COMMIT_REMOTE_NAME" "$PRE_COMMIT_REMOTE_URL" >&2'

HUSKY = HookOwner(
    name="husky",
    mark=re.compile(rb"husky"),
    places=(".husky/{}",),
    told_in=".husky/{}",
    advice={hook: line(hook) for hook in _SHELL},
)
LEFTHOOK = HookOwner(
    name="lefthook",
    mark=re.compile(rb"lefthook"),
    places=tuple(
        f"{folder}{name}.{kind}"
        for folder in ("", ".", ".config/")
        for name in ("lefthook", "lefthook-local")
        for kind in ("yml", "yaml", "toml", "json", "jsonc")
    ),
    told_in="lefthook-local.yml",
    advice={
        "post-commit": _LEFTHOOK.format("post-commit", line("post-commit")),
        "post-rewrite": _LEFTHOOK.format(
            "post-rewrite", _CALL.format("post-rewrite {1}")
        )
        + "      use_stdin: true\n",
        "pre-push": _LEFTHOOK.format("pre-push", _CALL.format("pre-push {1} {2} >&2")),
    },
)
PRE_COMMIT = HookOwner(
    name="pre-commit",
    mark=re.compile(rb"pre-commit\.com|j178/prek"),
    places=(".pre-commit-config.yaml", ".pre-commit-config.yml", "prek.toml"),
    told_in=".pre-commit-config.yaml",
    advice={
        "post-commit": _PRE_COMMIT.format("post-commit", line("post-commit")),
        "pre-push": _PRE_COMMIT.format("pre-push", _CALL.format(_NAMED_BY_PRE_COMMIT)),
    },
)
OWNERS = (HUSKY, LEFTHOOK, PRE_COMMIT)
