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
_ANNOUNCING = pattern(
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


def certainty_of(match: LabelMatch) -> Certainty | None:
    """Return how sure it is that a value follows; None where it does not."""
    if match.row not in _ROWS_OF_KIND.get(match.label.kind, (match.row,)):
        return None
    if certainty := _CERTAINTIES.get(match.row):
        return certainty(match)
    return Certainty.PROSE if _PROSE_IF[match.row](match) else None


def _is_option(near: str) -> bool:
    return ("-" in near or "/p:" in near) and _OPTION.search(near) is not None


def _is_changed(text: str) -> bool:
    return CHANGED.search(text.lower()) is not None


def _is_writing(match: LabelMatch) -> bool:
    small = match.line_before.lower()
    if _READING.match(re.split(r"\W", small)[-1]):
        return False
    return match.label.kind == "password" or _WRITING.search(small) is not None


def _is_of_change(sign: str) -> bool:
    """Return whether only a change or an owner is between label and preposition."""
    words = sign.split()[:-1]
    if not words or words[0] in _WHOSE:
        return True
    return len(words) <= 2 and CHANGED.match(words[0].lower()) is not None


def _next(match: LabelMatch) -> Certainty | None:
    kind, line_before = match.label.kind, match.line_before
    is_first = (
        not line_before.strip(" \t>*-#/") or line_before.strip(" \t")[-1:] in "_-"
    )
    near = line_before[-70:].lower()
    if match.is_quoted:
        is_announced = kind == "password" or is_first or _ANNOUNCING.search(near)
        return Certainty.PROSE if is_announced else None
    telling = _ANNOUNCING if kind == "password" else _LOGGING_IN
    is_verb_last = is_first and match.label.language in ("tr", "it")
    return Certainty.PROSE if is_verb_last or telling.search(near) else Certainty.HINT


def _is_in_call(line_before: str) -> bool:
    """Return whether a bracket is open at a place; quick where there is none."""
    has_bracket = "(" in line_before or "[" in line_before or "{" in line_before
    return has_bracket and _IN_CALL.search(line_before) is not None


def _assigned(match: LabelMatch) -> Certainty:
    sign, line_before = match.sign, match.line_before
    if match.is_quoted:
        return Certainty.LITERAL
    if sign.strip() in (":=", "==", "===", "!=", "!==", "??=", "||=", "<-"):
        return Certainty.CODE
    near = line_before[-40:]
    if _is_in_string(match) or _is_option(near) or _PARAMETER.search(near):
        return Certainty.LITERAL
    if _is_in_call(line_before) or _CODE_LINE.search(line_before):
        return Certainty.CODE
    if sign.strip() != sign:
        is_code = match.last == ";" or re.search(r"\A {4}|,\s*\Z", line_before)
        return Certainty.CODE if is_code else Certainty.CONFIG
    is_item = match.last == "," and not line_before.strip()
    return Certainty.CODE if is_item else Certainty.LITERAL


def _is_in_string(match: LabelMatch) -> bool:
    if match.text[match.label.end : match.label.end + 1] in ('"', "'", "`"):
        return False
    return (
        match.line_before.count('"') % 2 == 1 or match.line_before.count("'") % 2 == 1
    )


def _coloned(match: LabelMatch) -> Certainty | None:
    line_before = match.line_before
    if match.is_quoted:
        return Certainty.LITERAL
    if match.is_closed and _SCOPE.match(line_before):
        return None
    if _is_in_string(match):
        return Certainty.PROSE
    if _CODE_LINE.search(line_before):
        return Certainty.CODE
    if _is_in_call(line_before):
        return Certainty.CODE if match.line(1).isupper() else Certainty.CONFIG
    return Certainty.CODE if match.last in (",", ";") else Certainty.PROSE


def _stands_below(match: LabelMatch) -> bool:
    line, line_before, label = match.line(200).rstrip(), match.line_before, match.label
    if not line or _CODE_LINE.search(line_before) or _NO_VALUE.match(line):
        return False
    if _CODE_IN_LINE.search(line.lstrip("({[")):
        return False
    if re.search("[:：=]", match.sign):
        return True
    name = match.name
    if (
        label.kind != "password"
        or " " in line
        or not _ALONE.fullmatch(line_before.lower())
    ):
        return False
    if name.isupper() and line.isupper() and line.isalpha():
        return False
    line_start = label.start - len(line_before)
    above = match.text[max(0, line_start - 80) : line_start]
    is_first = not above.strip() or above.endswith("\n\n")
    return is_first or name[0].isupper() or re.search("[#*_]", line_before) is not None


def _literal_or_code(match: LabelMatch) -> Certainty:
    return Certainty.LITERAL if match.is_quoted else Certainty.CODE


def _pointed_at(match: LabelMatch) -> Certainty:
    is_sure = match.label.kind == "password" or not match.line_before.strip(" *`\"'")
    return Certainty.PROSE if is_sure or match.is_quoted else Certainty.HINT


def _is_announcement(match: LabelMatch) -> bool:
    """Return whether "is" announces the secret, and is no part of code or a title."""
    if match.sign.strip() == "to":
        return True
    is_of = match.name.lower() == "secret" and _OF_SECRET.match(match.sign)
    return not (is_of or _CODE_LINE.search(match.line_before))


def _is_changed_to(match: LabelMatch) -> object:
    return _is_of_change(match.sign) and (
        _is_changed(match.line_before[-60:] + match.sign)
        or _CHANGED_AFTER.search(match.line(80))
    )


_CERTAINTIES: dict[str, Callable[[LabelMatch], Certainty | None]] = {
    "arrow": _pointed_at,
    "assign": _assigned,
    "attribute": lambda match: (
        Certainty.LITERAL if TAG.search(match.line_before) else None
    ),
    "colon": _coloned,
    "next": _next,
    "paren": lambda match: (
        Certainty.HINT if match.sign.strip() == "(" else Certainty.PROSE
    ),
    "value": lambda match: (
        Certainty.CONFIG if _NAMED.search(match.line_before) else None
    ),
    **dict.fromkeys(("typed", "typing", "property"), _literal_or_code),
    **dict.fromkeys(("default", "for", "or", "dump"), lambda _: Certainty.LITERAL),
}
_PROSE_IF: dict[str, Callable[[LabelMatch], object]] = {
    "below": _stands_below,
    "call": _is_writing,
    "cell": lambda match: not match.line_before.partition("|")[0].strip(),
    "from": lambda f: (
        "从" in f.sign or _is_changed(f.line_before + f.sign + f.line(60))
    ),
    "is": _is_announcement,
    "option": lambda match: not match.is_closed and _is_option(match.line_before[-40:]),
    "pair": lambda match: _ARGUMENT.search(match.line_before),
    "tag": lambda match: (
        "?P<" not in match.line_before and TAG.search(match.line_before)
    ),
    "to": _is_changed_to,
}
