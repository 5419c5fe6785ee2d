"""Fixtures: chance by lists, and positions; what does not fit is named."""

from typing import Any

import pytest

from game_masters.catan import FOUR
from game_masters.catan.setup.beginning import read_fixture
from game_masters.catan.setup.plans import classic_plan
from game_masters.kit.rules import BadFixture, Entries
from tests.game_masters.catan.scene import HEXES, PORTS, Scene, at


def test_chance_comes_from_the_lists_and_then_from_itself() -> None:
    fixture = at(turn=0, state=15, dice=[9, 5], deck=["CHAPEL", "SOLDIER"], seats={0: {"hand": [0, 2, 2, 2, 0]}})
    scene = Scene(fixture)
    scene.ask("f0:SOCRollDice:game=test")
    assert scene.play.chance.dice == 9
    for card in (8, 9):
        scene.ask("f0:SOCBuyDevCardRequest:game=test")
        assert card in scene.play.seats[0].inventory.cards
    scene.ask("f0:SOCEndTurn:game=test")
    scene.ask("f1:SOCRollDice:game=test")
    assert scene.play.chance.dice == 5
    scene.ask("f1:SOCEndTurn:game=test")
    scene.ask("f2:SOCRollDice:game=test")
    assert 2 <= scene.play.chance.dice <= 12


def test_a_start_with_a_fixed_board_and_first_player() -> None:
    scene = Scene({"hexes": HEXES, "ports": PORTS, "first": 2})
    assert [f"{hex:x}" for hex, type in scene.play.board.types.items() if type == 6] == ["77"]
    assert scene.play.current == 2
    assert [port.type for port in scene.play.board.ports] == PORTS


@pytest.mark.parametrize("desert", ["11", "13"])
def test_the_robber_begins_on_the_desert_that_the_fixture_names(desert: str) -> None:
    places = sorted(classic_plan(6).paths[0])
    hexes = [f"{hex:x} {'desert' if number < 2 else 'wood 5'}" for number, hex in enumerate(places)]
    scene = Scene({"hexes": hexes, "robber": desert}, players=6)
    assert scene.play.board.robber == int(desert, 16)
    assert any(f"|RH={int(desert, 16)}|" in line for line in scene.lines())


def test_the_players_hear_what_lies_on_the_table_and_only_their_own_hands() -> None:
    scene = Scene(at(seats={3: {"cards": ["MONOPOLY"], "hand": [1, 2, 0, 0, 0]}}))
    told = scene.lines()
    assert "all:SOCPutPiece:game=test|playerNumber=3|pieceType=1|coord=a7" in told
    assert "p3:SOCPlayerElements:game=test|playerNum=3|actionType=SET|e1=1,e2=2,e3=0,e4=0,e5=0" in told
    assert "p3:SOCDevCardAction:game=test|playerNum=3|actionType=ADD_OLD|cardType=3" in told
    assert "!p3:SOCDevCardAction:game=test|playerNum=3|actionType=ADD_OLD|cardType=0" in told


def test_villages_have_the_cloth_that_the_fixture_says() -> None:
    board = Scene({"turn": 0, "village_cloth": [0, 1], "cloth_supply": 3, "seats": []}, {"SC": "SC_CLVI"}).play.board
    assert [village.cloth for village in board.cloth_trade.villages.values()] == [0, 1, 5, 5, 5, 5, 5, 5]
    assert board.cloth_trade.supply == 3


@pytest.mark.parametrize(
    ("fixture", "why"),
    [
        ({"first": 4}, "first: 4 is not a whole number from 0 to 3"),
        ({"dice": [1]}, r"dice\[0\]: 1 is not"),
        ({"deck": ["KING"]}, r"deck\[0\]: 'KING' is not allowed"),
        ({"deck": ["CHAPEL", "CHAPEL"]}, "has 2 cards CHAPEL; there are 1"),
        ({"hexes": HEXES[:-1]}, "are not the 19 land hexes"),
        ({"hexes": [*HEXES[:-1], "bb marble 3"]}, "expected HEX TYPE NUMBER"),
        ({"hexes": [*HEXES[:-1], "zz wood 3"]}, "'zz', which is no coordinate"),
        ({"ports": [0]}, "are not 9"),
        ({"villages": [4]}, "are more than 0"),
        ({"turn": 0, "village_cloth": [5]}, "village_cloth: the board has 0, not 1"),
        ({"turn": 0, "cloth_supply": 5}, "cloth_supply: the board has 0, not 5"),
        ({"turn": 0, "state": 33}, "state: 33 is none of 15, 20, 100"),
        ({"turn": 0, "state": 100}, "is special building"),
        ({"turn": 0, "robber": "11"}, "robber: the board has no hex 11"),
        ({"robber": "77"}, "robber: .*is no desert among the hexes"),
        ({"hexes": HEXES, "robber": "33"}, "robber: .*is no desert among the hexes"),
        ({"turn": 0, "seats": [{"settlements": ["11"]}]}, r"seats\[0\].settlements: nothing can stand on 11"),
        ({"turn": 0, "seats": [{"roads": ["22", "22"]}]}, "or one is taken twice"),
        ({"turn": 0, "seats": [{"roads": ["22"]}, {"roads": ["22"]}]}, r"seats\[1\].roads: .* taken twice"),
        ({"turn": 0, "seats": [{"ships": ["22"]}]}, "more than 0"),
        ({"turn": 0, "seats": [{}] * 5}, "are more than 4"),
        ({"turn": 0, "seats": [{"hand": [1]}]}, "is not five numbers"),
        ({"turn": 0, "seats": [{"gold": 3}]}, "stands under a key that does not exist"),
        ({"turn": 0, "seats": [{"trades": ["23"]}]}, "there is no village on 23"),
        ({"turn": 0, "army": 0, "seats": [{"soldiers": 2}]}, "fewer than 3 soldiers"),
        (
            {"turn": 0, "seats": [{"cities": ["23", "43", "45", "47"], "cards": ["MARKET", "CHAPEL"]}]},
            "has won already",
        ),
    ],
)
def test_what_does_not_fit_is_named(fixture: dict[str, Any], why: str) -> None:
    with pytest.raises(BadFixture, match=why):
        read_fixture(Entries(fixture), 4, FOUR.choose_options({}))
