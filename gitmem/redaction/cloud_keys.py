"""Keys of services that are recognised by what is in them, or behind them.

`gitmem.redaction.tokens` has those that are recognised by how they begin.
"""

from gitmem.redaction.rule import Rule, at_start

_SEPARATOR = r"(?:[\"'`]{0,3}[ \t]{0,4}[:=|][ \t]{0,4}[\"'`]{0,3}|[ \t]{1,4})"


def _word(size: int) -> str:
    """That the last `size` characters begin a word; looked at late, as that is slow."""
    return at_start(f".{{{size}}}", r"\w-")


CLOUD_KEYS = (
    Rule(
        "aws",
        "AWS_SECRET_ACCESS_KEY=…",
        rf"(?i:secret[_-]?(?:access[_-]?)?key){_SEPARATOR}"
        r"(?P<secret>[A-Za-z0-9/+]{40})(?![\w/+=])",
        heads=("secret",),
    ),
    Rule(
        "azure",
        "…+ASt…==, …AzSe…, …JQQJ99… (keys of its services)",
        r"(?<![\w+/-](?<!\\[nrtbf]))(?P<secret>[\w+/-]{33,76}?(?:"
        r"(?:\+ASt|\+ABa|\+AMC|\+ARm|ACDb)[A-Za-z0-9+/]{5}[AQgw]=="
        r"|(?:AIoT|\+ASb|\+AEh)[A-P][A-Za-z0-9+/]{5}=|AzFu[\w-]{5}[AQgw]=="
        r"|AzSe[A-D]\w{5}(?![\w+/-])|AzCa[A-P]\w{5}=|\+ACR[A-D]\w{5}(?![\w+/-])"
        r"|JQQJ99[\w+/-]{20,40}))",
        is_word=True,
    ),
    Rule(
        "azure",
        "…8Q~…",
        r"Q~(?<=[\w.~]{3}\dQ~)(?P<secret>[\w.~-]{31,}+)",
        clue="Q~",
    ),
    Rule(
        "telegram",
        "1234567890:AA…",
        r":(?<=\d{8}:)(?P<secret>AA[\w-]{33}(?![\w-]))",
        clue=":AA",
    ),
    Rule(
        "terraform",
        "….atlasv1.…",
        r"\.atlasv1\.(?P<secret>[\w-]{60,}+)",
        clue=".atlasv1.",
    ),
    Rule(
        "mailgun",
        "key-…",
        rf"(?P<secret>key-{_word(4)}[a-f0-9]{{32}}(?![A-Za-z0-9]))",
        clue="key-",
    ),
    Rule(
        "mailgun",
        "…-…-… (signing key)",
        rf"(?P<secret>[a-f0-9]{{32}}-{_word(33)}[a-f0-9]{{8}}-[a-f0-9]{{8}})(?![\w-])",
        is_word=True,
    ),
    Rule(
        "mailchimp",
        "…-us12",
        rf"(?P<secret>[a-f0-9]{{32}}-us{_word(35)}\d{{1,2}})(?![\w-])",
        clue="-us",
        is_word=True,
    ),
    Rule(
        "ghost",
        "…:… (admin key)",
        rf"(?P<secret>[a-f0-9]{{24}}:{_word(25)}[a-f0-9]{{64}})(?![\w-])",
        clue=":",
        is_word=True,
    ),
    Rule(
        "new-relic",
        "…NRAL",
        rf"(?P<secret>[a-z0-9]{{36}}NRAL{_word(40)})(?![\w-])",
        clue="NRAL",
        is_word=True,
    ),
    Rule(
        "maxmind",
        "…_…_mmk",
        rf"(?P<secret>[A-Za-z0-9]{{6}}_{_word(7)}[A-Za-z0-9]{{29}}_mmk)(?![\w-])",
        clue="_mmk",
        is_word=True,
    ),
    Rule(
        "neon",
        "npg_… (password)",
        rf"npg_{at_start('npg_')}(?P<secret>(?=[A-Za-z]{{0,11}}\d)[A-Za-z0-9]{{12}}"
        r"(?![A-Za-z0-9]))",
        clue="npg_",
    ),
    Rule(
        "vault",
        "Unseal Key 1: …, vault operator unseal …",
        r"nseal (?:Key \d{1,2}: )?(?P<secret>[A-Za-z0-9+/]{40,}+=*)",
        clue="nseal ",
    ),
    Rule(
        "sanctum",
        "1|…",
        r"\|(?<=\d\|)(?P<secret>(?=[a-z0-9]{0,39}[A-Z])[A-Za-z0-9]{40}"
        r"(?:[a-f0-9]{8})?)(?![A-Za-z0-9])",
        clue="|",
    ),
    Rule(
        "kubernetes",
        "kubeadm join … --token …",
        r"--token[ =](?P<secret>[a-z0-9]{6}\.[a-z0-9]{16})(?![\w.-])",
        clue="--token",
    ),
)
