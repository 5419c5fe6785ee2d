"""Computer players of Titan: what they expect, and that the better one wins."""

import pytest

from game_masters.titan.bots import BOTS
from game_masters.titan.bots.match import play
from game_masters.titan.bots.odds import strength, worth
from game_masters.titan.creatures import UNKNOWN
from tests.game_masters.titan.table import House, legion
from tests.profile import sized

CAPTAIN, RANDOM = BOTS


def test_a_creature_is_worth_more_the_better_it_fights() -> None:
    assert worth("Ogre", 0, 3) < worth("Warlock", 0, 3) < worth("Serpent", 0, 3)
    assert worth("Titan", 0, 3) < worth("Titan", 400, 3), "a Titan grows with the score"
    assert worth(UNKNOWN, 0, 1) < worth(UNKNOWN, 0, 30), "late in a game legions are better"


def test_a_larger_legion_is_stronger_than_its_part() -> None:
    house = House(legion(0, 1, "41", "Titan Ogre Ogre Ogre"), legion(1, 1, "11", "Titan Ogre"))
    mine, other = house.position.legions["Rd01"], house.position.legions["Bu01"]
    assert strength(house.position, mine) > 1.5 * strength(house.position, other)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_captain_beats_who_plays_anything(seat: int) -> None:
    bots = [RANDOM, RANDOM]
    bots[seat] = CAPTAIN
    games = sized(quick=20, deep=100)
    won = sum(play(bots, f"captain {number}").winner == seat for number in range(games))
    assert won >= 0.9 * games


def test_the_same_seed_gives_the_same_game() -> None:
    first, second = (play([CAPTAIN, RANDOM], "again") for _ in range(2))
    assert (first.winner, first.requests, first.turns) == (second.winner, second.requests, second.turns)
