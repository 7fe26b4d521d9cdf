"""What of Codex's settings stops us, as `ocm doctor` reads them."""

from pathlib import Path

from gitmem.assistants.assistant import Checked
from gitmem.assistants.codex.checks import checks


def grades(home: Path, settings: str) -> dict[str, str]:
    (home / "config.toml").write_text(settings)
    found = checks(Checked(home, {"CODEX_HOME": str(home)}))
    return {each.code: each.grade for each in found}


def test_settings_that_turn_us_off_are_a_problem(tmp_path: Path) -> None:
    server = "[mcp_servers.opencodememory]\nenabled = false\n"
    assert grades(tmp_path, f"{server}[features]\nhooks = false\n") == {
        "hooks-allowed": "problem",
        "mcp-approval": "problem",
    }


def test_settings_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    assert grades(tmp_path, "x = [") == {"settings-file": "problem"}
    assert grades(tmp_path, "features = 1\nmcp_servers = 'x'") == {}
