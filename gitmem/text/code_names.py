"""The names of code in a text: paths, file names, identifiers, options.

What could be a plain word counts between backticks alone, or before brackets.
"""

from collections.abc import Iterator

from gitmem.text.patterns import listed, pattern

_LONGEST = 255
"""Characters of a name."""
_ADDRESS = pattern(r"[A-Za-z]{2,10}://\S*")
_EAST_ASIAN = "\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef"
"""Letters that no space separates from a name of code."""
_WORD = pattern(
    rf"(`?)((?:::|[^\s`\"'<>()\[\]{{}},;:|*!?=#$%&\\“”‘’«»„…{_EAST_ASIAN}])+)(\(?\)?`?)"
)
_OPTION = pattern(r"--[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_QUOTED = pattern(r"(?=.*[^\W\d])[\w./@+~:-]{2,}")
_ABBREVIATION = pattern(r"(?:[^\W\d]\.)+[^\W\d]")
_FILE = pattern(r"(?:[\w.@+~-]*/)*+[\w+~-][\w.@+~-]*\.[a-z][a-z0-9_+]{0,15}")
_DOT_FILE = pattern(r"(?:[\w.@+~-]*/)*+\.[a-z][a-z0-9_.-]+")
_BUILD_FILE = pattern(
    r"(?:[\w.@+~-]*/)*+(?:Make|Docker|Container|Rake|Gem|Proc|Jenkins|Vagrant|Just)file"
)
_MARKED_PATH = pattern(r"(?:~|\.{1,2})?(?:/[\w.@+~-]+)+")
_SNAKE = pattern(r"_*[^\W_]+(?:_+[^\W_]+)+_*|_[^\W\d_]\w*(?<!_)|__\w+__")
_CAMEL = pattern(r"[a-z][a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Z]{2,}[a-z]{3,}\w*")
_QUALIFIED = pattern(r"[^\W\d]\w*(?:(?:\.|::)[^\W\d]\w*)+")
_NO_NAMES = frozenset(
    listed(
        "GitHub GitLab JavaScript TypeScript PostgreSQL MySQL SQLite MariaDB MongoDB"
        " GraphQL OpenAI ChatGPT YouTube LinkedIn macOS iOS iPadOS iPhone iPad PayPal"
        " DevOps PyTorch TensorFlow NumPy FastAPI OpenCode WebSocket WebSockets OAuth"
    )
)
_NO_FILES = (".com", ".org", ".net", ".edu", ".gov")
_OF_PEOPLE = ("Innen", "_innen")
"""How German nouns for women and men end."""


def names_in(text: str) -> frozenset[str]:
    """Return the names of code that a text mentions, each as it is written there.

    A path stands without the line behind it, and a function without its brackets.
    """
    return frozenset(_names(text))


def _names(text: str) -> Iterator[str]:
    for before, word, behind in _WORD.findall(_ADDRESS.sub(" ", text)):
        name = word.rstrip("./:@~+-")
        if len(name) > _LONGEST or "@" in name.lstrip("@").partition("/")[0]:
            continue
        is_code = behind[:2] == "()" or (before and behind[:1] in ("`", "("))
        if _QUOTED.fullmatch(name) if is_code else _is_name(name):
            yield name


def _is_name(word: str) -> bool:
    """Whether a word without backticks or brackets is a name of code."""
    if _OPTION.fullmatch(word):
        return True
    if _ABBREVIATION.fullmatch(word) or word.endswith(_NO_FILES + _OF_PEOPLE):
        return False
    if _is_file(word):
        return word[0] == "." or any(map(str.isalpha, word[: word.rfind(".")]))
    return any(_is_identifier(part) for part in _parts(word))


def _is_file(word: str) -> bool:
    forms = (_FILE, _DOT_FILE, _BUILD_FILE, _MARKED_PATH)
    return any(form.fullmatch(word) for form in forms)


def _parts(word: str) -> list[str]:
    """Return the identifiers that a qualified one joins."""
    return word.replace("::", ".").split(".") if _QUALIFIED.fullmatch(word) else [word]


def _is_identifier(word: str) -> bool:
    is_one = _SNAKE.fullmatch(word) or _CAMEL.fullmatch(word)
    return bool(is_one) and word not in _NO_NAMES
