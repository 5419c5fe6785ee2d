"""What the settler does where it would be stuck otherwise: it sails to villages, and saves for no road to nowhere."""

import random
from typing import Any

from game_masters.catan import FOUR
from game_masters.catan.message.message import Message
from game_masters.catan.message.messages import BankTrade, PutPiece
from game_masters.catan.message.vocabulary import Piece
from tests.game_masters.catan.handlers.test_ending import IN_CLOTH_TRADE, STUCK
from tests.game_masters.catan.scene import Scene


def moves(scene: Scene, seat: int) -> Message:
    """Let the settler move for a seat, and return its move."""
    move: Message = FOUR.bot("settler").choose(scene.state.view(seat), random.Random(0))
    scene.state.apply(seat, move)
    return move


def test_it_builds_ships_to_a_village_and_gets_cloth() -> None:
    seats: list[dict[str, Any]] = [{}, {}, {}, {"settlements": ["605"], "hand": [0, 0, 2, 0, 2]}]
    scene = Scene({"turn": 3, "state": 20, "seats": seats}, {"SC": "SC_CLVI"})
    for _ in range(2):
        move = moves(scene, 3)
        assert isinstance(move, PutPiece)
        assert move.piece == Piece.SHIP
    assert scene.play.seats[3].scenario.cloth == 1


def test_it_trades_for_a_card_where_no_road_leads_to_a_place_to_settle() -> None:
    stuck = [*STUCK[:2], {**STUCK[2], "hand": [2, 0, 8, 0, 2]}, STUCK[3]]
    scene = Scene({"turn": 2, "state": 20, "seats": stuck}, IN_CLOTH_TRADE)
    assert isinstance(moves(scene, 2), BankTrade)


def test_it_keeps_a_card_for_roads_where_no_road_leads_anywhere() -> None:
    stuck = [*STUCK[:2], {**STUCK[2], "cards": ["ROADS"], "hand": [0, 0, 0, 0, 0]}, STUCK[3]]
    scene = Scene({"turn": 2, "state": 20, "seats": stuck}, IN_CLOTH_TRADE)
    moves(scene, 2)
    assert scene.play.seats[2].inventory.cards.count(1) == 1, "the card is kept"
