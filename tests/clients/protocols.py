"""The protocols that clients speak with a model; all answers are streams of events."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

Request = dict[str, Any]
Block = dict[str, Any]
"""A text, or a call with its input."""
Tools = Mapping[str, dict[str, Any]]
"""What a request offers, by name."""
_USAGE = {"input_tokens": 1000, "output_tokens": 20}


class Protocol(NamedTuple):
    address: str
    """A part of each path at which it is spoken."""
    tools: Callable[[Request], Tools]
    stream: Callable[[Sequence[Block], Tools], str]
    """Says texts and calls as an answer."""


def spoken_at(path: str) -> Protocol | None:
    return next((each for each in _PROTOCOLS if each.address in path), None)


def _by_name(request: Request) -> Tools:
    return {str(tool.get("name")): tool for tool in request.get("tools") or ()}


def _messages(blocks: Sequence[Block], _: Tools) -> str:
    message: dict[str, Any] = {
        "id": f"msg_{time.time_ns()}",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": _USAGE,
    }
    is_call = any("input" in block for block in blocks)
    ends = {"stop_reason": "tool_use" if is_call else "end_turn", "stop_sequence": None}
    return (
        _event("message_start", message=message)
        + "".join(_message_block(*each) for each in enumerate(blocks))
        + _event("message_delta", delta=ends, usage=_USAGE)
        + _event("message_stop")
    )


def _message_block(index: int, block: Block) -> str:
    if "input" in block:
        begins = block | {"input": {}}
        whole = json.dumps(block["input"])
        delta = {"type": "input_json_delta", "partial_json": whole}
    else:
        begins = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": block["text"]}
    return (
        _event("content_block_start", index=index, content_block=begins)
        + _event("content_block_delta", index=index, delta=delta)
        + _event("content_block_stop", index=index)
    )


def _response_tools(request: Request) -> Tools:
    """Those of servers are within others, and may have been looked up."""
    items = request.get("input") or ()
    looked_up = [tool for item in items for tool in item.get("tools", ())]
    tools = {}
    for tool in [*(request.get("tools") or ()), *looked_up]:
        name = tool.get("name") or tool["type"]
        for each in tool.get("tools") or ():
            tools[each["name"]] = each | {"namespace": name}
        tools[name] = tool
    return tools


def _response(blocks: Sequence[Block], tools: Tools) -> str:
    items = [_response_item(block, tools) for block in blocks]
    done = (_event("response.output_item.done", item=item) for item in items)
    usage = _USAGE | {"total_tokens": 1020}
    response = {"id": f"resp_{time.time_ns()}", "output": items, "usage": usage}
    return (
        _event("response.created", response=response | {"output": []})
        + "".join(done)
        + _event("response.completed", response=response)
    )


def _response_item(block: Block, tools: Tools) -> Block:
    if "input" not in block:
        content = [{"type": "output_text", "text": block["text"], "annotations": []}]
        return {"type": "message", "role": "assistant", "content": content}
    tool, given = tools[block["name"]], block["input"]
    called = {"call_id": block["id"], "name": block["name"], "status": "completed"}
    if tool["type"] == "custom":  # it takes a text and no arguments
        return called | {"type": "custom_tool_call", "input": "".join(given.values())}
    if tool["type"] == "tool_search":
        search = {"type": "tool_search_call", "execution": "client"}
        return called | search | {"arguments": given}
    within = {"namespace": tool["namespace"]} if "namespace" in tool else {}
    arguments = json.dumps(given)
    return called | within | {"type": "function_call", "arguments": arguments}


def _chat_tools(request: Request) -> Tools:
    return _by_name({"tools": [each["function"] for each in request.get("tools", ())]})


def _chat(blocks: Sequence[Block], _: Tools) -> str:
    text = "".join(block.get("text", "") for block in blocks)
    called = enumerate(block for block in blocks if "input" in block)
    calls = [_chat_call(index, block) for index, block in called]
    usage = {"prompt_tokens": 1000, "completion_tokens": 20, "total_tokens": 1020}
    return (
        _chunk({"role": "assistant", "content": text})
        + (_chunk({"tool_calls": calls}) if calls else "")
        + _chunk({}, "tool_calls" if calls else "stop", usage)
        + "data: [DONE]\n\n"
    )


def _chat_call(index: int, block: Block) -> Block:
    function = {"name": block["name"], "arguments": json.dumps(block["input"])}
    return {"index": index, "id": block["id"], "type": "function", "function": function}


def _chunk(delta: Block, ends: str | None = None, usage: Block | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": ends}
    made = {"id": "chat", "object": "chat.completion.chunk", "created": 0, "model": "m"}
    return _data(made | {"choices": [choice], "usage": usage})


def _gemini_tools(request: Request) -> Tools:
    groups = request.get("tools") or ()
    tools = [tool for each in groups for tool in each.get("functionDeclarations", ())]
    return _by_name({"tools": tools})


def _gemini(blocks: Sequence[Block], _: Tools) -> str:
    content = {"role": "model", "parts": [_gemini_part(block) for block in blocks]}
    answer = {"content": content, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 1000, "totalTokenCount": 1020}
    return _data({"candidates": [answer], "usageMetadata": usage})


def _gemini_part(block: Block) -> Block:
    if "input" not in block:
        return {"text": block["text"]}
    return {"functionCall": {"name": block["name"], "args": block["input"]}}


_PROTOCOLS = (
    Protocol("/messages", _by_name, _messages),
    Protocol("/responses", _response_tools, _response),
    Protocol("/chat/completions", _chat_tools, _chat),
    Protocol(":streamGenerateContent", _gemini_tools, _gemini),
)


def _event(kind: str, **values: Any) -> str:
    return f"event: {kind}\n" + _data({"type": kind, **values})


def _data(value: Any) -> str:
    return f"data: {json.dumps(value)}\n\n"
