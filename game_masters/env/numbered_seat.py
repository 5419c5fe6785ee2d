"""A seat at a server as numbers: what the player of a connection is shown, and what it may do.

What is read here comes from the network: states of any master, in any order. A game is left if one of its states cannot
be read.
"""

import socket
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from game_masters.env.aec import Coding, Observation
from game_masters.env.observing import SeatReader, mask_of, no_moves
from game_masters.env.server_line import ServerLine
from game_masters.kit.rules import AnyGame, Options
from game_masters.kit.sitting import Sitting
from ugs.address import read_address
from ugs.pictures.contract import Follower, Scene, Seat, Shown
from ugs.tls import client_context
from ugs.wire import extensions as x
from ugs.wire.messages import Error, GameState, LeaveGame, Message, Move, PlayerResult, Result, ThankYou

UNREADABLE: Final = b"<move><unreadable/></move>"
"""Sent for an action that stands for no move: the rules decide what follows."""
STILL_HERE: Final = "still-here"
"""The ``ref`` of the question whether the player is still in its game, after an error."""
_OUT: Final = (x.RefusalReason.NOT_PLAYING, x.RefusalReason.INVALID_GAME)
"""What the answer is to one that is in no game any more, or in another one."""
_PLAYED: Final = frozenset({x.SeatState.PLAYING, x.SeatState.FINISHED, x.SeatState.QUIT})
"""States of seats that only a game has."""


class ServerSeat:
    """The games of one player at a server, one after another."""

    def __init__(self, line: ServerLine, game: AnyGame, options: Options, coding: Coding) -> None:
        """``options`` are those that the master plays with."""
        self.line = line
        self.played: PlayedGame | None = None
        self.news = ""
        """The last comment on who sits where."""
        self._game = game
        self._options = options
        self._coding = coding

    @property
    def plays(self) -> bool:
        """Whether it is in a game that goes on, as far as is known."""
        return self.played is not None and not self.played.over

    def leaves(self) -> None:
        """Forget the last game, and leave it if it goes on. Raises LineClosed."""
        if self.played is not None and self.plays and self.line.is_open:
            self.line.send(LeaveGame(self.played.id))
        self.played = None

    def acts(self, game: "PlayedGame", action: int) -> None:
        """Send the move that an action stands for. Raises LineClosed."""
        move = Move(game.id, self._payload(game, action))
        game.sent(move)
        self.line.send(move)

    def _payload(self, game: "PlayedGame", action: int) -> bytes:
        if self._coding.moves:
            known = 0 <= action < self._coding.size
            return self._game.notation.write_move(self._coding.moves[action]) if known else UNREADABLE
        move = game.numbers.get(action)
        return UNREADABLE if move is None else self._game.notation.write_move(move)

    def receives(self, message: Message) -> bool:
        """Take in a message; whether the player is asked, or its game is over. Raises LineClosed."""
        game = self.played
        if isinstance(message, x.Seats):
            self.news = message.comment
        if isinstance(message, x.Seats) and any(one.state in _PLAYED for one in message.seats):
            if game is None or game.id != message.game_id:
                self.played = PlayedGame(self._game, self._options, self._coding, message, self.line.nick)
            return False
        if game is None:
            return False
        if isinstance(message, x.GameEnded) and game.id == message.game_id:
            game.void = message.result is x.EndResult.CANCELLED
        if isinstance(message, x.GameVerdict) and game.id == message.game_id:
            game.why = message.account
            if message.void:
                game.ends(void=True)
            return game.over
        if isinstance(message, Error):
            game.why = game.why if game.doubted else message.text
            if not game.over and not game.doubted:
                game.doubted = True
                self.line.send(x.Resend(game.id, STILL_HERE))
        if isinstance(message, x.Failed) and message.ref == STILL_HERE and not game.over:
            game.doubted = False
            if message.code in _OUT and game.state is not None:
                game.out = True  # the error gave the reason
                game.ends(-1.0)
            return game.over
        if not isinstance(message, GameState) or message.game_id != game.id:
            return False
        if game.doubted and message == game.state:
            game.doubted = False  # the answer to the question: it is still in the game, and knows this state
            return False
        try:
            asked = game.shown(message)
        except Exception as error:  # any master may lead the game, and readers and renderers are those of its package
            if message.game_over is None:
                game.why = f"the state cannot be read: {error}"
                game.ends(void=True)
                self.line.send(LeaveGame(game.id))
                return True
            asked = True  # the server ends games itself, too, and shows no position then
        if message.game_over is not None:
            game.ends(_reward(message.game_over, self.line.nick))
            self.line.send(ThankYou(game.id))
        return asked or game.over


class PlayedGame:
    """One game: what the seat is shown, as numbers."""

    def __init__(self, game: AnyGame, options: Options, coding: Coding, begun: x.Seats, nick: str) -> None:
        self.id = begun.game_id
        self.over = False
        self.reward: float | None = None
        self.why = ""
        nicks = [one.nick for one in begun.seats]
        self.seat = nicks.index(nick) if nick in nicks else 0
        self._coding = coding
        self._sitting: Sitting[Any] = Sitting(begun.game_id, lambda: game.notation.follow(options))
        self._reader: SeatReader = coding.readers_for(len(nicks))(self.seat)
        texts = {option.name: option.written(options.values[option.name]) for option in game.options}
        scene = Scene(tuple(Seat(one.nick, one.label) for one in begun.seats), self.seat, texts)
        follow = None if game.pictures is None or coding.moves else game.pictures(scene)
        self._offers = _Offers(game, nicks, nick, self.seat, follow)
        self.state: GameState | None = None
        """The last one."""
        self.states = 0
        """How many states there were."""
        self.asked = False
        """Whether the seat has to move."""
        self.void = False
        """Whether the game has no result."""
        self.out = False
        """Whether the seat was taken out of the game."""
        self.doubted = False
        """Whether the server was asked for the last state once more."""
        self.seen = np.zeros(coding.space["observation"].shape or (), np.uint8)
        self.mask = no_moves(coding.size)
        self.numbers: Mapping[int, Any] = {}

    @property
    def observation(self) -> Observation:
        """What the seat sees, and what it may do."""
        return {"observation": self.seen, "action_mask": self.mask}

    @property
    def info(self) -> dict[str, Any]:
        """Where this is, and what was reported last."""
        return {"seat": self.seat, "game": self.id, **({"why": self.why} if self.why else {})}

    @property
    def result(self) -> tuple[float, bool, bool]:
        """The reward, whether the game has ended with a result, and whether it has ended without one."""
        return self.reward or 0.0, self.over and self.reward is not None, self.over and self.reward is None

    def ends(self, reward: float | None = None, *, void: bool = False) -> None:
        """The game is over for this seat, with this reward if the game counts."""
        self.void = self.void or void
        self.over, self.asked = True, False
        self.reward = None if self.void else reward

    def sent(self, move: Move) -> None:
        """Take down the move of this seat."""
        self._sitting.answers(move)
        self.asked = False
        self._offers.own_move = move.payload
        self.numbers, self.mask = {}, no_moves(self._coding.size)

    def shown(self, state: GameState) -> bool:
        """Take in a state; whether the seat is asked. Raises what reader and renderer raise."""
        self.seen, mask = self._reader(self._sitting.receives(state))
        self.state = state
        self.states += 1
        self.asked = asked = self._offers.asks(state)
        self.mask = no_moves(self._coding.size)
        if asked and mask is not None and self._coding.moves:
            self.mask = mask
            self.numbers = {number: move for number, move in enumerate(self._coding.moves) if mask[number]}
        moves = self._offers.of(state)
        if asked and not self._coding.moves:
            self.numbers = self._coding.numbers(moves)
            self.mask = mask_of(self.numbers, self._coding.size)
        return asked


class _Offers:
    """The moves that pictures offer one seat."""

    def __init__(self, game: AnyGame, nicks: Sequence[str], nick: str, seat: int, follow: Follower | None) -> None:
        """``follow`` draws the states; None: nothing is offered."""
        self._game = game
        self._nicks = nicks
        self._nick = nick
        self._seat = seat
        self._follow = follow
        self.own_move = b""
        """What the seat has sent since the last state."""

    def asks(self, state: GameState) -> bool:
        """Whether it is the seat's turn."""
        return state.next_player == self._nick

    def of(self, state: GameState) -> Sequence[Any]:
        """The moves that the picture of a state offers."""
        if self._follow is None:
            return ()
        movers = tuple(seat for seat, nick in enumerate(self._nicks) if nick == state.next_player)
        picture = self._follow(Shown(state.payload, movers, None, self.own_move))
        self.own_move = b""
        found: list[Any] = []
        for offer in picture.offers(self._seat) if self.asks(state) else ():
            move = self._game.notation.read_move(offer.move)
            if move not in found:
                found.append(move)
        return found


def _reward(results: Sequence[PlayerResult], nick: str) -> float:
    if len({one.result for one in results}) == 1:
        return 0.0
    return 1.0 if any(one.nick == nick and one.result is Result.WINNER for one in results) else -1.0


def seats_at(
    game: AnyGame, address: str, tokens: Mapping[str, str], values: Options, coding: Coding, *, tls: bool
) -> list[ServerSeat]:
    """The seats of players at the server at ``address`` (HOST:PORT): their nicks, each with its token or an empty
    text. Nothing is connected yet.

    Raises ValueError for a game without pictures, which says nothing of legal moves, and a bad address.
    """
    host, port = read_address(address)
    if game.pictures is None and not coding.moves:
        raise ValueError(f"{game.name} has neither pictures nor a list of its moves: what is legal cannot be learned")
    context = client_context() if tls else None

    def opened() -> socket.socket:
        plain = socket.create_connection((host, port))
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return plain if context is None else context.wrap_socket(plain, server_hostname=host)

    return [
        ServerSeat(ServerLine(opened, nick, game.game_type, token), game, values, coding)
        for nick, token in tokens.items()
    ]
