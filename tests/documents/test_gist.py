"""What a session tells of a conversation: what says something, in few words."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rounds import every_row
from support.strategies import texts

from gitmem.documents.session.gist import (
    ANSWER_LENGTH,
    ANSWERS_LIMIT,
    ENDING_LENGTH,
    GOAL_LENGTH,
    answers_of,
    beginning,
    ending_of,
    goal_of,
    prompts_of,
    says_something,
)
from gitmem.documents.session.session import LISTED_PROMPT_LENGTH, PROMPTS_LIMIT

SMALL_TALK = [
    *("hi", "158", "continue", "yes", "ok go on", "Yes, please do.", "1 and 2", "C)"),
    *("/clear", "/workflows:review", "[Image #1]", "[Image #1] can you fix this?"),
    *("[Request interrupted by user]", "[Request interrupted by user for tool use]"),
    *("[REDACTED:github]", "![image](data:abc)", "what's next?", "let’s do option 2"),
    *("…", "", " \n", "👍", "continúa", "继续", "please commit this"),
    *("Say hello", "Reply with OK", "test", "ping", "Say hello in one word", "say hi!"),
    *("Who are you?", "what is 2+2", "Guten Morgen!", "Antworte nur mit OK", "Coucou"),
    *("Merci beaucoup", "Buenos días", "¿Quién eres?", "Buonasera", "Grazie mille"),
    *("Bom dia", "Obrigada", "Goedemorgen", "Dank je wel", "Добрый день", "Кто ты?"),
    *("Спасибо большое", "你好", "测试", "谢谢你", "おはようございます", "テスト"),
    *("안녕하세요", "test, test", "hello world", "Réponds juste oui"),
    *("Thank you so much!", "Vielen Dank!", "I cannot help with that"),
]
TELLING = [
    *("fix the parser", "/review 45", "docs/plan.md", "/home/ada/x", "ENT-108"),
    *("https://example.org/pull/88", "[Image #1] the button is gone", "修复登录"),
    *("yes, accordion", "why does it crash?", "Write the tests", "say why it fails"),
    *(
        "测试登录",
        "Répare le test",
        "Teste den Parser",
        "Почини тест",
        "write a parser",
    ),
]


@every_row("prompt", SMALL_TALK)
def test_small_talk_says_nothing(prompt: str) -> None:
    assert not says_something(prompt)


@every_row("prompt", TELLING)
def test_a_word_about_anything_says_something(prompt: str) -> None:
    assert says_something(prompt)


def test_the_goal_is_the_first_prompt_that_says_something() -> None:
    assert goal_of([*SMALL_TALK, "Make it\n  fast", "and safe"]) == "Make it fast"


def test_the_goal_is_the_first_prompt_where_none_says_anything() -> None:
    assert goal_of(["hi", "continue"]) == "hi"
    assert goal_of([]) is None


@every_row(
    ("plan", "title"),
    [
        ("# Plan: Invert the flag\n\n## Goal\nChange it.", "Invert the flag"),
        ("\n\nSome words.\n\n## Invert the flag\n", "Invert the flag"),
        ("\n# Plan\n\n## Invert the flag\n", "Invert the flag"),
        (" invert the flag\nand test it", "invert the flag"),
    ],
)
def test_the_goal_of_a_plan_is_its_title(plan: str, title: str) -> None:
    assert goal_of(["Implement the following plan:" + plan]) == title
    assert goal_of(["implement this plan: " + plan]) == title


def test_a_beginning_ends_with_a_sentence() -> None:
    text = "Look at e.g. the parser of 1. headings. Mend it (v2.1)! Then test it well."
    assert beginning(text, 60) == text[:55]
    assert beginning(text, len(text)) == text


def test_a_beginning_without_such_an_end_ends_with_a_word() -> None:
    assert beginning("one two three four", 12) == "one two…"
    assert beginning("No. " + "word " * 9, 30) == "No. word word word word word…"


@given(texts(), st.integers(2, 40))
def test_beginning_is_one_line_within_its_length(text: str, length: int) -> None:
    cut = beginning(text, length)
    assert len(cut) <= length
    assert " ".join(text.split()).startswith(cut.removesuffix("…"))
    assert beginning(cut, length) == cut


def test_a_long_prompt_makes_a_goal_that_says_it_was_cut() -> None:
    goal = goal_of(["word " * 500]) or ""
    assert len(goal) <= GOAL_LENGTH
    assert goal.endswith("word…")


def test_prompts_are_listed_once_there_is_more_than_the_goal() -> None:
    assert prompts_of(["Make it\n  fast"]) == ()
    assert prompts_of(["Make it\n  fast", "now"]) == ("Make it fast", "now")


def test_prompts_are_beginnings_each_in_a_line_and_said_once() -> None:
    asked = ["", "go on", "word " * 100, "go\non", *map(str, range(50))]
    listed = prompts_of(asked)
    assert listed[0] == "go on"
    assert listed[1].endswith("…")
    assert max(map(len, listed)) <= LISTED_PROMPT_LENGTH
    assert listed[2:] == tuple(map(str, range(PROMPTS_LIMIT - 2)))


FOUND = (
    "The parser takes a heading in a fence for a heading: `blocks` counts no fences."
)


def test_answers_that_only_announce_the_next_step_are_left_out() -> None:
    said = ["Let me read the parser:", FOUND, "Now I'll mend it.", "Mended."]
    assert answers_of(said) == (FOUND,)
    assert answers_of(["", " "]) == answers_of(["Done."]) == ()


def test_of_many_answers_the_longest_are_told_in_their_order() -> None:
    said = [f"{number} {FOUND} {'x' * (number % 7)}" for number in range(100)]
    told = answers_of([*said, "All of it is mended."])
    assert len(told) == ANSWERS_LIMIT
    assert told[0].startswith("6 The parser")
    assert [*told] == sorted(told, key=said.index)


def test_of_a_long_last_answer_beginning_and_end_are_told() -> None:
    long = f"{FOUND}\n\n{'And so on. ' * 90}\n\nNow it counts them. All tests pass."
    [begun], end = answers_of([long]), ending_of(long)
    assert begun.startswith(FOUND)
    assert len(begun) <= ANSWER_LENGTH
    assert end.startswith("…And so on.")
    assert end.endswith("Now it counts them. All tests pass.")
    assert len(end) <= ENDING_LENGTH


def test_an_answer_is_one_line_without_what_only_shapes_it() -> None:
    answer = """## Summary:

**Mended** [the parser](src/parser.py):

---

- `blocks` counts fences
> as it should

```python
count()
```
"""
    shown = "Summary: Mended the parser: - `blocks` counts fences as it should count()"
    assert ending_of(answer) == shown


def test_an_answer_is_told_once() -> None:
    assert answers_of([FOUND, FOUND, FOUND]) == (FOUND,)
    assert answers_of([FOUND]) == ()
    assert ending_of(FOUND) == FOUND


def test_no_secret_of_an_answer_is_cut_in_two() -> None:
    secret = "ghp_" + "a1B2" * 9
    for before in range(150, ANSWER_LENGTH, 5):
        said = "x " * (before // 2) + secret + " and so on" * 50
        assert "ghp_" not in repr(answers_of([said] * 2))
        assert "ghp_" not in ending_of(said + " x" * (before // 2))
    assert "ghp_" not in ending_of(f"It is ghp_**{secret[4:]}**, they say.")
    assert ending_of("<private>all of it</private>") == ""


@given(st.lists(texts(), max_size=5))
def test_answers_are_lines_within_bounds(said: list[str]) -> None:
    for line in (*answers_of(text * 99 for text in said), *map(ending_of, said)):
        assert line == " ".join(line.split())
        assert len(line) <= ENDING_LENGTH


@pytest.mark.endurance
def test_hostile_prompts_take_no_time() -> None:
    began = time.process_time()
    for piece in ("[Image ", "![Image](", "<image ", "# ", "a. ", "'", "1 ", "\n"):
        prompt = "Implement the following plan:" + piece * 50_000
        goal_of([piece * 50_000, prompt])
    assert time.process_time() - began < 5


def test_hostile_answers_take_no_time() -> None:
    began = time.process_time()
    for piece in (" ", "- ", "`", "# ", "[", "[a](", "*", "> ", "a. ", "\n#"):
        answers_of([piece * 50_000 + "x"])
    assert time.process_time() - began < 10
