"""Where a gitmem process finds itself: the environment, read once, as values."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_PROJECT_VARIABLES = ("OCM_PROJECT_DIR", "CLAUDE_PROJECT_DIR")


@dataclass(frozen=True, slots=True)
class Environment:
    start: Path
    """Where to look for the repository."""
    git_dir: Path | None
    """The repository itself, where GIT_DIR names it."""
    home: Path
    """The user's gitmem folder, which has the registry."""
    variables: Mapping[str, str]


def read_environment(
    variables: Mapping[str, str], working_directory: Path, user_home: Path
) -> Environment:
    """What the environment says.

    A project folder that an assistant names wins over GIT_DIR and the working
    directory, if it exists: some assistants pass `${workspaceFolder}` on as it stands.
    """
    named = (
        Path(variables[name]) for name in _PROJECT_VARIABLES if variables.get(name)
    )
    project = next((folder for folder in named if folder.is_dir()), None)
    git_dir = None if project else variables.get("GIT_DIR")
    home = variables.get("OCM_HOME")
    return Environment(
        start=project or working_directory,
        git_dir=working_directory / git_dir if git_dir else None,
        home=user_home / (home or ".openCodeMemory").removeprefix("~/"),
        variables=variables,
    )
