"""The files of a work tree that names of code mean: paths, file names, identifiers.

A file name means every file of that name, and an identifier the files that define it,
or else contain it: where these are few.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from gitmem.git.grep import lines_with
from gitmem.git.plumbing.process import is_inside
from gitmem.git.repository import Repository
from gitmem.git.work_tree import work_tree_files
from gitmem.text.code_names import longest_part

_FEW = 3
_MOST_IDENTIFIERS = 500
_DEFINED_BEHIND = (
    r"\b(?:def|class|func(?:tion)?|fn|fun|const|let|var|val|type|struct|enum|trait"
    r"|interface|module|object|public|private|protected|static|void|define|table)\*?\s+"
    r"(?:\([^)]*\)\s*)?(?:[\w<>\[\]*&]+\s+){0,3}(?:\w+[.:]+)?"
)
_ASSIGNED = r"\s*(?::[^=]{1,80})?=(?![=>])"


def files_by_name(git: Repository, names: Iterable[str]) -> Mapping[str, list[str]]:
    """Return the files that each name means, none where there are many.

    Raises Damaged and Unavailable.
    """
    paths_by_end: dict[str, list[str]] = defaultdict(list)
    for path in work_tree_files(git):
        paths_by_end[path.rpartition("/")[2]].append(path)
    paths_by_name = {name: [*_with_path(git, name, paths_by_end)] for name in names}
    unresolved = [name for name, paths in paths_by_name.items() if not paths]
    return {**paths_by_name, **_with_identifiers(git, unresolved)}


def _with_path(
    git: Repository, name: str, paths_by_end: Mapping[str, list[str]]
) -> Iterable[str]:
    """Return the files that a path, or the end of one, means.

    A path of no file that git knows means itself, unless one file has its last part.
    """
    path = name.removeprefix("./").lstrip("/")
    same_name = paths_by_end.get(path.rpartition("/")[2], [])
    ends = [
        candidate for candidate in same_name if f"/{candidate}".endswith(f"/{path}")
    ]
    if path in ends:
        return [path]
    if ends or len(same_name) == 1:
        return (ends or same_name) if len(ends) <= _FEW else ()
    is_path = "/" in path or Path(git.work_tree or "", path).is_file()
    return [path] if is_path and is_inside(path) else ()


def _with_identifiers(git: Repository, names: list[str]) -> Mapping[str, list[str]]:
    """Return the same of identifiers; of a qualified one by its longest part."""
    words = {name: longest_part(name) for name in names[:_MOST_IDENTIFIERS]}
    any_word = re.compile(
        rf"(?<!\w)(?:{'|'.join(map(re.escape, words.values()))})(?!\w)"
    )
    defining: dict[str, set[str]] = defaultdict(set)
    containing: dict[str, set[str]] = defaultdict(set)
    for path, line in lines_with(git, {*words.values()}):
        for word in {*any_word.findall(line)}:
            containing[word].add(path)
            if _defines(line, re.escape(word)):
                defining[word].add(path)
    files = {}
    for name, word in words.items():
        paths = defining[word] or (set() if word.isalpha() else containing[word])
        files[name] = sorted(paths) if len(paths) <= _FEW else []
    return files


def _defines(line: str, name: str) -> bool:
    is_assigned = re.match(rf"\s*(?:export\s+)?{name}{_ASSIGNED}", line)
    return bool(is_assigned or re.search(rf"{_DEFINED_BEHIND}{name}(?!\w)", line))
