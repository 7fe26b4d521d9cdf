"""Rows of nginx and Apache: logins, limits, pages, certificates and proxies."""

from servers import ways as way
from servers.apache import BASIC, apache
from servers.changes import (
    config,
    self_signed,
    served_as_files,
    with_users,
)
from servers.elsewhere import at
from servers.nginx import CERTIFIED, nginx
from servers.row import Row

_PAGE = 'default_type text/html; return 200 "<html>\nPlease log in\n</html>\n";'
_ASKS = "location / {{ auth_basic git; auth_basic_user_file {folder}/users; {git} }}"
_WRONG = "http://ada:wrong@127.0.0.1:{port}/hub.git"
_ON_PUSH = (
    "location ~ /git-receive-pack$ {{{{ return {}; }}}} location / {{{{ {{git}} }}}}"
)
_READERS = """if ($arg_service = git-receive-pack) {{ return 403; }}
location / {{ {git} }}"""
_HIDES = """if ($http_authorization = "") {{ return 404; }} """ + _ASKS
_MOVED = """rewrite ^/old/(.*)$ http://127.0.0.1:{port}/$1 permanent;
location / {{ {git} }}"""
_OLD = "http://127.0.0.1:{port}/old/hub.git"
_HTTPS = "https://127.0.0.1:{port}/hub.git"
_TRUSTED = config("http.sslCAInfo", "{folder}/certificate")
_PUSHES = (
    BASIC
    + """
<RequireAny>
Require expr "%{{QUERY_STRING}} !~ /receive-pack/ && %{{REQUEST_URI}} !~ /receive-pack/"
Require valid-user
</RequireAny>"""
)

NGINX = (
    Row(did="takes it", serve=nginx(), says="Sent 1 session.", works=True),
    Row(
        did="asks for a user and a password",
        serve=nginx(_ASKS),
        says="origin wants a user and a password: fatal: could not read Username"
        " for 'http://HOST': terminal prompts disabled",
        way_out=way.GIVE_A_PASSWORD,
        changes=(with_users,),
    ),
    Row(
        did="does not accept the password",
        serve=nginx(_ASKS, url=_WRONG),
        says="origin does not take this user and password: fatal: Authentication"
        " failed for 'http://HOST/hub.git/'",
        way_out="A token may have expired; `git config credential.helper` says what"
        " keeps it.",
        changes=(with_users,),
    ),
    Row(
        did="refuses with a text (403)",
        serve=nginx('default_type text/plain; return 403 "Your licence has ended.";'),
        says="No access to origin: fatal: unable to access 'http://HOST/hub.git/': The"
        " requested URL returned error: 403; it said: Your licence has ended.",
        way_out=way.ASK_FOR_ACCESS,
    ),
    Row(
        did="lets everybody read, and nobody write (403)",
        serve=nginx(_READERS),
        says="No access to origin: fatal: unable to access"
        " 'http://HOST/hub.git/': The requested URL returned error: 403. Not"
        " sent: 1 session; what is new there was taken.",
        way_out=way.ASK_FOR_ACCESS,
        has_news=True,
    ),
    Row(
        did="lets everybody read, and nobody write, as sharing begins",
        serve=nginx(_READERS),
        says="No access to origin: fatal: unable to access 'http://HOST/hub.git/': The"
        " requested URL returned error: 403. Not sent: 1 session; what is new there was"
        " taken.",
        way_out=way.ASK_FOR_ACCESS,
        command=("share", "on", "--yes"),
        has_news=True,
    ),
    Row(
        did="has no such repository",
        serve=nginx(url="http://127.0.0.1:{port}/none.git"),
        says="origin is not found: fatal: repository 'http://HOST/none.git/' not found",
        way_out=way.CHECK_THE_PATH,
    ),
    Row(
        did="takes no request of this size (413)",
        serve=nginx("client_max_body_size 1; location / {{ {git} }}"),
        says="What was sent is too large for origin: error: RPC"
        " failed; HTTP 413 curl 22 The requested URL returned error: 413",
        way_out=way.ALLOW_MORE,
    ),
    Row(
        did="fails as it is pushed to (500)",
        serve=nginx(_ON_PUSH.format(500)),
        says="Git failed with origin: error: RPC failed; HTTP 500 curl"
        " 22 The requested URL returned error: 500. Not sent: 1 session; what"
        " is new there was taken.",
        way_out=way.TRY_GIT,
        has_news=True,
    ),
    Row(
        did="answers with a login page, status 200",
        serve=nginx(_PAGE),
        says="Git failed with origin: fatal:"
        " http://HOST/hub.git/info/refs not valid: is this a git repository?",
        way_out=way.TRY_GIT,
    ),
    Row(
        did="has moved to another path",
        serve=nginx(_MOVED, url=_OLD),
        says="Sent 1 session.",
        works=True,
    ),
    Row(
        did="serves files, without git, and is pulled from",
        serve=nginx("root {folder};"),
        says="Fetched 1 session of Ada.",
        changes=(served_as_files,),
        has_news=True,
        command=("pull",),
        works=True,
    ),
    Row(
        did="has a certificate that git trusts",
        serve=nginx(listen=CERTIFIED, url=_HTTPS),
        says="Sent 1 session.",
        changes=(self_signed, _TRUSTED),
        works=True,
    ),
    Row(
        did="does not run",
        serve=at("http://127.0.0.1:{port}/hub.git"),
        says="origin does not answer: fatal: unable to access"
        " 'http://HOST/hub.git/': Failed to connect to HOST after N ms:"
        " Couldn't connect to server",
        way_out=way.CHECK_THE_NETWORK,
    ),
    Row(
        did="has a name that nobody knows",
        serve=at("https://hub.invalid/hub.git"),
        says="origin does not answer: fatal: unable to access"
        " 'https://hub.invalid/hub.git/': Could not resolve host: hub.invalid",
        way_out=way.CHECK_THE_NETWORK,
    ),
    Row(
        did="sends 60 bytes a second, for longer than 30 s",
        serve=nginx("limit_rate 60; location / {{ {git} }}"),
        says="Fetched 1 session of Ada.",
        has_news=True,
        works=True,
        command=("pull",),
    ),
    Row(
        did="lets everybody read",
        serve=nginx(),
        says="who reads it anybody: it is public",
        command=("share", "on", "--dry-run"),
        works=True,
    ),
    Row(
        did="says 404 to whoever did not log in",
        serve=nginx(_HIDES, url="http://ada:right@127.0.0.1:{port}/hub.git"),
        says="who reads it not known",
        changes=(with_users,),
        command=("share", "on", "--dry-run"),
        works=True,
    ),
    Row(
        did="shows whoever did not log in a page, status 200",
        serve=nginx(_PAGE),
        says="who reads it not known",
        command=("share", "on", "--dry-run"),
        works=True,
    ),
    Row(
        did="fails before it says who can read",
        serve=nginx("return 500;"),
        says="who reads it not known",
        command=("share", "on", "--dry-run"),
        works=True,
    ),
)

APACHE = (
    Row(did="accepts the password", serve=apache(), says="Sent 1 session.", works=True),
    Row(
        did="lets everybody read, and asks who writes",
        serve=apache(_PUSHES, user=""),
        says="origin wants a user and a password: fatal: could not read Username"
        " for 'http://HOST': terminal prompts disabled. Not sent: 1 session;"
        " what is new there was taken.",
        way_out=way.GIVE_A_PASSWORD,
        has_news=True,
    ),
    Row(
        did="lets in who has a password, and nobody else",
        serve=apache(),
        says="who reads it nobody without an account",
        command=("share", "on", "--dry-run"),
        works=True,
    ),
)
