"""A decision belongs to a file when it names it, and not when it only seems to."""

from hypothesis import given
from hypothesis import strategies as st
from support.rounds import every_row

from gitmem.text.code_names import names_one_of

PATH = "gitmem/cli/main.py"


@every_row(
    "text",
    [
        *("gitmem/cli/main.py starts it", "It starts in cli/main.py"),
        *("Keep `main.py` small.", "We split main.py.", "(main.py:12, then the rest)"),
        *("./gitmem/cli/main.py, ./main.py", "main.py's imports are lazy"),
        *("not server/main.py but cli/main.py", '"main.py"', "main.py…"),
    ],
)
def test_a_file_is_named_by_its_path_the_end_of_it_or_its_name(text: str) -> None:
    assert names_one_of(text, ["other.py", PATH])


@every_row(
    "text",
    [
        *("", "Nothing is said", "server/main.py starts it", "gitmem/main.py"),
        *("other/gitmem/cli/main.py", "/gitmem/cli/main.py", "../main.py"),
        *("domain.py and main.pyc", "my-main.py, main.py-old, main.py/x"),
        *("main.py.orig", "..main.py", "cli\\main.py", "Main.py MAIN.PY", "main"),
    ],
)
def test_what_is_only_like_its_name_names_another_one(text: str) -> None:
    assert not names_one_of(text, [PATH])


def test_ordinary_word_needs_its_folder_or_backticks() -> None:
    assert not names_one_of("Now run the tests", ["hooks/run"])
    assert names_one_of("`run` is one launcher", ["hooks/run"])
    assert names_one_of("hooks/run is one launcher", ["hooks/run"])
    assert names_one_of("The Makefile has it", ["Makefile"])
    assert names_one_of("setup has it: `setup`", ["setup"])


def test_names_with_other_characters_are_names_too() -> None:
    assert names_one_of("See docs/My Notes.md.", ["docs/My Notes.md"])
    assert names_one_of("app/[id]/page.tsx is static", ["src/app/[id]/page.tsx"])
    assert names_one_of("(+page.svelte)", ["routes/+page.svelte"])
    assert names_one_of("über.txt", ["a/über.txt"])


@given(st.text(), st.text(min_size=1))
def test_any_text_and_path_have_an_answer(text: str, path: str) -> None:
    assert names_one_of(text, [path]) in {True, False}
    assert not names_one_of(text, [])
