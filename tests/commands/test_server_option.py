"""The options ``--connect`` and ``--tls`` of commands that talk to a server."""

import ssl
from pathlib import Path

import pytest
import typer

from tests.certificates import Authority
from ugs.commands.server_option import TlsOptions, server_at


def test_it_gives_host_and_port() -> None:
    assert server_at("[::1]:4747") == ("::1", 4747)


def test_a_wrong_one_is_a_wrong_command_line() -> None:
    with pytest.raises(typer.BadParameter, match="'host' is not HOST:PORT") as refused:
        server_at("host")
    assert refused.value.param_hint == "--connect"


def test_without_tls_nothing_is_encrypted_and_no_file_is_named() -> None:
    assert TlsOptions().context() is None
    with pytest.raises(typer.BadParameter, match="needs --tls") as refused:
        TlsOptions(ca=Path("ca.pem")).context()
    assert refused.value.param_hint == "--ca"


def test_with_tls_the_right_server_alone_is_trusted(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    context = TlsOptions(tls=True, ca=authority.file, cert=authority.issue("ann.pem", "ann")).context()
    assert context is not None
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)
    with pytest.raises(typer.BadParameter, match=r"none\.pem: cannot be read"):
        TlsOptions(tls=True, ca=tmp_path / "none.pem").context()
