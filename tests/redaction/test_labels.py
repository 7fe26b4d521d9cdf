"""A label is enough: what it announces goes whatever it looks like, and little else."""

from collections.abc import Iterable
from itertools import islice

import pytest
from redaction.labelled_elsewhere import labelled_elsewhere
from redaction.labelled_texts import Text, labelled_texts
from redaction.test_secrets import lines_of
from support.rounds import every_row

from gitmem.redaction.prose.labels import LABELS
from gitmem.redaction.prose.surroundings import (
    SURROUNDINGS,
    Surrounding,
    surroundings_at,
)
from gitmem.redaction.redact import redact, seal
from gitmem.text.patterns import compiled

VALUES = ["sunshine", "q7Zr2Xw9", "4821", "!!$$##", "abc"]
RANDOM = "q7Zr2Xw9Kb4Nm8Lp3Vt6Yc1Hd5"
ROWS = [line.split("  ") for line in LABELS.strip().splitlines()]


@every_row("row", SURROUNDINGS)
def test_surrounding_reveals_its_value_only(row: Surrounding) -> None:
    for value in VALUES:
        text = row.sample.replace("{}", value)
        assert value not in redact(text)
    assert redact(row.counter_sample) == row.counter_sample


@every_row("row", ROWS)
def test_a_label_is_one_in_any_case(row: list[str]) -> None:
    label = row[-1].strip()
    for value in [RANDOM] if row[0] == "key" else VALUES:
        for form in (f'{label}="{value}"', f"{label.upper()}: '{value}'"):
            assert value not in redact(form)


def test_a_surrounding_is_looked_at_wherever_it_fits() -> None:
    letters = sorted(set("".join(row.pattern for row in SURROUNDINGS)))
    texts = [text.text for text in islice(labelled_texts(), 0, None, 301)]
    texts += [f"{one}{two}是 x" for one in ("", " ", "  ") for two in letters]
    for text in texts + [row.sample for row in SURROUNDINGS]:
        for at in range(len(text)):
            fit = [
                row.name
                for row in SURROUNDINGS
                if compiled(row.pattern).match(text, at)
            ]
            assert [name for name, _ in surroundings_at(text, at)] == fit, (text, at)


def stored(texts: Iterable[Text]) -> tuple[list[Text], int]:
    """Those of which something to hide is left, and how many there were."""
    all_texts = list(texts)
    left = [
        text
        for text in all_texts
        if any(part in (clean := redact(text.text)) for part in text.hidden)
        or any(len(word) > 3 and word in clean for word in text.hidden[0].split())
    ]
    return left, len(all_texts)


def test_few_labelled_secrets_are_stored() -> None:
    for texts in (labelled_texts(), labelled_elsewhere()):
        left, of = stored(islice(texts, 0, None, 43))
        assert len(left) < 0.02 * of, left


@pytest.mark.endurance
def test_few_of_all_labelled_secrets_are_stored() -> None:
    for texts in (labelled_texts(), labelled_elsewhere()):
        left, of = stored(texts)
        assert len(left) < 0.02 * of, left


def test_few_harmless_texts_are_touched() -> None:
    # the second list was written apart from the rules (docs/decisions/0017)
    for name in ("harmless.txt", "harmless_elsewhere.txt"):
        texts = lines_of(name)
        touched = [text for text in texts if redact(text) != text]
        assert len(touched) < 0.01 * len(texts), touched


def test_a_second_pass_changes_nothing_in_labelled_texts() -> None:
    for text in islice(labelled_texts(), 0, None, 211):
        assert redact(redact(text.text)) == redact(text.text)


@every_row(
    "items",
    [
        ("first", "Password:", "sunshine", "last"),
        ("| user | password |", "|---|---|", "| bob | sunshine |"),
        ("user,password", "bob,sunshine"),
    ],
)
def test_label_hides_the_value_in_the_next_item(items: tuple[str, ...]) -> None:
    assert "sunshine" not in seal(items, repr)
    assert seal(items, repr).count("REDACTED") == 1


@every_row(
    "name",
    [
        *("src/auth/password_reset.py", "fix/token-refresh", "feature/secret-scanning"),
        *("2026-02-23_14-32_cursor_reset-password-flow", "pin-the-version"),
        *("docs/api-keys.md", "tokens: 1200", "client_session_id: abc-123"),
    ],
)
def test_a_path_a_branch_and_a_slug_stay(name: str) -> None:
    assert redact(name) == name
    assert redact(f"see {name} for it") == f"see {name} for it"
