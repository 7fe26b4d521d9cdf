"""JSON as people write it: every author with a layout and comments of their own."""

import json
import re
from dataclasses import dataclass, field

from hypothesis import strategies as st

HOSTILE = ("//", "/*", "*/", '"', "\\", ",}", "]", "😀", "\u2028", "\n", "")
STRINGS = st.sampled_from(HOSTILE) | st.text('ab/*",\\é😀{}[]', max_size=4)
KEYS = st.sampled_from(["a", "b", "our", "//", "ü"])
KEY_LISTS = st.lists(KEYS, min_size=1, max_size=3)
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.sampled_from([1e300, -0.5]), STRINGS
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3)
    ),
    max_leaves=8,
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=4)

_COMMENT = re.compile(r"// \d+ .*|/\* \d+ .*?\*/")


def comments(text: str) -> list[str]:
    """The comments that an author of ours wrote into a text."""
    return [match[0].strip() for match in _COMMENT.finditer(text)]


@st.composite
def written(draw: st.DrawFn, values: st.SearchStrategy[object]) -> tuple[str, object]:
    """A text that somebody wrote a value down in, and the value."""
    author = Author(
        draw=draw,
        unit=draw(st.sampled_from(["\t", "  ", "    ", " " * 8, ""])),
        line_end=draw(st.sampled_from(["\n", "\r\n"])),
        colon=draw(st.sampled_from([":", ": ", " : "])),
        may_comment=draw(st.booleans()),
    )
    value = draw(values)
    first = draw(st.sampled_from(["", "\ufeff", author.line_end, "/* first */"]))
    last = draw(st.sampled_from(["", author.line_end, " // last"]))
    return first + author.writes(value, "") + last, value


@dataclass
class Author:
    draw: st.DrawFn
    unit: str
    line_end: str
    colon: str
    may_comment: bool
    comments: list[str] = field(default_factory=list)

    def writes(self, value: object, line: str) -> str:
        """The value, on a line that is indented by `line`."""
        inner = line + self.unit
        if isinstance(value, dict):
            members = [
                self.string(key) + self.colon + self.writes(each, inner)
                for key, each in value.items()
            ]
            return "{" + self.inside(members, line) + "}"
        if isinstance(value, list):
            items = [self.writes(each, inner) for each in value]
            return "[" + self.inside(items, line) + "]"
        return self.string(value)

    def string(self, value: object) -> str:
        return json.dumps(value, ensure_ascii=self.chooses())

    def inside(self, parts: list[str], line: str) -> str:
        last_comma = "," if parts and self.chooses() else ""
        with_commas = [part + "," for part in parts[:-1]]
        with_commas += [part + last_comma for part in parts[-1:]]
        if self.chooses():
            return self.on_lines(with_commas, line)
        gap = " " * self.chooses()
        return gap + gap.join(part + self.comment() for part in with_commas)

    def on_lines(self, parts: list[str], line: str) -> str:
        start = self.line_end + line + self.unit
        lines = [start + part + self.line_comment() for part in parts]
        return "".join([self.line_comment(), *lines, self.line_end, line])

    def line_comment(self) -> str:
        if self.may_comment and self.chooses():
            return self.numbered(' // {} is "so", {{')
        return self.comment()

    def comment(self) -> str:
        if self.may_comment and self.chooses():
            return self.numbered(" /* {} }}, */")
        return ""

    def numbered(self, comment: str) -> str:
        self.comments.append(comment)
        return comment.format(len(self.comments))

    def chooses(self) -> bool:
        return self.draw(st.booleans())
