"""The games of OpenSpiel keep the promises of the kit: ten of them in every run, all in a deep one."""

from collections.abc import Mapping, Sequence
from typing import Final

import pytest

pytest.importorskip("pyspiel")

from game_masters.kit import check, check_led, check_pictures, check_questions, contract
from game_masters.kit.check import CONTRACT
from game_masters.openspiel import COLLECTION
from tests.profile import sized

QUICK: Final = (
    "breakthrough(rows=5,columns=3)", "connect_four", "euchre", "hex(board_size=4)", "kuhn_poker", "liars_dice",
    "mancala", "matrix_rps", "phantom_ttt", "universal_poker",
)  # fmt: skip
"""Boards, cards, dice, choices at one time; open and hidden, with two players and with four."""
GAMES: Final = sized(quick=QUICK, deep=(*COLLECTION.names(), "hex(board_size=4)"))

_QUESTIONS: Final = check_questions.questions_reveal_no_secret.__name__
_RESAMPLED: Final = (check.keeps_secrets.__name__, _QUESTIONS)
EXEMPT: Final[Mapping[str, Sequence[str]]] = {
    "bridge_uncontested_bidding": _RESAMPLED,
    "negotiation": _RESAMPLED,
    "tarok": _RESAMPLED,
    "coordinated_mp": (_QUESTIONS,),
}
"""Promises that cannot be tried: the first three deal by a seed of their own, so nothing of it can be dealt again, and
the last is over with the first move after which something is hidden. What a seat is shown of them is made of nothing
but its own observation and information state, as in all other games."""


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
        (check_questions, "WALKS", 1, 4),
        (check_questions, "FORKED_EVERY", 1, 1),
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
        if promise.__name__ not in EXEMPT.get(name, ()):
            promise(game)
