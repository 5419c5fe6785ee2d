"""A server that speaks TLS, and all that connects to it, as processes."""

import json
import shutil
import signal
import socket
import ssl
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.certificates import NAME, Authority
from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import BOUND_S, Peer, Program, Server, output
from tests.kits import bot_kit, build, started
from tests.profile import sized
from ugs.wire.messages import Error, LoginResponse, PlayerLogin

GAME = "tic-tac-toe"
LANGUAGES = sized(quick=("javascript", "python"), deep=("javascript", "python", "go", "java", "ruby", "typescript"))


def config(authority: Authority, more: str = "") -> str:
    """The settings of a server with a certificate."""
    return f"[tls]\ncertificate = {json.dumps(str(authority.issue()))}\n{more}"


def options(server: Server, authority: Authority) -> list[str | Path]:
    """What a client is told."""
    return ["--connect", f"{NAME}:{server.address.rpartition(':')[2]}", "--tls", "--ca", authority.file]


def encrypted(peer: Peer, authority: Authority) -> Peer:
    """This peer, from now on over TLS."""
    peer.socket = authority.trusts().wrap_socket(peer.socket, server_hostname=NAME)
    return peer


@pytest.mark.parametrize("language", LANGUAGES)
def test_masters_bots_and_examples_play_over_tls(serves: Serves, tmp_path: Path, language: str) -> None:
    authority = Authority(tmp_path)
    kit = bot_kit(language)
    if missing := kit.missing():
        pytest.skip(f"not here: {', '.join(missing)}")
    shutil.copytree(kit.folder, tmp_path / "kit")
    build(kit, tmp_path / "kit")
    command = started(kit, tmp_path / "kit")
    server = serves(config(authority))
    port = server.address.rpartition(":")[2]
    with (
        Program.ugs("master", GAME, "--once", *options(server, authority)),
        Program.ugs("bot", GAME, "--nick", "bot", "--games", "2", "--once", *options(server, authority)) as bot,
        Program(*command, NAME, port, "example", "--games", "2", "--tls", "--ca", authority.file) as example,
    ):
        server.logs("game begun")
        assert "players" in json.loads(
            output("lobby", "players", "--nick", "eve", "--json", *options(server, authority))
        )
        assert (bot.ends(), example.ends()) == (0, 0), bot.output + example.output
    assert server.stops() == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bot_that_is_stopped_over_tls_can_be_started_again_at_once(
    serves: Serves, tmp_path: Path, language: str
) -> None:
    authority = Authority(tmp_path)
    kit = bot_kit(language)
    if missing := kit.missing():
        pytest.skip(f"not here: {', '.join(missing)}")
    shutil.copytree(kit.folder, tmp_path / "kit")
    build(kit, tmp_path / "kit")
    server = serves(config(authority))
    port = server.address.rpartition(":")[2]
    command = (*started(kit, tmp_path / "kit"), NAME, port, "example", "--tls", "--ca", authority.file)
    for time in (1, 2):
        with Program(*command) as example:
            server.logs("player logged in", times=time)
            example.signal(signal.SIGINT)
            assert example.ends() == 0, example.output
        assert example.lines[-1] == "stopped"
    assert "kept" not in example.output
    assert server.stops() == 0


def test_a_client_that_does_not_trust_the_server_does_not_log_in(serves: Serves, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    server = serves(config(authority))
    where = f"{NAME}:{server.address.rpartition(':')[2]}"
    for arguments, words in [
        (["--tls"], "its certificate is not trusted"),
        ([], "or one that speaks TLS (--tls)"),
        (["--ca", str(authority.file)], "needs --tls"),
    ]:
        with Program.ugs("bot", GAME, "--nick", "bot", "--once", "--connect", where, *arguments) as bot:
            assert bot.ends() != 0
            assert words in bot.output
    assert not server.events("player logged in")


def test_a_plain_port_stays_open_beside_it(serves: Serves, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    plain = 'plain_game = "127.0.0.1:0"\nplain_http = "127.0.0.1:0"\n'
    server = serves(config(authority, plain), "--http-port", "0")
    assert server.ready["tls"] == ["game", "http", "gateways"]
    peer = Peer(server.ready["plain"]["game"])
    server.at_end(peer.closes)
    peer.says(PlayerLogin("ann", GAME))
    assert peer.hears() == LoginResponse()
    with urllib.request.urlopen(f"http://{server.ready['plain']['http']}/healthz", timeout=BOUND_S) as answer:
        assert answer.read() == b"ok"
    secure = server.ready["http"].replace("127.0.0.1", NAME)
    with urllib.request.urlopen(f"https://{secure}/healthz", timeout=BOUND_S, context=authority.trusts()) as answer:
        assert answer.read() == b"ok"
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(f"http://{secure}/healthz", timeout=BOUND_S)


def test_each_port_may_do_without(serves: Serves, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    server = serves(config(authority, "game = false\n"), "--http-port", "0")
    assert server.ready["tls"] == ["http", "gateways"]
    server.player("ann")


def test_a_new_certificate_is_read_on_sighup_and_nobody_loses_a_line(serves: Serves, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    server = serves(config(authority))
    ann = encrypted(server.dials(), authority)
    ann.says(PlayerLogin("ann", GAME))
    assert ann.hears() == LoginResponse()
    (tmp_path / "new").mkdir()
    new = Authority(tmp_path / "new")
    new.issue().replace(tmp_path / "server.pem")
    server.signal(signal.SIGHUP)
    server.logs("certificate read", times=2)
    with pytest.raises(ssl.SSLCertVerificationError):
        encrypted(server.dials(), authority)
    bob = encrypted(server.dials(), new)
    bob.says(PlayerLogin("bob", GAME))
    assert bob.hears() == LoginResponse()
    ann.says(PlayerLogin("ann", GAME))
    assert isinstance(ann.hears(), Error), "it is still there: a second login is a mistake"
    assert server.stops() == 0


def test_who_speaks_tls_to_a_plain_port_is_named_in_the_log(serves: Serves, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    server = serves()
    with pytest.raises((ssl.SSLError, ConnectionError)):
        encrypted(server.dials(), authority)
    (line,) = server.logs("dismissed", conn=1)
    assert "the first byte of TLS" in line["reason"]
    with Program.ugs("bot", GAME, "--nick", "bot", "--once", *options(server, authority)) as bot:
        assert bot.ends() != 0
        assert "speaks no TLS" in bot.output


def test_a_certificate_that_cannot_be_used_stops_the_start(tmp_path: Path) -> None:
    file = tmp_path / "ugs.toml"
    file.write_text('[tls]\ncertificate = "none.pem"\n')
    with Program.ugs("serve", "--port", "0", "--config", file) as server:
        assert server.ends() == 2
        assert "[tls]: none.pem: cannot be read: No such file or directory" in server.output


def test_a_gateway_speaks_tls(serves: Serves, tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    server = serves(config(authority), "--gateway", "apologies=127.0.0.1:0")
    url = server.ready["gateways"]["apologies"]
    assert url.startswith("wss://")
    host, _, port = url.removeprefix("wss://").rstrip("/").rpartition(":")
    opening = (
        b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    with socket.create_connection((host, int(port)), timeout=BOUND_S) as plain:
        plain.sendall(opening)
        assert plain.recv(1000).startswith(b"HTTP/1.1 503")
    with (
        socket.create_connection((host, int(port)), timeout=BOUND_S) as line,
        authority.trusts().wrap_socket(line, server_hostname=NAME) as secure,
    ):
        secure.sendall(opening)
        assert secure.recv(1000).startswith(b"HTTP/1.1 101")
