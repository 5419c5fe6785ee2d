"""Games that are given as environments of PettingZoo keep the promises of the kit, as far as these can be tried."""

import sys
from typing import Final

import pytest

pytest.importorskip("pettingzoo")

from game_masters.kit import check, check_led, check_questions
from game_masters.kit.check import CONTRACT
from game_masters.pettingzoo import COLLECTION
from tests.game_masters.pettingzoo import guessed_number, hidden_signs
from tests.profile import sized

GAMES: Final = ("guessed_number", "hidden_signs")
NOT_TRIED: Final = (check.keeps_secrets.__name__, check_questions.questions_reveal_no_secret.__name__)
"""They deal again what is hidden from a seat, for which environments have no word; test_rules.py looks for secrets in
what each seat is shown."""


QUICK: Final = (
    "declares_itself_well", "ends_with_a_proper_outcome", "refuses_illegal_moves", "repeats_itself", "fits_its_schema",
    "survives_departures", "sketches_every_position", "sketches_offer_legal_moves", "goes_on_from_any_point",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (guessed_number, hidden_signs):
        monkeypatch.setitem(sys.modules, module.__name__.rpartition(".")[2], module)


@pytest.fixture(autouse=True)
def _sized_walks(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, quick, deep in (
        (check, "SAMPLED_EVERY", 31, 1),
        (check_led, "MAX_REHEARSAL", 6, 12),
        (check_led, "MAX_RESTORATIONS", 2, 3),
    ):
        assert hasattr(module, name)
        monkeypatch.setattr(module, name, sized(quick=quick, deep=deep))


@pytest.mark.parametrize("name", GAMES)
def test_a_game_keeps_its_promises(name: str) -> None:
    game = COLLECTION.game(name)
    for promise in CONTRACT:
        if promise.__name__ in sized(quick=QUICK, deep=(promise.__name__,)) and promise.__name__ not in NOT_TRIED:
            promise(game)


@pytest.mark.parametrize("name", sized(quick=COLLECTION.names()[-1:], deep=COLLECTION.names()))
def test_a_classic_game_is_played_to_its_end(name: str) -> None:
    """Where pygame is installed: all classic games import it."""
    check.ends_with_a_proper_outcome(COLLECTION.game(name))
