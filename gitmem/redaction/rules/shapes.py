"""Secrets in commands, calls, well-known files and SQL, and keys known by their middle.

The table of what is neither a token with a prefix (`tokens`), nor in a URL or a header
(`url_secrets`), nor behind a label (`labelled`).
"""

# fmt: off
# ruff: noqa: E501 - a rule of the table is a line

import re

from gitmem.redaction.rule import (
    Rule,
    at_start,
    has_value,
    is_chosen,
    is_random,
    is_unknown_word,
    looks_generated,
)
from gitmem.text.patterns import pattern

_SEPARATOR = r"(?:[\"'`]{0,3}[ \t]{0,4}[:=|][ \t]{0,4}[\"'`]{0,3}|[ \t]{1,4})"
_QUOTE = r"\\{0,7}[\"']?"
_ON = r"(?:[^\n]|(?<=[\\^])\n|(?<=[\\^]\r)\n)"
"""A character of one command, which goes on behind `\\` and, on Windows, `^`."""
_VALUE = r"\\{0,3}[\"']?(?P<secret>[^\s\"'\\]{1,200}+)"
_USER = r"\\{0,3}[\"']?[\w.@%+-]{1,100}"
_LITERAL = r"[rb]{0,2}\\{0,3}[\"'](?P<secret>[^\"'\n\\]{1,500})\\{0,3}[\"']"
_TEXTS = r"(?:\s{0,40}[\"'][^\"'\n]{0,200}[\"'],){%d}\s{0,40}"
_SECRET_KIND = 'kind"?: "?Secret'  # noqa: S105 - what a file says that holds some
_NEAR = 4_000


def _word(size: int) -> str:
    """Require the last `size` characters to begin a word, late, as that is slow."""
    return at_start(f".{{{size}}}", r"\w-")


def _is_of_secret(match: re.Match[str]) -> bool:
    """Return whether a line stands below `data:` in a Secret of Kubernetes."""
    text, start, end = match.string, match.start(), match.end()
    first = text.rfind("\n---", max(0, start - _NEAR), start) + 1
    before = text[max(first, start - _NEAR) : start]
    if not re.search(_SECRET_KIND, before + text[end : end + _NEAR].split("\n---")[0]):
        return False
    for line in reversed(before.split("\n")):
        if len(line) - len(line.lstrip(" ")) < len(match["indent"]):
            is_data = line.strip(' "{:') in ("data", "stringData")
            return is_data and has_value(match)
    return False


def _has_no_vowels(match: re.Match[str]) -> bool:
    """Return whether a group has no vowel: four words may be a sentence."""
    groups = re.split("[ -]", match["secret"])
    return any(not re.search("[aeiouy]", group) for group in groups)


_PROVIDERS = pattern(
    r"(?i:google|github|gitlab|saml|oauth2?|oidc|ldap|sso|facebook|apple|microsoft|twitter|okta"
    r"|keycloak|e-?mail|phone|sms|passkeys?|pass(?:word|wd|wort)?|editor|viewer|admin|guest"
    r"|sign-?up|register|logoff|logon|write|docs?|api|https?|localhost|[\w-]+\.\w{1,5}"
    r"|get|post|put|patch|delete)"
)


def _is_login(match: re.Match[str]) -> bool:
    from gitmem.redaction.prose.known_words import is_known
    from gitmem.redaction.prose.secret_values import looks_like_password

    user, secret = match["user"], match["secret"].rstrip(".,;:!?")
    if _PROVIDERS.fullmatch(secret) or is_known(secret) or not is_unknown_word(match):
        return False
    is_common = is_known(user) or (
        _PROVIDERS.fullmatch(user) and user.lower() not in ("admin", "guest")
    )
    return not is_common or looks_like_password(secret)


_LOGINS = (
    ("log", "log(?:ged|ging)?[ -]?(?:in|on)", "log in as"),
    ("sign", "sign(?:ed)?[ -]?in", "sign in with"),
    ("cred", "(?:creds?|credentials|credenciales|credenziali|credenciais)", "credentials:"),
    ("user", "user(?:name)?[ ]?[/:][ ]?pass(?:word|wd|phrase)?", "user/pass:"),
    ("zugang", "zugangsdaten", "Zugangsdaten:"),
    ("anmeld", "anmelde(?:n|daten)", "anmelden als"),
    ("gegevens", "gegevens", "inloggegevens:"),
    ("identif", "identifiants", "identifiants:"),
    ("account", "account", "account:"),
)
_LOGIN_PAIR = (
    r"(?:[ ](?:with|as|using|is|are|was|for|mit|als|ist|sind|con|avec|como|son|sono|\w{1,12}(?=:))){0,3}[:=]?[ ]"
    r"[\"'`]?(?P<user>[A-Za-z][\w.@+-]{1,60})[\"'`]?(?:[ ]?/[ ]?|:)[\"'`]?"
    r"(?P<secret>[^\s\"'`/][^\s\"'`]{0,80}+(?:(?:[ ][^\W\d_]{1,30}){1,6}(?=\n|\Z))?)(?![ ]?/)"
)


KEYS = (
    Rule("aws", "AWS_SECRET_ACCESS_KEY=…", rf"(?i:secret[_-]?(?:access[_-]?)?key){_SEPARATOR}(?P<secret>[A-Za-z0-9/+]{{40}})(?![\w/+=])", "AWS_SECRET_ACCESS_KEY=a1B<B37>", "AWS_SECRET_ACCESS_KEY=$KEY", head="secret"),
    Rule("aws", "AKIA… / … (the secret key beside its id)", r"A[KS]IA[A-Z0-9]{16}[^A-Za-z0-9/+](?:[\s\S]{0,60}?[^A-Za-z0-9/+])?(?![0-9a-f]{40})(?P<secret>[A-Za-z0-9/+]{40})(?![\w/+=])", "AKIA<U16> / a1B<B37>", "AKIA<U16> in <H40>", is_random, clue="A[KS]IA"),
    *(
        Rule("azure", "…+ASt…==, …AzSe…, …JQQJ99… (keys of its services)", rf"(?<![\w+/-](?<!\\[nrtbf]))(?P<secret>[\w+/-]{{33,76}}?{re.escape(clue)}{tail})", f"<A{before}>{sample}", clue=re.escape(clue), is_word=True)
        for before, clue, tail, sample in (
            *(
                (76, clue, "[A-Za-z0-9+/]{5}[AQgw]==", f"{clue}<A5>A==")
                for clue in ("+ASt", "+ABa", "+AMC", "+ARm", "ACDb")
            ),
            *(
                (33, clue, "[A-P][A-Za-z0-9+/]{5}=", f"{clue}A<A5>=")
                for clue in ("AIoT", "+ASb", "+AEh")
            ),
            (35, "AzFu", r"[\w-]{5}[AQgw]==", "AzFu<A5>A=="),
            (42, "AzSe", r"[A-D]\w{5}(?![\w+/-])", "AzSeA<A5>"),
            (42, "AzCa", r"[A-P]\w{5}=", "AzCaA<A5>="),
            (42, "+ACR", r"[A-D]\w{5}(?![\w+/-])", "+ACRA<A5>"),
            (52, "JQQJ99", r"[\w+/-]{20,40}", "JQQJ99<A26>"),
        )
    ),
    Rule("azure", "…8Q~…", r"Q~(?<=[\w.~]{3}\dQ~)(?P<secret>[\w.~-]{31,}+)", "ab~8Q~a1B<A31>", "Q~ and 8Q~ are marks", clue="Q~", is_word=True),
    Rule("telegram", "1234567890:AA…", r":(?<=\d{8}:)(?P<secret>AA[\w-]{33}(?![\w-]))", "1234567890:AA<A33>", "1234567890:AAB", clue=":AA", is_word=True),
    Rule("terraform", "….atlasv1.…", r"\.atlasv1\.(?P<secret>[\w-]{60,}+)", "a1b2c3d4e5f6g7.atlasv1.a1B<A64>", "x.atlasv1.y", clue=".atlasv1.", is_word=True),
    Rule("mailgun", "key-…", rf"(?P<secret>key-{_word(4)}[a-f0-9]{{32}}(?![A-Za-z0-9]))", "key-<H32>", "cache-key-d41d8cd98f00b204e9800998ecf8427e", clue="key-", is_word=True),
    Rule("mailgun", "…-…-… (signing key)", rf"(?P<secret>[a-f0-9]{{32}}-{_word(33)}[a-f0-9]{{8}}-[a-f0-9]{{8}})(?![\w-])", "<H32>-<H8>-<H8>", clue="[a-f0-9]{32}-", is_word=True),
    Rule("mailchimp", "…-us12", rf"(?P<secret>[a-f0-9]{{32}}-us{_word(35)}\d{{1,2}})(?![\w-])", "<H32>-us12", clue="-us", is_word=True),
    Rule("deepl", "…-…-…-…-…:fx", rf"(?P<secret>[a-f0-9]{{8}}-{_word(9)}(?:[a-f0-9]{{4}}-){{3}}[a-f0-9]{{12}}:fx)(?![\w-])", "<H8>-<H4>-<H4>-<H4>-<H12>:fx", clue=":fx", is_word=True),
    Rule("ghost", "…:… (admin key)", rf"(?P<secret>[a-f0-9]{{24}}:{_word(25)}[a-f0-9]{{64}})(?![\w-])", "5f5f5f5f5f5f5f5f5f5f5f5f:<H64>", clue="[a-f0-9]{24}:", is_word=True),
    Rule("new-relic", "…NRAL", rf"(?P<secret>[a-z0-9]{{36}}NRAL{_word(40)})(?![\w-])", "<H36>NRAL", clue="NRAL", is_word=True),
    Rule("maxmind", "…_…_mmk", rf"(?P<secret>[A-Za-z0-9]{{6}}_{_word(7)}[A-Za-z0-9]{{29}}_mmk)(?![\w-])", "a1B2c3_<A29>_mmk", clue="_mmk", is_word=True),
    Rule("neon", "npg_… (password)", rf"npg_{at_start('npg_')}(?P<secret>(?=[A-Za-z]{{0,11}}\d)[A-Za-z0-9]{{12}}(?![A-Za-z0-9]))", "npg_1<A11>", "npg_init()", clue="npg_"),
    Rule("vault", "Unseal Key 1: …, vault operator unseal …", r"nseal (?:Key \d{1,2}: )?(?P<secret>[A-Za-z0-9+/]{40,}+=*)", "Unseal Key 1: a1B<B41>", "vault operator unseal $KEY", clue="nseal "),
    Rule("sanctum", "1|…", r"\|(?<=\d\|)(?P<secret>(?=[a-z0-9]{0,39}[A-Z])[A-Za-z0-9]{40}(?:[a-f0-9]{8})?)(?![A-Za-z0-9])", "12|A<A39>", "1|2", clue=r"\|", is_word=True),
    Rule("kubernetes", "kubeadm join … --token …", r"--token[ =](?P<secret>[a-z0-9]{6}\.[a-z0-9]{16})(?![\w.-])", "kubeadm join h --token abcdef.<L16>", "kubeadm join h --token $TOKEN", clue="--token"),
    *(
        Rule("totp", 'totp seed: …, TOTP("…")', rf"(?i:{head})[^\n=:(\"']{{0,20}}[=:(\"' ]{{1,4}}(?P<secret>[A-Z2-7]{{4}}(?:[ ]?[A-Z2-7]{{4}}){{3,15}}=*)(?![A-Za-z0-9])", f"{head} seed: <U16>", f"{head} seed: WRONG", check=has_value, head=head)
        for head in ("otp", "2fa", "mfa")
    ),
)

FILES = (
    Rule("kubernetes", "kind: Secret, data: …", r"\n(?P<indent>[ ]{1,40})\"?[\w.-]{1,253}\"?:[ ]{1,4}[\"']?(?P<secret>(?![|>{\[])[^\s\"']{4,8000}+)", "kind: Secret\ndata:\n  config: a1B<A21>", "kind: ConfigMap\ndata:\n  mode: fast", _is_of_secret, _SECRET_KIND),
    Rule("netrc", "machine … login … password …", r"machine\s{1,4}\S{1,200}(?:\s{1,4}(?:login|account)\s{1,4}\S{1,200}){0,2}\s{1,4}password\s{1,4}(?P<secret>\S{1,200}+)", "machine h login me password a1B<A6>", "machine h login me", has_value, "machine"),
    Rule("pgpass", "host:5432:database:user:…", r":(?:5432|5433|6432)(?<=[\w.*-]:\d{4}):[\w*-]{1,63}:[\w.*@-]{1,63}:(?P<secret>[^\s:/]{3,200}+)(?=\s|\Z)", "db.local:5432:app:me:a1B<A9>", "host:5432:app:me", has_value, "432:"),
    Rule("registry-login", '"auth": "…" (Docker), _auth=… (npm)', rf"auth(?<=[\"_]auth){_QUOTE}[ ]{{0,4}}[:=][ ]{{0,4}}{_QUOTE}(?P<secret>[A-Za-z0-9+/]{{8,}}+=*)", '"auth": "a1B<B29>"', '"auth": true, "auth": {"type": "basic"}', looks_generated, "auth"),
    Rule("password-hash", "$2b$12$…, $6$…$…, $argon2id$…", r"(?P<secret>\$(?:2[abxy]?\$\d\d\$[./A-Za-z0-9]{53}|(?:[1567y]|gy|apr1)\$(?:[./A-Za-z0-9=,]{1,40}\$){1,2}[./A-Za-z0-9]{20,90}+|argon2(?:id|i|d)\$[\w$=,+/-]{40,300}+|P\$[./A-Za-z0-9]{31}))", "root:$6$a1b2$a1B<A83>:19:", "the hash starts with $2b$ and the cost", clue=r"\$"),
    Rule("password-hash", "pbkdf2_sha256$…", r"(?P<secret>pbkdf2[_:-]sha\d{1,3}[$:]\d{1,9}[$:][\w+/=$:.-]{20,400}+)", "pbkdf2_sha256$600000$salt$a1B<B40>=", "pbkdf2_sha256$600000$", clue="pbkdf2", is_word=True),
    Rule("password-hash", "{SSHA}…", r"\{S(?:SHA|HA|SHA256|SHA512|HA256|HA512)\}(?P<secret>[A-Za-z0-9+/]{20,}+=*)", "{SSHA}a1B<B29>", "{SSHA} is salted", clue=r"\{S"),
    Rule("password-hash", "SCRAM-SHA-256$…", r"SCRAM-SHA-\d{1,3}\$(?P<secret>\d{1,9}:[\w+/=$:]{40,400}+)", "SCRAM-SHA-256$4096:a1B<A57>==$a:b=", "SCRAM-SHA-256 is used", clue="SCRAM-SHA-", is_word=True),
    *(
        Rule("recovery-phrase", "mnemonic: twelve to twenty-four words", rf"(?i:{word})\\{{0,7}}[\"'`*]{{0,3}}[ \t]{{0,4}}(?:[:=]|is)[ \t]{{0,4}}\\{{0,7}}[\"'`]?(?P<secret>[a-z]{{3,8}}(?:[ ][a-z]{{3,8}}){{11,23}})(?![ ]?[a-z])", f"{word}: " + " ".join(["<l5>"] * 12), f"the {word} is: to be or not to be", check=lambda _: True, head=word)
        for word in ("mnemonic", "phrase", "seed")
    ),
    Rule("assignment", "app password: abcd efgh ijkl mnop", r"(?i:password)[\"'`]{0,3}(?:[ ]?[:=][ ]?|[ ]is[ ]|[ ])[\"'`]?(?P<secret>[a-z]{4}(?:[ -][a-z]{4}){3})(?![ -]?[a-z])", "app password: xkcd <l4> <l4> <l4>", "the password here must hold them", check=_has_no_vowels, head="password"),
    Rule("sql-password", "IDENTIFIED BY '…'", r"(?i:identified(?:[ ]with[ ]\S{1,60})?[ ]by)[ ]{1,4}(?i:password[ ])?['\"](?P<secret>[^'\"\n]{1,200}+)['\"]", "CREATE USER u IDENTIFIED BY 'a1B<A6>';", "identified by 'name'", is_unknown_word, head="identified"),
    Rule("sql-password", "crypt('…', gen_salt('bf'))", r"crypt\(\s?'(?P<secret>[^'\n]{1,200}+)'\s?,\s?gen_salt", "SELECT crypt('a1B<A6>', gen_salt('bf'))", "crypt(password, gen_salt('bf'))", has_value, r"crypt\("),
    *(
        Rule("login", "login with bob / …, the login is bob:…", f"(?i:{words}){_LOGIN_PAIR}", f"{sample} bob / a1B<A6>", f"{sample} admin / editor / viewer", _is_login, f"(?i){words}", head)
        for head, words, sample in _LOGINS
    ),
)

COMMANDS = (
    Rule("curl-user", "curl -u user:…", rf"curl (?:(?!curl ){_ON}){{0,300}}?(?:-[uU]|--user|--proxy-user)[ =]?{_USER}:(?P<secret>[^\s\"'\\]{{1,200}}+)", "curl -s -u me:a1B<A6> https://h/", 'curl -u "$USER:$PASS" https://h', has_value, "curl "),
    *(
        # what follows an option, as far from its command as people write
        Rule("option", shape, rf"{commands}(?:(?!{commands}){_ON}){{0,200}}?{option}{_VALUE}", sample, stays, check, commands)
        for shape, commands, option, sample, stays, check in (
            ("sshpass -p …", "sshpass ", "-p[ ]{0,4}", "sshpass -p a1B<A6> ssh h", "sshpass -e ssh h", is_unknown_word),
            ("docker login -u … -p …", " login ", " -p[ =]", "docker login -u me -p a1B<A9> h", "docker login registry.example.com", is_unknown_word),
            ("redis-cli -a …", "redis-cli ", "-a[ ]{1,4}", "redis-cli -h h -a a1B<A9> ping", "redis-cli -h h ping", is_unknown_word),
            ("sqlcmd -P …", "sqlcmd", " -P[ ]?", "sqlcmd -S db -U sa -P 'a1B<A9>'", "sqlcmd -S db -E", is_unknown_word),
            ("mongosh -p …", "mongo", " -p[ ]", "mongosh -u me -p a1B<A9> --host h", "mongosh -u me --host h", is_unknown_word),
            ("twine upload -p …", "twine ", "-p[ ]", "twine upload -u me -p a1B<A9> dist/*", "twine upload dist/*", is_unknown_word),
            ("keytool -storepass …", "-storepass ", "", "keytool -list -storepass a1B<A9> -alias x", "keytool -list -alias x", is_unknown_word),
            ("zip -P …", "zip -", "P[ ]?", "zip -P a1B<A9> a.zip f", "zip -r a.zip f", is_unknown_word),
            ("ldapsearch -w …", "ldap[a-z]{3,8} ", "-w[ ]?", "ldapsearch -x -D cn=admin -w a1B<A9> -b dc=x", "ldapsearch -x -b dc=x", is_unknown_word),
            ("ssh-keygen -N …", "ssh-keygen ", "-N[ ]", "ssh-keygen -t ed25519 -N 'a1B<A9>' -f k", "ssh-keygen -t ed25519 -N '' -f k", is_unknown_word),
            ("openssl enc -k …", "openssl enc", " -k[ ]", "openssl enc -aes-256-cbc -k a1B<A9> -in a", "openssl enc -aes-256-cbc -in a", is_unknown_word),
            ("htpasswd -b … user …", "htpasswd ", rf"-[a-zB]{{0,5}}b[a-zB]{{0,5}} \S{{1,99}} {_USER}[ ]", "htpasswd -b .htpasswd me a1B<A9>", "htpasswd .htpasswd me", is_unknown_word),
            ("ssm put-parameter --value …", "put-parameter", " --value ", "aws ssm put-parameter --name /x --value 'a1B<A21>'", "aws ssm put-parameter --name /x --value on", is_chosen),
            ("--secret-string …", "--secret-string", "[ =]", "secretsmanager create-secret --secret-string a1B<A9>", "secretsmanager create-secret --secret-string file://s.json", is_unknown_word),
            ("gh secret set … -b …", "secret set ", "(?:-b|--body)[ =]?", "gh secret set NPM -b a1B<A21>", "gh secret set NPM", is_unknown_word),
            ("openssl … -passin pass:…", "-pass(?:in|out)?[ ]{1,4}", "[\"']?pass:", "openssl rsa -passin pass:a1B<A9>", "openssl rsa -in key.pem -passin file:secret.txt", has_value),
            ("redis requirepass …", "requirepass", r"[\"',]{0,2}[ ]", "requirepass a1B<A9>", "requirepass is not set", is_unknown_word),
            ("ngrok authtoken …", "authtoken ", "", "ngrok config add-authtoken a1B<A37>", "ngrok authtoken is needed", is_chosen),
            ("wandb login …", " login ", "(?<=(?:wandb|cargo|vault) login )", "wandb login a1B<A37>", "wandb login again", is_chosen),
            ("mysql -p…", "mysql(?:dump|admin|import|sh)?[\"', ]", "[ \"']-p", "mysql -u root -pa1B<A9> db", "mysql -u root -p", has_value),
            ("poetry config pypi-token.…", "pypi-token.", r"\S{1,80} ", "poetry config pypi-token.pypi a1B<A37>", "poetry config pypi-token.pypi $TOKEN", is_chosen),
            ("ConvertTo-SecureString …", "-SecureString ", "", "ConvertTo-SecureString 'a1B<A9>' -Force", "ConvertTo-SecureString $plain -Force", has_value),
            ("mc alias set … key …", r"mc (?:alias set|config host add)", r" \S{1,80} \S{1,200} \S{1,128} ", "mc alias set play https://h minio a1B<A9>", "mc alias set play https://h", has_value),
        )
    ),
    Rule("option", "echo … | docker login --password-stdin", r"echo (?:-n )?\\{0,3}[\"']?(?:[\w.@-]{1,60}:)?(?P<secret>(?:(?<=[\"'])[^\"'\n]|[^\s\"'|\\:])(?:[^\s\"'|\\:]|[ ](?=[^|\n\"']{0,200}[\"'])){0,200}+)\\{0,3}[\"']?[ ]?\|[ ]?(?:sudo -S |(?:sudo )?(?:chpasswd|passwd)|base64|(?:docker|podman|helm registry|nerdctl|gh auth|az acr) login|kinit|(?:wrangler|npx wrangler) secret)", "echo 'a1B<A9>' | docker login -u me --password-stdin", "echo $TOKEN | docker login -u me --password-stdin", has_value, "echo "),
)

CALLS = (
    *(
        Rule("call", shape, rf"{clue}{rest}\({_TEXTS % texts}{_LITERAL}", sample, stays, is_unknown_word, clue)
        for clue, rest, texts, shape, sample, stays in (
            ("auth=", "", 1, "auth=('user', '…')", "get(url, auth=('me', 'a1B<A9>'))", "get(url, auth=('me', password))"),
            ("BasicAuth", "", 1, "HTTPBasicAuth('user', '…')", "HTTPBasicAuth('me', 'a1B<A9>')", "HTTPBasicAuth('me', password)"),
            ("login", "", 1, "smtp.login('user', '…')", "server.login('me@h', 'a1B<A9>')", "server.login(user, password)"),
            ("getConnection", "", 2, "getConnection(url, 'user', '…')", 'getConnection("x", "me", "a1B<A9>")', 'getConnection("x", "me", password)'),
            ("mysqli", "(?:_connect)?", 2, "new mysqli('host', 'user', '…')", "new mysqli('db', 'me', 'a1B<A9>')", "new mysqli('db', 'me', $pass)"),
            ("PDO", "", 2, "new PDO(dsn, 'user', '…')", "new PDO('mysql:host=db', 'me', 'a1B<A9>')", "new PDO('mysql:host=db', 'me', $pass)"),
            ("create_", "(?:super)?user", 2, "create_user('name', 'mail', '…')", "create_user('me', 'm@h', 'a1B<A9>')", "create_user('me', 'm@h', password)"),
            ("twilio", "", 1, "twilio('AC…', '…')", "twilio('AC1', 'a1B<A29>')", "twilio(accountSid, authToken)"),
            ("algoliasearch", "", 1, "algoliasearch('app', '…')", "algoliasearch('APP1', 'a1B<A29>')", "algoliasearch(appId, apiKey)"),
            ("SearchClient", r"(?:Sync)?(?:\.create)?", 1, "SearchClient.create('app', '…')", "SearchClient.create('APP1', 'a1B<A29>')", "SearchClient.create(app_id, api_key)"),
        )
    ),
    Rule("call", "Client('AC…', '…') (Twilio)", rf"Client\(\s{{0,8}}[\"']AC[0-9a-f]{{32}}[\"'],\s{{0,8}}{_LITERAL}", "Client('AC" + "5f" * 16 + "', 'a1B<A29>')", "Client('AC1', token)", is_unknown_word, r"Client\("),
    *(
        Rule("call", shape, rf"{clue}{rest}{_LITERAL}", sample, stays, is_random, clue)
        for clue, rest, shape, sample, stays in (
            ("jwt.", r"\w{4,6}\([\w.\"'-]{1,80},[ ]?", "jwt.encode(payload, '…')", "jwt.encode(payload, '7q3W9k2Xa1a1B<A21>')", "jwt.encode(payload, 'key')"),
            ("hmac.", r"new\(", "hmac.new(b'…')", "hmac.new(b'7q3W9k2Xa1a1B<A21>', text)", "hmac.new(b'key', text)"),
            ("Fernet", r"\(", "Fernet(b'…')", "Fernet(b'7q3W9k2Xa1a1B<A30>=')", "Fernet(b'key')"),
        )
    ),
)
