"""Members put into other programs' JSON files, in their author's manner."""

import contextlib
import json
import re
from collections.abc import Callable, Sequence
from enum import Enum, auto

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.json_authors import KEY_LISTS, OBJECTS, VALUES, comments, written
from support.rounds import every_row

from gitmem.errors import InvalidInput
from gitmem.store.install_manifest import spans_of, without_spans
from gitmem.text.insertion import Insertion, inserted
from gitmem.text.jsonc import Path, parsed, with_item, with_member, without
from gitmem.text.jsonc_tree import MAX_DEPTH, MAX_LENGTH


def added(text: str, *keys: str, value: object) -> str:
    return inserted(text, with_member(text, keys, value))


def appended(text: str, *keys: str, value: object) -> str:
    return inserted(text, with_item(text, keys, value))


# --- what a user would look at


@every_row(
    ("before", "after"),
    [
        ("", '{\n  "a": 1\n}\n'),
        ("\ufeff", '\ufeff{\n  "a": 1\n}\n'),
        ("// why", '// why\n{\n  "a": 1\n}\n'),
        ("{}\r\n", '{\r\n  "a": 1\r\n}\r\n'),
        ("{\n}\n", '{\n  "a": 1\n}\n'),
        ("{\n\t// no\n}\n", '{\n\t// no\n\t"a": 1\n}\n'),
        ('{ "b": 2 }', '{ "b": 2, "a": 1 }'),
        ('{"b":2,"c":3}', '{"b":2,"c":3,"a":1}'),
        ('{"b": 2,}', '{"b": 2, "a": 1,}'),
        ('{ "b": 2 /* two */ }', '{ "b": 2, /* two */ "a": 1 }'),
        ('{\n\t"b": [\n\t]\n}\n', '{\n\t"b": [\n\t],\n\t"a": 1\n}\n'),
        ('{\n    "b": 2,\n}\n', '{\n    "b": 2,\n    "a": 1,\n}\n'),
        ('{\n  "b": 2 // two\n}\n', '{\n  "b": 2, // two\n  "a": 1\n}\n'),
        ('{\n  "b": 2\n  // "c"\n}\n', '{\n  "b": 2,\n  "a": 1\n  // "c"\n}\n'),
        ('{\r\n  "b": 2\r\n}', '{\r\n  "b": 2,\r\n  "a": 1\r\n}'),
        ('{"b": 2,\n "c": 3}', '{"b": 2,\n "c": 3,\n "a": 1}'),
        ('{\n  /* 2 */ "b": 2\n}', '{\n  /* 2 */ "b": 2,\n  "a": 1\n}'),
        ('{ "b": 2 // two\n}', '{ "b": 2, // two\n  "a": 1\n}'),
    ],
)
def test_a_member_looks_as_if_the_user_had_written_it(before: str, after: str) -> None:
    assert added(before, "a", value=1) == after


@every_row(
    ("before", "value", "after"),
    [
        ('{\n  "b": []\n}\n', 1, '{\n  "b": [\n    1\n  ]\n}\n'),
        ('{ "b": [ ] }\n', {"c": "sh"}, '{ "b": [ {"c": "sh"} ] }\n'),
        (
            '{\n  "b": [{\n    "a": 1\n  }]\n}\n',
            {"b": 2},
            '{\n  "b": [{\n    "a": 1\n  }, {\n    "b": 2\n  }]\n}\n',
        ),
        (
            '{\n  "b": [\n    { "c": 1 }\n  ]\n}\n',
            {"c": 2},
            '{\n  "b": [\n    { "c": 1 },\n    {\n      "c": 2\n    }\n  ]\n}\n',
        ),
        ('{\n  "a": 1\n}', 2, '{\n  "a": 1,\n  "b": [\n    2\n  ]\n}'),
    ],
)
def test_so_does_an_item(before: str, value: object, after: str) -> None:
    assert appended(before, "b", value=value) == after


# --- what is there already


def test_what_is_equal_needs_nothing_and_true_is_not_one() -> None:
    text = '{"a": {"c": [1, true,], /* c */ "b": null}}'
    assert with_member(text, ["a"], {"b": None, "c": [1, True]}) == ()
    assert with_item('{"a": [0, {"x": 1}]}', ["a"], {"x": 1}) == ()
    assert appended("[true]", value=1) == "[true, 1]"


def test_of_equal_keys_the_last_one_counts() -> None:
    text = '{"a": {"b": 1}, "a": {}}'
    assert parsed(text) == {"a": {}}
    assert added(text, "a", "b", value=1) == '{"a": {"b": 1}, "a": {"b": 1}}'


@every_row(
    ("text", "message"),
    [
        ('{\n  "a": {\n    "b": 2\n  }\n}', "line 3, column 10: a.b has another value"),
        ('{\n  "a": [\n  ]\n}', "line 2, column 8: a is not an object"),
        ("\n[]", "line 2, column 1: the whole is not an object"),
    ],
)
def test_what_is_in_the_way_is_named(text: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{re.escape(message)}$"):
        with_member(text, ["a", "b"], 1)


def test_an_item_needs_an_array() -> None:
    with pytest.raises(InvalidInput, match=r"^line 1, column 7: a is not an array$"):
        with_item('{"a": {}}', ["a"], 1)


# --- what cannot be read


@every_row(
    ("text", "place"),
    [
        ('{\n  "a": 1\n  "b": 2\n}', "line 3, column 3"),
        ('{\n  "a": tru\n}', "line 2, column 8"),
        ('{"a": 1', "line 1, column 8"),
        ('{"a": "b\n"}', "line 1, column 7"),
        ("// c\n/* d", "line 2, column 1"),
        ("{} /*/", "line 1, column 4"),
        ("[1,, 2]", "line 1, column 4"),
        ("[,]", "line 1, column 2"),
        ("{,}", "line 1, column 2"),
        ("[1,,]", "line 1, column 4"),
        ("[1,\r\n 2,\r\n NaN]", "line 3, column 2"),
        ('["NaN", -Infinity]', "line 1, column 9"),
        ("{} {}", "line 1, column 4"),
        ("{'a': 1}", "line 1, column 2"),
        ("[\n" * 100_000, f"line {MAX_DEPTH + 1}, column 1"),
    ],
)
def test_the_first_thing_that_cannot_be_read_is_named(text: str, place: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{place}: "):
        parsed(text)
    with pytest.raises(InvalidInput, match=f"^{place}: "):
        with_member(text, ["a"], 1)
    with pytest.raises(InvalidInput, match=f"^{place}: "):
        without(text, lambda *_: True)


def test_a_text_beyond_all_reason_is_refused() -> None:
    with pytest.raises(InvalidInput, match="5,000,000 characters"):
        parsed(" " * (MAX_LENGTH + 1))


@every_row("text", ["", " \r\n", "\ufeff", "// c", "/* c */\n"])
def test_a_text_without_value_reads_as_none(text: str) -> None:
    assert parsed(text) is None
    assert without(text, lambda *_: True) == text


@every_row("number", ["1e+5", "1E-5", "-0.5E5", "-0", "1" * 5_000])
def test_every_number_is_read(number: str) -> None:
    assert appended(f"[{number}]", value="x") == f'[{number}, "x"]'


# --- taken out again


@every_row(
    ("before", "after"),
    [
        ('{ "a": 1, "our": 0 }', '{ "a": 1 }'),
        ('{ "our": 0, "a": 1 }', '{ "a": 1 }'),
        ('{ "a": 1, "our": 0, "b": 2 }', '{ "a": 1, "b": 2 }'),
        ('{ "our": 0, "our": 0, "b": 2 }', '{ "b": 2 }'),
        ('{"a":1,"our":0}', '{"a":1}'),
        ('{"a": 1, "our": 0,}', '{"a": 1,}'),
        ('{\n  "a": 1, // one\n  "our": 0\n}\n', '{\n  "a": 1 // one\n}\n'),
        ('{\n  "our": 0, // why\n  "a": 1\n}\n', '{\n  // why\n  "a": 1\n}\n'),
        ('{\r\n\t"a": 1,\r\n\t"our": 0,\r\n}', '{\r\n\t"a": 1,\r\n}'),
        ('{"a": 1, // one\n "our": 0}', '{"a": 1 // one\n}'),
        ('{"our": 0 /* c */, "a": 1}', '{/* c */ "a": 1}'),
        ('{\n  "our": 0\n}', "{}"),
        ('{\n  "a": {"b": [{"our": 0}]}\n}\n', "{}\n"),
        ('{"x": [], "a": {"b": [{"our": 0}]}}', '{"x": []}'),
        (
            '{\n  "a": {\n    // why\n    "our": 0\n  }\n}',
            '{\n  "a": {\n    // why\n  }\n}',
        ),
        ('[1, {"our": 0}, 2]', "[1, 2]"),
    ],
)
def test_what_is_ours_goes_with_its_comma_and_line(before: str, after: str) -> None:
    assert without(before, lambda path, _: path[-1] == "our") == after


def test_paths_have_keys_and_positions() -> None:
    seen = []

    def look(path: Path, value: object) -> bool:
        seen.append((path, value))
        return False

    without('{"a": [{"b": 1}, 2]}', look)
    assert seen == [
        (("a",), [{"b": 1}, 2]),
        (("a", 0), {"b": 1}),
        (("a", 0, "b"), 1),
        (("a", 1), 2),
    ]


# --- for all texts


@given(written(VALUES))
def test_every_text_is_read(text_and_value: tuple[str, object]) -> None:
    text, value = text_and_value
    assert are_equal(parsed(text), value)
    assert without(text, lambda *_: False) == text


@given(written(OBJECTS), KEY_LISTS, VALUES)
def test_a_member_is_there_and_comes_out(
    text_and_value: tuple[str, object], keys: list[str], value: object
) -> None:
    text, before = text_and_value
    there = at(before, keys)
    if there is BLOCKED or (there is not ABSENT and not are_equal(there, value)):
        with pytest.raises(InvalidInput, match=r"is not an object|another value"):
            with_member(text, keys, value)
        return
    insertions = with_member(text, keys, value)
    after = inserted(text, insertions)
    assert are_equal(parsed(after), with_value(before, keys, value))
    assert with_member(after, keys, value) == ()
    check_as_added(text, before, insertions, lambda path, _: path == tuple(keys))


@given(written(OBJECTS), KEY_LISTS, VALUES)
def test_an_item_is_there_and_comes_out(
    text_and_value: tuple[str, object], keys: list[str], value: object
) -> None:
    text, before = text_and_value
    there = at(before, keys)
    if there is BLOCKED or (there is not ABSENT and not isinstance(there, list)):
        with pytest.raises(InvalidInput, match=r" is not an (object|array)"):
            with_item(text, keys, value)
        return
    items = there if isinstance(there, list) else []
    is_there = any(are_equal(each, value) for each in items)
    expected = with_value(before, keys, items if is_there else [*items, value])
    insertions = with_item(text, keys, value)
    after = inserted(text, insertions)
    assert are_equal(parsed(after), expected)
    assert with_item(after, keys, value) == ()
    ours = (*keys, len(items))
    check_as_added(text, before, insertions, lambda path, _: path == ours)


def check_as_added(
    text: str,
    value: object,
    insertions: Sequence[Insertion],
    is_ours: Callable[[Path, object], bool],
) -> None:
    after = inserted(text, insertions)
    assert without_spans(after, spans_of(insertions)) == text
    assert comments(after) == comments(text)
    if "\r\n" in text and "\n" not in text.replace("\r\n", ""):
        assert "\n" not in after.replace("\r\n", "")
    if insertions:
        rest = without(after, is_ours)
        assert are_equal(pruned(parsed(rest)), pruned(value))
        assert comments(rest) == comments(text)


@given(written(OBJECTS))
def test_only_what_is_ours_goes(text_and_value: tuple[str, object]) -> None:
    text, before = text_and_value
    after = without(text, lambda path, _: path[-1] == "our")
    assert are_equal(pruned(parsed(after)), pruned(before, "our"))


@given(st.text('{}[],:"/*\\ \r\n1eE+-.\ufeffé', max_size=12) | st.text(max_size=5))
def test_any_text_is_read_or_refused(text: str) -> None:
    strict = read_strictly(text.removeprefix("\ufeff"))
    try:
        value = parsed(text)
    except InvalidInput:
        assert strict is ABSENT
        return
    assert strict is ABSENT or are_equal(value, strict)
    parsed(without(text, lambda *_: True))
    with contextlib.suppress(InvalidInput):
        parsed(added(text, "a", value=1))


class Fate(Enum):
    ABSENT = auto()
    BLOCKED = auto()


ABSENT, BLOCKED = Fate.ABSENT, Fate.BLOCKED


def at(value: object, keys: Sequence[str]) -> object:
    """The value at the keys; BLOCKED where something on the way is not an object."""
    for key in keys:
        if not isinstance(value, dict):
            return BLOCKED
        if key not in value:
            return ABSENT
        value = value[key]
    return value


def with_value(value: object, keys: Sequence[str], new: object) -> object:
    if not keys:
        return new
    inside = value if isinstance(value, dict) else {}
    return {**inside, keys[0]: with_value(inside.get(keys[0]), keys[1:], new)}


def pruned(value: object, *names: str) -> object:
    """The value without the members of these names, and without empty containers."""
    if isinstance(value, dict):
        parts = {k: pruned(v, *names) for k, v in value.items() if k not in names}
        return {k: v for k, v in parts.items() if v not in ({}, [])}
    if isinstance(value, list):
        items = [pruned(each, *names) for each in value]
        return [each for each in items if each not in ({}, [])]
    return value


def read_strictly(text: str) -> object:
    def refuse(name: str) -> None:
        raise ValueError(name)

    try:
        return json.loads(text, parse_constant=refuse)
    except ValueError:
        return ABSENT


def are_equal(one: object, other: object) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
