"""What a person typed, of the prompts that clients hand on."""

from support.rounds import every_row

from gitmem.assistants.payload import OWN_PREFIX, typed_words


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
        ("<user-card><h1>Hi</h1></user-card>", "<user-card><h1>Hi</h1></user-card>"),
        ("<order_item/><a_b>x</a_b> why?", "<order_item/><a_b>x</a_b> why?"),
        (OWN_PREFIX + "12 edits were made since", ""),
        (OWN_PREFIX + "`ocm__remember` keeps this", ""),
        (OWN_PREFIX + "how do I change it?", OWN_PREFIX + "how do I change it?"),
    ],
)
def test_a_prompt_without_what_clients_put_before_it(prompt: str, words: str) -> None:
    assert typed_words(prompt) == words


def test_ten_thousand_wrappers_take_no_time() -> None:
    tag = "<system-reminder>"
    tags = f"{tag}</system-reminder>" * 10_000
    assert typed_words(f"{tags}go{tag * 10_000}").startswith("go")
