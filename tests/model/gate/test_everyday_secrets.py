"""Secrets as they stand in the commands, settings and files of every day."""

import pytest

from gitmem.model.gate.redaction import redact

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


@pytest.mark.parametrize("line", LINES)
def test_a_secret_in_an_everyday_line_is_found(line: str) -> None:
    assert CHOSEN not in redact(f"ran this:\n{line.format(CHOSEN)}\n")


@pytest.mark.parametrize(
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
@pytest.mark.parametrize("form", ["{}={}", "{}: '{}'", "docker run -e {}={} image"])
def test_a_value_of_a_machine_is_hidden_by_its_name(
    name: str, value: str, form: str
) -> None:
    assert value not in redact(form.format(name, value))


@pytest.mark.parametrize(
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
