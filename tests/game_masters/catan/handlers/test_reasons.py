"""A refusal says why a piece may not stand there, and where it may; in few words, however many places there are."""

import pytest

from game_masters.catan.handlers.reasons import MAX_PLACES, listed, why_not_robber
from game_masters.catan.handlers.robber import targets
from game_masters.catan.message.messages import MovePiece, PutPiece
from game_masters.catan.message.vocabulary import Phase
from game_masters.catan.rules import MAX_TEXTS
from game_masters.kit.rules import RuleBroken
from tests.game_masters.catan.scene import Scene, at

ROADS = "94, 96, a7, b6, b8, c8, ca"


def refusal(scene: Scene, seat: int, piece: int, place: int) -> str:
    with pytest.raises(RuleBroken) as refused:
        scene.state.apply(seat, PutPiece(None, piece, place))
    return str(refused.value)


@pytest.mark.parametrize(
    ("piece", "place", "why"),
    [
        (0, "a6", f"no road can be placed on a6: your own piece lies there; it may stand on {ROADS}"),
        (0, "23", f"no road can be placed on 23: p0's piece lies there; it may stand on {ROADS}"),
        (0, "999", f"no road can be placed on 999: there is no such edge on the board; it may stand on {ROADS}"),
        (0, "22", "it does not touch what you have built"),
        (1, "a7", "no settlement can be placed on a7: your own building stands there; it may stand on a5"),
        (1, "23", "p0's building stands there"),
        (1, "b8", "your own building on a7 is too near"),
        (1, "94", "none of your roads or ships leads there"),
        (2, "23", "no city can be placed on 23: you have no settlement there; it may stand on a7, c9"),
        (2, "-5", "no city can be placed on -5: there is no such node on the board"),
    ],
)
def test_the_reason_and_the_legal_places_are_said(piece: int, place: str, why: str) -> None:
    scene = Scene(at(seats={3: {"hand": [5, 5, 5, 5, 5], "roads": ["a6", "a5", "c9"]}}))
    assert why in refusal(scene, 3, piece, int(place, 16))


def test_a_city_on_a_city() -> None:
    scene = Scene(at(seats={3: {"hand": [0, 5, 0, 5, 0], "cities": ["a7"], "settlements": ["c9"]}}))
    assert "it is a city already; it may stand on c9" in refusal(scene, 3, 2, 0xA7)


@pytest.mark.parametrize(
    ("scenario", "state", "place", "why"),
    [
        ("SC_FOG", 33, "908", "the robber cannot be moved to 908: fog lies on it; allowed: "),
        ("SC_FOG", 33, "910", "that is sea"),
        ("SC_CLVI", 33, "906", "it stays out of this land"),
        ("SC_FOG", 34, "-703", "the pirate cannot be moved to 703: that is land; allowed: -"),
        ("SC_FOG", 34, "-910", "it stands there already"),
        ("SC_FOG", 34, "703", "the pirate is to be moved"),
        ("SC_FOG", 20, "703", "the robber is not to be moved in the state PLAY (20)"),
    ],
)
def test_why_the_robber_stays_away(scenario: str, state: int, place: str, why: str) -> None:
    play = Scene({"turn": 3, "state": 20, "seats": []}, {"SC": scenario}).play
    play.phase = Phase(state)
    assert why in why_not_robber(play, int(place, 16), targets(play))


def test_why_a_ship_cannot_move_there() -> None:
    seats = [{}, {}, {}, {"settlements": ["a06"], "ships": ["a06", "b06"]}]
    scene = Scene({"turn": 3, "state": 20, "seats": seats}, {"SC": "SC_FOG"})
    ground = scene.play.board.ground
    inland = min(ground.road_edges - ground.ship_edges)
    for target, why in ((inland, "there is no known sea beside it"), (0x102, "there is no such edge on the board")):
        with pytest.raises(RuleBroken, match=f"the ship cannot move to {target:x}: {why}; it may go to 907, a05, a07"):
            scene.state.apply(3, MovePiece(None, 3, 0xB06, target))


def test_at_the_start() -> None:
    scene = Scene({})
    first = scene.state.movers[0]
    text = refusal(scene, first, 1, 0x999)
    assert text.endswith("and 42 more")
    assert len(text) < MAX_TEXTS
    scene.state.apply(first, PutPiece(None, 1, 0x23))
    assert "it does not touch the settlement that you have just placed" in refusal(scene, first, 0, 0xC9)


def test_only_so_many_places_are_named() -> None:
    assert listed([]) == "none"
    assert listed([0x23, 0xA7]) == "23, a7"
    assert listed(range(MAX_PLACES + 3)).endswith(" and 3 more")
