"""What a client is asked at our table, and which of its requests answers that.

At a table of JSettlers all clients send whenever they like; here the master asks, and one request is one answer. So
what a client sends before it is asked waits, and is forgotten once it no longer fits: at a new turn, or when the
position does not allow it. Two questions are answered for it: whether it wants to build between turns, with what it has
sent before; and an offer that it does not react to, with no.
"""

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final

from game_masters.catan.game.may import May
from game_masters.catan.message import messages as asked
from game_masters.catan.message.message import Message
from game_masters.catan.message.vocabulary import ASK_SPECIAL_BUILDING

MAX_WAITING: Final = 16
"""Requests of a client that wait; more are dropped."""
_ANSWERS: Final = (asked.AcceptOffer, asked.RejectOffer, asked.MakeOffer)

_FITS: Final[Mapping[type[Message], Callable[[May, Any], bool]]] = {
    asked.RollDice: lambda may, _: may.roll,
    asked.EndTurn: lambda may, _: may.end,
    asked.PutPiece: lambda may, move: move.place in dict(enumerate(_places(may))).get(move.piece, ()),
    asked.BuildRequest: lambda may, move: move.piece in may.requests,
    asked.CancelBuildRequest: lambda may, move: move.piece in may.cancels,
    asked.MovePiece: lambda may, move: (move.origin, move.target) in may.moves,
    asked.BuyDevCardRequest: lambda may, _: may.buy,
    asked.PlayDevCardRequest: lambda may, move: move.card in may.plays,
    asked.PickResources: lambda may, _: bool(may.pick),
    asked.PickResourceType: lambda may, _: may.monopoly,
    asked.Discard: lambda may, _: bool(may.discard),
    asked.ChoosePlayer: lambda may, move: move.choice in may.choices,
    asked.MoveRobber: lambda may, move: move.place in may.robber,
    asked.BankTrade: lambda may, _: may.trades.bank,
    asked.MakeOffer: lambda may, _: bool(may.trades.offer),
    asked.ClearOffer: lambda may, _: may.trades.clear,
    asked.RejectOffer: lambda may, _: may.trades.reject,
    asked.AcceptOffer: lambda may, move: move.offering in may.trades.accept,
}
"""Whether a request that has waited fits what its seat may do now."""


def _places(may: May) -> tuple[tuple[int, ...], ...]:
    return may.places.roads, may.places.settlements, may.places.cities, may.places.ships


class Turns:
    """The questions to one seat and its requests. Each method returns the move to make now, if any."""

    def __init__(self, answer_s: float) -> None:
        """Wait ``answer_s`` seconds for an answer to an offer."""
        self._answer_s = answer_s
        self._asked: May | None = None
        self._own = False
        """Whether it is the turn of the seat that is asked."""
        self._since = 0.0
        self._waiting: deque[Message] = deque()
        self._special = False
        """Whether the client wants to build between turns."""
        self._offered = False
        """Whether there is an offer to the seat that it has not answered."""
        self._polled: object = None
        """The turn at whose end the seat has last answered whether it wants to build."""

    def takes(self, message: Message, seat: int) -> None:
        """Forget what has waited where a message at the table makes it old."""
        if isinstance(message, asked.Turn):
            self._waiting.clear()
            self._offered = False
        elif isinstance(message, asked.MakeOffer) and message.seat != seat:
            self._waiting = deque(one for one in self._waiting if not isinstance(one, _ANSWERS))
            self._offered = True

    def is_asked(self, may: May, now: float, *, own: bool, turn: object = None) -> Message | None:
        """The seat is asked for a move, maybe once more since others have answered before it."""
        if self._asked is None:
            self._since = now
        self._asked, self._own = may, own
        if not own and may.requests == (ASK_SPECIAL_BUILDING,):
            if turn == self._polled:
                return None
            self._polled = turn
            special, self._special = self._special, False
            return self._makes(asked.BuildRequest(ASK_SPECIAL_BUILDING) if special else asked.EndTurn())
        while self._waiting:
            move = self._waiting.popleft()
            if _FITS[type(move)](may, move):
                return self._makes(move)
        return None

    def is_not_asked(self) -> None:
        """Others are asked."""
        self._asked = None

    def wants(self, move: Message) -> Message | None:
        """The client makes a request."""
        may = self._asked
        if isinstance(move, asked.BuildRequest) and move.piece == ASK_SPECIAL_BUILDING:
            if may is None or not self._own or ASK_SPECIAL_BUILDING not in may.requests:
                self._special = True
                return None
        elif isinstance(move, _ANSWERS) and not (self._own or self._offered):
            return None  # it has been answered, or is over
        if may is not None:
            return self._makes(move)
        if len(self._waiting) < MAX_WAITING:
            self._waiting.append(move)
        return None

    def overdue(self, now: float) -> Message | None:
        """Some time has passed: reject an offer that the client has not answered."""
        may = self._asked
        if may is None or self._own or not may.trades.reject or now - self._since < self._answer_s:
            return None
        return self._makes(asked.RejectOffer(None))

    def _makes(self, move: Message) -> Message:
        self._asked = None
        if not self._own:
            self._offered = False
        return move
