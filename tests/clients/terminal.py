"""A program in a terminal of its own, driven by keys and read by eye: tmux gives it.

Whatever is waited for raises TimeoutError with the screen if it does not come.
"""

import shlex
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

PATIENCE = 120.0
"""Seconds for a change of the screen; a machine under load needs many of them."""
_LOST = {"Down": 30.0, "Enter": 60.0}
"""Seconds after which a key is taken for lost: a Down too many goes past the option,
and an Enter too many answers what is asked next."""
_SETTLED = 2.0
"""Seconds in which a key that was not lost would have moved the cursor on."""
_ENDED = "[it has ended]"
_CURSOR = "❯"


@dataclass(frozen=True, slots=True)
class Terminal:
    socket: str

    def screen(self) -> str:
        return _tmux(self.socket, "capture-pane", "-p", "-S", "-200")

    def enter(self, text: str) -> None:
        """Type a line, and send it once it shows: keys that come too fast are a paste.

        It is sent when the prompt no longer has it, or nothing is there to prompt.
        """
        self._press("-l", text)
        self._wait(f"{text} typed", lambda: text in self._prompt())
        self._press("Enter")
        self._wait(
            f"{text} sent",
            lambda: text not in self._prompt() or _ENDED in self.screen(),
        )

    def choose(self, option: str) -> None:
        """Of a list with the cursor anywhere; it may be drawn anew meanwhile."""
        until = time.monotonic() + PATIENCE
        while option in (before := self.screen()):
            if time.monotonic() > until:
                raise TimeoutError(f"{option} cannot be chosen in:\n{before}")
            key = "Enter" if self._is_settled_on(option) else "Down"
            self._press(key)
            self._wait_for_change(before, _LOST[key])

    def wait_for(self, *texts: str) -> str:
        """The first of the texts that shows."""
        shown: list[str] = []

        def shows() -> bool:
            screen = self.screen()
            shown[:] = [text for text in texts if text in screen]
            return bool(shown)

        self._wait(" or ".join(texts), shows)
        return shown[0]

    def wait_while(self, text: str) -> None:
        self._wait(f"no {text}", lambda: text not in self.screen())

    def wait_for_answer(self, text: str) -> None:
        """The end of the turn in which the assistant says so, its hooks included."""
        self.wait_for(text)
        self.wait_while("esc to interrupt")

    def wait_for_end(self) -> None:
        self.wait_for(_ENDED)

    def _prompt(self) -> str:
        """What stands where the user types."""
        return self._last_line(lambda line: line.startswith(_CURSOR))

    def _is_settled_on(self, option: str) -> bool:
        if option not in self._chosen():
            return False
        time.sleep(_SETTLED)
        return option in self._chosen()

    def _chosen(self) -> str:
        return self._last_line(lambda line: _CURSOR in line)

    def _last_line(self, meant: Callable[[str], bool]) -> str:
        lines = [line for line in self.screen().splitlines() if meant(line)]
        return lines[-1] if lines else ""

    def _press(self, *keys: str) -> None:
        _tmux(self.socket, "send-keys", *keys)

    def _wait_for_change(self, before: str, seconds: float) -> None:
        """That the last key was heard; a program that starts may not listen yet."""
        with suppress(TimeoutError):
            self._wait("a change", lambda: self.screen() != before, seconds)

    def _wait(
        self, what: str, has_come: Callable[[], bool], seconds: float = PATIENCE
    ) -> None:
        until = time.monotonic() + seconds
        while not has_come():
            if time.monotonic() > until:
                raise TimeoutError(f"waited for {what} in:\n{self.screen()}")
            time.sleep(0.5)


@contextmanager
def terminal(
    command: list[str], folder: Path, environment: Mapping[str, str]
) -> Iterator[Terminal]:
    """`command` runs in it, with `environment` and nothing else of ours."""
    variables = [f"{name}={value}" for name, value in environment.items()]
    line = shlex.join(["env", "-i", *variables, *command])
    socket = f"clients-{uuid4().hex[:8]}"
    shell = f"{line}; echo '{_ENDED}'; sleep 600"
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
