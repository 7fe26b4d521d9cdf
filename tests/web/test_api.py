"""Over HTTP programs get what the commands print, of the served repositories alone."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import Any
from urllib.parse import urlencode

import anyio
import pytest
from support.harness import make_repository
from support.web import ask
from web.conftest import WITH_TOKEN

from gitmem.cli.main import json_commands
from gitmem.cli.over_http import commands_over_http
from gitmem.config import current_environment
from gitmem.errors import InvalidInput
from gitmem.processes import process_info
from gitmem.web.commands import command_line, run_command
from gitmem.web.operations import error_response

COMMANDS = [*commands_over_http(json_commands())]
READING = {command.words: command for command in COMMANDS if command.is_reading}


def get(port: int, path: str, **parameters: str) -> tuple[int, Any]:
    status, headers, text = ask(
        port, f"{path}?{urlencode(parameters)}", headers=WITH_TOKEN
    )
    assert headers["content-type"] == "application/json"
    return status, json.loads(text)


def post(port: int, path: str, body: object, **parameters: str) -> tuple[int, Any]:
    place, text = f"{path}?{urlencode(parameters)}", json.dumps(body)
    status, _, answer = ask(port, place, "POST", text, WITH_TOKEN)
    return status, json.loads(answer)


def ocm(folder: Path, *arguments: str) -> Any:
    command = [sys.executable, "-m", "gitmem", *arguments, "--json"]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return json.loads(done.stdout)


def test_a_request_gets_what_the_command_prints(port: int, repository: Path) -> None:
    ocm(repository, "checkpoint", "--goal", "Move the shop to Postgres")
    assert get(port, "/api/v1/list") == (200, ocm(repository, "list"))
    status, found = get(port, "/api/v1/search", query="postgres shop")
    assert (status, found[0]["goal"]) == (200, "Move the shop to Postgres")


def test_errors_are_those_of_the_command(port: int) -> None:
    status, answer = get(port, "/api/v1/show", name="nothing-like-this")
    assert (status, answer["error"]["code"]) == (404, "not-found")
    status, answer = get(port, "/api/v1/list", limit="many")
    assert (status, answer["error"]["code"]) == (400, "usage")
    status, answer = get(port, "/api/v1/show")
    assert (status, answer["error"]["message"]) == (
        400,
        "The parameter 'name' is missing.",
    )
    assert get(port, "/api/v1/nothing")[0] == 404


def test_nothing_changes_unless_the_server_was_started_for_that(port: int) -> None:
    status, answer = post(port, "/api/v1/remember", {"text": "Tests need Postgres"})
    assert (status, answer["error"]["code"]) == (403, "not-allowed")
    assert get(port, "/api/v1/remember")[0] == 405


def test_what_is_remembered_is_recalled_in_its_repository_alone(
    port_of_two: int,
) -> None:
    body = {"text": "Tests need Postgres 16", "kind": "constraint", "tag": ["db"]}
    here, there = {"repository": "repository"}, {"repository": "second"}
    assert post(port_of_two, "/api/v1/remember", body, **here)[0] == 200
    _, recalled = get(port_of_two, "/api/v1/recall", query="Postgres", **here)
    assert [row["tags"] for row in recalled["result"]] == [["db"]]
    assert get(port_of_two, "/api/v1/recall", query="Postgres", **there)[1] == {
        "result": []
    }


def test_a_repository_that_is_not_served_cannot_be_named(
    port_of_two: int, repository: Path
) -> None:
    for name in ("", "third", "../repository", str(repository), "Repository"):
        status, answer = get(port_of_two, "/api/v1/status", repository=name)
        assert status == 404
        assert answer["error"]["hint"] == "`repository` is one of: repository, second."


def test_a_search_of_all_reaches_served_repositories_alone(
    port_of_two: int, repository: Path, second: Path, tmp_path: Path
) -> None:
    third = make_repository(tmp_path / "third")
    for folder in (second, third):
        ocm(folder, "checkpoint", "--goal", f"Paint the {folder.name} bicycle")
        ocm(folder, "init", "--assistant", "cursor", "--local", "--yes")
    assert {hit["goal"] for hit in _search_all(repository)} == {
        "Paint the second bicycle",
        "Paint the third bicycle",
    }
    query = {"query": "paint bicycle", "scope": "global", "repository": "repository"}
    _, hits = get(port_of_two, "/api/v1/search", **query)
    assert [hit["goal"] for hit in hits] == ["Paint the second bicycle"]


def _search_all(folder: Path) -> Any:
    return ocm(folder, "search", "--scope", "global", "paint", "bicycle")


def test_a_body_that_is_no_object_is_refused(port_of_two: int) -> None:
    for body in ("[]", "1", "{", "[" * 100_000, r'{"text": "\ud800"}'):
        status, _, text = ask(port_of_two, "/api/v1/remember", "POST", body, WITH_TOKEN)
        assert (status, "JSON object" in text) == (400, True)


def test_values_never_become_options() -> None:
    command = READING["search",]
    line = command_line(command, {"query": ["--scope", "-x"], "tool": "--help"})
    assert line == ["search", "--json", "--tool=--help", "--", "--scope", "-x"]
    bad: tuple[dict[str, Any], ...] = (
        {"query": "a\0b"},
        {"query": {}},
    )
    assert command_line(command, {"query": "a", "tool": None})[-1] == "a"
    for values in bad:
        with pytest.raises(InvalidInput):
            command_line(command, values)
    with pytest.raises(InvalidInput, match="has no parameter 'json'"):
        command_line(command, {"query": "a", "json": True})


def test_arguments_have_the_order_of_the_command() -> None:
    add = next(command for command in COMMANDS if command.words == ("space", "add"))
    line = command_line(add, {"url": "ssh://team", "dry_run": True, "name": "team"})
    assert line == ["space", "add", "--json", "--dry-run", "--", "team", "ssh://team"]


def test_reading_offers_nothing_that_changes_anything() -> None:
    for command in READING.values():
        offered = command.parameters.keys()
        assert offered.isdisjoint({"yes", "fix", "run", "input"}), command.words


def test_a_text_that_no_command_line_holds_reaches_the_command(
    port_of_two: int,
) -> None:
    body, place = {"text": "much " * 100_000}, {"repository": "second"}
    status, answer = post(port_of_two, "/api/v1/remember", body, **place)
    assert (status, "at most 8,000 fit" in answer["error"]["message"]) == (400, True)


@pytest.mark.anyio
async def test_a_command_that_is_given_up_ends_with_its_git(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_repository(tmp_path / "repository")
    pid_file, git = tmp_path / "pid", tmp_path / "git"
    name = quote(str(pid_file))
    git.write_text(f"#!/bin/sh\nln -s $$ {name}\nexec sleep 600\n")
    git.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    why = READING["why",]
    place = replace(current_environment(), start=tmp_path / "repository")
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(run_command, why, {next(iter(why.parameters)): "a.py"}, place)
        with anyio.fail_after(60):
            while not pid_file.is_symlink():  # noqa: ASYNC110 - another process
                await anyio.sleep(0.05)
        tasks.cancel_scope.cancel()
    process = process_info(int(str(pid_file.readlink())))
    assert process is None or process.is_dead


def test_no_request_starts_a_program_or_reads_a_file_of_the_server() -> None:
    for command in COMMANDS:
        never = {"run", "input", "paths", "moved_from"}
        assert command.parameters.keys().isdisjoint(never), command.words
    assert {("edit",), ("backup",)}.isdisjoint(command.words for command in COMMANDS)


def test_every_operation_is_described(port: int) -> None:
    status, description = get(port, "/openapi.json")
    assert (status, description["openapi"]) == (200, "3.1.0")
    paths = description["paths"]
    for command in COMMANDS:
        method = "get" if command.is_reading else "post"
        described = paths["/api/v1/" + "/".join(command.words)][method]
        assert described["summary"]
        if command.is_reading:
            names = {parameter["name"] for parameter in described["parameters"]}
            assert names == {*command.parameters, "repository"}
    ids = [row["operationId"] for path in paths.values() for row in path.values()]
    assert len(ids) == len(set(ids))


def test_an_error_shows_no_path_outside_the_repository() -> None:
    message = "The system refuses /home/ada/.ssh/id_rsa: no. See src/a.py, `/tmp/x/y`."
    response = error_response("defect", message)
    assert json.loads(bytes(response.body))["error"]["message"] == (
        "The system refuses …/id_rsa: no. See src/a.py, `…/y`."
    )


def test_no_other_command_loads_what_http_needs() -> None:
    code = (
        "import sys; from gitmem.cli.main import json_commands; json_commands();"
        "import gitmem.cli.serve; print(*({'starlette', 'uvicorn', 'mcp', 'anyio'}"
        " & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == ""
