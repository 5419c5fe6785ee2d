"""Turns that a server ends: what is paid comes back, what is due is dropped, and all is told in its order."""

from dataclasses import replace

import pytest

from game_masters.catan.replay.forcing import force_end
from tests.game_masters.catan.scene import Scene, at

NEXT = [
    "all:SOCClearOffer:game=test|playerNumber=-1",
    "all:SOCTurn:game=test|playerNumber=0|gameState=15",
    "all:SOCRollDicePrompt:game=test|playerNumber=0",
]


def forced(scene: Scene) -> list[str]:
    """What is said, without the text of the request that stands for it."""
    scene.news()
    scene.play.variant = replace(scene.play.variant, polls=False)
    force_end(scene.play)
    return [line for line in scene.news() if line[0] != "f"]


@pytest.mark.parametrize(("piece", "cost"), [(0, "e1=1,e5=1"), (2, "e2=3,e4=2")])
def test_what_has_been_paid_comes_back(piece: int, cost: str) -> None:
    scene = Scene(at(seats={3: {"hand": [1, 3, 0, 2, 1]}}))
    scene.ask(f"f3:SOCBuildRequest:game=test|pieceType={piece}")
    back = f"all:SOCPlayerElements:game=test|playerNum=3|actionType=GAIN|{cost}"
    assert forced(scene) == [back, *NEXT]
    assert scene.play.seats[3].hand == [1, 3, 0, 2, 1]


def test_in_special_building_who_asked_asks_no_more_before_and_after_that() -> None:
    scene = Scene(
        {"turn": 2, "state": 100, "seats": [{}, {}, {"hand": [1, 0, 0, 0, 1], "settlements": ["23"]}]}, players=6
    )
    scene.ask("f2:SOCBuildRequest:game=test|pieceType=0")
    said = forced(scene)
    no_more = "all:SOCPlayerElement:game=test|playerNum=2|actionType=SET|elementType=16|amount=0"
    back = "all:SOCPlayerElements:game=test|playerNum=2|actionType=GAIN|e1=1,e5=1"
    assert said[:4] == [no_more, back, no_more, "all:SOCClearOffer:game=test|playerNumber=-1"]


def test_at_the_start_a_player_goes_without_a_piece() -> None:
    scene = Scene({"first": 0}, players=3)
    for _ in range(2):
        scene.state.apply(0, scene.state.legal_moves(0)[0])
    assert forced(scene) == [
        "all:SOCGameServerText:game=test|text=It's p2's turn to build a settlement.",
        "all:SOCTurn:game=test|playerNumber=2|gameState=5",
    ]
    scene.state.apply(2, scene.state.legal_moves(2)[0])
    said = forced(scene)
    assert said[:2] == [
        "all:SOCCancelBuildRequest:game=test|pieceType=1",
        "all:SOCGameElements:game=test|e3=0",
    ]
    assert "all:SOCTurn:game=test|playerNumber=2|gameState=10" in said
    assert not scene.play.seats[2].pieces.settlements
    assert scene.play.seats[2].pieces.supply[1] == 5
    for _ in range(3):
        said = forced(scene)
    assert said[-1] == "all:SOCTurn:game=test|playerNumber=0|gameState=15"
