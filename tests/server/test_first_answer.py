"""The first answer, which comes before the SDK is loaded, and what may follow it."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from support.mcp_client import MODES, SERVE, ask, server_process, variables

from gitmem.server.introduction import (
    HANDSHAKES,
    INSTRUCTIONS,
    NOT_ASKED,
    STATELESS,
    discovered,
    initialized,
)

Message = dict[str, Any]

WITHOUT_WIRE = (
    "from gitmem.config import current_environment;"
    "from gitmem.server.main import build;"
    "build(current_environment()).run('stdio')"
)
"""The SDK's own answers."""


def request(id_: int | str, method: str, **params: Any) -> Message:
    return {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}


def initialize(id_: int | str, version: str = "2025-06-18") -> Message:
    client = {"name": "raw", "version": "1"}
    facts = {"protocolVersion": version, "capabilities": {}, "clientInfo": client}
    return request(id_, "initialize", **facts)


def discover(id_: int | str, version: str = "2026-07-28") -> Message:
    return enveloped(id_, "server/discover", version)


def enveloped(id_: int | str, method: str, version: str = "2026-07-28") -> Message:
    prefix = "io.modelcontextprotocol"
    facts = {"name": "raw", "version": "1"}
    meta = {
        f"{prefix}/protocolVersion": version,
        f"{prefix}/clientInfo": facts,
        f"{prefix}/clientCapabilities": {},
    }
    return request(id_, method, _meta=meta)


class Server:
    """A server that is a process of its own, by what is written to it and read."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdin
        assert process.stdout
        self._in, self._out = process.stdin, process.stdout

    def send(self, *messages: Message | str) -> None:
        for each in messages:
            self._in.write(f"{each if isinstance(each, str) else json.dumps(each)}\n")
        self._in.flush()

    def answer(self, *messages: Message | str) -> Message:
        self.send(*messages)
        answer: Message = json.loads(self._out.readline())
        return answer


@contextmanager
def server(
    folder: Path, home: Path, arguments: Sequence[str] = SERVE
) -> Iterator[Server]:
    with subprocess.Popen(
        [sys.executable, *arguments],
        cwd=folder,
        env=variables(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Server(process)
        assert process.stdin
        process.stdin.close()
        assert process.wait(timeout=30) == 0


@pytest.mark.endurance
def test_a_client_that_waited_too_long_may_begin_again(
    tmp_path: Path, sealed_environment: Path
) -> None:
    """With `initialize`, on the same pipe, whatever it asked before."""
    probes = (
        discover(0),
        discover("again"),
        request(2, "server/discover"),
        discover(3, "2099-01-01"),
        json.dumps(discover(4)).replace("/", r"\/"),
    )
    with server(tmp_path, sealed_environment) as raw:
        told = [raw.answer(probe) for probe in probes]
        assert [each["id"] for each in told] == [0, "again", 2, 3, 4]
        assert [*map(is_served, told)] == [True, True, True, False, True]
        answer = raw.answer(initialize(5))
        assert answer["result"]["protocolVersion"] == "2025-06-18"
        raw.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert raw.answer(discover(6))["id"] == 6
        assert len(raw.answer(request(7, "tools/list"))["result"]["tools"]) == 9


@pytest.mark.endurance
def test_a_client_that_does_not_wait_gets_each_answer(
    tmp_path: Path, sealed_environment: Path
) -> None:
    with server(tmp_path, sealed_environment) as raw:
        asked = discover(0), initialize("one"), discover(2), request(3, "ping")
        answers = [raw.answer(*asked), *(raw.answer() for _ in asked[1:])]
    assert {each["id"] for each in answers} == {0, "one", 2, 3}
    assert all("result" in each for each in answers)


def is_served(answer: Message) -> bool:
    if "error" in answer:
        assert answer["error"]["code"] == -32022
        assert answer["error"]["data"]["supported"] == [*STATELESS]
        return False
    supported: list[str] = answer["result"]["supportedVersions"]
    return supported == [*STATELESS]


@pytest.mark.endurance
def test_first_answers_are_those_of_the_sdk(
    tmp_path: Path, sealed_environment: Path
) -> None:
    assert HANDSHAKES == HANDSHAKE_PROTOCOL_VERSIONS
    assert STATELESS == MODERN_PROTOCOL_VERSIONS
    sdk = ("-c", WITHOUT_WIRE)
    with server(tmp_path, sealed_environment, sdk) as raw:
        for message in (discover(1), discover("x", "2099-01-01")):
            told = discovered(json.dumps(message), INSTRUCTIONS)
            assert without_details(json.loads(told)) == without_details(
                raw.answer(message)
            )
    with server(tmp_path, sealed_environment, sdk) as raw:
        for version in (*HANDSHAKES, "2030-01-01", "latest"):
            message = initialize(7, version)
            told = initialized(json.dumps(message), INSTRUCTIONS)
            assert without_details(json.loads(told)) == without_details(
                raw.answer(message)
            )


def without_details(answer: Message) -> Message:
    """The answer without what the server never does with what it offers."""
    for offered in answer.get("result", {}).get("capabilities", {}).values():
        offered.clear()
    return answer


@pytest.mark.endurance
def test_what_is_unsound_is_left_to_the_sdk(
    tmp_path: Path, sealed_environment: Path
) -> None:
    messages: tuple[object, ...] = (None, [], {"id": 1}, "initialize", *unsound())
    lines = [*map(json.dumps, messages), "", "{", "[" * 100_000]
    assert not any(initialized(line, INSTRUCTIONS) for line in lines)
    with server(tmp_path, sealed_environment) as raw:
        raw.send("[" * 100_000, "", "{", json.dumps(unsound()[0]))
        answers = [raw.answer(initialize("sound"))]
        while answers[-1]["id"] != "sound":
            answers.append(raw.answer())
        assert ["result" in each for each in answers] == [False, True]


def unsound() -> list[Message]:
    sound = initialize(1)
    params = sound["params"]
    without = [{k: v for k, v in params.items() if k != left} for left in params]
    return [{**sound, "params": each} for each in without]


@pytest.mark.endurance
def test_first_answer_says_that_no_memory_is_wanted(
    tmp_path: Path, sealed_environment: Path
) -> None:
    with server(tmp_path, sealed_environment, (*SERVE, "--opt-in")) as raw:
        assert raw.answer(initialize(0))["result"]["instructions"] == NOT_ASKED


def test_a_client_that_says_nothing_ends_it(
    tmp_path: Path, sealed_environment: Path
) -> None:
    with server(tmp_path, sealed_environment):
        pass


@pytest.mark.anyio
async def test_the_client_of_the_sdk_is_served(
    repository: Path, sealed_environment: Path
) -> None:
    stateless = MODES[0]
    async with server_process(
        repository, sealed_environment, stateless, "cursor"
    ) as client:
        assert client.instructions == INSTRUCTIONS
        saved = await ask(client, "checkpoint", goal="Stop the leak.", slug="leak")
        assert "_cursor_leak" in saved["session_id"]
