"""Notes that people and assistants keep in Markdown files, made memories."""

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import chain
from pathlib import Path

from gitmem.actions.remembering.listing import memories
from gitmem.actions.remembering.remember import remember
from gitmem.actions.remembering.statement import parse_statement
from gitmem.assistants.claude_code.transcripts import CLAUDE_CODE, folder_name
from gitmem.documents.header import split
from gitmem.documents.memory.memory import TEXT_LENGTH, Category
from gitmem.documents.names import digest
from gitmem.errors import InvalidInput, NotFound
from gitmem.frozen import frozen
from gitmem.git.files import is_file, open_own
from gitmem.redaction.redact import redact
from gitmem.text.patterns import pattern
from gitmem.work_trees import transcript_folders
from gitmem.workspace import Workspace

_SECTION = pattern(r"^#{1,6}[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
_FENCED = pattern(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_BLOCK = pattern(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t])")
_MARK = pattern(r"\n*([ \t]*)(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ x]\] )?")
_SENTENCE_END = pattern(r"(?<=\D[.!?]) (?=[^a-z])|(?<=[。！？])(?=.)")
_TITLE_LENGTH = 500
_PIECE = pattern(r"\S.{0,6998}(?=\n\n|\Z)|\S.{0,6998}(?=\s)|\S.{0,6998}", re.DOTALL)
"""The longest run of paragraphs that fits, else of words, else of characters."""
_MANY_WORDS = 500
"""Words of a document whose sections are memories of their own."""
_MOST_BYTES = 1_000_000
_MOST_FILES = 1000


class Strategy(StrEnum):
    """What one memory is made of."""

    AUTO = "auto"  # sections of a long document with headings, else the document
    SECTION = "section"
    STATEMENT = "statement"  # list items and sentences
    DOCUMENT = "document"


class Fate(StrEnum):
    NEW = "new"
    ALREADY = "in already"
    EMPTY = "says nothing"


@frozen
class Note:
    path: Path
    text: str
    """Its heading or the name of its file, and what stands below."""
    source: str
    """`file:<digest of the text>`: the same text is taken once."""
    fate: Fate


def folders_of_assistant(workspace: Workspace, tool: str) -> list[Path]:
    """The folders in which an assistant keeps notes of its own about this project.

    Raises InvalidInput for all but Claude Code, of which alone they are known.
    """
    if tool != CLAUDE_CODE.tool:
        raise InvalidInput(f"--from takes {CLAUDE_CODE.tool}, not {tool!r}.")
    name = folder_name(workspace.root)
    folders = (
        folder / "memory"
        for folder in transcript_folders(workspace, CLAUDE_CODE)
        if folder.name == name
    )
    return [folder for folder in folders if folder.is_dir()]


def notes_in(
    workspace: Workspace, paths: Iterable[Path], strategy: Strategy
) -> list[Note]:
    """Return the notes in files, and in the Markdown files of folders.

    Raises NotFound where there is none, InvalidInput for too many, and OSError.
    """
    files = markdown_files(paths)
    if len(files) > _MOST_FILES:
        raise InvalidInput(f"There are {len(files):,} files; {_MOST_FILES:,} at most.")
    known_sources = {
        source for memory in memories(workspace) for source in memory.sources
    }
    return [
        _note(workspace, file, text, known_sources)
        for file in files
        for text in _texts(file, strategy)
    ]


def keep(workspace: Workspace, notes: Iterable[Note]) -> None:
    """Remember the new ones of these notes, as conventions. Raises as `remember`."""
    for note in notes:
        if note.fate is Fate.NEW:
            arguments = {"text": note.text, "kind": Category.CONVENTION.value}
            remember(
                workspace, parse_statement(arguments, workspace.now()), note.source
            )


def markdown_files(paths: Iterable[Path]) -> list[Path]:
    """Return the files, and those in the folders. Raises NotFound where none is."""
    candidates = (
        sorted(path.rglob("*.md")) if path.is_dir() else [path] for path in paths
    )
    files = [*filter(is_file, chain.from_iterable(candidates))]
    if not files:
        raise NotFound(
            "There are no notes there.",
            hint="Name Markdown files, or a folder that has some.",
        )
    return files


def header_and_body(file: Path) -> tuple[str, str]:
    """Return both parts of a note; secrets are redacted before they can be cut."""
    with open_own(file) as stream:
        text = redact(stream.read(_MOST_BYTES).decode("utf-8", "replace"))
    return split(text.replace("\r\n", "\n").removeprefix("\ufeff"))


def _texts(file: Path, strategy: Strategy) -> Iterator[str]:
    """Yield what becomes a memory each."""
    body = header_and_body(file)[1].strip()
    titled = body if body.startswith("#") or not body else f"# {file.stem}\n{body}"
    is_short = strategy is Strategy.AUTO and len(body.split()) < _MANY_WORDS
    if strategy is Strategy.DOCUMENT or is_short:
        yield from _pieces(titled.removeprefix("#").lstrip("# "))
        return
    for section in _sections(titled):
        is_cut = strategy is Strategy.STATEMENT
        yield from _statements(section) if is_cut else _pieces(section)


def _sections(body: str) -> Iterator[str]:
    """Each heading with what stands below it, up to the next; none inside of code."""
    code = [(fence.start(), fence.end()) for fence in _FENCED.finditer(body)]
    heads = [
        heading
        for heading in _SECTION.finditer(body)
        if not any(start <= heading.start() < end for start, end in code)
    ]
    ends = [*(heading.start() for heading in heads), len(body)][1:]
    for heading, end in zip(heads, ends, strict=True):
        if below := body[heading.end() : end].strip():
            yield f"{heading[1]}\n{below}"


def _pieces(text: str) -> Iterator[str]:
    """Yield a text that has room, or parts of it, each below its title."""
    title = text.partition("\n")[0][:_TITLE_LENGTH]
    if len(text) <= TEXT_LENGTH:
        yield text
    else:
        for piece in _PIECE.finditer(text, len(title)):
            yield f"{title}\n{piece[0].rstrip()}"


def _statements(section: str) -> Iterator[str]:
    """Yield the items and sentences of a section, each behind what it stands below.

    That is the heading, and a line with a colon: "Never: push to main".
    """
    title, _, below = section.partition("\n")
    leads: list[tuple[int, str]] = []
    for block in filter(str.strip, _BLOCK.split(_FENCED.sub("", below))):
        mark = _MARK.match(block)
        indent = len(mark[1]) if mark else -1
        text = " ".join(block[mark.end() if mark else 0 :].split())
        while leads and indent <= leads[-1][0]:
            leads.pop()
        if text.endswith(":"):
            leads.append((indent, text))
        else:
            above = [f"{title}:", *(lead for _, lead in leads)]
            for sentence in [text] if mark else _SENTENCE_END.split(text):
                yield " ".join((*above, sentence))


def _note(workspace: Workspace, file: Path, text: str, known_sources: set[str]) -> Note:
    source = f"file:{digest(text)}"
    if source in known_sources:
        return Note(file, text, source, Fate.ALREADY)
    try:
        parse_statement({"text": text}, workspace.now())
    except InvalidInput:
        return Note(file, text, source, Fate.EMPTY)
    return Note(file, text, source, Fate.NEW)
