"""A program in a terminal of its own, driven by keys and read by eye: tmux gives it."""

import shlex
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4


@dataclass(frozen=True, slots=True)
class Terminal:
    socket: str

    def screen(self) -> str:
        return _tmux(self.socket, "capture-pane", "-p", "-S", "-200")

    def press(self, *keys: str) -> None:
        _tmux(self.socket, "send-keys", *keys)
        time.sleep(0.3)  # it redraws; keys that come too fast are taken for a paste

    def enter(self, text: str) -> None:
        _tmux(self.socket, "send-keys", "-l", text)
        time.sleep(0.5)
        self.press("Enter")

    def choose(self, option: str) -> None:
        """Of a list with the cursor anywhere; raises TimeoutError with the screen."""
        for _ in range(20):
            lines = self.screen().splitlines()
            if any("❯" in line and option in line for line in lines):
                self.press("Enter")
                return
            self.press("Down")
        raise TimeoutError(f"{option} cannot be chosen in:\n{self.screen()}")

    def wait_for(self, *texts: str, seconds: float = 120) -> str:
        """The first of the texts that shows; raises TimeoutError with the screen."""
        for _ in range(int(seconds * 5)):
            screen = self.screen()
            for text in texts:
                if text in screen:
                    return text
            time.sleep(0.2)
        raise TimeoutError(f"none of {texts} in:\n{self.screen()}")

    def wait_for_end(self, seconds: float = 120) -> None:
        self.wait_for("[it has ended]", seconds=seconds)


@contextmanager
def terminal(
    command: list[str], folder: Path, environment: Mapping[str, str]
) -> Iterator[Terminal]:
    """`command` runs in it, with `environment` and nothing else of ours."""
    variables = [f"{name}={value}" for name, value in environment.items()]
    line = shlex.join(["env", "-i", *variables, *command])
    socket = f"clients-{uuid4().hex[:8]}"
    shell = f"{line}; echo '[it has ended]'; sleep 600"
    size = ["-x", "140", "-y", "50"]
    _tmux(socket, "new-session", "-d", *size, "-c", str(folder), "sh", "-c", shell)
    try:
        yield Terminal(socket)
    finally:
        _tmux(socket, "kill-server")


def _tmux(socket: str, *arguments: str) -> str:
    done = subprocess.run(
        ["tmux", "-L", socket, "-f", "/dev/null", *arguments],
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout
