"""The commits of a session as records of Agent Trace 0.1.0, for other programs."""

from uuid import NAMESPACE_OID, uuid5

from gitmem import __version__
from gitmem.actions.linking.links import link_of
from gitmem.answers import Answer
from gitmem.assistants.known import PERSON
from gitmem.documents.kinds import SESSION
from gitmem.documents.session.identity import digest_in
from gitmem.documents.session.session import Session
from gitmem.git.commit_changes import AddedLines, lines_added_by
from gitmem.git.values import Commit
from gitmem.lookup import find
from gitmem.text.calendar import moment_at
from gitmem.text.control_characters import harmless
from gitmem.workspace import Workspace


def trace_records(workspace: Workspace, name: str) -> list[Answer]:
    """Return a record for each commit of the session that `name` means.

    See `find_id` for errors.
    """
    session = find(workspace, SESSION, name)
    commits = link_of(workspace, session).commits
    return [_record(workspace, session, commit) for commit in commits]


def _record(workspace: Workspace, session: Session, commit: Commit) -> Answer:
    git, identity = workspace.repository, digest_in(session.id)
    committed_at = moment_at(git.committed_at(commit.sha))
    contributor = {"type": "human" if session.tool == PERSON else "ai"}
    return {
        "version": "0.1.0",
        "id": str(uuid5(NAMESPACE_OID, f"{identity}:{commit.sha}")),
        "timestamp": f"{committed_at:%Y-%m-%dT%H:%M:%SZ}",
        "vcs": {"type": "git", "revision": commit.sha},
        "tool": {"name": "gitmem", "version": __version__},
        "files": [
            {
                "path": harmless(path),
                "conversations": [
                    {"contributor": contributor, "ranges": _ranges(hunks)}
                ],
            }
            for path, hunks in lines_added_by(git, commit.sha).items()
        ],
        "metadata": {
            "ocm": {
                "session": session.session_id,
                "identity": identity,
                "assistant": session.tool,
            }
        },
    }


def _ranges(hunks: AddedLines) -> list[Answer]:
    return [{"start_line": hunk[0][0], "end_line": hunk[-1][0]} for hunk in hunks]
