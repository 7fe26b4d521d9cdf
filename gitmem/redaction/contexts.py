"""How sure the surrounding of a label makes that a value follows."""

# ruff: noqa: E501 - a pattern of words is a line

import re

from gitmem.redaction.patterns import pattern
from gitmem.redaction.reading import Found, is_quoted
from gitmem.redaction.values import Place

_CODE_LINE = pattern(
    r"(?:^|[\s(;])(?:const|let|var|val|final|auto|return|if|elif|else|while|for|mut|def|function"
    r"|assert|public|private|protected|static|self\.|this\.|cls\.|case|with|class|switch|raise|COMMENT ON)\b"
)

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
    r"(?:get|find|has|is|load|read|fetch|require|need|lookup|list|delete|remove|describe|test|it|ask|prompt)_?\w*\Z",
    re.IGNORECASE,
)

_WRITING = pattern(
    r"(?:set|with|change|update|login|auth|verify|check|client|access|api|bearer|new)_?\w*\Z",
    re.IGNORECASE,
)

_TELLING = pattern(
    r"(?:^|[\s(])(?:with|using|use|uses|used|enter|type|try|temp|temporary|initial|new|old|hard-?coded?|set|put"
    r"|leaked|plaintext|add|remove|default|mit|nutze|con|usa|avec|utilise|com|met|gebruik|z|s|použij|med|använd|cu|с|ile"
    r"|(?:user|username|login|benutzer|usuario|utente|utilisateur)[: ]\s?(?!and |und |or )\S{1,40}?(?:,| and| und| y| et| e)?)"
    r"(?:\s(?:the|a|my|our|this|dem|das|la|el|le|o|het|det|il|lo|wifi|db|admin|root|staging|\w{1,12}['’]s))?(?:\s[\w-]{1,20})?\s\Z",
    re.IGNORECASE,
)

_WHOSE = pattern(
    r"for|of|on|in|at|für|von|vom|des|der|de|del|para|du|pour|da|do|van|voor|dla|pro|för|på|di|per|pentru|для|от|back"
    r"|was|is|has|been|wurde|fue|est|foi|is|jest|je|är|è|a|this|to|from|desde|van|z|ze|från|fra|din|с|со|из"
)

_SCOPE = pattern(r"\s*\w{2,12}\([\w/, -]*\Z")

_LOGGING_IN = pattern(
    r"(?:log ?in|sign ?in|authenticate[ds]?|connect) (?:with|using) (?:the |my |this )?(?:\w{1,12} )?\Z",
    re.IGNORECASE,
)

_CODE_IN_LINE = pattern(r"\w[(\[{]|\s=\s|\w=\w|;\Z|::|->|\b(?:return|import|from)\b")

CHANGED = pattern(
    r"(?<![^\W_])(?:(?:set|sets|setting|met|mets|mettre|mis|pon|pone|pongo|pus|puse|zet|gezet|sat|satt|byt|bytte)(?!\w)"
    r"|chang|reset|updat|rotat|switch|bump|revert|replac|default(?:s|ed)|änder|geänder|setz|gesetz|umgestellt"
    r"|cambi|modif|actuali|restabl|défin|alter|mud|troc|redefin|defin|wijzig|gewijzig|verander|ingesteld|zmie|ustaw"
    r"|změn|nastav|ändr|sätt|impost|schimb|setat|değiş|ayarla|измен|смен|установ|поменя|задан|сброш)",
    re.IGNORECASE,
)

_CHANGED_AFTER = pattern(
    r"[ ](?:gesetzt|geändert|umgestellt|gestellt|ingesteld|gezet|olarak|ayarla|değiş)"
)


_ASSIGNED = ("assign", "colon", "value", "pair", "attribute", "option", "typed")
_ROWS_OF_KIND = {
    "key": _ASSIGNED,
    "short": (*_ASSIGNED, "default", "for", "or", "arrow", "cell", "tag", "dump"),
}
"""Behind labels that are other words as often, only these surroundings count."""


def place_of(found: Found) -> Place | None:  # noqa: C901, PLR0911, PLR0912, PLR0915 - a case a row
    """How sure it is that a value follows; None where it does not."""
    label, before, text = found.label, found.before, found.text
    is_password = label.kind == "password"
    is_literal = is_quoted(text, found.at)
    if found.row not in _ROWS_OF_KIND.get(label.kind, (found.row,)):
        return None
    match found.row:
        case "call":
            word = re.search(r"\w*\Z", before)
            if _READING.match(word[0] if word else ""):
                return None
            return Place.TOLD if is_password or _WRITING.search(before) else None
        case "value":
            return Place.CONFIG if _NAMED.search(before) else None
        case "pair":
            return Place.TOLD if _ARGUMENT.search(before) else None
        case "typed" | "typing" | "property":
            return Place.LITERAL if is_literal else Place.CODE
        case "default" | "for" | "or" | "dump":
            return Place.LITERAL
        case "below":
            return Place.TOLD if _stands_below(found) else None
        case "arrow":
            return (
                Place.TOLD
                if is_password or is_literal or not before.strip(" *`\"'")
                else Place.HINT
            )
        case "cell":
            return Place.TOLD if re.match(r"\s*(?:\||\Z)", before) else None
        case "assign":
            return Place.LITERAL if is_literal else _assigned(found)
        case "colon":
            return Place.LITERAL if is_literal else _coloned(found)
        case "tag":
            return Place.TOLD if TAG.search(before) and "?P<" not in before else None
        case "attribute":
            return Place.LITERAL if TAG.search(before) else None
        case "option":
            is_closed = found.at - len(found.sign) > label.end
            return (
                Place.TOLD if _OPTION.search(before[-40:]) and not is_closed else None
            )
        case "is":
            is_of = text[label.start : label.end].lower() == "secret" and re.match(
                " (?:to|of|in|behind) ", found.sign
            )
            if found.sign.strip() == "to":
                return Place.TOLD
            return None if is_of or _CODE_LINE.search(before) else Place.TOLD
        case "from":
            return (
                Place.TOLD
                if CHANGED.search(
                    before + found.sign + text[found.at : found.at + 60].split("\n")[0]
                )
                or "从" in found.sign
                else None
            )
        case "to":
            after = text[found.at : found.at + 80].split("\n")[0]
            if not _is_of_change(found.sign):
                return None
            is_changed = CHANGED.search(
                before[-60:] + found.sign
            ) or _CHANGED_AFTER.search(after)
            return Place.TOLD if is_changed else None
        case "paren":
            return Place.TOLD if found.sign.strip() != "(" else Place.HINT
        case _:
            return _next(found, is_literal=is_literal)


def _is_of_change(sign: str) -> bool:
    """Whether nothing but a change, or whose it is, stands between label and preposition."""
    words = sign.split()[:-1]
    is_change = len(words) <= 2 and CHANGED.match(words[0]) if words else True
    return bool(is_change or _WHOSE.fullmatch(words[0]))


def _next(found: Found, *, is_literal: bool) -> Place | None:
    """What follows a label with nothing in between."""
    kind, before = found.label.kind, found.before
    starts_line = not before.strip(" \t>*-#/") or before.strip(" \t")[-1:] in "_-"
    if kind in ("key", "short"):
        return None
    if is_literal:
        is_announced = starts_line or _TELLING.search(before[-70:])
        return Place.TOLD if kind == "password" or is_announced else None
    telling = _TELLING if kind == "password" else _LOGGING_IN
    if telling.search(before[-70:]) or (
        found.label.language in ("tr", "it") and starts_line
    ):
        return Place.TOLD
    return Place.HINT


def _is_in_call(before: str) -> bool:
    """Whether a bracket is open; a pattern takes its time where there is none."""
    return any(map(before.__contains__, "([{")) and (
        _IN_CALL.search(before) is not None
    )


def _assigned(found: Found) -> Place:
    sign, before, text = found.sign, found.before, found.text
    if sign.strip() in (":=", "==", "===", "!=", "!==", "??=", "||=", "<-"):
        return Place.CODE
    if _OPTION.search(before[-40:]) or re.search(r"[?&;][\w.-]*\Z", before[-40:]):
        return Place.LITERAL
    if _is_in_string(found):
        return Place.LITERAL
    if _is_in_call(before) or _CODE_LINE.search(before):
        return Place.CODE
    line_end = text.find("\n", found.at)
    last = text[line_end - 1 : line_end] if line_end > 0 else text[-1:]
    if sign.strip() != sign:
        is_code = last == ";" or re.search(r"\A {4}|,\s*\Z", before)
        return Place.CODE if is_code else Place.CONFIG
    return Place.CODE if last == "," and not before.strip() else Place.LITERAL


def _is_in_string(found: Found) -> bool:
    """Whether a program has label and value in one string."""
    after = found.text[found.label.end : found.label.end + 1]
    return after not in ('"', "'", "`") and any(
        found.before.count(quote) % 2 for quote in "\"'"
    )


def _coloned(found: Found) -> Place | None:
    text, before = found.text, found.before
    if _SCOPE.match(before) and found.at - len(found.sign) > found.label.end:
        return None
    if _is_in_string(found):
        return Place.TOLD
    if _CODE_LINE.search(before):
        return Place.CODE
    if _is_in_call(before):
        return Place.CODE if text[found.at : found.at + 1].isupper() else Place.CONFIG
    line_end = text.find("\n", found.at)
    line_end = len(text) if line_end < 0 else line_end
    if text[line_end - 1 : line_end] in (",", ";"):
        return Place.CODE
    return Place.TOLD


def _stands_below(found: Found) -> bool:
    """Whether the next line holds nothing but a value."""
    line = found.text[found.at : found.at + 200].split("\n")[0].rstrip()
    if (
        not line
        or _CODE_LINE.search(found.before)
        or _CODE_IN_LINE.search(line.lstrip("({["))
    ):
        return False
    if re.match(r"[\w \"'.-]{1,40}:(?:\s|\Z)|[|#]|-{3}|</?\w|```", line):
        return False
    if re.search("[:：=]", found.sign):
        return True
    alone = re.fullmatch(
        r"[\s#>*_`-]*(?:(?:the|new|my|wifi|db|admin)\s)?", found.before, re.IGNORECASE
    )
    line_start = found.label.start - len(found.before)
    above = found.text[max(0, line_start - 80) : line_start]
    is_marked = (
        re.search("[#*_]", found.before) or found.text[found.label.start].isupper()
    )
    if (
        found.text[found.label.start : found.label.end].isupper()
        and line.isupper()
        and line.isalpha()
    ):
        return False
    is_first = not above.strip() or above.endswith("\n\n")
    return bool(
        alone
        and (is_marked or is_first)
        and " " not in line
        and found.label.kind == "password"
    )
