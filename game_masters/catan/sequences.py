"""The sequences of messages by which actions are recognised: one function each, which takes it from a log.

In a full log most begin with a request of a client; in what one player heard, with what the server said.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from game_masters.catan.actions import NOT_PLACED, Found, Kind
from game_masters.catan.bundles import TYPES, Bundle, bundle, single
from game_masters.catan.gain_messages import GameStats, PlayerStats
from game_masters.catan.matching import Cursor, NoMatch
from game_masters.catan.message import Message
from game_masters.catan.messages import (
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
    GameElements,
    GameState,
    MakeOffer,
    MovePiece,
    MoveRobber,
    PickResources,
    PickResourceType,
    PieceValue,
    PlayDevCardRequest,
    PlayerElement,
    PlayerElements,
    PutPiece,
    RejectOffer,
    ResourceCount,
    RevealFogHex,
    RobberyResult,
    RollDice,
    RollDicePrompt,
    SimpleAction,
    SimpleRequest,
    SVPTextMessage,
    Turn,
    UndoPutPiece,
)
from game_masters.catan.vocabulary import (
    ASK_SPECIAL_BUILDING,
    FREE_ROADS,
    MOVE_PIRATE,
    MOVE_ROBBER,
    PICKED_FROM_GOLD,
    PLACING,
    START_ROAD,
    Card,
    CardChange,
    Change,
    Element,
    GameElement,
    Phase,
    Piece,
)

Sequence: TypeAlias = Callable[[Cursor], Found]
"""Takes a sequence from a log and returns what it tells. Raises NoMatch."""

_CALM: Final = frozenset({int(Phase.PLAY), int(Phase.SPECIAL_BUILDING)})
_WITHOUT_COST: Final = frozenset({*map(int, FREE_ROADS), *map(int, START_ROAD), *map(int, PLACING), 5, 10, 12})
_ROBBER, _PIRATE = 1, 2
_RESOURCE, _CLOTH = 1, 2


def _element(element: Element, amount: int | None = None) -> Callable[[PlayerElement], bool]:
    return lambda one: one.element == element and amount in (None, one.amount)


def _game_element(element: GameElement) -> Callable[[GameElements], bool]:
    return lambda one: [type for type, _ in one.elements] == [element]


def _loses(one: PlayerElements) -> bool:
    return one.change == Change.LOSE


def _gains(one: PlayerElements) -> bool:
    return one.change == Change.GAIN


def _calms(cursor: Cursor) -> None:
    """Take the state, or the end of the game, and a prompt to roll."""
    if not cursor.over():
        cursor.take(GameState)
        cursor.maybe(RollDicePrompt)


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
    """The end of a turn, with the return of a card that was not used up."""
    cursor.asks(EndTurn)
    if cursor.maybe(DevCardAction, lambda one: one.action == CardChange.ADD_OLD):
        cursor.take(PlayerElement, _element(Element.HAS_PLAYED_CARD, 0))
    cursor.maybe(PlayerElement, _element(Element.ASKS_SPECIAL_BUILDING, 0))
    cursor.take(ClearOffer, lambda one: one.seat == -1)
    return Found(Kind.END_TURN)


def ask_special_building(cursor: Cursor) -> Found:
    """A request for special building."""
    sender = cursor.sender
    request = cursor.asks(BuildRequest)
    if request is not None and sender == cursor.current and request.piece != ASK_SPECIAL_BUILDING:
        raise NoMatch
    asks = cursor.take(PlayerElement, _element(Element.ASKS_SPECIAL_BUILDING, 1))
    if asks.seat == cursor.current:
        cursor.take(ClearOffer)
    return Found(Kind.ASK_SPECIAL_BUILDING, asks.seat)


def game_over(cursor: Cursor) -> Found:
    """The end of the game: cards, points, statistics."""
    if cursor.state != Phase.OVER:
        raise NoMatch
    while cursor.maybe(DevCardAction, lambda one: one.action == CardChange.ADD_OLD):
        pass
    cursor.take(GameStats)
    while cursor.maybe(PlayerStats):
        pass
    return Found(Kind.GAME_OVER, cursor.current)


# --- pieces -----------------------------------------------------------------------------------------------------------


def build_piece(cursor: Cursor) -> Found:
    """A piece: paid and placed, or placed for nothing."""
    if cursor.full and cursor.sees(BuildRequest, client=True):
        if cursor.sender != cursor.current:
            raise NoMatch
        cursor.asks(BuildRequest)
        cursor.take(PlayerElements, _loses)
        cursor.take(GameState)
        cursor.asks(PutPiece)
    else:
        cursor.asks(PutPiece)
        if cursor.state in _CALM:
            cursor.take(PlayerElements, _loses)
            cursor.maybe(GameState, lambda one: one.state in PLACING)
        elif cursor.state not in _WITHOUT_COST:
            raise NoMatch
    return _placed(cursor)


def _placed(cursor: Cursor) -> Found:
    """What comes from the payment on."""
    starting = cursor.state < Phase.ROLL_OR_CARD
    _before_piece(cursor)
    put = cursor.take(PutPiece)
    resources = _after_piece(cursor)
    if not (starting and cursor.sees(Turn)):
        _after_reveal(cursor)
    return Found(Kind.BUILD_PIECE, put.piece, put.place, put.seat or 0, resources)


def _before_piece(cursor: Cursor) -> None:
    while any(cursor.maybe(kind) for kind in (RevealFogHex, SVPTextMessage, PlayerElement, PieceValue)):
        pass


def _after_piece(cursor: Cursor) -> Bundle | None:
    """Take what may stand between a piece and the state, and return the resources that fog has brought."""
    gained = [0] * 5
    while True:
        news = cursor.maybe(PlayerElement, lambda one: one.news is True and one.change == Change.GAIN)
        if news is not None and 1 <= news.element <= len(TYPES):
            gained[news.element - 1] += news.amount
        elif not (
            cursor.maybe(SVPTextMessage)
            or cursor.maybe(PlayerElement, lambda one: one.element >= Element.SPECIAL_POINTS)
            or cursor.maybe(GameElements, _game_element(GameElement.LONGEST_ROUTE))
        ):
            return bundle(gained) if any(gained) else None


def _after_reveal(cursor: Cursor) -> None:
    """Take the state, or the end of the game; after gold, what is to be picked."""
    if cursor.over():
        return
    state = cursor.take(GameState)
    if state.state in (Phase.START_GOLD, Phase.GOLD):
        cursor.maybe(PlayerElement, _element(Element.GOLD_PICKS))
        cursor.maybe(SimpleRequest)
    cursor.maybe(RollDicePrompt)


def cancel_built_piece(cursor: Cursor) -> Found:
    """A settlement of the start is taken back, or a payment."""
    current = cursor.current
    paid = cursor.full and cursor.sees(BuildRequest, client=True)
    if paid:
        cursor.asks(BuildRequest)
    if paid or cursor.sees(PlayerElements, _loses):
        cursor.take(PlayerElements, _loses)
        cursor.take(GameState, lambda one: one.state in PLACING)
    request = cursor.asks(CancelBuildRequest)
    if cursor.state in PLACING:
        piece = int(PLACING[Phase(cursor.state)]) if request is None else request.piece
        cursor.take(PlayerElements, _gains)
    else:
        piece = cursor.take(CancelBuildRequest).piece
    cursor.take(GameState)
    return Found(Kind.CANCEL_BUILT_PIECE, piece, 0, current)


def move_piece(cursor: Cursor) -> Found:
    """A ship moves."""
    cursor.asks(MovePiece)
    _before_piece(cursor)
    moved = cursor.take(MovePiece)
    resources = _after_piece(cursor)
    if not cursor.over() and cursor.sees(GameState, lambda one: one.state == Phase.GOLD):
        _after_reveal(cursor)
    return Found(Kind.MOVE_PIECE, moved.piece, moved.origin, moved.target, resources)


def undo(cursor: Cursor) -> Found:
    """A piece is taken back, or a ship moved back, as newer servers have it."""
    if cursor.full and cursor.sees(UndoPutPiece, client=True):
        cursor.asks(UndoPutPiece)
    undone = cursor.take(UndoPutPiece)
    refund = cursor.maybe(PlayerElements, _gains)
    cursor.maybe(GameElements, _game_element(GameElement.LONGEST_ROUTE))
    cursor.maybe(GameState)
    first = None
    if refund is not None:
        amounts = dict(refund.elements)
        first = bundle([amounts.get(type + 1, 0) for type in TYPES])
    if undone.moved_from is None:
        return Found(Kind.UNDO_BUILD_PIECE, undone.piece, undone.place, 0, first)
    return Found(Kind.UNDO_MOVE_PIECE, undone.piece, undone.place, undone.moved_from, first)


# --- cards ------------------------------------------------------------------------------------------------------------


def buy_dev_card(cursor: Cursor) -> Found:
    """A card is bought."""
    cursor.asks(BuyDevCardRequest)
    cursor.take(PlayerElements, _loses)
    drawn = cursor.take(DevCardAction, lambda one: one.action == CardChange.DRAW)
    cards = [drawn.card or 0]
    other = cursor.maybe(DevCardAction, lambda one: one.action == CardChange.DRAW)
    if other is not None:
        cards.append(other.card or 0)
    left = cursor.take(SimpleAction)
    _calms(cursor)
    return Found(Kind.BUY_DEV_CARD, max(cards), left.value)


def play_dev_card(cursor: Cursor) -> Found:
    """A card is played, with what follows from it at once."""
    cursor.asks(PlayDevCardRequest)
    played = cursor.take(DevCardAction, lambda one: one.action == CardChange.PLAY)
    cursor.take(PlayerElement, _element(Element.HAS_PLAYED_CARD, 1))
    rest = _CARDS.get(played.card or 0)
    if rest is None:
        raise NoMatch
    return rest(cursor)


def _soldier(cursor: Cursor) -> Found:
    cursor.take(PlayerElement, _element(Element.SOLDIERS))
    cursor.maybe(GameElements, _game_element(GameElement.LARGEST_ARMY))
    cursor.take(GameState)
    return Found(Kind.PLAY_DEV_CARD, int(Card.SOLDIER))


def _discovery(cursor: Cursor) -> Found:
    cursor.take(GameState)
    cursor.asks(PickResources)
    picked = cursor.take(PickResources)
    _calms(cursor)
    return Found(Kind.PLAY_DEV_CARD, int(Card.DISCOVERY), first=picked.resources)


def _monopoly(cursor: Cursor) -> Found:
    cursor.take(GameState)
    cursor.asks(PickResourceType)
    while cursor.maybe(PlayerElement, lambda one: one.change == Change.SET):
        cursor.take(ResourceCount)
    gained = cursor.take(PlayerElement, lambda one: one.change == Change.GAIN)
    cursor.take(SimpleAction)
    _calms(cursor)
    first = single(gained.element, gained.amount) if gained.amount else None
    return Found(Kind.PLAY_DEV_CARD, int(Card.MONOPOLY), first=first)


def _road_building(cursor: Cursor) -> Found:
    places: list[int] = []
    state = cursor.take(GameState, lambda one: one.state in FREE_ROADS).state
    while state in FREE_ROADS and not _ends_early(cursor, state):
        put = _free_road(cursor)
        if put is None:
            break
        places.append(-put.place if put.piece == Piece.SHIP else put.place)
        state = cursor.state
    places += [NOT_PLACED] * (2 - len(places))
    return Found(Kind.PLAY_DEV_CARD, int(Card.ROADS), places[0], places[1])


def _ends_early(cursor: Cursor, state: int) -> bool:
    """Whether the card is cancelled, or the turn ends: that is left for the next action."""
    if cursor.sees(EndTurn, client=True) or cursor.sees(ClearOffer) or cursor.peek() is None:
        return True
    if cursor.full:
        if not cursor.sees(CancelBuildRequest, client=True):
            return False
        cursor.asks(CancelBuildRequest)
    begin, memory = cursor.at, cursor.memory()
    if cursor.maybe(DevCardAction, lambda one: one.action == CardChange.ADD_OLD):
        cursor.take(PlayerElement, _element(Element.HAS_PLAYED_CARD, 0))
        if cursor.sees(ClearOffer):
            cursor.back(begin, memory)
            return True
        _calms(cursor)
        return True
    if cursor.sees(GameState):
        _calms(cursor)
        return True
    return False


def _free_road(cursor: Cursor) -> PutPiece | None:
    if cursor.full and not cursor.sees(PutPiece, client=True):
        return None
    cursor.asks(PutPiece)
    _before_piece(cursor)
    put = cursor.take(PutPiece)
    _after_piece(cursor)
    _after_reveal(cursor)
    return put


_CARDS: Final[Mapping[int, Sequence]] = {
    int(Card.SOLDIER): _soldier,
    int(Card.DISCOVERY): _discovery,
    int(Card.MONOPOLY): _monopoly,
    int(Card.ROADS): _road_building,
}


# --- resources and robbery --------------------------------------------------------------------------------------------


def discard(cursor: Cursor) -> Found:
    """A player discards."""
    cursor.asks(Discard)
    shown = cursor.take(Discard)
    other = cursor.maybe(Discard)
    known = shown if not shown.resources[5] or other is None else other
    cursor.take(GameState)
    return Found(Kind.DISCARD, known.seat or 0, first=known.resources)


def choose_free_resources(cursor: Cursor) -> Found:
    """A player picks resources from gold."""
    cursor.asks(PickResources)
    picked = cursor.take(PickResources, lambda one: one.reason in (None, PICKED_FROM_GOLD))
    cursor.take(PlayerElement, _element(Element.GOLD_PICKS, 0))
    if not cursor.sees(Turn):
        _calms(cursor)
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
    """Robber or pirate moves; if somebody is robbed, that is the next action."""
    cursor.asks(MoveRobber)
    moved = cursor.take(MoveRobber)
    if not cursor.sees(RobberyResult):
        _calms(cursor)
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
        known = min(one for one in (known, other.resource) if one is not None)
    _calms(cursor)
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
    PieceValue: (move_piece,),
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
"""By the first message, the sequences that may follow, in the order in which they are tried."""

_CLIENT: Final[frozenset[type[Message]]] = frozenset({
    RollDice, PutPiece, BuildRequest, CancelBuildRequest, MovePiece, BuyDevCardRequest, PlayDevCardRequest, Discard,
    PickResources, ChoosePlayer, MoveRobber, BankTrade, MakeOffer, ClearOffer, RejectOffer, AcceptOffer, EndTurn,
    UndoPutPiece,
})  # fmt: skip
_FULL: Final[frozenset[type[Message]]] = frozenset(
    {Turn, ChoosePlayerRequest, ChoosePlayer, RobberyResult, GameStats, DevCardAction}
)
_VIEW: Final[frozenset[type[Message]]] = frozenset({
    DiceResult, PutPiece, RevealFogHex, CancelBuildRequest, PlayerElement, PlayerElements, MovePiece, DevCardAction,
    Discard, PickResources, GameState, MoveRobber, ChoosePlayerRequest, ChoosePlayer, RobberyResult, BankTrade,
    MakeOffer, ClearOffer, RejectOffer, AcceptOffer, Turn, GameStats, UndoPutPiece,
})  # fmt: skip

STARTS: Final[Mapping[bool, Mapping[bool, frozenset[type[Message]]]]] = {
    True: {True: _CLIENT, False: _FULL},
    False: {True: frozenset(), False: _VIEW},
}
"""With what an action can begin: in a full log or not, and whether a client or the server says it."""
