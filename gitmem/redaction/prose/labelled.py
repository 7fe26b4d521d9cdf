"""Secrets that a label announces: `password=`, "the password is …", a column of a table."""

# ruff: noqa: E501 - a pattern of words is a line

import re
from collections.abc import Iterator, Sequence

from gitmem.redaction.letters import ends_in
from gitmem.redaction.prose.contexts import TAG, certainty_of
from gitmem.redaction.prose.false_positives import (
    CLAUSE_END,
    end_of_phrase,
    is_secret_value,
)
from gitmem.redaction.prose.known_words import is_known
from gitmem.redaction.prose.labels import Label
from gitmem.redaction.prose.reading import LabelMatch, read_value
from gitmem.redaction.prose.secret_values import (
    Certainty,
    is_secret,
    is_variable,
    looks_like_password,
)
from gitmem.redaction.prose.surroundings import CLOSE, surroundings_at
from gitmem.redaction.prose.tables import Span, secrets_in_columns
from gitmem.text.patterns import pattern, word_list

_NEAR = 3

_PASSING = word_list("""
next page continuation starting sync lock change request idempotency public eos bos pad unk sep cls mask stop
start end special cancel cancellation cursor design color syntax lexer prev previous last first current curr
cur peek expected expects lookahead max min num total unexpected
""")
"""Before a token: they page, lock and repeat, are read by parsers, and open nothing."""
_PASSING_WORD = pattern(
    rf"(?:(?<![^\W_])|(?-i:(?<=[a-z])(?=[A-Z])))(?:{'|'.join(_PASSING)})[_ -]?\Z",
    re.IGNORECASE,
)
_PASSING_KEYS = word_list("""
public pub primary foreign cache partition sort row group object hash lookup dedup idempotency gpg pgp ssh
host index message event storage bucket file query commit content trace state map dict item data store
publishable
""")
"""They find, sort and verify, and open nothing."""
_PASSING_PINS = word_list("""
led gpio cs tx rx reset data clk clock sda scl mosi miso button btn output input digital analog pwm trigger
trig echo relay motor servo sensor irq int power enable header
""")
_ACCOUNT = pattern(r":\d{12}:\Z")  # in a name of AWS
_ATTRIBUTE_BEFORE = pattern(
    r"\bvalue=[\"']?(?P<secret>[^\s\"'<>{}]{1,200})[\"']?\s[^<>]{0,80}\Z"
)
_LINK = pattern(
    r" (?:(?P<verb>is|ist|es|est|é|jest|är|è|este|—|war|was)|as|als|como|comme|come|jako|som|olarak|ca|как)"
    r"(?= )"
)
_VALUE_BEFORE = pattern(
    r"(?P<quote>[\"'`“„«]?)(?P<secret>[^\s\"'`“”„«»]{1,200})[\"'`”“»]?\Z"
)
_MOST_SPACES = 5
_UP_TO_LABEL = pattern(
    r" (?:(?:the|our|my|his|her|their|your|this|that|a|das|dein|unser|mein|la|el|le|o|a|het|de|det|il|mon"
    r"|notre|mi|nuestra|ons|mijn|moje|naše|nasze|mitt|ditt) )?"
    r"(?:[\w.'’-]{1,20}[ -]){0,3}[^\W\d_]{0,20}\Z"
)
_WORD_BEFORE = pattern(r"([^\W\d_]+) \Z")
_USED = pattern(
    r"(?:use[sd]?|using|with|set|enter|choose|chose|hard-?code[sd]?|try|keep|put|add|remove|nimm|nutze|verwende|mit|setze|usa|usar|pon|con"
    r"|utilise|mets|avec|gebruik|met|użyj|ustaw|použij|nastav|använd|sätt|imposta|folosește|используй|поставь)\s\W?\Z"
)
_ARROW_ON = pattern(
    r"\\{0,3}[\"'`”]?[ ]?(?:->|→|=>|to|zu|auf|in|a|à|en|em|para|por|naar|na|till|til|su|la|în|на|から|에서)[ ]\\{0,3}(?=\S)|[ ]?(?:改[为成]|から|에서|到|变成|變成|改為)[ ]?"
)


def labelled(text: str, labels: Sequence[Label]) -> Iterator[Span]:
    """Yield the secrets that these labels announce, in order and apart."""
    done = 0
    for start, end in sorted(_all_spans(text, labels)):
        if start >= done:
            yield start, end
            done = end


def _all_spans(text: str, labels: Sequence[Label]) -> Iterator[Span]:
    done = 0
    starts = [*(label.start for label in labels[1:]), len(text) + _NEAR]
    for label, next_start in zip(labels, starts, strict=True):
        if label.start < done or next_start - label.end < _NEAR:
            continue  # a label is no value, and what follows it is its own
        for span in _spans_at(text, label):
            done = max(done, span[1] if span[0] >= label.start else done)
            yield span
    yield from secrets_in_columns(text, labels)


def _spans_at(text: str, label: Label) -> list[Span]:
    if "[REDACTED" in text[label.end : label.end + 14]:
        return []
    line_before = text[max(0, label.start - 120) : label.start].rpartition("\n")[2]
    if _is_passing(text, label, line_before):
        return []
    closed = CLOSE.match(text, label.end)
    at = closed.end() if closed else label.end
    for row, sign in surroundings_at(text, at):
        match = LabelMatch(text, label, line_before, row, sign, at + len(sign))
        if spans := _secrets_behind(match):
            return spans
    return _secret_before(text, label, line_before)


def _is_passing(text: str, label: Label, line_before: str) -> bool:
    """Return whether what stands before a label makes another word of it."""
    if line_before.endswith("/etc/") or (
        line_before[-1:] == ":" and _ACCOUNT.search(line_before)
    ):
        return True
    if label.kind == "key":
        return ends_in(line_before, _PASSING_KEYS, "_-")
    if label.kind == "token":
        is_near = ends_in(line_before, _PASSING, "_ -")
        return is_near and _PASSING_WORD.search(line_before[-20:]) is not None
    is_pin = text[label.start : label.start + 3].lower() == "pin"
    return is_pin and ends_in(line_before, _PASSING_PINS, "_ -")


def _secrets_behind(match: LabelMatch) -> list[Span]:
    certainty = certainty_of(match)
    if certainty is None:
        return []
    value = read_value(match)
    if value is None or not is_secret_value(match, value, certainty):
        return []
    spans = [(value.start, end_of_phrase(match, value))]
    on = _ARROW_ON.match(match.text, spans[0][1])
    if on is None:
        return [] if match.row == "from" else spans
    sign = on[0].strip(" \\\"'`”")
    if match.row == "from" or sign in ("->", "→", "=>", "から", "에서"):
        second = read_value(match._replace(at=on.end()))
        if second and is_secret(
            second.text, Certainty.PROSE, is_quoted=second.is_quoted
        ):
            spans.append((second.start, second.end))
    return spans


def _secret_before(text: str, label: Label, line_before: str) -> list[Span]:
    """Return a value that stands before its label: "use X as the password"."""
    at = label.start - len(line_before)
    if label.kind in ("key", "short"):
        return []
    if TAG.search(line_before) and (match := _ATTRIBUTE_BEFORE.search(line_before)):
        return [(at + match.start("secret"), at + match.end("secret"))]
    for link in _LINK.finditer(line_before):
        if line_before.count(" ", link.end()) > _MOST_SPACES:
            continue
        begin = line_before.rfind(" ", 0, link.start()) + 1
        value = _VALUE_BEFORE.search(line_before, begin, link.start())
        if value and _UP_TO_LABEL.match(line_before, link.end()):
            if not _may_be_secret(value["secret"], is_quoted=bool(value["quote"])):
                return []
            first = _first_word(line_before, value)
            is_verb = link["verb"] is not None
            if _is_announced(text, label, line_before[:first], value, is_verb=is_verb):
                return [(at + first, at + value.end("secret"))]
            return []
    return []


def _may_be_secret(value: str, *, is_quoted: bool) -> bool:
    is_name = (
        is_known(value) or is_variable(value) or re.fullmatch("[A-Z]{2,6}s?", value)
    )
    return not is_name and is_secret(value, Certainty.PROSE, is_quoted=is_quoted)


def _first_word(line_before: str, match: re.Match[str]) -> int:
    """Return where the value begins, which may be several words."""
    first = match.start("secret")
    while not match["quote"] and (word := _WORD_BEFORE.search(line_before[:first])):
        if is_known(word[1]) or _USED.search(word[0].lower()):
            break
        first = word.start()
    return first


def _is_announced(
    text: str, label: Label, line_before: str, value: re.Match[str], *, is_verb: bool
) -> bool:
    """Return whether a value before a label is one, by verb, quotation or looks."""
    is_password = label.kind == "password"
    if looks_like_password(value["secret"]) and (is_password or value["quote"] != "`"):
        return True
    if not is_verb:
        return _USED.search(line_before.lower().rstrip("\"'`") + " ") is not None
    is_whole = not line_before.strip(" >*-#") and CLAUSE_END.match(text, label.end)
    return is_password and bool(is_whole or value["quote"])
