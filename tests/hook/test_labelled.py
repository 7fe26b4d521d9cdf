"""What a label announces is stored nowhere, when a hook is told of it."""

from pathlib import Path

from hook.calls import Hear, claude, events
from hook.editing import ONE
from redaction.labelled_texts import TELLTALES, everywhere
from support.events import event, note
from support.user_rule import places_of

from gitmem.documents.event import Prompt, Start


def test_a_prompt_stores_no_value(repository: Path, hear: Hear) -> None:
    note(repository, event(Start, client=ONE, root=str(repository)))
    prompt = "\n".join(everywhere())
    hear(claude("UserPromptSubmit", repository, ONE, prompt=prompt))
    assert any(isinstance(one, Prompt) for one in events(repository, ONE))
    assert [
        place for value in TELLTALES for place in places_of(repository, value)
    ] == []
