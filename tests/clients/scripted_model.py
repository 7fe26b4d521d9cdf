"""A model that answers what it was told to, so that real clients can be run offline.

It listens on 127.0.0.1 alone, and speaks all of `protocols`.
"""

import json
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from clients.protocols import Block, Protocol, Request, Tools, spoken_at

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

    def answer_to(self, request: Request, protocol: Protocol) -> str:
        """A request without tools is for a title or the like, and uses up nothing."""
        self.requests.append(request)
        tools = protocol.tools(request)
        blocks = [_with_tool(each, tools) for each in self._next(request, tools).blocks]
        return protocol.stream(blocks, tools)

    def _next(self, request: Request, tools: Tools) -> Answer:
        if not tools:
            return say("A title")
        if _asks_for_summary(request):
            return say(SUMMARY)
        answer = self.answers[0] if self.answers else say("Nothing more to do.")
        if (missing := _missing(answer, tools)) and self.asked < _MOST_ASKED:
            time.sleep(min(self.asked, 5))
            self.asked += 1
            return _asking_for(missing, tools)
        if self.answers:
            self.answers.popleft()
        if answer.held_back:
            self.holds_back = True
            answer.held_back.wait()
            self.holds_back = False
        return answer


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


def _asks_for_summary(request: Request) -> bool:
    last = request.get("messages", [])[-2:]  # servers' instructions may come behind it
    return "create a detailed summary" in json.dumps(last)


def _missing(answer: Answer, tools: Tools) -> set[str]:
    """Tools that it calls, and that the client does not offer."""
    called = {each["name"] for each in answer.blocks if each["type"] == "tool_use"}
    return {name for name in called if _named(name, tools) is None}


def _named(name: str, tools: Tools) -> str | None:
    if name in tools:
        return name
    return next((tool for tool in tools if tool.endswith(name)), None)


def _asking_for(missing: set[str], tools: Tools) -> Answer:
    """Some clients let a model look for tools, others wait for servers that start."""
    names = ",".join(sorted(missing))
    if "ToolSearch" in tools:
        return call("ToolSearch", query=f"select:{names}", max_results=5)
    if "tool_search" in tools:
        return call("tool_search", query=names)
    return call("WaitForMcpServers")


def _with_tool(block: Block, tools: Tools) -> Block:
    if block["type"] != "tool_use":
        return block
    if (name := _named(block["name"], tools)) is None:
        return {"type": "text", "text": f"No tool {block['name']} among {[*tools]}."}
    return block | {"name": name, "id": f"toolu_{time.time_ns()}"}


def _handler(model: ScriptedModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing on the terminal."""

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            request = json.loads(self.rfile.read(length) or b"{}")
            path = self.path.partition("?")[0]
            if path.endswith("/count_tokens"):
                self._send(200, "application/json", '{"input_tokens": 1000}')
            elif protocol := spoken_at(path):
                answer = model.answer_to(request, protocol)
                self._send(200, "text/event-stream", answer)
            else:
                self._send(404, "text/plain", f"{path} is not spoken here")

        def _send(self, status: int, kind: str, body: str) -> None:
            try:
                self.send_response(status)
                self.send_header("content-type", kind)
                self.end_headers()
                self.wfile.write(body.encode())
            except (BrokenPipeError, ConnectionResetError):
                return  # the client was killed

    return Handler
