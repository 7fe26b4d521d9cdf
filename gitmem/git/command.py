"""Run one git command, in an environment that leads it nowhere else."""

import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from gitmem.errors import Unavailable
from gitmem.waiting import Wait

Input = bytes | IO[bytes]
"""Standard input of a command: a file is read from where it stands."""
PATIENCE = 60.0
"""Seconds that one command may take."""
_PULSE = 1.0
"""Seconds between looks at whether to report the wait."""

_KEPT = (
    *("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"),
    *("GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_"),
    "GIT_EXEC_PATH",
)
"""Beginnings of names. What `git -c` sets is for one command, and not among them."""
_SET = {
    "LC_ALL": "C",  # its messages are matched
    "GIT_ALLOW_PROTOCOL": "",  # an old git knows no GIT_NO_LAZY_FETCH
    "GIT_LITERAL_PATHSPECS": "1",  # a file may be called `*` or `:(top)`
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}


class RefusedError(Exception):
    """Git did not do it, or says no; the text is what it said."""

    def __init__(self, message: str, status: int, output: bytes = b"") -> None:
        super().__init__(message)
        self.status = status
        self.output = output
        """Standard output before the failure."""


def options_to(git_dir: Path, work_tree: Path | None) -> list[str]:
    """Return the options that point git to this repository."""
    options = [f"--git-dir={git_dir}"]
    return [*options, f"--work-tree={work_tree}"] if work_tree else options


@contextmanager
def output_in(
    folder: Path,
    arguments: list[str],
    variables: Mapping[str, str],
    stdin: Input = b"",
    patience: float | None = None,
) -> Iterator[IO[bytes]]:
    """Run one git command in this folder and give its output, as a file.

    Of `variables`, the user's environment, none that would lead git elsewhere counts;
    `stdin` is what it reads; it may take `patience` seconds, else PATIENCE. Raises
    RefusedError where git fails, and Unavailable where it does not run or takes too
    long.
    """
    with TemporaryFile() as output, _as_file(stdin) as input_file:
        try:
            with subprocess.Popen(
                ["git", *arguments],
                cwd=folder,
                env=environment_of(variables),
                stdin=input_file,
                stdout=output,
                stderr=subprocess.PIPE,
            ) as process:
                error_text = _stderr_of(
                    process, PATIENCE if patience is None else patience
                )
        except (OSError, subprocess.SubprocessError) as error:
            raise did_not_run(error) from error
        output.seek(0)
        if status := process.returncode:
            raise RefusedError(error_text, status, output.read())
        yield output


@contextmanager
def _as_file(content: Input) -> Iterator[IO[bytes]]:
    # No pipe as input: `communicate` writes nothing more to it after its first timeout.
    if not isinstance(content, bytes):
        yield content
        return
    with TemporaryFile() as file:
        file.write(content)
        file.seek(0)
        yield file


def answer_in(
    folder: Path,
    arguments: list[str],
    variables: Mapping[str, str],
    patience: float | None = None,
) -> bytes:
    """Return what one git command prints in this folder; raises as output_in."""
    with output_in(folder, arguments, variables, patience=patience) as output:
        return output.read()


def environment_of(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the user's environment without what leads git elsewhere or to a remote."""
    variables_left = {
        name: value
        for name, value in variables.items()
        if not name.startswith("GIT_") or name.startswith(_KEPT)
    }
    return variables_left | _SET


def _stderr_of(process: subprocess.Popen[bytes], patience: float) -> str:
    """Return its stderr once it ends; raises TimeoutExpired once it was killed."""
    until, wait = time.monotonic() + patience, Wait(lambda: "git")
    try:
        while True:
            remaining = until - time.monotonic()
            try:
                pulse = min(_PULSE, max(0.0, remaining))
                words = process.communicate(timeout=pulse)[1]
                return str(words, "utf-8", "replace").strip()
            except subprocess.TimeoutExpired:
                if remaining <= 0:
                    raise subprocess.TimeoutExpired("git", patience) from None
            wait.goes_on()
    except BaseException:
        process.kill()
        raise


def did_not_run(error: Exception) -> Unavailable:
    if isinstance(error, subprocess.TimeoutExpired):
        return Unavailable(f"Git took longer than {error.timeout:.0f} seconds.")
    return Unavailable(
        "The git command does not run.", hint="Install git, or see to the PATH."
    )
