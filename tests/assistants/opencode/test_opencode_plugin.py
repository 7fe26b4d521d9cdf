"""The plugin, given what OpenCode 1.18.33 gave one, by node.

`session.jsonl` is a recorded session: a patch, a subagent, to-dos, a commit, a
compaction. `told.txt` is what the plugin tells of it; the readers of both are tested
with it where there is no node.
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from assistants.opencode.records import FIXTURES, PROJECT, TOLD
from support.rounds import few

from gitmem.resources import resource

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None, reason="there is no node here"
)

RECORDER = """#!/bin/sh
event=$(cat)
echo "$1 $2 $event" >>"${0%/*}/told"
case $1-$event in
recall-*gone.txt*) echo '{"text": "known of it"}' ;;
hook-*'"source":"startup"'*) echo '{"text": "the brief"}' ;;
hook-*'"source":"compact"'*) echo '{"text": "the brief since"}' ;;
hook-*session.idle*) echo '{"text": "save it"}' ;;
hook-*chat.message*) echo '{"text": "remember it"}' ;;
esac
"""
"""Stands in the launcher's place: it writes down what it is told."""

Call = dict[str, Any]
ID = "ses_df4d24f39ffesIde3shdKEzSOy"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return furnished(tmp_path)


def furnished(folder: Path) -> Path:
    plugins = folder / ".opencode" / "plugins"
    plugins.mkdir(parents=True)
    (folder / "package.json").write_text('{"type": "module"}')
    shutil.copy(resource("hooks/opencode/ocm.js"), plugins)
    (folder / ".git" / "ocm").mkdir(parents=True)
    return folder


def recording(project: Path, script: str = RECORDER) -> Path:
    launcher = project / ".git" / "ocm" / "run"
    launcher.write_text(script)
    launcher.chmod(0o755)
    return project


def fed(project: Path, calls: list[Call]) -> list[Call]:
    lines = "".join(f"{json.dumps(each)}\n" for each in calls)
    plugin = project / ".opencode" / "plugins" / "ocm.js"
    feed = Path(__file__).parent / "feed.mjs"
    done = subprocess.run(
        ["node", feed, plugin, project],
        input=lines.replace(PROJECT, str(project)),
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/home/dev"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr == ""
    text = done.stdout.replace(str(project), PROJECT)
    return [json.loads(line) for line in text.splitlines()]


def session() -> list[Call]:
    lines = (FIXTURES / "session.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Call], list[str]]:
    """What became of the calls of the recorded session, and what was told."""
    folder = recording(furnished(tmp_path_factory.mktemp("played")))
    after = fed(folder, session())
    told = (folder / ".git" / "ocm" / "told").read_text()
    return after, told.replace(str(folder), PROJECT).splitlines()


def test_a_session_is_told_as_recorded(played: tuple[list[Call], list[str]]) -> None:
    assert sorted(played[1]) == sorted(TOLD.read_text().splitlines())


def test_the_model_is_told_the_brief_but_not_where_it_gives_a_title(
    played: tuple[list[Call], list[str]],
) -> None:
    outputs = [each.get("output", {}) for each in played[0]]
    systems = [each["system"] for each in outputs if "system" in each]
    title, first, *_, last = systems
    assert len(title) == 1
    assert first == ["You are opencode", "the brief"]
    assert last == ["You are opencode", "the brief since"]
    # subagents and the summary of a compaction have no use for it
    assert [len(each) for each in systems] == [1, 2, 2, 1, 1, 2, 2, 1, 2]


def test_a_prompt_and_an_edit_carry_what_is_known(project: Path) -> None:
    calls = session()
    again = next(each for each in calls if each["label"] == "chat.message")
    idle = next(each for each in calls if each["label"] == "event.session.idle")
    idle["stdin"]["properties"]["sessionID"] = ID
    edit = next(each for each in calls if each["label"] == "tool.execute.after")
    first, _, edited, last = fed(recording(project), [again, idle, edit, again])
    parts = first["output"]["parts"]
    assert [part["text"] for part in parts[1:]] == ["remember it"]
    assert parts[1]["synthetic"]
    assert parts[1]["id"] > parts[0]["id"]
    assert edited["output"]["output"].endswith("\n\nknown of it")
    assert last["output"]["parts"][1]["text"] == "save it\n\nremember it"


def test_checkpoints_and_commands_know_their_session(project: Path) -> None:
    checkpoint = {
        "input": {"tool": "opencodememory_ocm__checkpoint", "sessionID": ID},
        "output": {"args": {"goal": "g"}},
    }
    calls = [json.loads(file.read_text()) for file in sorted(FIXTURES.glob("*.json"))]
    assert any("tool.execute" in each["label"] for each in calls)
    [at] = [n for n, each in enumerate(calls) if each["label"] == "shell.env"]
    calls.append({"label": "tool.execute.before", "stdin": checkpoint})
    after = fed(recording(project), calls)
    assert len(after) == len(calls) == 21
    id_ = calls[at]["stdin"]["input"]["sessionID"]
    assert after[at]["output"]["env"] == {"OPENCODE_SESSION_ID": id_}
    assert after[-1]["output"]["args"] == {"goal": "g", "session_id": ID}


@few(1, "script", ["", "#!/bin/sh\necho no JSON\nexit 1\n", "#!/nowhere\n"])
def test_without_a_launcher_that_works_nothing_changes(
    project: Path, script: str
) -> None:
    if script:
        recording(project, script)
    calls = list({each["label"]: each for each in reversed(session())}.values())
    assert fed(project, calls) == [each["stdin"] for each in calls]
