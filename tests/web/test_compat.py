"""Programs that were written for two other memories use this one by their calls."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.web import ask
from web.conftest import TOKEN, WITH_TOKEN, serving


@pytest.fixture
def port(repository: Path) -> Iterator[int]:
    with serving(repository, is_writable=True) as port:
        yield port


def call(port: int, method: str, path: str, **body: object) -> tuple[int, Any]:
    text = json.dumps(body) if body else None
    status, _, answer = ask(port, f"/compat{path}", method, text, WITH_TOKEN)
    return status, json.loads(answer) if answer else None


def test_what_is_remembered_is_recalled_with_a_similarity(port: int) -> None:
    content = "Use JWT tokens with 15-minute expiry for API authentication"
    body = {"content": content, "type": "decision", "tags": ["auth"], "metadata": {}}
    status, created = call(port, "POST", "/remember", **body, confidence=0.9)
    assert (status, created["status"]) == (201, "created")
    assert call(port, "POST", "/remember", content=content) == (
        200,
        {"status": "duplicate", "existing_id": created["id"]},
    )

    query = {"query": "JWT expiry for authentication", "types": ["decision"]}
    status, found = call(port, "POST", "/recall", **query, limit=10, threshold=0.3)
    assert (status, found["total"], found["query"]) == (200, 1, query["query"])
    [result] = found["results"]
    memory = result["memory"]
    assert result["similarity"] >= 0.5
    assert memory["content"] == content
    assert (memory["type"], memory["scope"]) == ("decision", "project")
    assert memory["tags"] == ["auth"]
    assert memory["confidence"] >= 0.9

    status, read = call(port, "GET", f"/recall/{created['id']}")
    assert (status, read["id"], read["retrieval_count"]) == (200, created["id"], 1)
    assert call(port, "DELETE", f"/forget/{created['id']}") == (204, None)
    assert call(port, "GET", f"/recall/{created['id']}")[0] == 404


def test_types_of_the_other_memory_come_back(port: int) -> None:
    for type_ in ("error-solution", "failure", "working_context", "preference"):
        content = f"The statement about {type_} is the one of a kind"
        assert call(port, "POST", "/remember", content=content, type=type_)[0] == 201
    _, listed = call(port, "POST", "/recall", query="", threshold=0)
    assert {result["memory"]["type"] for result in listed["results"]} == {
        *("error-solution", "failure", "fact", "preference")
    }


def test_a_state_is_returned_as_it_was_saved_until_it_is_cleared(port: int) -> None:
    state = {
        "objective": "Implement user authentication",
        "approach": "JWT-based auth: with refresh tokens",
        "progress": "Completed login endpoint, working on refresh",
        "files_touched": ["src/auth/jwt.ts", "src/routes/auth.ts"],
        "tried_and_failed": ["Session-based auth (CORS issues)"],
        "next_steps": ["Add refresh token endpoint", "Write integration tests"],
        "blockers": ["Need to decide on token storage strategy"],
        "open_questions": ["Should we use httpOnly cookies or localStorage?"],
        "metadata": {},
    }
    assert call(port, "GET", "/state/my-app")[0] == 404
    assert call(port, "PUT", "/state/my-app", **state) == (
        200,
        {"status": "saved", "project_id": "my-app"},
    )
    status, read = call(port, "GET", "/state/my-app")
    assert (status, read["data"]) == (200, state)
    later = state | {"approach": "Cookies", "next_steps": []}
    call(port, "PUT", "/state/my-app", **later)
    assert call(port, "GET", "/state/my-app")[1]["data"] == later
    assert call(port, "GET", "/state/another")[0] == 404
    assert call(port, "DELETE", "/state/my-app") == (204, None)
    assert call(port, "GET", "/state/my-app")[0] == 404


def test_an_episode_is_a_session_and_what_it_decided_is_recalled(port: int) -> None:
    episode = {
        "session_id": "ses_abc123",
        "project_id": "my-app",
        "summary": "Implemented user authentication with JWT",
        "todos": [
            {"content": "Add refresh token endpoint", "status": "pending"},
            {"content": "Add login endpoint", "status": "completed"},
        ],
        "decisions": [{"content": "Use JWT with 15-minute expiry", "context": "Safe"}],
        "constraints": [{"content": "Must support OAuth2", "type": "must"}],
        "failed_approaches": [{"approach": "Session cookies", "error": "CORS issues"}],
        "explored_files": ["src/auth/jwt.ts"],
    }
    status, saved = call(port, "POST", "/episode", **episode)
    assert (status, saved["status"], saved["extracted_memories"]) == (201, "created", 2)
    _, [listed] = call(port, "GET", "/episodes?limit=5")
    assert (listed["id"], listed["session_id"]) == (saved["id"], "ses_abc123")
    assert listed["summary"] == episode["summary"]
    assert {todo["status"] for todo in listed["todos"]} == {"pending", "completed"}
    assert listed["failed_approaches"] == [{"approach": "Session cookies: CORS issues"}]
    _, found = call(port, "POST", "/recall", query="JWT expiry", types=["decision"])
    assert "15-minute" in found["results"][0]["memory"]["content"]


def test_bootstrap_tells_all_at_once(port: int, repository: Path) -> None:
    call(port, "POST", "/remember", content="Must support OAuth2", type="constraint")
    call(port, "POST", "/remember", content="Session cookies failed", type="failure")
    call(port, "PUT", "/state/my-app", objective="Implement authentication")
    body = {"project_id": "my-app", "cwd": str(repository / "src"), "memory_limit": 5}
    status, told = call(port, "POST", "/bootstrap", **body)
    assert (status, told["project_id"]) == (200, "my-app")
    assert told["state"]["objective"] == "Implement authentication"
    assert [row["content"] for row in told["constraints"]] == ["Must support OAuth2"]
    assert [row["type"] for row in told["failed_approaches"]] == ["failure"]
    assert len(told["recent_episodes"]) == 1
    status, counts = call(port, "GET", "/status")
    assert (counts["memory_count"], counts["state_count"]) == (2, 1)
    assert (counts["episode_count"], counts["healthy"]) == (0, True)


def test_memories_are_pinned_searched_corrected_and_deleted(port: int) -> None:
    status, memory = call(
        port, "POST", "/v1/memories", content="Tests need Postgres 15", tags=["db"]
    )
    assert (status, memory["memory_type"], memory["state"]) == (201, "pinned", "active")
    place = f"/v1/memories/{memory['id']}"
    status, corrected = call(port, "PUT", place, content="Tests need Postgres 16")
    assert (status, corrected["content"]) == (200, "Tests need Postgres 16")
    status, found = call(port, "GET", "/v1/memories/search?q=postgres+tests&limit=5")
    assert [row["memory"]["content"] for row in found["results"]] == [
        "Tests need Postgres 16"
    ]
    _, listed = call(port, "GET", "/v1/memories?limit=20&tags=db")
    assert [row["tags"] for row in listed["memories"]] == [["db"]]
    assert call(port, "DELETE", place) == (204, None)
    assert call(port, "GET", place)[0] == 404


def test_a_memory_of_two_scopes_is_forgotten_at_once(port: int) -> None:
    content = "Tests need Postgres 16"
    call(port, "POST", "/remember", content=content, scope="global")
    _, saved = call(port, "POST", "/remember", content=content, scope="project")
    memory_id = saved.get("id") or saved["existing_id"]
    assert call(port, "DELETE", f"/forget/{memory_id}") == (204, None)
    assert call(port, "GET", f"/recall/{memory_id}")[0] == 404


def test_a_key_that_is_sent_does_not_come_back(port: int) -> None:
    key = "ghp_" + "x1Y2z3A4b5C6" * 3
    for method, path, body in (
        ("POST", "/recall", {"query": f"token {key}"}),
        ("PUT", f"/state/{key}", {"objective": "Turn the key"}),
    ):
        status, answer = call(port, method, path, **body)
        assert (status, key in str(answer)) == (200, False)


def test_a_key_in_the_header_of_the_other_memory_is_the_token(port: int) -> None:
    assert ask(port, "/compat/status", headers={"X-API-Key": TOKEN})[0] == 200
    assert ask(port, "/compat/status", headers={"X-API-Key": "other"})[0] == 401
    assert call(port, "GET", "/health") == (200, {"status": "ok"})


def test_wrong_types_are_named(port: int) -> None:
    for path, body in (
        ("/remember", {"content": 1}),
        ("/remember", {}),
        ("/recall", {"query": "a", "limit": "many"}),
        ("/recall", {"query": "a", "types": ["no-such-type"]}),
        ("/remember", {"content": "A statement that holds", "scope": "galaxy"}),
        ("/episode", {"session_id": "a", "todos": ["a"]}),
    ):
        status, answer = call(port, "POST", path, **body)
        assert (status, answer["error"]["code"]) == (400, "invalid-input"), body


def test_without_write_the_calls_only_read(repository: Path) -> None:
    with serving(repository) as port:
        assert call(port, "POST", "/remember", content="Tests need it")[0] == 403
        assert call(port, "DELETE", "/forget/m-1")[0] == 403
        assert call(port, "POST", "/recall", query="tests")[0] == 200
