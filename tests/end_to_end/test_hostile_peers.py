"""Peers that mean harm, at a real server: each is told what it did wrong, and a game of others goes on meanwhile."""

from collections.abc import Iterator

import pytest

from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import GAME_TYPE, Game, Peer, Server
from ugs.wire.messages import Error, LoginError, LoginResponse, Logout, Move, PlayerLogin

SETTINGS = """
max_message_bytes = 100000
max_message_bytes_before_login = 50000
max_outbox_bytes = 1000000
max_errors_per_minute = 30
move_timeout_s = 1000
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server with small limits for all of it: what one peer does must not show in the next test either."""
    with Server(tmp_path_factory.mktemp("server"), config=SETTINGS) as server:
        yield server
        assert server.stops() == 0
        assert "Traceback" not in server.output


@pytest.fixture
def game(server: Server) -> Iterator[Game]:
    """A game that goes on; at the end it is played to its end, and nobody in it has heard of anything."""
    game = Game(server)
    yield game
    game.goes_on()
    game.ends()
    (ended,) = server.logs("game ended", game=game.id)
    assert (ended["verdict"], ended["fault"]) == ("finished", "nobody")


def is_told(peer: Peer, *words: str) -> None:
    """The peer hears of an error that names all of this."""
    error = peer.hears()
    assert isinstance(error, Error)
    for word in words:
        assert word in error.text


LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE message [<!ENTITY a "ha">'
    + b"".join(b'<!ENTITY %c "&%c;&%c;">' % (c + 1, c, c) for c in range(ord("a"), ord("z")))
    + b']><message type="error">&z;</message>'
)
OUTSIDE = b'<!DOCTYPE message SYSTEM "file:///etc/passwd"><message type="error"/>'


@pytest.mark.parametrize(
    ("said", "words"),
    [
        pytest.param(LAUGHS, ["document type declaration"], id="billion laughs"),
        pytest.param(OUTSIDE, ["document type declaration"], id="something from outside"),
        pytest.param(b"<message type='move'>" + b"<a>" * 64 + b"</a>" * 64 + b"</message>", ["64"], id="too deep"),
        pytest.param(b"<message type='move'>" + b"<a>" * 20_000, ["64 levels", "max_depth"], id="endlessly deep"),
        pytest.param(b"<message type='move' %b/>" % b" ".join(b"a%d=''" % n for n in range(65)), ["64"], id="wide"),
        pytest.param(b"<message type='%b'/>" % (b"x" * 60_000), ["50000"], id="a huge attribute"),
        pytest.param(b"<message type='error'>" + b"x" * 60_000, ["50000"], id="an endless document"),
        pytest.param('<message type="logout"/>'.encode("utf-16"), ["byte"], id="UTF-16"),
        pytest.param(b"<message type='error'>\0</message>", ["byte"], id="a NUL"),
        pytest.param(b"<message type='error'>\xff</message>", ["byte"], id="not UTF-8"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", ["byte"], id="a web browser"),
        pytest.param(b"<message type='error'>&nbsp;</message>", ["byte"], id="an entity of another language"),
        pytest.param(b"<html></html>", ["message"], id="another root"),
    ],
)
def test_bytes_that_are_no_documents(server: Server, game: Game, said: bytes, words: list[str]) -> None:
    peer = server.dials()
    peer.says(said)
    game.goes_on()
    is_told(peer, *words)
    assert peer.hears() is None


def test_one_byte_at_a_time_without_an_end(server: Server, game: Game) -> None:
    peer = server.dials()
    for _ in range(200):
        peer.says(b" ")
    peer.says(b"<message type='error'>")
    for _ in range(501):
        peer.says(b"x" * 100)
    game.goes_on()
    is_told(peer, "50000")
    assert peer.hears() is None


def test_a_slow_login(serves: Serves) -> None:
    server = serves("login_timeout_s = 4")
    game, peer, refused = Game(server), server.dials(), server.dials()
    refused.says(PlayerLogin("", GAME_TYPE))
    assert refused.hears() == LoginResponse(LoginError.WRONG_NICK)
    game.goes_on()
    for one in (peer, refused):
        is_told(one, "no login within 4 s")
        assert one.hears() is None
    game.ends()


def test_guessing_nicks(server: Server, game: Game) -> None:
    peer = server.dials()
    for _ in range(3):
        peer.says(PlayerLogin("ANN", GAME_TYPE))
        assert peer.hears() == LoginResponse(LoginError.WRONG_NICK)
    game.goes_on()
    assert peer.hears() is None


@pytest.mark.parametrize(
    "message",
    [
        b"<message type='nonsense'/>",
        b"<message type='thank you'><gameId id='%b'/></message>",
        b"<message type='move'><gameId id='%b'/><move/></message>",
        b"<message type='gameState'><gameId id='%b'/><nextPlayer nick='ann'/><gameState/></message>",
        b"<message type='playerLeftGame'><player nick='ann'/><gameId id='%b'/></message>",
    ],
)
def test_a_flood_of_wrong_messages(server: Server, game: Game, message: bytes) -> None:
    peer = server.player("mallory")
    peer.says(message.replace(b"%b", game.id.encode()) * 1000)
    game.goes_on()
    for _ in range(31):
        is_told(peer)
    is_told(peer, "31 wrong messages: ")
    assert peer.hears() is None


def test_a_player_that_never_reads_loses_its_own_game_only(server: Server, game: Game) -> None:
    master = server.master("other", "go")
    deaf, partner = server.dials(receive_buffer=4096), server.player("partner", "go")
    deaf.says(PlayerLogin("deaf", "go"))
    begun = master.document()
    assert begun is not None
    game_id = begun.split(b'id="')[1].split(b'"')[0]
    state = (
        b"<message type='gameState'><gameId id='%b'/><nextPlayer nick='partner'/><gameState>%b</gameState></message>"
    )
    document = b""
    for _ in range(200):  # 20 MB are more than any network holds
        master.says(state % (game_id, b"x" * 90_000))
        assert partner.hears() is not None
        partner.says(Move(game_id.decode(), b"<move/>"))
        document = master.document() or b""
        if b"<move/>" not in document:
            break
    assert b"playerLeftGame" in document
    game.goes_on()
    (lost,) = server.logs("disconnected", nick="deaf")
    assert lost["reason"] == "does not read: more than 1000000 bytes wait for it"
    master.says(Logout())
    partner.says(Logout())


def test_too_many_connections_from_one_address(serves: Serves) -> None:
    server = serves("max_connections_per_ip = 40")
    game = Game(server)
    for _ in range(37):
        server.dials()
    one_more = server.dials()
    is_told(one_more, "too many connections from your address")
    assert one_more.hears() is None
    game.goes_on()
    game.ends()


def test_connections_that_are_gone_before_they_are_let_in(server: Server, game: Game) -> None:
    for _ in range(100):
        server.dials().resets()
    game.goes_on()
