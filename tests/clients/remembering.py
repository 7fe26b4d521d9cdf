"""Scenarios for every client: it saves, edits, commits, ends, goes on, is imported."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from clients.client import Client
from clients.ending import sigkill
from clients.planted import planted
from clients.play import GREETING, NEXT, Play, Played, Scenario, facts_of
from clients.scripted_model import call, say
from clients.stage import Stage

from gitmem.text.counting import estimated_tokens

BRIEF = "records to check against the files"
RULE = "without that, work on."
_CONFIGURATION = (".git/config", ".git/hooks/", ".git/info/")  # of a repository
_BEACON = "Light the marmalade lighthouse"


def save(play: Play) -> None:
    """The assistant calls our tool, and its answer names the session."""
    play.tell(call("ocm__checkpoint", goal=GREETING, slug="hello"), say("Saved."))
    name = play.prompt("Please write me a greeting")
    play.expect_session(GREETING, slug="hello", source="written", **_of(play, name))
    [session] = play.sessions()
    play.compare("the answer names it", session.id in play.news(), wanted=True)


def edit(play: Play) -> None:
    """The client's own tools write a file and edit another."""
    client, readme = play.stage.client, play.file("README.md")
    edited = client.edit(str(readme), "# Greetings", "# Hello")
    play.tell(play.write("hello.txt"), *edited, say("Written."))
    goal = "Write a file and edit another"
    name = play.prompt(goal)
    play.compare("it is edited", readme.read_text(), "# Hello\n")
    changes = {"hello.txt": "created", "README.md": "modified"}
    play.expect_session(goal, changes=changes, **_of(play, name))


def commit(play: Play) -> None:
    """The assistant commits in the shell."""
    shell = "git add hello.txt && git commit --quiet --message='Say hello'"
    commits = play.stage.client.shell(shell)
    play.tell(play.write("hello.txt"), commits, say("Committed."))
    goal = "Write a file and commit it"
    name = play.prompt(goal)
    committed = play.stage.run("git", "log", "-1", "--format=%s")
    play.compare("it is committed", committed, "Say hello\n")
    play.expect_session(goal, commits=["Say hello"], **_of(play, name))


def end(play: Play) -> None:
    """The process ends, and so does the session."""
    play.tell(play.write("hello.txt"), say("Written."))
    goal = "Write a file and leave"
    name = play.prompt(goal)
    play.expect_session(goal, status="closed", **_of(play, name))


def resumed(play: Play) -> None:
    """The conversation goes on in another process: one session, not two."""
    name = play.greet()
    play.tell(play.write("again.txt"), say("Resumed."))
    again = play.prompt("And one more", resume=name)
    play.compare("the conversation is the same", again, name)
    known = {"files": ["again.txt", "hello.txt"], "status": "closed"}
    play.expect_session(GREETING, pending=["Say bye"], **known, **_of(play, name))
    play.compare("it is one session", len(play.sessions()), 1)


def brief(play: Play) -> None:
    """Each request of the next conversation has the brief once, and the rule once."""
    play.greet()
    play.tell(play.stage.client.shell("true"), say("Hello."))
    play.prompt(NEXT)
    play.keep_brief()
    play.expect_brief("hello", f"goal: {GREETING}", "to do: Say bye")
    _expect_told_once(play)
    play.noted = f"{estimated_tokens(play.brief)} tokens"


def undone(play: Play) -> None:
    """`ocm uninstall` gives back each file that it or `ocm init` changed."""
    play.file("AGENTS.md").write_text("Be brief.")
    for where in ((), ("--user",)):
        before = _files(play.stage)
        play.stage.do("ocm", "init", "--assistant", play.stage.client.assistant, *where)
        begun = _files(play.stage)
        play.tell(say("Hello."))
        play.prompt(NEXT)
        ended = _files(play.stage)
        for each in {(), where}:
            play.stage.do("ocm", "uninstall", "--yes", *each)
        after = _files(play.stage)
        touched = (before.items() ^ begun.items()) | (ended.items() ^ after.items())
        left = {name for name, _ in touched if before.get(name) != after.get(name)}
        play.compare(f"files that stay changed {where}", sorted(left), [])


def imported(play: Play) -> None:
    """What hooks saw is in its transcript as well, and comes once."""
    resumed(play)
    [seen] = play.sessions()
    play.compare("an import has no news", play.imported(), ["already"])
    play.compare("it is one session", len(play.sessions()), 1)
    play.stage.do("ocm", "uninstall", "--purge", "--yes")
    play.stage.do("git", "prune")
    play.stage.do("git", "commit", "--allow-empty", "-aqm", "Remember none")
    play.compare("it is gone", play.sessions(), [])
    play.compare("it comes back", play.imported(), ["new"])
    play.compare("and once", play.imported(), ["already"])
    [read] = play.sessions()
    for what in ("tool", "client", "prompts", "changes"):
        now, before = facts_of(read)[what], facts_of(seen)[what]
        play.compare(f"{what} as hooks saw it", now, before)


def found(
    made: Stage, programs: Mapping[Client, Path]
) -> Iterator[tuple[Client, str, Played]]:
    """In one project each finds the sessions of all others, and is told once."""
    plays = {
        client: Play(replace(made, client=client, program=program))
        for client, program in programs.items()
    }
    for name in ("AGENTS.md", "CLAUDE.md", "GEMINI.md"):
        (made.project / name).write_text(f"{name} is not like others.\n")
    for play in plays.values():
        with play.noting_errors():
            play.stage.settle()
            play.install()
    for client, play in plays.items():
        with play.noting_errors():
            goal = f"{_BEACON} with {client.name}"
            play.tell(call("ocm__checkpoint", goal=goal), say("Lit."))
            name = play.prompt(goal)
            play.expect_session(goal, **_of(play, name))
    ids = {each.tool: each.id for each in made.sessions() if _BEACON in each.goal}
    for client, play in plays.items():
        with play.noting_errors():
            play.tell(call("ocm__search_sessions", query=_BEACON), say("Found."))
            play.prompt("Who did it?")
            _expect_told_once(play)
            others = [each.assistant for each in plays if each != client]
            news = play.news()
            hits = [each for each in others if ids.get(each, "no session") in news]
            play.compare("it finds the others", hits, others)
        yield client, "found", Played(play.stage.version(), play.missed)


def _of(play: Play, conversation: str) -> dict[str, object]:
    """What is known of a session by the client and its name for the conversation."""
    return {"tool": play.stage.client.assistant, "client": conversation}


def _expect_told_once(play: Play) -> None:
    """That each request since `tell` has one brief and one rule."""
    for what in (BRIEF, RULE):
        counts = [text.count(what) for text in play.texts()]
        play.compare(f"how often requests say {what!r}", counts, [1] * len(counts))


def _files(made: Stage) -> dict[str, str]:
    """The digest of each file of the home, of the project, and of its configuration."""
    paths = [path for path in made.folder.rglob("*") if path.is_file()]
    named = {str(path.relative_to(made.folder)): path for path in paths}
    return {
        name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in named.items()
        if "/.git/" not in name or any(part in name for part in _CONFIGURATION)
        if "/.openCodeMemory/registry." not in name  # it says where memories stay
        if not name.endswith("-shm")  # whoever reads a database of SQLite writes there
    }


ALONE: Mapping[str, Scenario] = {
    "save": save,
    "edit": edit,
    "commit": commit,
    "end": end,
    "killed": sigkill,
    "resumed": resumed,
    "brief": brief,
    "undone": undone,
    "imported": imported,
    "planted": planted,
}
"""What each client plays in a project of its own."""
