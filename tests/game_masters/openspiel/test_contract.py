"""The games of OpenSpiel keep the promises of the kit: a dozen of them in every run, all in a deep one."""

from typing import Final

import pytest

pytest.importorskip("pyspiel")

from game_masters.kit import check, check_led, check_pictures, check_questions, contract
from game_masters.kit.check import CONTRACT
from game_masters.openspiel import COLLECTION
from tests.profile import sized

QUICK: Final = (
    "breakthrough", "connect_four", "hearts", "hex(board_size=4)", "kuhn_poker", "leduc_poker", "liars_dice",
    "mancala", "matrix_rps", "nim", "phantom_ttt", "tic_tac_toe", "universal_poker",
)  # fmt: skip
"""Boards, cards, dice, choices at one time; open and hidden, with two players and with four."""
GAMES: Final = sized(quick=QUICK, deep=(*COLLECTION.names(), "goofspiel(imp_info=True)", "hex(board_size=4)"))


@pytest.fixture(autouse=True)
def _sized_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    """There are many games, and they differ less than others do: all of them share their rules and notation."""
    for module, name, quick, deep in (
        (contract, "MAX_NUMBERS", 2, 3),
        (contract, "MAX_COMBINATIONS", 4, 16),
        (check, "SAMPLED_EVERY", 61, 41),
        (check, "SHOWN_FIRST", 10, 60),
        (check, "SHOWN_EVERY", 17, 7),
        (check_led, "MAX_REHEARSAL", 6, 12),
        (check_led, "MAX_RESTORATIONS", 2, 3),
        (check_questions, "WALKS", 1, 2),
        (check_questions, "MAX_WALK", 40, 60),
        (check_questions, "FOLLOWED", 12, 30),
        (check_pictures, "PICTURES_SAMPLED_EVERY", 19, 17),
        (check_pictures, "DRAWN_EVERY", 9, 5),
        (check_pictures, "MAX_WALK", 40, 60),
        (check_pictures, "MAX_AT_THE_ENDS", 3, 8),
    ):
        assert hasattr(module, name)
        monkeypatch.setattr(module, name, sized(quick=quick, deep=deep))


@pytest.mark.parametrize("name", GAMES)
def test_a_game_keeps_its_promises(name: str) -> None:
    game = COLLECTION.game(name)
    for promise in CONTRACT:
        promise(game)
