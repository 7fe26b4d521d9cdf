from pathlib import Path

from search.queries.reading import read, rows, told
from support.rounds import every_row

from gitmem.assistants.known import NICKNAMES
from gitmem.search.queries.context import ALSO_WORDS

HERE = Path(__file__).parent
PAGE = (HERE.parents[2] / "docs" / "search.md").read_text("utf-8")
EXAMPLES = [*rows(PAGE.partition("### Dates")[0])][1:]
READINGS = [*rows((HERE / "readings.md").read_text("utf-8"))][1:]


@every_row(("text", "words", "filters"), EXAMPLES)
def test_query_page_is_correct(text: str, words: str, filters: str) -> None:
    assert told(read(text)) == (words, filters)


def test_queries_are_read_as_they_are_meant() -> None:
    meant = {text: (words, filters) for text, words, filters in READINGS}
    assert {text: told(read(text)) for text in meant} == meant


@every_row(("spoken", "tool"), NICKNAMES.items())
def test_every_assistant_can_be_asked_for(spoken: str, tool: str) -> None:
    assert read(f"tool:{spoken}").tool == tool
    assert read(f"retries in {spoken} last week").tool == tool
    assert read(f"{spoken} button").tool is None
    assert read(f"{spoken} sessions").tool == (None if spoken == "continue" else tool)


@every_row("spoken", sorted(ALSO_WORDS))
def test_a_thing_that_is_called_like_an_assistant_is_a_word(spoken: str) -> None:
    assert spoken in NICKNAMES
    assert read(f"render it with {spoken}").tool is None
