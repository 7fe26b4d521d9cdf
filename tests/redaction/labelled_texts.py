"""Texts with a secret behind a label, and harmless ones, made of lists.

A secret is a label of some language, a surrounding and a value, which need not look
like one. `{L}` is the label, `{V}` the value, `{W}` another value.
"""

# ruff: noqa: E501 - a list is a line, in many scripts

import re
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple


def rows(text: str) -> list[str]:
    """What two spaces or line ends divide."""
    return re.split(r"  |\n", text.strip())


def forms_in(name: str) -> list[list[str]]:
    """The lists of forms, a form a line, in a file beside this one."""
    lists = Path(__file__).with_name(name).read_text("utf-8").split("\n\n")
    return [forms.splitlines() for forms in lists]


VALUES = {
    "letters": ["qwertzuiop", "xkcdabc", "Zaubertrank"],
    "word": ["sunshine", "dragonfly", "Wintergarten", "girasol"],
    "passphrase": ["correct horse battery staple", "purple-monkey-dishwasher"],
    "pin": ["4821", "093417"],
    "symbols": ["!!$$##", "§%&/=?", "p@$$!"],
    "short": ["abc", "x9", "q7!"],
    "mixed": ["hunter2", "Tr0ub4dor&3", "q7Zr2Xw9Kb4N"],
    "unicode": ["sonnenblümchen", "солнышко", "ひまわり"],
}

LABELS = {
    "en": rows("""
password  passwd  pwd  passphrase  secret  token  api key  psk
"""),
    "de": ["Passwort", "Kennwort", "Zugangsdaten"],
    "es": ["contraseña"],
    "fr": ["mot de passe"],
    "pt": ["senha"],
    "nl": ["wachtwoord"],
    "pl": ["hasło"],
    "cs": ["heslo"],
    "sv": ["lösenord"],
    "it": ["password"],
    "tr": ["parola", "şifre"],
    "ro": ["parola"],
    "ru": ["пароль"],
    "zh": ["密码", "口令"],
    "ja": ["パスワード"],
    "ko": ["비밀번호"],
}

IDENTIFIERS = rows("""
password  db_password  DB_PASSWORD  dbPassword  userPwd  SECRET  apiKey  x_api_key
authToken  WIFI_PSK  userPin
""")

SENTENCES = {
    "en": rows("""
the {L} is {V}  the {L} for bob is {V}.  changed the {L} from {V} to {W}
set db {L} to {V}  The staging {L} was {V}  log in with {L} {V}  use {V} as the {L}
my {L} is now {V}, ok?  rotate staging {L} (was: {V})
"""),
    "de": rows("""
das {L} ist {V}  das {L} lautet {V}.  {L} von {V} auf {W} geändert
das {L} für bob ist {V}  Nimm {V} als {L}  {L} auf {V} gesetzt
"""),
    "es": [
        *("la {L} es {V}", "cambié la {L} de {V} a {W}", "la {L} para bob es {V}."),
        "usa {V} como {L}",
    ],
    "fr": rows("""
le {L} est {V}  le {L} de bob est {V}.  changé le {L} de {V} à {W}  {L} : {V}
utilise {V} comme {L}
"""),
    "pt": ["a {L} é {V}", "a {L} do banco é {V}.", "mudei a {L} de {V} para {W}"],
    "nl": [
        "het {L} is {V}",
        "het {L} van bob is {V}.",
        "{L} gewijzigd van {V} naar {W}",
    ],
    "pl": ["{L} to {V}", "{L} do bazy to {V}.", "zmieniono {L} z {V} na {W}"],
    "cs": ["{L} je {V}", "{L} k databázi je {V}.", "změnil jsem {L} z {V} na {W}"],
    "sv": ["{L}et är {V}", "{L} är {V}.", "ändrade {L}et från {V} till {W}"],
    "it": [
        "la {L} è {V}",
        "la {L} del database è {V}.",
        "cambiata la {L} da {V} a {W}",
    ],
    "tr": ["{L} {V}", "{L}: {V}."],
    "ro": [
        "{L} este {V}",
        "{L} pentru bob este {V}.",
        "am schimbat {L} din {V} în {W}",
    ],
    "ru": rows("""
{L} — {V}  {L}: {V}.  {L} от базы: {V}  сменил {L} с {V} на {W}  {L} это {V}
"""),
    "zh": rows("""
{L}是{V}  {L}是 {V}。  数据库{L}为{V}  把{L}从{V}改为{W}  {L}改成{V}
"""),
    "ja": ["{L}は{V}です", "{L}は {V} です。", "{L}を{V}に変更", "{L}は「{V}」"],
    "ko": ["{L}는 {V}입니다", "{L}는 {V}", "{L}를 {V}로 변경", "{L}: {V}"],
}


class Text(NamedTuple):
    text: str
    hidden: tuple[str, ...]
    about: str


ALL = [(kind, value) for kind, values in VALUES.items() for value in values]
ONE_WORD = (
    "?{L}", "-p{V}", "://", "-e ", "{W}", "-u ", "--user ", "-p {V}", " as the", "als {L}",
    "como {L}", "comme {L}",
)  # fmt: skip
"""What a value with spaces cannot stand in, as no shell and no reader would know its end."""


def labelled_texts() -> Iterator[Text]:
    anywhere, assigned, logins = forms_in("labelled_texts.txt")
    for language, labels in LABELS.items():
        yield from _texts([*anywhere, *SENTENCES[language]], labels)
    yield from _texts(assigned, IDENTIFIERS)
    yield from _texts(logins, [""])


def _texts(forms: Iterable[str], labels: Iterable[str]) -> Iterator[Text]:
    for form, label, (kind, value) in product(forms, labels, ALL):
        if _fits(form, kind, value):
            filled = form.replace("\\n", "\n").replace("{L}", label)
            text = filled.replace("{V}", value).replace("{W}", "zebrafisch")
            hidden = (value, "zebrafisch") if "{W}" in form else (value,)
            yield Text(text, hidden, f"{form} | {label} | {kind}")


def _fits(form: str, kind: str, value: str) -> bool:
    if " " in value and not any(quote + "{V}" in form for quote in "\"'`「“>"):
        return not any(part in form for part in ONE_WORD)
    if kind == "symbols" and any(part in form for part in ("?{L}", "://", "{L}>{V}<")):
        return False
    return not form.startswith("PIN") or kind == "pin"


EVERYWHERE = """
{L}: {V}
{L} = "{V}"
"{L}": "{V}"
{L}={V}
| {L} | {V} |
{L} -> {V}
{L}: `{V}`, and on
# {L}: {V}
""".strip().splitlines()
TELLTALES = ("Papageienfeder", "90417362", "%!§%!§%!")
"""Letters, digits and symbols that stand nowhere else in a repository."""


def everywhere() -> list[str]:
    """All languages in eight surroundings, with each of `TELLTALES`."""
    return [
        form.replace("{L}", labels[0]).replace("{V}", value)
        for labels, form, value in product(LABELS.values(), EVERYWHERE, TELLTALES)
    ]
