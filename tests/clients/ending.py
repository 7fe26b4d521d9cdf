"""Scenarios of conversations that are ended from outside, or are not alone."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from subprocess import Popen
from threading import Event

from clients.play import Play
from clients.scripted_model import call, held_back, say

KILLED = "Write a file and be killed"


def sigterm(play: Play) -> None:
    """SIGTERM while the model thinks, after an edit."""
    with _thinking(play, KILLED) as process:
        process.terminate()
        process.wait()
    play.expect_session(KILLED, files=["cut-off.txt"], branch="main", status="closed")
    play.begin_next()
    play.expect_brief("closed", f"asked: {KILLED}", "cut-off.txt")


def sigkill(play: Play) -> None:
    """SIGKILL while the model thinks, after an edit."""
    with _thinking(play, KILLED) as process:
        os.killpg(process.pid, signal.SIGKILL)  # it may be a child that thinks
    play.expect_session(KILLED, files=["cut-off.txt"], status="open")
    play.begin_next()
    play.expect_session(KILLED, files=["cut-off.txt"], status="interrupted")
    play.expect_brief("interrupted", f"asked: {KILLED}", "cut-off.txt")


def two_processes(play: Play) -> None:
    """One at work while another begins, edits and ends."""
    first, second = "Write the first file", "Write the second file"
    with _thinking(play, first):
        play.tell(play.write("two.txt"), say("Second written."))
        play.prompt(second)
        play.keep_brief()
        play.expect_session(second, files=["two.txt"], status="closed")
        play.expect_session(first, files=["cut-off.txt"], status="open")
        play.tell(play.write("three.txt"), say("Third written."))
    play.expect_brief("running", f"asked: {first}", "cut-off.txt")


def person(play: Play) -> None:
    """A person saves another file between two prompts."""
    with play.opened() as terminal:
        play.tell(play.write("mine.txt"), say("First written."))
        terminal.enter("Write the first file")
        terminal.wait_for_answer("First written.")
        play.file("notes.txt").write_text("Mine alone.\n")
        time.sleep(2)  # when a shell ran is known in whole seconds
        play.tell(call("Bash", command="echo 2 >shell.txt"), say("Second written."))
        terminal.enter("Write the second file")
        terminal.wait_for_answer("Second written.")
    files = {"files": ["mine.txt", "shell.txt"], "meanwhile": ["notes.txt"]}
    play.expect_session("Write the first file", status="closed", **files)
    play.begin_next()
    play.expect_brief("asked: Write the first file", "mine.txt, shell.txt")


@contextmanager
def _thinking(play: Play, prompt: str) -> Iterator[Popen[bytes]]:
    """A process that wrote `cut-off.txt` and whose model thinks; then it goes on."""
    answer = Event()
    play.tell(play.write("cut-off.txt"), held_back(answer))
    with play.stage.prompted(prompt) as process:
        model = play.stage.model
        play.expect("the model thinks", lambda: model.holds_back, wanted=True)
        yield process
        answer.set()
        process.wait()
