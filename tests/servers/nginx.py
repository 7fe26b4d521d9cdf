"""Repositories over http: nginx, fcgiwrap and the real `git http-backend`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from servers.scene import Scene, Server, free_port, listens_at, program, running

GIT = """
fastcgi_pass unix:{folder}/cgi.sock;
fastcgi_param SCRIPT_FILENAME {backend};
fastcgi_param GIT_PROJECT_ROOT {folder};
fastcgi_param GIT_HTTP_EXPORT_ALL "";
fastcgi_param PATH_INFO $uri;
fastcgi_param QUERY_STRING $query_string;
fastcgi_param REQUEST_METHOD $request_method;
fastcgi_param CONTENT_TYPE $content_type;
fastcgi_param CONTENT_LENGTH $content_length;
fastcgi_param SERVER_PROTOCOL $server_protocol;
fastcgi_param REMOTE_ADDR $remote_addr;
fastcgi_param REMOTE_USER {user};
"""
"""Has a location served by git."""
CERTIFIED = """
listen 127.0.0.1:{port} ssl;
ssl_certificate {folder}/certificate;
ssl_certificate_key {folder}/certificate.key;
"""
_SETTINGS = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    {listen}
    {server}
  }}
}}
"""


def nginx(
    server: str = "location / {{ {git} }}",
    *,
    listen: str = "listen 127.0.0.1:{port};",
    url: str = "http://127.0.0.1:{port}/hub.git",
    user: str = "ada",
) -> Server:
    """`server` and `listen` are what stands in the block of the server.

    `{git}` in it is what has git serve a location to `user`; braces are doubled.
    """

    @contextmanager
    def serve(scene: Scene) -> Iterator[str]:
        port, folder = free_port(), scene.folder
        backend = program("git-http-backend", "git")
        values = {"port": port, "folder": folder, "backend": backend, "user": user}
        values["git"] = GIT.format(**values)
        settings = folder / "nginx.conf"
        settings.write_text(
            _SETTINGS.format(
                folder=folder,
                listen=listen.format(**values),
                server=server.format(**values),
            )
        )
        command = [program("nginx", "nginx-light"), "-c", str(settings)]
        log = folder / "nginx.out"
        with _cgi(folder), running(command, log, listens_at(port)):
            yield url.format(**values)

    return serve


@contextmanager
def _cgi(folder: Path) -> Iterator[None]:
    socket = folder / "cgi.sock"
    command = [program("fcgiwrap", "fcgiwrap"), "-c", "3", "-s", f"unix:{socket}"]
    with running(command, folder / "cgi.log", socket.exists):
        yield
