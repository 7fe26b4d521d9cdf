"""What a secret looks like: the rules of redaction, in the order they run.

A rule belongs here when its shape is public and certain: a prefix that its provider
chose to be recognised by, or a place (a header, a URL, an assignment) that only ever
holds a secret. Random-looking text alone is no reason; hashes and ids look so too.

Every pattern takes linear time: it starts with literal characters, which the engine
searches for quickly, and repeats possessively or within a bound. docs/privacy.md
shows the rules to users.
"""

import binascii
import re
from collections.abc import Callable
from dataclasses import dataclass

from gitmem.model.assignments import (
    ASSIGNMENT,
    FLAG,
    is_secret_assignment,
    stands_in,
)


@dataclass(frozen=True, slots=True)
class Rule:
    name: str
    """What stands in the place of the secret: `[REDACTED:<name>]`."""
    shape: str
    """What such a secret looks like, for people."""
    pattern: re.Pattern[str]
    """Its group `secret` is what is replaced; the rest of the match stays."""
    is_secret: Callable[[re.Match[str]], bool]
    """Has the last word on a match, where the pattern alone would be too greedy."""


_STAND_IN = re.compile(
    r"[a-z]+(?:[-_.][a-z]+)+|[A-Z]+(?:[-_.][A-Z]+)+"  # your-key-here, YOUR_KEY
    r"|.*(?:EXAMPLE|[xX*]{6}|(?i:your[-_]|[-_]here\b)).*"
)


def _is_no_stand_in(match: re.Match[str]) -> bool:
    """False for what manuals show: `xxxx…`, `YOUR_TOKEN`, Amazon's `…EXAMPLE`."""
    body = match["secret"] if "body" not in match.re.groupindex else match["body"]
    return len(set(body)) >= 5 and _STAND_IN.fullmatch(body) is None


_MADE = re.compile(r"\d|[a-z][A-Z]")


def _is_made(match: re.Match[str]) -> bool:
    return _is_no_stand_in(match) and _MADE.search(match["secret"]) is not None


def _has_digit(match: re.Match[str]) -> bool:
    return _is_no_stand_in(match) and re.search(r"\d", match["secret"]) is not None


def _is_given(match: re.Match[str]) -> bool:
    return not stands_in(match["secret"])


def _is_encoded_key(match: re.Match[str]) -> bool:
    return b"PRIVATE KEY" in binascii.a2b_base64(match["secret"][:60])


def _rule(
    name: str,
    shape: str,
    pattern: str,
    is_secret: Callable[[re.Match[str]], bool] = _is_no_stand_in,
) -> Rule:
    return Rule(name, shape, re.compile(pattern, re.ASCII), is_secret)


def _token(row: str) -> Rule:
    r"""A rule from a row of `_TOKENS`.

    The token starts at a word boundary; an escape (`\n`, `%22`, `\u0022`, a terminal
    colour) before it is one too.
    """
    name, shape, prefix, body = re.split(r"\s{2,}", row)
    start = (
        rf"(?:(?<![A-Za-z0-9]{prefix})|(?<=\\[nrtbf]{prefix})|(?<=[0-9\[]m{prefix})"
        rf"|(?<=%[0-9A-Fa-f]{{2}}{prefix})|(?<=\\u00[0-9A-Fa-f]{{2}}{prefix}))"
    )
    return _rule(name, shape, rf"(?P<secret>{prefix}{start}(?P<body>{body}))")


_KEY_LABEL = r"(?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_KEY_CLOSED = rf"(?:[^-]|-(?!----(?:BEGIN|END) )){{0,40000}}+-----END {_KEY_LABEL}"
_KEY_GAP = (
    r"""(?:[\s>|"'+*#,]|\\[nr]|\d{1,6}[→:|\t]"""
    r"|[A-Z][A-Za-z-]{1,30}: [^\n]{0,100}(?:\n|\Z))"
)
_KEY_CUT_OFF = (
    rf"(?:{_KEY_GAP}*+[A-Za-z0-9+/=_-]{{16,}}+)++"
    rf"(?:{_KEY_GAP}*+[A-Za-z0-9+/]{{1,15}}=+)?"
)
_QUOTE = r"\\{0,3}[\"'`]?"
_URL_USER = r"[^\s/?#@:\"'`<>\\]{0,200}+"
_URL_VALUE = r"(?:[^\s:\"'`<>\\]|:(?!//)){1,200}"

_PLACES = (
    _rule(
        "private-key",
        "-----BEGIN … PRIVATE KEY-----",
        rf"(?P<secret>-----BEGIN {_KEY_LABEL}(?:{_KEY_CLOSED}|{_KEY_CUT_OFF}))",
        lambda _: True,
    ),
    _rule(
        "private-key",
        "LS0tLS1CRUdJTi… (base64 of one)",
        r"(?P<secret>LS0tLS1CRUdJTi[A-Za-z0-9+/]{60,}+=*)",
        _is_encoded_key,
    ),
    _rule(
        "private-key",
        "Private-Lines: … (PuTTY)",
        r"Private-Lines: \d{1,4}(?P<secret>(?:(?:\s|\\[nr])++[A-Za-z0-9+/]{4,}+=*)++)",
    ),
    _rule(
        "webhook",
        "https://hooks.slack.com/services/…",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[\w/+-]{20,}+)",
    ),
    _rule(
        "webhook",
        "https://discord.com/api/webhooks/…",
        r"/api/webhooks/\d{16,20}/(?P<secret>[\w-]{60,}+)",
    ),
    _rule(
        "webhook",
        "https://….webhook.office.com/webhookb2/…",
        r"\.webhook\.office\.com/webhookb2/(?P<secret>[\w@/-]{60,}+)",
    ),
    _rule(
        "jwt",
        "eyJ….eyJ….…",
        r"(?P<secret>eyJ(?:(?<![\w-]eyJ)|(?<=\\[nrt]eyJ))"
        r"[\w-]{8,}+\.eyJ[\w-]{4,}+(?:\.[\w-]*+)++)",
    ),
    _rule(
        "authorization",
        "Authorization: Basic …",
        rf"[aA](?i:uthorization){_QUOTE}[ \t]{{0,4}}[:=,][ \t]{{0,4}}{_QUOTE}"
        r"[A-Za-z-]{3,20}[ \t]{1,4}(?P<secret>[\w.~+/=:-]{8,}+)",
        _is_made,
    ),
    _rule(
        "authorization",
        "Authorization: …",
        rf"[aA](?i:uthorization){_QUOTE}[ \t]{{0,4}}[:=][ \t]{{0,4}}{_QUOTE}"
        r"(?P<secret>[\w~+/=-]{20,}+)(?![.(])",
        _has_digit,
    ),
    _rule(
        "authorization",
        "Bearer …",
        r"[bB](?i:earer)[ \t]{1,4}(?P<secret>[\w.~+/=-]{16,}+)",
        _is_made,
    ),
    _rule(
        "url-password",
        "postgres://user:…@host",
        rf"://{_URL_USER}:(?!\d{{1,5}}(?:[/?#]|\Z))(?P<secret>{_URL_VALUE})@",
        _is_given,
    ),
    _rule(
        "connection-string",
        "Server=…;Password=…;",
        r";[ ]{0,2}(?i:password|pwd)[ ]{0,2}=[ ]{0,2}(?P<secret>[^;\"'\n]{1,200}+)",
        _is_given,
    ),
    _rule(
        "azure",
        "….blob.core.windows.net/…?sig=…",
        r"[?&]sig=(?P<secret>[A-Za-z0-9%/+]{40,}+=*)",
    ),
    _rule("azure", "…8Q~…", r"Q~(?<=[\w.~]{3}\dQ~)(?P<secret>[\w.~-]{31,}+)"),
    _rule(
        "telegram",
        "1234567890:AA…",
        r":(?<=\d{8}:)(?P<secret>AA[\w-]{33}(?![\w-]))",
    ),
    _rule("terraform", "….atlasv1.…", r"\.atlasv1\.(?P<secret>[\w-]{60,}+)"),
    _rule(
        "mailgun",
        "key-…",
        r"(?P<secret>key-(?:(?<![\w-]key-)|(?<=\\[nrt]key-))[a-f0-9]{32}(?![A-Za-z0-9]))",
    ),
    _rule(
        "netrc",
        "machine … login … password …",
        r"machine\s{1,4}\S{1,200}\s{1,4}login\s{1,4}\S{1,200}\s{1,4}password\s{1,4}"
        r"(?P<secret>\S{1,200}+)",
        _is_given,
    ),
    _rule(
        "curl-user",
        "curl -u user:…",
        r"curl (?:(?!curl )[^\n]){0,300}?(?:-u|--user)[ =]?[\"']?[\w.@%+-]{1,100}:"
        r"(?P<secret>[^\s\"']{1,200}+)",
        _is_given,
    ),
)

# name, what people see, prefix (a pattern of fixed width), what follows it.
# The last takes all that can belong to a token, however long: what it leaves is kept.
_TOKENS = r"""
anthropic     sk-ant-api03-…      sk-ant-       [\w-]{20,}+
openrouter    sk-or-v1-…          sk-or-v1-     [\w-]{32,}+
openai        sk-proj-…           sk-proj-      [\w-]{20,}+
openai        sk-svcacct-…        sk-svcacct-   [\w-]{20,}+
openai        sk-admin-…          sk-admin-     [\w-]{20,}+
openai        sk-…                sk-           [A-Za-z0-9]{32,}+
hugging-face  hf_…                hf_           [A-Za-z0-9]{30,}+
hugging-face  api_org_…           api_org_      [A-Za-z0-9]{30,}+
groq          gsk_…               gsk_          [A-Za-z0-9]{40,}+
perplexity    pplx-…              pplx-         [A-Za-z0-9]{40,}+
replicate     r8_…                r8_           [A-Za-z0-9]{37,}+
xai           xai-…               xai-          [A-Za-z0-9]{70,}+
tavily        tvly-…              tvly-         [\w-]{28,}+
pinecone      pcsk_…              pcsk_         \w{50,}+
langsmith     lsv2_pt_…           lsv2_[ps][tk]_  \w{32,}+
github        ghp_…, ghs_…        gh[opusr]_    \w{36,}+(?:\.[\w-]++)*+
github        github_pat_…        github_pat_   \w{30,}+
gitlab        glpat-…, glptt-…    gl(?:pat|cbt|ptt|oas|imt)-  [\w-]{20,}+(?:\.[\w-]++)*+
gitlab        gldt-…, glrt-…      gl[drfw]t-    [\w-]{20,}+(?:\.[\w-]++)*+
gitlab        glsoat-…, glffct-…  gl(?:soa|ffc)t-  [\w-]{20,}+
gitlab        glagent-…           glagent-      [\w-]{40,}+
gitlab        GR1348941…          GR1348941     [\w-]{20,}+
atlassian     ATATT3…             ATATT3        [\w=-]{60,}+
bitbucket     ATBB…               ATBB          [A-Za-z0-9]{28,}+
npm           npm_…               npm_          [A-Za-z0-9]{36,}+
pypi          pypi-AgE…           pypi-AgE      [\w-]{50,}+
rubygems      rubygems_…          rubygems_     [a-f0-9]{48,}+
crates-io     cio…                cio           [A-Za-z0-9]{32}(?![A-Za-z0-9])
clojars       CLOJARS_…           CLOJARS_      [A-Za-z0-9]{60,}+
docker        dckr_pat_…          dckr_[po]at_  [\w-]{24,}+
jfrog         AKCp…               AKCp          [A-Za-z0-9]{60,}+
buildkite     bkua_…              bkua_         [a-f0-9]{40,}+
circleci      CCIPAT_…            CCIP(?:AT|RJ)_  \w{40,}+
sourcegraph   sgp_…               sgp_          \w{40,}+
figma         figd_…              figd_         [\w-]{36,}+
linear        lin_api_…           lin_api_      [A-Za-z0-9]{40,}+
notion        ntn_…               ntn_          [A-Za-z0-9]{40,}+
postman       PMAK-…              PMAK-         [a-f0-9]{24}-[a-f0-9]{34,}+
sentry        sntrys_…, sntryu_…  sntry[su]_    [\w+/=-]{50,}+
aws           AKIA…, ASIA…        A[KS]IA       [A-Z2-7]{16}(?![A-Za-z0-9])
google        AIza…               AIza          [\w-]{35,}+
google        ya29.…              ya29\.        [\w.-]{20,}+
google        GOCSPX-…            GOCSPX-       [\w-]{20,}+
google        1//0…               1//0          [\w-]{40,}+
digitalocean  dop_v1_…            do[opr]_v1_   [a-f0-9]{60,}+
databricks    dapi…               dapi          [a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])
heroku        HRKU-AA…            HRKU-AA       [\w-]{50,}+
fly-io        fm2_…               fm2_          [\w+/=-]{80,}+
planetscale   pscale_tkn_…        pscale_       (?:tkn|oauth|pw)_[\w.=-]{30,}+
supabase      sbp_…               sbp_          [a-f0-9]{40,}+
supabase      sb_secret_…         sb_secret_    [\w-]{24,}+
cloudflare    v1.0-… (origin CA)  v1\.0-        [a-f0-9]{24}-[a-f0-9]{100,}+
doppler       dp.pt.…, dp.st.…    dp\.          (?:[cps]t|sa|scim|audit)\.[\w.-]{40,}+
vault         hvs.…, hvb.…        hv[sbr]\.     [\w-]{24,}+
pulumi        pul-…               pul-          [a-f0-9]{40,}+
tailscale     tskey-auth-…        tskey-        [a-z]{2,10}-[\w-]{12,}+
openshift     sha256~…            sha256~       [\w-]{43,}+
1password     ops_eyJ…            ops_eyJ       [\w+/=-]{100,}+
age           AGE-SECRET-KEY-1…   AGE-SECRET-KEY-1  [A-Z0-9]{50,}+
dynatrace     dt0c01.…            dt0[a-z]\d\d\.  [A-Z0-9]{24}\.[A-Z0-9]{60,}+
grafana       glsa_…              glsa_         \w{32,}+
grafana       glc_…               glc_          [\w+/=]{32,}+
new-relic     NRAK-…              NRAK-         [A-Z0-9]{27,}+
slack         xoxb-…, xoxp-…      xox[abceoprs]  (?:\.xox[bp])?-\d[\w-]{18,}+
discord       M….….…             [MNO]         [\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}+
slack         xapp-1-…            xapp-         \d-[\w-]{30,}+
sendgrid      SG.….…              SG\.          [\w-]{16,32}\.[\w-]{32,}+
brevo         xkeysib-…           xkeysib-      [a-f0-9]{64}-[A-Za-z0-9]{16,}+
mapbox        sk.eyJ….…           sk\.eyJ       [\w-]{50,}+\.[\w-]{20,}+
twilio        SK…                 SK            [a-f0-9]{32}(?![A-Za-z0-9])
stripe        sk_live_…           [sr]k_(?:live|test|prod)_  [A-Za-z0-9]{10,}+
stripe        whsec_…             whsec_        [A-Za-z0-9+/]{24,}+=*
square        sq0atp-…, sq0csp-…  sq0(?:atp|csp)-  [\w-]{22,}+
shopify       shpat_…, shpss_…    shp(?:at|ca|pa|ss)_  [A-Fa-f0-9]{32,}+
easypost      EZAK…               EZ[AT]K       [A-Za-z0-9]{54,}+
airtable      pat….…              pat           [A-Za-z0-9]{14}\.[a-f0-9]{64,}+
"""

RULES: tuple[Rule, ...] = (
    *_PLACES,
    *(_token(row) for row in _TOKENS.strip().splitlines()),
    Rule("flag", "--password …", FLAG, is_secret_assignment),
    Rule(
        "assignment",
        'password=…, "api_key": "…", FOO_TOKEN=…',
        ASSIGNMENT,
        is_secret_assignment,
    ),
)
