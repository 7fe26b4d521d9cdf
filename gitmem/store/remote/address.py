"""Where a URL leads: the same repository by whatever protocol, and without a user."""

import os
import re
from pathlib import Path
from urllib.parse import unquote

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
_PORTS = {"ssh": ":22", "http": ":80", "https": ":443", "git": ":9418"}


@frozen
class Address:
    """A repository at a host."""

    scheme: str
    host: str
    port: str
    """The port with its colon; empty for the usual one."""
    path: str

    @property
    def repository(self) -> str:
        """Host and path, which are the same by ssh and https."""
        return f"{self.host}{self.port}/{self.path}"


def address_of(url: str) -> Address | None:
    """Parse the URL of a host; None for a folder and others."""
    parts = _URL.fullmatch(url) or _AS_SCP.fullmatch(url)
    if parts is None:
        return None
    groups = {"scheme": "ssh", "port": "", **parts.groupdict("")}
    scheme = "ssh" if "ssh" in groups["scheme"].lower() else groups["scheme"].lower()
    port = "" if groups["port"] in (":", _PORTS[scheme]) else groups["port"]
    path = groups["path"].strip("/").removesuffix(".git").rstrip("/")
    return Address(scheme, groups["host"].lower(), port, path)


def repository_at(url: str, git: Repository) -> tuple[str, ...]:
    """Return names that all URLs of one repository have in common, without secrets.

    A folder has its path, and that from here: both may be moved together.
    """
    if address := address_of(url):
        return (without_secrets(address.repository),)
    is_file, path = _FILE.match(url), _FILE.sub("", url)
    if "::" in url or "://" in path:  # of a remote helper
        return (without_secrets(url),)
    path = unquote(path) if is_file else path  # as git does
    real = Path(os.path.realpath((git.work_tree or git.git_dir) / path))
    real = real.parent if real.name == ".git" else real
    with_suffix = Path(f"{real}.git")  # where git looks next
    real = with_suffix if with_suffix.exists() and not real.exists() else real
    return str(real), os.path.relpath(real, git.common_dir)
