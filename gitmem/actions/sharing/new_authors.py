"""The authors of memories about whom the user was not asked yet."""

from collections.abc import Sequence

from gitmem.documents.authors import address_in
from gitmem.documents.kinds import MEMORY
from gitmem.errors import Damaged
from gitmem.git.config import add_config
from gitmem.git.files import make_folder, read_text, replace_file
from gitmem.store.trees.committing import TRUST, configured_trust
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

_FILE = "asked-authors"
"""The commit of the memories that were looked through, and an address in each line."""

_ADDRESS = pattern(r"[^\W_][^\s<>*]*@[^\s<>*]+")
"""What somebody may be trusted by: neither everybody's `*` nor an option of git's."""


def new_authors(workspace: Workspace) -> list[str]:
    """Return `Name <address>` of authors who are neither trusted nor were asked about.

    Only what is new since the last time is read.
    """
    tree = workspace.store_of(MEMORY).memory()
    commit, *offered = _lines_of_file(workspace)
    try:
        changed = tree.differing_ids(tree.at(commit or None))
    except Damaged:  # that commit was pruned
        changed = tree.differing_ids(tree.at(None))
    trust = configured_trust(workspace.repository)
    memories = filter(None, map(tree.readable, sorted(changed)))
    authors = {address_in(m.author): m.author for m in memories}
    return [
        author
        for address, author in sorted(authors.items())
        if _ADDRESS.fullmatch(address)
        and address not in offered
        and not trust.covers(author)
    ]


def trust_authors(
    workspace: Workspace, asked: Sequence[str], trusted: Sequence[str]
) -> None:
    """Trust some of the authors that the user was asked about, and ask no more.

    Raises Busy, NoPermission and OSError.
    """
    for author in trusted:
        add_config(workspace.repository, TRUST, address_in(author))
    _, *before = _lines_of_file(workspace)
    addresses = sorted({*before, *map(address_in, asked)})
    commit = workspace.store_of(MEMORY).memory().commit or ""
    make_folder(workspace.own_dir)
    text = "\n".join([commit, *addresses])
    replace_file(workspace.own_dir / _FILE, text.encode())


def _lines_of_file(workspace: Workspace) -> list[str]:
    return read_text(workspace.own_dir / _FILE).split("\n")
