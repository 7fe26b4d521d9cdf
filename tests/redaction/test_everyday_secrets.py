"""Secrets as they stand in the commands, settings and files of every day."""

from redaction.test_secrets import lines_of
from support.rounds import every_row

from gitmem.redaction.redact import redact

CHOSEN = "q7Zr2Xw9" + "Kb4N"
MADE = CHOSEN + "m8Lp3Vt6" + "Yc1Hd5"
FIGURES = "5f5f5f5f" + "1a2b3c4d5e6f7a8b9c0d1e2f"


@every_row("behind", ["\n", "\nand on\n"])
def test_a_secret_in_an_everyday_line_is_found(behind: str) -> None:
    """In a command, a setting or a sentence, or below its name."""
    lines = [line.replace("{}", CHOSEN) for line in lines_of("goes.txt")]
    texts = [f"ran this:\n{line}{behind}" for line in lines]
    assert [text for text in texts if CHOSEN in redact(text)] == []


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
