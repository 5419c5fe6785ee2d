"""The example player that comes back, against a server that cuts its connection at the worst moments."""

import socket
import sys
from collections.abc import Iterator

import pytest

from tests.end_to_end.processes import BOUND_S, TOP, Program
from ugs.wire.codec import decode, encode
from ugs.wire.extensions import Failed, Hello, Ping, Pong, RefusalReason, Resume, Session
from ugs.wire.framing import Document, Framer
from ugs.wire.messages import (
    Error,
    GameState,
    LoginError,
    LoginResponse,
    Logout,
    Message,
    Move,
    PlayerLogin,
    PlayerResult,
    Result,
    ThankYou,
)

LOGIN = PlayerLogin("ann", "5-in-line-tic-tac-toe")
HELLO = Hello(("session", "reason"))


class Line:
    """The server's end of one connection."""

    def __init__(self, listener: socket.socket) -> None:
        self._socket, _ = listener.accept()
        self._socket.settimeout(BOUND_S)
        self._framer = Framer()
        self._documents: Iterator[Document] = iter(())

    def says(self, *messages: Message) -> None:
        """Send messages in one piece."""
        self._socket.sendall(b"".join(map(encode, messages)))

    def receives(self) -> Message:
        """Return the next message."""
        while (document := next(self._documents, None)) is None:
            data = self._socket.recv(65_536)
            assert data, "the player hung up"
            self._documents = iter(self._framer.feed(data))
        return decode(document.raw)

    def hears_a_move(self) -> Move:
        """Return the next message, which must be a move."""
        message = self.receives()
        assert isinstance(message, Move)
        return message

    def cuts(self) -> None:
        """Close the connection."""
        self._socket.close()


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(BOUND_S)
        yield listener


def the_player(listener: socket.socket, games: int) -> Program:
    path = TOP / "examples" / "session_player.py"
    return Program(
        sys.executable, "-I", "-u", path, "127.0.0.1", str(listener.getsockname()[1]), "ann", "--games", str(games)
    )


def a_session(*, resumed: bool = False, turn: bool = False) -> Session:
    return Session("a token", "ann", resumed, 60.0, turn)


def state(payload: bytes, nick: str = "ann", game: str = "g1") -> GameState:
    return GameState(game, nick, None, payload)


def over(game: str = "g1") -> GameState:
    return GameState(game, None, (PlayerResult("ann", Result.WINNER), PlayerResult("bob", Result.LOSER)))


def begins(listener: socket.socket) -> Line:
    line = Line(listener)
    assert (line.receives(), line.receives()) == (HELLO, LOGIN)
    line.says(HELLO, LoginResponse(), a_session())
    return line


def resumes(listener: socket.socket, *, turn: bool) -> Line:
    line = Line(listener)
    assert (line.receives(), line.receives()) == (HELLO, Resume("a token"))
    line.says(HELLO, LoginResponse(), a_session(resumed=True, turn=turn))
    return line


def test_it_comes_back_and_its_game_goes_on(listener: socket.socket) -> None:
    with the_player(listener, games=2) as player:
        line = begins(listener)
        line.says(Ping("7"), state(b"<gameState/>"))
        assert line.receives() == Pong("7")
        first = line.hears_a_move()
        line.cuts()  # that move was lost

        line = resumes(listener, turn=True)
        line.says(state(b"<gameState/>"))
        assert line.receives() == first, "the same move again"
        line.cuts()  # before anybody was told of it

        line = resumes(listener, turn=True)
        line.says(state(b'<gameState><tac x="3" y="4"/></gameState>'))
        second = line.hears_a_move()
        assert second.payload not in (first.payload, b'<move><tic x="3" y="4"/></move>')
        line.cuts()  # that one has arrived

        line = resumes(listener, turn=False)
        line.says(state(b'<gameState><tac x="3" y="4"/></gameState>'), over())
        assert line.receives() == ThankYou("g1"), "no second move"
        line.cuts()

        line = resumes(listener, turn=False)
        line.says(over())
        assert line.receives() == ThankYou("g1")
        line.says(over("g2"))
        assert line.receives() == Logout()
        line.cuts()
        assert player.ends() == 0, player.output
    assert player.output.count("back again") == 4


def test_a_session_that_is_over_is_begun_anew_on_the_same_line(listener: socket.socket) -> None:
    with the_player(listener, games=1) as player:
        begins(listener).cuts()
        line = Line(listener)
        assert (line.receives(), line.receives()) == (HELLO, Resume("a token"))
        line.says(HELLO, Failed(RefusalReason.INVALID_PLAYER, "no such session"))
        assert line.receives() == LOGIN
        line.says(LoginResponse(), a_session(), over())
        assert line.receives() == Logout()
        line.cuts()
        assert player.ends() == 0, player.output


def test_a_server_without_extensions_will_do(listener: socket.socket) -> None:
    with the_player(listener, games=1) as player:
        line = Line(listener)
        assert (line.receives(), line.receives()) == (HELLO, LOGIN)
        line.says(Error("x-hello: no such type"), LoginResponse(), state(b"<gameState/>"))
        line.hears_a_move()
        line.says(over())
        assert line.receives() == Logout()
        line.cuts()
        assert player.ends() == 0, player.output


def test_a_refusal_is_the_end(listener: socket.socket) -> None:
    with the_player(listener, games=1) as player:
        line = Line(listener)
        assert (line.receives(), line.receives()) == (HELLO, LOGIN)
        line.says(HELLO, LoginResponse(LoginError.WRONG_NICK))
        assert player.ends() == 1
        line.cuts()
    assert "login refused: the nick is taken" in player.output
