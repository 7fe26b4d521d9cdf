"""What a person typed, of the prompts that clients hand on."""

from support.rounds import every_row

from gitmem.assistants.payload import OWN_PREFIX, typed


@every_row(
    ("prompt", "words"),
    [
        ("  fix it \n", "fix it"),
        ("<ide_selection>lines 1 to 3</ide_selection>\nwhat is this?", "what is this?"),
        ('<hook-context from="a">x</hook-context> <env_info>y</env_info> go', "go"),
        ("<system-reminder>only that</system-reminder>", ""),
        ("<div>why is this red?</div>", "<div>why is this red?</div>"),
        ("<never-closed> is a tag", "<never-closed> is a tag"),
        ("the tag <a-b>x</a-b> inside", "the tag <a-b>x</a-b> inside"),
        (OWN_PREFIX + "12 files were edited", ""),
    ],
)
def test_a_prompt_without_what_clients_put_before_it(prompt: str, words: str) -> None:
    assert typed(prompt) == words


def test_ten_thousand_wrappers_take_no_time() -> None:
    assert typed("<a-b></a-b>" * 10_000 + "go" + "<a-b>" * 10_000).startswith("go")
