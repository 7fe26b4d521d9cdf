"""Counts what an assistant is given to read: characters, and about how many tokens.

    python tests/bench/texts_bench.py [REPOSITORY]

Of texts and schemas four characters are a token; of briefs it is the estimate by which
their budget is kept. The brief is that of the repository, by default the one here.
"""

import json
import sys
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.mcp_client import client_of
from support.workspaces import workspace_at

from gitmem.actions.context.build import brief
from gitmem.assistants.assistant import SERVER
from gitmem.assistants.known import UNKNOWN
from gitmem.config import Environment
from gitmem.hook import answers
from gitmem.resources import resource
from gitmem.text.insertion import MARKDOWN


async def texts_at_start(environment: Environment) -> dict[str, str]:
    """What is always there before the first question, but for the brief.

    Tools as Claude Code sends them to its model.
    """
    async with client_of(environment) as client:
        tools, instructions = (await client.list_tools()).tools, client.instructions
    rules = resource("rules/opencodememory.md").read_text("utf-8")
    told = {
        "rules, in their block": f"{MARKDOWN.begin}\n{rules}{MARKDOWN.end}\n",
        "instructions of the server": instructions or "",
    }
    for tool in tools:
        sent = {
            "name": f"mcp__{SERVER}__{tool.name}",
            "description": tool.description,
            "input_schema": tool.input_schema,
        }
        told[f"`{tool.name}`"] = json.dumps(sent, separators=(",", ":"))
    return told


def tokens(text: str) -> int:
    return -(-len(text) // 4)


def main() -> None:
    workspace = workspace_at(Path(*sys.argv[1:2]).resolve())
    rows = {
        name: (len(text), tokens(text))
        for name, text in anyio.run(texts_at_start, workspace.environment).items()
    }
    made = brief(workspace, None, UNKNOWN)
    rows["brief"] = len(made.text), made.tokens
    rows["**before the first question**"] = _sum(rows)
    rows["nudge, where there is one"] = _size(answers._NUDGE)
    for name, (characters, count) in rows.items():
        print(f"| {name} | {characters:,} | {count:,} |")


def _size(text: str) -> tuple[int, int]:
    return len(text), tokens(text)


def _sum(rows: dict[str, tuple[int, int]]) -> tuple[int, int]:
    characters, counts = zip(*rows.values(), strict=True)
    return sum(characters), sum(counts)


if __name__ == "__main__":
    main()
