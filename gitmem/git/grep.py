"""Texts in files of the work tree or of a commit, and in what commits change.

Where there are so many files that it takes long, nobody waits for the rest.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from itertools import islice

from gitmem.errors import Unavailable
from gitmem.git.command import RefusedError
from gitmem.git.plumbing.process import fields, text
from gitmem.git.repository import Repository
from gitmem.git.values import Oid

_GREP = (
    *("grep", "-I", "-F", "--no-recurse-submodules", "--no-color", "--no-column"),
    *("--no-line-number", "--full-name", "-f", "-"),
)
_LINES = ("-w", "-z", "--untracked")
_MATCHES = ("-h", "-o")
_DIFF_TREE = (
    *("diff-tree", "--stdin", "-p", "-r", "--root", "--no-commit-id", "-U0"),
    *("--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"),
)
_FILES = ("ls-tree", "-r", "-z", "--name-only", "--full-tree")
_LINE_LENGTH, _MOST_LINES, _PATIENCE = 1000, 100_000, 2.0
"""Characters of a line in which words are looked for, lines, and seconds."""


def lines_with(git: Repository, words: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield path and text of each line of the work tree that has one of the words.

    None where there are so many files that it takes long; the first _MOST_LINES.
    """
    stdin = _patterns(words)
    if stdin and git.work_tree:
        with suppress(RefusedError, Unavailable):
            output = git.lines(*_GREP, *_LINES, given=stdin, patience=_PATIENCE)
            for row in islice(output, _MOST_LINES):
                path, _, line = row.partition(b"\0")
                yield text(path), text(line[:_LINE_LENGTH])


def texts_in(
    git: Repository, texts: Collection[str], commit: Oid | None
) -> set[str] | None:
    """Return those of the texts that files have, in a commit or else the work tree.

    None where it takes too long.
    """
    place = [commit] if commit else ["--untracked"]
    try:
        output = git.lines(
            *_GREP, *_MATCHES, *place, given=_patterns(texts), patience=_PATIENCE
        )
        return _occurring(texts, output)
    except RefusedError as error:
        return set() if error.status == 1 else None
    except Unavailable:
        return None


def texts_changed(
    git: Repository, texts: Collection[str], commits: Collection[Oid]
) -> set[str]:
    """Return those of the texts that the patches of commits have."""
    stdin = "".join(f"{commit}\n" for commit in commits).encode()
    with git.translated("a commit"):
        return _occurring(texts, git.lines(*_DIFF_TREE, given=stdin))


def committed_files(git: Repository, commit: Oid) -> list[str]:
    """Return the paths of all files in a commit."""
    with git.translated(commit):
        return [*map(text, fields(git.output(*_FILES, commit)))]


def _occurring(texts: Collection[str], output: Iterator[bytes]) -> set[str]:
    absent = {part: part.encode("utf-8", "replace") for part in texts}
    for line in islice(output, _MOST_LINES):
        present = [part for part, encoded in absent.items() if encoded in line]
        for part in present:
            del absent[part]
        if not absent:
            break
    return {*texts} - absent.keys()


def _patterns(texts: Iterable[str]) -> bytes:
    return "\n".join(texts).encode("utf-8", "replace")
