"""Records of OpenCode 1.18.33, with `/home/dev/project` for the project."""

from pathlib import Path

FIXTURES = Path(__file__).parents[2] / "fixtures" / "opencode-1.18.33"
PROJECT = "/home/dev/project"
TOLD = FIXTURES / "told.txt"
DUMP = FIXTURES / "opencode.sql"
