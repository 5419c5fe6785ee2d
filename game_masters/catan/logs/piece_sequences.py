"""Recognises pieces built, moved and taken back by sequences of messages."""

from typing import Final

from game_masters.catan.logs.action import Found, Kind
from game_masters.catan.logs.matching import Cursor, NoMatch
from game_masters.catan.logs.steps import after_piece, after_reveal, before_piece, element, gains, game_element, loses
from game_masters.catan.message.bundles import TYPES, bundle
from game_masters.catan.message.messages import (
    BuildRequest,
    CancelBuildRequest,
    ClearOffer,
    GameElements,
    GameState,
    MovePiece,
    PieceValue,
    PlayerElement,
    PlayerElements,
    PutPiece,
    RevealFogHex,
    SVPTextMessage,
    Turn,
    UndoPutPiece,
)
from game_masters.catan.message.vocabulary import (
    FREE_ROADS,
    PLACING,
    START_ROAD,
    Element,
    GameElement,
    Phase,
)

_CALM: Final = frozenset({int(Phase.PLAY), int(Phase.SPECIAL_BUILDING)})
_AFTER_PAYMENT: Final = (PutPiece, RevealFogHex, SVPTextMessage, PlayerElement, PlayerElements, PieceValue, Turn)
"""What may follow a payment: the piece with what it reveals and earns, the money back, the end of the turn."""
_WITHOUT_COST: Final = frozenset({*map(int, FREE_ROADS), *map(int, START_ROAD), *map(int, PLACING), 5, 10, 12})


def build_piece(cursor: Cursor) -> Found:
    """A piece: paid and placed, or placed for nothing."""
    if cursor.full and cursor.sees(BuildRequest, client=True):
        if cursor.sender != cursor.current:
            raise NoMatch
        cursor.asks(BuildRequest)
        cursor.take(PlayerElements, loses)
        cursor.take(GameState)
        cursor.asks(PutPiece)
    else:
        cursor.asks(PutPiece)
        if cursor.state in _CALM:
            cursor.take(PlayerElements, loses)
            if not cursor.full and cursor.maybe(GameState, lambda one: one.state in PLACING):
                _others_speak(cursor)
        elif cursor.state not in _WITHOUT_COST:
            raise NoMatch
    return _placed(cursor)


def _others_speak(cursor: Cursor) -> None:
    """Skip the messages while a player who has paid looks for a place: what others do, and refusals of places. A
    view does not show when the piece is asked for."""
    while (event := cursor.peek()) is not None and not isinstance(event.message, _AFTER_PAYMENT):
        cursor.step()


def _placed(cursor: Cursor) -> Found:
    """What comes from the payment on."""
    starting = cursor.state < Phase.ROLL_OR_CARD
    before_piece(cursor)
    put = cursor.take(PutPiece)
    resources = after_piece(cursor)
    # At the start a turn follows the road, and no state.
    if not (starting and cursor.sees(Turn)):
        after_reveal(cursor)
    return Found(Kind.BUILD_PIECE, put.piece, put.place, put.seat or 0, resources)


def cancel_built_piece(cursor: Cursor) -> Found:
    """A settlement of the start is taken back, or a payment; in a view also by the server, as it ends a turn."""
    current = cursor.current
    paid = cursor.full and cursor.sees(BuildRequest, client=True)
    if paid:
        cursor.asks(BuildRequest)
    if paid or cursor.sees(PlayerElements, loses):
        cursor.take(PlayerElements, loses)
        cursor.take(GameState, lambda one: one.state in PLACING)
    if not cursor.full and cursor.state in PLACING:
        _others_speak(cursor)
        cursor.maybe(PlayerElement, element(Element.ASKS_SPECIAL_BUILDING, 0))  # the server ends the turn
    request = cursor.asks(CancelBuildRequest)
    if cursor.state in PLACING:
        piece = int(PLACING[Phase(cursor.state)]) if request is None else request.piece
        cursor.take(PlayerElements, gains)
        if not cursor.full and (cursor.sees(ClearOffer) or cursor.sees(PlayerElement)):
            return Found(Kind.CANCEL_BUILT_PIECE, piece, 0, current)
    else:
        piece = cursor.take(CancelBuildRequest).piece
    cursor.take(GameState)
    return Found(Kind.CANCEL_BUILT_PIECE, piece, 0, current)


def move_piece(cursor: Cursor) -> Found:
    """A ship moves."""
    cursor.asks(MovePiece)
    before_piece(cursor)
    moved = cursor.take(MovePiece)
    resources = after_piece(cursor)
    # No state follows a ship that moves, unless it has revealed gold.
    if not cursor.over() and cursor.sees(GameState, lambda one: one.state == Phase.GOLD):
        after_reveal(cursor)
    return Found(Kind.MOVE_PIECE, moved.piece, moved.origin, moved.target, resources)


def undo(cursor: Cursor) -> Found:
    """A piece is taken back, or a ship moved back, as newer servers have it."""
    if cursor.full and cursor.sees(UndoPutPiece, client=True):
        cursor.asks(UndoPutPiece)
    undone = cursor.take(UndoPutPiece)
    refund = cursor.maybe(PlayerElements, gains)
    cursor.maybe(GameElements, game_element(GameElement.LONGEST_ROUTE))
    cursor.maybe(GameState)
    first = None
    if refund is not None:
        amounts = dict(refund.elements)
        first = bundle([amounts.get(type + 1, 0) for type in TYPES])
    if undone.moved_from is None:
        return Found(Kind.UNDO_BUILD_PIECE, undone.piece, undone.place, 0, first)
    return Found(Kind.UNDO_MOVE_PIECE, undone.piece, undone.place, undone.moved_from, first)
