"""Transcripts with anything in any place: recorded ones, and other forms."""

import json
from pathlib import Path
from typing import Any

from assistants.transcripts import test_antigravity, test_codex
from assistants.transcripts.hostile import read_sound
from hook.test_hostile import places, replaced
from support.rounds import chance, rounds

from gitmem.assistants.antigravity.transcripts import ANTIGRAVITY
from gitmem.assistants.claude_code.transcripts import CLAUDE_CODE
from gitmem.assistants.codex.conversations import CODEX
from gitmem.assistants.copilot.transcripts import COPILOT
from gitmem.assistants.gemini.transcripts import GEMINI
from gitmem.assistants.transcripts import TranscriptReader

DATA = Path(__file__).parent / "data"
READERS = {
    "claude_code": CLAUDE_CODE,
    "codex": CODEX,
    "codex_threads": CODEX,
    "copilot": COPILOT,
    "gemini_cli": GEMINI,
}
ODD: tuple[Any, ...] = (
    *(None, True, 0, -1e308, "", "\ud83d \0", [], [[]], [None, 1, "text"], {}),
    *({"type": []}, "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59"),
    *("2026-02-09T12:00:00", "../a", "{", "[7]", '{"plan": [7], "cmd": 7}'),
)
Form = tuple[TranscriptReader, Path, list[Any]]


def recorded(file: Path) -> Form:
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    path = file.relative_to(DATA)
    return READERS[path.parts[0]], path, lines


OLD_CODEX = [test_codex.line("session_meta", **test_codex.META)]
OLD_CODEX += test_codex.old_patch(test_codex.APPLIED)
FORMS: list[Form] = [
    *map(recorded, sorted(DATA.rglob("*.jsonl"))),
    (CODEX, Path("rollout-x.jsonl"), OLD_CODEX),
    (ANTIGRAVITY, test_antigravity.FILE, test_antigravity.steps(Path("/project"))),
]


def test_odd_values_in_any_places_break_nothing(tmp_path: Path) -> None:
    random = chance()
    for _ in range(rounds(25)):
        reader, path, lines = random.choice(FORMS)
        for _ in range(random.randint(1, 8)):
            way = random.choice([*places(lines)])
            lines = replaced(lines, way, random.choice(ODD))
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
        read_sound(reader, file)
