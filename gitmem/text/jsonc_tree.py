"""Where each member and item of a JSON text stands: what tree-sitter is for.

It is given the shape of the text, which is ASCII: its bytes are our characters.
"""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from gitmem.text.jsonc_text import JsonText, without_trailing_commas

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands in a text; the key of a member belongs to it."""

    json_text: JsonText
    node: "Node"
    key: str | None
    """None for items and for the outermost value."""
    start: int
    parent: "Place | None"

    @property
    def value_start(self) -> int:
        return self.node.start_byte

    @property
    def end(self) -> int:
        return self.node.end_byte

    @property
    def is_object(self) -> bool:
        return self.node.type == "object"

    @property
    def is_array(self) -> bool:
        return self.node.type == "array"

    @property
    def is_one_line(self) -> bool:
        return "\n" not in self.json_text.text[self.value_start : self.end]

    @property
    def has_own_line(self) -> bool:
        """Whether nothing but comments stands before it on its line."""
        line = self.json_text.line_start(self.start)
        return not self.json_text.shape[line : self.start].strip()

    def value(self) -> object:
        return self.json_text.value(self.value_start, self.end)

    def children(self) -> list["Place"]:
        """The members or items; none of what is no container."""
        if not (self.is_object or self.is_array):
            return []
        return [self._child(each) for each in self.node.named_children]

    def _child(self, node: "Node") -> "Place":
        key = node.child_by_field_name("key")
        value = node.child_by_field_name("value")
        if key is None or value is None:
            return Place(self.json_text, node, None, node.start_byte, self)
        name = str(self.json_text.value(key.start_byte, key.end_byte))
        return Place(self.json_text, value, name, key.start_byte, self)


def outermost(json_text: JsonText) -> Place | None:
    """The value of a text that has one."""
    if not json_text.has_value:
        return None
    shape = without_trailing_commas(json_text.shape, json_text.shape)
    node = _parser().parse(shape.encode("ascii")).root_node.named_children[0]
    return Place(json_text, node, None, node.start_byte, None)


@cache
def _parser() -> "Parser":
    import tree_sitter_json
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_json.language()))
