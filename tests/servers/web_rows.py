"""Rows of nginx: logins, limits, pages and proxies."""

from servers import ways as way
from servers.changes import (
    config,
    served_as_files,
    with_users,
)
from servers.nginx import nginx
from servers.row import Row

_PAGE = 'default_type text/html; return 200 "<html>\nPlease log in\n</html>\n";'
_LOGIN = f"location /login {{{{ {_PAGE} }}}} location / {{{{ return 302 /login; }}}}"
_ASKS = "location / {{ auth_basic git; auth_basic_user_file {folder}/users; {git} }}"
_WRONG = "http://ada:wrong@127.0.0.1:{port}/hub.git"
_ON_PUSH = (
    "location ~ /git-receive-pack$ {{{{ return {}; }}}} location / {{{{ {{git}} }}}}"
)
_HIDES = """if ($http_authorization = "") {{ return 404; }} """ + _ASKS
_OFTEN = (
    "limit_req_zone $binary_remote_addr zone=all:1m rate=1r/m; limit_req_status 429;"
)
_HTTPS = "https://127.0.0.1:{port}/hub.git"

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
        way_out=way.RENEW_THE_TOKEN,
        changes=(with_users,),
    ),
    Row(
        did="takes no such request (405)",
        serve=nginx(_ON_PUSH.format(405)),
        says="The web server of origin refused the request: error: RPC failed;"
        " HTTP 405 curl 22 The requested URL returned error: 405. Not sent: 1"
        " session; what is new there was taken.",
        way_out=way.CHECK_THE_SCHEME,
        has_news=True,
    ),
    Row(
        did="takes no request of this size (413)",
        serve=nginx("client_max_body_size 1; location / {{ {git} }}"),
        says="The web server of origin takes no request of this size: error: RPC"
        " failed; HTTP 413 curl 22 The requested URL returned error: 413",
        way_out=way.ALLOW_LARGER_ONES,
    ),
    Row(
        did="takes one request a minute (429)",
        serve=nginx("limit_req zone=all; location / {{ {git} }}", around=_OFTEN),
        says="origin was asked too often: error: RPC failed; HTTP 429 curl 22 The"
        " requested URL returned error: 429",
        way_out="Sync again later.",
    ),
    Row(
        did="fails (500)",
        serve=nginx("return 500;"),
        says="The web server of origin failed: fatal: unable to access"
        " 'http://HOST/hub.git/': The requested URL returned error: 500",
        way_out=way.LATER_OR_THE_LOG,
    ),
    Row(
        did="answers with a login page, status 200",
        serve=nginx(_PAGE),
        says="origin answers with pages or files, not with git: fatal:"
        " http://HOST/hub.git/info/refs not valid: is this a git repository?",
        way_out=way.SEE_THE_PAGE,
    ),
    Row(
        did="sends git to a login page",
        serve=nginx(_LOGIN),
        says="origin sends git to another address: redirect: http://HOST/login",
        way_out=way.SEE_WHERE_IT_WENT,
    ),
    Row(
        did="serves files, without git, and is pulled from",
        serve=nginx("root {folder};"),
        says="Took 1 session of Ada.",
        changes=(served_as_files,),
        has_news=True,
        command=("pull",),
        works=True,
    ),
    Row(
        did="speaks http at an https address",
        serve=nginx(url=_HTTPS),
        says="There is no safe connection to origin: fatal: unable to access"
        " 'https://HOST/hub.git/': gnutls_handshake() failed: An unexpected"
        " TLS packet was received.",
        way_out=way.TRUST_A_CERTIFICATE,
    ),
    Row(
        did="is behind a proxy whose name nobody knows",
        serve=nginx(),
        says="The proxy before origin does not let git through: fatal: unable to"
        " access 'http://HOST/hub.git/': Could not resolve proxy:"
        " proxy.invalid",
        way_out=way.NAME_THE_PROXY,
        changes=(config("http.proxy", "http://proxy.invalid:9"),),
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
)
