"""One row: what a server did, what `ocm` says of it, and the way out."""

import getpass
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from servers.scene import Change, Server

_HOST = re.compile(r"127\.0\.0\.1(?:(?::| port )\d+(?::2)?)?")
"""With its port; ssh says the number of its reason behind it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    did: str
    """By the server."""
    serve: Server
    says: str
    """The line behind `error: `, or that of a result; see `shown`."""
    way_out: str = ""
    """The line behind `hint: `."""
    changes: tuple[Change, ...] = ()
    command: tuple[str, ...] = ("sync",)
    has_news: bool = False
    """Whether the server has a session of somebody else."""
    works: bool = False
    is_quick: bool = False
    """Whether it is in the default suite: it takes git alone."""


@dataclass(frozen=True, slots=True)
class Shown:
    says: str
    way_out: str
    status: int


def shown(ran: subprocess.CompletedProcess[str], folder: Path) -> Shown:
    """What a person sees, with HOST for where the server listens and /srv for `folder`.

    Of what `ocm share on --dry-run` prints, who can read it.
    """
    lines = (ran.stdout + ran.stderr).splitlines()
    begins = ("error: ", "who reads it", "") if ran.returncode else ("who reads it", "")
    says = [x for begin in begins for x in lines if x.startswith(begin)]
    hints = [x.removeprefix("hint: ") for x in lines if x.startswith("hint: ")]
    return Shown(
        _same_everywhere(says[0].removeprefix("error: "), folder),
        _same_everywhere(hints[0], folder) if hints else "",
        ran.returncode,
    )


def _same_everywhere(text: str, folder: Path) -> str:
    text = _HOST.sub("HOST", text.replace(str(folder), "/srv"))
    text = re.sub(r"\b[0-9a-f]{40}\b", "<object>", text)
    text = re.sub(r"objects/[0-9a-f]{2}/[0-9a-f]{38}", "objects/<object>", text)
    text = re.sub(r"after \d+ ms", "after N ms", text)
    text = re.sub(r"(.)\1{20,}", r"\1…", text)
    text = text.replace("Connection closed by HOST", "Connection reset by HOST")
    return " ".join(text.replace(f"{getpass.getuser()}@", "ada@").split())
