"""Which versions and ciphers are spoken, tried one by one as testssl does, and which files can be used."""

import ssl
import warnings
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.certificates import Authority, Handshake
from ugs.tls import TlsError, certificate_of, client_context, in_words, server_context

MODERN = ("ECDHE-ECDSA-AES", "ECDHE-RSA-AES", "ECDHE-ECDSA-CHACHA20", "ECDHE-RSA-CHACHA20")


def lax(authority: Authority) -> ssl.SSLContext:
    """A client that speaks everything that OpenSSL knows."""
    context = authority.trusts()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = ssl.TLSVersion.TLSv1
    context.set_ciphers("ALL:@SECLEVEL=0")
    return context


def lax_server(file: Path) -> ssl.SSLContext:
    """A server that does so, too: what it takes, a client can speak."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = ssl.TLSVersion.TLSv1
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.load_cert_chain(file)
    return context


@pytest.mark.parametrize(
    ("version", "spoken"),
    [
        (ssl.TLSVersion.TLSv1, False),
        (ssl.TLSVersion.TLSv1_1, False),
        (ssl.TLSVersion.TLSv1_2, True),
        (ssl.TLSVersion.TLSv1_3, True),
    ],
)
def test_only_versions_from_1_2_on_are_spoken(tmp_path: Path, version: ssl.TLSVersion, spoken: bool) -> None:
    authority = Authority(tmp_path)
    file = authority.issue()
    client = lax(authority)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        client.minimum_version = client.maximum_version = version
    assert Handshake(lax_server(file), client).done(), "the client can speak it"
    serves = server_context(file, None, None)
    if spoken:
        assert Handshake(serves, client).done() == version.name.replace("_", ".", 1).replace("SSLv", "SSL")
    else:
        with pytest.raises(ssl.SSLError) as refused:
            Handshake(serves, client).done()
        assert in_words(refused.value).endswith("no version of TLS that is spoken here (1.2 and 1.3)")


@pytest.mark.parametrize("rsa", [False, True], ids=["ecdsa", "rsa"])
def test_only_ciphers_with_forward_secrecy_and_authentication_are_spoken(tmp_path: Path, rsa: bool) -> None:
    authority = Authority(tmp_path, rsa=rsa)
    file = authority.issue()
    serves, tolerant = server_context(file, None, None), lax_server(file)
    spoken, refused = set(), set()
    for cipher in sorted({str(one["name"]) for one in tolerant.get_ciphers() if one["protocol"] != "TLSv1.3"}):
        client = lax(authority)
        client.maximum_version = ssl.TLSVersion.TLSv1_2
        client.set_ciphers(f"{cipher}:@SECLEVEL=0")
        try:
            Handshake(tolerant, client).done()
        except ssl.SSLError:
            continue  # needs another kind of certificate
        try:
            Handshake(serves, client).done()
            spoken.add(cipher)
        except ssl.SSLError:
            refused.add(cipher)
    assert spoken
    assert all(cipher.startswith(MODERN) and "SHA256" in cipher + "SHA256" and "CBC" not in cipher for cipher in spoken)
    assert all("GCM" in cipher or "CHACHA20" in cipher for cipher in spoken)
    assert len(refused) > len(spoken)


def test_what_is_agreed_on_without_wishes_is_the_newest(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    shaken = Handshake(server_context(authority.issue(), None, None), authority.trusts())
    assert shaken.done() == "TLSv1.3"
    assert shaken.server.compression() is None


def test_a_client_makes_sure_of_name_and_authority(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    authority, other = Authority(tmp_path), Authority(tmp_path / "other")
    client = client_context(authority.file)
    assert Handshake(server_context(authority.issue(), None, None), client).done()
    for wrong, why in [
        (authority.issue("wrong.pem", "elsewhere.example"), "Hostname mismatch"),
        (other.issue(), "unable to get local issuer certificate"),
    ]:
        with pytest.raises(ssl.SSLError) as refused:
            Handshake(server_context(wrong, None, None), client).done()
        assert in_words(refused.value).startswith(f"its certificate is not trusted: {why}")
    with pytest.raises(ssl.SSLError):
        Handshake(server_context(authority.issue(), None, None), client_context()).done()


def test_a_server_may_want_to_see_a_certificate(tmp_path: Path) -> None:
    (tmp_path / "students").mkdir()
    authority, students = Authority(tmp_path), Authority(tmp_path / "students")
    serves = server_context(authority.issue(), None, students.file)
    shaken = Handshake(serves, client_context(authority.file, students.issue("ann.pem", "ann")))
    assert shaken.done()
    for wrong in (None, authority.issue("bob.pem", "bob")):
        with pytest.raises(ssl.SSLError) as refused:
            Handshake(serves, client_context(authority.file, wrong)).done()
        assert in_words(refused.value).startswith(("it shows no certificate", "its certificate is not trusted"))


def test_a_certificate_says_for_whom_and_until_when(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    expired = datetime(2020, 5, 1, tzinfo=UTC)
    for until in (expired, datetime(2090, 5, 1, tzinfo=UTC)):
        file = authority.issue("server.pem", "games.example.org", until=until)
        said = certificate_of(server_context(file, None, authority.file), file)
        assert (said.names, said.expires) == (("games.example.org",), until)


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    good, other = authority.issue(), authority.issue("other.pem")
    certificate_alone = tmp_path / "alone.pem"
    certificate_alone.write_text(good.read_text().partition("-----END")[2].partition("-----\n")[2])
    (tmp_path / "empty.pem").touch()
    for call, words in [
        (lambda: server_context(tmp_path / "none.pem", None, None), r"none\.pem: cannot be read: No such file"),
        (lambda: server_context(good, tmp_path / "none.pem", None), r"none\.pem: cannot be read: No such file"),
        (lambda: server_context(tmp_path / "empty.pem", None, None), r"empty\.pem: cannot be used: "),
        (lambda: server_context(certificate_alone, None, None), r"alone\.pem: cannot be used: "),
        (
            lambda: server_context(good, other, None),
            r"server\.pem and .*other\.pem: cannot be used: key values mismatch",
        ),
        (lambda: server_context(good, None, tmp_path / "empty.pem"), r"empty\.pem: holds no certificate in PEM"),
        (lambda: client_context(None, None, good), r"server\.pem: a key without a certificate"),
    ]:
        with pytest.raises(TlsError, match=words):
            call()  # type: ignore[no-untyped-call]


def test_a_key_with_a_password_is_refused_and_nobody_is_asked(tmp_path: Path) -> None:
    from cryptography.hazmat.primitives import serialization

    file = Authority(tmp_path).issue()
    key = serialization.load_pem_private_key(file.read_bytes(), None)
    locked = tmp_path / "locked.pem"
    locked.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(b"secret"),
        )
    )
    with pytest.raises(TlsError, match=r"locked\.pem: the key has a password"):
        server_context(file, locked, None)
