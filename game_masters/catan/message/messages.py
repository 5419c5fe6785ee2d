"""The messages, one class each, called like on the wire without the leading ``SOC``.

Attributes for the sender of a message are None in a player's move; the master fills them in. What each message is for
stands in ``docs/catan.md``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from game_masters.catan.message.board_messages import BOARD_MESSAGES
from game_masters.catan.message.bundles import Bundle
from game_masters.catan.message.forms import (
    BOXED_FLAGS,
    BUNDLE,
    COORDINATE,
    DECIMAL,
    ELEMENTS,
    FLAGS,
    MAYBE,
    MAYBE_BUNDLE,
    MAYBE_COORDINATE,
    MAYBE_PLACE,
    MAYBE_TEXT,
    MAYBE_WORD,
    NEWS,
    TEXT,
    TRUTH,
    WORD,
    form,
    word_in,
)
from game_masters.catan.message.gain_messages import GAIN_MESSAGES
from game_masters.catan.message.message import Message, Other
from game_masters.catan.message.vocabulary import CardChange, Change


@dataclass(frozen=True, slots=True)
class RollDice(Message):
    """A player rolls."""


@dataclass(frozen=True, slots=True)
class DiceResult(Message):
    """The sum of the dice."""

    result: int = field(metadata=form(DECIMAL, "param"))


@dataclass(frozen=True, slots=True)
class PlayerElements(Message):
    """Several things that a player has, gains or loses."""

    seat: int = field(metadata=form(DECIMAL, "playerNum"))
    change: Change = field(metadata=form(word_in(Change), "actionType"))
    elements: tuple[tuple[int, int], ...] = field(metadata=form(ELEMENTS, "elements"))


@dataclass(frozen=True, slots=True)
class PlayerElement(Message):
    """One thing that a player has, gains or loses. Seat -1: the general supply, or all players."""

    seat: int = field(metadata=form(DECIMAL, "playerNum"))
    change: Change = field(metadata=form(word_in(Change), "actionType"))
    element: int = field(metadata=form(DECIMAL, "elementType"))
    amount: int = field(metadata=form(DECIMAL, "amount"))
    news: bool | None = field(default=None, metadata=form(NEWS, "news"))


@dataclass(frozen=True, slots=True)
class GameElements(Message):
    """What holds for the game: the player with the longest route, for example."""

    elements: tuple[tuple[int, int], ...] = field(metadata=form(ELEMENTS, "elements"))


@dataclass(frozen=True, slots=True)
class GameState(Message):
    """The state of the game; closes most sequences."""

    state: int = field(metadata=form(DECIMAL, "state"))


@dataclass(frozen=True, slots=True)
class Turn(Message):
    """A new turn, or the next player to place."""

    seat: int = field(metadata=form(DECIMAL, "playerNumber"))
    state: int = field(metadata=form(DECIMAL, "gameState"))


@dataclass(frozen=True, slots=True)
class RollDicePrompt(Message):
    """The player is to roll, or to play a card."""

    seat: int = field(metadata=form(DECIMAL, "playerNumber"))


@dataclass(frozen=True, slots=True)
class GameServerText(Message):
    """A text for people."""

    text: str = field(metadata=form(TEXT, "text"))


@dataclass(frozen=True, slots=True)
class DiscardRequest(Message):
    """How many resources a player has to discard."""

    amount: int = field(metadata=form(DECIMAL, "numDiscards"))


@dataclass(frozen=True, slots=True)
class Discard(Message):
    """A player discards."""

    seat: int | None = field(metadata=form(MAYBE, "playerNum"))
    resources: Bundle = field(metadata=form(BUNDLE, "resources"))


@dataclass(frozen=True, slots=True)
class PutPiece(Message):
    """A piece is placed."""

    seat: int | None = field(metadata=form(MAYBE, "playerNumber"))
    piece: int = field(metadata=form(DECIMAL, "pieceType"))
    place: int = field(metadata=form(COORDINATE, "coord"))


@dataclass(frozen=True, slots=True)
class BuildRequest(Message):
    """A player pays for a piece before placing it, or asks for special building."""

    piece: int = field(metadata=form(DECIMAL, "pieceType"))


@dataclass(frozen=True, slots=True)
class CancelBuildRequest(Message):
    """A player takes a payment or a placement back; or the server refuses one."""

    piece: int = field(metadata=form(DECIMAL, "pieceType"))


@dataclass(frozen=True, slots=True)
class MovePiece(Message):
    """A ship moves."""

    seat: int | None = field(metadata=form(MAYBE, "pn"))
    piece: int = field(metadata=form(DECIMAL, "pieceType"))
    origin: int = field(metadata=form(COORDINATE, "fromCoord"))
    target: int = field(metadata=form(COORDINATE, "toCoord"))


@dataclass(frozen=True, slots=True)
class RevealFogHex(Message):
    """What was under the fog. ``dice`` is 0 if the hex has no number."""

    hex: int = field(metadata=form(COORDINATE, "hexCoord"))
    type: int = field(metadata=form(DECIMAL, "hexType"))
    dice: int = field(metadata=form(DECIMAL, "diceNum"))


@dataclass(frozen=True, slots=True)
class PieceValue(Message):
    """The cloth that a village has left."""

    piece: int = field(metadata=form(DECIMAL, "pieceType"))
    place: int = field(metadata=form(COORDINATE, "coord"))
    value: int = field(metadata=form(DECIMAL, "pv1"))
    other: int = field(metadata=form(DECIMAL, "pv2"))


@dataclass(frozen=True, slots=True)
class SVPTextMessage(Message):
    """Special victory points, and for what."""

    seat: int = field(metadata=form(DECIMAL, "pn"))
    points: int = field(metadata=form(DECIMAL, "svp"))
    text: str = field(metadata=form(TEXT, "desc"))


@dataclass(frozen=True, slots=True)
class SimpleRequest(Message):
    """A prompt: request 1 is to pick ``value`` resources."""

    seat: int = field(metadata=form(DECIMAL, "pn"))
    request: int = field(metadata=form(DECIMAL, "reqType"))
    value: int = field(metadata=form(DECIMAL, "v1"))
    other: int = field(metadata=form(DECIMAL, "v2"))


@dataclass(frozen=True, slots=True)
class PickResources(Message):
    """A player picks resources: for a card, or from a gold hex."""

    resources: Bundle = field(metadata=form(BUNDLE, "resources"))
    seat: int | None = field(default=None, metadata=form(MAYBE, "pn"))
    reason: int | None = field(default=None, metadata=form(MAYBE, "reason"))


@dataclass(frozen=True, slots=True)
class PickResourceType(Message):
    """A player names the resource of a monopoly."""

    resource: int = field(metadata=form(DECIMAL, "resType"))


@dataclass(frozen=True, slots=True)
class BuyDevCardRequest(Message):
    """A player buys a development card."""


@dataclass(frozen=True, slots=True)
class PlayDevCardRequest(Message):
    """A player plays a development card."""

    card: int = field(metadata=form(DECIMAL, "devCard"))


@dataclass(frozen=True, slots=True)
class DevCardAction(Message):
    """A development card is drawn, played, returned or, at the end, shown: then ``cards`` may be several."""

    seat: int = field(metadata=form(DECIMAL, "playerNum"))
    action: CardChange = field(metadata=form(word_in(CardChange), "actionType"))
    card: int | None = field(default=None, metadata=form(MAYBE, "cardType"))
    cards: str | None = field(default=None, metadata=form(MAYBE_WORD, "cardTypes"))

    @classmethod
    def showing(cls, seat: int, cards: list[int]) -> "DevCardAction":
        """Return the message that shows the cards of a seat at the end."""
        if len(cards) == 1:
            return cls(seat, CardChange.ADD_OLD, cards[0])
        return cls(seat, CardChange.ADD_OLD, None, f"[{', '.join(str(int(card)) for card in cards)}]")


@dataclass(frozen=True, slots=True)
class SimpleAction(Message):
    """Something that a player did."""

    seat: int = field(metadata=form(DECIMAL, "pn"))
    action: int = field(metadata=form(DECIMAL, "actType"))
    value: int = field(metadata=form(DECIMAL, "v1"))
    other: int = field(metadata=form(DECIMAL, "v2"))


@dataclass(frozen=True, slots=True)
class ResourceCount(Message):
    """How many resources a player holds."""

    seat: int = field(metadata=form(DECIMAL, "playerNum"))
    count: int = field(metadata=form(DECIMAL, "count"))


@dataclass(frozen=True, slots=True)
class MoveRobber(Message):
    """The robber moves; with a negative place the pirate."""

    seat: int | None = field(metadata=form(MAYBE, "playerNumber"))
    place: int = field(metadata=form(COORDINATE, "coord"))


@dataclass(frozen=True, slots=True)
class ChoosePlayer(Message):
    """A choice: a victim, robber or pirate, cloth. From the server: the victim, as a reminder."""

    choice: int = field(metadata=form(DECIMAL, "choice"))


@dataclass(frozen=True, slots=True)
class ChoosePlayerRequest(Message):
    """Who may be robbed: one flag for each seat."""

    choices: tuple[bool, ...] = field(metadata=form(BOXED_FLAGS, "choices"))


@dataclass(frozen=True, slots=True)
class RobberyResult(Message):
    """What was stolen: a resource, or with ``element`` the new amounts of cloth."""

    thief: int = field(metadata=form(DECIMAL, "perp"))
    victim: int = field(metadata=form(DECIMAL, "victim"))
    resource: int | None = field(default=None, metadata=form(MAYBE, "resType"))
    element: str | None = field(default=None, metadata=form(MAYBE_WORD, "peType"))
    amount: int = field(default=1, metadata=form(DECIMAL, "amount"))
    gain: bool = field(default=True, metadata=form(TRUTH, "isGainLose"))
    victim_amount: int | None = field(default=None, metadata=form(MAYBE, "victimAmount"))


@dataclass(frozen=True, slots=True)
class BankTrade(Message):
    """A trade with the bank."""

    give: Bundle = field(metadata=form(BUNDLE, "give"))
    get: Bundle = field(metadata=form(BUNDLE, "get"))
    seat: int | None = field(default=None, metadata=form(MAYBE, "pn"))


@dataclass(frozen=True, slots=True)
class MakeOffer(Message):
    """An offer to the seats that are flagged."""

    seat: int | None = field(metadata=form(MAYBE, "from"))
    to: tuple[bool, ...] = field(metadata=form(FLAGS, "to"))
    give: Bundle = field(metadata=form(BUNDLE, "give"))
    get: Bundle = field(metadata=form(BUNDLE, "get"))


@dataclass(frozen=True, slots=True)
class ClearOffer(Message):
    """An offer is withdrawn; -1: all of them."""

    seat: int | None = field(metadata=form(MAYBE, "playerNumber"))


@dataclass(frozen=True, slots=True)
class ClearTradeMsg(Message):
    """The marks of answers to offers are cleared; -1: of all seats."""

    seat: int = field(metadata=form(DECIMAL, "playerNumber"))


@dataclass(frozen=True, slots=True)
class RejectOffer(Message):
    """Offers are rejected; with a reason it is the server that refuses a trade."""

    seat: int | None = field(metadata=form(MAYBE, "playerNumber"))
    reason: int | None = field(default=None, metadata=form(MAYBE, "reasonCode"))


@dataclass(frozen=True, slots=True)
class AcceptOffer(Message):
    """An offer is accepted."""

    accepting: int | None = field(metadata=form(MAYBE, "accepting"))
    offering: int = field(metadata=form(DECIMAL, "offering"))
    to_accepting: Bundle | None = field(default=None, metadata=form(MAYBE_BUNDLE, "toAccepting"))
    to_offering: Bundle | None = field(default=None, metadata=form(MAYBE_BUNDLE, "toOffering"))


@dataclass(frozen=True, slots=True)
class EndTurn(Message):
    """A player ends its turn; where special building is offered: no."""


@dataclass(frozen=True, slots=True)
class DeclinePlayerRequest(Message):
    """A request cannot be met. ``detail`` and ``place`` are the piece and the coordinate of an illegal place."""

    state: int | None = field(metadata=form(MAYBE, "state"))
    reason: int = field(metadata=form(DECIMAL, "reason"))
    detail: int | None = field(default=None, metadata=form(MAYBE, "detail1"))
    place: int | None = field(default=None, metadata=form(MAYBE_PLACE, "detail2"))
    text: str | None = field(default=None, metadata=form(MAYBE_TEXT, "text"))


@dataclass(frozen=True, slots=True)
class StartGame(Message):
    """The game begins: everything before is set-up."""

    state: int | None = field(default=None, metadata=form(MAYBE, "gameState"))


@dataclass(frozen=True, slots=True)
class SitDown(Message):
    """Who sits where."""

    nick: str = field(metadata=form(WORD, "nickname"))
    seat: int = field(metadata=form(DECIMAL, "playerNumber"))
    robot: bool = field(metadata=form(TRUTH, "robotFlag"))


@dataclass(frozen=True, slots=True)
class NewGame(Message):
    """A game is made, without options."""


@dataclass(frozen=True, slots=True)
class NewGameWithOptions(Message):
    """A game is made. ``version`` is the least version of clients, -1 for any."""

    version: int = field(metadata=form(DECIMAL, "param1"))
    options: str = field(metadata=form(WORD, "param2"))


@dataclass(frozen=True, slots=True)
class UndoPutPiece(Message):
    """A piece is taken back, or a ship moved back: newer servers have this."""

    seat: int = field(metadata=form(DECIMAL, "playerNumber"))
    piece: int = field(metadata=form(DECIMAL, "pieceType"))
    place: int = field(metadata=form(COORDINATE, "coord"))
    moved_from: int | None = field(default=None, metadata=form(MAYBE_COORDINATE, "movedFromCoord"))


CLIENT_MESSAGES: Final[tuple[type[Message], ...]] = (
    RollDice, Discard, PutPiece, BuildRequest, CancelBuildRequest, MovePiece, PickResources, PickResourceType,
    BuyDevCardRequest, PlayDevCardRequest, MoveRobber, ChoosePlayer, BankTrade, MakeOffer, ClearOffer, RejectOffer,
    AcceptOffer, EndTurn,
)  # fmt: skip
"""What a player may send."""

_SERVER_MESSAGES: tuple[type[Message], ...] = (
    DiceResult, PlayerElements, PlayerElement, GameElements, GameState, Turn, RollDicePrompt, GameServerText,
    DiscardRequest, RevealFogHex, PieceValue, SVPTextMessage, SimpleRequest, DevCardAction, SimpleAction,
    ResourceCount, ChoosePlayerRequest, RobberyResult, ClearTradeMsg, DeclinePlayerRequest, StartGame, SitDown,
    NewGame, NewGameWithOptions, UndoPutPiece,
)  # fmt: skip

MESSAGES: Final[Mapping[str, type[Message]]] = {
    f"SOC{each.__name__}": each for each in (*CLIENT_MESSAGES, *_SERVER_MESSAGES, *GAIN_MESSAGES, *BOARD_MESSAGES)
}
"""The class for each name on the wire. Names that are not here are read as :class:`Other`."""

SENDERS: Final[Mapping[type[Message], str]] = {
    Discard: "seat", PutPiece: "seat", MovePiece: "seat", PickResources: "seat", MoveRobber: "seat",
    BankTrade: "seat", MakeOffer: "seat", ClearOffer: "seat", RejectOffer: "seat", AcceptOffer: "accepting",
}  # fmt: skip
"""The attribute for the sender; a player may leave it out."""
_LOGGED_SENDERS = frozenset({PutPiece, MovePiece, MoveRobber, MakeOffer})
_IGNORED_SENDERS = frozenset({ClearOffer, RejectOffer, AcceptOffer})
_SERVER_FIELDS: Mapping[type[Message], tuple[str, ...]] = {
    PickResources: ("reason",), RejectOffer: ("reason",), AcceptOffer: ("to_accepting", "to_offering"),
}  # fmt: skip


def named_sender(move: Message) -> int | None:
    """Return the seat that a move names as its sender; None if it names none, or its word does not count."""
    if type(move) in _IGNORED_SENDERS or type(move) not in SENDERS:
        return None
    seat: int | None = getattr(move, SENDERS[type(move)])
    return seat


def as_move(move: Message) -> Message:
    """Return a move without what only the server fills in: as it is listed among legal moves."""
    changes: dict[str, Any] = {}
    if type(move) in SENDERS:
        changes[SENDERS[type(move)]] = None
    for name in _SERVER_FIELDS.get(type(move), ()):
        changes[name] = None
    return replace(move, **changes) if changes else move


def as_logged(move: Message, seat: int) -> Message:
    """Return a move as clients of the reference send it: with the sender where they name it, 0 where it is ignored."""
    if type(move) in _LOGGED_SENDERS:
        return replace(move, **{SENDERS[type(move)]: seat})
    if type(move) in _IGNORED_SENDERS:
        return replace(move, **{SENDERS[type(move)]: 0})
    return move


__all__ = ["CLIENT_MESSAGES", "MESSAGES", "Message", "Other", "as_logged", "as_move", "named_sender"]
