"""Transcripts as assistants write them, for tests of what reads them."""

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from support.harness import NOON


def claude_code_file(
    folder: Path,
    client_id: str,
    *prompts: str,
    cwd: Path | str,
    began_at: datetime = NOON,
    edits: Iterable[Path | str] = (),
    answer: str = "I shall look at that.",
) -> Path:
    """A transcript of Claude Code in `folder`: prompts with an answer each, then edits.

    A minute lies between two lines.
    """
    lines = [line for prompt in prompts for line in (_asked(prompt), _answered(answer))]
    for number, path in enumerate(edits):
        lines += _edited(f"toolu_{number}", str(path))
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{client_id}.jsonl"
    with file.open("a") as opened:
        for number, line in enumerate(lines):
            at = (began_at + timedelta(minutes=number)).isoformat()
            common = {
                "sessionId": client_id,
                "cwd": str(cwd),
                "timestamp": at.replace("+00:00", ".000Z"),
                "uuid": f"{client_id[:-6]}{began_at:%H%M}{number:02}",
                "isSidechain": False,
                "gitBranch": "main",
                "version": "2.1.197",
            }
            opened.write(json.dumps(common | line) + "\n")
    return file


def kept_by_claude_code(home: Path, work_tree: Path) -> Path:
    """The folder in which Claude Code keeps what was said in a work tree."""
    name = "".join(c if c.isalnum() else "-" for c in str(work_tree))
    return home / ".claude" / "projects" / name


def records(repository: Path, client: str, *asked: str) -> list[dict[str, Any]]:
    """Records of Claude Code: for each prompt that, a new file, and an answer."""
    lines: list[dict[str, Any]] = []
    for number, prompt in enumerate(asked):
        call = {"type": "tool_use", "id": f"t{number}", "name": "Write"}
        call["input"] = {"file_path": str(repository / f"{prompt}.py")}  # type: ignore[assignment]  # JSON
        answered = {"type": "tool_result", "tool_use_id": f"t{number}", "content": ""}
        for kind, content in (
            ("user", prompt),
            ("assistant", [call]),
            ("user", [answered]),
            ("assistant", f"It is done: {prompt}."),
        ):
            minute = len(lines)
            lines.append(
                {
                    "type": kind,
                    "uuid": f"u-{minute}",
                    "sessionId": client,
                    "cwd": str(repository),
                    "timestamp": f"2026-03-01T10:{minute:02}:00.000Z",
                    "message": {"role": kind, "content": content},
                }
            )
    return lines


def written_records(
    repository: Path, client: str, lines: Iterable[dict[str, Any]]
) -> Path:
    """A transcript of Claude Code with these records, in its place."""
    file = kept_by_claude_code(Path.home(), repository) / f"{client}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(each) + "\n" for each in lines))
    return file


def aider_file(work_tree: Path, *prompts: str) -> Path:
    """The history of Aider with a conversation for each prompt, on days in a row."""
    file = work_tree / ".aider.chat.history.md"
    with file.open("a") as opened:
        for number, prompt in enumerate(prompts, 1):
            opened.write(f"\n# aider chat started at 2025-03-{number:02} 09:00:00\n\n")
            opened.write(f"#### {prompt}  \n\nDone.\n")
    return file


def _asked(prompt: str) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": prompt}}


def _answered(text: str) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    return {"type": "assistant", "message": {"role": "assistant", "content": content}}


def _edited(call: str, path: str) -> list[dict[str, Any]]:
    arguments = {"file_path": path, "content": "its content"}
    use = {"type": "tool_use", "id": call, "name": "Write", "input": arguments}
    result = {"type": "tool_result", "tool_use_id": call, "content": "File written"}
    return [
        {"type": "assistant", "message": {"role": "assistant", "content": [use]}},
        {
            "type": "user",
            "message": {"role": "user", "content": [result]},
            "toolUseResult": {"type": "create", "filePath": path},
        },
    ]
