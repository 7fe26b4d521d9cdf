"""Whether a stranger can read a repository: asked as one, with nothing of the user's.

No home, no settings, no credentials, nobody to ask: what answers then, answers anybody.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from gitmem.store.exchange.network import Command, run, unheard

_PATIENCE = 5.0
_KEPT = re.compile(r"PATH|(?:https?|all|no)_proxy|SSL_CERT_(?:FILE|DIR)", re.IGNORECASE)
_NOTHING_OF_THE_USER = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ALLOW_PROTOCOL": "http:https",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "LC_ALL": "C",
}
_CLOSED = re.compile(
    r"could not read (Username|Password)|Authentication failed|prompts disabled"
    r"|returned error: 40[134]|not found"
)


def answers_anybody(url: str, variables: Mapping[str, str]) -> bool | None:
    """Whether `git ls-remote URL` works for somebody without an account.

    `url` is one of http or https. None where that cannot be learned in five seconds.
    """
    with TemporaryDirectory(prefix="ocm-") as nowhere:
        said = run(
            Command(
                ["ls-remote", "--quiet", "--", url, "HEAD"],
                Path(nowhere),
                _environment(nowhere, variables),
                _PATIENCE,
                told=unheard,
            )
        )
    if said.status == 0:
        return True
    return False if any(map(_CLOSED.search, said.lines)) else None


def _environment(nowhere: str, variables: Mapping[str, str]) -> dict[str, str]:
    kept = {name: text for name, text in variables.items() if _KEPT.fullmatch(name)}
    places = ("HOME", "XDG_CONFIG_HOME", "GIT_CEILING_DIRECTORIES")
    return kept | _NOTHING_OF_THE_USER | dict.fromkeys(places, nowhere)
