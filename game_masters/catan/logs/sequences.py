"""Recognises actions by sequences of messages: one function each, which takes it from a log. Pieces
and cards have modules of their own.

In a full log most begin with a request of a client; in what one player received, with a message of the server.
"""

from collections.abc import Mapping
from typing import Final

from game_masters.catan.logs.action import Found, Kind
from game_masters.catan.logs.card_sequences import buy_dev_card, play_dev_card
from game_masters.catan.logs.matching import Cursor, NoMatch
from game_masters.catan.logs.piece_sequences import build_piece, cancel_built_piece, move_piece, undo
from game_masters.catan.logs.steps import Sequence, calms, element
from game_masters.catan.message.bundles import TYPES, single
from game_masters.catan.message.gain_messages import GameStats, PlayerStats
from game_masters.catan.message.message import Message
from game_masters.catan.message.messages import (
    AcceptOffer,
    BankTrade,
    BuildRequest,
    BuyDevCardRequest,
    CancelBuildRequest,
    ChoosePlayer,
    ChoosePlayerRequest,
    ClearOffer,
    ClearTradeMsg,
    DevCardAction,
    DiceResult,
    Discard,
    EndTurn,
    GameState,
    MakeOffer,
    MovePiece,
    MoveRobber,
    PickResources,
    PieceValue,
    PlayDevCardRequest,
    PlayerElement,
    PlayerElements,
    PutPiece,
    RejectOffer,
    RevealFogHex,
    RobberyResult,
    RollDice,
    RollDicePrompt,
    Turn,
    UndoPutPiece,
)
from game_masters.catan.message.vocabulary import (
    ASK_SPECIAL_BUILDING,
    MOVE_PIRATE,
    MOVE_ROBBER,
    PICKED_FROM_GOLD,
    CardChange,
    Element,
    Phase,
)

_ROBBER, _PIRATE = 1, 2
_RESOURCE, _CLOTH = 1, 2


# --- turns and rolls --------------------------------------------------------------------------------------------------


def turn_begins(cursor: Cursor) -> Found:
    """A turn, or the next player to place."""
    turn = cursor.take(Turn)
    if turn.state not in (Phase.SPECIAL_BUILDING, Phase.OVER):
        cursor.maybe(RollDicePrompt)
    return Found(Kind.TURN_BEGINS, turn.seat)


def roll_dice(cursor: Cursor) -> Found:
    """A roll, with all up to the state, and the prompts after it."""
    cursor.asks(RollDice)
    dice = cursor.take(DiceResult)
    while not cursor.sees(GameState):
        event = cursor.peek()
        if event is None or event.audience.from_client:
            raise NoMatch
        cursor.step()
    cursor.take(GameState)
    while (event := cursor.peek()) is not None and type(event.message) not in STARTS[cursor.full][
        event.audience.from_client
    ]:
        cursor.step()
    return Found(Kind.ROLL_DICE, dice.result)


def end_turn(cursor: Cursor) -> Found:
    """The end of a turn, with the return of a card that was not used up; or the turn is put off, since its player has
    asked for special building."""
    if cursor.state == Phase.ROLL_OR_CARD and cursor.maybe(ClearOffer, lambda one: one.seat == -1):
        return Found(Kind.END_TURN)
    cursor.asks(EndTurn)
    if cursor.maybe(DevCardAction, lambda one: one.action == CardChange.ADD_OLD):
        cursor.take(PlayerElement, element(Element.HAS_PLAYED_CARD, 0))
    cursor.maybe(PlayerElement, element(Element.ASKS_SPECIAL_BUILDING, 0))
    cursor.take(ClearOffer, lambda one: one.seat == -1)
    return Found(Kind.END_TURN)


def ask_special_building(cursor: Cursor) -> Found:
    """A request for special building."""
    sender = cursor.sender
    request = cursor.asks(BuildRequest)
    if request is not None and sender == cursor.current and request.piece != ASK_SPECIAL_BUILDING:
        raise NoMatch
    asks = cursor.take(PlayerElement, element(Element.ASKS_SPECIAL_BUILDING, 1))
    return Found(Kind.ASK_SPECIAL_BUILDING, asks.seat)


def game_over(cursor: Cursor) -> Found:
    """The end of the game: cards, points, statistics."""
    if cursor.state != Phase.OVER:
        raise NoMatch
    while cursor.maybe(DevCardAction, lambda one: one.action == CardChange.ADD_OLD):
        pass
    cursor.take(GameStats, lambda one: one.timing is None)
    while cursor.maybe(PlayerStats):
        pass
    return Found(Kind.GAME_OVER, cursor.current)


# --- resources and robbery --------------------------------------------------------------------------------------------


def discard(cursor: Cursor) -> Found:
    """A player discards."""
    cursor.asks(Discard)
    # A full log has it twice: for its player, and as a number of cards for the others.
    shown = cursor.take(Discard)
    other = cursor.maybe(Discard)
    known = shown if not shown.resources[5] or other is None else other
    cursor.take(GameState)
    return Found(Kind.DISCARD, known.seat or 0, first=known.resources)


def choose_free_resources(cursor: Cursor) -> Found:
    """A player picks resources from gold."""
    cursor.asks(PickResources)
    picked = cursor.take(PickResources, lambda one: one.reason in (None, PICKED_FROM_GOLD))
    cursor.take(PlayerElement, element(Element.GOLD_PICKS, 0))
    if not cursor.sees(Turn):
        calms(cursor)
    return Found(Kind.CHOOSE_FREE_RESOURCES, first=picked.resources)


def choose_robber_or_pirate(cursor: Cursor) -> Found:
    """A player chooses what to move."""
    if cursor.state != Phase.ROBBER_OR_PIRATE:
        raise NoMatch
    choice = cursor.asks(ChoosePlayer)
    state = cursor.take(GameState).state
    chosen = {MOVE_ROBBER: _ROBBER, MOVE_PIRATE: _PIRATE}.get(choice.choice if choice is not None else 0, 0)
    if choice is None:
        chosen = {int(Phase.PLACING_ROBBER): _ROBBER, int(Phase.PLACING_PIRATE): _PIRATE}.get(state, 0)
    return Found(Kind.CHOOSE_MOVE_ROBBER_OR_PIRATE, chosen)


def move_robber_or_pirate(cursor: Cursor) -> Found:
    """Robber or pirate moves; if a player is robbed, that is the next action."""
    cursor.asks(MoveRobber)
    moved = cursor.take(MoveRobber)
    if not cursor.sees(RobberyResult):
        calms(cursor)
    return Found(Kind.MOVE_ROBBER_OR_PIRATE, _PIRATE if moved.place < 0 else _ROBBER, abs(moved.place))


def choose_robbery_victim(cursor: Cursor) -> Found:
    """A player chooses whom to rob; another choice may follow."""
    cursor.take(ChoosePlayerRequest)
    choice = cursor.asks(ChoosePlayer)
    cursor.maybe(GameState, lambda one: one.state == Phase.CLOTH_OR_RESOURCE)
    victim = -1 if choice is None else choice.choice if choice.choice >= 0 else -2
    return Found(Kind.CHOOSE_ROBBERY_VICTIM, victim)


def choose_cloth_or_resource(cursor: Cursor) -> Found:
    """A player chooses what to rob."""
    if cursor.state != Phase.CLOTH_OR_RESOURCE:
        raise NoMatch
    cursor.take(ChoosePlayer)
    choice = cursor.asks(ChoosePlayer)
    chosen = 0 if choice is None else _RESOURCE if choice.choice >= 0 else _CLOTH
    return Found(Kind.CHOOSE_ROB_CLOTH_OR_RESOURCE, chosen)


def rob_player(cursor: Cursor) -> Found:
    """A player is robbed."""
    shown = cursor.take(RobberyResult)
    known = shown.resource
    while (other := cursor.maybe(RobberyResult)) is not None:
        # 6 stands for a resource that is not shown, so the smaller one is known.
        known = min(one for one in (known, other.resource) if one is not None)
    calms(cursor)
    if shown.element is not None:
        return Found(Kind.ROB_PLAYER, shown.victim, int(Element.CLOTH), shown.amount)
    if known is None or not 1 <= known <= len(TYPES) + 1:
        raise NoMatch
    return Found(Kind.ROB_PLAYER, shown.victim, first=single(known, shown.amount))


# --- trades -----------------------------------------------------------------------------------------------------------


def trade_bank(cursor: Cursor) -> Found:
    """A trade with the bank."""
    cursor.asks(BankTrade)
    trade = cursor.take(BankTrade)
    return Found(Kind.TRADE_BANK, first=trade.give, second=trade.get)


def make_offer(cursor: Cursor) -> Found:
    """An offer."""
    cursor.asks(MakeOffer)
    offer = cursor.take(MakeOffer)
    cursor.take(ClearTradeMsg)
    return Found(Kind.TRADE_MAKE_OFFER, offer.seat or 0, first=offer.give, second=offer.get)


def clear_offer(cursor: Cursor) -> Found:
    """An offer is withdrawn."""
    cursor.asks(ClearOffer)
    cleared = cursor.take(ClearOffer, lambda one: one.seat is not None and one.seat >= 0)
    cursor.take(ClearTradeMsg)
    return Found(Kind.TRADE_CLEAR_OFFER, cleared.seat or 0)


def reject_offer(cursor: Cursor) -> Found:
    """Offers are rejected."""
    cursor.asks(RejectOffer)
    rejected = cursor.take(RejectOffer, lambda one: not one.reason)
    return Found(Kind.TRADE_REJECT_OFFER, rejected.seat or 0)


def accept_offer(cursor: Cursor) -> Found:
    """An offer is accepted."""
    cursor.asks(AcceptOffer)
    accepted = cursor.take(AcceptOffer)
    cursor.take(ClearOffer)
    return Found(
        Kind.TRADE_ACCEPT_OFFER, accepted.offering, accepted.accepting or 0, 0, accepted.to_accepting,
        accepted.to_offering,
    )  # fmt: skip


SEQUENCES: Final[Mapping[type[Message], tuple[Sequence, ...]]] = {
    Turn: (turn_begins,),
    RollDice: (roll_dice,),
    DiceResult: (roll_dice,),
    PutPiece: (build_piece,),
    BuildRequest: (build_piece, cancel_built_piece, ask_special_building),
    PlayerElements: (build_piece, buy_dev_card, cancel_built_piece),
    RevealFogHex: (build_piece, move_piece),
    PieceValue: (move_piece, build_piece),
    CancelBuildRequest: (cancel_built_piece,),
    MovePiece: (move_piece,),
    UndoPutPiece: (undo,),
    BuyDevCardRequest: (buy_dev_card,),
    PlayDevCardRequest: (play_dev_card,),
    DevCardAction: (play_dev_card, game_over, end_turn),
    PlayerElement: (ask_special_building, end_turn),
    Discard: (discard,),
    PickResources: (choose_free_resources,),
    ChoosePlayer: (choose_robber_or_pirate, choose_cloth_or_resource),
    GameState: (choose_robber_or_pirate,),
    MoveRobber: (move_robber_or_pirate,),
    ChoosePlayerRequest: (choose_robbery_victim,),
    RobberyResult: (rob_player,),
    BankTrade: (trade_bank,),
    MakeOffer: (make_offer,),
    ClearOffer: (clear_offer, end_turn),
    RejectOffer: (reject_offer,),
    AcceptOffer: (accept_offer,),
    EndTurn: (end_turn,),
    GameStats: (game_over,),
}
"""By the first message, the sequences that may follow, the first to be tried first."""

_CLIENT: Final[frozenset[type[Message]]] = frozenset({
    RollDice, PutPiece, BuildRequest, CancelBuildRequest, MovePiece, BuyDevCardRequest, PlayDevCardRequest, Discard,
    PickResources, ChoosePlayer, MoveRobber, BankTrade, MakeOffer, ClearOffer, RejectOffer, AcceptOffer, EndTurn,
    UndoPutPiece,
})  # fmt: skip
_FULL: Final[frozenset[type[Message]]] = frozenset(
    {Turn, ChoosePlayerRequest, ChoosePlayer, RobberyResult, GameStats, DevCardAction, ClearOffer}
)
_VIEW: Final[frozenset[type[Message]]] = frozenset({
    DiceResult, PutPiece, RevealFogHex, CancelBuildRequest, PlayerElement, PlayerElements, MovePiece, DevCardAction,
    Discard, PickResources, PieceValue, GameState, MoveRobber, ChoosePlayerRequest, ChoosePlayer, RobberyResult,
    BankTrade, MakeOffer, ClearOffer, RejectOffer, AcceptOffer, Turn, GameStats, UndoPutPiece,
})  # fmt: skip

STARTS: Final[Mapping[bool, Mapping[bool, frozenset[type[Message]]]]] = {
    True: {True: _CLIENT, False: _FULL},
    False: {True: frozenset(), False: _VIEW},
}
"""What an action can begin with: in a full log or not, and whether a client or the server sends it."""
