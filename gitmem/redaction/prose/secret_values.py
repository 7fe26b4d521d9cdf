"""What follows a label: where the value ends, and whether it is one.

Whatever stands there is a secret, but for what is listed here: placeholders, types,
references, calls, and in a sentence the words of `words`. What a value looks like decides
only where nothing but its place speaks for it (`looks_random`, `looks_chosen`).
"""

# ruff: noqa: E501 - a pattern of words is a line

import re
from enum import IntEnum

from gitmem.redaction.prose.known_words import is_known
from gitmem.redaction.prose.labels import Label, labels_in, may_have_label
from gitmem.text.patterns import pattern, word_list


class Certainty(IntEnum):
    """How sure a surrounding makes that a value follows."""

    LITERAL = 0
    """A setting, a header, an option: everything goes but what is listed."""
    CONFIG = 1
    """A setting or a program: a bare word that is named as variables are is one."""
    CODE = 2
    """A program: a bare word is a variable."""
    PROSE = 3
    """A sentence, a table, a colon: a known word says something about the secret."""
    HINT = 4
    """It may follow: the value has to look chosen as well."""


_LABEL = (
    r"(?:pass(?:word|wd|phrase|code|wort)?s?|pwd|pw|pin|psk|secrets?|tokens?|api[_-]?key|key"
    r"|credentials?|creds|kennwort|contraseña|senha|wachtwoord|has[łl]o|heslo|lösenord"
    r"|parola|пароль|密码|口令|パスワード|비밀번호|mot[_-]de[_-]passe)"
)
_PLACEHOLDERS = word_list("""
none null nil true false yes no on off undefined unset empty default nan blank void str string strings
bytes text varchar char number int integer bool boolean any object float double date uuid unknown never
required optional disabled enabled hidden masked removed missing invalid incorrect nullable email
username value test testing foo bar todo tbd tba na n/a prompt example placeholder dummy redacted include
omit same-origin inherit self this
""")
_PLACEHOLDER = pattern(  # of small letters
    r"-?\d|#[0-9a-f]{6}|(?:required|nullable|string|confirmed|min:\d+)\|.*|[a-z]{2,8}[-_]"
    r"|(?:.*[^a-z])?your[-_ ].*|.*[-_ ]here|insert[-_ ].*|--?[a-z][a-z-]*"
    r"|.*(?:redacted|placeholder|example\b).*|.*\*\*\*.*|.*\.\.\..*|.*….*|[x*.•●–_-]{2,}"
    r"|x{3,}.*|.*x{4,}|<.*>|\[.*\]|\{\{.*",
    re.DOTALL,
)
_LABEL_ALONE = pattern(  # of small letters
    rf"(?:[a-z0-9]+[-_.])+{_LABEL}|{_LABEL}(?:\d?|(?:[-_.][a-z0-9]+)+)"
    rf"|(?:.*[^a-z0-9])?(?:your|my)[-_ ]?(?:\w{{1,12}}[-_ ])?{_LABEL}(?:[^a-z0-9].*)?",
    re.DOTALL,
)
_REFERENCE = pattern(
    r"\$[A-Za-z_]\w*(?:-|(?:->|\[|\{|\().*)?|\$\d|\$[({].*|%[A-Za-z_]\w*%|(?:.*[\s=])?(?:%[sdrxvq]\W?)+(?:\s.*)?|%[(\w].{0,2}|\?"
    r"|:[a-z]\w*|@[A-Za-z]\w*(?:\.\w+)*|\{[\w.$!#\[\]'\"() ]*\}?|\{\{.*|.*(?:\$\{|\$\(|\{\{|#\{).*"
    r"|(?:\.{1,2}|~)?/(?:[\w.@-]+/)*[\w.@-]*|[a-z]{1,10}://.*|arn:.*|0x[0-9A-Fa-f]{1,8}"
    r"|!(?:Ref|Sub|secret|vault|reference|env_var)\b.*|(?:vault|op|ref|env|secret|file|ssm):\S+"
    r"|!?&?\*?[A-Za-z_]\w*\(.*",
    re.DOTALL,
)
_BETWEEN_QUOTES = pattern(r"[)\]]{0,3}\s(?:[^\n]*[\s(\[])?")
"""Code between two strings, of which the first ends in a label."""
_MESSAGE = pattern(  # of small letters
    r"\b(?:must|please|required|invalid|cannot|enter|should|is not|are not|does not|characters"
    r"|bitte|debe|doit|deve|moet|musi|måste)\b"
)
_CODE_WORDS = word_list("""
await new lambda function async not typeof return yield None null nil nullptr self this if else in is and or
for func fn def class import from final const let var
""")
_EXPRESSION = pattern(
    r"!?[&*]{0,2}[A-Za-z_$][\w$]*(?:(?:\?\.|\.|->|::|!\.)[A-Za-z_$][\w$]*|\[[^\]]{0,80}\]|[!?])*"
    r"(?:[(\[{<].*)?[!?]?"
)
_UNREADABLE_WORD = pattern(r"0x[0-9A-Fa-f]{1,8}|[xX]{3,}")
_UNREADABLE = pattern(r"<.*>|.*(?:\*\*\*|…).*|\.{3}|\*+")
_NO_WORD = pattern(r"[(\[{]+(?:[\w'\").\]}:]|\Z)|(?:#|//|/\*|--)\Z|[^\w\s]\Z")
_MEMBER = pattern(r"\w+(?:\.\w+)*\.[A-Z]\w+")
_CALL = pattern(
    r"!?[&*]{0,2}[A-Za-z_$][\w$]*(?:(?:\?\.|\.|->|::)[A-Za-z_$][\w$]*)*!?[(\[]"
)
_ATTRIBUTE = pattern(
    r"(?:self|this|cls|super|config|cfg|conf|settings|env|process|os|req|request|res|resp"
    r"|response|ctx|context|user|data|options|opts|args|argv|params|props|state|event|secrets"
    r"|vars?|local|module|form|body|session|credentials|auth|account|client|app|result|obj|item"
    r"|input|row|record|e|x|m|c|s|t|p|\w*(?:[Cc]onfig|[Ss]ettings|[Cc]reds|[Cc]redentials|[Ff]orm"
    r"|[Rr]equest|[Tt]oken|[Ss]ecret|[Pp]assword))(?:\??\.|->|::|\[)[\w$.\[\]>:'\"?-]+"
)
_TYPE = pattern(
    r"_*[A-Z]\w*(?:Mgr|Manager|Buffer|Service|Handler|Store|Factory|Client|Holder|Generator"
    r"|Encoder|Hasher|Policy|Params|Props|Event|Result|Status|Builder|Like|Str|String|Key|Token|Secret|Type|Credentials?|Password|Control|Field|Source"
    r"|Config|Provider|Options|Info|Data|Dto|DTO|Request|Response|Hash|Value|Schema|Model|Ref"
    r"|Id|ID|Bytes|Text|Any|Object|Char|Validator|Kind|Error)s?\??|[A-Z_]+_[A-Z_]*"
    r"|(?:Optional|Union|List|Option|Vec|Sequence|Annotated|Literal|Final|ClassVar|Callable"
    r"|Promise|Array|Dict|Map|Set|Maybe)[\[<(].*|[a-z]+\[\]|(?:str|bytes|string|int)\W.*"
    r"|VARCHAR\b.*|CHAR\b.*|TEXT\b.*|NVARCHAR.*|[&*]+\w*(?:str|char|String|string|Token|u8).*"
    r"|\w+\.(?:Token|SecretStr|string|String|CharField|TextField|StringVar)\b.*"
)
_NOUN = (
    "(?:pass|password|passwd|passwort|passphrase|pwd|pw|secret|token|tok|key|cred|creds|credentials|auth|user"
    "|username|input|raw|hash|hashed|value|val|data|param|params|arg|args|argv|opt|opts|options|config|cfg"
    "|settings|str|string|name|text|field|generated|encrypted|plain|result|response|res|tmp|temp|line|env"
    "|id|url|hex|bytes|buf|buffer|match|node|item|obj|ctx|payload|body|form|state|ref|func|fn|type)"
)
_VARIABLE = pattern(rf"[a-z]|_*(?:[a-z0-9]+_+)*{_NOUN}s?\d?(?:_[a-z0-9]+)*_*")
_CAMEL_CASE = pattern(rf"(?i:{_NOUN})[A-Z]\w*|[a-z]\w*(?=[A-Z])(?i:{_NOUN}s?\d?)")
_ID = pattern(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_HEX = pattern(r"[0-9a-f]+|[0-9A-F]+")
_CHUNK = pattern(r"[A-Za-z0-9+/]{16,}")
_CHANGE = pattern(r"(?<=[a-z])[^a-z]|(?<=[A-Z])[^A-Z]|(?<=\d)\D")
_WORDS = pattern(r"[^\W\d_]++(?:[-_./:'’][^\W\d_]++)*+")
_NO_PASSWORD = pattern(
    r"v?\d+[.:-]\d.*|.*[/\\].*|.*\.[a-z]{1,4}|.*@.*\..*|[\w-]+[=:].*|.*[<>|].*|#.*|@\w+"
    r"|\d{1,3}|[A-Z]{2,5}-?\d{1,3}|[\w-]+\(.*|[\w.]+\[.*|\d+(?:st|nd|rd|th|s|ms|x|%)"
)


def is_placeholder(value: str) -> bool:
    """Return whether the value only says that there is one, or where it comes from."""
    bare = value.strip(" \t.,:;!?") or value
    small = bare.lower()
    if small in _PLACEHOLDERS or _PLACEHOLDER.fullmatch(small) or is_no_value(value):
        return True
    if looks_random(bare):
        return False
    return may_have_label(small) and (
        _LABEL_ALONE.fullmatch(small) is not None
        or (len(bare) < 30 and any(_is_all(label, bare) for label in labels_in(bare)))
    )


def _is_all(label: Label, text: str) -> bool:
    return label.start <= 3 and label.end == len(text)


def is_no_value(value: str) -> bool:
    """Return whether it is a reference, or has been made unreadable already."""
    if value.isalnum():
        return _UNREADABLE_WORD.fullmatch(value) is not None
    return _REFERENCE.fullmatch(value) is not None or (
        "[REDACTED" in value or _UNREADABLE.fullmatch(value) is not None
    )


def is_secret(value: str, certainty: Certainty, *, is_quoted: bool) -> bool:
    """Return whether `value` is one, at such a place behind a label."""
    if is_placeholder(value) or (
        certainty == Certainty.HINT and not looks_like_password(value)
    ):
        return False
    if is_quoted and re.search(r"\s", value):
        is_text = _BETWEEN_QUOTES.fullmatch(value) or _MESSAGE.search(value.lower())
        return not is_text and not labels_in(value[:100])
    if is_quoted:
        return certainty < Certainty.PROSE or not is_known(value)
    return not (
        _is_expression(value, certainty)
        or (certainty >= Certainty.PROSE and is_known(value))
    )


def _is_expression(value: str, certainty: Certainty) -> bool:
    """Return whether a program or a schema would have it there."""
    if value in _CODE_WORDS:
        return True
    if not value.isalnum() and (
        _NO_WORD.match(value)
        or _CALL.match(value)
        or _ATTRIBUTE.fullmatch(value)
        or (_MEMBER.fullmatch(value) and not looks_random(value))
    ):
        return True
    if certainty == Certainty.LITERAL:
        return False
    if certainty == Certainty.CODE:
        return _EXPRESSION.fullmatch(value) is not None
    if certainty == Certainty.CONFIG and is_variable(value):
        return True
    is_plain = value.isalnum() and value.islower()
    return not is_plain and _TYPE.fullmatch(value) is not None


def is_variable(value: str) -> bool:
    """Return whether a bare word is named as variables are."""
    shape = _VARIABLE if value.islower() else _CAMEL_CASE
    return shape.fullmatch(value) is not None


def looks_like_password(value: str) -> bool:
    bare = value.rstrip(".,:;!?*)")
    return _NO_PASSWORD.fullmatch(bare) is None and looks_chosen(bare)


def looks_chosen(value: str) -> bool:
    """Return whether a person would pick this as a password, not as a word."""
    bare = value.rstrip(".,:;!?")
    if bare.isdecimal():
        return len(bare) >= 4
    if _WORDS.fullmatch(bare):
        return False
    return len(bare) >= 6 and (
        has_letter_and_digit(bare) or re.search(r"[!@#$%^&*?~+]", bare) is not None
    )


def looks_random(value: str) -> bool:
    """Return whether only a machine makes this up.

    A long piece of it changes between sorts of letters more often than words do. An id
    (a UUID) counts as none, as ids are told everywhere.
    """
    return _ID.fullmatch(value) is None and any(
        len(re.findall(r"\d", chunk)) >= 2
        and has_letter_and_digit(chunk)
        and len(_CHANGE.findall(chunk)) >= 0.27 * (len(chunk) - 1)
        for chunk in _CHUNK.findall(value)
    )


def is_random_key(value: str, *, in_capitals: bool) -> bool:
    """Return whether `value` is a secret as a key of no known kind.

    Hexadecimal figures are checksums as well: they count under a name in capitals alone.
    """
    if is_placeholder(value) or not looks_random(value):
        return False
    return len(value) >= 20 and (not _HEX.fullmatch(value) or in_capitals)


def has_letter_and_digit(value: str) -> bool:
    return bool(re.search(r"[A-Za-z]", value) and re.search(r"\d", value))
