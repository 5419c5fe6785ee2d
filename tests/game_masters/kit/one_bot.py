"""A bot of the kit in a test, and what it hears."""

import random

from game_masters.kit.client import Effect, Send
from game_masters.kit.player import Player
from game_masters.kit.rules import Bot
from game_masters.tic_tac_toe import GAME
from game_masters.tic_tac_toe.rules import Cell, View
from ugs import __version__
from ugs.wire.extensions import Hello, Resume, Session
from ugs.wire.messages import GameState, LoginResponse, Message, Move, PlayerResult, Result


def next_in_column(view: View, rng: random.Random) -> Cell:
    """A predictable bot: it moves to the field below the last stone."""
    return Cell(view.stones[-1].x, view.stones[-1].y + 1) if view.stones else Cell(0, 0)


def fail(view: View, rng: random.Random) -> Cell:
    raise ZeroDivisionError("oops")


def a_bot(*, games: int | None = None, think_s: float = 0.0, fails: bool = False) -> Player[Cell, View]:
    bot = Bot("fail", "fails", fail) if fails else Bot("column", "plays downwards", next_in_column)
    options = GAME.choose_options({})
    player = Player(GAME, options, bot, nick="ann", rng=random.Random(1), games=games, think_s=think_s)
    player.connected()
    player.received(LoginResponse())
    return player


def state(nick: str | None, payload: bytes = b"<gameState/>", game: str = "g1") -> GameState:
    return GameState(game, nick, None, payload)


def over(own: Result, other: Result, game: str = "g1") -> GameState:
    return GameState(game, None, (PlayerResult("bob", other), PlayerResult("ann", own)))


def tac(x: int, y: int) -> bytes:
    return f'<gameState><tac x="{x}" y="{y}"/></gameState>'.encode()


def tic(x: int, y: int, game: str = "g1") -> Send:
    return Send(Move(game, f'<move><tic x="{x}" y="{y}"/></move>'.encode()))


def sent(effects: list[Effect]) -> list[Message]:
    return [effect.message for effect in effects if isinstance(effect, Send)]


# --- with a session -----------------------------------------------------------------------------------------------


def a_session(*, resumed: bool = False, turn: bool = False) -> Session:
    return Session("token", "ann", resumed, 60.0, turn)


def a_bot_with_a_session(*families: str, fails: bool = False) -> Player[Cell, View]:
    player = a_bot(fails=fails)
    player.connected()
    for message in (Hello(families or ("session", "state", "reason")), LoginResponse(), a_session()):
        player.received(message)
    return player


def comes_back(player: Player[Cell, View], *, turn: bool) -> None:
    assert sent(player.connected()) == [
        Hello(("session", "state", "reason"), "ugs bot tic-tac-toe", __version__),
        Resume("token"),
    ]
    for message in (Hello(("session", "state", "reason")), LoginResponse(), a_session(resumed=True, turn=turn)):
        assert sent(player.received(message)) == []
    assert player.accepted
