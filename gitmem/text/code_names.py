"""The names of code in a text: paths, file names, identifiers, options.

What could be a plain word counts between backticks alone, or before brackets.
"""

import re
from collections.abc import Iterable, Iterator

from gitmem.text.patterns import pattern, word_list

_LONGEST = 255
"""Most characters of a name."""
_ADDRESS = pattern(r"[A-Za-z]{2,10}://\S*")
_EAST_ASIAN = "\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef"
"""Letters that no space separates from a name of code."""
_WORD = pattern(
    rf"(`?)((?:::|[^\s`\"'<>()\[\]{{}},;:|*!?=#$%&\\“”‘’«»„…{_EAST_ASIAN}])+)(\(?\)?`?)"
)
_QUOTED = pattern(r"(?=.*[^\W\d])[\w./@+~:-]{2,}")
_OPTION = r"--[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
_FILE = r"[\w+~-][\w.@+~-]*\.[a-z][a-z0-9_+]{0,15}|\.[a-z][a-z0-9_.-]+"
_BUILD_FILE = "(?:Make|Docker|Container|Rake|Gem|Proc|Jenkins|Vagrant|Just)file"
_MARKED_PATH = r"(?:~|\.{1,2})?(?:/[\w.@+~-]+)+"
_FILE_OR_OPTION = pattern(
    rf"(?:[\w.@+~-]*/)*+(?:{_FILE}|{_BUILD_FILE})|{_MARKED_PATH}|{_OPTION}"
)
_ABBREVIATION = pattern(r"(?:[^\W\d]\.)+[^\W\d]")
_SNAKE = r"_*[^\W_]+(?:_+[^\W_]+)+_*|_[^\W\d_]\w*(?<!_)|__\w+__"
_CAMEL = r"[a-z][a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Z]{2,}[a-z]{3,}\w*"
_IDENTIFIER = pattern(rf"{_SNAKE}|{_CAMEL}")
_QUALIFIER = pattern(r"\.|::")
_HUMP = pattern(r"[a-z]{2}[A-Z][a-z]")
_ORDINARY_WORD = pattern(r"[a-z]+")
_NO_NAMES = frozenset(
    word_list(
        "GitHub GitLab JavaScript TypeScript PostgreSQL MySQL SQLite MariaDB MongoDB"
        " GraphQL OpenAI ChatGPT YouTube LinkedIn macOS iOS iPadOS iPhone iPad PayPal"
        " DevOps PyTorch TensorFlow NumPy FastAPI OpenCode WebSocket WebSockets OAuth"
    )
)
_NO_FILES = (".com", ".org", ".net", ".edu", ".gov")
_OF_PEOPLE = ("Innen", "_innen")
"""Endings of German nouns for women and men, with a capital or `_` inside."""


def names_in(text: str) -> frozenset[str]:
    """Return the names of code that a text mentions, each as it is written there.

    A path stands without the line behind it, and a function without its brackets.
    """
    return frozenset(_names(text))


def own_names_in(text: str) -> frozenset[str]:
    """Return the names of files and identifiers that can be of a repository's own code.

    Their shape tells: no plain word, option, place elsewhere, or name of a product.
    """
    return frozenset(
        name for name, is_marked in _words(text) if _is_own(name, is_marked=is_marked)
    )


def names_one_of(text: str, paths: Iterable[str]) -> bool:
    """Tell whether `text` names a file by its path, the end of it, or its name.

    `main.py` and `cli/main.py` name `gitmem/cli/main.py`; `server/main.py` and
    `main.pyc` do not. An ordinary word, such as `run`, needs backticks or its folder.
    """
    return any(  # there may be thousands of paths
        path.rpartition("/")[2] in text and _naming(path).search(text) for path in paths
    )


def longest_part(name: str) -> str:
    """Return the longest part of a qualified name: `retry` of `Charge.retry`."""
    return max(_QUALIFIER.split(name), key=len)


def _names(text: str) -> Iterator[str]:
    for name, is_marked in _words(text):
        if _QUOTED.fullmatch(name) if is_marked else _is_name(name):
            yield name


def _words(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each word, and whether backticks or brackets mark it as code."""
    for opening, word, behind in _WORD.findall(_ADDRESS.sub(" ", text)):
        name = word.rstrip("./:@~+-")
        if len(name) > _LONGEST or "@" in name.lstrip("@").partition("/")[0]:
            continue
        yield name, behind[:2] == "()" or bool(opening and behind[:1] in ("`", "("))


def _is_own(name: str, *, is_marked: bool) -> bool:
    if name.startswith(("-", "~", "/", "..")) or not _is_name(name):
        return False
    if is_marked or not name.isalnum():
        return True
    return name[0].islower() and bool(_HUMP.search(name))


def _is_name(word: str) -> bool:
    """Return whether a word without backticks or brackets is a name of code."""
    if word.isalpha() and word[1:].islower() and not word.endswith("file"):
        return False
    if _ABBREVIATION.fullmatch(word) or word.endswith(_NO_FILES + _OF_PEOPLE):
        return False
    if _FILE_OR_OPTION.fullmatch(word):
        return word[0] in "./-" or any(map(str.isalpha, word[: word.rfind(".")]))
    return any(
        part not in _NO_NAMES and _IDENTIFIER.fullmatch(part)
        for part in _QUALIFIER.split(word)
    )


def _naming(path: str) -> re.Pattern[str]:
    *folders, name = path.split("/")
    above = ""
    for folder in folders[:-1]:
        above = f"(?:{above}{re.escape(folder)}/)?"
    free = r"(?<![\w./\\-])(?:\./)?"
    if folders:
        nearest = f"{above}{re.escape(folders[-1])}/"
        is_word = _ORDINARY_WORD.fullmatch(name)
        beginning = f"(?:{free}{nearest}|`)" if is_word else f"{free}(?:{nearest})?"
    else:
        beginning = "`" if _ORDINARY_WORD.fullmatch(name) else free
    return re.compile(rf"{beginning}{re.escape(name)}(?![\w/\\-]|\.\w)")
