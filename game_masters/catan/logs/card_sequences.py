"""Recognises development cards, bought and played, by sequences of messages, with what they bring."""

from collections.abc import Mapping
from typing import Final

from game_masters.catan.logs.action import NOT_PLACED, Found, Kind
from game_masters.catan.logs.matching import Cursor, NoMatch
from game_masters.catan.logs.steps import (
    Sequence,
    after_piece,
    after_reveal,
    before_piece,
    calms,
    element,
    game_element,
    loses,
)
from game_masters.catan.message.bundles import single
from game_masters.catan.message.messages import (
    BuyDevCardRequest,
    CancelBuildRequest,
    ClearOffer,
    DevCardAction,
    EndTurn,
    GameElements,
    GameState,
    PickResources,
    PickResourceType,
    PlayDevCardRequest,
    PlayerElement,
    PlayerElements,
    PutPiece,
    ResourceCount,
    SimpleAction,
)
from game_masters.catan.message.vocabulary import (
    FREE_ROADS,
    Card,
    CardChange,
    Change,
    Element,
    GameElement,
    Piece,
)


def buy_dev_card(cursor: Cursor) -> Found:
    """A card is bought."""
    cursor.asks(BuyDevCardRequest)
    cursor.take(PlayerElements, loses)
    cursor.maybe(GameElements, game_element(GameElement.CARDS_LEFT))
    drawn = cursor.take(DevCardAction, lambda one: one.action == CardChange.DRAW)
    # A full log has the card twice: for its player, and as unknown for the others.
    cards = [drawn.card or 0]
    other = cursor.maybe(DevCardAction, lambda one: one.action == CardChange.DRAW)
    if other is not None:
        cards.append(other.card or 0)
    left = cursor.take(SimpleAction)
    calms(cursor)
    return Found(Kind.BUY_DEV_CARD, max(cards), left.value)


def play_dev_card(cursor: Cursor) -> Found:
    """A card is played, with what follows from it at once."""
    cursor.asks(PlayDevCardRequest)
    played = cursor.take(DevCardAction, lambda one: one.action == CardChange.PLAY)
    cursor.take(PlayerElement, element(Element.HAS_PLAYED_CARD, 1))
    rest = _CARDS.get(played.card or 0)
    if rest is None:
        raise NoMatch
    return rest(cursor)


def _soldier(cursor: Cursor) -> Found:
    cursor.take(PlayerElement, element(Element.SOLDIERS))
    cursor.maybe(GameElements, game_element(GameElement.LARGEST_ARMY))
    cursor.take(GameState)
    return Found(Kind.PLAY_DEV_CARD, int(Card.SOLDIER))


def _discovery(cursor: Cursor) -> Found:
    cursor.take(GameState)
    cursor.asks(PickResources)
    picked = cursor.take(PickResources)
    calms(cursor)
    return Found(Kind.PLAY_DEV_CARD, int(Card.DISCOVERY), first=picked.resources)


def _monopoly(cursor: Cursor) -> Found:
    cursor.take(GameState)
    cursor.asks(PickResourceType)
    while cursor.maybe(PlayerElement, lambda one: one.change == Change.SET):
        cursor.take(ResourceCount)
    gained = cursor.take(PlayerElement, lambda one: one.change == Change.GAIN)
    cursor.take(SimpleAction)
    calms(cursor)
    first = single(gained.element, gained.amount) if gained.amount else None
    return Found(Kind.PLAY_DEV_CARD, int(Card.MONOPOLY), first=first)


def _road_building(cursor: Cursor) -> Found:
    places: list[int] = []
    state = cursor.take(GameState, lambda one: one.state in FREE_ROADS).state
    while state in FREE_ROADS and not _ends_early(cursor, state):
        put = _free_road(cursor)
        if put is None:
            break
        # A ship's edge is negative, a road's is not.
        places.append(-put.place if put.piece == Piece.SHIP else put.place)
        state = cursor.state
    places += [NOT_PLACED] * (2 - len(places))
    return Found(Kind.PLAY_DEV_CARD, int(Card.ROADS), places[0], places[1])


def _ends_early(cursor: Cursor, state: int) -> bool:
    """Whether the card is cancelled, or the turn ends, perhaps after others ask for special building: that is left
    for the next action."""
    if cursor.sees(EndTurn, client=True) or cursor.sees(ClearOffer) or cursor.peek() is None:
        return True
    if cursor.sees(PlayerElement, element(Element.ASKS_SPECIAL_BUILDING, 1)):
        return True
    if cursor.full:
        if not cursor.sees(CancelBuildRequest, client=True):
            return False
        cursor.asks(CancelBuildRequest)
    begin, memory = cursor.at, cursor.memory()
    if cursor.maybe(DevCardAction, lambda one: one.action == CardChange.ADD_OLD):
        cursor.take(PlayerElement, element(Element.HAS_PLAYED_CARD, 0))
        if cursor.sees(ClearOffer):
            cursor.back(begin, memory)
            return True
        calms(cursor)
        return True
    if cursor.sees(GameState):
        calms(cursor)
        return True
    return False


def _free_road(cursor: Cursor) -> PutPiece | None:
    if cursor.full and not cursor.sees(PutPiece, client=True):
        return None
    cursor.asks(PutPiece)
    before_piece(cursor)
    put = cursor.take(PutPiece)
    after_piece(cursor)
    after_reveal(cursor)
    return put


_CARDS: Final[Mapping[int, Sequence]] = {
    int(Card.SOLDIER): _soldier,
    int(Card.DISCOVERY): _discovery,
    int(Card.MONOPOLY): _monopoly,
    int(Card.ROADS): _road_building,
}
