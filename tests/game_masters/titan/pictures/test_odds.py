"""The odds of strikes, and why."""

from fractions import Fraction
from itertools import product

import pytest

from game_masters.titan import requests as ask
from game_masters.titan.pictures.odds import at_least, mustered, of_strike, percent
from game_masters.titan.position import Position
from tests.game_masters.titan.table import House, legion


@pytest.mark.parametrize(("needed", "dice", "number"), [(0, 3, 4), (1, 3, 4), (2, 4, 3), (4, 4, 6), (5, 4, 2)])
def test_the_chance_is_that_of_all_throws_counted(needed: int, dice: int, number: int) -> None:
    throws = list(product(range(1, 7), repeat=dice))
    kills = sum(sum(one >= number for one in throw) >= needed for throw in throws)
    assert at_least(needed, dice, number) == pytest.approx(float(Fraction(kills, len(throws))))


@pytest.mark.parametrize(
    ("chance", "told"),
    [(0, "0 %"), (1, "100 %"), (0.0001, "under 1 %"), (0.9999, "over 99 %"), (0.5, "50 %"), (0.126, "13 %")],
)
def test_only_what_is_certain_is_said_to_be(chance: float, told: str) -> None:
    assert percent(chance) == told


def fought() -> Position:
    """Ann's Titan stands beside Bob's in the Tower."""
    house = House(legion(0, 1, "101", "Titan Ogre"), legion(1, 1, "100", "Titan Ogre"), dice=[1])
    house.does("<roll/>", '<move legion="Rd01" hex="100"/>', '<engage hex="100"/>')
    house.fights()
    house.does('<enter creature="Titan" hex="D4"/>')
    return house.position


def test_a_strike_that_cannot_be_looked_up_has_no_odds() -> None:
    assert of_strike(fought(), ask.Strike("D4", "D5", 6, 4)) == ""
    assert of_strike(fought(), ask.Strike("A1", "D4", 6, 4)) == ""
    assert of_strike(fought(), ask.Strike("D4", "D4")) == ""


def test_a_strike_says_its_odds_and_its_reasons() -> None:
    told = of_strike(fought(), ask.Strike("D4", "D4", 6, 4))
    assert told.startswith("2 % to kill, 3.0 hits on average (power 6, skill 4 against 4")


def test_what_a_full_or_unknown_legion_musters_is_nothing() -> None:
    full = House(legion(0, 1, "41", "Titan" + " Ogre" * 6), legion(1, 1, "11", "Titan Ogre")).position
    assert mustered(full, "Rd01", "4") == ()
    assert mustered(full, "Gd09", "4") == ()
    few = House(legion(0, 1, "41", "Titan Ogre Ogre Ogre"), legion(1, 1, "11", "Titan Ogre")).position
    assert mustered(few, "Rd01", "4") == ["Minotaur", "Ogre"]
    assert mustered(few, "Rd01", "nowhere") == ()
