"""A model that answers what it was told to, so that real clients can be run offline.

It speaks Anthropic's Messages, as streams of server-sent events, on 127.0.0.1 alone.
"""

import json
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Block = dict[str, Any]
SUMMARY = "The user asked for a greeting; it was written."
"""What it answers to a client that shortens a conversation."""
_MOST_ASKED = 24
"""Every five seconds, for a server whose start takes two minutes."""


@dataclass(frozen=True, slots=True)
class Answer:
    blocks: tuple[Block, ...]
    held_back: threading.Event | None = None
    """It is given once this is set."""


def say(text: str) -> Answer:
    return Answer(({"type": "text", "text": text},))


def call(tool: str, **arguments: Any) -> Answer:
    """`tool` may be the end of the name that the client has for it."""
    return Answer(({"type": "tool_use", "name": tool, "input": arguments},))


def writes(*paths: Path) -> Answer:
    """A file at each of the paths, all in one answer."""
    answers = (call("Write", file_path=str(at), content=f"{at.name}\n") for at in paths)
    return Answer(tuple(block for answer in answers for block in answer.blocks))


def held_back(until: threading.Event) -> Answer:
    return Answer(({"type": "text", "text": "Sorry to be late."},), until)


@dataclass(slots=True)
class ScriptedModel:
    answers: deque[Answer] = field(default_factory=deque)
    requests: list[dict[str, Any]] = field(default_factory=list)
    """All that clients sent, in the order of arrival."""
    asked: int = 0
    """How often it asked for tools that the client did not offer yet."""
    holds_back: bool = False
    """Whether somebody waits for an answer that is held back."""
    address: str = ""

    def will(self, *answers: Answer) -> None:
        """Nothing is left over of what it was to say before."""
        self.answers = deque(answers)
        self.asked = 0

    def answer_to(self, request: dict[str, Any]) -> Answer:
        """A request without tools is for a title or the like, and uses up nothing."""
        self.requests.append(request)
        tools = [_tool_name(tool) for tool in request.get("tools") or []]
        if not tools:
            return say("A title")
        if _asks_for_summary(request):
            return say(SUMMARY)
        answer = self.answers[0] if self.answers else say("Nothing more to do.")
        if (missing := _missing(answer, tools)) and self.asked < _MOST_ASKED:
            time.sleep(min(self.asked, 5))
            self.asked += 1
            return _for_client(_asking_for(missing, tools), tools)
        if self.answers:
            self.answers.popleft()
        if answer.held_back:
            self.holds_back = True
            answer.held_back.wait()
            self.holds_back = False
        return _for_client(answer, tools)


@contextmanager
def listening() -> Iterator[ScriptedModel]:
    model = ScriptedModel()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(model))
    server.daemon_threads = True
    model.address = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield model
    finally:
        server.shutdown()


def _tool_name(tool: dict[str, Any]) -> str:
    return str(tool.get("name", ""))


def _asks_for_summary(request: dict[str, Any]) -> bool:
    last = request["messages"][-2:]  # instructions of servers may come behind it
    return "create a detailed summary" in json.dumps(last)


def _missing(answer: Answer, tools: list[str]) -> set[str]:
    """Tools that it calls, and that the client does not offer."""
    called = {each["name"] for each in answer.blocks if each["type"] == "tool_use"}
    return {name for name in called if not any(tool.endswith(name) for tool in tools)}


def _asking_for(missing: set[str], tools: list[str]) -> Answer:
    """Some versions let a model look for tools, others wait for servers that start."""
    if "ToolSearch" in tools:
        query = f"select:{','.join(sorted(missing))}"
        return call("ToolSearch", query=query, max_results=5)
    return call("WaitForMcpServers")


def _for_client(answer: Answer, tools: list[str]) -> Answer:
    return Answer(tuple(_with_tool(block, tools) for block in answer.blocks))


def _with_tool(block: Block, tools: list[str]) -> Block:
    if block["type"] != "tool_use":
        return block
    name = next((tool for tool in tools if tool.endswith(block["name"])), None)
    if name is None:
        return {"type": "text", "text": f"No tool {block['name']} among {tools}."}
    return block | {"name": name, "id": f"toolu_{time.time_ns()}"}


def _handler(model: ScriptedModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing on the terminal."""

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            request = json.loads(self.rfile.read(length) or b"{}")
            if self.path.partition("?")[0].endswith("/count_tokens"):
                self._send("application/json", '{"input_tokens": 1000}')
                return
            answer = model.answer_to(request)
            self._send("text/event-stream", _messages(answer))

        def _send(self, kind: str, body: str) -> None:
            try:
                self.send_response(200)
                self.send_header("content-type", kind)
                self.end_headers()
                self.wfile.write(body.encode())
            except (BrokenPipeError, ConnectionResetError):
                return  # the client was killed

    return Handler


def _messages(answer: Answer) -> str:
    usage = {"input_tokens": 1000, "output_tokens": 20}
    message: dict[str, Any] = {
        "id": f"msg_{time.time_ns()}",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    is_call = any(block["type"] == "tool_use" for block in answer.blocks)
    ends = {"stop_reason": "tool_use" if is_call else "end_turn", "stop_sequence": None}
    blocks = "".join(_block(*each) for each in enumerate(answer.blocks))
    return (
        _sent("message_start", message=message)
        + blocks
        + _sent("message_delta", delta=ends, usage=usage)
        + _sent("message_stop")
    )


def _block(index: int, block: Block) -> str:
    if block["type"] == "text":
        begins = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": block["text"]}
    else:
        begins = block | {"input": {}}
        whole = json.dumps(block["input"])
        delta = {"type": "input_json_delta", "partial_json": whole}
    return (
        _sent("content_block_start", index=index, content_block=begins)
        + _sent("content_block_delta", index=index, delta=delta)
        + _sent("content_block_stop", index=index)
    )


def _sent(kind: str, **values: Any) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **values})}\n\n"
