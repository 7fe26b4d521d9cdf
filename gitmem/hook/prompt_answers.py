"""What a hook tells at a prompt: what clearly answers it, and rules that arrived."""

from collections.abc import Iterable
from functools import partial
from itertools import islice

from gitmem.assistants.assistant import HookClient, HookEvent
from gitmem.config import RECALL_SETTING, current_environment, is_recalled
from gitmem.documents.event import Edit, Event, Occasion, Prompt, Recalled
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
    told = [event for event in events if isinstance(event, Recalled)]
    files = _files(events)
    question = "\n".join([*files, _first_prompt(events), prompt])
    client_id = conversation.client_session_id
    asked = AtPrompt(environment, place.root, place.common_dir, client_id, question)
    state = next((each.state for each in told if each.state), "")
    rules = asked.new_rules(state)
    lines = asked.clear_lines(partial(opened, place.root))
    notes = FileNotes(own_dir(place.common_dir))
    lines += [line for path in files for line in notes.of(path)]
    at_prompts = sum(len(e.ids) for e in told if e.where is Occasion.PROMPT)
    room = max(0, min(_MOST, MOST_OF_CONVERSATION - at_prompts))
    lines, noted = [*rules, *untold(conversation, lines)[:room]], {"state": asked.state}
    answer = tell(assistant, seen, conversation, lines, Occasion.PROMPT, **noted)
    if not answer and asked.state != state:
        conversation.note(Recalled, where=Occasion.PROMPT, **noted)
    return answer


def _files(newest_first: Iterable[Event]) -> list[str]:
    turned_to = (e for e in newest_first if isinstance(e, Edit | Recalled) and e.path)
    return [*islice(dict.fromkeys(each.path for each in turned_to), _FILES)]


def _first_prompt(newest_first: list[Event]) -> str:
    prompts = (e.text for e in reversed(newest_first) if isinstance(e, Prompt))
    return next(prompts, "")
