"""Every shape of secret is found wherever it stands, and nothing else is touched.

The samples are put together at run time, so that no scanner takes this file for a leak.
"""

import base64
import random
import string
import time
from collections.abc import Callable
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gitmem.model.redaction import redact, seal
from gitmem.model.secrets import RULES, Rule
from gitmem.model.session import Session

ALNUM = string.ascii_letters + string.digits
BASE64 = ALNUM + "+/"
WORD = ALNUM + "_-"
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + "234567"

Sample = tuple[str, str]
"""A text, and the part of it that has to go."""


class Chance(random.Random):
    def some(self, size: int, letters: str = ALNUM) -> str:
        return "".join(self.choices(letters, k=size))


def token(prefix: str, size: int, letters: str = ALNUM) -> Callable[[Chance], Sample]:
    """The body ends in two letters, as a cut at `-` or `=` would prove nothing."""

    def make(r: Chance) -> Sample:
        body = r.some(size - 2, letters) + r.some(
            2, "abcdef" if letters == HEX else "AB"
        )
        return prefix + body, body

    return make


def place(form: str, size: int, letters: str = ALNUM) -> Callable[[Chance], Sample]:
    def make(r: Chance) -> Sample:
        hidden = "a1B" + r.some(size - 3, letters)
        return form.format(hidden), hidden

    return make


def dotted(
    prefix: str, *sizes: int, letters: str = ALNUM
) -> Callable[[Chance], Sample]:
    def make(r: Chance) -> Sample:
        parts = [r.some(size, letters) for size in sizes]
        return prefix + ".".join(parts), parts[-1]

    return make


def _pem(r: Chance) -> Sample:
    lines = [r.some(64, BASE64) for _ in range(8)]
    label = r.choice(["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "]) + "PRIVATE KEY-----"
    newline = r.choice(["\n", "\r\n", "\\n", "\n    ", "\n> ", '\\n" +\n  "'])
    end = r.choice([f"-----END {label}", ""])
    return newline.join([f"-----BEGIN {label}", *lines, end]), r.choice(lines)


def _encoded_pem(r: Chance) -> Sample:
    secret = r.some(300, BASE64)
    pem = f"-----BEGIN {'RSA PRIVATE'} KEY-----\n{secret}"
    encoded = base64.b64encode(pem.encode()).decode()
    return encoded, encoded[60:160]


def _putty(r: Chance) -> Sample:
    lines = [r.some(64, BASE64) for _ in range(4)]
    return "Private-Lines: 4\n" + "\n".join(lines), r.choice(lines)


def _telegram(r: Chance) -> Sample:
    body = "AA" + r.some(33)
    return f"{r.some(10, '123456789')}:{body}", body


def _jwt(r: Chance) -> Sample:
    signature = r.some(43)
    return f"ey{'Jh'}{r.some(34)}.ey{'Jz'}{r.some(60)}.{signature}", signature


SAMPLES: dict[str, Callable[[Chance], Sample]] = {
    "-----BEGIN … PRIVATE KEY-----": _pem,
    "LS0tLS1CRUdJTi… (base64 of one)": _encoded_pem,
    "Private-Lines: … (PuTTY)": _putty,
    "https://hooks.slack.com/services/…": token(
        "https://hooks.slack.com/" + "services/T0A/B0B/", 24
    ),
    "https://discord.com/api/webhooks/…": token(
        "https://discord.com/api/" + "webhooks/123456789012345678/", 68
    ),
    "https://….webhook.office.com/webhookb2/…": token(
        "https://acme.webhook.office.com/" + "webhookb2/", 80
    ),
    "eyJ….eyJ….…": _jwt,
    "Authorization: Basic …": place("Authorization: Basic {}", 24, BASE64),
    "Authorization: …": place("Authorization: {}", 32, WORD),
    "Bearer …": place("Bearer {}", 40, WORD),
    "postgres://user:…@host": place("postgres://user:{}@db.local/app", 12),
    "AWS_SECRET_ACCESS_KEY=…": place("AWS_SECRET_ACCESS_KEY={}", 40, BASE64),
    "…;AccountKey=…": place("AccountName=a;AccountKey={}==;", 86, BASE64),
    "Server=…;Password=…;": place(
        "Server=db;Password={};Encrypt=1", 14, ALNUM + "!,&("
    ),
    "….blob.core.windows.net/…?sig=…": place(
        "https://a.blob.core.windows.net/c?sv=1&sig={}", 44
    ),
    "…8Q~…": place("ab~8" + "Q~{}", 34),
    "1234567890:AA…": _telegram,
    "….atlasv1.…": place("a1b2c3d4e5f6g7" + ".atlasv1.{}", 67),
    "key-…": token("key" + "-", 32, HEX),
    "M….….…": dotted("M", 25, 6, 38),
    "machine … login … password …": place("machine h login me password {}", 9),
    "curl -u user:…": place("curl -s -u me:{} https://h/", 9),
    "sk-ant-api03-…": token("sk-" + "ant-api03-", 93, WORD),
    "sk-or-v1-…": token("sk-" + "or-v1-", 64, HEX),
    "sk-proj-…": token("sk-" + "proj-", 150, WORD),
    "sk-svcacct-…": token("sk-" + "svcacct-", 150, WORD),
    "sk-admin-…": token("sk-" + "admin-", 150, WORD),
    "sk-…": token("sk" + "-", 48),
    "hf_…": token("hf" + "_", 34, string.ascii_letters),
    "api_org_…": token("api_" + "org_", 34, string.ascii_letters),
    "gsk_…": token("gsk" + "_", 52),
    "pplx-…": token("pplx" + "-", 48),
    "r8_…": token("r8" + "_", 37),
    "xai-…": token("xai" + "-", 80),
    "tvly-…": token("tvly" + "-", 32),
    "pcsk_…": token("pcsk" + "_", 70),
    "lsv2_pt_…": token("lsv2_" + "pt_", 43, HEX),
    "ghp_…, ghs_…": token("gh" + "p_", 36),
    "github_pat_…": token("github" + "_pat_", 82),
    "glpat-…, glptt-…": token("gl" + "pat-", 20, WORD),
    "gldt-…, glrt-…": token("gl" + "dt-", 20, WORD),
    "glsoat-…, glffct-…": token("gl" + "soat-", 20, WORD),
    "glagent-…": token("gl" + "agent-", 50, WORD),
    "GR1348941…": token("GR" + "1348941", 20, WORD),
    "ATATT3…": token("ATA" + "TT3", 180, WORD),
    "ATBB…": token("AT" + "BB", 32),
    "npm_…": token("npm" + "_", 36),
    "pypi-AgE…": token("pypi" + "-AgE", 150, WORD),
    "rubygems_…": token("rubygems" + "_", 48, HEX),
    "cio…": token("ci" + "o", 32),
    "CLOJARS_…": token("CLOJARS" + "_", 60),
    "dckr_pat_…": token("dckr_" + "pat_", 27, WORD),
    "AKCp…": token("AK" + "Cp", 69),
    "bkua_…": token("bkua" + "_", 40, HEX),
    "CCIPAT_…": token("CCI" + "PAT_", 60),
    "sgp_…": token("sgp" + "_", 40, HEX),
    "figd_…": token("figd" + "_", 40, WORD),
    "lin_api_…": token("lin_" + "api_", 40),
    "ntn_…": token("ntn" + "_", 46),
    "PMAK-…": token("PMA" + "K-" + "5f" * 12 + "-", 34, HEX),
    "sntrys_…, sntryu_…": token("sntry" + "u_", 64, HEX),
    "AKIA…, ASIA…": token("AK" + "IA", 16, UPPER),
    "AIza…": token("AI" + "za", 35, WORD),
    "ya29.…": token("ya" + "29.", 120, WORD),
    "GOCSPX-…": token("GOC" + "SPX-", 28, WORD),
    "1//0…": token("1/" + "/0", 100, WORD),
    "dop_v1_…": token("dop" + "_v1_", 64, HEX),
    "dapi…": token("da" + "pi", 32, HEX),
    "HRKU-AA…": token("HRK" + "U-AA", 58, WORD),
    "fm2_…": token("fm" + "2_", 400, BASE64),
    "pscale_tkn_…": token("pscale" + "_tkn_", 43, WORD),
    "sbp_…": token("sbp" + "_", 40, HEX),
    "sb_secret_…": token("sb_" + "secret_", 31, WORD),
    "v1.0-… (origin CA)": token("v1" + ".0-" + "5f" * 12 + "-", 146, HEX),
    "dp.pt.…, dp.st.…": token("dp" + ".pt.", 43),
    "hvs.…, hvb.…": token("hv" + "s.", 90, WORD),
    "pul-…": token("pul" + "-", 40, HEX),
    "tskey-auth-…": token("tskey" + "-auth-kAbCdEf1CNTRL-", 30),
    "sha256~…": token("sha" + "256~", 43, WORD),
    "ops_eyJ…": token("ops" + "_eyJ", 250, BASE64),
    "AGE-SECRET-KEY-1…": token("AGE-SECRET" + "-KEY-1", 58, UPPER),
    "dt0c01.…": token("dt0" + "c01." + "A1B2" * 6 + ".", 64, UPPER),
    "glsa_…": token("gl" + "sa_", 41, HEX),
    "glc_…": token("gl" + "c_", 80, BASE64),
    "NRAK-…": token("NR" + "AK-", 27, UPPER),
    "xoxb-…, xoxp-…": token("xo" + "xb-1234567890-1234567890-", 24),
    "xapp-1-…": token("xa" + "pp-1-A012-34567-", 64, HEX),
    "SG.….…": token("S" + "G." + "aB3dE5gH7jK9mN1pQ3sT5v" + ".", 43, WORD),
    "xkeysib-…": token("xkey" + "sib-" + "5f" * 32 + "-", 16),
    "sk.eyJ….…": token("sk." + "eyJ1" + "Ab1" * 20 + ".", 22),
    "SK…": token("S" + "K", 32, HEX),
    "sk_live_…": token("sk_" + "live_", 24),
    "whsec_…": token("wh" + "sec_", 32, BASE64),
    "sq0atp-…, sq0csp-…": token("sq0" + "atp-", 22, WORD),
    "shpat_…, shpss_…": token("shp" + "at_", 32, HEX),
    "EZAK…": token("EZ" + "AK", 54),
    "pat….…": token("pa" + "t" + "aB3dE5gH7jK9mN" + ".", 64, HEX),
    "--password …": place("mysql --password {} -e x", 10),
    'password=…, "api_key": "…", FOO_TOKEN=…': place("FOO_TOKEN={}", 20),
}
READ_AS_CALLS = ["Authorization: …", 'password=…, "api_key": "…", FOO_TOKEN=…']
"""An opening bracket behind the value makes a call of it, `token = sha256(`."""

shapes = st.sampled_from(sorted(SAMPLES))
seeds = st.integers(0, 2**32)
breaks = st.sampled_from(
    [" ", "\n", "\t", '"', "'", "`", "(", ")", ",", "|", "\\n", ">"]
)


def test_every_rule_has_a_sample() -> None:
    assert set(SAMPLES) == {rule.shape for rule in RULES}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.name} {rule.shape}")
def test_a_secret_is_replaced_under_the_name_of_its_rule(rule: Rule) -> None:
    name, shape = rule.name, rule.shape
    for seed in range(20):
        text, hidden = SAMPLES[shape](Chance(seed))
        found = redact(f"see {text}\nand on")
        assert hidden not in found
        assert f"[REDACTED:{name}]" in found
        assert found.endswith("\nand on")


@given(shapes, seeds, st.text(), breaks, breaks, st.text())
def test_a_secret_is_found_in_any_text(
    shape: str, seed: int, before: str, left: str, right: str, after: str
) -> None:
    assume(right != "(" or shape not in READ_AS_CALLS)
    text, hidden = SAMPLES[shape](Chance(seed))
    assert hidden not in redact(before + left + text + right + after)


TEXT_FIELDS = [f.name for f in fields(Session) if f.type in (str, "str", str | None)]
LIST_FIELDS = [f.name for f in fields(Session) if f.type == tuple[str, ...]]
NOW = datetime(2026, 2, 23, 14, 32, tzinfo=UTC)
CLEAN = Session(
    id="i", tool="t", project="p", client_session_id="c", started_at=NOW, updated_at=NOW
)


@given(shapes, seeds, st.sampled_from(TEXT_FIELDS + LIST_FIELDS))
def test_no_field_of_a_session_lets_a_secret_through(
    shape: str, seed: int, field: str
) -> None:
    text, hidden = SAMPLES[shape](Chance(seed))
    value = (text,) if field in LIST_FIELDS else text
    dirty = replace(CLEAN, **{field: value})  # type: ignore[arg-type]
    assert hidden not in seal(dirty, repr)


STAYS = r"""
password: the user types it twice
Password: must be 12 characters long
the password (at least 8 characters) is hashed with bcrypt
token = next_token()
token := strings.TrimSpace(raw)
const token = crypto.randomBytes(32).toString('hex')
tokenBudget: 1200
max_tokens=4096, token_count: 17
token: 1200
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
API_KEY=changeme
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
line 12:30:45 at 2026-02-23T12:10:00Z
[REDACTED] and [REDACTED:aws]
""".strip().splitlines()


@pytest.mark.parametrize("line", STAYS)
def test_what_is_no_secret_stays(line: str) -> None:
    assert redact(line) == line


def test_base64_and_hex_in_bulk_stay() -> None:
    r = Chance(7)
    for letters in (BASE64, HEX, WORD):
        bulk = "\n".join(r.some(76, letters) for _ in range(2000))
        assert redact(bulk) == bulk


@pytest.mark.parametrize(
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
        ("cmd --db-password '{}' -v", "cmd --db-password '[REDACTED:flag]' -v"),
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


@pytest.mark.parametrize(
    "escape", [r"\n", r"\t", "%22", r"\u0022", "\x1b[32m", "é", "_"]
)
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
    times = []
    for _ in range(2):
        start = time.perf_counter()
        redact(text)
        times.append(time.perf_counter() - start)
    return min(times)


def assert_linear(piece: str, size: int) -> None:
    plain = seconds(("some plain words, " * size)[:size])
    for text in (piece * size, piece + "a" * size, piece + "a." * size):
        assert seconds(text[:size]) < 30 * plain + 0.05


@pytest.mark.parametrize("piece", WORST)
def test_hostile_text_costs_little_more_than_plain_text(piece: str) -> None:
    assert_linear(piece, 50_000)


@pytest.mark.slow
@pytest.mark.parametrize("piece", WORST)
def test_a_hostile_megabyte_costs_little_more_than_a_plain_one(piece: str) -> None:
    assert_linear(piece, 1_000_000)


def test_the_privacy_page_shows_the_rules() -> None:
    page = Path(__file__).parents[2].joinpath("docs", "privacy.md").read_text("utf-8")
    assert rules_table() in page


def rules_table() -> str:
    shapes_of: dict[str, list[str]] = {}
    for rule in RULES:
        shapes_of.setdefault(rule.name, []).append(f"`{rule.shape}`")
    rows = (f"| {name} | {' '.join(found)} |" for name, found in shapes_of.items())
    return "\n".join(["| rule | shape |", "|---|---|", *rows]) + "\n"


SHOWN_IN_MANUALS = (
    ("AKIA" + "IOSFODNN7EXAMPLE", "aws"),
    ("gh" + "p_" + "x" * 36, "github"),
    ("sk-" + "ant-api03-" + "a" * 40, "anthropic"),
    ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY", "aws"),
    ("postgres://user:" + "password@localhost/db", "url-password"),
    ("redis://:" + "topsecret@localhost", "url-password"),
    ("password=" + "changeme", "assignment"),
)


@pytest.mark.parametrize(("text", "rule"), SHOWN_IN_MANUALS)
def test_what_has_the_shape_of_a_secret_counts_as_one(text: str, rule: str) -> None:
    assert redact(text).endswith(f"[REDACTED:{rule}]") or f":{rule}]@" in redact(text)


@pytest.mark.parametrize(
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
