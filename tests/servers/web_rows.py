"""Rows of nginx and Apache: logins, limits, pages, certificates and proxies."""

from servers import ways as way
from servers.apache import BASIC, GIT, apache, apache_as_proxy
from servers.certificates import certificate
from servers.changes import (
    config,
    hook,
    hub_config,
    many_commits,
    read_only_objects,
    served_as_files,
    with_users,
)
from servers.elsewhere import at, silent
from servers.nginx import CERTIFIED, nginx
from servers.row import Row

_PAGE = 'default_type text/html; return 200 "<html>\nPlease log in\n</html>\n";'
_LOGIN = f"location /login {{{{ {_PAGE} }}}} location / {{{{ return 302 /login; }}}}"
_ASKS = "location / {{ auth_basic git; auth_basic_user_file {folder}/users; {git} }}"
_WRONG = "http://ada:wrong@127.0.0.1:{port}/hub.git"
_ON_PUSH = (
    "location ~ /git-receive-pack$ {{{{ return {}; }}}} location / {{{{ {{git}} }}}}"
)
_READERS = """if ($arg_service = git-receive-pack) {{ return 403; }}
location / {{ {git} }}"""
_HIDES = """if ($http_authorization = "") {{ return 404; }} """ + _ASKS
_OFTEN = (
    "limit_req_zone $binary_remote_addr zone=all:1m rate=1r/m; limit_req_status 429;"
)
_MOVED = """rewrite ^/old/(.*)$ http://127.0.0.1:{port}/$1 permanent;
location / {{ {git} }}"""
_OLD = "http://127.0.0.1:{port}/old/hub.git"
_PLAIN = """location / {{ {git} fastcgi_param HTTP_CONTENT_ENCODING ""; }}"""
_OTHERS = "location / {{ {git} fastcgi_param GIT_TEST_ASSUME_DIFFERENT_OWNER 1; }}"
_HTTPS = "https://127.0.0.1:{port}/hub.git"
_TRUSTED = config("http.sslCAInfo", "{folder}/certificate")
_CLIENTS = "ssl_verify_client on; ssl_client_certificate {folder}/certificate;"
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
        way_out=way.RENEW_THE_TOKEN,
        changes=(with_users,),
    ),
    Row(
        did="asks for a user and a password as sharing begins",
        serve=nginx(_ASKS),
        says="origin wants a user and a password: fatal: could not read Username"
        " for 'http://HOST': terminal prompts disabled",
        way_out=way.GIVE_A_PASSWORD,
        changes=(with_users,),
        command=("share", "on", "--yes"),
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
        did="knows nobody who may write (http-backend without a user)",
        serve=nginx(user='""'),
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
        did="lets nobody read (http.uploadpack)",
        serve=nginx(),
        says="No access to origin: fatal: unable to access"
        " 'http://HOST/hub.git/': The requested URL returned error: 403",
        way_out=way.ASK_FOR_ACCESS,
        changes=(hub_config("http.uploadpack", "false"),),
        command=("pull",),
    ),
    Row(
        did="has no such repository",
        serve=nginx(url="http://127.0.0.1:{port}/none.git"),
        says="origin is not found: fatal: repository 'http://HOST/none.git/' not found",
        way_out=way.CHECK_THE_PATH,
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
        did="fails as it is pushed to (500)",
        serve=nginx(_ON_PUSH.format(500)),
        says="The web server of origin failed: error: RPC failed; HTTP 500 curl"
        " 22 The requested URL returned error: 500. Not sent: 1 session; what"
        " is new there was taken.",
        way_out=way.LATER_OR_THE_LOG,
        has_news=True,
    ),
    Row(
        did="has a repository of another user (safe.directory)",
        serve=nginx(_OTHERS),
        says="The web server of origin failed: fatal: unable to access"
        " 'http://HOST/hub.git/': The requested URL returned error: 500",
        way_out=way.LATER_OR_THE_LOG,
    ),
    Row(
        did="does not reach git (502)",
        serve=nginx(has_cgi=False),
        says="The web server of origin failed: fatal: unable to access"
        " 'http://HOST/hub.git/': The requested URL returned error: 502",
        way_out=way.LATER_OR_THE_LOG,
    ),
    Row(
        did="is under maintenance (503)",
        serve=nginx("return 503;"),
        says="The web server of origin failed: fatal: unable to access"
        " 'http://HOST/hub.git/': The requested URL returned error: 503",
        way_out=way.LATER_OR_THE_LOG,
    ),
    Row(
        did="has a hook that takes too long for it (504)",
        serve=nginx("fastcgi_read_timeout 1s; location / {{ {git} }}"),
        says="The web server of origin failed: error: RPC failed; HTTP 504 curl"
        " 22 The requested URL returned error: 504. Not sent: 1 session.",
        way_out=way.LATER_OR_THE_LOG,
        changes=(hook("pre-receive", "sleep 3"),),
    ),
    Row(
        did="answers with a login page, status 200",
        serve=nginx(_PAGE),
        says="origin answers with pages or files, not with git: fatal:"
        " http://HOST/hub.git/info/refs not valid: is this a git repository?",
        way_out=way.SEE_THE_PAGE,
    ),
    Row(
        did="answers a pull with a login page, status 200",
        serve=nginx(_PAGE),
        says="origin answers with pages or files, not with git: fatal:"
        " http://HOST/hub.git/info/refs not valid: is this a git repository?",
        way_out=way.SEE_THE_PAGE,
        command=("pull",),
    ),
    Row(
        did="sends git to a login page",
        serve=nginx(_LOGIN),
        says="origin sends git to another address: redirect: http://HOST/login",
        way_out=way.SEE_WHERE_IT_WENT,
    ),
    Row(
        did="sends git to itself, for ever",
        serve=nginx("return 302 $request_uri;"),
        says="origin sends git to another address: fatal: unable to access"
        " 'http://HOST/hub.git/': Maximum (20) redirects followed",
        way_out=way.SEE_WHERE_IT_WENT,
    ),
    Row(
        did="has moved to another path",
        serve=nginx(_MOVED, url=_OLD),
        says="Sent 1 session.",
        works=True,
    ),
    Row(
        did="has moved, and git follows nowhere (http.followRedirects)",
        serve=nginx(_MOVED, url=_OLD),
        says="origin sends git to another address: fatal: unable to access"
        " 'http://HOST/old/hub.git/': The requested URL returned error: 301",
        way_out=way.SEE_WHERE_IT_WENT,
        changes=(config("http.followRedirects", "false"),),
    ),
    Row(
        did="serves files, without git (dumb http)",
        serve=nginx("root {folder};"),
        says="origin answers with pages or files, not with git: error: Cannot"
        " access URL http://HOST/hub.git/, return code 22. Not sent: 1"
        " session; what is new there was taken.",
        way_out=way.SEE_THE_PAGE,
        changes=(served_as_files,),
        has_news=True,
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
        did="passes on what is compressed as if it were not",
        serve=nginx(_PLAIN),
        says="origin does not answer as git does: fatal: expected 'acknowledgments'",
        way_out="A proxy or a compression in between may change what is sent;"
        " whoever runs it can look.",
        changes=(many_commits,),
        has_news=True,
        command=("pull",),
    ),
    Row(
        did="refuses by a pre-receive hook",
        serve=nginx(),
        says="origin refused refs/ocm/sessions: Not on a Friday. Not sent: 1 session.",
        way_out=way.ASK_OR_USE_A_BRANCH,
        changes=(hook("pre-receive", "echo Not on a Friday.; exit 1"),),
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
        did="speaks https at an http address",
        serve=nginx(listen=CERTIFIED),
        says="The web server of origin refused the request: fatal: unable to"
        " access 'http://HOST/hub.git/': The requested URL returned error: 400",
        way_out=way.CHECK_THE_SCHEME,
        changes=(certificate(),),
    ),
    Row(
        did="signed its certificate itself",
        serve=nginx(listen=CERTIFIED, url=_HTTPS),
        says="There is no safe connection to origin: fatal: unable to access"
        " 'https://HOST/hub.git/': server certificate verification failed."
        " CAfile: none CRLfile: none",
        way_out=way.TRUST_A_CERTIFICATE,
        changes=(certificate(),),
    ),
    Row(
        did="has a certificate that git trusts",
        serve=nginx(listen=CERTIFIED, url=_HTTPS),
        says="Sent 1 session.",
        changes=(certificate(), _TRUSTED),
        works=True,
    ),
    Row(
        did="has a certificate of another host",
        serve=nginx(listen=CERTIFIED, url=_HTTPS),
        says="There is no safe connection to origin: fatal: unable to access"
        " 'https://HOST/hub.git/': SSL: certificate subject name (server)"
        " does not match target host name 'HOST'",
        way_out=way.TRUST_A_CERTIFICATE,
        changes=(certificate("DNS:other.example"), _TRUSTED),
    ),
    Row(
        did="has a certificate that expired",
        serve=nginx(listen=CERTIFIED, url=_HTTPS),
        says="There is no safe connection to origin: fatal: unable to access"
        " 'https://HOST/hub.git/': server certificate verification failed."
        " CAfile: /srv/certificate CRLfile: none",
        way_out=way.TRUST_A_CERTIFICATE,
        changes=(certificate(is_old=True), _TRUSTED),
    ),
    Row(
        did="asks for a certificate of the client",
        serve=nginx(listen=CERTIFIED + _CLIENTS, url=_HTTPS),
        says="The web server of origin refused the request: fatal: unable to"
        " access 'https://HOST/hub.git/': The requested URL returned error:"
        " 400",
        way_out=way.CHECK_THE_SCHEME,
        changes=(certificate(), _TRUSTED),
    ),
    Row(
        did="speaks another TLS than git may",
        serve=nginx(listen=CERTIFIED + "ssl_protocols TLSv1.2;", url=_HTTPS),
        says="There is no safe connection to origin: fatal: unable to access"
        " 'https://HOST/hub.git/': gnutls_handshake() failed: Error in"
        " protocol version",
        way_out=way.TRUST_A_CERTIFICATE,
        changes=(certificate(), _TRUSTED, config("http.sslVersion", "tlsv1.3")),
    ),
    Row(
        did="is behind a proxy that is not there",
        serve=nginx(),
        says="origin does not answer: fatal: unable to access"
        " 'http://HOST/hub.git/': Failed to connect to HOST after N ms:"
        " Couldn't connect to server",
        way_out=way.CHECK_NETWORK_AND_PROXY,
        changes=(config("http.proxy", "http://127.0.0.1:9"),),
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
        did="does not run",
        serve=at("http://127.0.0.1:{port}/hub.git"),
        says="origin does not answer: fatal: unable to access"
        " 'http://HOST/hub.git/': Failed to connect to HOST after N ms:"
        " Couldn't connect to server",
        way_out=way.CHECK_NETWORK_AND_PROXY,
    ),
    Row(
        did="has a name that nobody knows",
        serve=at("https://hub.invalid/hub.git"),
        says="The host of origin is not known: fatal: unable to access"
        " 'https://hub.invalid/hub.git/': Could not resolve host: hub.invalid",
        way_out=way.CHECK_THE_NETWORK,
    ),
    Row(
        did="accepts the connection and says nothing",
        serve=silent("http"),
        says="origin accepted the connection and said nothing for 30 seconds.",
        way_out=way.NEXT_TIME,
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
        did="asks for a user and a password",
        serve=apache(user=""),
        says="origin wants a user and a password: fatal: could not read Username"
        " for 'http://HOST': terminal prompts disabled",
        way_out=way.GIVE_A_PASSWORD,
    ),
    Row(
        did="does not accept the password",
        serve=apache(user="ada:wrong@"),
        says="origin does not take this user and password: fatal: Authentication"
        " failed for 'http://HOST/hub.git/'",
        way_out=way.RENEW_THE_TOKEN,
    ),
    Row(
        did="lets somebody else in (`Require user`)",
        serve=apache(BASIC + "Require user bob"),
        says="origin does not take this user and password: fatal: Authentication"
        " failed for 'http://HOST/hub.git/'",
        way_out=way.RENEW_THE_TOKEN,
    ),
    Row(
        did="lets nobody in (`Require all denied`)",
        serve=apache("Require all denied", user=""),
        says="No access to origin: fatal: unable to access"
        " 'http://HOST/hub.git/': The requested URL returned error: 403",
        way_out=way.ASK_FOR_ACCESS,
    ),
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
        did="takes no request of this size (LimitRequestBody)",
        serve=apache(BASIC + "Require valid-user\nLimitRequestBody 10"),
        says="The web server of origin takes no request of this size: error: RPC"
        " failed; HTTP 413 curl 22 The requested URL returned error: 413",
        way_out=way.ALLOW_LARGER_ONES,
    ),
    Row(
        did="has no git-http-backend",
        serve=apache(settings=GIT.replace("{backend}", "/nowhere")),
        says="origin is not found: fatal: repository 'http://HOST/hub.git/' not found",
        way_out=way.CHECK_THE_PATH,
    ),
    Row(
        did="does not export the repository",
        serve=apache(settings=GIT.replace("SetEnv GIT_HTTP_EXPORT_ALL", "")),
        says="origin is not found: fatal: repository 'http://HOST/hub.git/' not found",
        way_out=way.CHECK_THE_PATH,
    ),
    Row(
        did="cannot write to the folder of objects",
        serve=apache(),
        says="origin cannot write to its folder of objects: error: remote unpack"
        " failed: unable to create temporary object directory. Not sent: 1"
        " session.",
        way_out=way.LET_GIT_WRITE,
        changes=(read_only_objects,),
    ),
    Row(
        did="is a proxy that asks for a password",
        serve=apache_as_proxy("http://hub.invalid/hub.git"),
        says="The proxy before origin does not let git through: fatal: unable to"
        " access 'http://hub.invalid/hub.git/': The requested URL returned"
        " error: 407",
        way_out=way.NAME_THE_PROXY,
    ),
    Row(
        did="lets in who has a password, and nobody else",
        serve=apache(),
        says="who reads it nobody without an account",
        command=("share", "on", "--dry-run"),
        works=True,
    ),
)
