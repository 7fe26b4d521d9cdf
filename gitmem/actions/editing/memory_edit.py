"""What an edited text changes in a memory."""

from dataclasses import replace
from datetime import timedelta
from typing import Self

from gitmem.actions.remembering.statement import parse_statement
from gitmem.documents import header
from gitmem.documents.memory.format import parse, sections
from gitmem.documents.memory.memory import Memory
from gitmem.errors import InvalidInput
from gitmem.frozen import frozen
from gitmem.git.values import Signature
from gitmem.text.control_characters import harmless_lines

_FIELDS = ("text", "why", "facts", "tags")
_READ_ONLY = ("files", "sources", "relations")


@frozen
class MemoryEdit:
    base: Memory
    edited: Memory
    removed: frozenset[str]
    """Facts and tags that are gone."""

    @classmethod
    def read(cls, document_id: str, base_text: str, text: str) -> Self:
        """Read an edited text. Raises InvalidInput where anything else differs."""
        base, edited = parse(document_id, base_text), parse(document_id, text)
        before, after = (
            sections(header.split(version)[1])[1] for version in (base_text, text)
        )
        if any(before.get(name) != after.get(name) for name in _READ_ONLY):
            raise InvalidInput(
                "this can only be read.",
                hint=f"`ocm remember --replaces {document_id} --as update` adds files.",
            )
        values = {name: getattr(edited, name) for name in _FIELDS}
        statement = parse_statement(values, base.updated_at)
        stated = {name: getattr(statement, name) for name in _FIELDS}
        edited = replace(base, **stated)
        return cls(base, edited, _items(base) - _items(edited))

    @property
    def changed_fields(self) -> tuple[str, ...]:
        return tuple(
            name
            for name in _FIELDS
            if getattr(self.base, name) != getattr(self.edited, name)
        )

    def removes(self, item: str) -> bool:
        return harmless_lines(item) in self.removed

    def apply(self, memory: Memory, author: Signature) -> Memory:
        """Return a memory with the changes, later than what they replace."""
        edited, base = self.edited, self.base
        return replace(
            memory,
            text=memory.text if edited.text == base.text else edited.text,
            why=memory.why if edited.why == base.why else edited.why,
            facts=(
                *memory.facts,
                *(item for item in edited.facts if item not in base.facts),
            ),
            tags=(
                *memory.tags,
                *(item for item in edited.tags if item not in base.tags),
            ),
            sources=(*memory.sources, f"person:{author.who}"),
            updated_at=max(author.when, memory.updated_at + timedelta(seconds=1)),
        )


def _items(memory: Memory) -> frozenset[str]:
    return frozenset(map(harmless_lines, (*memory.facts, *memory.tags)))
