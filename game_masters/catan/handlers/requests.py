"""Which request is checked and carried out by what, and who may make one now."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from game_masters.catan.game.play import Play
from game_masters.catan.handlers import building, cards, robber, rolling, trading, turns
from game_masters.catan.handlers.declining import Declined, decline, not_your_turn
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
    named_sender,
)
from game_masters.catan.message.vocabulary import Phase


class Rule(NamedTuple):
    """How a request is judged and carried out: ``check`` raises Declined and changes nothing."""

    check: Callable[[Play, int, Any], None]
    do: Callable[[Play, int, Any], None]


RULES: Final[Mapping[type[Message], Rule]] = {
    RollDice: Rule(rolling.check_roll, rolling.roll),
    EndTurn: Rule(turns.check_end, turns.end_turn),
    PutPiece: Rule(building.check_put, building.put),
    BuildRequest: Rule(building.check_request, building.request),
    CancelBuildRequest: Rule(building.check_cancel, building.cancel),
    MovePiece: Rule(building.check_move, building.move_ship),
    BuyDevCardRequest: Rule(cards.check_buy, cards.buy),
    PlayDevCardRequest: Rule(cards.check_card, cards.play_card),
    PickResources: Rule(cards.check_pick, cards.pick),
    PickResourceType: Rule(cards.check_monopoly, cards.monopolize),
    Discard: Rule(robber.check_discard, robber.discard),
    ChoosePlayer: Rule(robber.check_choice, robber.choose),
    MoveRobber: Rule(robber.check_robber, robber.move_robber),
    BankTrade: Rule(trading.check_bank, trading.trade_with_bank),
    MakeOffer: Rule(trading.check_offer, trading.make_offer),
    ClearOffer: Rule(trading.check_clear, trading.clear_offer),
    RejectOffer: Rule(trading.check_reject, trading.reject_offer),
    AcceptOffer: Rule(trading.check_accept, trading.accept_offer),
}
"""Every request that there is."""

_IN_POLL: Final = frozenset({MakeOffer, RejectOffer, AcceptOffer})
_IN_SPECIAL_POLL: Final = frozenset({EndTurn, BuildRequest})


def waiting(play: Play) -> list[int]:
    """Return the seats that have to do something, the current player first, then those after it."""
    if play.phase is Phase.OVER:
        return []
    if play.trading.polled or play.special_building.polled:
        order = [play.current, *play.around(play.current)]
        return [seat for seat in order if seat in play.trading.polled or seat in play.special_building.polled]
    if play.phase is Phase.DISCARDS:
        # What several players owe is asked from the seat after the current player on.
        order = [*play.around(play.current), play.current]
        return [seat for seat in order if play.seats[seat].discards]
    if play.phase in (Phase.GOLD, Phase.START_GOLD):
        order = [*play.around(play.current), play.current]
        return [seat for seat in order if play.seats[seat].gold]
    return [play.current]


def check(play: Play, seat: int, request: Message) -> None:
    """Check a request. Raises Declined, and has changed nothing in any case."""
    try:
        if play.phase is Phase.OVER:
            raise decline("the game is over")
        # Messages of JSettlers may name their sender; another seat's number is a mistake or a trick.
        sender = named_sender(request)
        if sender is not None and sender != seat:
            raise decline(f"you have seat {seat}, not {sender}", unknown=seat != play.current)
        RULES[type(request)].check(play, seat, request)
        # After the check of the request itself: that gives the better reason.
        _check_poll(play, seat, request)
    except Declined as refusal:
        refusal.request = request
        raise


def _check_poll(play: Play, seat: int, request: Message) -> None:
    """While others are asked, only they may answer, and only that, however legal it would be otherwise."""
    polled = play.trading.polled + play.special_building.polled
    if not polled:
        return
    if seat not in polled:
        raise decline("the others are asked first") if seat == play.current else not_your_turn(play)
    if type(request) not in (_IN_POLL if play.trading.polled else _IN_SPECIAL_POLL):
        raise not_your_turn(play)


def carry_out(play: Play, seat: int, request: Message) -> None:
    """Carry out a request that has been checked."""
    RULES[type(request)].do(play, seat, request)
