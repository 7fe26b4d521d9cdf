import re

from hypothesis import example, given
from hypothesis import strategies as st
from support.rounds import every_row

from gitmem.search.words import Word, terms, tokens, words


def terms_of(text: str) -> set[str]:
    return {term for token in tokens(text) for term in terms(token)}


def asked(text: str) -> list[Word]:
    return [word for token in tokens(text) for word in words(token)]


@every_row("identifier", ["tokenBudget", "TOKEN_BUDGET"])
def test_an_identifier_is_itself_and_its_parts(identifier: str) -> None:
    assert terms_of(identifier) == {"tokenbudget", "token", "budget"}
    assert terms_of("HTTPServer") == {"httpserver", "http", "server"}
    assert asked("k8s p99") == [Word("k8s"), Word("p99")]


@every_row(
    ("text", "found_by"),
    [
        ("0.4.4", {"0.4.4", "0.4"}),
        ("v18.2.0", {"18.2.0", "18.2", "18"}),
        ("2.5s", {"2.5s", "2.5"}),
        ("node18", {"node18", "node", "18"}),
        ("python3.11", {"python3.11", "python", "3.11"}),
        ("café3.11", {"cafe3.11", "cafe", "3.11"}),
    ],
)
def test_version_is_a_word_with_prefixes(text: str, found_by: set[str]) -> None:
    assert tokens(text) == [text]
    assert terms_of(text) == found_by


@every_row(
    ("text", "cut"),
    [
        ("In 2024. Then 3.5.", ["In", "2024", "Then", "3.5"]),
        ("config.py gpt2.py:12", ["config", "py", "gpt2", "py", "12"]),
        ("1.2.x 3..4 v.5", ["1.2", "x", "3", "4", "v", "5"]),
        ("第3.11版", ["第", "3.11", "版"]),
    ],
)
def test_only_a_dot_between_digits_joins(text: str, cut: list[str]) -> None:
    assert tokens(text) == cut


@every_row(
    ("one", "other"),
    [
        ("V1.2.3", "1.2.3"),
        ("naïve", "NAIVE"),
        ("café", "cafe\u0301"),
        ("ﬁle", "file"),
        ("ＡＢＣ", "abc"),
        ("migrating", "migrates"),
        ("الدَّفع المكرَّر", "الدفع المكرر"),  # vowels
        ("مـــرحبا", "مرحبا"),  # tatweel
        ("أحمد إلى آخر مسؤول ٱلكتاب", "احمد الي اخر مسوول الكتاب"),  # hamza, alef
        ("مدرسة کتابی", "مدرسه كتابي"),  # feminine ending, Persian letters
        ("דָּבָר שָׁלוֹם", "דבר שלום"),
        ("đường phố Việt", "duong pho viet"),
        ("ᾅδης Ἀθῆναι τοῖς", "αδης αθηναι τοις"),
        ("ज़रूरत हिन्दी", "जरूरत हिन्दी"),
        ("ёлка x\u0302", "елка x"),
        ("İstanbul ısı", "istanbul isi"),
        ("ܟܬܳܒܳܐ", "ܟܬܒܐ"),
    ],
)
def test_spelling_does_not_tell_words_apart(one: str, other: str) -> None:
    assert asked(one) == asked(other)


@every_row(
    ("one", "other"), [("ไม้", "ไม"), ("हिन्दी", "हन्द"), ("が", "か"), ("각", "가")]
)
def test_marks_that_make_another_word_stay(one: str, other: str) -> None:
    assert asked(one) != asked(other)


@every_row("text", ["हिन्दी समस्याएँ है।", "שלום־עולם", "الدَّفع، المكرَّر", "ދިވެހި"])
def test_marks_break_no_word_apart(text: str) -> None:
    assert tokens(text) == [w for w in re.split(r"[ ।־،]", text) if w]


def test_a_script_without_spaces_is_cut_into_pairs() -> None:
    assert [word.whole for word in asked("東京駅")] == ["東京", "京駅"]
    assert asked("東") == [Word("東")]


def test_scripts_are_separate_even_where_they_touch() -> None:
    assert terms_of("中文abc") == {"中", "文", "中文", "abc"}


def test_punctuation_and_pictures_are_no_words() -> None:
    assert terms_of('😀 "*" (&&) -- \0') == set()


def test_only_the_beginning_of_an_endless_token_counts() -> None:
    assert all(len(term) <= 64 for term in terms_of("A" * 100_000))


@given(st.text())
def test_whatever_is_asked_for_is_found_where_it_was_written(text: str) -> None:
    held = terms_of(text)
    assert {word.whole for word in asked(text)} <= held
    assert {part for word in asked(text) for part in word.parts} <= held


@given(st.text())
def test_no_term_can_break_the_index_apart(text: str) -> None:
    assert not any("~" in term or term.split() != [term] for term in terms_of(text))


@given(st.text())
def test_no_token_goes_beyond_white_space(text: str) -> None:
    assert [token for word in text.split() for token in tokens(word)] == tokens(text)


@given(st.text())
@example("\u00a8\u320e")  # a mark alone beside an unspaced letter
def test_a_token_alone_is_itself(text: str) -> None:
    assert all(tokens(token) == [token] for token in tokens(text))
