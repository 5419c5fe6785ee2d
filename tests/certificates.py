"""Certificates for tests, from an authority of the test's own."""

import ssl
from datetime import datetime
from functools import cache
from pathlib import Path

import trustme

NAME = "localhost"


class Authority:
    """An authority whose certificates nobody else trusts, and what it has issued, as files in ``directory``."""

    def __init__(self, directory: Path, *, rsa: bool = False) -> None:
        self._directory = directory
        self._kind = trustme.KeyType.RSA if rsa else trustme.KeyType.ECDSA
        self._ca = _authority(str(directory), self._kind)
        self.file = directory / "ca.pem"
        self._ca.cert_pem.write_to_path(str(self.file))

    def issue(self, file: str = "server.pem", *names: str, until: datetime | None = None) -> Path:
        """A file with a key and its certificate for these names; without any: for this machine."""
        path = self._directory / file
        issued = self._ca.issue_cert(*(names or (NAME, "127.0.0.1")), not_after=until, key_type=self._kind)
        issued.private_key_and_cert_chain_pem.write_to_path(str(path))
        return path

    def trusts(self) -> ssl.SSLContext:
        """A client that trusts this authority alone, and has no wishes of its own."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(self.file)
        return context


@cache
def _authority(_directory: str, kind: trustme.KeyType) -> trustme.CA:
    return trustme.CA(key_type=kind)


class Handshake:
    """A client and a server that shake hands in memory."""

    def __init__(self, server: ssl.SSLContext, client: ssl.SSLContext) -> None:
        to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.client = client.wrap_bio(to_client, to_server, server_hostname=NAME)
        self.server = server.wrap_bio(to_server, to_client, server_side=True)

    def done(self) -> str | None:
        """The version that they have agreed on. Raises ssl.SSLError."""
        for step in (self.client.do_handshake, self.server.do_handshake) * 3:
            try:
                step()
            except ssl.SSLWantReadError:
                continue
        return self.server.version()
