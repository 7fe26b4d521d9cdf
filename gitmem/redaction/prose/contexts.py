"""How sure the surrounding of a label makes that a value follows."""

# ruff: noqa: E501 - a pattern of words is a line

import re
from collections.abc import Callable

from gitmem.redaction.prose.reading import LabelMatch
from gitmem.redaction.prose.secret_values import Certainty
from gitmem.text.patterns import pattern, word_list

_CODE_LINE = pattern(
    r"(?:^|[\s(;])(?:const|let|var|val|final|auto|return|if|elif|else|while|for|mut|def|function"
    r"|assert|public|private|protected|static|self\.|this\.|cls\.|case|with|class|switch|raise|COMMENT ON)\b"
)
_PARAMETER = pattern(r"[?&;][\w.-]*\Z")
_IN_CALL = pattern(r"[({\[](?:[^(){}\[\]\n]*,)?\s*[\w.\"'$@*&]*\Z|,\s*\Z(?<=\A,)")
_OPTION = pattern(r"(?:(?<![\w-])--?|\s/p:)[\w.-]*\Z")
_NAMED = pattern(
    r"(?:[nN]ame|ey|AME|EY|id|ype)\\{0,7}[\"']?[ ]?[:=][ ]?\\{0,7}[\"']?[\w.-]*\Z"
)
_ARGUMENT = pattern(
    r"[(\[]\s*[rbu]?[\"'][#.\w-]*\Z|(?<![\w:]):\w*\Z|[(\[][^()\[\]\n]{0,80},\s*[\"'][#.]?[\w-]*(?:PASS|pass)[\w-]*\Z"
)
TAG = pattern(r"<[^<>]{0,200}\Z|</?key>[\w.-]*\Z|<[a-z]{1,6}>[^<>]{0,40}\Z")
_READING = pattern(
    r"(?:get|find|has|is|load|read|fetch|require|need|lookup|list|delete|remove|describe|test|it|ask|prompt)_?\w*\Z"
)
_WRITING = pattern(
    r"(?:set|with|change|update|login|auth|verify|check|client|access|api|bearer|new)_?\w*\Z"
)
_TELLING = pattern(
    r"(?:^|[\s(])(?:with|using|use|uses|used|enter|type|try|temp|temporary|initial|new|old|hard-?coded?|set|put"
    r"|leaked|plaintext|add|remove|default|mit|nutze|con|usa|avec|utilise|com|met|gebruik|z|s|použij|med|använd|cu|с|ile"
    r"|(?:user|username|login|benutzer|usuario|utente|utilisateur)[: ]\s?(?!and |und |or )\S{1,40}?(?:,| and| und| y| et| e)?)"
    r"(?:\s(?:the|a|my|our|this|dem|das|la|el|le|o|het|det|il|lo|wifi|db|admin|root|staging|\w{1,12}['’]s))?(?:\s[\w-]{1,20})?\s\Z"
)
_WHOSE = word_list("""
for of on in at für von vom des der de del para du pour da do van voor dla pro för på di per pentru для от back
was is has been wurde fue est foi jest je är è a this to from desde z ze från fra din с со из
""")
_SCOPE = pattern(r"\s*\w{2,12}\([\w/, -]*\Z")
_LOGGING_IN = pattern(
    r"(?:log ?in|sign ?in|authenticate[ds]?|connect) (?:with|using) (?:the |my |this )?(?:\w{1,12} )?\Z"
)
_CODE_IN_LINE = pattern(r"\w[(\[{]|\s=\s|\w=\w|;\Z|::|->|\b(?:return|import|from)\b")
CHANGED = pattern(  # of small letters
    r"(?<![^\W_])(?:(?:set|sets|setting|met|mets|mettre|mis|pon|pone|pongo|pus|puse|zet|gezet|sat|satt|byt|bytte)(?!\w)"
    r"|chang|reset|updat|rotat|switch|bump|revert|replac|default(?:s|ed)|änder|geänder|setz|gesetz|umgestellt"
    r"|cambi|modif|actuali|restabl|défin|alter|mud|troc|redefin|defin|wijzig|gewijzig|verander|ingesteld|zmie|ustaw"
    r"|změn|nastav|ändr|sätt|impost|schimb|setat|değiş|ayarla|измен|смен|установ|поменя|задан|сброш)"
)
_CHANGED_AFTER = pattern(
    r"[ ](?:gesetzt|geändert|umgestellt|gestellt|ingesteld|gezet|olarak|ayarla|değiş)"
)
_OF_SECRET = pattern(" (?:to|of|in|behind) ")
_NO_VALUE = pattern(r"[\w \"'.-]{1,40}:(?:\s|\Z)|[|#]|-{3}|</?\w|```")
_ALONE = pattern(r"[\s#>*_`-]*(?:(?:the|new|my|wifi|db|admin)\s)?")
_ASSIGNED = ("assign", "colon", "value", "pair", "attribute", "option", "typed")
_ROWS_OF_KIND = {
    "key": _ASSIGNED,
    "short": (*_ASSIGNED, "default", "for", "or", "arrow", "cell", "tag", "dump"),
}
"""Behind labels that are other words as often, only these surroundings count."""


def place_of(found: LabelMatch) -> Certainty | None:
    """Return how sure it is that a value follows; None where it does not."""
    if found.row not in _ROWS_OF_KIND.get(found.label.kind, (found.row,)):
        return None
    if place := _PLACES.get(found.row):
        return place(found)
    return Certainty.TOLD if _TOLD_IF[found.row](found) else None


def _is_option(near: str) -> bool:
    return ("-" in near or "/p:" in near) and _OPTION.search(near) is not None


def _is_changed(text: str) -> bool:
    return CHANGED.search(text.lower()) is not None


def _is_writing(found: LabelMatch) -> bool:
    small = found.before.lower()
    if _READING.match(re.split(r"\W", small)[-1]):
        return False
    return found.label.kind == "password" or _WRITING.search(small) is not None


def _is_of_change(sign: str) -> bool:
    """Return whether only a change or an owner is between label and preposition."""
    words = sign.split()[:-1]
    if not words or words[0] in _WHOSE:
        return True
    return len(words) <= 2 and CHANGED.match(words[0].lower()) is not None


def _next(found: LabelMatch) -> Certainty | None:
    kind, before = found.label.kind, found.before
    is_first = not before.strip(" \t>*-#/") or before.strip(" \t")[-1:] in "_-"
    near = before[-70:].lower()
    if found.is_quoted:
        is_announced = kind == "password" or is_first or _TELLING.search(near)
        return Certainty.TOLD if is_announced else None
    telling = _TELLING if kind == "password" else _LOGGING_IN
    is_verb_last = is_first and found.label.language in ("tr", "it")
    return Certainty.TOLD if is_verb_last or telling.search(near) else Certainty.HINT


def _is_in_call(before: str) -> bool:
    """Return whether a bracket is open at a place; quick where there is none."""
    has_bracket = "(" in before or "[" in before or "{" in before
    return has_bracket and _IN_CALL.search(before) is not None


def _assigned(found: LabelMatch) -> Certainty:
    sign, before = found.sign, found.before
    if found.is_quoted:
        return Certainty.LITERAL
    if sign.strip() in (":=", "==", "===", "!=", "!==", "??=", "||=", "<-"):
        return Certainty.CODE
    near = before[-40:]
    if _is_in_string(found) or _is_option(near) or _PARAMETER.search(near):
        return Certainty.LITERAL
    if _is_in_call(before) or _CODE_LINE.search(before):
        return Certainty.CODE
    if sign.strip() != sign:
        is_code = found.last == ";" or re.search(r"\A {4}|,\s*\Z", before)
        return Certainty.CODE if is_code else Certainty.CONFIG
    is_item = found.last == "," and not before.strip()
    return Certainty.CODE if is_item else Certainty.LITERAL


def _is_in_string(found: LabelMatch) -> bool:
    if found.text[found.label.end : found.label.end + 1] in ('"', "'", "`"):
        return False
    return found.before.count('"') % 2 == 1 or found.before.count("'") % 2 == 1


def _coloned(found: LabelMatch) -> Certainty | None:
    before = found.before
    if found.is_quoted:
        return Certainty.LITERAL
    if found.is_closed and _SCOPE.match(before):
        return None
    if _is_in_string(found):
        return Certainty.TOLD
    if _CODE_LINE.search(before):
        return Certainty.CODE
    if _is_in_call(before):
        return Certainty.CODE if found.line(1).isupper() else Certainty.CONFIG
    return Certainty.CODE if found.last in (",", ";") else Certainty.TOLD


def _stands_below(found: LabelMatch) -> bool:
    line, before, label = found.line(200).rstrip(), found.before, found.label
    if not line or _CODE_LINE.search(before) or _NO_VALUE.match(line):
        return False
    if _CODE_IN_LINE.search(line.lstrip("({[")):
        return False
    if re.search("[:：=]", found.sign):
        return True
    name = found.name
    if label.kind != "password" or " " in line or not _ALONE.fullmatch(before.lower()):
        return False
    if name.isupper() and line.isupper() and line.isalpha():
        return False
    line_start = label.start - len(before)
    above = found.text[max(0, line_start - 80) : line_start]
    is_first = not above.strip() or above.endswith("\n\n")
    return is_first or name[0].isupper() or re.search("[#*_]", before) is not None


def _literal_or_code(found: LabelMatch) -> Certainty:
    return Certainty.LITERAL if found.is_quoted else Certainty.CODE


def _pointed_at(found: LabelMatch) -> Certainty:
    is_sure = found.label.kind == "password" or not found.before.strip(" *`\"'")
    return Certainty.TOLD if is_sure or found.is_quoted else Certainty.HINT


def _tells(found: LabelMatch) -> bool:
    """Return whether "is" announces the secret, and is no part of code or a title."""
    if found.sign.strip() == "to":
        return True
    is_of = found.name.lower() == "secret" and _OF_SECRET.match(found.sign)
    return not (is_of or _CODE_LINE.search(found.before))


def _is_changed_to(found: LabelMatch) -> object:
    return _is_of_change(found.sign) and (
        _is_changed(found.before[-60:] + found.sign)
        or _CHANGED_AFTER.search(found.line(80))
    )


_PLACES: dict[str, Callable[[LabelMatch], Certainty | None]] = {
    "arrow": _pointed_at,
    "assign": _assigned,
    "attribute": lambda found: Certainty.LITERAL if TAG.search(found.before) else None,
    "colon": _coloned,
    "next": _next,
    "paren": lambda found: (
        Certainty.HINT if found.sign.strip() == "(" else Certainty.TOLD
    ),
    "value": lambda found: Certainty.CONFIG if _NAMED.search(found.before) else None,
    **dict.fromkeys(("typed", "typing", "property"), _literal_or_code),
    **dict.fromkeys(("default", "for", "or", "dump"), lambda _: Certainty.LITERAL),
}
_TOLD_IF: dict[str, Callable[[LabelMatch], object]] = {
    "below": _stands_below,
    "call": _is_writing,
    "cell": lambda found: not found.before.partition("|")[0].strip(),
    "from": lambda f: "从" in f.sign or _is_changed(f.before + f.sign + f.line(60)),
    "is": _tells,
    "option": lambda found: not found.is_closed and _is_option(found.before[-40:]),
    "pair": lambda found: _ARGUMENT.search(found.before),
    "tag": lambda found: "?P<" not in found.before and TAG.search(found.before),
    "to": _is_changed_to,
}
