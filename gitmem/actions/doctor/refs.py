"""What `ocm doctor` looks at in our refs: whether each names a commit that is there."""

from collections.abc import Iterator
from contextlib import suppress

from gitmem.actions.doctor.finding import FIX, Code, Finding, Grade
from gitmem.errors import Damaged, Unavailable
from gitmem.git.broken_refs import symbolic_target
from gitmem.store.trees.conversation_tree import REF as CONVERSATIONS_REF
from gitmem.store.trees.session_tree import REF
from gitmem.text.counting import counted
from gitmem.workspace import Workspace


def memory(workspace: Workspace) -> Iterator[Finding]:
    """Raises FormatTooNew, which is told like any other fault."""
    try:
        fault, now = _fault(workspace, REF), workspace.store.memory()
        count = counted(sum(1 for _ in now.ids()), "session")
    except Damaged as error:
        yield _unreadable_memory(error.message)
        return
    if fault:
        yield _unreadable_memory(fault)
        return
    if now.commit is None:
        yield Finding(code=Code.MEMORY, what="no session has been saved yet", where=REF)
        return
    what = f"{count}, {REF} at {now.commit[:12]}"
    yield Finding(code=Code.MEMORY, what=what, where=REF)


def conversations(workspace: Workspace) -> Iterator[Finding]:
    """Nothing to say where none are kept."""
    said = workspace.conversations
    if not said.is_readable() or _fault(workspace, CONVERSATIONS_REF):
        yield Finding(
            code=Code.CONVERSATIONS,
            grade=Grade.WARNING,
            what="what was said cannot be read, and searches go on without it",
            where=CONVERSATIONS_REF,
            mend=f"{FIX} `git reflog {CONVERSATIONS_REF}` lists earlier states.",
            is_mendable=True,
        )
    elif said.commit:
        what = f"what was said is kept, {CONVERSATIONS_REF} at {said.commit[:12]}"
        yield Finding(code=Code.CONVERSATIONS, what=what, where=CONVERSATIONS_REF)


def is_lost(workspace: Workspace, ref: str) -> bool:
    """Whether the ref is not there, though it was, as far as anybody knows.

    When git deletes a ref, its reflog goes as well. Raises Damaged for one that names
    nothing.
    """
    git, journal = workspace.repository, workspace.store.journal
    if git.resolve_ref(ref):
        return False
    if git.reflog(ref):
        return True
    marks = map(journal.position_of, journal.names() if ref == REF else ())
    return any(mark.session_id for mark in marks)


def _fault(workspace: Workspace, ref: str) -> str:
    """What is wrong with the ref itself; nothing where all is well."""
    git, variables = workspace.repository, workspace.environment.variables
    with suppress(Unavailable):  # that there is no git is told of itself
        if target := symbolic_target(git, ref, variables):
            return f"{ref} is a link to {target}, and nothing can be saved"
    return f"{ref} is not there any more" if is_lost(workspace, ref) else ""


def _unreadable_memory(what: str) -> Finding:
    return Finding(
        code=Code.MEMORY,
        grade=Grade.PROBLEM,
        what=what,
        where=REF,
        mend=f"{FIX} `git reflog {REF}` lists earlier states.",
        is_mendable=True,
    )
