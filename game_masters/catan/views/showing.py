"""Makes the view of a seat out of the game."""

from collections.abc import Sequence
from typing import TypeAlias

from game_masters.catan.game.may import May
from game_masters.catan.game.play import Play
from game_masters.catan.handlers.requests import waiting
from game_masters.catan.views.view import BoardView, OfferView, SeatView, TableView, View, VillageView, seat_view

Seats: TypeAlias = dict[tuple[int, bool, bool], SeatView]
"""Seats as they were shown since the last change: number, whether the hand is known, whether the cards are."""


def show(play: Play, board: BoardView, seats: Seats, seat: int | None, since: int, may: Sequence[May]) -> View:
    """Return what a seat may see (None: a spectator), with the events from number ``since`` on. ``seats`` are taken
    from there, and put there."""

    def shown(number: int) -> SeatView:
        hand_known = variant.open or number == seat
        cards_known = variant.cards_open or number == seat or over
        key = number, hand_known, cards_known
        if key not in seats:
            seats[key] = seat_view(play, number, hand_known=hand_known, cards_known=cards_known)
        return seats[key]

    variant = play.variant
    asked = tuple(waiting(play))
    over = play.ending is not None
    return View(
        play.game,
        since,
        int(play.phase),
        play.current,
        asked[:1] if variant.open else asked,
        seat,
        _table(play, board, tuple(map(shown, range(len(play.seats))))),
        tuple(may),
        tuple(play.received(seat, since)),
        () if seat is None else tuple(sorted(play.seats[seat].no)),
    )


def _table(play: Play, board: BoardView, seats: tuple[SeatView, ...]) -> TableView:
    """Return the table, with its seats as they are shown."""
    trade, stock = play.board.cloth_trade, play.stock
    return TableView(
        play.chance.dice,
        play.doings.rolled,
        play.rounds.number,
        play.board.robber,
        play.board.pirate,
        len(play.chance.deck),
        play.awards.route,
        play.awards.army,
        play.variant.to_win,
        play.ending.winners if play.ending is not None else (),
        tuple(stock) if stock is not None else None,
        board,
        tuple(VillageView(one.node, one.number, one.cloth, one.traders) for one in trade.villages.values()),
        trade.supply,
        seats,
        tuple(
            OfferView(number, offer.flags, tuple(sorted(offer.to)), offer.give, offer.get)
            for number, offer in sorted(play.trading.offers.items())
        ),
    )
