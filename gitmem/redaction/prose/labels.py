"""The words that announce a secret, in many languages: the table behind the labels.

A row has five columns, two spaces or more apart: kind, language, clue, pattern, example.
The clue is what every such label contains, in small letters; the pattern matches from
there on, and `{KIND}` stands for a word before it, such as `api`. Kind `password` is
redacted in any surroundings; `token` needs a sign, a verb or an option behind it;
`short` is as often another word, and needs a value that ends its line; `key` has no
certain meaning, and needs a value that looks random.
"""

# ruff: noqa: E501 - a row of the table is a line

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from gitmem.redaction.letters import ends_in, finder, in_small_letters, places_of
from gitmem.text.patterns import pattern, word_list

LABELS = r"""
password  en  pass       pass(?:w(?:or[dt]s?|d)|[ _-]?phrase|code)          password
password  en  pw         pwd                                                pwd
password  en  pw         (?:(?<![^\W_])|(?-i:(?<=[a-z])(?=P)|(?<=[A-Z])(?=PW)))pw            pw
password  en  psk        (?:(?<![^\W_])|(?-i:(?<=[a-z])(?=P)))psk           psk
password  en  pin        (?:(?<![^\W_])|(?-i:(?<=[a-z])(?=P)))pin           PIN
short     en  pass       (?:(?<![^\W_])|(?-i:(?<=[a-z])(?=P)|(?<=[A-Z])(?=PASS)))pass          DB_PASS
token     en  secret     secret(?:[ _-]?(?:access[ _-]?)?key(?:[_-]?base)?|[ _-]?token)?  client_secret
token     en  token      token                                              token
token     en  cred       (?:(?<![^\W_])|(?-i:(?<=[a-z])(?=C)))cred(?:ential)?s?  credentials
token     en  key        {KIND}key                                          api key
key       en  key        (?<=[\w-])key                                      STRIPE_KEY
key       en  _salt      _salt                                              AUTH_SALT
key       en  _pat       _pat                                               GITHUB_PAT
password  de  kennwor    kennwort(?:e?s)?                                   Kennwort
password  de  pass       passwort(?:e?s)?                                   Passwort
token     de  zugang     zugangs(?:daten|schl(?:ü|ue)ssel|code|kennung)     Zugangsdaten
token     de  anmelde    anmeldedaten                                       Anmeldedaten
token     de  schlüssel  {KIND}schlüssel                                    API-Schlüssel
token     de  geheimn    geheimnis                                          Geheimnis
password  es  contrase   contrase(?:ñ|n|&ntilde;)a                          contraseña
token     es  clave      clave(?=[ _-](?:de )?(?:api|acceso|secreta|privada))(?:[ _-](?:de )?\w+)  clave de acceso
token     es  cred       credencia(?:les|is)                                credenciales
token     es  secret     (?<![^\W_])secreto                                 secreto
password  fr  pass       passe(?<=mot.de.passe)                             mot de passe
token     fr  jeton      jeton                                              jeton
token     fr  identif    identifiants                                       identifiants
token     fr  clé        cl(?:é|ef)[ _-](?:d['’](?:api|accès)|api|secrète|privée)  clé API
password  pt  senha      (?<![^\W_])senha                                   senha
password  pt  pass       passe(?<=palavra.passe)                            palavra-passe
token     pt  chave      chave[ _-](?:de[ _-])?(?:api|acesso|secreta|privada)  chave de API
token     pt  segre      (?<![^\W_])segredo                                 segredo
password  nl  wachtw     wachtwoord                                         wachtwoord
token     nl  sleutel    {KIND}sleutel                                      API-sleutel
token     nl  gegevens   gegevens(?<=inloggegevens)                         inloggegevens
password  pl  has        (?<![^\W_])has(?:ł|l)(?:o|a|em|u)                  hasło
token     pl  klucz      klucz[ _-](?:api|dostępu|prywatny|tajny)           klucz API
token     pl  logowania  logowania(?<=dane.logowania)                       dane logowania
password  cs  hesl       (?<![^\W_])hesl(?:o|a|em|u)                        heslo
token     cs  klíč       {KIND}klíč                                         API klíč
password  sv  senord     (?<=l[öo])senord(?:et)?             lösenord
password  sv  pass       passord(?:et)?                                     passord
token     sv  nyckel     {KIND}nyckeln?                                     API-nyckel
password  it  parol      (?<![^\W_])parola(?! chiave)(?: d['’]ordine)?      parola
password  ro  parol      (?<![^\W_])parol(?:ă|ei)                           parolă
password  tr  parol      (?<![^\W_])parolas[ıi](?:n[ıi])?                   parolası
password  tr  ifre       (?<=[şŞsS])ifre(?:si|niz|n|mi)?                    şifre
token     it  chiave     chiave[ _-](?:api|segreta|privata|di accesso)      chiave API
token     it  segre      (?<![^\W_])segreto                                 segreto
token     it  cred       credenziali                                        credenziali
token     tr  anahtar    anahtar[ıi](?<=api anahtar.)                       API anahtarı
password  ru  арол       арол(?:ь|я|ем|ю|и)                                  пароль
token     ru  токен      токен(?:а|ом)?                                     токен
token     ru  секрет     секрет(?:а|ом)?                                    секрет
token     ru  ключ       ключ[ _-](?:api|доступа)  ключ API
password  ru  пин        (?<![^\W_])пин(?:-?код)?                           ПИН-код
password  zh  密码        密码                                                密码
password  zh  密碼        密碼                                                密碼
password  zh  口令        口令                                                口令
token     zh  令牌        令牌                                                令牌
token     zh  密钥        密钥                                                密钥
token     zh  凭          凭[证据]                                             凭证
password  ja  パスワード  パスワード                                            パスワード
password  ja  パスフレーズ  パスフレーズ                                          パスフレーズ
password  ja  暗証        暗証番号                                              暗証番号
token     ja  トークン     トークン                                              トークン
token     ja  シークレット  シークレット                                          シークレット
token     ja  キー        {KIND}キー                              APIキー
token     ja  認証情      認証情報                                              認証情報
password  ko  비밀번호     비밀번호                                              비밀번호
password  ko  암호        암호(?!화)                                           암호
token     ko  토큰        토큰                                                토큰
token     ko  시크릿      시크릿                                               시크릿
token     ko  키          {KIND}키                                  API 키
"""

_KIND = "{KIND}"
_KINDS = word_list("""
api access auth app private encryption encrypt signing master admin shared preshared subscription integration
ingest consumer license webhook deploy tunnel hmac jwt aes cipher account
""")
"""Words before `key` that make it certain that a secret key is meant."""
_PART = r"(?:\d{0,2}(?:[_-](?:prod|production|staging|dev|local|live|old|new|value|plain))?)"
_END = rf"{_PART}(?![^\W_]|[_-][^\W_])"
COLUMNS = pattern(r"\s{2,}")
"""Separator of the columns of a table: two spaces or more."""
_WRITTEN_TOGETHER = ("zh", "ja", "ko")


class Label(NamedTuple):
    """A label's place in a text, its kind and its language."""

    start: int
    end: int
    kind: str
    language: str


class _Row(NamedTuple):
    kind: str
    language: str
    pattern: re.Pattern[str]
    has_kind: bool


def labels_in(text: str) -> list[Label]:
    """Return the labels of `text`, in order; of equal ends, the first of the table."""
    labels: dict[int, Label] = {}
    for place, rows in _clues_in(text):
        for row in rows:
            match = row.pattern.match(text, place)
            if match and (
                not row.has_kind
                or ends_in(text[max(0, place - 20) : place], _KINDS, " _-")
            ):
                label = Label(place, match.end(), row.kind, row.language)
                labels.setdefault(match.end(), label)
                break
    return sorted(labels.values())


def may_have_label(text: str) -> bool:
    return not text.isascii() or bool(_clues(in_ascii=True)(in_small_letters(text)))


def _clues_in(text: str) -> Iterator[tuple[int, list[_Row]]]:
    small = in_small_letters(text)
    for clue, rows in _clues(in_ascii=True)(small):
        for place in places_of(clue.encode(), small):
            yield place, rows
    if not text.isascii():
        any_small = text.replace("İ", "I").lower()  # each letter stays one
        for clue, rows in _clues(in_ascii=False)(any_small.encode(errors="replace")):
            for place in places_of(clue, any_small):
                yield place, rows


@cache
def _clues(*, in_ascii: bool) -> Callable[[bytes], list[tuple[str, list[_Row]]]]:
    rows = _rows_by_clue().items()
    return finder((row[0], row) for row in rows if row[0].isascii() == in_ascii)


@cache
def _rows_by_clue() -> dict[str, list[_Row]]:
    by_clue: dict[str, list[_Row]] = {}
    for line in LABELS.strip().splitlines():
        kind, language, clue, source, _ = COLUMNS.split(line)
        end = "" if language in _WRITTEN_TOGETHER else _END
        late = pattern(source.removeprefix(_KIND) + end, re.IGNORECASE)
        row = _Row(kind, language, late, source.startswith(_KIND))
        by_clue.setdefault(clue, []).append(row)
    return by_clue
