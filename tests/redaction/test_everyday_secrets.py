"""Secrets as they stand in the commands, settings and files of every day."""

from support.rounds import every_row

from gitmem.redaction.redact import redact

CHOSEN = "q7Zr2Xw9" + "Kb4N"
MADE = CHOSEN + "m8Lp3Vt6" + "Yc1Hd5"
FIGURES = "5f5f5f5f" + "1a2b3c4d5e6f7a8b9c0d1e2f"

LINES = """
kubectl create secret generic s --from-literal=password={}
docker run -e DB_PASSWORD={} image
curl -H "Authorization: Token {}" h
Proxy-Authorization: Basic {}
https://h/p#access_token={}
//registry.npmjs.org/:_password={}
_auth = {}
db.local:5432:app:me:{}
    token: {}
password = "{}"
NGROK_AUTHTOKEN={}
Set-Cookie: sid={}m8Lp3Vt6Yc1Hd5; HttpOnly
cookie: 'connect.sid=s%3A{}m8Lp3Vt6Yc1Hd5'
jdbc:postgresql://h/db?user=me&password={}
mongodb+srv://me:{}@c.mongodb.net/x
Endpoint=sb://x/;SharedAccessKeyName=R;SharedAccessKey={}m8Lp3Vt6Yc1Hd5=
heroku config:set SECRET_KEY_BASE={}
passphrase: '{}'
wget --http-password={} u
setenv("API_TOKEN", "{}")
- API_KEY={}
machine h login me password {}
""".strip().splitlines()


def test_a_secret_in_an_everyday_line_is_found() -> None:
    assert [line for line in LINES if shows_through(line, "")] == []


TOLD = r"""
The password is {}
the root password was set to '{}'.
changed the password from old to {}
Password for me on staging: {}
use password {} to log in
password ({})
secret key → {}
| DB password | `{}` |
const password = process.env.DB_PASSWORD || '{}'
const secret = process.env.JWT_SECRET ?? "{}"
parser.add_argument('--password', default='{}')
dataSource.setPassword("{}");
page.getByLabel('Password').fill('{}')
find(By.ID, 'password').send_keys('{}')
public string Password {{ get; set; }} = "{}";
const PASSWORD: &str = "{}";
ENV DB_PASSWORD {}
setx DB_PASSWORD "{}" /M
#define WIFI_PASSWORD "{}"
read -s PASSWORD <<< '{}'
influx -username me -password {}
password: |\n  {}
Password:\n```\n{}\n```
cmd --password \\n  {}
variable "db_password" {{\n  default = "{}"\n}}
["password"]=>\n  string(12) "{}"
<string name="api_secret">{}</string>
db:\n  user: x\n  pw: {}
pass = {}
SSHPASS={} sshpass -e ssh h
curl -sS \\n  -u me:{} \\n  https://h
kind: Secret\nstringData:\n  redis: {}
data:\n  a: {}\nkind: Secret
密码：{}
пароль: {}
contraseña: {}
mot de passe : {}
""".strip().splitlines()


def test_a_secret_told_in_words_or_below_its_name_is_found() -> None:
    assert [line for line in TOLD if shows_through(line, "and on\n")] == []


def shows_through(line: str, behind: str) -> bool:
    text = line.replace(r"\n", "\n").format(CHOSEN)
    return CHOSEN in redact(f"ran this:\n{text}\n{behind}")


STAYS = r"""
the password is hashed with bcrypt2 and SHA-256
the token is base64url encoded; the key is Ed25519
password: |\n  at least 12 characters
the secret is read from config.yaml2, the token from v1.2.3-beta4
arn:aws:secretsmanager:eu-west-1:123456789012:secret:MyTestSecret-a1b2c3
set_password(const char *pass, size_t n2)
e.altKey||e.button!==0
$ds->bind($this->{binddn}, password => $this->{bindpasswd})
"NextToken": "abCDeFGhiJKlmnOPqrSTuvwxYZ1aBCdEFghijK7LM51nOp"
pass: 12 tests, passw0 of 3 suites
kind: Secret\nmetadata:\n  name: db-credentials2
kind: ConfigMap\ndata:\n  mode: production2
the pass rate is 98.5% and the key press is Ctrl+Alt+F12
""".strip().splitlines()


def test_what_is_told_and_no_secret_stays() -> None:
    texts = [line.replace(r"\n", "\n") for line in STAYS]
    assert [text for text in texts if redact(text) != text] == []


@every_row(
    ("name", "value"),
    [
        ("ALGOLIA_KEY", MADE),
        ("STRIPE_KEY", MADE),
        ("GITHUB_PAT", MADE),
        ("AUTH_SALT", MADE),
        ("DATADOG_API_KEY", FIGURES),
        ("MY_SERVICE_KEY", FIGURES),
        ("Ocp-Apim-Subscription-Key", FIGURES),
        ("PRIVATE_KEY", "0x" + FIGURES * 2),
        ("SNYK_TOKEN", "550e8400-e29b-" + "41d4-a716-446655440000"),
    ],
)
@every_row("form", ["{}={}", "{}: '{}'", "docker run -e {}={} image"])
def test_machine_value_is_hidden_by_name(name: str, value: str, form: str) -> None:
    assert value not in redact(form.format(name, value))


@every_row(
    "text",
    [
        "env:\n  - name: API_TOKEN\n    value: {}\n",
        '{{"environment": [{{"name": "API_TOKEN", "value": "{}"}}]}}',
        '<add key="NuGetPassword" value="{}" />',
        "<server><password>{}</password></server>",
    ],
)
def test_a_value_apart_from_its_name_is_found(text: str) -> None:
    assert CHOSEN not in redact(text.format(CHOSEN))
