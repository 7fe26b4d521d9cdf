"""Cut texts into words, the same in a document as in a query.

A word is folded (compatibility forms, case, marks that a writer may leave out) and
stemmed (Porter's English stemmer), so that spelling does not decide. An identifier is
one word and its parts are words too: `tokenBudget` is tokenbudget, token and budget.
Numbers that dots join are one word, found by its beginnings as well: `v18.2.0` is
18.2.0, 18.2 and 18. Scripts that put no space between words are cut into characters
and pairs of neighbours.

An index holds these words: whoever changes what this module returns raises `VERSION` in
`gitmem/search/documents.py`.
"""

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from gitmem.frozen import frozen
from gitmem.text.patterns import pattern

if TYPE_CHECKING:
    from tantivy import TextAnalyzer

_LONGEST = 64
"""Characters of a token that count: nobody searches for the end of a base64 blob."""
_MOST_CACHED = 1 << 16
"""Most entries of a cache."""

_OPTIONAL = (
    "\u0300-\u036f\u0483-\u0487\u1ab0-\u1aff\u1dc0-\u1dff"  # Latin, Greek, Cyrillic
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # Hebrew points
    "\u0610-\u061a\u0640\u064b-\u065f\u0670"  # Arabic vowels, hamza, tatweel
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u08d3-\u08ff"  # Arabic in the Koran
    "\u0711\u0730-\u074a\u093c"  # Syriac vowels, the dot below in Devanagari
)
"""Marks that many writers omit. Others, as in Indian scripts, count as letters."""
_MARKS = (
    rf"{_OPTIONAL}\u07a6-\u07b0\u07eb-\u07f3"  # Maldives, N'Ko
    "\u0900-\u0963\u0966-\u096f\u0971-\u09f1\u09f4-\u0dff"  # India
    "\u0f71-\u0f84\u0f8d-\u0fbc\u135d-\u135f\u3099\u309a"  # Tibet, Ethiopia, kana
)
_VARIANTS = str.maketrans("ٱىیةکđĐłŁøØı", "اييهكdDlLoOi")
"""Letters that are written for each other, and that differ by no mark."""
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"  # CJK
    "\U00020000-\U0003ffff"
)
_SPACED = rf"(?:(?![{_UNSPACED}])[\w{_MARKS}])"
_TOKEN = pattern(rf"[{_UNSPACED}]+|(?=\w){_SPACED}+(?:(?<=\d)\.(?=\d){_SPACED}+)*")
_SPACED_TOKEN = pattern(rf"\w[\w{_MARKS}]*(?:(?<=\d)\.(?=\d)[\w{_MARKS}]+)*")
_ASCII_TOKEN = pattern(r"\w+(?:(?<=\d)\.(?=\d)\w+)*")
_RUN = pattern(rf"[{_UNSPACED}]")
_SMALL = rf"(?:[^\W\d_A-Z]|[{_MARKS}])"
_PART = pattern(rf"[A-Z]+(?!{_SMALL})|[A-Z]?{_SMALL}+|\d+(?:\.\d+)*")
_ASCII_PART = pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+(?:\.[0-9]+)*")
_DOTTED = pattern(r"\d+(?:\.\d+)+")
_VERSION_MARK = pattern(r"\Av(?=\d+\.)")
_OPTIONAL_MARK = pattern(f"[{_OPTIONAL}]")


@frozen
class Word:
    """One word that a query asks for."""

    whole: str
    parts: tuple[str, ...] = ()
    """The parts of an identifier; empty for a plain word."""

    @property
    def pieces(self) -> tuple[str, ...]:
        """Return the terms that stand for it: its parts, or itself without parts."""
        return self.parts or (self.whole,)


def tokens(text: str) -> list[str]:
    """Return each run of letters, digits and underscores, as it is written.

    A dot between two digits is part of it. The text is brought to compatibility form
    first, so that a token is found whether its accents are separate characters or not.
    """
    if text.isascii():
        return _ASCII_TOKEN.findall(text)
    text = unicodedata.normalize("NFKC", text)
    token = _TOKEN if _RUN.search(text) else _SPACED_TOKEN  # compiled in a fifth
    return token.findall(text)


class Cut(NamedTuple):
    """The index terms of a token, or of all tokens between two spaces."""

    terms: tuple[str, ...]
    """All terms by which a document that has the text is found."""
    stems: str
    """The stems without parts of identifiers, separated by spaces."""
    spelled: str
    """The folded tokens that are letters alone, separated by spaces."""


class _CutCache(dict[str, Cut]):
    """A cache of a function's results, for texts of usual length.

    An index is built of millions of words, most of them repeated: a dict looks them up
    without a call.
    """

    def __init__(self, cut_text: Callable[[str], Cut]) -> None:
        self._made = cut_text

    def __missing__(self, text: str) -> Cut:
        pieces = self._made(text)
        if len(text) <= _LONGEST:
            if len(self) >= _MOST_CACHED:
                self.clear()
            self[text] = pieces
        return pieces


def cut(words: Iterable[str]) -> list[Cut]:
    """Cut words that were separated by white space, which no token contains."""
    return [*map(_WORD_CUTS.__getitem__, words)]


def terms(token: str) -> tuple[str, ...]:
    """Return all terms by which a document that has `token` is found."""
    return _TOKEN_CUTS[token].terms


def words(token: str) -> tuple[Word, ...]:
    """Return the words that `token` in a query asks for, mostly one.

    A run of an unspaced script is as many words as it has pairs of neighbours; a
    single character of it is a word of its own.
    """
    if is_unspaced(token):
        run = fold(token)
        return tuple(map(Word, _pairs(run) if len(run) > 1 else run))
    token = _without_marks(token[:_LONGEST])
    whole = token.replace("_", "").casefold()
    if "." in whole:
        whole = _VERSION_MARK.sub("", whole)
    if not whole:
        return ()
    part_pattern = _ASCII_PART if token.isascii() else _PART
    parts = [part.casefold() for part in part_pattern.findall(token) if len(part) > 1]
    if len(parts) < 2:
        return (Word(_stem(whole)),)
    return (Word(_stem(whole), tuple(dict.fromkeys(map(_stem, parts)))),)


def stems(token: str) -> tuple[str, ...]:
    """Return the stems of `token` without parts of identifiers, as in phrases."""
    return tuple(_TOKEN_CUTS[token].stems.split())


def stems_in(text: str) -> list[str]:
    return [stem for token in tokens(text) for stem in stems(token)]


def folded_words(text: str) -> list[str]:
    return [*map(fold, tokens(text))]


def subject_terms(subject: str) -> list[str]:
    """Return the stems of a commit's subject, with a mark at either end."""
    return ["~begin", *stems_in(subject), "~end"]


def within(texts: Iterable[str], room: int) -> Iterator[str]:
    """Yield the first `room` characters of the texts together."""
    for text in texts:
        if room <= 0:
            return
        yield text[:room]
        room -= len(text)


def fold(text: str) -> str:
    """Return `text` without case, marks and width, which distinguish no words."""
    return _without_marks(text).casefold()


def is_letter(folded: str) -> bool:
    """Return whether it is one letter or digit; a Chinese character is a word."""
    return len(folded) == 1 and folded < "\u3400"


def is_unspaced(token: str) -> bool:
    """Return whether a token is of a script that puts no spaces between words."""
    return not token.isascii() and _RUN.match(token) is not None


def _without_marks(text: str) -> str:
    if text.isascii():
        return text
    bare = _OPTIONAL_MARK.sub("", unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFC", bare).translate(_VARIANTS)


def _cut_token(token: str) -> Cut:
    token_words = words(token)
    whole = " ".join([word.whole for word in token_words])
    folded = fold(token)
    is_spelled = folded.isalpha() and len(token) <= _LONGEST
    return Cut(_terms(token, token_words), whole, folded if is_spelled else "")


def _terms(token: str, token_words: Iterable[Word]) -> tuple[str, ...]:
    if is_unspaced(token):
        run = fold(token)
        return (*run, *_pairs(run))
    terms = [term for word in token_words for term in (word.whole, *word.parts)]
    if "." in token:
        terms += _beginnings(token[:_LONGEST])
    return tuple(dict.fromkeys(terms))


def _cut_word(word: str) -> Cut:
    cuts = [_TOKEN_CUTS[token] for token in tokens(word)]
    if len(cuts) == 1:
        return cuts[0]
    terms, stems, spelled = zip(*cuts, strict=True) if cuts else ((), (), ())
    return Cut(
        tuple(chain.from_iterable(terms)),
        " ".join(stems),
        " ".join(filter(None, spelled)),
    )


_TOKEN_CUTS, _WORD_CUTS = _CutCache(_cut_token), _CutCache(_cut_word)


def _beginnings(token: str) -> Iterator[str]:
    """Yield the beginnings of dotted numbers; a single digit is no word by itself."""
    for number in _DOTTED.findall(token):
        figures = number.split(".")
        for end in range(1, len(figures) + 1):
            beginning = ".".join(figures[:end])
            if len(beginning) > 1:
                yield beginning


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)]


@lru_cache(maxsize=1 << 15)
def _stem(word: str) -> str:
    if not word.isascii() or not word.isalpha():
        return word
    return _stemmer().analyze(word)[0]


@cache
def _stemmer() -> "TextAnalyzer":
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    return (
        TextAnalyzerBuilder(Tokenizer.raw()).filter(Filter.stemmer("english")).build()
    )
