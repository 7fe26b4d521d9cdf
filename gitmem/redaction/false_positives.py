"""Whether what follows a label is a secret, or says something about one."""

# ruff: noqa: E501 - a pattern of words is a line

import re

from gitmem.redaction.contexts import CHANGED
from gitmem.redaction.patterns import pattern
from gitmem.redaction.reading import Found, Value
from gitmem.redaction.values import (
    Place,
    is_random_key,
    is_secret,
    is_variable,
    looks_random,
    looks_told,
)
from gitmem.redaction.words import is_known

_LETTERS = pattern(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")

_REST_OF_LINE = pattern(r"(?:[ ][^\W_]+){1,11}(?=\n|\Z)")

_PHRASE = pattern(r"[ ]+(?=[^\W_])[^\W_]+(?:['’-][^\W_]+)*(?=[\s.,;:!?)|\"'`]|\Z)")

_FILE = pattern(
    r"[\w./-]+\.(?:pyi?|jsx?|tsx?|go|rs|rb|java|json|jsonl|md|txt|ya?ml|toml|ini|cfg|conf|env|sh|html|css|sql|lock|log|c|h|cpp|php|kt|swift|xml|csv|pem|key)"
)

CLAUSE_END = pattern(
    r"[.,;:!?)]*(?:\s*(?:\n|\Z|[|<)\]}\"'`([#])|\s(?:for|on|at|in|to|and|or|but|as|und|für|auf|y|para|et|pour|sur|e|en|och|a|i|и|для|na|per|->|→|=>|anymore|instead|here|again|à|au|em|naar|till|til|su|în|на|z|w|-->|\*/)(?!\w)|\s?-->|\s?\*/|[.,;!?])"
)

_END_OF_PAIR = pattern(r"\\{0,7}[\"'`]\s{0,8}(?:[)\]};]|\n|\Z)")
_TECHNIQUE = pattern(
    r"(?:sha|md|base|utf|pbkdf|argon|oauth|rs|es|hs|ps|aes|rsa|ed|p|v|s3|k8s|l10n|i18n|http|ipv|win|py|python|node|web|b)-?\d+\w{0,6}",
    re.IGNORECASE,
)


def is_redacted(found: Found, value: Value, place: Place) -> bool:
    """Whether the value is a secret."""
    text = value.text[:500]
    if (
        not text.strip()
        or "[REDACTED" in text
        or _is_no_end(found, value)
        or _is_code(found, value)
    ):
        return False
    if found.label.kind == "key":
        name = found.before[-2:] + found.text[found.label.start : found.label.end]
        return is_random_key(text, in_capitals=name[:2].isupper())
    if found.row == "from" and "从" in found.sign:
        return "改" in found.text[value.end : value.end + 2] or looks_told(text)
    if found.label.kind == "short":
        place = _short(found, place)
    if value.is_quoted or place < Place.TOLD:
        return is_secret(text, place, is_quoted=value.is_quoted)
    if place == Place.TOLD:
        return _is_told(found, value)
    return _is_hinted(found, text)


def _is_no_end(found: Found, value: Value) -> bool:
    """Whether what follows the value tells that it is none."""
    behind = found.text[value.end : value.end + 40]
    if found.row == "tag" and found.sign.startswith(">"):
        return not behind.lstrip().startswith("</")
    if found.row == "pair":
        label = found.text[found.label.start : found.label.end].lower()
        return label in value.text.lower() or not _END_OF_PAIR.match(behind)
    if found.row in ("cell", "tag"):
        return any(map(is_known, value.text.split()[1:]))
    return False


def _is_code(found: Found, value: Value) -> bool:
    """Whether it is a call, or the name of a variable as Markdown shows one."""
    if not value.is_quoted:
        return (
            found.text[value.end : value.end + 1] in ("(", "[")
            and value.text.isidentifier()
        )
    return (
        found.sign.strip() != ""
        and found.text[value.start - 1] == "`"
        and is_variable(value.text)
    )


def _short(found: Found, place: Place) -> Place:
    """`pass` alone is a verb as well."""
    above = found.text[max(0, found.label.start - 120) : found.label.start]
    if re.search(r"[_-]\Z|[a-z]\Z", found.before) or re.search(
        r"user|login|mail|host", above, re.IGNORECASE
    ):
        return place
    return Place.HINT


def _is_hinted(found: Found, text: str) -> bool:
    if _TECHNIQUE.fullmatch(text) or not is_secret(text, Place.HINT, is_quoted=False):
        return False
    if found.label.kind == "password":
        return True
    return looks_random(text) or (
        len(text) >= 8
        and bool(re.search("[a-z]", text) and re.search("[A-Z]", text))
        and len(re.findall(r"\d+", text)) > 1
    )


def _is_told(found: Found, value: Value) -> bool:
    """Whether a bare word of a sentence is a secret, and not a description of one."""
    word = value.text
    if (
        _TECHNIQUE.fullmatch(word)
        or _FILE.fullmatch(word)
        or (found.label.kind == "token" and re.fullmatch("[A-Z]{2,5}s?", word))
    ):
        return False
    if is_known(word):
        return found.row != "next" and _is_phrase_of_known(found.text, value)
    if not is_secret(word, Place.TOLD, is_quoted=False):
        return False
    if (
        found.row in ("arrow", "colon", "assign", "value", "is", "option")
        and is_variable(word)
        and not looks_told(word)
    ):
        return False
    if found.row in ("is", "option", "value") or looks_told(word):
        return True
    end, _ = _run_on(found.text, value.end)
    return CLAUSE_END.match(found.text, end) is not None or (
        found.row in ("to", "from")
        and CHANGED.match(found.text[end : end + 30].lstrip()) is not None
    )


def _is_phrase_of_known(text: str, value: Value) -> bool:
    """Such as "correct horse battery staple": nothing behind the first word is known."""
    end, words = _run_on(text, value.end)
    return words >= 3 and CLAUSE_END.match(text, end) is not None


def _run_on(text: str, end: int) -> tuple[int, int]:
    """Where words that are not known end, behind a first one, and how many there are."""
    words = 0
    while (
        words < 11
        and (more := _PHRASE.match(text, end))
        and not is_known(more[0].strip())
    ):
        end, words = more.end(), words + 1
    return end, words


def end_of_phrase(found: Found, value: Value) -> int:
    if value.is_quoted or not _LETTERS.fullmatch(value.text):
        return value.end
    if (
        found.row == "assign"
        and found.sign == found.sign.strip()
        and (rest := _REST_OF_LINE.match(found.text, value.end))
    ):
        return rest.end()
    if found.row in ("option", "call", "value", "attribute"):
        return value.end
    return _run_on(found.text, value.end)[0]
