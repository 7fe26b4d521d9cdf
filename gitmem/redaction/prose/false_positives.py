"""Whether what follows a label is a secret, or says something about one."""

import re

from gitmem.redaction.prose.contexts import CHANGED
from gitmem.redaction.prose.known_words import is_known
from gitmem.redaction.prose.reading import LabelMatch, Value
from gitmem.redaction.prose.secret_values import (
    Certainty,
    is_random_key,
    is_secret,
    is_variable,
    looks_like_password,
    looks_random,
)
from gitmem.text.patterns import pattern

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
_DESCRIPTION = pattern(r"[a-z]+(?:-[a-z]+)*(?:,? [a-z]|, )")
"""A word in small letters with others behind it, as in `token: short-lived, opaque`."""
_REQUIREMENT = pattern(r"[A-Za-z][\w.\[\]-]*(?:[<>=~!]=?|===|@)v?\d[\w.*]*")
"""A package and its versions, as `numpy<2`, which are pinned."""
_PASSPHRASE = 3
"""Unknown words in a row that may be one."""
_TECHNIQUE = pattern(  # in small letters
    r"(?:sha|md|base|utf|pbkdf|argon|oauth|rs|es|hs|ps|aes|rsa|ed|p|v|s3|k8s|l10n|i18n|http|ipv|win|py|python|node|web|b)-?\d+\w{0,6}"
)


def is_secret_value(match: LabelMatch, value: Value, certainty: Certainty) -> bool:
    text = value.text[:500]
    if not text.strip() or "[REDACTED" in text:
        return False
    if _is_no_end(match, value) or _is_code(match, value):
        return False
    if match.label.kind == "key":
        in_capitals = (match.line_before[-2:] + match.name)[:2].isupper()
        return is_random_key(text, in_capitals=in_capitals)
    if match.row == "from" and "从" in match.sign:
        return "改" in match.text[value.end : value.end + 2] or looks_like_password(
            text
        )
    if match.label.kind == "short" and not _is_setting(match):
        certainty = Certainty.HINT
    if value.is_quoted or certainty < Certainty.PROSE:
        return is_secret(text, certainty, is_quoted=value.is_quoted)
    return (
        _is_secret_in_prose(match, value)
        if certainty == Certainty.PROSE
        else _is_hinted(match, text)
    )


def _is_no_end(match: LabelMatch, value: Value) -> bool:
    """Return whether what follows the value shows that it is no secret."""
    behind = match.text[value.end : value.end + 40]
    if match.row == "tag" and match.sign.startswith(">"):
        return not behind.lstrip().startswith("</")
    if match.row == "pair":
        is_same = match.name.lower() in value.text.lower()
        return is_same or not _END_OF_PAIR.match(behind)
    return match.row in ("cell", "tag") and any(map(is_known, value.text.split()[1:]))


def _is_code(match: LabelMatch, value: Value) -> bool:
    """Return whether it is a call, or the name of a variable as Markdown shows one."""
    if value.is_quoted:
        is_shown = match.sign.strip() and match.text[value.start - 1] == "`"
        return bool(is_shown) and is_variable(value.text)
    behind = match.text[value.end : value.end + 1]
    return behind in ("(", "[") and value.text.isidentifier()


def _is_setting(match: LabelMatch) -> bool:
    """Return whether it is no verb, as `pass` alone is one as well."""
    above = match.text[max(0, match.label.start - 120) : match.label.start].lower()
    is_part = re.search(r"[_-]\Z|[a-z]\Z", match.line_before) is not None
    return is_part or any(map(above.__contains__, ("user", "login", "mail", "host")))


def _is_hinted(match: LabelMatch, text: str) -> bool:
    if _is_technique(text) or not is_secret(text, Certainty.HINT, is_quoted=False):
        return False
    is_mixed = re.search("[a-z]", text) and re.search("[A-Z]", text)
    return (
        match.label.kind == "password"
        or looks_random(text)
        or bool(len(text) >= 8 and is_mixed and len(re.findall(r"\d+", text)) > 1)
    )


def _is_description(match: LabelMatch, value: Value) -> bool:
    """Return whether a colon introduces words about what nobody makes up of words."""
    if match.row != "colon" or is_known(value.text):
        return False
    name = match.name.lower()
    if name == "pin" and _REQUIREMENT.fullmatch(value.text):
        return True
    if name not in ("pin", "token"):
        return False
    is_sentence = _DESCRIPTION.match(match.text, value.start) is not None
    return is_sentence and _run_on(match.text, value.end)[1] < _PASSPHRASE - 1


def _is_technique(word: str) -> bool:
    return any(map(str.isdigit, word)) and bool(_TECHNIQUE.fullmatch(word.lower()))


def _is_secret_in_prose(match: LabelMatch, value: Value) -> bool:
    """Return whether a bare word is a secret, and not a description of one."""
    word, row = value.text, match.row
    if _is_term(match, word) or _is_description(match, value):
        return False
    if not is_secret(word, Certainty.PROSE, is_quoted=False):
        is_phrase = row != "next" and is_known(word)
        return is_phrase and _is_phrase_of_known(match.text, value)
    if looks_like_password(word):
        return True
    if row in ("is", "option", "arrow", "colon", "assign") and is_variable(word):
        return False
    return row in ("is", "option") or _ends_clause(match, value)


def _is_term(match: LabelMatch, word: str) -> bool:
    is_kind = match.label.kind == "token" and re.fullmatch("[A-Z]{2,5}s?", word)
    is_file = "." in word and _FILE.fullmatch(word)
    return bool(is_kind or is_file) or _is_technique(word)


def _ends_clause(match: LabelMatch, value: Value) -> bool:
    end, _ = _run_on(match.text, value.end)
    if CLAUSE_END.match(match.text, end):
        return True
    behind = match.text[end : end + 30].lstrip().lower()
    return match.row in ("to", "from") and CHANGED.match(behind) is not None


def _is_phrase_of_known(text: str, value: Value) -> bool:
    """Return whether no later word is known: "correct horse battery staple"."""
    end, words = _run_on(text, value.end)
    return words >= 3 and CLAUSE_END.match(text, end) is not None


def _run_on(text: str, end: int) -> tuple[int, int]:
    """Return where unknown words behind a first one end, and how many there are."""
    words = 0
    while words < 11 and (more := _PHRASE.match(text, end)):
        if is_known(more[0].strip()):
            break
        end, words = more.end(), words + 1
    return end, words


def end_of_phrase(match: LabelMatch, value: Value) -> int:
    if value.is_quoted or not _LETTERS.fullmatch(value.text):
        return value.end
    if (
        match.row == "assign"
        and match.sign == match.sign.strip()
        and (rest := _REST_OF_LINE.match(match.text, value.end))
    ):
        return rest.end()
    if match.row in ("option", "call", "value", "attribute"):
        return value.end
    return _run_on(match.text, value.end)[0]
