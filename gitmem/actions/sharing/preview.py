"""Preview sharing: what would leave, and who can read the remote.

A fork is as public as its origin, and a repository may have been opened since. So the
host is asked as a stranger would ask: without the user's home, settings or credentials.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gitmem.actions.sharing.sync_report import Author, authors_of, flat
from gitmem.documents.kinds import CONVERSATION, KINDS, changed_kinds
from gitmem.errors import Damaged
from gitmem.frozen import frozen
from gitmem.redaction.redact import rules_that_see
from gitmem.store.remote.address import Address, address_of, repository_at
from gitmem.store.remote.git_transport import OUR_REMOTE, urls
from gitmem.store.remote.pushing import push_url
from gitmem.store.remote.remote import Remote
from gitmem.store.remote.watched_git import run, without_secrets
from gitmem.store.trees.document_versions import versions
from gitmem.text.counting import Progress
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

_OPEN_HOSTS = {"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"}
"""Hosts with the same paths over ssh and https, which call private ones missing."""
_PATIENCE = 5.0
"""Seconds for each question to a host."""
_KEPT = pattern(r"PATH|(?:https?|all|no)_proxy|SSL_CERT_(?:FILE|DIR)", re.IGNORECASE)
_NOTHING_OF_THE_USER = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ALLOW_PROTOCOL": "http:https:git",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "LC_ALL": "C",
}
_CLOSED = pattern(
    r"could not read (Username|Password)|Authentication failed|prompts disabled"
    r"|returned error: 40[13]"
)
_MISSING = pattern(r"returned error: 404|not found")


@frozen
class Suspect:
    """A document with text that would be redacted today, and the names of the rules."""

    session_id: str
    rules: tuple[str, ...]


@frozen
class ShareTarget:
    """Where the memory would go, with the names of `--json`."""

    remote: str
    url: str
    """The address without user and password."""
    comes_from: str | None
    """The URL to fetch from, if it differs."""
    refs: Mapping[str, str]
    """Ours, each with the remote's."""
    public: bool | None
    """None if unknown."""


@frozen
class Offer:
    """What would go there, likewise."""

    sessions: int
    since: str | None
    """The day of the first."""
    authors: tuple[Author, ...]
    conversations: int
    others: Mapping[str, int]
    """How many documents of other kinds, by what they are called: `memories`."""
    findings: tuple[Suspect, ...]
    unread: tuple[str, ...]
    """Ids of sessions with an unreadable text."""


def as_json(place: ShareTarget, offer: Offer) -> dict[str, Any]:
    return asdict(place) | flat(offer)


def offered(workspace: Workspace, remote: Remote, progress: Progress) -> Offer:
    """Return what would go to the remote, with all history."""
    memory = workspace.current_sessions()
    ids = list(memory.ids())
    conversations = workspace.conversations if CONVERSATION.ref in remote.refs else None
    suspects, unread = _looked_through(workspace, remote, progress)
    return Offer(
        sessions=len(ids),
        since=min(ids)[:10] if ids else None,
        authors=authors_of(filter(None, map(memory.readable, ids))),
        conversations=len([*conversations.ids()]) if conversations else 0,
        others={
            kind.root: len([*workspace.store_of(kind).memory().ids()])
            for kind in changed_kinds()
            if kind.ref in remote.refs
        },
        findings=tuple(
            Suspect(session_id, tuple(sorted(suspects[session_id])))
            for session_id in sorted(suspects)
        ),
        unread=tuple(sorted(unread)),
    )


def place_of(workspace: Workspace, remote: Remote) -> ShareTarget:
    """Return what is known of the remote, asking its host without an account."""
    git, url = workspace.repository, push_url(workspace.repository, remote)
    sources = urls(git, remote.location, "fetch")
    source = sources[OUR_REMOTE]
    is_same = repository_at(url, git) == repository_at(source, git)
    address = address_of(url)
    return ShareTarget(
        remote.name,
        without_secrets(url),
        None if is_same else without_secrets(source),
        dict(remote.refs),
        _is_public(address, workspace.environment.variables) if address else None,
    )


def shown_url(workspace: Workspace, remote: Remote) -> str:
    return without_secrets(push_url(workspace.repository, remote))


def _looked_through(
    workspace: Workspace, remote: Remote, progress: Progress
) -> tuple[dict[str, set[str]], set[str]]:
    """Scan all texts, also earlier versions.

    Returns rules by session id, and ids of unreadable texts.
    """
    git = workspace.repository
    texts = [
        (session_id, blob, kind.most_bytes)
        for kind in KINDS.values()
        if kind.ref in remote.refs and (commit := git.resolve_ref(kind.ref))
        for session_id, blob in versions(git, [commit], kind)
    ]
    suspects, unread = dict[str, set[str]](), set[str]()
    for number, (session_id, blob, most) in enumerate(texts, 1):
        try:
            text = git.read_blob(blob, most).decode("utf-8", "replace")
        except Damaged:  # not there, or longer than any that gitmem writes
            unread.add(session_id)
        else:
            if rules := rules_that_see(text):
                suspects.setdefault(session_id, set()).update(rules)
        progress(number, len(texts))
    return suspects, unread


def _is_public(address: Address, variables: Mapping[str, str]) -> bool | None:
    """Tell whether `git ls-remote` works without an account.

    A repository that is missing may have another name, but for hosts that hide private
    ones.
    """
    answers = {_answer(url, variables) for url in _anonymous_urls(address)}
    if True in answers:
        return True
    if not answers or None in answers:
        return None
    return False if address.host in _OPEN_HOSTS or _CLOSED in answers else None


def _anonymous_urls(address: Address) -> list[str]:
    url = f"https://{address.host}/{address.path}"
    if address.scheme != "ssh":
        url = f"{address.scheme}://{address.repository}"
    elif address.host not in _OPEN_HOSTS:
        return []
    return [f"{url}.git", url]


def _answer(url: str, variables: Mapping[str, str]) -> bool | re.Pattern[str] | None:
    """Return True for an answer, else the known kind of refusal."""
    network_settings = {
        name: text for name, text in variables.items() if _KEPT.fullmatch(name)
    }
    with TemporaryDirectory(prefix="ocm-") as nowhere:
        places = ("HOME", "XDG_CONFIG_HOME", "GIT_CEILING_DIRECTORIES")
        clean = network_settings | _NOTHING_OF_THE_USER | dict.fromkeys(places, nowhere)
        command = ["ls-remote", "--quiet", "--", url, "HEAD"]
        result = run(command, Path(nowhere), clean, _PATIENCE)
    if result.status == 0:
        return True
    refusals = (
        pattern
        for pattern in (_CLOSED, _MISSING)
        if any(map(pattern.search, result.lines))
    )
    return next(refusals, None)
