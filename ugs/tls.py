"""Encrypted lines: which versions and ciphers are spoken, and who is trusted; for a server and for those who connect.

TLS 1.2 and 1.3 are spoken, with ciphers that keep past messages secret even when the key of the certificate becomes
known (forward secrecy) and notice every change (authenticated encryption). Keys are agreed on over one curve, P-256,
which every program has: OpenSSL would let a client choose groups that cost a server a tenth of a second.
"""

import ssl
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

CIPHERS: Final = "ECDHE+AESGCM:ECDHE+CHACHA20:@SECLEVEL=2"
"""Of TLS 1.2; those of 1.3 are all of this kind. The level refuses keys that are too short (RSA with fewer than 2048
bits)."""
CURVE: Final = "prime256v1"
IGNORE_TIME: Final = ssl.VerifyFlags(0x200000)
"""OpenSSL's X509_V_FLAG_NO_CHECK_TIME, to look into a certificate that has expired."""

MAX_ROUNDS: Final = 3
"""From a client that first guesses another curve to the end of its handshake."""

IN_WORDS: Final = {
    "CERTIFICATE_REQUIRED": "it shows no certificate",
    "CERTIFICATE_VERIFY_FAILED": "its certificate is not trusted",
    "HTTP_REQUEST": "it speaks HTTP without TLS",
    "NO_PROTOCOLS_AVAILABLE": "it speaks no version of TLS that is spoken here (1.2 and 1.3)",
    "NO_SHARED_CIPHER": "it knows no cipher that is spoken here",
    "NO_SUITABLE_KEY_SHARE": "it knows no group for keys that is spoken here (P-256)",
    "PEER_DID_NOT_RETURN_A_CERTIFICATE": "it shows no certificate",
    "SSLV3_ALERT_BAD_CERTIFICATE": "it does not trust the certificate that it was shown",
    "SSLV3_ALERT_CERTIFICATE_EXPIRED": "the certificate that it was shown has expired",
    "SSLV3_ALERT_CERTIFICATE_UNKNOWN": "it does not trust the certificate that it was shown",
    "SSLV3_ALERT_HANDSHAKE_FAILURE": "the other side wants something that is not spoken here, or a certificate",
    "TLSV13_ALERT_CERTIFICATE_REQUIRED": "the other side wants to see a certificate",
    "TLSV1_ALERT_PROTOCOL_VERSION": "the other side speaks no version of TLS that is spoken here (1.2 and 1.3)",
    "TLSV1_ALERT_UNKNOWN_CA": "it does not know the authority of the certificate that it was shown",
    "UNSUPPORTED_PROTOCOL": "it speaks no version of TLS that is spoken here (1.2 and 1.3)",
    "WRONG_VERSION_NUMBER": "the other side speaks no TLS",
}
"""Reasons that OpenSSL gives, in plain words; "it" is the other side."""


class TlsError(Exception):
    """A file that cannot be used; the text names it and the reason."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a server shows of itself."""

    names: tuple[str, ...]
    """The names it holds for."""
    expires: datetime


def server_context(certificate: Path, key: Path | None, client_ca: Path | None) -> ssl.SSLContext:
    """What a server needs to speak TLS: PEM files with its certificate, its key (None: in the same file) and, where
    clients have to show a certificate, the authorities for these. Raises TlsError."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _modern(context)
    # Without it a client of TLS 1.2 could ask for new keys on one line again and again.
    context.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_CIPHER_SERVER_PREFERENCE
    context.set_ecdh_curve(CURVE)
    # A client that closes before it has read a ticket resets the line, which may cost its last words.
    context.num_tickets = 0
    _load_own(context, certificate, key)
    if client_ca is not None:
        _load_trusted(context, client_ca)
        context.verify_mode = ssl.CERT_REQUIRED
    return context


def client_context(ca: Path | None = None, certificate: Path | None = None, key: Path | None = None) -> ssl.SSLContext:
    """What a client needs. It trusts the authorities in ``ca``, a PEM file, or those of the system, and makes sure that
    the certificate has the name it connects to; it shows its own certificate if it has one. Raises TlsError."""
    if key is not None and certificate is None:
        raise TlsError(f"{key}: a key without a certificate")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    _modern(context)
    if ca is not None:
        _load_trusted(context, ca)
    else:
        context.load_default_certs()
    if certificate is not None:
        _load_own(context, certificate, key)
    return context


def in_words(error: ssl.SSLError) -> str:
    """Why the two do not come together."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"{IN_WORDS['CERTIFICATE_VERIFY_FAILED']}: {error.verify_message}"
    reason = error.reason or str(error)
    return IN_WORDS.get(reason, reason.lower().replace("_", " "))


def certificate_of(server: ssl.SSLContext, file: Path) -> Certificate:
    """The contents of a server's certificate, which is in ``file``. Raises TlsError when certificate and key cannot be
    used together.

    A client that trusts just this certificate shakes hands with the server, in memory: only then does Python show what
    is in a certificate.
    """
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    # It is only read here: its name, its time and its authority do not matter.
    trusting.check_hostname = False
    trusting.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN | IGNORE_TIME
    _load_trusted(trusting, file)
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = trusting.wrap_bio(to_client, to_server)
    serving = server.wrap_bio(to_server, to_client, server_side=True)
    try:
        for _ in range(MAX_ROUNDS):
            with suppress(ssl.SSLWantReadError):
                client.do_handshake()
                break  # the server might still want to see a certificate, which is not the question
            with suppress(ssl.SSLWantReadError):
                serving.do_handshake()
        certificate = client.getpeercert() or {}
    except (ssl.SSLError, ValueError) as error:
        raise TlsError(f"{file}: cannot be used: {error}") from error
    expires = datetime.fromtimestamp(ssl.cert_time_to_seconds(str(certificate["notAfter"])), UTC)
    names: Any = certificate.get("subjectAltName", ())
    return Certificate(tuple(name for _, name in names), expires)


def _modern(context: ssl.SSLContext) -> None:
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers(CIPHERS)


def _load_own(context: ssl.SSLContext, certificate: Path, key: Path | None) -> None:
    _readable(certificate)
    if key is not None:
        _readable(key)

    def password() -> str:  # else OpenSSL would ask at the terminal
        raise TlsError(f"{key or certificate}: the key has a password; a server that starts by itself cannot know it")

    try:
        context.load_cert_chain(certificate, key, password)
    except (ssl.SSLError, OSError) as error:
        what = f"{certificate} and {key}" if key is not None else str(certificate)
        reason = getattr(error, "reason", None) or "no certificate in PEM, or no key"
        raise TlsError(f"{what}: cannot be used: {reason.lower().replace('_', ' ')}") from error


def _load_trusted(context: ssl.SSLContext, file: Path) -> None:
    _readable(file)
    try:
        context.load_verify_locations(file)
    except (ssl.SSLError, OSError) as error:
        raise TlsError(f"{file}: holds no certificate in PEM") from error


def _readable(file: Path) -> None:
    try:
        with file.open("rb"):
            return
    except OSError as error:
        raise TlsError(f"{file}: cannot be read: {error.strerror}") from error
