"""Where a URL leads: the same repository by whatever protocol, and without a user."""

import os
import re
from pathlib import Path

from gitmem.frozen import frozen
from gitmem.git.repository import Repository
from gitmem.store.remote.watched_git import without_secrets
from gitmem.text.patterns import pattern

_URL = pattern(
    r"(?P<scheme>https?|ssh|git\+ssh|ssh\+git|git)://(?:[^/]*@)?"
    r"(?P<host>\[[^\]/]*\]|[^/:@]+)(?P<port>:\d*)?/+(?P<path>.+)",
    re.IGNORECASE,
)
_AS_SCP = pattern(r"(?:[^/@:]+@)?(?P<host>\[[^\]/]*\]|[^/@:]+):(?!//|:)(?P<path>.+)")
_FILE = pattern(r"file://(?:localhost)?(?=/)", re.IGNORECASE)
_PORTS = {"http": ":80", "https": ":443", "git": ":9418"}
_SSH_PORT = ":22"


@frozen
class Address:
    """A repository at a host."""

    scheme: str
    host: str
    port: str
    """With its colon; empty for the usual one of the scheme."""
    path: str

    @property
    def repository(self) -> str:
        """Host and path, which are the same by ssh and https."""
        return f"{self.host}{self.port}/{self.path}"


def address_of(url: str) -> Address | None:
    """Parse the URL of a host; None for a folder and others."""
    if parts := _URL.fullmatch(url):
        scheme, port = parts["scheme"].lower(), parts["port"] or ""
        usual = _PORTS.get(scheme, _SSH_PORT)
        port = "" if port in (":", usual) else port
    elif parts := _AS_SCP.fullmatch(url):
        scheme, port = "ssh", ""
    else:
        return None
    path = parts["path"].strip("/").removesuffix(".git").rstrip("/")
    return Address(scheme, parts["host"].lower(), port, path)


def repository_at(url: str, git: Repository) -> str:
    """Return what all URLs of one repository have in common, without a secret."""
    if address := address_of(url):
        return without_secrets(address.repository)
    if "::" in url or "://" in (path := _FILE.sub("", url)):  # of a remote helper
        return without_secrets(url)
    real = Path(os.path.realpath((git.work_tree or git.git_dir) / path))
    real = real.parent if real.name == ".git" else real
    with_suffix = Path(f"{real}.git")  # where git looks next
    return str(with_suffix if with_suffix.exists() and not real.exists() else real)
