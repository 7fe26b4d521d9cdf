"""State, episodes and all at once, as another program asks for them: of sessions.

A state is a session of its own for each project: its goal tells objective, approach,
progress and files, a paragraph each, and its lists the rest.
"""

from typing import Any

import gitmem
from gitmem.actions.reading.documents import list_sessions
from gitmem.actions.remembering.listing import memories
from gitmem.actions.saving.checkpoint import Saved, save
from gitmem.actions.saving.conversation import Caller
from gitmem.actions.saving.request import parse_request
from gitmem.answers import Answer
from gitmem.documents.names import clean_client_id
from gitmem.documents.session.session import Session, Status
from gitmem.errors import NotFound
from gitmem.lookup import session_of_conversation
from gitmem.redaction.redact import redact
from gitmem.text.markdown import line
from gitmem.web.compat_memories import (
    TOOL,
    Limit,
    Texts,
    memory_rows,
    recalled_memories,
)
from gitmem.workspace import Workspace

_STATE = "state-"
"""The beginning of the client ids of states."""
_LABELS = ("Approach", "Progress", "Files")
_LISTS = {
    "tried": "tried_and_failed",
    "work_pending": "next_steps",
    "blockers": "blockers",
    "questions": "open_questions",
}
"""Lists of a state by those of a session."""
_RULES = ("preference", "convention", "constraint", "architecture")
Items = tuple[dict[str, Any], ...]


def save_state(  # noqa: PLR0913 - the names in the request
    place: Workspace,
    *,
    project_id: str,
    objective: str = "",
    approach: str = "",
    progress: str = "",
    files_touched: Texts = (),
    tried_and_failed: Texts = (),
    next_steps: Texts = (),
    blockers: Texts = (),
    open_questions: Texts = (),
) -> Answer:
    """Save where the work stands."""
    files = ", ".join(files_touched)
    labelled = zip(_LABELS, (approach, progress, files), strict=True)
    paragraphs = [objective, *(f"{label}: {text}" for label, text in labelled if text)]
    _save(
        place,
        _STATE + project_id,
        status="open",
        goal="\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs),
        tried=tried_and_failed,
        work_pending=next_steps,
        blockers=blockers,
        questions=open_questions,
    )
    return {"status": "saved", "project_id": redact(project_id)}


def state(place: Workspace, *, project_id: str) -> Answer:
    """Return where the work stands."""
    session = _state_of(place, project_id)
    if session is None:
        raise NotFound(f"No state of {project_id!r} is saved.")
    return {"data": _state_row(session), "updated_at": session.updated_at.timestamp()}


def clear_state(place: Workspace, *, project_id: str) -> None:
    """Close the session that tells where the work stands."""
    if _state_of(place, project_id):
        nothing = dict.fromkeys(_LISTS, ())
        _save(place, _STATE + project_id, status="closed", **nothing)


def save_episode(  # noqa: PLR0913 - the names in the request
    place: Workspace,
    *,
    session_id: str,
    summary: str = "",
    todos: Items = (),
    decisions: Items = (),
    constraints: Items = (),
    failed_approaches: Items = (),
) -> tuple[int, Answer]:
    """Save what a conversation came to, as a checkpoint of its session."""
    saved = _save(
        place,
        session_id,
        goal=summary,
        work_summary=[summary],
        work_completed=_contents(todos, is_done=True),
        work_pending=_contents(todos, is_done=False),
        decisions=_joined(decisions, "content", "context"),
        constraints=_joined(constraints, "content", "source"),
        tried=_joined(failed_approaches, "approach", "error"),
    )
    count = len(decisions) + len(constraints)
    return 201, {
        "status": "created",
        "id": saved.session_id,
        "extracted_memories": count,
    }


def episodes(place: Workspace, *, limit: Limit = 20) -> list[Answer]:
    """Return the newest sessions."""
    listing = list_sessions(place, limit=limit)
    return [_episode(place, entry.session) for entry in listing.sessions]


def bootstrap(  # noqa: PLR0913 - the names in the request
    place: Workspace,
    *,
    project_id: str = "",
    include_state: bool = True,
    include_memories: bool = True,
    include_episodes: bool = True,
    memory_limit: Limit = 15,
    episode_limit: Limit = 3,
) -> Answer:
    """Return state, memories and sessions at once."""

    def newest(*types: str) -> list[Answer]:
        memories = recalled_memories(place, "", memory_limit, types)
        return [*memory_rows(place, memories)]

    project = project_id or place.project
    session = _state_of(place, project) if include_state else None
    return {
        "project_id": project,
        "state": _state_row(session) if session else None,
        "memories": newest(*_RULES) if include_memories else [],
        "recent_episodes": (
            episodes(place, limit=episode_limit) if include_episodes else []
        ),
        "constraints": newest("constraint"),
        "failed_approaches": newest("failed", "fix"),
    }


def status(place: Workspace) -> Answer:
    """Return how much there is."""
    sessions = place.current_sessions().newest(place.now())
    is_state = [session.client_session_id.startswith(_STATE) for session in sessions]
    return {
        "healthy": True,
        "version": gitmem.__version__,
        "memory_count": len(memories(place)),
        "episode_count": is_state.count(False),
        "state_count": is_state.count(True),
        "embedding_provider": None,
    }


def _save(place: Workspace, client_id: str, **arguments: Any) -> Saved:
    request = parse_request({"client_session_id": client_id, **arguments})
    return save(place, request, Caller(tool=TOOL))


def _state_of(place: Workspace, project: str) -> Session | None:
    place.current_sessions()
    session = session_of_conversation(place, clean_client_id(_STATE + project))
    return session if session and session.status is not Status.CLOSED else None


def _state_row(session: Session) -> Answer:
    paragraphs = [part.partition(": ") for part in session.goal.split("\n\n")]
    texts = {label: text for label, _, text in paragraphs if label in _LABELS}
    objective = ("".join(part) for part in paragraphs if part[0] not in _LABELS)
    return {
        "objective": next(objective, ""),
        "approach": texts.get("Approach", ""),
        "progress": texts.get("Progress", ""),
        "files_touched": [*filter(None, texts.get("Files", "").split(", "))],
        **{sent_name: getattr(session, name) for name, sent_name in _LISTS.items()},
        "metadata": {},
    }


def _episode(place: Workspace, session: Session) -> Answer:
    completed = [(text, "completed") for text in session.work_completed]
    todos = [*completed, *((text, "pending") for text in session.work_pending)]
    return {
        "id": session.session_id,
        "session_id": session.client_session_id,
        "project_id": place.project,
        "summary": line(session.goal),
        "todos": [{"content": line(text), "status": done} for text, done in todos],
        "decisions": [{"content": line(text)} for text in session.decisions],
        "constraints": [{"content": line(text)} for text in session.constraints],
        "failed_approaches": [{"approach": line(text)} for text in session.tried],
        "explored_files": [line(file.path) for file in session.files],
        "created_at": session.started_at.timestamp(),
        "metadata": {},
    }


def _contents(todos: Items, *, is_done: bool) -> list[str]:
    return [
        str(todo.get("content", ""))
        for todo in todos
        if (todo.get("status") == "completed") == is_done
    ]


def _joined(items: Items, *names: str) -> list[str]:
    """Return items as `What: why.`, without the colon where no reason is given."""
    return [": ".join(str(item[n]) for n in names if item.get(n)) for item in items]
