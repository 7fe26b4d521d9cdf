"""The text between a label and its value: a table of patterns.

`{}` in a sample is the value. The first row that matches behind a label counts. Most rows
are ruled out by `first` and `clue`, and never compiled.
"""

# fmt: off
# ruff: noqa: E501 - a row of the table is a line

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from gitmem.text.patterns import compiled, pattern


class Surrounding(NamedTuple):
    name: str
    first: str
    """Its possible first characters behind spaces; a space, if it needs just that."""
    clue: str
    """A text in small letters that it contains, or the text soon behind it."""
    pattern: str
    sample: str
    counter_sample: str


_GAP = r"[ \t\u3000]{0,8}"
_QUOTED = r"(?=[rbufRBUFN@$]{0,2}\\{0,7}[\"'`“„«「『‘])"
_IS = (
    "is|was|are|were|equals|reads|becomes|ist|lautet|war|heißt|heisst|es|era|será|est|était|sera"
    "|é|foi|luidt|wordt|werd|jest|było|brzmi|będzie|je|bylo|bude|zní|är|lyder|blir|er|è|sarà"
    "|este|это|был|будет|adalah|là"
)
_NOW = (
    "now|set to|still|set|just|simply|currently|always|jetzt|nun|ahora|maintenant|désormais"
    "|agora|nu|teraz|nyní|teď|ora|acum|теперь|сейчас|gesetzt auf"
)
_NEW = (
    "nouă|veche|nueva|actual|antigua|temporal|nouveau|actuel|provisoire|nova|antiga|nuova|attuale"
    "|vecchia|nowe|nové|nytt|neu|alt|новый|старый|temp|new|old|again"
)
_OF = (
    "for|of|on|to|in|at|from|für|von|vom|auf|am|im|zum|zur|der|des|zu|de|del|para|en|du|pour"
    "|sur|da|do|van|voor|op|dla|na|w|pro|k|för|till|på|til|di|per|della|al|pentru|la|для|от|к"
    "|в|по"
)
_TO = "to|auf|zu|a|à|en|em|para|por|naar|na|till|til|su|la|în|на|into|as"
_FROM = "from|von|de|desde|van|z|ze|från|fra|da|din|с|со|из|от"
_WORDS = r"(?:[ ](?!and |or |that |which )[\w@'’/:\[\]-]{1,30}(?:\.[\w@-]{1,20}){0,3})"

SURROUNDINGS = (
    Surrounding("call", "(", "", rf"\(\s{{0,8}}{_QUOTED}", 'db.setPassword("{}")', 'password("Password")'),
    Surrounding("default", "", "default", rf"(?:,?[^\n()]{{0,60}}?|[ ]\{{\s[^{{}}]{{0,200}}?)\bdefault[ ]{{0,20}}[=:][ ]{{0,20}}{_QUOTED}", 'arg("--password", default="{}")', "field(password, default=None)"),
    Surrounding("value", "", "value", r"\s{0,4}(?:,\s{0,40}|\s{1,40}|,?\\n\s{0,40})(?:type=\S{1,20}\s)?\\{0,7}[\"']?(?i:value)\\{0,7}[\"']?[ ]?[:=]" + _GAP, "name: DB_PASSWORD\n  value: {}", "name: password\n  value: $X"),
    Surrounding("pair", ",", ",", rf"[ ]?,\s{{0,8}}{_QUOTED}", 'put("password", "{}")', 'field("token", "access token")'),
    Surrounding("typed", "", "=", r"(?:[ ]?[:?]{1,2}[ ]?|[ ])(?:&(?:'static[ ])?|\*)?[A-Za-z][\w.\[\]|<>?]{0,40}[ ]{1,4}=(?=[ ])[ ]?", 'password: str = "{}"', "password: str = None"),
    Surrounding("for", " ", "=", r"[ ](?i:for)[ ]\S{1,80}[ ]=[ ]?", "SET PASSWORD FOR bob = '{}'", "SET PASSWORD FOR bob = ?"),
    Surrounding("typing", ").", "(", r"\)?\.(?:send_keys|sendKeys|type|fill|setValue|press_sequentially)\(", 'id("password").fill("{}")', 'id("password").fill(value)'),
    Surrounding("property", "{", "get;", r"[ ]\{ get; set; \} =[ ]", 'string Password { get; set; } = "{}";', "string Password { get; set; } = null;"),
    Surrounding("or", "])}|?<o:", "", rf"[\])}}]{{0,2}}[ ]?(?:\|\||\?\?|<<<|or)[ ]?{_QUOTED}|:-(?=\w)", 'env.PASSWORD || "{}"', 'env.PASSWORD || ""'),
    Surrounding("below", ":：=\r\n", "\n", rf"{_GAP}(?:[:：=]\*{{0,2}}{_GAP}(?:[|>][-+]?\d?)?\r?\n(?:\r?\n)?|\r?\n(?:[-=~]{{3,}}\r?\n)?(?:\r?\n)?)[ \t>]*(?:```\w{{0,9}}\r?\n[ ]*)?(?:[-*•][ ])?", "Password:\n  {}", "Password:\n  - required"),
    Surrounding("dump", "=", "string(", r"[ ]?=>\s{1,20}string\(\d{1,4}\)[ ]", '["password"]=>\n  string(7) "{}"', '["password"]=>\n  string(0) ""'),
    Surrounding("arrow", "-–—~=→│👉➜➡⇒➔", "", r"[ ]{1,8}(?:[-–—]>|~>|[-–—])[ ]{1,8}|[ ]{0,8}(?:=>|→|│|👉|➜|➡|⇒|➔)[ ]{0,8}", "password -> {}", "password -> Promise<string>"),
    Surrounding("cell", "|", "|", r"[ \t]{1,40}\|(?!\|)[ \t]{1,40}", "| password | {} |", "| password | string |"),
    Surrounding("assign", ":=!?|＝<", "", rf"{_GAP}(?::=|={{1,3}}(?!>|~[ /])|!==?|\?\?=|\|\|=|＝|<-){_GAP}", "password={}", "token = get_token()"),
    Surrounding("colon", ":：", "", rf"{_GAP}[:：](?![:=])\*{{0,3}}(?:</\w{{1,9}}>)?{_GAP}(?:!!str[ ]|&\w{{1,30}}[ ])?", "password: {}", "password: str"),
    Surrounding("colon", "[(", ":", r"[ ]?[\[(][^\[\]()\n]{0,40}[\])]:[ ]", "Secret Access Key [None]: {}", "Password (optional): yes"),
    Surrounding("tag", "<>", ">", r">[ ]?(?=[^<>=\s])|(?:[ ]?</?[a-z]{1,9}>\s{0,20}){1,3}?<(?:td|dd|code|kbd|span|string|value)(?:[ ][^<>]{0,80})?>\s{0,8}", "<password>{}</password>", "<td>Token</td><td>Type</td>"),
    Surrounding("attribute", "", "value", r"[\"']?[ ][^<>\n]{0,120}?\bvalue[ ]?=[ ]?", "<input type=password value={}>", '<input type=password value="">'),
    Surrounding("option", " ", "", r"[ ]\\\n\s{0,20}|[ ]{1,8}", "run --password {}", "use --token to log in"),
    Surrounding("is", " ", "", rf"(?:[ ](?:{_OF}){_WORDS}{{1,6}}?)?[ ](?i:{_IS})(?:[ ](?:{_NOW})){{0,3}}[:,]?[ ]", "the password is {}", "the password is wrong"),
    Surrounding("is", " ", "", rf"[ ](?:{_NOW})[:]?[ ]", "password now {}", "password now required"),
    Surrounding("is", " ", "", rf"[ ](?:{_NEW})[ ]?[:：][ ]?", "parola nouă: {}", "contraseña nueva: obligatoria"),
    Surrounding("is", "就是改设換换为為成は는은をが를을이가", "", r"[ ]?(?:就?是|[改设換换]?[为為成]|は|는|은|[をが를을이가](?=[ ]?[!-~]))[:：]?[ ]?", "密码是{}", "密码是必填的"),
    Surrounding("is", " ", "", rf"[ ](?:{_OF}){_WORDS}{{1,6}}?[ ]?[:：][ ]", "password for bob: {}", "the password for bob: none"),
    Surrounding("is", " ", "", rf"(?<=has.o|HAS.O|Has.o)(?:[ ](?:{_OF}){_WORDS}{{1,4}}?)?[ ]to[ ]", "hasło to {}", "hasło to za mało"),
    Surrounding("from", "从", "", r"[ ]?从[ ]?", "把密码从{}改为abc", "密码从文件读取"),
    Surrounding("from", " ", "", rf"{_WORDS}{{0,3}}?[ ](?:{_FROM})[ ]", "changed the password from {} to another", "moved the password from a file to the keyring"),
    Surrounding("to", " ", "", rf"{_WORDS}{{0,3}}?[ ](?:{_TO})[ ]", "set the password to {}", "use the password to log in"),
    Surrounding("paren", "(", "", r"[ ]?\((?:(?:was|now|is|old|new|currently|previously|formerly|früher|war|jetzt|antes|avant)?:?[ ])?", "rotate the password (was: {})", "the password (optional)"),
    Surrounding("next", " ", "", r"[ ]", "log in with password {}", "with password hashing"),
)
CLOSE = pattern(r"(?:\\{0,7}[\"'`*_\])}”»」』]|&quot;){0,5}")


_REACH = 250


def surroundings_at(text: str, at: int) -> Iterator[tuple[str, str]]:
    """Yield the names of matching rows, in order, and the text that each matches."""
    text_after = text[at : at + _REACH]
    small = text_after.lower()
    for row in _rows(text_after.lstrip(" \t\u3000")[:1], is_spaced=text_after[:1] == " "):
        if row.clue in small and (sign := compiled(row.pattern).match(text, at)):
            yield row.name, sign[0]


@lru_cache(maxsize=500)
def _rows(first: str, *, is_spaced: bool) -> list[Surrounding]:
    return [
        row
        for row in SURROUNDINGS
        if (is_spaced if row.first == " " else first in row.first or not row.first)
    ]
