"""Secrets in the options of well-known commands, and in what is piped into one."""

import re
from collections.abc import Callable

from gitmem.redaction.false_positives import is_chosen, is_given
from gitmem.redaction.rule import Rule
from gitmem.redaction.url_secrets import holds_session

_WORD = r"\\{0,3}[\"']?(?P<secret>[^\s\"'\\]{1,200}+)"
_USER = r"\\{0,3}[\"']?[\w.@%+-]{1,100}"
_ON = r"(?:[^\n]|(?<=[\\^])\n|(?<=[\\^]\r)\n)"
"""A character of one command, which goes on behind `\\` and, on Windows, `^`."""


def _option(
    shape: str,
    clue: str,
    commands: str,
    option: str,
    is_secret: Callable[[re.Match[str]], bool] = is_chosen,
) -> Rule:
    """What follows an option, as far from its command as people write."""
    pattern = rf"{commands}(?:(?!{commands}){_ON}){{0,200}}?{option}{_WORD}"
    return Rule("option", shape, pattern, is_secret, clue=clue)


_OPTIONS = (
    _option("sshpass -p …", "sshpass ", "sshpass ", "-p[ ]{0,4}", is_given),
    _option("docker login -u … -p …", " login ", " login ", "-p[ =]?"),
    _option("redis-cli -a …", "redis-cli ", "redis-cli ", "-a[ ]{1,4}", is_given),
    _option("sqlcmd -P …", "sqlcmd", "sqlcmd", " -P[ ]?"),
    _option("mongosh -p …", "mongo", "mongo", " -p[ ]"),
    _option("twine upload -p …", "twine ", "twine ", "-p[ ]"),
    _option("keytool -storepass …", "-storepass ", "-storepass ", ""),
    _option("zip -P …", "zip -", "zip -", "P[ ]?"),
    _option("ldapsearch -w …", "ldap", "ldap[a-z]{3,8} ", "-w[ ]?"),
    _option("ssh-keygen -N …", "ssh-keygen ", "ssh-keygen ", "-N[ ]"),
    _option("openssl enc -k …", "openssl enc", "openssl enc", " -k[ ]"),
    _option(
        "htpasswd -b … user …",
        "htpasswd ",
        "htpasswd ",
        rf"-[a-zB]{{0,5}}b[a-zB]{{0,5}} \S{{1,99}} {_USER}[ ]",
    ),
    _option(
        "ssm put-parameter --value …", "put-parameter", "put-parameter", " --value "
    ),
    _option("--secret-string …", "--secret-string", "--secret-string", "[ =]"),
    _option("gh secret set … -b …", "secret set ", "secret set ", "(?:-b|--body)[ =]?"),
    _option(
        "openssl … -passin pass:…",
        "-pass",
        "-pass(?:in|out)?[ ]{1,4}",
        "[\"']?pass:",
        is_given,
    ),
    _option("redis requirepass …", "requirepass", "requirepass", r"[\"',]{0,2}[ ]"),
    _option("ngrok authtoken …", "authtoken ", "authtoken ", ""),
    _option("wandb login …", " login ", " login (?<=(?:wandb|cargo|vault) login )", ""),
    _option("mysql -p…", "mysql", "mysql(?:dump|admin|import)?[\"', ]", "[ \"']-p"),
    _option("poetry config pypi-token.…", "pypi-token.", "pypi-token.", r"\S{1,80} "),
    _option("ConvertTo-SecureString …", "-SecureString ", "-SecureString ", ""),
)

_CURLS = (
    Rule(
        "curl-user",
        "curl -u user:…",
        rf"curl (?:(?!curl ){_ON}){{0,300}}?(?:-[uU]|--user|--proxy-user)[ =]?"
        rf"{_USER}:(?P<secret>[^\s\"'\\]{{1,200}}+)",
        is_given,
        clue="curl ",
    ),
    Rule(
        "cookie",
        "curl -b session=…",
        rf"curl (?:(?!curl ){_ON}){{0,300}}?(?:-b|--cookie)[ =]?\\{{0,3}}[\"']?"
        r"(?P<secret>[\w.%-]{1,80}=[^\s\"'\\]{16,4000}+)",
        holds_session,
        clue="curl ",
    ),
)

_PIPES = (
    Rule(
        "option",
        "echo … | docker login --password-stdin",
        r"echo (?:-n )?\\{0,3}[\"']?(?:[\w.@-]{1,60}:)?(?P<secret>[^\s\"'|\\:]{1,200}+)"
        r"\\{0,3}[\"']?[ ]?\|[ ]?(?:sudo -S |(?:sudo )?(?:chpasswd|passwd)"
        r"|base64|(?:docker|podman|helm registry|nerdctl|gh auth|az acr) login|kinit"
        r"|(?:wrangler|npx wrangler) secret)",
        is_chosen,
        clue="echo ",
    ),
)

COMMANDS = (*_CURLS, *_OPTIONS, *_PIPES)
