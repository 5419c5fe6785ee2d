"""Refusals: what a request that cannot be met is answered with."""

from collections.abc import Sequence

from game_masters.catan.game.play import Play
from game_masters.catan.message.message import Message
from game_masters.catan.message.messages import (
    CancelBuildRequest,
    DeclinePlayerRequest,
    GameServerText,
    GameState,
    RejectOffer,
)
from game_masters.catan.message.vocabulary import NoTrade, Reason
from game_masters.kit.rules import RuleBroken


class Declined(RuleBroken):
    """A request that cannot be met. ``answers`` go only to the seat that asked."""

    def __init__(self, text: str, answers: Sequence[Message], *, unknown: bool = False) -> None:
        super().__init__(text)
        self.answers = tuple(answers)
        self.unknown = unknown
        """The answers have the audience ``un``."""
        self.request: Message | None = None
        """What was asked, once that is known."""


def decline(
    text: str, reason: Reason = Reason.NOT_NOW, *, state: int = 0, detail: int = 0, place: int = 0,
    then: Sequence[Message] = (), unknown: bool = False,
) -> Declined:  # fmt: skip
    """Return a refusal by SOCDeclinePlayerRequest."""
    return Declined(text, [DeclinePlayerRequest(state, int(reason), detail, place, text), *then], unknown=unknown)


def not_your_turn(play: Play) -> Declined:
    """Return the refusal of a request out of turn."""
    return decline(f"it is the turn of {play.name(play.current)}", Reason.NOT_YOUR_TURN, unknown=True)


def wait_for_special_building(play: Play) -> Declined:
    """Return the refusal to build or buy out of turn: on the board for six there will be a time for it."""
    return decline("you will be asked at the end of the turn") if play.variant.six else not_your_turn(play)


def illegal_place(text: str, piece: int, place: int) -> Declined:
    """Return the refusal of a place where the piece may not stand."""
    # What JSettlers sends behind the refusal of a place; a client then no longer waits for the piece.
    then = [CancelBuildRequest(piece)]
    return decline(text, Reason.LOCATION, detail=piece, place=place, then=then)


def no_trade(text: str, seat: int, reason: NoTrade, *, unknown: bool = False) -> Declined:
    """Return the refusal of a trade."""
    return Declined(text, [RejectOffer(seat, int(reason))], unknown=unknown)


def text_only(text: str, *then: Message, unknown: bool = False) -> Declined:
    """Return a refusal that is a text for people, and what follows it."""
    return Declined(text, [GameServerText(text), *then], unknown=unknown)


def cannot_end(play: Play, text: str) -> Declined:
    """Return the refusal to end a turn."""
    # JSettlers refuses with a text and the state as it still is.
    return text_only(text, GameState(int(play.phase)))
