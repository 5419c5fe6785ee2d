"""Makes the view of a seat out of the game."""

from collections.abc import Sequence
from typing import TypeAlias

from game_masters.catan.game.play import Play
from game_masters.catan.handlers.legal import May
from game_masters.catan.handlers.requests import waiting
from game_masters.catan.views.view import BoardView, OfferView, SeatView, View, VillageView, seat_view

Seats: TypeAlias = dict[tuple[int, bool, bool], SeatView]
"""Seats as they were shown since the last change: number, whether the hand is known, whether the cards are."""


def show(play: Play, board: BoardView, seats: Seats, seat: int | None, since: int, may: Sequence[May]) -> View:
    """Return what a seat may see (None: everybody), with the events from number ``since`` on. ``seats`` are taken from
    there, and put there."""

    def shown(number: int) -> SeatView:
        hand_known = variant.open or number == seat
        cards_known = variant.cards_open or number == seat or over
        key = number, hand_known, cards_known
        if key not in seats:
            seats[key] = seat_view(play, number, hand_known=hand_known, cards_known=cards_known)
        return seats[key]

    variant = play.variant
    asked = tuple(waiting(play))
    over = play.termination is not None
    return View(
        play.game,
        since,
        int(play.phase),
        play.current,
        asked[:1] if variant.open else asked,
        seat,
        play.dice,
        play.doings.rolled,
        play.round,
        play.board.robber,
        play.board.pirate,
        len(play.deck),
        play.longest,
        play.army,
        variant.to_win,
        play.winners,
        tuple(play.stock) if play.stock is not None else None,
        board,
        tuple(VillageView(one.node, one.number, one.cloth, one.traders) for one in play.board.villages.values()),
        play.board.supply,
        tuple(map(shown, range(len(play.seats)))),
        tuple(
            OfferView(number, offer.flags, tuple(sorted(offer.to)), offer.give, offer.get)
            for number, offer in sorted(play.offers.items())
        ),
        tuple(may),
        tuple(play.heard(seat, since)),
        () if seat is None else tuple(sorted(play.seats[seat].no)),
    )  # fmt: skip
