"""Whether a sentence names a file."""

import re
from collections.abc import Iterable

from gitmem.text.patterns import pattern

_FREE = pattern(r"(?<![\w./\\-])(\./)?\Z")
"""At the end of what stands before a path: nothing that belongs to another one."""
_GOES_ON = pattern(r"[\w/\\-]|\.\w")
_ORDINARY_WORD = pattern(r"[a-z]+")


def names_one_of(text: str, paths: Iterable[str]) -> bool:
    """Whether `text` names a file by its path, by the end of that, or by its name.

    `main.py` and `cli/main.py` name `gitmem/cli/main.py`; `server/main.py` and
    `main.pyc` do not. A name that could be an ordinary word, such as `run`, has to
    stand in backticks or behind its folder.
    """
    return any(_names(text, path) for path in paths)


def _names(text: str, path: str) -> bool:
    *folders, name = path.split("/")
    return (
        name in text
        and any(  # there may be thousands of paths
            _is_meant(text[: found.start()], folders, name)
            for found in re.finditer(re.escape(name), text)
            if not _GOES_ON.match(text, found.end())
        )
    )


def _is_meant(before: str, folders: list[str], name: str) -> bool:
    for depth in range(len(folders) + 1):
        folder = "".join(f"{each}/" for each in folders[len(folders) - depth :])
        rest = before.removesuffix(folder)
        if before.endswith(folder) and _FREE.search(rest[-3:]):
            is_word = not depth and _ORDINARY_WORD.fullmatch(name)
            return not is_word or before.endswith("`")
    return False
