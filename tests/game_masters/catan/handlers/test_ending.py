"""Games that lead nowhere end: after rounds in a row without progress, and after the last round. Progress is only what
nobody can undo or repeat for ever."""

import random
from typing import Any

import pytest

from game_masters.catan import FOUR
from game_masters.catan.game.play import Termination
from game_masters.catan.handlers.ending import progress
from game_masters.catan.logs.action import Kind
from game_masters.catan.logs.extractor import extract
from game_masters.catan.logs.soclog import log_of
from game_masters.catan.message.messages import MovePiece
from game_masters.catan.notation import read_view, write_view
from game_masters.kit.rules import Outcome
from tests.game_masters.catan.scene import Scene, at, resources

CITY_OF_3 = {"settlements": ["c9"], "cities": ["a7"]}
STUCK: list[dict[str, Any]] = [
    {
        "settlements": ["607", "100e"], "cities": ["208", "e0d", "e0f", "100c"],
        "ships": ["e0e", "f0e", "100c", "100d"],
        "roads": ["208", "308", "407", "507", "c0e", "d0d", "d0f", "e0c", "f0c", "100a", "100b"],
        "hand": [5, 5, 1, 0, 6], "cards": ["CAPITOL"], "soldiers": 1,
    },
    {
        "settlements": ["205", "20b", "20d", "404", "603"], "cities": ["406", "40a", "40c", "605"],
        "roads": ["205", "209", "20b", "20c", "306", "30a", "30c", "403", "404", "405", "40a", "40b", "503", "605"],
        "ships": ["1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "101", "10b", "200", "300", "400"],
        "hand": [8, 1, 5, 2, 8], "soldiers": 5,
    },
    {
        "settlements": ["e03"], "cities": ["e05", "e0b", "1004", "100a"],
        "roads": ["d0b", "e03", "e04", "e05", "e0a", "e0b", "f04", "f08", "f0a", "1008", "1009"],
        "hand": [1, 1, 8, 1, 2], "cards": ["TEMPLE", "UNIVERSITY"], "soldiers": 5,
    },
    {
        "settlements": ["a0f", "c10"], "cities": ["c0c", "c0e", "e08", "1006"],
        "roads": ["a0e", "a0f", "b0e", "b10", "c0b", "c0c", "c0d", "c0f", "e08", "1006"],
        "hand": [1, 1, 4, 1, 2], "cards": ["CHAPEL"], "soldiers": 3,
    },
]  # fmt: skip
"""A game of Cloth Trade in which nobody can win on land: one has no piece but a road left, the others no place to
settle."""
IN_CLOTH_TRADE = {"SC": "SC_CLVI", "IDLE": "40"}


def last_turn(idle: int = 9, seats: dict[int, Any] | None = None, **more: Any) -> Scene:
    """The turn of p3, with which a round ends, after ``idle`` others without progress; ten of them end the game."""
    return Scene(at(first=0, idle=idle, seats=seats, **more), {"IDLE": "10"})


def roll_and_end(scene: Scene, turns: int) -> None:
    """Let the players whose turn it is roll nothing for anybody and end their turns."""
    for _ in range(turns):
        seat = scene.play.current
        scene.ask(f"f{seat}:SOCRollDice:game=test")
        scene.ask(f"f{seat}:SOCEndTurn:game=test")


# --- rounds without progress ------------------------------------------------------------------------------------------


def test_rounds_without_progress_end_the_game_and_the_most_points_win() -> None:
    scene = last_turn(seats={1: {"cities": ["38"], "settlements": ["6b"]}, 2: {"cards": ["MARKET", "TEMPLE"]}})
    scene.plays("""
        f3:SOCEndTurn:game=test
        all:SOCClearOffer:game=test|playerNumber=-1
        all:SOCTurn:game=test|playerNumber=2|gameState=1000
        all:SOCGameServerText:game=test|text=>>> No piece, card, cloth or fog for 10 rounds: the game is over.
        all:SOCGameServerText:game=test|text=>>> p2 has won the game with 4 points.
        all:SOCDevCardAction:game=test|playerNum=2|actionType=ADD_OLD|cardTypes=[5, 7]
        all:SOCGameStats:game=test|2|3|4|2|false|false|false|false
        all:SOCGameServerText:game=test|text=This game was 2 rounds.
        p0:SOCPlayerStats:game=test|p=1|p=0|p=0|p=0|p=0|p=0
        p1:SOCPlayerStats:game=test|p=1|p=0|p=0|p=0|p=0|p=0
        p2:SOCPlayerStats:game=test|p=1|p=0|p=0|p=0|p=0|p=0
        p3:SOCPlayerStats:game=test|p=1|p=0|p=0|p=0|p=0|p=0
    """)
    assert scene.state.outcome == Outcome(Termination.IDLE, frozenset({2}))
    assert not scene.state.movers


def test_equal_points_share_the_victory_and_the_next_in_turn_is_named_first() -> None:
    scene = last_turn(seats={1: {"cities": ["38"], "settlements": ["6b"]}, 3: CITY_OF_3})
    said = scene.ask("f3:SOCEndTurn:game=test")
    assert "all:SOCTurn:game=test|playerNumber=1|gameState=1000" in said
    assert "all:SOCGameServerText:game=test|text=>>> p1 and p3 share the victory with 3 points each." in said
    outcome = scene.state.outcome
    assert outcome is not None
    assert outcome.winners == {1, 3}
    view = scene.state.view(None)
    assert view.table.winners == (1, 3)
    assert read_view(write_view(view)) == view


def test_where_all_have_the_same_points_all_win_which_the_server_takes_for_a_draw() -> None:
    scene = last_turn()
    scene.ask("f3:SOCEndTurn:game=test")
    assert scene.state.outcome is not None
    assert scene.state.outcome.winners == {0, 1, 2, 3}


def test_who_has_the_points_to_win_at_that_moment_wins_by_them() -> None:
    winner = {"cities": ["23", "43", "45", "94"], "settlements": ["52", "c7"], "roads": []}
    scene = last_turn(seats={0: winner})
    scene.ask("f3:SOCEndTurn:game=test")
    assert scene.play.ending is not None
    assert scene.play.ending.termination is Termination.POINTS


def test_only_complete_rounds_count_and_the_players_are_warned() -> None:
    scene = Scene(at(first=0, dice=[12] * 44), {"IDLE": "10"})
    scene.ask("f3:SOCEndTurn:game=test")
    assert scene.play.rounds.idle == 1
    roll_and_end(scene, 4 * 4 - 1)
    assert not any("After 10 the game is over" in line for line in scene.lines())
    roll_and_end(scene, 1)
    assert any("No piece, card, cloth or fog for 5 rounds. After 10 the game is over" in one for one in scene.lines())
    roll_and_end(scene, 4 * 5 - 1)
    assert scene.state.outcome is None
    roll_and_end(scene, 1)
    assert scene.play.ending is not None
    assert scene.play.ending.termination is Termination.IDLE
    assert scene.play.rounds.number == 11


# --- the last round ---------------------------------------------------------------------------------------------------


def test_the_game_ends_after_the_last_round_whatever_has_been_built() -> None:
    scene = Scene(at(first=0, round=50, seats={3: {"hand": [1, 0, 0, 0, 1], **CITY_OF_3}}), {"ROUNDS": "50"})
    scene.ask("f3:SOCPutPiece:game=test|playerNumber=3|pieceType=0|coord=a8")
    said = scene.ask("f3:SOCEndTurn:game=test")
    assert "all:SOCGameServerText:game=test|text=>>> 50 rounds have been played: the game is over." in said
    assert "all:SOCGameServerText:game=test|text=This game was 50 rounds." in said
    assert scene.state.outcome == Outcome(Termination.ROUNDS, frozenset({3}))


# --- what is progress -------------------------------------------------------------------------------------------------

COUNTS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "a road": ({"hand": [1, 0, 0, 0, 1]}, ["SOCPutPiece:game=test|playerNumber=3|pieceType=0|coord=a8"]),
    "a city": ({"hand": [0, 3, 0, 2, 0]}, ["SOCPutPiece:game=test|playerNumber=3|pieceType=2|coord=a7"]),
    "a card bought": ({"hand": [0, 1, 1, 1, 0]}, ["SOCBuyDevCardRequest:game=test"]),
    "a card played": (
        {"cards": ["MONOPOLY"]},
        ["SOCPlayDevCardRequest:game=test|devCard=3", "SOCPickResourceType:game=test|resType=3"],
    ),
}
COUNTS_NOT: dict[str, tuple[dict[str, Any], list[str]]] = {
    "a payment taken back": (
        {"hand": [1, 0, 0, 0, 1]},
        ["SOCBuildRequest:game=test|pieceType=0", "SOCCancelBuildRequest:game=test|pieceType=0"],
    ),
    "a card taken back": (
        {"cards": ["ROADS"]},
        ["SOCPlayDevCardRequest:game=test|devCard=1", "SOCCancelBuildRequest:game=test|pieceType=0"],
    ),
    "a trade with the bank": (
        {"hand": [4, 0, 0, 0, 0]},
        [f"SOCBankTrade:game=test|give={resources(clay=4)}|get={resources(ore=1)}"],
    ),
    "an offer withdrawn": (
        {"hand": [1, 0, 0, 0, 0]},
        [
            "SOCMakeOffer:game=test|from=3|to=true,true,true,false|give=clay=1|ore=0|sheep=0|wheat=0|wood=0|unknown=0"
            "|get=clay=0|ore=1|sheep=0|wheat=0|wood=0|unknown=0"
        ],
    ),
    "a refused request": ({}, ["SOCBuyDevCardRequest:game=test"]),
}


@pytest.mark.parametrize("name", COUNTS)
def test_what_cannot_be_undone_is_progress(name: str) -> None:
    has, requests = COUNTS[name]
    scene = last_turn(seats={3: has})
    before = progress(scene.play)
    for line in requests:
        scene.ask(f"f3:{line}")
    assert progress(scene.play) > before
    scene.ask("f3:SOCEndTurn:game=test")
    assert scene.state.outcome is None
    assert scene.play.rounds.idle == 0


@pytest.mark.parametrize("name", COUNTS_NOT)
def test_what_can_be_repeated_for_ever_is_none(name: str) -> None:
    has, requests = COUNTS_NOT[name]
    scene = last_turn(seats={3: has})
    before = progress(scene.play)
    for line in requests:
        assert scene.ask(f"f3:{line}")
    for seat in scene.play.trading.polled.copy():
        scene.ask(f"f{seat}:SOCRejectOffer:game=test|playerNumber=0")
    assert progress(scene.play) == before
    scene.ask("f3:SOCEndTurn:game=test")
    assert scene.play.ending is not None
    assert scene.play.ending.termination is Termination.IDLE


def test_ships_that_go_to_and_fro_and_cloth_that_is_robbed_are_no_progress() -> None:
    seats: list[dict[str, Any]] = [{"settlements": ["a06"], "ships": ["a06"]}, {}, {"cloth": 2}, {}]
    scene = Scene({"first": 0, "turn": 0, "state": 20, "seats": seats}, {"SBL": "t", "PLB": "f", "SC": "SC_FOG"})
    before = progress(scene.play)
    (moved, *_) = [one for one in scene.state.legal_moves(0) if isinstance(one, MovePiece)]
    scene.state.apply(0, moved)
    giver, taker = scene.play.seats[2], scene.play.seats[1]
    giver.scenario, taker.scenario = giver.scenario.with_cloth(-2), taker.scenario.with_cloth(2)
    assert progress(scene.play) == before


# --- whole games ------------------------------------------------------------------------------------------------------


def test_players_who_only_roll_and_end_their_turns_do_not_go_on_for_ever() -> None:
    scene = Scene({"first": 0, "turn": 0, "idle": 35, "dice": [12] * 20, "seats": STUCK}, IN_CLOTH_TRADE)
    roll_and_end(scene, 20)
    assert scene.play.ending is not None
    assert scene.play.ending.termination is Termination.IDLE
    log = log_of(scene.play)
    for view in (None, 0):
        found = extract(log, view)
        assert [one.kind for one in found[-3:]] == [Kind.END_TURN, Kind.TURN_BEGINS, Kind.GAME_OVER]
        assert Kind.UNKNOWN not in {one.kind for one in found[-60:]}


def test_a_game_of_settlers_in_which_there_is_nothing_left_to_settle_ends() -> None:
    scene = Scene({"first": 0, "turn": 0, "idle": 30, "seats": STUCK}, IN_CLOTH_TRADE)
    rng = random.Random("bots")
    moves = 0
    while scene.state.outcome is None:
        seat = scene.state.movers[0]
        scene.state.apply(seat, FOUR.bot("settler").choose(scene.state.view(seat, scene.told), rng))
        scene.told = len(scene.state.record)
        moves += 1
        assert moves < 2000
