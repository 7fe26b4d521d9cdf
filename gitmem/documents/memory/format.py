"""The document of a memory, as Markdown: a header, the statement, and lists."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from gitmem.documents import header
from gitmem.documents.memory.memory import (
    ID,
    LISTS,
    Category,
    Memory,
    MemoryFile,
    MemoryStatus,
    Relation,
    RelationType,
)
from gitmem.git.values import is_oid
from gitmem.text.markdown import (
    decode,
    decode_code,
    encode_code,
    encode_item,
    encode_paragraphs,
)
from gitmem.text.patterns import pattern

_KEYS = frozenset(
    (
        *("memory_id", "key", "kind", "status", "branch", "pinned", "importance"),
        *("confidence", "expires", "author", "created_at", "updated_at"),
    )
)
_EPOCH = datetime(1970, 1, 2, tzinfo=UTC)
_LINE_END = pattern(r"\r\n?")
_HEADING = pattern(r"^## (Why|Facts|Tags|Files|Sources|Relations)[ \t]*$", re.MULTILINE)
_ITEM = pattern(r"^- ?", re.MULTILINE)
_LATER_LINE = pattern(r"\n(?:  )?")
_ABSENT = "absent"
"""Written for the blob of a missing file."""


def render(memory: Memory) -> str:
    """Write a memory; `parse` reads it back."""
    files = (
        f"- {file.blob or _ABSENT} {encode_code(file.path)}" for file in memory.files
    )
    relations = (
        f"- {relation.link} {relation.memory_id}" for relation in memory.relations
    )
    parts = [
        header.write(_values(memory), ""),
        encode_paragraphs(memory.text),
        _section("Why", [encode_paragraphs(memory.why)] if memory.why else ()),
        _section("Facts", map(encode_item, memory.facts)),
        _section("Tags", map(encode_item, memory.tags)),
        _section("Files", files),
        _section("Sources", map(encode_item, memory.sources)),
        _section("Relations", relations),
    ]
    return "\n\n".join(part.rstrip("\n") for part in parts if part) + "\n"


def _values(memory: Memory) -> list[tuple[str, str]]:
    return [
        ("format", "gitmem/1"),
        ("memory_id", memory.id),
        ("key", memory.key),
        ("kind", memory.kind),
        ("status", memory.status),
        ("branch", memory.branch),
        ("pinned", "pinned" if memory.pinned else ""),
        ("importance", str(memory.importance)),
        ("confidence", str(memory.confidence)),
        ("expires", memory.expires.isoformat() if memory.expires else ""),
        ("author", memory.author),
        ("created_at", memory.created_at.isoformat()),
        ("updated_at", memory.updated_at.isoformat()),
    ]


def _section(title: str, lines: Iterable[str]) -> str:
    content = "\n".join(lines)
    return f"## {title}\n\n{content}" if content else ""


def parse(document_id: str, text: str) -> Memory:
    """Read a memory, whoever wrote it: what is missing gets a harmless default."""
    head, body = header.split(_LINE_END.sub("\n", text.removeprefix("\ufeff")))
    value = header.read(head, _KEYS).values.get
    statement, section_texts = sections(body)
    updated_at = header.time_in(value("updated_at")) or _EPOCH
    return Memory(
        id=document_id,
        text=decode(statement),
        why=decode(section_texts.get("why", "")),
        kind=header.member_in(Category, value("kind"), Category.FACT),
        status=header.member_in(MemoryStatus, value("status"), MemoryStatus.ACTIVE),
        key=value("key", ""),
        branch=value("branch", ""),
        pinned=value("pinned") == "pinned",
        importance=_share(value("importance"), 0.5),
        confidence=_share(value("confidence"), 0.8),
        expires=header.time_in(value("expires")),
        author=value("author", ""),
        created_at=header.time_in(value("created_at")) or updated_at,
        updated_at=updated_at,
        **{name: tuple(_items(name, section_texts.get(name, ""))) for name in LISTS},
    )


def sections(body: str) -> tuple[str, dict[str, str]]:
    """Return the statement of a memory, and what stands below each of its headings."""
    statement, *parts = (part.strip("\n") for part in _HEADING.split(body))
    contents: dict[str, str] = {}
    for title, content in zip(parts[::2], parts[1::2], strict=True):
        name = title.lower()
        contents[name] = "\n".join(filter(None, (contents.get(name), content)))
    return statement, contents


def _items(name: str, content: str) -> Iterable[Any]:
    first, *items = _ITEM.split(content)
    for item in [first, *items] if first else items:
        text = _LATER_LINE.sub("\n", item.rstrip("\n"))
        if name == "files":
            blob, _, path = text.partition(" ")
            if blob == _ABSENT or is_oid(blob):
                yield MemoryFile(decode_code(path), blob.replace(_ABSENT, ""))
        elif name == "relations":
            link, _, memory_id = text.partition(" ")
            if link in set(RelationType) and ID.fullmatch(memory_id):
                yield Relation(RelationType(link), memory_id)
        else:
            yield decode(text)


def _share(text: str | None, default: float) -> float:
    try:
        number = float(text or "")
    except ValueError:
        return default
    return number if 0 <= number <= 1 else default
