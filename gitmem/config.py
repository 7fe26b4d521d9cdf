"""Where a gitmem process finds itself: the environment, read once, as values."""

import os
import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from gitmem.errors import NotARepository, Unavailable
from gitmem.frozen import frozen
from gitmem.git.layout import FOLDER
from gitmem.text.calendar import in_calendar

NUDGE_SETTING = "ocm.nudge.edits"
"""How many edits without a save are worth a reminder."""
KEEP_DIFF_SETTING = "ocm.keepDiff"
"""True keeps the uncommitted changes of a session in this clone."""
CHECKPOINT_SETTING = "ocm.checkpoint.edits"
"""After how many edits without a save what hooks saw is saved."""
RECALL_SETTING = "ocm.recall"
"""When a conversation is told what is remembered: off, files, prompt, or both."""
EVERYWHERE_SETTING = "ocm.everywhere"
"""True lets hooks of the user's own settings work in a repository."""
AUTO_IMPORT_SETTING = "ocm.autoImport"
"""True imports missing conversations as a session begins."""
BRIEF_SETTING = "ocm.brief.budget"
"""Tokens of a brief; 0 for no brief."""
NOTES_SETTING = "ocm.notes"
"""True if commits of sessions get git notes."""
TRAILER_SETTING = "ocm.trailer"
"""The trailer of commits that assistants make: one of TRAILERS, or off."""
TRAILERS = "session", "assisted-by"
AUTO_PUSH_SETTING = "ocm.autoPush"
"""True if the memory is pushed with every `git push`."""
AUTO_PULL_SETTING = "ocm.autoPull"
"""True if a beginning conversation pulls the memory."""
CONVERSATIONS_SETTING = "ocm.conversations"
"""True keeps the conversations beside the sessions."""

PROJECT_VARIABLE = "OCM_PROJECT_DIR"
"""The variable with the folder of the project, whatever the working directory."""
SERVED = "OCM_SERVED"
"""The variable with the repositories that a server over HTTP may reach."""
_PROJECT_VARIABLES = (PROJECT_VARIABLE, "CLAUDE_PROJECT_DIR")


@frozen
class Environment:
    start: Path
    """The folder in which the search for the repository begins."""
    git_dir: Path | None
    """The repository itself, where GIT_DIR names it."""
    home: Path
    """The user's gitmem folder, which has the registry."""
    user_home: Path
    """The user's home folder, where other programs keep their settings."""
    variables: Mapping[str, str]

    @property
    def pages(self) -> Path:
        """The folder of what templates of pages were compiled to."""
        return self.home / "pages"

    @property
    def spaces(self) -> Path:
        """The folder of the user's spaces, a bare repository `<name>.git` each."""
        return self.home / "spaces"

    def reaches(self, git_dir: str) -> bool:
        """Return whether a search of all repositories may look into this one."""
        served = self.variables.get(SERVED)
        return served is None or git_dir in served.split(os.pathsep)


def is_recalled(setting: str | None, when: str) -> bool:
    """Return whether RECALL_SETTING asks for it then: at `files`, or at a `prompt`."""
    return (setting or "both").strip().lower() in (when, "both")


def local_time(moment: datetime) -> datetime:
    """A time in the user's zone; one without a zone was told by a clock here.

    POSIX lets a zone be a day and more from UTC, which no time can tell: UTC then.
    """
    try:
        return moment.astimezone()
    except ValueError:
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def current_time() -> datetime:
    """Now, in the user's zone and in whole seconds, as far as documents can tell."""
    now = local_time(datetime.now(UTC))  # noqa: TID251 - the clock
    return in_calendar(now.replace(microsecond=0))


def current_moment() -> float:
    """Now, in seconds since 1970, as file systems have it."""
    return time.time()


def read_environment(
    variables: Mapping[str, str], working_directory: Path, user_home: Path
) -> Environment:
    """What the environment says.

    A project folder that an assistant names wins over GIT_DIR and the working
    directory, if it exists: some assistants pass `${workspaceFolder}` on as it stands.
    """
    folders = filter(None, map(variables.get, _PROJECT_VARIABLES))
    project = next((folder for folder in map(Path, folders) if folder.is_dir()), None)
    git_dir = None if project else variables.get("GIT_DIR")
    home = variables.get("OCM_HOME")
    return Environment(
        start=project or working_directory,
        git_dir=working_directory / git_dir if git_dir else None,
        home=user_home / re.sub(r"^~(?:/+|$)", "", home or FOLDER),
        user_home=user_home,
        variables=variables,
    )


def current_environment() -> Environment:
    """Raises NotARepository when the working directory has been removed.

    Raises Unavailable where the system knows no home of the user.
    """
    try:
        return read_environment(os.environ, Path.cwd(), Path.home())
    except RuntimeError as error:
        raise Unavailable(
            "The system knows no home folder of yours.", hint="Set HOME to one."
        ) from error
    except FileNotFoundError as error:
        raise NotARepository(
            "The working directory is not there any more.",
            hint="Change to a folder inside a git repository.",
        ) from error
