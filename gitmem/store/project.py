"""The name of a project, the same in all its work trees and clones."""

import re

from gitmem.git.repository import Repository
from gitmem.redaction.redact import Redacted, redact_own


def project_name(repository: Repository) -> Redacted:
    """That of the remote repository, else of the folder; a URL may hold a secret."""
    url = repository.config("remote.origin.url") or ""
    common = repository.common_dir
    folder = common.parent if common.name == ".git" else common
    return redact_own(_last_part(url) or _last_part(str(folder)) or "project")


def _last_part(location: str) -> str:
    name = re.split(r"[/:\\]", location.rstrip("/"))[-1].removesuffix(".git")
    return "".join(c for c in name.encode(errors="replace").decode() if c.isprintable())
