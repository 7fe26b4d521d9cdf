"""`ocm serve --http`: who may ask, where, and of which repositories."""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from starlette.types import ASGIApp

from gitmem.cli.main import json_commands
from gitmem.cli.output import PATH, note, say_whole
from gitmem.cli.over_http import commands_over_http
from gitmem.config import current_environment
from gitmem.errors import InvalidInput
from gitmem.web import serving
from gitmem.web.guard import BearerToken, Guard, new_token, token_in


def serve_over_http(
    address: str,
    token_file: Path | None,
    folders: Iterable[Path],
    hosts: Iterable[str],
    **settings: bool,
) -> None:
    """Serve until Ctrl-C; `hosts` are names of this machine beside its addresses.

    Raises InvalidInput, NoPermission and NotARepository.
    """
    host, port = serving.parse_address(address)
    if not token_file and not serving.is_loopback(host):
        raise InvalidInput(
            f"Other machines may reach {address}.",
            hint="Name a file with the token that they send: --token-file FILE.",
        )
    token = token_in(token_file) if token_file else new_token()
    with closing(serving.listen(host, port)) as listener:
        app = _application(folders, **settings)
        if not token_file:
            note(f"Authorization: Bearer {token}")
        say_whole((f"{serving.address(listener)}/mcp", PATH))
        serving.run(Guard(app, BearerToken(token), frozenset(hosts)), listener)


def _application(
    folders: Iterable[Path], *, is_opt_in: bool, is_lean: bool, is_writable: bool
) -> ASGIApp:
    from gitmem.web.application import application  # takes two seconds
    from gitmem.web.repositories import repositories_at

    repositories = repositories_at(folders, current_environment(), is_opt_in=is_opt_in)
    note(f"Serving {', '.join(repositories)}; Ctrl-C ends it.")
    commands = commands_over_http(json_commands())
    return application(repositories, commands, is_lean=is_lean, is_writable=is_writable)
