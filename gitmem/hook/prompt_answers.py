"""What a hook tells at a prompt: what clearly answers it, and rules that arrived."""

from collections.abc import Iterable
from functools import partial
from itertools import islice

from gitmem.assistants.assistant import HookClient, HookEvent
from gitmem.config import RECALL_SETTING, current_environment, is_recalled
from gitmem.documents.event import Edit, Event, Heard, Occasion, Prompt, Recalled
from gitmem.git.layout import own_dir
from gitmem.hook.observe import Conversation
from gitmem.hook.settings import setting
from gitmem.store.file_notes import FileNotes
from gitmem.store.known import is_anything_known

_MOST = 3
"""Statements that a prompt is told."""
MOST_OF_CONVERSATION = 12
"""Statements that the prompts of a conversation are told."""
_FILES = 5
"""Files that a conversation turned to last."""
_FIRST_LENGTH = 1000


def known_at_prompt(
    assistant: HookClient, seen: HookEvent, conversation: Conversation, prompt: str
) -> str:
    """Tell what is known; costs nothing where nothing is."""
    place, environment = conversation.place, current_environment()
    if not is_anything_known(place.common_dir, environment.spaces):
        return ""
    if not is_recalled(setting(place.common_dir, RECALL_SETTING), "prompt"):
        return ""
    from gitmem.actions.remembering.at_prompt import AtPrompt
    from gitmem.hook.background import opened
    from gitmem.hook.telling import tell, untold

    events = [*conversation.newest_events()]
    told = [e for e in events if isinstance(e, Recalled)]
    files, notes = _files(events), FileNotes(own_dir(place.common_dir))
    question = "\n".join([prompt, _first_prompt(events), *files])
    asked = AtPrompt(environment, place.root, place.common_dir, question)
    state = next((each.state for each in told if each.state), "")
    rules = asked.new_rules(state, conversation.client_session_id)
    lines = asked.clear_lines(partial(opened, place.root))
    lines += [line for path in files for line in notes.of(path)]
    room = MOST_OF_CONVERSATION - sum(
        len(e.ids) for e in told if e.where is Occasion.PROMPT
    )
    news = untold(conversation, lines)[: max(0, min(_MOST, room))]
    where = Occasion.PROMPT
    lines = [*rules, *news]
    answer = tell(assistant, seen, conversation, lines, where, state=asked.state)
    if not answer and asked.state != state:
        conversation.note(Recalled, where=where, state=asked.state)
    return answer


def _files(newest_first: Iterable[Event]) -> list[str]:
    paths: dict[str, None] = {}
    for event in newest_first:
        if isinstance(event, Edit | Recalled) and event.path:
            paths.setdefault(event.path)
        elif isinstance(event, Heard):
            paths.update(dict.fromkeys(event.files))
    return [*islice(paths, _FILES)]


def _first_prompt(newest_first: Iterable[Event]) -> str:
    first = ""
    for event in newest_first:
        if isinstance(event, Prompt):
            first = event.text
        elif isinstance(event, Heard) and event.prompts:
            first = event.prompts[0]
    return first[:_FIRST_LENGTH]
