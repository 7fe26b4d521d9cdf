"""What hooks note follows the user's rules."""

from pathlib import Path

from hook.calls import Hear, claude, edit, events
from hook.launched import ONE
from redaction.labelled_texts import TELLTALES, everywhere
from support.events import event, note
from support.user_rule import HIDDEN, MARK, places_of, put_rule

from gitmem.documents.event import Edit, Prompt, Start


def test_journal_prompts_and_paths_are_redacted(repository: Path, hear: Hear) -> None:
    put_rule(repository)
    note(repository, event(Start, client=ONE, root=str(repository)))
    hear(claude("UserPromptSubmit", repository, ONE, prompt=f"close {HIDDEN}"))
    hear(edit(repository, f"{repository}/{HIDDEN}.py", ONE))
    noted = events(repository, ONE)
    assert [e.text for e in noted if isinstance(e, Prompt)] == [f"close {MARK}"]
    assert [e.path for e in noted if isinstance(e, Edit)] == [f"{MARK}.py"]
    assert places_of(repository, HIDDEN) == []


def test_a_prompt_stores_no_value_that_a_label_announces(
    repository: Path, hear: Hear
) -> None:
    prompt = "\n".join(everywhere())
    hear(claude("UserPromptSubmit", repository, ONE, prompt=prompt))
    assert any(isinstance(one, Prompt) for one in events(repository, ONE))
    assert places_of(repository, *TELLTALES) == []
