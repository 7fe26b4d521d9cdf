"""What would leave if memory were shared: how much, whose, and what is amiss."""

from collections import Counter
from dataclasses import dataclass
from datetime import date

from gitmem.documents.session.whose import name_in
from gitmem.errors import Damaged
from gitmem.redaction.detect import rules_that_see
from gitmem.store.remote.refspecs import written_over
from gitmem.store.remote.remote import Remote
from gitmem.store.trees.conversation_tree import ConversationTree
from gitmem.store.trees.document_versions import versions
from gitmem.store.trees.kinds import KINDS
from gitmem.text.counting import Progress
from gitmem.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Suspect:
    """A session that has what would be redacted if it were saved today."""

    session_id: str
    rules: tuple[str, ...]
    """The names of the rules that see something; what they see is told nowhere."""


@dataclass(frozen=True, slots=True)
class Offer:
    sessions: int
    authors: tuple[tuple[str, int], ...]
    """Names and how many sessions each began; those who began most come first."""
    since: date | None
    """When the first session began; None where there is none."""
    conversations: int
    suspects: tuple[Suspect, ...]
    unread: tuple[str, ...]
    """Ids of sessions with a text that could not be looked through, now or earlier."""
    written_over: tuple[str, ...]
    """Refs there that a plain `git fetch` writes straight into ours, as in a mirror."""


def offered(workspace: Workspace, remote: Remote, progress: Progress) -> Offer:
    """What of this repository would go to the remote, with all its history."""
    memory = workspace.current_sessions()
    ids = list(memory.ids())
    said = workspace.conversations if ConversationTree.ref in remote.refs else None
    sessions = filter(None, map(memory.readable, ids))
    authors = Counter(name_in(session.author) for session in sessions)
    suspects, unread = _looked_through(workspace, remote, progress)
    return Offer(
        sessions=len(ids),
        authors=tuple((name, n) for name, n in authors.most_common() if name),
        since=date.fromisoformat(min(ids)[:10]) if ids else None,
        conversations=len(said.differing_ids(None)) if said else 0,
        suspects=tuple(
            Suspect(each, tuple(sorted(rules)))
            for each, rules in sorted(suspects.items())
        ),
        unread=tuple(sorted(unread)),
        written_over=tuple(written_over(workspace.repository, remote.name)),
    )


def _looked_through(
    workspace: Workspace, remote: Remote, progress: Progress
) -> tuple[dict[str, set[str]], set[str]]:
    """Of all texts, those of earlier states too, as they go along.

    By session id the rules that see something, and the ids of what could not be read.
    """
    git, variables = workspace.repository, workspace.environment.variables
    texts = [
        (session_id, blob, kind.most_bytes)
        for kind in KINDS
        if kind.ref in remote.refs and (commit := git.resolve_ref(kind.ref))
        for session_id, blob in versions(git, [commit], kind.root, variables)
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
