"""What people added to versions of one document, put together.

Where only one version has something, or all have the same, it stays as it was written.
Else it is cut into entries or sections, and all of them stand in one order, so that it
does not matter who heard of whom first.
"""

from collections.abc import Callable, Iterator

from gitmem.documents.session.sections import blocks, closed
from gitmem.text.patterns import pattern

_LINE = pattern(r"[^\n]*\n|[^\n]+")
_KEY = pattern(r"([^\s#\-\[\]{}&*!|>?%@`,][^:\n]*?)[ \t]*:(?:\s|\Z)")


def joined_headers(one: str, other: str) -> str:
    """Entries of both; of two for one key the longer, with the comments above it."""
    return _joined(one, other, _union_of_entries)


def joined_bodies(one: str, other: str) -> str:
    """Sections of both, each once; two with one heading stay two."""
    return _joined(one, other, _union_of_sections)


def _joined(one: str, other: str, union: Callable[[str, str], str]) -> str:
    if one == other or not other:
        return one
    return union(one, other) if one else other


def _union_of_entries(one: str, other: str) -> str:
    chosen: dict[str, str] = {}
    comments: set[str] = set()
    for text in (one, other):
        for key, entry in _entries(text):
            if key:
                chosen[key] = max(chosen.get(key, ""), entry, key=_length)
            else:
                comments |= _as_comments(entry)
    return "".join([*(chosen[key] for key in sorted(chosen)), *sorted(comments)])


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """Keys and entries, each with the comments right above it.

    Without a key comes what stands above all entries, and the comments below them all.
    """
    key, lines, comments = "", list[str](), list[str]()
    for line in _LINE.findall(text):
        if match := _KEY.match(line):
            yield key, "".join(lines)
            key, lines, comments = match[1], [*comments, line], []
        elif line.startswith("#"):
            comments.append(line)
        else:
            lines += [*comments, line]
            comments = []
    yield key, "".join(lines)
    yield "", "".join(comments)


def _as_comments(text: str) -> set[str]:
    lines = (line for line in _LINE.findall(text) if line.strip())
    return {line if line.startswith("#") else f"# {line.lstrip()}" for line in lines}


def _length(text: str) -> tuple[int, str]:
    return len(text), text


def _union_of_sections(one: str, other: str) -> str:
    return "\n\n".join(sorted({*_sections(one), *_sections(other)}))


def _sections(text: str) -> Iterator[str]:
    yield from (closed(block.text) for block in blocks(text) if block.text)
