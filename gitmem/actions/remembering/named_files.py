"""The files of a work tree that names of code mean: paths, file names, identifiers.

A file name means every file of that name, and an identifier the files that define it,
or else contain it: where these are few.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from gitmem.git.plumbing.process import is_inside
from gitmem.git.repository import Repository

Paths = tuple[str, ...]
_FEW = 3
_MOST_IDENTIFIERS = 500
_QUALIFIER = re.compile(r"\.|::")
_DEFINING = (
    r"\b(?:def|class|function\*?|func|fn|fun|const|let|var|val|type|struct|enum|trait"
    r"|interface|protocol|module|object|record|sub|define|table|public|private"
    r"|protected|static|void)\s+(?:\([^)]*\)\s*)?(?:[\w<>\[\]*&]+\s+){0,3}(?:\w+[.:]+)?"
)
_ASSIGNED = r"\s*(?::[^=]{1,80})?=(?![=>])"


class NamedFiles:
    """The files of one work tree, by their names. Raises Damaged and Unavailable."""

    def __init__(self, git: Repository) -> None:
        self._git = git
        self._paths = frozenset(git.files())
        self._by_name: dict[str, list[str]] = defaultdict(list)
        for path in self._paths:
            self._by_name[path.rpartition("/")[2]].append(path)

    def with_path(self, name: str) -> Paths:
        """Return the files that a path, or the end of one, means; few or none.

        A path of no file here means itself, unless one file has its last part.
        """
        path = name.removeprefix("./").lstrip("/")
        if path in self._paths:
            return (path,)
        same_name = self._by_name.get(path.rpartition("/")[2], [])
        ends = [each for each in same_name if f"/{each}".endswith(f"/{path}")]
        if ends or len(same_name) == 1:
            ends = ends or same_name
            return tuple(sorted(ends)) if len(ends) <= _FEW else ()
        is_here = self._git.work_tree and (self._git.work_tree / path).is_file()
        is_path = is_here or ("/" in path and "." in path)
        return (path,) if is_path and is_inside(path) else ()

    def with_identifiers(
        self, names: Iterable[str], patience: float
    ) -> Mapping[str, Paths]:
        """Return the files that identifiers mean, those with few or none left out."""
        words = {name: _word(name) for name in sorted(names)[:_MOST_IDENTIFIERS]}
        defining, containing = self._lines_by_word({*words.values()}, patience)
        found = {}
        for name, word in words.items():
            paths = defining[word] or (set() if word.isalpha() else containing[word])
            if 0 < len(paths) <= _FEW:
                found[name] = tuple(sorted(paths))
        return found

    def _lines_by_word(
        self, words: Collection[str], patience: float
    ) -> tuple[Mapping[str, set[str]], Mapping[str, set[str]]]:
        """Return the files that define each word, and those that contain it."""
        defining: dict[str, set[str]] = defaultdict(set)
        containing: dict[str, set[str]] = defaultdict(set)
        any_word = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)")
        for path, line in self._git.lines_with(words, patience):
            for word in {*any_word.findall(line)}:
                containing[word].add(path)
                if _defines(line, word):
                    defining[word].add(path)
        return defining, containing


def _word(name: str) -> str:
    """Return the part of a qualified name that is looked for: the most telling one."""
    parts = [part for part in _QUALIFIER.split(name) if part]
    telling = (part for part in parts if not part.islower() or "_" in part)
    return next(telling, parts[-1] if parts else name)


def _defines(line: str, word: str) -> bool:
    name = re.escape(word)
    is_assigned = re.match(rf"\s*(?:export\s+)?{name}{_ASSIGNED}", line)
    return bool(is_assigned or re.search(rf"{_DEFINING}{name}(?!\w)", line))
