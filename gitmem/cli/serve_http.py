"""`ocm serve --http`: who may ask, where, and of which repositories."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from gitmem.cli.main import json_commands
from gitmem.cli.output import PATH, note, say_whole
from gitmem.cli.over_http import commands_over_http
from gitmem.config import current_environment
from gitmem.errors import InvalidInput
from gitmem.frozen import frozen
from gitmem.web import serving
from gitmem.web.guard import BearerToken, Guard, new_token, token_in


@frozen(kw_only=True)
class HttpSettings:
    address: str
    token_file: Path | None
    folders: Sequence[Path]
    hosts: Sequence[str]
    """Names of this machine for its clients, beside its addresses."""
    is_opt_in: bool
    is_lean: bool
    is_writable: bool


def serve_over_http(settings: HttpSettings) -> None:
    """Serve until Ctrl-C. Raises InvalidInput, NoPermission and NotARepository."""
    host, port = serving.parse_address(settings.address)
    if not settings.token_file and not serving.is_loopback(host):
        raise InvalidInput(
            f"Other machines may reach {settings.address}.",
            hint="Name a file with the token that they send: --token-file FILE.",
        )
    token = token_in(settings.token_file) if settings.token_file else new_token()
    with closing(serving.listen(host, port)) as listener:
        guard = _guarded_app(settings, token)
        if not settings.token_file:
            note(f"Authorization: Bearer {token}")
        say_whole((f"{serving.address(listener)}/mcp", PATH))
        serving.run(guard, listener)


def _guarded_app(settings: HttpSettings, token: str) -> Guard:
    from gitmem.web.application import application  # takes two seconds
    from gitmem.web.repositories import repositories_at

    repositories = repositories_at(
        settings.folders, current_environment(), is_opt_in=settings.is_opt_in
    )
    note(f"Serving {', '.join(repositories)}; Ctrl-C ends it.")
    app = application(
        repositories,
        [*commands_over_http(json_commands())],
        is_lean=settings.is_lean,
        is_writable=settings.is_writable,
    )
    return Guard(app, BearerToken(token), frozenset(settings.hosts))
