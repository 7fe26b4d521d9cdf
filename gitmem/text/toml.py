"""Tables of TOML files: written, and looked up."""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from gitmem.errors import InvalidInput


def parsed(text: str) -> dict[str, Any]:
    """Return the values of a text. Raises InvalidInput, with the place of a mistake."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"this is no TOML: {error}") from error


def table(keys: Sequence[str], values: Mapping[str, object]) -> str:
    """Write a table of texts and lists of texts, of which JSON's form is TOML's."""
    lines = (f"{key} = {_literal(value)}\n" for key, value in values.items())
    return f"[{'.'.join(keys)}]\n{''.join(lines)}"


def tables_in(text: str, keys: Sequence[str]) -> list[tuple[int, int]]:
    """Return where a table and those inside of it begin and stop, in characters.

    Each stops before an empty line, a comment or another table.
    """
    name = r"\.".join(map(re.escape, keys))
    head = rf"^\[{name}(?:\.[^\]\n]+)?\].*\n?"
    table = re.compile(rf"{head}(?:(?![\[#\r\n]).+\n?)*", re.MULTILINE)
    return [match.span() for match in table.finditer(text)]


def _literal(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
