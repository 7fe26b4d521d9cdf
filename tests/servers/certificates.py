"""Certificates that are signed by themselves."""

import subprocess
from pathlib import Path

from servers.scene import Change, Scene, program

_LONG_AGO = ("-startdate", "20200101000000Z", "-enddate", "20200201000000Z")
_SETTINGS = """
[ca]
default_ca = own
[own]
database = {folder}/certificates
rand_serial = yes
new_certs_dir = {folder}
default_md = sha256
default_days = 30
policy = any
x509_extensions = extensions
[any]
commonName = supplied
[extensions]
subjectAltName = {name}
"""


def certificate(name: str = "IP:127.0.0.1", *, is_old: bool = False) -> Change:
    """`certificate` in the folder of the scene, for a host of this name."""

    def make(scene: Scene) -> None:
        folder = scene.folder
        (folder / "ca.conf").write_text(_SETTINGS.format(folder=folder, name=name))
        (folder / "certificates").touch()
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
        key, asked = ("-keyout", "certificate.key"), ("-out", "asked")
        _openssl(folder, "req", "-new", "-subj", "/CN=server", *curve, *key, *asked)
        signed = ("-selfsign", "-keyfile", "certificate.key", "-in", "asked")
        made = ("-config", "ca.conf", "-out", "certificate", "-notext", "-batch")
        _openssl(folder, "ca", *signed, *made, *(_LONG_AGO if is_old else ()))

    return make


def _openssl(folder: Path, *arguments: str) -> None:
    subprocess.run(
        [program("openssl", "openssl"), *arguments],
        cwd=folder,
        check=True,
        capture_output=True,
    )
