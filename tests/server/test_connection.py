"""A connection of which no hook tells: begun, given its files, ended."""

import os
from dataclasses import replace
from pathlib import Path
from signal import SIGINT, SIGKILL, SIGTERM
from typing import Any

import anyio
import pytest
from mcp_types import RequestParamsMeta
from support.commits import committed
from support.events import event, note, now
from support.harness import CLIENT, git
from support.mcp_client import MODES, ask, client_of, server_process
from support.workspaces import workspace_at

from gitmem.config import Environment
from gitmem.documents.event import Client, Connected, Edit, End, Event, Start
from gitmem.documents.event_log import events_in
from gitmem.documents.session.gist import SessionState
from gitmem.documents.session.identity import slug_of
from gitmem.documents.session.session import Session, Status
from gitmem.processes import is_gone, own_process

pytestmark = pytest.mark.anyio


def sessions(repository: Path) -> dict[str, Session]:
    """By their slugs."""
    memory = workspace_at(repository).current_sessions()
    return {slug_of(each.session_id): each for each in memory.newest()}


def paths(session: Session) -> set[str]:
    return {file.path for file in session.files}


def events(repository: Path) -> list[list[Event]]:
    journal = workspace_at(repository).store.journal
    return [events_in(journal.lines(name)) for name in journal.names()]


def write(repository: Path, *names: str) -> None:
    for name in names:
        (repository / name).write_text("x\n")


def see(repository: Path, kind: type[Event], tool: str, **values: Any) -> None:
    here: dict[str, Any] = {"at": now(), "root": str(repository), "tool": tool}
    note(repository, event(kind, **{**here, **values}))


async def test_has_changes_since_its_start_until_its_end(
    environment: Environment, repository: Path
) -> None:
    for name in ("before.py", "again.py"):
        write(repository, name)
        os.utime(repository / name, (0, 0))
    async with client_of(environment, name="opencode") as client:
        await anyio.sleep(0.02)
        write(repository, "early.py")
        await ask(client, "checkpoint")  # git is asked
        see(repository, Start, "claude-code")
        see(repository, Edit, "claude-code", path="hooked.py")
        write(repository, "hooked.py", "again.py", "own.py")
        first = await ask(client, "checkpoint", goal="Stop the leak.", slug="leak")
        committed(repository, "committed.py", "x")
        again = await ask(client, "checkpoint", work_completed=["Found it"])
        (listed,) = await ask(client, "list_sessions", tool_filter="opencode")
        write(repository, "last.py")
    assert first["session_id"] == again["session_id"]
    assert listed["state"] == SessionState.RUNNING
    session = sessions(repository)["leak"]
    own = {"early.py", "again.py", "own.py", "committed.py", "last.py"}
    assert paths(session) == own
    assert [commit.subject for commit in session.commits] == ["work"]
    assert session.status is Status.CLOSED


async def test_two_at_once_share_no_work(
    environment: Environment, repository: Path
) -> None:
    async with client_of(environment, name="opencode") as one:
        await ask(one, "checkpoint")
        write(repository, "one.py")
        await ask(one, "checkpoint", goal="Stop the leak.", slug="one")
        async with client_of(environment, name="opencode") as two:
            await ask(two, "checkpoint")
            write(repository, "two.py")
            await ask(two, "checkpoint", goal="Draw the menu.", slug="two")
        now_known = sessions(repository)
        assert (now_known["one"].status, now_known["two"].status) == (
            Status.OPEN,
            Status.CLOSED,
        )
        assert paths(now_known["one"]) == {"one.py"}
        assert paths(now_known["two"]) == {"two.py"}


async def test_one_that_saves_nothing_leaves_nothing(
    environment: Environment, repository: Path
) -> None:
    async with client_of(environment) as client:
        await ask(client, "checkpoint")
        write(repository, "new.py")
        await ask(client, "list_sessions")
    assert events(repository) == []
    assert git(repository, "for-each-ref", "refs/ocm") == ""


async def test_where_hooks_tell_of_the_conversation_they_alone_do(
    environment: Environment, repository: Path
) -> None:
    see(repository, Start, "cursor")
    async with client_of(environment, name="cursor-vscode") as client:
        by_hooks = {"session_id": CLIENT, "goal": "Stop the leak.", "slug": "leak"}
        await ask(client, "checkpoint", **by_hooks)
        await ask(client, "checkpoint", work_completed=["Found it"])
    (seen,) = events(repository)
    assert [type(each) for each in seen] == [Start]
    assert sessions(repository)["leak"].status is Status.OPEN


@pytest.mark.parametrize("is_ours", [True, False])
async def test_hooked_one_has_a_process_of_its_own(
    environment: Environment, repository: Path, is_ours: bool
) -> None:
    """As two of Claude Code, one of them started in a subfolder; or after /clear."""
    pid, started = own_process() if is_ours else (999_999_999, "long ago")
    see(repository, Start, "claude-code")
    client = {"pid": pid, "started": started, "transcript": ""}
    see(repository, Client, "claude-code", **client)
    variables = {**environment.variables, "CLAUDE_CODE_SESSION_ID": "b51d19a9-f7e3"}
    told = replace(environment, variables=variables)
    async with client_of(told, MODES[0], "claude-code") as connected:
        await ask(connected, "checkpoint", goal="Stop the leak.", slug="leak")
    saved = sessions(repository)["leak"].client_session_id
    assert saved == (CLIENT if is_ours else "b51d19a9-f7e3")


@pytest.mark.endurance
async def test_another_slug_ends_one(
    environment: Environment, repository: Path
) -> None:
    async with client_of(environment) as client:
        await ask(client, "checkpoint", goal="Stop the leak.", slug="leak")
        write(repository, "leak.py")
        await ask(client, "checkpoint", goal="Draw the menu.", slug="menu")
        write(repository, "menu.py")
    known = sessions(repository)
    assert paths(known["leak"]) == {"leak.py"}
    assert paths(known["menu"]) == {"menu.py"}
    assert {each.status for each in known.values()} == {Status.CLOSED}


@pytest.mark.endurance
async def test_a_word_for_another_session_takes_no_files_there(
    environment: Environment, repository: Path
) -> None:
    async with client_of(environment) as client:
        other = await ask(client, "checkpoint", goal="Draw the menu.", slug="menu")
    async with client_of(environment) as client:
        await ask(client, "checkpoint", goal="Stop the leak.", slug="leak")
        write(repository, "leak.py")
        word = {"session_id": other["session_id"], "decisions": ["**Menu:** later."]}
        await ask(client, "checkpoint", **word)
        await ask(client, "checkpoint", work_completed=["Found it"])
    known = sessions(repository)
    assert known["menu"].decisions == ("**Menu:** later.",)
    assert (paths(known["menu"]), paths(known["leak"])) == (set(), {"leak.py"})
    assert known["leak"].work_completed == ("Found it",)


@pytest.mark.endurance
async def test_one_that_names_a_session_first_goes_on_with_it(
    environment: Environment, repository: Path
) -> None:
    async with client_of(environment) as client:
        first = await ask(client, "checkpoint", goal="Stop the leak.", slug="leak")
    write(repository, "between.py")
    async with client_of(environment) as client:
        await ask(client, "checkpoint")
        write(repository, "later.py")
        await ask(client, "checkpoint", session_id=first["session_id"], status="open")
        assert sessions(repository)["leak"].status is Status.OPEN
        again = await ask(client, "checkpoint", work_completed=["Found it"])
    assert again["session_id"] == first["session_id"]
    session = sessions(repository)["leak"]
    assert (session.status, paths(session)) == (Status.CLOSED, {"later.py"})


async def test_client_id_bounds_one(environment: Environment, repository: Path) -> None:
    """As Codex does."""
    named = RequestParamsMeta(sessionId="01a20051-89c3-7fa1")  # type: ignore[typeddict-unknown-key] # clients add keys
    for name in ("one.py", "two.py"):
        async with client_of(environment, name="codex-mcp-client") as client:
            await ask(client, "checkpoint")
            write(repository, name)
            said = {"goal": "Stop the leak."}
            await client.call_tool("ocm__checkpoint", said, meta=named)
    (session,) = sessions(repository).values()
    (seen,) = events(repository)
    assert session.client_session_id == "01a20051-89c3-7fa1"
    assert session.session_id.endswith("_codex_01a20051")
    assert (session.status, paths(session)) == (Status.CLOSED, {"one.py", "two.py"})
    told = [type(each) for each in seen if isinstance(each, Connected | End)]
    assert told == [Connected, End, Connected, End]


@pytest.mark.endurance
async def test_terminated_ends_and_killed_is_interrupted(
    environment: Environment, repository: Path, sealed_environment: Path
) -> None:
    for sent in (SIGTERM, SIGINT, SIGKILL):
        async with server_process(
            repository, sealed_environment, MODES[1], "opencode"
        ) as client:
            slug = sent.name.lower()
            await ask(client, "checkpoint", goal="Stop the leak.", slug=slug)
            write(repository, f"{slug}.py")
            server = last_server(repository)
            os.kill(server.pid, sent)
            with anyio.fail_after(20):
                while not is_gone(server.pid, server.started):  # noqa: ASYNC110 - a process
                    await anyio.sleep(0.02)
    with anyio.fail_after(20):  # by a process that survives the server
        for name in ("sigterm", "sigint"):
            while f"{name}.py" not in paths(sessions(repository)[name]):  # noqa: ASYNC110
                await anyio.sleep(0.02)
    known = sessions(repository)
    assert known["sigterm"].status is Status.CLOSED
    assert known["sigint"].status is Status.CLOSED
    assert known["sigkill"].status is Status.OPEN
    async with client_of(environment, MODES[0], "opencode") as next_one:
        await ask(next_one, "checkpoint")
    killed = sessions(repository)["sigkill"]
    assert (killed.status, paths(killed)) == (Status.INTERRUPTED, set())


def last_server(repository: Path) -> Client:
    """The one that is not over."""
    (seen,) = (each for each in events(repository) if not isinstance(each[-1], End))
    return next(each for each in seen if isinstance(each, Client))
