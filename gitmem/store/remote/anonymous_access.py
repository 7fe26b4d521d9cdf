"""Whether a stranger can read a repository: asked as one, with nothing of the user's.

No home, no settings, no credentials, nobody to ask: what answers then, answers anybody.
"""

import os
import re
from collections.abc import Iterable, Mapping
from enum import Enum, auto
from pathlib import Path
from tempfile import TemporaryDirectory

from gitmem.store.remote.watched_git import run

_PATIENCE = 5.0
_KEPT = re.compile(r"PATH|(?:https?|all|no)_proxy|SSL_CERT_(?:FILE|DIR)", re.IGNORECASE)
_NOTHING_OF_THE_USER = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ALLOW_PROTOCOL": "http:https:git",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "LC_ALL": "C",
}


def answers_anybody(
    urls: Iterable[str], variables: Mapping[str, str], *, hides: bool
) -> bool | None:
    """Whether `git ls-remote` works for somebody without an account, at any of `urls`.

    They are of http, https or git. `hides` says that the host calls what is closed
    missing; elsewhere what is missing may have another name. None where it cannot be
    learned in five seconds each.
    """
    answers = {_answer(url, variables) for url in urls}
    if _Answer.OPEN in answers:
        return True
    if _Answer.UNKNOWN in answers:
        return None
    return False if hides or _Answer.CLOSED in answers else None


class _Answer(Enum):
    OPEN = auto()
    CLOSED = auto()
    MISSING = auto()
    UNKNOWN = auto()


def _answer(url: str, variables: Mapping[str, str]) -> _Answer:
    with TemporaryDirectory(prefix="ocm-") as nowhere:
        said = run(
            ["ls-remote", "--quiet", "--", url, "HEAD"],
            Path(nowhere),
            _environment(nowhere, variables),
            _PATIENCE,
        )
    if said.status == 0:
        return _Answer.OPEN
    for pattern, answer in _REFUSALS.items():
        if any(map(pattern.search, said.lines)):
            return answer
    return _Answer.UNKNOWN


_REFUSALS = {
    re.compile(
        r"could not read (Username|Password)|Authentication failed|prompts disabled"
        r"|returned error: 40[13]"
    ): _Answer.CLOSED,
    re.compile(r"returned error: 404|not found"): _Answer.MISSING,
}


def _environment(nowhere: str, variables: Mapping[str, str]) -> dict[str, str]:
    kept = {name: text for name, text in variables.items() if _KEPT.fullmatch(name)}
    places = ("HOME", "XDG_CONFIG_HOME", "GIT_CEILING_DIRECTORIES")
    return kept | _NOTHING_OF_THE_USER | dict.fromkeys(places, nowhere)
