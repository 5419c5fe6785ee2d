"""What a seat may do now, in short, and all the moves that this stands for.

:func:`moves` lists them for a seat from its :class:`May`, which travels in each state. The
list has every move, but of three large kinds only examples: trades with the bank of one resource for
one other, offers of what a player has for what it lacks, and where there are more than :data:`MAX_DISCARDS` ways to
discard, those that give up whole resources first. The rules accept others as well.
"""

from collections.abc import Iterator, Sequence
from itertools import islice, permutations
from typing import Final

from game_masters.catan.game.may import May, Places, Trades
from game_masters.catan.game.play import Play
from game_masters.catan.handlers.building import MAX_TAKEN_BACK
from game_masters.catan.handlers.cards import cannot_play, picks_due
from game_masters.catan.handlers.places import movable_ships, piece_places, ship_targets
from game_masters.catan.handlers.requests import waiting
from game_masters.catan.handlers.robber import choices as choices_now
from game_masters.catan.handlers.robber import targets
from game_masters.catan.handlers.trading import (
    BANK_RATIO,
    MAX_OFFERS,
    OWN_PORT_RATIO,
    PORT_RATIO,
    cannot_accept,
    offers_to,
    port_types,
)
from game_masters.catan.handlers.turns import may_ask
from game_masters.catan.message.bundles import CARD_COST, COSTS, TYPES, Bundle, bundle, choices, covers, single
from game_masters.catan.message.message import Message
from game_masters.catan.message.messages import (
    AcceptOffer,
    BankTrade,
    BuildRequest,
    BuyDevCardRequest,
    CancelBuildRequest,
    ChoosePlayer,
    ClearOffer,
    Discard,
    EndTurn,
    MakeOffer,
    MovePiece,
    MoveRobber,
    PickResources,
    PickResourceType,
    PlayDevCardRequest,
    PutPiece,
    RejectOffer,
    RollDice,
)
from game_masters.catan.message.standing import Standing
from game_masters.catan.message.vocabulary import (
    ASK_SPECIAL_BUILDING,
    FREE_ROADS,
    PLACING,
    START_ROAD,
    START_SETTLEMENT,
    Phase,
    Piece,
)

_BY_NUMBER: Final = (Piece.ROAD, Piece.SETTLEMENT, Piece.CITY, Piece.SHIP)
MAX_DISCARDS = 60
MANY = 3
"""A player with this number of a resource may also offer two of it for one."""


def may(play: Play, seat: int) -> May | None:
    """Return what a seat may do now; None if nothing is due from it."""
    if seat not in waiting(play):
        return None
    if play.trading.polled:
        return _answers(play, seat)
    if play.special_building.polled:
        return May(seat, end=True, requests=(ASK_SPECIAL_BUILDING,))
    one, phase = play.seats[seat], play.phase
    if phase is Phase.DISCARDS:
        return May(seat, discard=one.discards)
    if phase in (Phase.GOLD, Phase.START_GOLD, Phase.DISCOVERY):
        # Discovery and gold are answered with the same message.
        return May(seat, pick=picks_due(play, seat))
    if phase is Phase.MONOPOLY:
        return May(seat, monopoly=True)
    if phase in (Phase.PLACING_ROBBER, Phase.PLACING_PIRATE):
        return May(seat, robber=tuple(targets(play)))
    if phase in (Phase.ROBBER_OR_PIRATE, Phase.CHOOSE_VICTIM, Phase.CLOTH_OR_RESOURCE):
        return May(seat, choices=tuple(choices_now(play)))
    if phase in START_SETTLEMENT:
        return May(seat, places=Places(settlements=_places(play, seat, Piece.SETTLEMENT)))
    if phase in START_ROAD:
        back: tuple[int, ...] = (int(Piece.SETTLEMENT),) if play.doings.taken_back < MAX_TAKEN_BACK else ()
        return _with_places(play, seat, (Piece.ROAD, Piece.SHIP), cancels=back)
    if phase in FREE_ROADS:
        back = (int(Piece.ROAD), int(Piece.SHIP))
        # Free roads may be given up only once the dice are rolled; before, the turn must go on.
        return _with_places(play, seat, (Piece.ROAD, Piece.SHIP), cancels=back, end=play.doings.rolled)
    if phase in PLACING:
        return _with_places(play, seat, (PLACING[phase],), cancels=(int(PLACING[phase]),))
    return _in_turn(play, seat)


def _answers(play: Play, seat: int) -> May:
    accept = tuple(other for other in offers_to(play, seat) if cannot_accept(play, seat, other) is None)
    # A counteroffer is an answer; with nothing in hand there is none to make.
    offer = (play.current,) if play.seats[seat].total else ()
    return May(seat, trades=Trades(offer=offer, accept=accept, reject=True))


def _in_turn(play: Play, seat: int) -> May:
    one, phase = play.seats[seat], play.phase
    plays = tuple(sorted(card for card in set(one.inventory.old) if cannot_play(play, seat, card) is None))
    if phase is Phase.ROLL_OR_CARD:
        asks = (ASK_SPECIAL_BUILDING,) if may_ask(play, seat) is None else ()
        return May(seat, roll=True, plays=plays, requests=asks)
    # Only what can be paid is listed; places cost time to find.
    places = {piece: _places(play, seat, piece) if covers(one.hand, cost) else () for piece, cost in COSTS.items()}
    paid = tuple(sorted(int(piece) for piece, found in places.items() if found))
    requests = paid if play.doings.taken_back < MAX_TAKEN_BACK else ()
    buy = bool(play.chance.deck) and covers(one.hand, CARD_COST)
    free = Places(*[places[piece] for piece in _BY_NUMBER])
    if phase is Phase.SPECIAL_BUILDING:
        return May(seat, end=True, buy=buy, places=free, requests=requests)
    moves: tuple[tuple[int, int], ...] = ()
    if one.pieces.ships and not play.doings.ship_moved:
        moves = tuple((ship, target) for ship in movable_ships(play, seat) for target in ship_targets(play, seat, ship))
    return May(
        seat, end=True, buy=buy, plays=plays, places=free, requests=requests, moves=moves, trades=_trades_of(play, seat)
    )


def _trades_of(play: Play, seat: int) -> Trades:
    """Return what a seat may trade in its turn."""
    one, last = play.seats[seat], play.doings.bank_trade
    undo = None
    if last is not None and covers(one.hand, last[1]) and play.doings.taken_back < MAX_TAKEN_BACK:
        undo = (last[1], last[0])
    allowed = "NT" not in play.variant.on
    answers = offers_to(play, seat) if allowed and play.trading.offers else []
    return Trades(
        bank=True, ports=tuple(sorted(port_types(play, seat))), undo=undo,
        offer=tuple(play.around(seat)) if allowed and play.doings.offers < MAX_OFFERS and one.total else (),
        accept=tuple(other for other in answers if cannot_accept(play, seat, other) is None),
        reject=bool(answers), clear=seat in play.trading.offers,
    )  # fmt: skip


def _places(play: Play, seat: int, piece: Piece) -> tuple[int, ...]:
    return tuple(piece_places(play, seat, piece))


def _with_places(
    play: Play, seat: int, pieces: Sequence[Piece], cancels: tuple[int, ...] = (), end: bool = False
) -> May:
    places = Places(*[_places(play, seat, piece) if piece in pieces else () for piece in _BY_NUMBER])
    return May(seat, end=end, cancels=cancels, places=places)


# --- the moves that it stands for -------------------------------------------------------------------------------------


def moves(what: May, hand: Sequence[int], stock: Sequence[int] | None, seats: int) -> list[Message]:
    """Return the moves of a seat, with its ``hand``, in a game of ``seats`` seats. ``stock`` is what the bank has;
    None: enough."""
    return list(_moves(what, hand, stock, seats))


def _moves(what: May, hand: Sequence[int], stock: Sequence[int] | None, seats: int) -> Iterator[Message]:
    if what.roll:
        yield RollDice()
    for card in what.plays:
        yield PlayDevCardRequest(card)
    for piece, found in enumerate(what.places):
        for place in found:
            yield PutPiece(None, piece, place)
    for piece in what.requests:
        yield BuildRequest(piece)
    for piece in what.cancels:
        yield CancelBuildRequest(piece)
    for origin, target in what.moves:
        yield MovePiece(None, int(Piece.SHIP), origin, target)
    for place in what.robber:
        yield MoveRobber(None, place)
    for choice in what.choices:
        yield ChoosePlayer(choice)
    if what.discard:
        for resources in discards(hand, what.discard):
            yield Discard(None, resources)
    if what.pick:
        # The bank's stock bounds Discovery and gold; without a limit the picks themselves do.
        available = [what.pick] * 5 if stock is None else stock
        for resources in choices(available, what.pick):
            yield PickResources(resources)
    if what.monopoly:
        for resource in range(1, 6):
            yield PickResourceType(resource)
    if what.buy:
        yield BuyDevCardRequest()
    yield from _trades(what.trades, hand, stock, seats)
    if what.end:
        yield EndTurn()


def _trades(what: Trades, hand: Sequence[int], stock: Sequence[int] | None, seats: int) -> Iterator[Message]:
    for offering in what.accept:
        yield AcceptOffer(None, offering)
    if what.reject:
        yield RejectOffer(None)
    if what.clear:
        yield ClearOffer(None)
    if what.undo is not None:
        yield BankTrade(*what.undo)
    if what.bank:
        for type in TYPES:
            for ratio in ratios(what.ports, type):
                if hand[type] < ratio:
                    continue
                for other in TYPES:
                    trade = BankTrade(single(type + 1, ratio), single(other + 1))
                    # An exchange that is the undo has been listed above.
                    if other != type and (stock is None or stock[other]) and (trade.give, trade.get) != what.undo:
                        yield trade
    if what.offer:
        to = tuple(number in what.offer for number in range(seats))
        for type in TYPES:
            for given in (1, 2) if hand[type] >= MANY else (1,) if hand[type] else ():
                for other in TYPES:
                    # Offers are listed for what a player lacks; any other may be made as well.
                    if not hand[other]:
                        yield MakeOffer(None, to, single(type + 1, given), single(other + 1))


def discards(hand: Sequence[int], amount: int) -> list[Bundle]:
    """Return ways to discard: all, or where these are too many, those that give up whole resources one after
    another."""
    found = list(islice(choices(hand, amount), MAX_DISCARDS + 1))
    if len(found) <= MAX_DISCARDS:
        return found
    some: dict[Bundle, None] = {}
    for order in permutations(TYPES):
        counts, left = [0] * 5, amount
        for type in order:
            counts[type] = min(hand[type], left)
            left -= counts[type]
        some[bundle(counts)] = None
    return list(some)


def is_open(move: Message) -> bool:
    """Whether the list has only examples of moves like this one."""
    if isinstance(move, Standing):
        return True
    if isinstance(move, BankTrade):
        return sum(map(bool, move.give)) + sum(map(bool, move.get)) > 2 or sum(move.get) > 1
    if isinstance(move, AcceptOffer):
        return bool(move.to_accepting)  # it may repeat the offer that is meant
    return isinstance(move, MakeOffer | Discard)


def ratios(ports: Sequence[int], type: int) -> list[int]:
    """Return how many of a resource, by its place in a bundle, the bank takes for one of another."""
    found = [BANK_RATIO]
    if 0 in ports:
        found.append(PORT_RATIO)
    if type + 1 in ports:
        found.append(OWN_PORT_RATIO)
    return found
