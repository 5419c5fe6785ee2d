"""Where ships may lie and which of them may move, clause by clause. p3 has settled on 606, on the coast of the cloth
islands: there the edges 606, 607, 706 begin; 706 leads to 806, and 607, 608 lead east."""

from typing import Any

import pytest

from game_masters.catan.handlers.places import (
    movable_ships,
    pirate_places,
    road_places,
    robber_places,
    ship_places,
    ship_targets,
)
from game_masters.catan.message.vocabulary import Hex
from tests.game_masters.catan.scene import Scene


def sea(others: dict[int, Any] | None = None, *, state: int = 20, option: str = "SC_CLVI", **seat: Any) -> Scene:
    """A turn of p3 without villages in the way."""
    seats = [(others or {}).get(number, {}) for number in range(3)]
    placed = {"settlements": ["606"], "hand": [2, 2, 2, 2, 2], **seat}
    return Scene(
        {"turn": 3, "state": state, "seats": [*seats, placed]},
        {"SC": option, "_SC_CLVI": "f"} if option == "SC_CLVI" else {"SC": option},
    )


def put(edge: int) -> str:
    return f"f3:SOCPutPiece:game=test|playerNumber=3|pieceType=3|coord={edge:x}"


def move(origin: int, target: int) -> str:
    return f"f3:SOCMovePiece:game=test|pn=3|pieceType=3|fromCoord={origin:x}|toCoord={target:x}"


def test_ships_begin_at_own_buildings_and_go_on_from_own_ships() -> None:
    play = sea(ships=["706"]).play
    assert {0x806, 0x805} <= set(ship_places(play, 3))
    assert 0x808 not in ship_places(play, 3)
    assert not set(ship_places(sea().play, 3)) & {0x805, 0x806}


def test_ships_do_not_go_on_from_roads_nor_roads_from_ships() -> None:
    play = sea(roads=["605"]).play
    net = play.board.net
    far = net.beyond(0x605, 0x606)
    beyond = {edge for edge in net.node_edges[far] if edge != 0x605}
    assert not beyond & set(ship_places(play, 3))
    coast = sea(ships=["606"]).play
    (end,) = (node for node in net.edge_nodes[0x606] if node != 0x606)
    assert not set(net.node_edges[end]) & set(road_places(coast, 3))


def test_the_building_of_another_stops_ships() -> None:
    scene = sea(ships=["706"])
    scene.play.owners.nodes[0x806] = 1
    assert not set(ship_places(scene.play, 3)) & {0x805, 0x806}


def test_no_ship_is_placed_moved_or_moved_to_beside_the_pirate() -> None:
    scene = sea(ships=["606", "607"])
    net = scene.play.board.net
    hex = next(one for one in net.edge_hexes[0x706] if scene.play.board.types[one] == Hex.WATER)
    scene.play.board.pirate = hex
    assert not set(ship_places(scene.play, 3)) & set(net.hex_edges[hex])
    assert "reason=4" in scene.ask(put(0x706))[1]
    assert not set(movable_ships(scene.play, 3)) & set(net.hex_edges[hex])
    for origin in movable_ships(scene.play, 3):
        assert not set(ship_targets(scene.play, 3, origin)) & set(net.hex_edges[hex])


def test_a_ship_does_not_move_in_the_turn_in_which_it_was_placed() -> None:
    scene = sea(ships=["606"])
    scene.ask(put(0x706))
    assert movable_ships(scene.play, 3) == [0x606]
    assert "is new" in scene.ask(move(0x706, 0x607))[1]
    for seat in (3, 0, 1, 2):
        scene.ask(f"f{seat}:SOCEndTurn:game=test")
        scene.play.chance.script = scene.play.chance.script.__class__(dice=(2,) * 9)
        scene.ask(f"f{scene.play.current}:SOCRollDice:game=test")
    assert movable_ships(scene.play, 3) == [0x606, 0x706]


def test_one_ship_moves_in_a_turn() -> None:
    scene = sea(ships=["606", "706"])
    assert len(scene.ask(move(0x706, 0x607))) == 2
    assert "you have moved a ship in this turn" in scene.ask(move(0x606, 0x706))[1]


@pytest.mark.parametrize("state", [15, 20])
def test_ships_move_after_the_roll_only(state: int) -> None:
    scene = sea(state=state, ships=["706"])
    assert (len(scene.ask(move(0x706, 0x606))) == 2) == (state == 20)


def test_only_the_end_of_a_route_moves() -> None:
    assert movable_ships(sea(ships=["706", "806", "807"]).play, 3) == [0x807]


def test_a_ship_does_not_move_to_where_only_itself_would_hold_it() -> None:
    scene = sea(ships=["706"])
    targets = ship_targets(scene.play, 3, 0x706)
    assert set(targets) == set(ship_places(sea().play, 3)) - {0x706}
    assert not {0x805, 0x806} & set(targets)


def test_ships_between_two_own_buildings_are_closed_for_good_but_branches_move() -> None:
    scene = sea(settlements=["606", "608"], ships=["606", "607", "706"])
    assert scene.play.seats[3].pieces.closed == {0x606, 0x607}
    assert movable_ships(scene.play, 3) == [0x706]
    assert "closed in" in scene.ask(move(0x607, 0x705))[1]


def test_ships_between_an_own_building_and_that_of_another_are_not_closed() -> None:
    scene = sea({0: {"settlements": ["608"]}}, ships=["606", "607"])
    assert scene.play.seats[3].pieces.closed == set()
    assert movable_ships(scene.play, 3) == [0x607]


def test_robber_and_pirate_stay_out_of_the_fog_and_each_on_its_own_ground() -> None:
    play = sea(option="SC_FOG", settlements=["a06"]).play
    types = play.board.types
    assert {types[hex] for hex in pirate_places(play)} == {Hex.WATER}
    assert not {types[hex] for hex in robber_places(play)} & {Hex.WATER, Hex.FOG}
    assert play.board.pirate not in pirate_places(play)
    assert play.board.robber not in robber_places(play)


def test_under_the_fog_no_ships_lie_until_there_is_water() -> None:
    play = sea(option="SC_FOG", settlements=["a06"]).play
    board = play.board
    inside = {
        edge for hex in board.hidden for edge in board.net.hex_edges[hex]
        if all(one in board.hidden for one in board.net.edge_hexes[edge]) and len(board.net.edge_hexes[edge]) == 2
    }  # fmt: skip
    assert inside
    assert not inside & board.ground.ship_edges
    hex = next(iter(board.hidden))
    board.hidden[hex] = (int(Hex.WATER), 0)
    board.reveal(hex)
    assert set(board.net.hex_edges[hex]) <= board.ground.ship_edges
    assert hex in pirate_places(play)
