"""What is killed: what puts files beside those of the user, and takes them away."""

from dataclasses import dataclass, field
from pathlib import Path

from crash.forking import Ended
from crash.killing import require_soon
from crash.scenarios import Scenario
from crash.warm import Command
from support.installing import tree

_OF_THE_USER = {
    "AGENTS.md": "# Ours\n\nBe kind.\n",
    ".claude/settings.json": '{"model": "opus",\n "hooks": {}}\n',
    ".mcp.json": '{\n\t"mcpServers": {"other": {"command": "other"}}\n}\n',
    ".git/hooks/post-commit": "#!/bin/sh\necho committed\n",
    ".git/info/exclude": "*.log\n",
}
_INIT = ("init", "--assistant", "claude", "--assistant", "cursor", "--yes", "--json")
_UNINSTALL = ("uninstall", "--yes", "--json")


@dataclass
class InitScenario(Scenario):
    """`ocm init`, and whatever comes next: that again, or its undoing."""

    before: dict[Path, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, text in _OF_THE_USER.items():
            path = self.folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        (self.folder / ".git/hooks/post-commit").chmod(0o755)
        self.before = self._tree()

    def prepare(self) -> Command:
        self.number += 1
        self._run(_UNINSTALL)
        return self._command(_INIT)

    def check(self, ended: Ended) -> None:
        del ended
        if self.number % 2:
            self._run(_INIT)
            assert _after_init(self._run(("init", *_INIT[1:], "--dry-run")).out)
        self._run(_UNINSTALL)
        after = self._tree()
        assert not set(after.items()) ^ set(self.before.items())

    def _run(self, arguments: tuple[str, ...]) -> Ended:
        return require_soon(self.warm.ran(self._command(arguments)))

    def _command(self, arguments: tuple[str, ...]) -> Command:
        return Command(self.folder, arguments, variables={"PATH": "/usr/bin:/bin"})

    def _tree(self) -> dict[Path, object]:
        """But for what is ours alone, and the objects that git has."""
        beside = tuple(str(self.folder / ".git" / name) for name in ("ocm", "objects"))
        found = tree(self.folder)
        return {
            path: content
            for path, content in found.items()
            if not str(path).startswith(beside)
        }


@dataclass
class UninstallScenario(InitScenario):
    """`ocm uninstall`, and whatever comes next."""

    def prepare(self) -> Command:
        super().prepare()
        self._run(_INIT)
        return self._command(_UNINSTALL)


def _after_init(plan: str) -> bool:
    return '"planned"' not in plan
