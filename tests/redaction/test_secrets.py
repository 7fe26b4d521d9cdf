"""Every shape of secret is found wherever it stands, and nothing else is touched.

The samples are put together at run time, so that no scanner takes this file for a leak.
"""

import random
import re
import string
import time
from collections.abc import Callable
from dataclasses import fields, replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rounds import every_row

from gitmem.documents.session.session import Session
from gitmem.redaction.engine import RULES
from gitmem.redaction.redact import redact, seal
from gitmem.redaction.rule import Rule

ALNUM = string.ascii_letters + string.digits

Sample = tuple[str, str]
"""A text, and the part of it that has to go."""

LETTERS = {
    "A": ALNUM,
    "B": ALNUM + "+/",
    "E": string.ascii_letters,
    "H": "0123456789abcdef",
    "L": string.ascii_lowercase + string.digits,
    "l": string.ascii_lowercase,
    "S": "".join(sorted(set(ALNUM) - set("0OIl"))),
    "U": string.ascii_uppercase + "234567",
    "W": ALNUM + "_-",
}
_RANDOM = re.compile(rf"<(?P<letters>[{''.join(LETTERS)}])(?P<size>\d+)>")


class Chance(random.Random):
    def some(self, size: int, letters: str = ALNUM) -> str:
        return "".join(self.choices(letters, k=size))


def filled(sample: str, r: random.Random) -> Sample:
    """A sample of a rule with random letters, of which the longest run has to go.

    A run ends in two letters, as a cut at `-` or `=` would prove nothing.
    """
    runs = []

    def run(match: re.Match[str]) -> str:
        letters = LETTERS[match["letters"]]
        last = [letter for letter in "abAB22" if letter in letters][:2]
        runs.append("".join([*r.choices(letters, k=int(match["size"]) - 2), *last]))
        return runs[-1]

    text = _RANDOM.sub(run, sample)
    return text, max(runs, key=len)


def sample_of(rule: Rule) -> Callable[[random.Random], Sample]:
    return lambda r: filled(rule.sample, r)


SAMPLES = {rule.shape: sample_of(rule) for rule in RULES}

shapes = st.sampled_from(sorted(SAMPLES))
seeds = st.integers(0, 2**32)
breaks = st.sampled_from(
    [" ", "\n", "\t", '"', "'", "`", "(", ")", ",", "|", "\\n", ">"]
)


@every_row("rule", RULES)
def test_a_rule_finds_its_sample_and_leaves_its_counter_sample(rule: Rule) -> None:
    for seed in range(5):
        text, hidden = sample_of(rule)(Chance(seed))
        found = redact(f"see {text}\nand on")
        assert hidden not in found
        assert f"[REDACTED:{rule.name}]" in found
        assert found.endswith("\nand on")
    text, hidden = sample_of(rule)(Chance(3))
    stays = rule.counter_sample or text[: text.index(hidden) + 5]
    assert redact(f"see {stays} there") == f"see {stays} there"


def test_a_secret_behind_an_escape_or_a_mark_is_found() -> None:
    """As a program quotes it: what stands before is no part of it."""
    for shape, sample in SAMPLES.items():
        text, hidden = sample(Chance(1))
        for before, behind in ((r"\n", r"\n"), ('"', '"'), ("(", ")"), ("|", "|")):
            assert hidden not in redact(before + text + behind), (shape, before)


@given(shapes, seeds, st.text(), breaks, breaks, st.text())
def test_a_secret_is_found_in_any_text(
    shape: str, seed: int, before: str, left: str, right: str, after: str
) -> None:
    text, hidden = SAMPLES[shape](Chance(seed))
    assert hidden not in redact(before + left + text + right + after)


TEXT_FIELDS = [f.name for f in fields(Session) if f.type in (str, "str", str | None)]
LIST_FIELDS = [f.name for f in fields(Session) if f.type == tuple[str, ...]]
NOW = datetime(2026, 2, 23, 14, 32, tzinfo=UTC)
CLEAN = Session(
    id="i", tool="t", project="p", client_session_id="c", started_at=NOW, updated_at=NOW
)


@given(shapes, seeds, st.sampled_from(TEXT_FIELDS + LIST_FIELDS))
def test_every_session_field_is_redacted(shape: str, seed: int, field: str) -> None:
    text, hidden = SAMPLES[shape](Chance(seed))
    value = (text,) if field in LIST_FIELDS else text
    dirty = replace(CLEAN, **{field: value})  # type: ignore[arg-type]
    assert hidden not in seal(dirty, repr)


TOKEN_RULES = [rule for rule in RULES if "body" in rule.pattern.groupindex]


def test_what_stands_in_the_midst_of_a_word_is_no_token() -> None:
    for rule in TOKEN_RULES:
        text, _ = sample_of(rule)(Chance(3))
        assert f":{rule.name}]" not in redact(f"Q9{text}"), rule.shape


STAYS = r"""
password: the user types it twice
Password: must be 12 characters long
the password (at least 8 characters) is hashed with bcrypt
token = next_token()
token := strings.TrimSpace(raw)
const token = crypto.randomBytes(32).toString('hex')
tokenBudget: 1200
max_tokens=4096, token_count: 17
tokens: 1200
secret=None
secret: Optional[str] = None
password: str
password: string;
private_key: Ed25519PrivateKey | None
password=self.password, token=config.token2
connect(user=user, password=password)
login(password=pw1)
password=${DB_PASSWORD}
password: "$DB_PASSWORD"
password = "{{ .Env.DB_PASSWORD }}"
f"postgres://{user}:{password}@{host}/{db}"
postgres://$USER:$PASS@localhost/db
api_key=os.environ['X']
api_key = process.env.OPENAI_API_KEY
apiKey: ${{ secrets.OPENAI_API_KEY }}
OPENAI_API_KEY=sk-...
OPENAI_API_KEY=<your-key>
api_key = "your-api-key-here"
password: ********
password=xxxxxxxx
secret: my-webhook-secret
secretName: database-credentials-2
--password PASSWORD
use --token to pass the token, --password-file for a file
"password": "Password"
FORCE_CHANGE_PASSWORD = "FORCE_CHANGE_PASSWORD"
password == other.password
if token != "": return
next_token=abCDeFGhiJKlmnOPqr1234
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
headers["Authorization"] = f"Bearer {token}"
Authorization: required for every call
authorization: everywhere
authorization = base64.decodebytes(authorization)
bearer authentication is required here
sk-ant-your-api-key-here-please
hf_your_token_goes_right_here_please
task-management-for-a-longer-project-name-2024
commit 9fceb02d0ae598e95dc970b74767f19372d61af8
sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
550e8400-e29b-41d4-a716-446655440000
cache-key-d41d8cd98f00b204e9800998ecf8427e
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk
https://example.com:8443/path/@scope/pkg@1.0.0
https://github.com/org/repo/pull/12#discussion_r1234567890
git@github.com:org/repo.git
ssh://git@host:22/srv/repo.git
mailto:someone@example.com
src/auth/password_reset_token.py:42
docker run --user 1000:1000 image
-----BEGIN CERTIFICATE-----
check that the first line is -----BEGIN PRIVATE KEY----- and go on
the header starts with eyJ because it is JSON
cache_key = "v2/9fceb02d0ae598e95dc970b74767f19372d61af8"
CACHE_KEY: 9fceb02d0ae598e95dc970b74767f19372d61af8
primary_key: a1B2c3D4e5F6g7H8i9J0k1L2
GPG_KEY=A035C8C19219BA821ECEA86B64E628F8D684696D
object_key = "uploads/2026/01/report-v2-final.pdf"
sort_key=created_at_desc_2, lookup_key: user_id_42
keyboard: qwertz1234567890abcdef
monkey = "bananas and 12 apples"
("password", "username", "remember_me")
self.assertEqual(field("token", "access token"), 2)
<token>identifier</token>
<key>CFBundleIdentifier</key>
name: DB_PASSWORD, value: ${DB_PASSWORD}
- name: replicas
  value: "3"
Cookie: theme=dark; lang=en-GB; consent=yes
cookie: the browser sends it with every call
src/app.py:5432:12:error: name 'x' is not defined
postgres://localhost:5432/app
host:5432/app:me
"auth": true, "auth": {"type": "basic"}
author=someone
docker login registry.example.com
mysql -u root -p
openssl rsa -in key.pem -passin file:secret.txt
identified by 'name'
the hash starts with $2b$ and the cost
$1 and $5 and $6 of the arguments
the phrase is: to be or not to be
seed: 42
https://example.com/?page=2&code=404&key=name
https://example.com/search?sig=short
https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42
sk-learn, hf_hub_download, r8_g8b8, fc-match, pa-api, re_compile, sl.append
key_press_event_handler_for_the_main_window_of_the_app
api-gateway-v2, secret-manager-2026, pat-5, SU, EAABB, AKIA
gsk_load_balancer_configuration_file_for_two_regions
arn:aws:iam::123456789012:role/service-role
cfg_test_helper_functions_and_other_things_in_rust
Q~ and 8Q~ are marks
line 12:30:45 at 2026-02-23T12:10:00Z
[REDACTED] and [REDACTED:aws]
""".strip().splitlines()


def test_what_is_no_secret_stays() -> None:
    assert [line for line in STAYS if redact(line) != line] == []


def test_base64_and_hex_in_bulk_stay() -> None:
    r = Chance(7)
    for letters in (LETTERS["B"], LETTERS["H"], LETTERS["W"]):
        bulk = "\n".join(r.some(76, letters) for _ in range(300))
        assert redact(bulk) == bulk


@every_row(
    ("line", "kept"),
    [
        ("password: {}", "password: [REDACTED:assignment]"),
        ("export DB_PASSWORD={}", "export DB_PASSWORD=[REDACTED:assignment]"),
        ("SECRET_KEY = '{}'", "SECRET_KEY = '[REDACTED:assignment]'"),
        (
            '{{"api_key": "{}", "n": 1}}',
            '{{"api_key": "[REDACTED:assignment]", "n": 1}}',
        ),
        (r"{{\"password\": \"{}\"}}", r"{{\"password\": \"[REDACTED:assignment]\"}}"),
        ("password: str = '{}'", "password: str = '[REDACTED:assignment]'"),
        ("**Password:** `{}`", "**Password:** `[REDACTED:assignment]`"),
        (
            "GET /?access_token={}&page=2",
            "GET /?access_token=[REDACTED:assignment]&page=2",
        ),
        ("X-Api-Key: {}", "X-Api-Key: [REDACTED:assignment]"),
        ("//registry/:_authToken={}", "//registry/:_authToken=[REDACTED:assignment]"),
        ("cmd --password={} -v", "cmd --password=[REDACTED:assignment] -v"),
        ("cmd --db-password '{}' -v", "cmd --db-password '[REDACTED:assignment]' -v"),
        ("redis://:{}@cache:6379/0", "redis://:[REDACTED:url-password]@cache:6379/0"),
        ("https://me:{}@host/p", "https://me:[REDACTED:url-password]@host/p"),
        ("kubernetes_secret: {}==", "kubernetes_secret: [REDACTED:assignment]"),
        (
            '"authorization": "Basic {}"',
            '"authorization": "Basic [REDACTED:authorization]"',
        ),
        ("AccountKey={}==;Suffix=x", "AccountKey=[REDACTED:assignment];Suffix=x"),
    ],
)
def test_only_the_value_is_replaced(line: str, kept: str) -> None:
    assert redact(line.format("q7Zr2Xw9Kb4N")) == kept.replace("{{", "{").replace(
        "}}", "}"
    )


@every_row("escape", [r"\n", r"\t", "%22", r"\u0022", "\x1b[32m", "é", "_"])
def test_an_escape_before_a_token_hides_nothing(escape: str) -> None:
    text, hidden = SAMPLES["ghp_…, ghs_…"](Chance(1))
    assert hidden not in redact(escape + text)


WORST = [
    "token=",
    "secret=token=pwd=",
    'credentials: "a password=',
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\n",
    "password=",
    'password="',
    "password=x1!y2@z ",
    "token=a1b2c3d4e5 ",
    "token = " + "a" * 40 + "1234! ",
    "a:a@",
    "://a:",
    "<private>",
    "<private a='",
    "<private>x</private>",
    "eyJ",
    "eyJabcdefghij.",
    "a",
    "-",
    "--a-",
    "curl -u a:",
    "machine a ",
    "LS0tLS1CRUdJTi" + "A" * 60,
    "Private-Lines: 1\nAAAA ",
    "SG." + "a" * 20 + ".",
    "\\",
    " ",
]


def seconds(text: str) -> float:
    """Of the processor, as others use it as well."""
    times = []
    for _ in range(2):
        start = time.process_time()
        redact(text)
        times.append(time.process_time() - start)
    return min(times)


def assert_linear(piece: str, size: int) -> None:
    seconds_a_character = 8e-6  # where every other word is a secret
    for text in (piece * size, piece + "a" * size, piece + "a." * size):
        allowed = seconds_a_character * size + 0.05
        assert seconds(text[:size]) < allowed, piece


def test_hostile_text_costs_little_more_than_plain_text() -> None:
    for piece in WORST:
        assert_linear(piece, 5_000)


@pytest.mark.slow
@pytest.mark.parametrize("piece", WORST)
def test_a_hostile_megabyte_costs_little_more_than_a_plain_one(piece: str) -> None:
    assert_linear(piece, 1_000_000)


SHOWN_IN_MANUALS = (
    ("AKIA" + "IOSFODNN7EXAMPLE", "aws"),
    ("gh" + "p_" + "x" * 36, "github"),
    ("sk-" + "ant-api03-" + "a" * 40, "anthropic"),
    ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY", "aws"),
    ("postgres://user:" + "password@localhost/db", "url-password"),
    ("redis://:" + "topsecret@localhost", "url-password"),
    ("password=" + "changeme", "assignment"),
)


@every_row(("text", "rule"), SHOWN_IN_MANUALS)
def test_what_has_the_shape_of_a_secret_counts_as_one(text: str, rule: str) -> None:
    assert redact(text).endswith(f"[REDACTED:{rule}]") or f":{rule}]@" in redact(text)


@every_row(
    "text",
    [
        'credentials: "user=admin password={}"',
        '{{"token": "use password={} please"}}',
        'token="not closed and PGPASSWORD={} psql',
    ],
)
def test_a_secret_inside_a_value_that_is_none_is_found(text: str) -> None:
    hidden = "Sup3r" + "S3cret!"
    assert hidden not in redact(text.format(hidden))
