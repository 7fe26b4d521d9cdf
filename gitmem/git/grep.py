"""Texts in files of the work tree, and in what commits change.

Where there are so many files that it takes long, nobody waits for the rest.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from itertools import islice

from gitmem.errors import Unavailable
from gitmem.git.command import RefusedError
from gitmem.git.plumbing.process import COMMIT_DIFF, text
from gitmem.git.repository import Repository
from gitmem.git.values import Oid

_GREP = (
    *("grep", "-I", "-F", "--no-recurse-submodules", "--no-color", "--no-column"),
    *("--no-line-number", "--full-name", "-f", "-"),
)
_PATCHES = (*COMMIT_DIFF, "--stdin", "-p", "--no-commit-id", "-U0")
_LINE_LENGTH, _MOST_LINES, _PATIENCE = 1000, 100_000, 2.0
"""Characters of a line in which words are looked for, lines, and seconds."""


def lines_with(git: Repository, words: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield path and text of each line of the work tree that has one of the words.

    Nothing more where it takes long; the first _MOST_LINES.
    """
    stdin = "\n".join(words).encode("utf-8", "replace")
    if stdin and git.work_tree:
        options = ("-w", "-z", "--untracked")
        with suppress(RefusedError, Unavailable):
            output = git.lines(*_GREP, *options, stdin=stdin, patience=_PATIENCE)
            for row in islice(output, _MOST_LINES):
                path, _, line = row.partition(b"\0")
                yield text(path), text(line[:_LINE_LENGTH])


def texts_in_files(git: Repository, texts: Collection[str]) -> set[str] | None:
    """Return the texts that files of the work tree have, or of HEAD in a bare clone.

    None where it takes too long.
    """
    options = ("-h", "-o", "--untracked" if git.work_tree else "HEAD")
    stdin = "\n".join(texts).encode("utf-8", "replace")
    try:
        return _occurring(
            texts, git.lines(*_GREP, *options, stdin=stdin, patience=_PATIENCE)
        )
    except RefusedError as error:
        return set() if error.status == 1 else None
    except Unavailable:
        return None


def texts_in_patches(
    git: Repository, texts: Collection[str], commits: Collection[Oid]
) -> set[str]:
    """Return the texts that the patches of commits have."""
    stdin = "".join(f"{commit}\n" for commit in commits).encode()
    with git.translated("a commit"):
        return _occurring(texts, git.lines(*_PATCHES, stdin=stdin))


def _occurring(texts: Collection[str], output: Iterator[bytes]) -> set[str]:
    encoded = {part.encode("utf-8", "replace"): part for part in texts}
    present = set[bytes]()
    for line in {*islice(output, _MOST_LINES)}:
        present.update(code for code in encoded if code in line)
    return {encoded[code] for code in present}
