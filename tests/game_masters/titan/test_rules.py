"""Set-up, splits, musters."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_masters.kit.rules import Outcome, Table
from game_masters.titan import GAME
from game_masters.titan import requests as ask
from game_masters.titan.creatures import KINDS
from game_masters.titan.defaults import default
from game_masters.titan.mustering import musters
from game_masters.titan.notation import read_move
from game_masters.titan.play import Dice
from game_masters.titan.position import Phase
from game_masters.titan.referee import resume
from game_masters.titan.rules import Slugathon
from tests.game_masters.titan.table import NAMES, House, legion, split
from tests.game_masters.titan.watch import check

OPTIONS = GAME.choose_options({})
STOCK = {name: kind.count for name, kind in KINDS.items()}


# --- set-up -----------------------------------------------------------------------------------------------------------


def test_colours_are_chosen_from_the_lowest_tower_and_turns_begin_at_the_highest() -> None:
    game = Slugathon(Table("g", NAMES[:3], OPTIONS), random.Random(5))
    towers = [int(player.tower) for player in game.position.players]
    order = []
    while game.position.phase is Phase.SETUP:
        (seat,) = game.movers
        order.append(towers[seat])
        game.apply(seat, game.legal_moves(seat)[0])
    assert order == sorted(towers)
    assert towers[game.position.active] == max(towers)


def test_a_colour_is_given_once() -> None:
    house = House(colors=[])
    house.does('<color color="Red" firstMarker="Rd09"/>')
    house.refuses('<color color="Red"/>', "Red is the colour of bob")
    house.refuses('<color color="Mauve"/>', "there is no colour 'Mauve'")
    house.does('<color color="Gold"/>')
    assert {"Rd09", "Gd01"} == set(house.position.legions)
    assert house.asked == ("ann", "split")


# --- splits -----------------------------------------------------------------------------------------------------------


def test_the_first_split_is_four_and_four_with_a_lord_each() -> None:
    house = House()
    house.refuses("<roll/>", "Rd01 has 8 creatures and has to be split first")
    house.refuses(split("Rd01", "Rd02", "Titan Ogre Ogre"), "each half has four creatures and one lord")
    house.refuses(split("Rd01", "Rd02", "Centaur Centaur Ogre Ogre"), "each half has four creatures and one lord")
    house.refuses(split("Rd01", "Rd01", "Titan Ogre Ogre Centaur"), "child 'Rd01' is no free marker")
    house.refuses(split("Rd01", "Bu02", "Titan Ogre Ogre Centaur"), "child 'Bu02' is no free marker")
    house.refuses(split("Rd01", "Rd02", "Titan Lion Ogre Centaur"), "are not all in Rd01")
    house.does(split("Rd01", "Rd02", "Titan Ogre Ogre Centaur"))
    house.refuses(split("Rd01", "Rd03", "Angel Gargoyle"), "on the first turn the legion is split once")
    house.does('<merge parent="Rd01" child="Rd02"/>')
    assert house.position.legions["Rd01"].height == 8


def test_later_both_parts_have_two_and_a_part_may_be_split_again() -> None:
    house = House(legion(0, 1, "2", "Titan Ogre Ogre Lion Lion Lion Troll"), legion(1, 1, "131", "Titan"))
    house.refuses(split("Rd01", "Rd02", "Ogre"), "each part needs at least 2 creatures, not 6 and 1")
    house.refuses(split("Rd01", "Rd02", "Ogre Ogre Lion Lion Lion Troll"), "at least 2")
    house.does(split("Rd01", "Rd02", "Lion Lion Lion Troll"), split("Rd02", "Rd03", "Lion Troll"))
    assert [house.inside(f"Rd0{number}") for number in (1, 2, 3)] == ["Ogre Ogre Titan", "Lion Lion", "Lion Troll"]
    house.does('<merge parent="Rd03" child="Rd02"/>')
    assert house.inside("Rd03") == "Lion Lion Lion Troll"


def test_parts_may_exchange_creatures_before_the_roll_and_none_is_lost_or_doubled() -> None:
    house = House(legion(0, 1, "2", "Titan Serpent Serpent Ogre Lion Centaur Troll"), legion(1, 1, "131", "Titan"))
    house.does(split("Rd01", "Rd02", "Ogre Lion Troll"), split("Rd01", "Rd03", "Titan Centaur"))
    house.does('<merge parent="Rd01" child="Rd02"/>', split("Rd01", "Rd02", "Serpent Serpent Ogre"))
    # These two are as many as they were when Rd03 was split off, and not the same.
    house.does('<merge parent="Rd01" child="Rd03"/>')
    assert house.inside("Rd01") == "Centaur Lion Titan Troll"
    assert house.inside("Rd02") == "Ogre Serpent Serpent"


@given(st.data())
def test_any_splits_and_merges_of_a_turn_keep_all_creatures_and_lead_on(data: st.DataObject) -> None:
    house = House(
        legion(0, 1, "1000", "Titan Serpent Serpent Ogre Lion Centaur Troll"),
        legion(0, 2, "1", "Ogre Ogre"), legion(1, 1, "131", "Titan Lion"), dice=[1],
    )  # fmt: skip
    everything = sorted(creature for one in house.position.legions.values() for creature in one.creatures)
    for _ in range(12):
        choice = [move for move in house.game.legal_moves(0) if not isinstance(move[0], ask.Roll)]
        house.game.apply(0, data.draw(st.sampled_from(choice)))
        assert sorted(creature for one in house.position.legions.values() for creature in one.creatures) == everything
        known = house.game.view(1).position.legions
        for marker, one in house.position.legions.items():
            assert all(seen in ("?", real) for seen, real in zip(known[marker].creatures, one.creatures, strict=True))
    house.does("<roll/>")
    while house.position.phase is Phase.MOVE and house.position.active == 0:
        house.game.apply(0, (default(house.position),))
    assert sorted(creature for one in house.position.legions.values() for creature in one.creatures) == everything
    check(house.position, 2)


def test_others_know_the_first_legion_again_when_its_split_is_taken_back_either_way() -> None:
    for merge, left in (
        ('<merge parent="Rd01" child="Rd02"/>', "Rd01"),
        ('<merge parent="Rd02" child="Rd01"/>', "Rd02"),
    ):
        house = House()
        house.does(split("Rd01", "Rd02", "Titan Ogre Ogre Centaur"), merge)
        assert "?" not in house.game.view(1).position.legions[left].creatures


def test_splits_are_listed_with_one_marker_and_accepted_with_any_free_one() -> None:
    house = House()
    assert {told.split()[2] for told in house.lists("split")} == {"child=Rd02"}
    assert house.game.is_open(read_move(f"<move>{split('Rd01', 'Rd09', 'Titan Ogre Ogre Centaur')}</move>".encode()))
    house.does(split("Rd01", "Rd09", "Titan Ogre Ogre Centaur"))


def test_without_a_marker_nothing_is_split() -> None:
    many = [legion(0, number, str(number), "Ogre Ogre") for number in range(2, 13)]
    house = House(legion(0, 1, "42", "Titan Ogre Lion Lion"), *many, legion(1, 1, "131", "Titan"))
    house.refuses(split("Rd01", "Rd13", "Lion Lion"), "free are none")


def test_who_sees_a_split() -> None:
    house = House()
    house.does(split("Rd01", "Rd02", "Titan Ogre Ogre Centaur"))
    seen = [house.game.view(seat).news[-1] for seat in (0, 1, None)]
    assert [one.creatures for one in seen] == [  # type: ignore[attr-defined]
        ("Centaur", "Ogre", "Ogre", "Titan"), None, None,
    ]  # fmt: skip
    assert house.game.view(1).position.legions["Rd02"].creatures == ("?",) * 4


# --- musters ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terrain", "creatures", "found"),
    [
        ("Marsh", "Ogre Ogre", {"Ogre", "Troll"}),
        ("Marsh", "Ogre Ogre Ogre", {"Ogre", "Troll"}),
        ("Marsh", "Ranger", {"Ogre", "Troll", "Ranger"}),
        ("Marsh", "Troll Troll", {"Ogre", "Troll", "Ranger"}),
        ("Desert", "Lion Lion", {"Lion"}),
        ("Desert", "Lion Lion Lion", {"Lion", "Griffon"}),
        ("Jungle", "Cyclops Cyclops Cyclops", {"Gargoyle", "Cyclops", "Behemoth"}),
        ("Mountains", "Dragon Dragon", {"Lion", "Minotaur", "Dragon", "Colossus"}),
        ("Tundra", "Giant Giant", {"Troll", "Warbear", "Giant", "Colossus"}),
        ("Swamp", "Troll Troll Troll", {"Troll", "Wyvern"}),
        ("Woods", "Centaur Centaur Centaur", {"Centaur", "Warbear"}),
        ("Plains", "Lion Lion", {"Centaur", "Lion", "Ranger"}),
        ("Brush", "Ogre Ogre", set()),
        ("Tower", "Lion", {"Centaur", "Gargoyle", "Ogre"}),
        ("Tower", "Lion Lion Lion", {"Centaur", "Gargoyle", "Ogre", "Guardian"}),
        ("Tower", "Titan", {"Centaur", "Gargoyle", "Ogre", "Warlock"}),
        ("Tower", "Warlock Guardian", {"Centaur", "Gargoyle", "Ogre", "Warlock", "Guardian"}),
        ("Tower", "Angel Angel Angel", {"Centaur", "Gargoyle", "Ogre"}),
    ],
)  # fmt: skip
def test_what_brings_what(terrain: str, creatures: str, found: set[str]) -> None:
    assert {one.recruit for one in musters(terrain, creatures.split(), STOCK)} == found


def test_an_empty_stock_brings_nothing() -> None:
    assert not [one for one in musters("Marsh", ["Ogre", "Ogre"], STOCK | {"Troll": 0}) if one.recruit == "Troll"]


def test_without_a_recruiter_that_is_shown_which_shows_least() -> None:
    first = next(one for one in musters("Marsh", ["Ogre", "Ogre", "Ranger"], STOCK) if one.recruit == "Troll")
    assert (first.recruiter, first.number) == ("Ranger", 1)
    first = next(one for one in musters("Plains", ["Lion", "Lion", "Ranger"], STOCK) if one.recruit == "Lion")
    assert (first.recruiter, first.number) == ("Lion", 1)


def test_a_legion_musters_once_after_it_has_moved_and_may_take_that_back() -> None:
    house = House(
        legion(0, 1, "2", "Titan Gargoyle Gargoyle"), legion(0, 2, "20", "Ogre Ogre"), legion(1, 1, "131", "Titan"),
        dice=[1],
    )  # fmt: skip
    house.does("<roll/>", '<move legion="Rd01" hex="3"/>', "<doneMoving/>")
    house.refuses('<recruit legion="Rd02" recruit="Ogre"/>', "Rd02 has not moved this turn")
    house.refuses('<recruit legion="Rd01" recruit="Gorgon"/>', "cannot be mustered in 3, Brush: Rd01 has no recruiters")
    house.refuses('<recruit legion="Rd01" recruit="Elf"/>', "there is no creature 'Elf'")
    house.refuses('<recruit legion="Rd01"/>', "recruit is missing")
    house.refuses('<recruit legion="Rd01" recruit="Cyclops" recruiter="Titan"/>', "does not bring a Cyclops")
    assert house.does('<recruit legion="Rd01" recruit="Cyclops"/>') == [
        '<recruit legion="Rd01" recruit="Cyclops" recruiter="Gargoyle" number="2"/>'
    ]
    house.refuses('<recruit legion="Rd01" recruit="Cyclops"/>', "has mustered a Cyclops this turn")
    assert house.position.stock["Cyclops"] == 27
    house.does('<undoRecruit legion="Rd01"/>')
    assert (house.position.stock["Cyclops"], house.inside("Rd01")) == (28, "Gargoyle Gargoyle Titan")
    house.refuses('<undoRecruit legion="Rd01"/>', "has mustered nothing")


def test_recruiters_become_known_to_all() -> None:
    house = House(legion(0, 1, "2", "Titan Gargoyle Gargoyle"), legion(1, 1, "131", "Titan"), dice=[1])
    house.does("<roll/>", '<move legion="Rd01" hex="3"/>', '<recruit legion="Rd01" recruit="Cyclops"/>')
    assert house.game.view(1).position.legions["Rd01"].creatures == ("Cyclops", "Gargoyle", "Gargoyle", "?")


# --- the last round ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scores", "winners"), [((10, 20), {1}), ((20, 10), {0}), ((20, 20), set())])
def test_after_the_last_round_most_points_win(scores: tuple[int, int], winners: set[int]) -> None:
    legions = legion(0, 1, "2", "Titan Ogre"), legion(1, 1, "131", "Titan Ogre")
    house = House(*legions, scores=list(scores), turn=10, options={"rounds": "10"})
    played = 0
    while house.game.outcome is None:
        seat = house.game.movers[0]
        house.game.apply(seat, (default(house.position),))
        played += 1
        assert played < 20
    assert house.position.turn == 11
    assert house.game.outcome == Outcome("the last round is over", frozenset(winners), drawn=not winners)
    assert house.game.movers == ()
    ended = house.news()[-1]
    assert ended == ("<gameOver/>" if not winners else f'<gameOver winner="{NAMES[min(winners)]}"/>')
    assert resume(house.game.messages, Dice(b"")).position == house.position
