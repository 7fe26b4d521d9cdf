"""What forgetting does not reach, in plain words."""

from collections.abc import Iterator

from gitmem.actions.forgetting.remote import given_before
from gitmem.workspace import Workspace

_FOR_SOME_TIME = (
    "Objects that no ref leads to stay in this repository until git prunes them, as a"
    " rule after two weeks."
)
_ELSEWHERE = (
    "Clones of others have it until they sync; their backups and reflogs, for weeks.",
    "The host of the remote may keep what no ref leads to, in caches and in forks.",
)
_SAID_BY_OTHERS = (
    "Conversations are not shared from here: earlier commits of the remote keep what"
    " others sent of what was said."
)
_GIVEN_BEFORE = (
    "A remote that is given this no more was given it before, and is left as it is."
)
_ANYWHERE = (
    "Backups of this repository have what they had.",
    "The assistant's own transcript, where it keeps one, is left as it is.",
)


def remains(workspace: Workspace, *, from_history: bool) -> list[str]:
    """Sentences, what is nearest first; to be asked for before it is forgotten."""
    chosen = workspace.chosen
    is_shared = chosen is not None
    is_partly_shared = chosen is not None and not chosen.with_conversations
    return [
        *(_of_history(is_shared=is_shared) if not from_history else ()),
        *([_FOR_SOME_TIME] if from_history else ()),
        *(_ELSEWHERE if from_history and is_shared else ()),
        *([_SAID_BY_OTHERS] if from_history and is_partly_shared else ()),
        *([_GIVEN_BEFORE] if given_before(workspace) else ()),
        *_ANYWHERE,
    ]


def _of_history(*, is_shared: bool) -> Iterator[str]:
    yield (
        "Earlier commits of refs/ocm/sessions still have it; `--history` takes it out"
        " of these as well."
    )
    if is_shared:
        yield "`ocm sync` lets the other clones forget it."
