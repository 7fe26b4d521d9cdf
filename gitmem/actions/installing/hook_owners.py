"""Programs that keep git's hooks for themselves, and how each is told to call ocm.

They write the files that git runs, and write them again; so nothing is fought over, and
the user is given what to add to their configuration. What they write and read was seen
with husky 9.1, lefthook 2.2 and pre-commit 4.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_CALL = '"$(git rev-parse --git-common-dir)/ocm/run" git {} 2>/dev/null || :'


def line(hook: str, argument: str = '"$1"') -> str:
    """What calls ocm from a shell script, and does nothing where there is no ocm."""
    return _CALL.format(hook if hook == "post-commit" else f"{hook} {argument}")


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

_PRE_COMMIT = f"""\
- repo: local
  hooks:
  - id: ocm
    name: ocm
    entry: sh -c '{line("post-commit")}'
    language: system
    stages: [post-commit]
    always_run: true
    pass_filenames: false
"""

HUSKY = HookOwner(
    name="husky",
    mark=re.compile(rb"husky"),
    places=(".husky/{}",),
    told_in=".husky/{}",
    advice={hook: line(hook) for hook in ("post-commit", "post-rewrite")},
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
        "post-rewrite": _LEFTHOOK.format("post-rewrite", line("post-rewrite", "{1}"))
        + "      use_stdin: true\n",
    },
)
PRE_COMMIT = HookOwner(
    name="pre-commit",
    mark=re.compile(rb"pre-commit\.com|j178/prek"),
    places=(".pre-commit-config.yaml", ".pre-commit-config.yml", "prek.toml"),
    told_in=".pre-commit-config.yaml",
    advice={"post-commit": _PRE_COMMIT},
)
OWNERS = (HUSKY, LEFTHOOK, PRE_COMMIT)
