"""What a hook tells at a prompt: what clearly answers it, and rules that arrived."""

import os
import re
from collections.abc import Iterable
from functools import partial
from itertools import islice

from gitmem.assistants.assistant import HookClient, HookEvent
from gitmem.assistants.payload import typed_words
from gitmem.config import RECALL_SETTING, current_environment, is_recalled
from gitmem.documents.event import Edit, Event, Occasion, Prompt, Recalled
from gitmem.git.layout import own_dir
from gitmem.hook.file_answers import QUIET
from gitmem.hook.observe import HookConversation
from gitmem.hook.place import setting
from gitmem.store.file_notes import FileNotes
from gitmem.store.known import is_anything_known
from gitmem.text.patterns import pattern

_MOST = 3
"""Statements that a prompt is told."""
MOST_OF_CONVERSATION = 6
"""Statements that the prompts of a conversation are told."""
_FILES = 5
"""Files that a conversation turned to last."""


def answer_prompt(
    assistant: HookClient, seen: HookEvent, conversation: HookConversation
) -> str:
    """Tell what is known at a prompt, or to a subagent; costs nothing if nothing is."""
    if os.environ.get(QUIET):
        return ""
    place, environment = conversation.place, current_environment()
    if not is_anything_known(place.common_dir, environment.spaces):
        return ""
    if not is_recalled(setting(place.common_dir, RECALL_SETTING), "prompt"):
        return ""
    from gitmem.actions.remembering.at_prompt import AtPrompt
    from gitmem.hook.background import workspace_at
    from gitmem.hook.telling import context_output, news_lines

    events = [*conversation.newest_events()]
    recalled = [event for event in events if isinstance(event, Recalled)]
    files, prompts = _files(events), [e.text for e in events if isinstance(e, Prompt)]
    question = "\n".join(
        [*files, *prompts[-1:], *prompts[:1], typed_words(seen.prompt)]
    )
    client_id = conversation.client_session_id
    answers = AtPrompt(environment, place.root, place.common_dir, client_id, question)
    state = next((event.state for event in recalled if event.state), "")
    rules = answers.new_rules(state)
    lines = answers.clear_lines(partial(workspace_at, place.root))
    notes = FileNotes(own_dir(place.common_dir))
    lines += [line for path in files for line in notes.of(path)]
    occasion = Occasion.SUBAGENT if seen.subagent else Occasion.PROMPT
    room = MOST_OF_CONVERSATION - sum(
        len(e.ids) for e in recalled if e.where is occasion
    )
    news = news_lines(events, lines, seen.subagent)[: max(0, min(_MOST, room))]
    memory_state = {} if seen.subagent else {"state": answers.state}
    lines = news_lines(events, [*rules, *news], seen.subagent)
    answer = context_output(
        assistant, seen, conversation, lines, occasion, **memory_state
    )
    if not answer and memory_state and answers.state != state:
        conversation.note(Recalled, where=occasion, **memory_state)
    return answer


def _files(newest_first: Iterable[Event]) -> list[str]:
    turned_to = (e for e in newest_first if isinstance(e, Edit | Recalled) and e.path)
    return [*islice(dict.fromkeys(event.path for event in turned_to), _FILES)]


_MOST_CHARACTERS = 20_000
_QUOTED = pattern(
    r"```.*?(?:```|\Z)|`[^`\n]{0,300}`|\"[^\"\n]{0,300}\"|“[^”\n]{0,300}”"
    r"|„[^“\n]{0,300}“|«[^»\n]{0,300}»|「[^」\n]{0,300}」"
    r"|(?<!\w)'[^'\n]{0,300}'(?!\w)|^>[^\n]*",
    re.DOTALL | re.MULTILINE,
)
"""Code, and words of others."""
_CLAUSE = (
    r"(?:\A|[.!?;:,…—–\n()-]|\b(?:and|but|also|then|so|(?:want|like) you to"
    r"|you (?:should|must)|und|aber|y|pero|et|mais|e|ma|però|mas|и|но)\b)\s*"
    r"(?:(?:please|pls|always|bitte|immer|siempre|por favor|toujours|per favore"
    r"|sempre|пожалуйста|всегда),?\s+){0,2}"
)
_LATER = (
    r"(?=\s*(?:[.!:,;)]|\Z|\n)|\s+(?:for (?:later|the future|future|next)|(?:in|to)"
    r" (?:your |the )?memory|as an? (?:rule|note|memory|preference|convention)"
    r"|für später|para (?:luego|más tarde|depois)|pour plus tard|per dopo))"
)
_WISH = pattern(
    rf"{_CLAUSE}(?:"
    r"(?:remember(?: that| this|:| to)|(?:keep|bear)(?: this| that)? in mind"
    r"|memori[sz]e|(?:make|take) a note|note(?: to self|:| that)|don'?t forget"
    r"|merk'? ?e? ?dir|denke? daran|vergiss nicht|behalte|notiere? dir|souviens-toi"
    r"|n'oublie pas|retiens|mémorise|recuerda|no olvides|memoriza|apunta que"
    r"|ricorda(?:ti)?|memorizza|tieni a mente|lembre(?:-se)?|não esqueça|запомни|помни"
    r"|не забудь)(?!\w)"
    r"|(?:(?:save|store) (?:this|that)|speicher[en]? (?:das|dies)(?: ab)?"
    r"|enregistre (?:ça|cela|ceci)|guarda esto|salva questo|(?:guarde|salve) isso"
    rf"|сохрани это){_LATER}"
    r")(?![^.!?\n]{0,200}\?)"
    r"|请?(?:记住|記住|(?<![你还還不])(?:记得|記得)|记下来|保存下来)(?![^。！？\n]{0,99}[吗嗎？])"
    r"|覚えて(?!い|る)|メモして|記憶して|기억해(?!요?\?)|메모해",
    re.IGNORECASE,
)


def asks_to_remember(prompt: str) -> bool:
    """Tell whether a prompt says so in its own words, neither in code nor quoted."""
    # A run of spaces would be tried from each of its places.
    lines = (" ".join(line.split()) for line in prompt[:_MOST_CHARACTERS].splitlines())
    return bool(_WISH.search(_QUOTED.sub("_", "\n".join(filter(None, lines)))))
