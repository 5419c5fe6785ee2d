"""A certificate for a server that is only measured or attacked: made on the spot, trusted by this measurement only."""

import subprocess
from pathlib import Path
from typing import Final

NAME: Final = "localhost"
"""The host name that it holds for, besides 127.0.0.1."""
DAYS: Final = 3


class NoCertificate(Exception):
    """It could not be made; the text gives the reason."""


def make(directory: Path) -> Path:
    """A new PEM file in ``directory`` with key and certificate, which is its own authority. Raises NoCertificate."""
    file = directory / "server.pem"
    key = directory / "key.pem"
    # -nodes: without a password, which a server that starts by itself could not type.
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    command += ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME},IP:127.0.0.1", "-days", str(DAYS)]
    try:
        done = subprocess.run(
            [*command, "-keyout", str(key), "-out", str(file)], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise NoCertificate("measuring TLS needs the program openssl, which is not installed") from None
    if done.returncode:
        raise NoCertificate(f"openssl cannot make a certificate: {done.stderr.strip()[-200:]}")
    with file.open("a", encoding="ascii") as whole:
        whole.write(key.read_text(encoding="ascii"))
    key.unlink()
    return file
