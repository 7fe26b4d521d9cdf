"""Whether Codex runs our hooks, as `ocm doctor` reads its settings."""

import json
from pathlib import Path

from gitmem.assistants.assistant import Check, Checked
from gitmem.assistants.codex.checks import checks
from gitmem.resources import resource

COMMAND = (
    "sh -c 'd=.git; [ -d $d ] || d=$(git -c safe.bareRepository=explicit rev-parse"
    ' --git-common-dir 2>/dev/null); [ ! -x "$d/ocm/run" ] || "$d/ocm/run" "$0" "$1"\''
)


def ours(kind: str, timeout: int) -> dict[str, object]:
    command = f"{COMMAND} {kind} codex"
    return {"type": "command", "command": command, "timeout": timeout}


MINE = {"type": "command", "command": "mine"}
HOOKS = {
    "SessionStart": [{"hooks": [ours("hook", 10)]}],
    "PreToolUse": [
        {"matcher": "Bash", "hooks": [MINE]},
        {"matcher": "apply_patch", "hooks": [ours("recall", 5)]},
    ],
}
# What `hooks/list` of Codex 0.169.0 calls them.
DIGESTS = {
    "session_start:0:0": "sha256:acb9336c50a124a7183c3a6d230df8dc"
    "d0d123252b5c9edcf6e81f29923edeec",
    "pre_tool_use:1:0": "sha256:eaa61ab67c512b30308c9b811e8a5521"
    "15a16ac41e59f20e91c0f0065ea47fbe",
}


def found(root: Path, settings: str, **values: object) -> dict[str, Check]:
    (root / ".codex").mkdir(exist_ok=True)
    (root / ".codex" / "hooks.json").write_text(json.dumps({"hooks": HOOKS}))
    home = root / "home"
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text(settings)
    variables = {"CODEX_HOME": str(home)}
    checked = Checked(root, variables, root, root)._replace(**values)  # type: ignore[arg-type]
    return {each.code: each for each in checks(checked)}


def states(root: Path, more: str = "") -> str:
    file = root / ".codex" / "hooks.json"
    tables = (
        f'[hooks.state."{file}:{key}"]\ntrusted_hash = "{digest}"\n{more}\n'
        for key, digest in DIGESTS.items()
    )
    return "".join(tables)


def test_hooks_that_are_trusted_as_they_stand_are_run(tmp_path: Path) -> None:
    trusted = f'[projects."{tmp_path}"]\ntrust_level = "trusted"\n'
    checks = found(tmp_path, trusted + states(tmp_path))
    assert {code: check.grade for code, check in checks.items()} == {
        "folder-trust": "ok",
        "hooks-allowed": "ok",
    }


def test_what_codex_leaves_out_is_a_warning(tmp_path: Path) -> None:
    checks = found(tmp_path, "")
    assert checks["folder-trust"].grade == checks["hooks-allowed"].grade == "warning"
    assert "0 of our 2 hooks" in checks["hooks-allowed"].what
    assert "/hooks" in checks["hooks-allowed"].mend
    changed = states(tmp_path).replace("sha256:eaa6", "sha256:0000")
    assert "1 of our 2 hooks" in found(tmp_path, changed)["hooks-allowed"].what
    off = states(tmp_path, "enabled = false")
    assert "0 of our 2 hooks" in found(tmp_path, off)["hooks-allowed"].what


def test_a_folder_whose_hooks_ran_is_trusted(tmp_path: Path) -> None:
    assert found(tmp_path, "", is_heard=True)["folder-trust"].grade == "ok"


def test_settings_that_turn_us_off_are_a_problem(tmp_path: Path) -> None:
    server = "[mcp_servers.opencodememory]\nenabled = false\n"
    checks = found(tmp_path, f"{server}[features]\nhooks = false\n")
    assert checks["mcp-approval"].grade == checks["hooks-allowed"].grade == "problem"


def test_settings_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    assert list(found(tmp_path, "x = [")) == ["settings-file"]
    assert found(tmp_path, "projects = 1\nhooks = []\nmcp_servers = 'x'")


def test_packaged_hooks_have_a_digest_each(tmp_path: Path) -> None:
    (tmp_path / "hooks.json").write_text(
        resource("hooks/codex/hooks.json").read_text("utf-8")
    )
    variables = {"CODEX_HOME": str(tmp_path)}
    [check] = checks(Checked(tmp_path, variables))
    assert "0 of our 7 hooks" in check.what
