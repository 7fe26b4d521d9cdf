"""How a statement is worded: its content words, what it negates, and its order.

The tables cover eleven languages. Words stand in them as `fold` leaves them.
"""

from functools import lru_cache
from typing import NamedTuple

from gitmem.search.queries.context import STOP_WORDS
from gitmem.search.words import fold, stems, tokens
from gitmem.text.patterns import listed, pattern
from gitmem.text.symbols import spelled_out


def _set(words: str) -> frozenset[str]:
    return frozenset(listed(words))


_NOT = "not"
_NEGATORS = _set(
    """
    not no nor never neither without none cannot nothing nobody off dont doesnt isnt
    cant nicht kein keine keinen keinem keiner keines nie niemals ohne weder nichts
    ne pas jamais sans aucun aucune ni nunca jamas sin ningun ninguna tampoco non mai
    senza nessun nessuno nessuna nao sem nenhum nenhuma niet geen nooit zonder
    не нет ни без никогда нельзя
    """
)
_OPPOSITES = {
    "allow": (
        listed("allow permit erlaub autoris permett разреш"),
        listed(
            "forbid deni prohibit ban verbiet verbot interdi prohib proib vieta запре"
        ),
    ),
    "enabl": (
        listed("enabl aktivier activ ativ attiv включ"),
        listed("disabl deaktivier desactiv desativ disattiv выключ отключ"),
    ),
    "accept": (listed("accept"), listed("reject refus")),
    "use": (listed("use"), listed("avoid")),
}
"""Beginnings of words that say the same, and of their opposites."""
_ARTICLES = _set(
    """
    the an der die das dem den des ein eine einen einem einer eines le la les un une
    el los las una lo il gli uno um uma een het
    """
)
_BOUND = _set(
    """
    from over under above below before after instead than uber unter vor nach statt
    anstatt avant apres plutot sobre antes despues invece prima dopo над под вместо
    перед после
    """
)
"""Words that belong to the word behind them, wherever both stand."""
_MARKS = _NEGATORS | _BOUND
_TELLING = _set("out up until was were will own any some my your")
"""Stop words of English that tell statements apart."""
_COURTESY = _set(
    """
    kindly now currently always every each ever wir bitte ist sind wird werden du nous
    sont wij мы de d l
    """
)
_DROPPED = (STOP_WORDS - _TELLING) | _ARTICLES | _COURTESY
LIMITS = _set(
    """
    onli hard rare seldom bare except unless must may option deprec nur kaum selten
    ausser darf seulement rarement sauf solo raramente salvo apenas somente alleen
    zelden только редко кроме
    """
)
"""Stems and words that change what is said beside the same others."""
_LISTING = _set(", and or und oder et ou y e и или en of")
_IS = _set("is are be ist sind est sont es son sao zijn")
VALUED = _IS | _set("= on by via to as through auf durch par por da op на")
"""Words behind which a value stands."""
PLACES = _set("in for of at within fur en pour para dans per nel na")
"""Words behind which it stands where something holds."""
_DIRECTIONS = _set(
    """
    not uber vor nach statt anstatt von zu auf unter aus gegenuber als voor na van naar
    на вместо перед после над под из от до
    """
)
_FREE_ORDER = pattern(
    r"[а-я]|\b(?:der|die|das|dem|den|ein|eine|wir|ist|sind|wird|werden|het|een|wij)\b"
)
_POLITE = pattern(
    r"\b(?:por favor|per (?:favore|cortesia)|s['’]il (?:vous|te) plait|merci de"
    r"|veuillez|пожалуиста|alstublieft|alsjeblieft)\b|请|請|ください|下さい|してほしい"
    r"|します|する|です|ます|(?:합니다|한다|하지|하세요|해요|는다|습니다)(?=\W|$|않|말)"
)
_NEGATED = pattern(
    r"(?:\b(?:can|won|shan)|n)['’]t\b|\b(?:no longer|not any ?more|any ?more|nicht mehr"
    r"|ne plus|ya no|non piu|nao mais|niet meer|больше не)\b"
    r"|不|没|沒|无|無|未|别|勿|非|禁止?|停止?|しない|ない|なく|なし|ません"
    r"|않|없|\b안(?=\s)|못|금지|지\s?말|마세요|마십시오"
)
_CLAUSE = pattern(r"[,;:.!?](?=\s|$)|[。，、；：！？\n()]")
_CHANGE = pattern(
    r"\b(?:instead of|no longer|any ?more|revert(?:ed|ing)?|(?:gave|given|giving) up"
    r"|switch(?:ed|ing)? (?:from|to|back)|(?:went|moved|gone|going) (?:back|away|over)"
    r"|replac(?:es?|ed|ing)|dropp(?:ed|ing)|abandon(?:ed|ing)?|rolled back|undone"
    r"|nicht mehr|(?:an)?statt|anstelle|zuruckgenommen|aufgegeben|verworfen|umgestellt"
    r"|gewechselt|ersetzt|ruckgangig|au lieu|plus (?:de|en|dans)|(?:ne|n['’]) ?\w+ plus"
    r"|abandonn\w+|remplac\w+|annul\w+|en (?:vez|lugar) de|ya no|reemplaz\w+|revert\w+"
    r"|invece d\w+|non \w+ piu|sostitui\w+|em vez d\w+|nao \w+ mais|substitu\w+"
    r"|niet meer|in plaats van|вместо|больше не|отказал\w+|заменил\w+|откатил\w+"
    r"|перешли)\b|不再|改为|改用|放弃|替换|取代|回滚|撤销|代わりに|やめ|廃止|置き換え|戻し"
    r"|変更|대신|더 이상|포기|교체|되돌|변경"
)


class Wording(NamedTuple):
    """What a text says, as it is compared with another one."""

    words: tuple[str, ...]
    """The content words in their order; of opposites the one that is not negative."""
    negated: frozenset[str]
    """Those that are negated, by a word before them or else behind them."""
    bound: frozenset[tuple[str, str]]
    """Words such as `from`, each with the content word that it belongs to."""
    sequence: tuple[str, ...]
    """All words but articles, with a comma between clauses."""
    has_free_order: bool
    """Whether a verb does not tell what stands before it from what follows."""


@lru_cache(maxsize=1 << 12)
def wording(text: str) -> Wording:
    """Return how a text is worded."""
    plain = fold(spelled_out(text))
    spaced = _NEGATED.sub(f" {_NOT} ", _POLITE.sub(" ", plain))
    words: list[str] = []
    negated: set[str] = set()
    bound: set[tuple[str, str]] = set()
    sequence: list[str] = []
    for clause in _CLAUSE.split(spaced):
        pending: list[str] = []
        for token in tokens(clause):
            content = _content(token)
            if not content and token in _MARKS:
                pending.append(_NOT if token in _NEGATORS else token)
            for word, is_opposite in content:
                words.append(word)
                if (_NOT in pending) != is_opposite:
                    negated ^= {word}
                bound.update((mark, word) for mark in pending if mark != _NOT)
                pending = []
            if token not in _ARTICLES:
                sequence.append(_NOT if token in _NEGATORS else token)
        if _NOT in pending and words:
            negated ^= {words[-1]}
        sequence.append(",")
    order = tuple(" ".join(sequence).rstrip(", ").split())
    return Wording(
        tuple(words) or order,
        frozenset(negated),
        frozenset(bound),
        order,
        bool(_FREE_ORDER.search(plain)),
    )


@lru_cache(maxsize=1 << 14)
def _content(token: str) -> tuple[tuple[str, bool], ...]:
    """Return the content words of a token, and whether each is an opposite of it."""
    if token in _DROPPED or token in _MARKS:
        return ()
    return tuple(map(_canonical, stems(token)))


def _canonical(stem: str) -> tuple[str, bool]:
    for word, (same, opposite) in _OPPOSITES.items():
        for is_opposite, beginnings in ((False, same), (True, opposite)):
            if any(_begins(stem, each) for each in beginnings):
                return word, is_opposite
    return stem, False


def _begins(stem: str, beginning: str) -> bool:
    return stem == beginning or (len(beginning) > 4 and stem.startswith(beginning))


def is_swapped(one: Wording, other: Wording) -> bool:
    """Whether two parts of a text change their places around what tells them apart.

    "Tabs over spaces" and "spaces over tabs", not "for tabs use spaces" and "use spaces
    for tabs".
    """
    _, (first, second) = differing(one.sequence, other.sequence)
    if sorted(first) != sorted(second):
        return False
    is_free = one.has_free_order or other.has_free_order
    size = len(first)
    heads = [n for n in range(1, size) if first[:n] == second[-n:]]
    tails = [n for n in range(1, size) if first[-n:] == second[:n]]
    return any(
        first[head:-tail] == second[tail:-head]
        and _tells_apart(first[head:-tail], is_free=is_free)
        for head in heads
        for tail in tails
        if head + tail < size
    )


def differing(
    one: tuple[str, ...], other: tuple[str, ...]
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return what two sequences begin with, and how each goes on to a common end."""
    most = min(len(one), len(other))
    start = next((n for n in range(most) if one[n] != other[n]), most)
    ends = range(1, most - start + 1)
    end = next((n - 1 for n in ends if one[-n] != other[-n]), most - start)
    return one[:start], [each[start : len(each) - end] for each in (one, other)]


def _tells_apart(middle: tuple[str, ...], *, is_free: bool) -> bool:
    if _IS.issuperset(middle) or {middle[0], middle[-1]} <= _LISTING:
        return False
    return not is_free or not _DIRECTIONS.isdisjoint(middle)


def denies(text: str) -> bool:
    """Whether a text negates something, or gives it up."""
    return bool(wording(text).negated) or tells_change(text)


def tells_change(text: str) -> bool:
    """Whether a text says that something is given up, undone or replaced."""
    return bool(_CHANGE.search(fold(text)))
