"""The user's redaction rules, from git's configuration.

Hooks need them fast, and most users have none: git is asked only if one of its files
has the word, or includes another file.
"""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.errors import Unavailable
from gitmem.git.layout import config_files

if TYPE_CHECKING:
    from gitmem.redaction.user_rules import Setting

_WORD, _INCLUDE = b"redact", b"include"
_KEYS = r"^ocm\.redact\."


def user_rules(common_dir: Path, variables: Mapping[str, str]) -> tuple["Setting", ...]:
    """Return the rules that are set for this repository, in the order of their names.

    `variables` are the environment of the user. What a linked work tree alone has set
    does not count: all work trees share one memory. Raises Unavailable where there are
    rules and git cannot say which.
    """
    by_variables = (v for n, v in variables.items() if n.startswith("GIT_CONFIG_"))
    content = "\n".join(by_variables).lower().encode(errors="replace")
    for path in config_files(common_dir, variables):
        with suppress(OSError):
            content += path.read_bytes().lower()
    if _WORD in content:
        return _rules_of_git(common_dir, variables)
    if _INCLUDE in content:
        with suppress(Unavailable):  # most have none, and need no git command
            return _rules_of_git(common_dir, variables)
    return ()


def _rules_of_git(
    common_dir: Path, variables: Mapping[str, str]
) -> tuple["Setting", ...]:
    from gitmem.git.command import RefusedError, answer_in, options_to
    from gitmem.redaction.user_rules import settings_of

    command = ["config", "--includes", "--null", "--get-regexp", _KEYS]
    question = [*options_to(common_dir, None), *command]
    try:
        output = answer_in(common_dir, question, variables)
    except RefusedError as error:
        if not str(error):  # it says nothing of what is not there
            return ()
        raise Unavailable(
            "Git cannot read its configuration, which may have rules for secrets.",
            hint="`git config --list` says what is wrong with it.",
        ) from error
    lines = output.decode("utf-8", "replace").split("\0")
    entries = (line.partition("\n") for line in lines if line)
    return settings_of((key, value) for key, _, value in entries)
