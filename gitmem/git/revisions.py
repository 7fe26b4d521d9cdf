"""The commit that a user names: by a branch, a tag, `HEAD~2`, the start of its name."""

import re
from collections.abc import Mapping

from gitmem.errors import Ambiguous
from gitmem.git.command import RefusedError, output_of_git
from gitmem.git.repository import Repository
from gitmem.git.values import Oid, is_oid
from gitmem.text.patterns import pattern

_MOST_LENGTH = 1000
_CANDIDATE = pattern(r"^hint:\s+([0-9a-f]+) commit", re.MULTILINE)


def rev_parse(
    repository: Repository, name: str, variables: Mapping[str, str]
) -> Oid | None:
    """See Repository.rev_parse."""
    if name.startswith("-") or "\0" in name or len(name) > _MOST_LENGTH:
        return None
    command = ["rev-parse", "--verify", f"{name}^{{commit}}"]
    places = repository.git_dir, repository.work_tree
    try:
        with output_of_git(*places, command, variables) as output:
            found = output.read()
    except RefusedError as error:
        if "is ambiguous" in str(error):
            raise Ambiguous(
                f"{name!r} begins the names of several commits.",
                candidates=_CANDIDATE.findall(str(error)),
            ) from error
        return None
    oid = found.decode("ascii", "replace").removesuffix("\n")
    return oid if is_oid(oid) else None
