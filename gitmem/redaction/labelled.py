"""Secrets that a label announces: `password=`, "the password is …", a column of a table."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from gitmem.redaction.labels import Label, labels_in
from gitmem.redaction.surroundings import (
    CLOSE,
    SURROUNDINGS,
    any_surrounding,
    surroundings,
)
from gitmem.redaction.tables import secrets_in_columns
from gitmem.redaction.values import (
    Place,
    is_random_key,
    is_secret,
    is_variable,
    looks_random,
    looks_told,
)
from gitmem.redaction.words import is_known

Span = tuple[int, int]

_LONGEST = 2_000
_QUOTES = {"“": "”", "„": "“”", "«": "»", "「": "」", "『": "』", "‘": "’"}
_OPENED = re.compile(r"[rbufRBUFN@$]{0,2}(?P<quote>\\{0,7}[\"'`“„«「『‘])")
_BARE = re.compile(r"[^\s\"`<>]+(?:[\"`<>]+[^\s\"`<>/,)}\]]+)*+|[^\s]+")
_CUT = re.compile(
    r"\\{1,7}[nrt\"'`]|['\"`](?=[\s,;.)\]}>]|\Z)|</|<br|[,;&|](?=\s?[\w.-]{1,40}[=:])|&quot;|&(?:amp|lt|gt);"
)
_TRAILING = re.compile(r"[.,;:。，；、»”’」』…]+\Z|\*\*\Z|__\Z")
_CJK = re.compile(r"[^\s。，、；！？：」』）)\"'”|]+")
_GLOSS = re.compile(
    r"\s?(?:位|个|個|字|文字|桁|자|개|回|分|加密|编码|格式|形式|方式|等|类型|以上|暗号|認証|ハッシュ)"
)
_PHRASE = re.compile(r"[ ]+(?=[^\W_])[^\W_]+(?:['’-][^\W_]+)*(?=[\s.,;:!?)|\"'`]|\Z)")
_CODE_LINE = re.compile(
    r"(?:^|[\s(;])(?:const|let|var|val|final|auto|return|if|elif|else|while|for|mut|def|function"
    r"|assert|public|private|protected|static|self\.|this\.|cls\.|case|with|class|switch|raise)\b"
)
_IN_CALL = re.compile(r"[({\[](?:[^(){}\[\]\n]*,)?\s*[\w.\"'$@*&]*\Z|,\s*\Z(?<=\A,)")
_OPTION = re.compile(r"(?:(?<![\w-])--?|\s/p:)[\w.-]*\Z")
_NAMED = re.compile(
    r"(?:[nN]ame|ey|AME|EY|id|ype)\\{0,7}[\"']?[ ]?[:=][ ]?\\{0,7}[\"']?[\w.-]*\Z"
)
_ARGUMENT = re.compile(
    r"[(\[]\s*[rbu]?[\"'][#.\w-]*\Z|(?<![\w:]):\w*\Z|[(\[][^()\[\]\n]{0,80},\s*[\"'][#.]?[\w-]*(?:PASS|pass)[\w-]*\Z"
)
_TAG = re.compile(r"<[^<>]{0,200}\Z|</?key>[\w.-]*\Z|<[a-z]{1,6}>[^<>]{0,40}\Z")
_LITERAL_LINE = re.compile(
    r"[\s>*#/;•+-]*(?:(?:export|set|setx|ENV|ARG|env)[ \t]+)?[\"'`*]{0,3}[\w.@:/ -]*"
)
_PASSING = re.compile(  # they page, lock and repeat, are read by parsers, and open nothing
    r"(?:next|page|continuation|starting|sync|lock|change|request|idempotency|public|eos|bos|pad|unk|sep|cls"
    r"|mask|stop|start|end|special|cancel|cancellation|cursor|design|color|syntax|lexer|prev|previous|last"
    r"|first|current|curr|cur|peek|expected|expects|lookahead|max|min|num|total|unexpected|:\d{12}:|/etc/)[_ -]?\Z",
    re.IGNORECASE,
)
_PASSING_KEY = re.compile(  # they find, sort and verify, and open nothing
    r"(?i:public|pub|primary|foreign|cache|partition|sort|row|group|object|hash|lookup"
    r"|dedup|idempotency|gpg|pgp|ssh|host|index|message|event|storage|bucket|file|query"
    r"|commit|content|trace|state|map|dict|item|data|store|publishable)[_-]?\Z"
)
_PASSING_PIN = re.compile(
    r"(?:led|gpio|cs|tx|rx|reset|data|clk|clock|sda|scl|mosi|miso|button|btn|output|input|digital|analog|pwm"
    r"|trigger|trig|echo|relay|motor|servo|sensor|irq|int|power|enable|header)[_ -]?\Z",
    re.IGNORECASE,
)
_READING = re.compile(
    r"(?:get|find|has|is|load|read|fetch|require|need|lookup|list|delete|remove|describe|test|it|ask|prompt)_?\w*\Z",
    re.IGNORECASE,
)
_WRITING = re.compile(
    r"(?:set|with|change|update|login|auth|verify|check|client|access|api|bearer|new)_?\w*\Z",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"(?:^|[\s(])(?:with|using|use|uses|used|enter|type|try|temp|temporary|initial|new|old|hard-?coded"
    r"|leaked|plaintext|add|remove|default|mit|nutze|con|usa|avec|utilise|com|met|gebruik|z|s|použij|med|använd|cu|с|ile"
    r"|(?:user|username|login|benutzer|usuario|utente|utilisateur)[: ]\s?(?!and |und |or )\S{1,40}?(?:,| and| und| y| et| e)?)"
    r"(?:\s(?:the|a|my|our|this|dem|das|la|el|le|o|het|det|il|lo|wifi|db|admin|root|staging|\w{1,12}['’]s))?(?:\s[\w-]{1,20})?\s\Z",
    re.IGNORECASE,
)
_LINK = re.compile(r" (?:is|ist|es|est|é|jest|är|è|este|—|war|was|as|als|como|comme|come|jako|som|olarak|ca|как) ")
_SCOPE = re.compile(r"\s*\w{2,12}\([\w/, -]*\Z")
_USED = re.compile(
    r"(?i)(?:use[sd]?|using|with|set|enter|choose|chose|hard-?code[sd]?|try|keep|put|add|remove|nimm|nutze|verwende|mit|setze|usa|usar|pon|con"
    r"|utilise|mets|avec|gebruik|met|użyj|ustaw|použij|nastav|använd|sätt|imposta|folosește|используй|поставь)\s\W?\Z"
)
_LOGGING_IN = re.compile(
    r"(?:log ?in|sign ?in|authenticate[ds]?|connect) (?:with|using) (?:the |my |this )?(?:\w{1,12} )?\Z",
    re.IGNORECASE,
)
_FILE = re.compile(
    r"[\w./-]+\.(?:pyi?|jsx?|tsx?|go|rs|rb|java|json|jsonl|md|txt|ya?ml|toml|ini|cfg|conf|env|sh|html|css|sql|lock|log|c|h|cpp|php|kt|swift|xml|csv|pem|key)"
)
_CLAUSE_END = re.compile(
    r"[.,;:!?)]*(?:\s*(?:\n|\Z|[|<)\]}\"'`([#])|\s(?:for|on|at|in|to|and|or|but|as|und|für|auf|y|para|et|pour|sur|e|en|och|a|i|и|для|na|per|anymore|instead|here|again|à|au|em|naar|till|til|su|în|на|z|w|-->|\*/)(?!\w)|\s?-->|\s?\*/|[.,;!?])"
)
_TECHNIQUE = re.compile(
    r"(?:sha|md|base|utf|pbkdf|argon|oauth|rs|es|hs|ps|aes|rsa|ed|p|v|s3|k8s|l10n|i18n|http|ipv|win|py|python|node|web|b)-?\d+\w{0,6}",
    re.IGNORECASE,
)
_CODE_IN_LINE = re.compile(r"\w[(\[{]|\s=\s|\w=\w|;\Z|::|->|\b(?:return|import|from)\b")
_CHANGED = re.compile(
    r"(?<![^\W_])(?:(?:set|sets|setting|met|mets|mettre|mis|pon|pone|pongo|pus|puse|zet|gezet|sat|satt|byt|bytte)(?!\w)"
    r"|chang|reset|updat|rotat|switch|bump|revert|replac|default(?:s|ed)|änder|geänder|setz|gesetz|umgestellt"
    r"|cambi|modif|actuali|restabl|défin|alter|mud|troc|redefin|defin|wijzig|gewijzig|verander|ingesteld|zmie|ustaw"
    r"|změn|nastav|ändr|sätt|impost|schimb|setat|değiş|ayarla|измен|смен|установ|поменя|задан|сброш)",
    re.IGNORECASE,
)
_CHANGED_AFTER = re.compile(
    r"[ ](?:gesetzt|geändert|umgestellt|gestellt|ingesteld|gezet|olarak|ayarla|değiş)"
)
_ARROW_ON = re.compile(
    r"\\{0,3}[\"'`”]?[ ]?(?:->|→|=>|to|zu|auf|in|a|à|en|em|para|por|naar|na|till|til|su|la|în|на|から|에서)[ ]\\{0,3}(?=\S)|[ ]?(?:改[为成]|から|에서|到|变成|變成|改為)[ ]?"
)
_BEFORE = re.compile(
    r"(?P<quote>[\"'`“„«]?)(?P<secret>[^\s\"'`“”„«»]{1,200})[\"'`”“»]?[ ]"
    r"(?:(?P<verb>is|ist|es|est|é|jest|är|è|este|—|war|was)|as|als|como|comme|come|jako|som|olarak|ca|как)[ ]"
    r"(?:(?:the|our|my|his|her|their|your|this|that|a|das|dein|unser|mein|la|el|le|o|a|het|de|det|il|mon|notre|mi|nuestra|ons|mijn|moje|naše|nasze|mitt|ditt)[ ])?"
    r"(?:[\w.'’-]{1,20}[ -]){0,3}[^\W\d_]{0,20}\Z"
)


class _Value(NamedTuple):
    start: int
    end: int
    text: str
    is_quoted: bool


class _Found(NamedTuple):
    """A label, the surrounding behind it, and what stands before it on its line."""

    text: str
    label: Label
    before: str
    row: str
    sign: str
    at: int
    """Where the value begins."""


def labelled(text: str) -> Iterator[Span]:
    """Where the secrets begin and end that a label announces, in order and apart."""
    done = 0
    for start, end in sorted(_all_spans(text)):
        if start >= done:
            yield start, end
            done = end


def _all_spans(text: str) -> Iterator[Span]:
    done = 0
    labels = labels_in(text)
    for label in labels:
        if label.start < done:
            continue
        for span in _spans_at(text, label):
            done = max(done, span[1] if span[0] >= label.start else done)
            yield span
    yield from secrets_in_columns(text, labels)


def _spans_at(text: str, label: Label) -> list[Span]:
    start = text.rfind("\n", max(0, label.start - 200), label.start) + 1
    before = text[max(start, label.start - 200) : label.start]
    passing = _PASSING_KEY if label.kind == "key" else _PASSING
    if passing.search(before[-20:]) or _is_other_pin(text, label, before):
        return []
    for row, match in _rows_behind(text, label.end):
        sign = match[0]
        found = _Found(text, label, before, row, sign, match.end())
        spans = _secrets_behind(found)
        if spans:
            return spans
    return _secret_before(text, label, before)


def _is_other_pin(text: str, label: Label, before: str) -> bool:
    is_pin = text[label.start : label.start + 3].lower() == "pin"
    return is_pin and _PASSING_PIN.search(before[-12:]) is not None


def _rows_behind(text: str, at: int) -> Iterator[tuple[str, re.Match[str]]]:
    closed = CLOSE.match(text, at)
    at = closed.end() if closed else at
    if first := any_surrounding().match(text, at):
        number = first.lastindex or 1
        yield SURROUNDINGS[number - 1].name, first
        for name, pattern in surroundings()[number:]:
            if match := pattern.match(text, at):
                yield name, match


def _secrets_behind(found: _Found) -> list[Span]:
    place = _place(found)
    if place is None:
        return []
    value = _read(found)
    if value is None or not _goes(found, value, place):
        return []
    spans = [(value.start, _end_of_phrase(found, value))]
    if on := _ARROW_ON.match(found.text, spans[0][1]):
        if (
            on[0].strip(" \\\"'`”") in ("->", "→", "=>")
            or found.row == "from"
            or "から" in on[0]
            or "에서" in on[0]
        ):
            second = _read(found._replace(at=on.end()))
            if second and is_secret(
                second.text, Place.TOLD, is_quoted=second.is_quoted
            ):
                spans.append((second.start, second.end))
    elif found.row == "from":
        return []
    return spans


def _place(found: _Found) -> Place | None:  # noqa: C901, PLR0911, PLR0912 - a case a row
    """How sure it is that a value follows; None where it does not."""
    label, before, text = found.label, found.before, found.text
    is_password = label.kind == "password"
    is_quoted = _OPENED.match(text, found.at) is not None
    if label.kind == "short" and found.row in (
        "below",
        "next",
        "is",
        "from",
        "to",
        "paren",
        "call",
    ):
        return None
    if found.row == "is" and found.sign.strip() == "to":
        return Place.TOLD
    if label.kind == "key" and found.row not in (
        "assign",
        "colon",
        "value",
        "pair",
        "attribute",
        "option",
        "typed",
    ):
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
            return Place.LITERAL if is_quoted else Place.CODE
        case "default" | "for" | "or" | "dump":
            return Place.LITERAL
        case "below":
            return Place.TOLD if _stands_below(found) else None
        case "arrow":
            return (
                Place.TOLD
                if is_password or is_quoted or not before.strip(" *`\"'")
                else Place.HINT
            )
        case "cell":
            return Place.TOLD if re.match(r"\s*(?:\||\Z)", before) else None
        case "assign":
            return Place.LITERAL if is_quoted else _assigned(found)
        case "colon":
            return Place.LITERAL if is_quoted else _coloned(found)
        case "tag":
            return Place.TOLD if _TAG.search(before) and "?P<" not in before else None
        case "attribute":
            return Place.LITERAL if _TAG.search(before) else None
        case "option":
            is_closed = found.at - len(found.sign) > label.end
            return Place.TOLD if _OPTION.search(before) and not is_closed else None
        case "is":
            is_of = text[label.start : label.end].lower() == "secret" and re.match(
                " (?:to|of|in|behind) ", found.sign
            )
            return None if is_of or _CODE_LINE.search(before) else Place.TOLD
        case "from":
            return (
                Place.TOLD
                if _CHANGED.search(
                    before + found.sign + text[found.at : found.at + 60].split("\n")[0]
                )
                or "从" in found.sign
                else None
            )
        case "to":
            after = text[found.at : found.at + 80].split("\n")[0]
            is_changed = _CHANGED.search(
                before[-60:] + found.sign
            ) or _CHANGED_AFTER.search(after)
            return Place.TOLD if is_changed else None
        case "paren":
            return Place.TOLD if found.sign.strip() != "(" else Place.HINT
        case _:
            return _next(found, is_quoted=is_quoted)


def _next(found: _Found, *, is_quoted: bool) -> Place | None:
    """What follows a label with nothing in between."""
    kind, before = found.label.kind, found.before
    starts_line = not before.strip(" \t>*-#/") or before.strip(" \t")[-1:] in "_-"
    if kind in ("key", "short"):
        return None
    if is_quoted:
        return Place.TOLD if kind == "password" or starts_line else None
    telling = _TELLING if kind == "password" else _LOGGING_IN
    if telling.search(before[-70:]) or (found.label.language in ("tr", "it") and starts_line):
        return Place.TOLD
    return Place.HINT


def _assigned(found: _Found) -> Place:
    sign, before, text = found.sign, found.before, found.text
    if sign.strip() in (":=", "==", "===", "!=", "!==", "??=", "||=", "<-"):
        return Place.CODE
    if _OPTION.search(before) or re.search(r"[?&;][\w.-]*\Z", before):
        return Place.LITERAL
    if _IN_CALL.search(before) or _CODE_LINE.search(before):
        return Place.CODE
    line_end = text.find("\n", found.at)
    last = text[line_end - 1 : line_end] if line_end > 0 else text[-1:]
    if sign.strip() != sign:
        is_code = last == ";" or re.search(r"\A {4}|,\s*\Z", before)
        return Place.CODE if is_code else Place.CONFIG
    return Place.CODE if last == "," and not before.strip() else Place.LITERAL


def _coloned(found: _Found) -> Place | None:
    text, before = found.text, found.before
    if _SCOPE.match(before) and found.at - len(found.sign) > found.label.end:
        return None
    if _CODE_LINE.search(before):
        return Place.CODE
    if _IN_CALL.search(before):
        return Place.CODE if text[found.at : found.at + 1].isupper() else Place.CONFIG
    line_end = text.find("\n", found.at)
    line_end = len(text) if line_end < 0 else line_end
    if text[line_end - 1 : line_end] in (",", ";"):
        return Place.CODE
    return Place.TOLD


def _stands_below(found: _Found) -> bool:
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


def _read(found: _Found) -> _Value | None:
    """The value that begins at a place: what is quoted, or up to the next space."""
    text, at = found.text, found.at
    if opened := _OPENED.match(text, at):
        quote = opened["quote"]
        end = _closing(text, opened.end(), quote)
        if end > opened.end():
            return _Value(opened.end(), end, text[opened.end() : end], True)
        if end == opened.end():
            return None
    if found.row == "cell":
        return _until(text, at, r"[ \t]*(?:\||\n|\Z)")
    if found.row == "tag":
        return _until(text, at, r"\s*<")
    if (
        "\u2e80" < text[at : at + 1] < "\uffee"
        or "\u2e80" < found.sign.rstrip()[-1:] < "\uffee"
    ):
        return _read_cjk(text, at, found)
    bare = re.compile(r"\S{1,2000}").match(text, at)
    return _trimmed(text, at, bare.end(), found) if bare else None


def _closing(text: str, at: int, quote: str) -> int:
    """Where a quotation ends, or -1."""
    closed = _up_to(quote).match(text, at, at + _LONGEST)
    return closed.end("content") if closed else -1


@cache
def _up_to(quote: str) -> re.Pattern[str]:
    if len(quote) > 1:
        return re.compile(rf"(?P<content>[^\n]*?){re.escape(quote)}")
    closers = re.escape(_QUOTES.get(quote, quote))
    escaped = r"|\\." if quote in "\"'" else r"|\\"
    return re.compile(rf"(?P<content>(?:[^\\\n{closers}]{escaped})*+)[{closers}]")


def _until(text: str, at: int, stop: str) -> _Value | None:
    end = re.compile(stop).search(text, at, at + _LONGEST)
    if end is None or end.start() <= at:
        return None
    start, close = at, end.start()
    content = text[start:close]
    bare = content.strip("`*\"' ")
    if not bare:
        return None
    start += content.index(bare)
    return _Value(start, start + len(bare), bare, " " in bare or content != bare)


def _read_cjk(text: str, at: int, found: _Found) -> _Value | None:
    ascii_run = re.compile("[!-~]+").match(text, at)
    run = ascii_run or _CJK.match(text, at)
    if run and found.row == "from":
        run = re.compile(r"\S+?(?=改|变|到|換|换)").match(text, at) or run
    if run is None or (ascii_run and _GLOSS.match(text, run.end())):
        return None
    return _Value(at, run.end(), run[0], False)


def _trimmed(text: str, start: int, end: int, found: _Found) -> _Value | None:
    run = text[start:end]
    if "..." in run or "…" in run:
        return None
    if cut := _CUT.search(run, 1):
        run = run[: cut.start()]
    if found.row == "attribute":
        run = run.rstrip("/>")
    if "&" in run and re.search(r"[?&][\w.-]*\Z", found.before):
        run = run[: run.index("&")]
    trimmed = _TRAILING.sub("", run)
    while (
        trimmed
        and trimmed[-1] in ")]}>"
        and trimmed.count(_OPENING[trimmed[-1]]) < trimmed.count(trimmed[-1])
    ):
        trimmed = _TRAILING.sub("", trimmed[:-1])
    run = trimmed or run
    return _Value(start, start + len(run), run, False) if run else None


_OPENING = {")": "(", "]": "[", "}": "{", ">": "<"}


def _goes(found: _Found, value: _Value, place: Place) -> bool:
    """Whether the value is a secret."""
    text = value.text[:500]
    if "[REDACTED" in text or not text.strip():
        return False
    if found.label.kind == "key":
        name = found.before[-2:] + found.text[found.label.start : found.label.end]
        return is_random_key(text, in_capitals=name[:2].isupper())
    if found.label.kind == "short":
        place = _short(found, value, place)
    if not value.is_quoted and _follows_call(found.text, value):
        return False
    if (
        value.is_quoted
        and found.sign.strip()
        and found.text[value.start - 1] == "`"
        and is_variable(text)
    ):
        return False
    if (
        found.row == "tag"
        and found.sign.startswith(">")
        and not found.text[value.end :].lstrip()[:2] == "</"
    ):
        return False
    if found.row == "from" and "从" in found.sign:
        return "改" in found.text[value.end : value.end + 2] or looks_told(text)
    if place == Place.TOLD and not value.is_quoted:
        return _is_told(found, value)
    if place == Place.HINT and not value.is_quoted and found.row in ("next", "paren"):
        return _is_hinted(found, value)
    if found.row == "pair" and not re.compile(
        r"\\{0,7}[\"'`]\s{0,8}(?:[)\]};]|\n|\Z)"
    ).match(found.text, value.end):
        return False
    if (
        found.row == "pair"
        and found.text[found.label.start : found.label.end].lower() in text.lower()
    ):
        return False
    return is_secret(text, place, is_quoted=value.is_quoted)


def _follows_call(text: str, value: _Value) -> bool:
    return text[value.end : value.end + 1] in ("(", "[") and value.text.isidentifier()


def _short(found: _Found, value: _Value, place: Place) -> Place:
    """`pass` alone is a verb as well."""
    above = found.text[max(0, found.label.start - 120) : found.label.start]
    if re.search(r"[_-]\Z|[a-z]\Z", found.before) or re.search(
        r"user|login|mail|host", above, re.IGNORECASE
    ):
        return place
    return Place.HINT


def _is_hinted(found: _Found, value: _Value) -> bool:
    text = value.text
    if _TECHNIQUE.fullmatch(text) or not is_secret(text, Place.HINT, is_quoted=False):
        return False
    if found.label.kind == "password":
        return True
    return looks_random(text) or (
        len(text) >= 8
        and bool(re.search("[a-z]", text) and re.search("[A-Z]", text))
        and len(re.findall(r"\d+", text)) > 1
    )


def _is_told(found: _Found, value: _Value) -> bool:
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
    return _CLAUSE_END.match(found.text, end) is not None or (
        found.row in ("to", "from")
        and _CHANGED.match(found.text[end : end + 30].lstrip()) is not None
    )


def _is_phrase_of_known(text: str, value: _Value) -> bool:
    """Such as "correct horse battery staple": nothing behind the first word is known."""
    end, words = _run_on(text, value.end)
    return words >= 3 and _CLAUSE_END.match(text, end) is not None


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


def _end_of_phrase(found: _Found, value: _Value) -> int:
    if (
        value.is_quoted
        or found.row in ("option", "call", "value", "attribute")
        or not re.fullmatch(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", value.text)
    ):
        return value.end
    return _run_on(found.text, value.end)[0]


def _secret_before(text: str, label: Label, before: str) -> list[Span]:
    """A value that stands before its label: "use X as the password"."""
    if label.kind in ("key", "short"):
        return []
    start = label.start
    if match := re.search(
        r"\bvalue=[\"']?(?P<secret>[^\s\"'<>{}]{1,200})[\"']?\s[^<>]{0,80}\Z", before
    ):
        if _TAG.search(before):
            return [_shift(match, start - len(before))]
    if not _LINK.search(before) or not (match := _BEFORE.search(before)):
        return []
    secret = match["secret"]
    is_quoted = bool(match["quote"])
    if (
        is_known(secret)
        or is_variable(secret)
        or not is_secret(secret, Place.TOLD, is_quoted=is_quoted)
    ):
        return []
    if re.fullmatch("[A-Z]{2,6}s?", secret):
        return []
    is_used = _USED.search(before[: match.start()]) is not None
    is_code = match["quote"] == "`" and label.kind == "token"
    if looks_told(secret) and not is_code:
        return [_shift(match, start - len(before))]
    if match["verb"]:
        starts = not before[: match.start()].strip(" >*-#")
        is_whole = (
            starts and label.kind == "password" and _CLAUSE_END.match(text, label.end)
        )
        is_used = bool(is_whole) or (
            is_quoted and not is_code and label.kind == "password"
        )
    if not is_used:
        return []
    return [_shift(match, start - len(before))]


def _shift(match: re.Match[str], by: int) -> Span:
    start, end = match.span("secret")
    return start + by, end + by


def is_named_secret(name: str, value: str) -> bool:
    """Whether `value`, kept under `name` in a mapping, is a secret by that name."""
    quoted = "".join(" " if c in '\n\r"\\' else c for c in value)
    return any(True for _ in labelled(f'"{name}": "{quoted}"'))
