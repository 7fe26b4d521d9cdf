"""How the author of a JSON text lays it out, and values written in that way."""

import json
import re
from dataclasses import dataclass
from itertools import chain

from gitmem.text.insertion import line_end_of
from gitmem.text.jsonc_text import JsonText
from gitmem.text.patterns import pattern

_INDENTED = pattern(r"^[ \t]+(?=\S)", re.MULTILINE)
_INDENTED_COMMENT = pattern(r"^[ \t]+(?=//)", re.MULTILINE)
_WIDEST_UNIT = 8


@dataclass(frozen=True, slots=True)
class Layout:
    line_end: str
    unit: str
    """What one level is indented by."""
    is_tight: bool
    """No space behind colons and commas."""

    @property
    def gap(self) -> str:
        return "" if self.is_tight else " "


def layout_of(json_text: JsonText) -> Layout:
    colon = json_text.shape.find(":")
    return Layout(
        line_end=line_end_of(json_text.text),
        unit=_unit(json_text),
        is_tight=colon >= 0 and not json_text.shape[colon + 1].isspace(),
    )


def rendered(
    key: str | None, value: object, layout: Layout, *, indentation: str | None
) -> str:
    """A member, or an item when `key` is None.

    `indentation` is that of the line it begins on; None puts all on one line.
    """
    colon = ":" + layout.gap
    body = json.dumps(
        value,
        ensure_ascii=False,
        indent=None if indentation is None else layout.unit,
        separators=("," + layout.gap if indentation is None else ",", colon),
    )
    name = "" if key is None else json.dumps(key, ensure_ascii=False) + colon
    return name + body.replace("\n", f"{layout.line_end}{indentation}")


def _unit(json_text: JsonText) -> str:
    """The first indentation there is; two spaces where nothing is indented."""
    for line in chain(
        _INDENTED.finditer(json_text.shape), _INDENTED_COMMENT.finditer(json_text.text)
    ):
        indentation = json_text.indentation(line.end())
        if 0 < len(indentation) <= _WIDEST_UNIT:
            return indentation
    return "  "
