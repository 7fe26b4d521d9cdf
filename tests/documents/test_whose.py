from hypothesis import given
from hypothesis import strategies as st
from support.rounds import every_row

from gitmem.documents.authors import (
    NAME_LENGTH,
    Trust,
    address_in,
    name_in,
    trust_from_settings,
)

ADA = "Ada Lovelace <ada@example.com>"
GRACE = "Grace Hopper <grace@example.com>"
NOBODY = "gitmem <gitmem@localhost>"


def trust(*trusted: str, is_shared: bool = True) -> Trust:
    return trust_from_settings(
        "Ada@Example.com", "gitmem@localhost", trusted, is_shared=is_shared
    )


@every_row(
    ("author", "address", "name"),
    [
        (ADA, "ada@example.com", "Ada Lovelace"),
        ("ADA <ADA@EXAMPLE.COM>", "ada@example.com", "ADA"),
        ("<ada@example.com>", "ada@example.com", "ada@example.com"),
        ('"Ada" <ada@example.com> ', "ada@example.com", "Ada"),
        ("Ada <ada@example.com> <eve@evil.org>", "eve@evil.org", "Ada"),
        ("Ada", "", "Ada"),
        ("", "", ""),
        ("<>", "", ""),
        ("Ad\x1b[2Ja\n\u202e\U000e0041 <a@b>", "a@b", "Ad [2Ja"),
    ],
)
def test_an_author_has_an_address_to_compare_and_a_name_to_show(
    author: str, address: str, name: str
) -> None:
    assert address_in(author) == address
    assert name_in(author).startswith(name)
    assert bool(name_in(author)) == bool(name)


@given(st.text())
def test_a_name_is_one_short_line_whatever_the_author_is(author: str) -> None:
    name = name_in(author)
    assert len(name) <= NAME_LENGTH
    assert name.isprintable()


def test_the_user_is_known_by_address_and_not_by_name() -> None:
    assert trust().owns(ADA)
    assert trust().owns("Somebody <ADA@example.com>")
    assert not trust().owns("Ada Lovelace <ada@elsewhere.org>")
    assert not trust().owns("Ada Lovelace")


def test_session_without_author_is_the_users() -> None:
    for unknown in ("", NOBODY):
        assert trust(is_shared=False).owns(unknown)
        assert not trust().owns(unknown)
        assert not trust("gitmem").covers(unknown)
    assert not trust(is_shared=False).owns(GRACE)


@every_row(
    ("setting", "is_trusted"),
    [
        ("grace@example.com", True),
        (" GRACE@example.com", True),
        ("Grace Hopper <grace@example.com>", True),
        ("*", True),
        ("Grace Hopper", False),
        ("grace", False),
        ("example.com", False),
        ("@", False),
        ("", False),
    ],
)
def test_only_addresses_and_a_star_are_trusted(setting: str, is_trusted: bool) -> None:
    assert trust(setting).covers(GRACE) == is_trusted
    assert not trust(setting).owns(GRACE)
    assert not trust(setting).covers("Grace Hopper <eve@evil.org>") or setting == "*"


@given(
    st.text(), st.lists(st.sampled_from(["grace@example.com", "*", "x"])), st.booleans()
)
def test_nobody_is_passed_over_who_is_trusted(
    author: str, trusted: list[str], is_shared: bool
) -> None:
    known = trust(*trusted, is_shared=is_shared)
    for who in (ADA, GRACE, NOBODY, "", author):
        if known.covers(who):
            assert known.may_trust(f'---\nformat: gitmem/1\nauthor: "{who}"\n---\n')


def test_a_header_of_somebody_else_is_passed_over() -> None:
    for is_shared in (True, False):
        assert not trust(is_shared=is_shared).may_trust(f"---\nauthor: {GRACE}\n---\n")
