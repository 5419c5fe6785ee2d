"""Legal building places on classic boards, against the package catanatron.

Both boards are taken as graphs: from a corner of each in the same direction, so that a node of one is a node of the
other. Then both play the same random settlements and roads, and must allow the same places after each.
"""

import random

from catanatron.models.board import Board as TheirBoard
from catanatron.models.map import BASE_MAP_TEMPLATE, CatanMap, LandTile, NodeRef
from catanatron.models.player import Color

from game_masters.catan.handlers.places import road_places, settlement_places
from tests.game_masters.catan.scene import Scene
from tests.profile import sized

GAMES = sized(quick=12, deep=200)
PIECES = 40
COLORS = (Color.RED, Color.BLUE, Color.ORANGE, Color.WHITE)
OURS = {
    NodeRef.NORTH: 0,
    NodeRef.NORTHEAST: 1,
    NodeRef.SOUTHEAST: 2,
    NodeRef.SOUTH: 3,
    NodeRef.SOUTHWEST: 4,
    NodeRef.NORTHWEST: 5,
}
"""The corners of a hex by their names there, and their numbers here."""


def nodes_of(scene: Scene, theirs: TheirBoard) -> dict[int, int]:
    """Our node for each of theirs. Cube coordinates there: one step east is (1, -1, 0), one south-east (0, -1, 1)."""
    net = scene.play.board.net
    found: dict[int, int] = {}
    for (x, _, z), tile in theirs.map.tiles.items():
        if not isinstance(tile, LandTile):
            continue
        hex = 0x77 + 0x22 * x + 0x20 * z
        for ref, node in tile.nodes.items():
            found[node] = net.hex_nodes[hex][OURS[ref]]
    return found


def test_the_same_places_are_legal() -> None:
    for seed in range(GAMES):
        rng = random.Random(seed)
        theirs = TheirBoard(CatanMap.from_template(BASE_MAP_TEMPLATE))
        scene = Scene({"turn": 0, "state": 20})
        play = scene.play
        ours = nodes_of(scene, theirs)
        back = {node: other for other, node in ours.items()}
        edges = {frozenset(play.board.net.edge_nodes[edge]): edge for edge in play.board.net.edge_nodes}
        assert len(ours) == len(set(ours.values())) == 54
        for number in range(PIECES):
            seat = number % 4
            color = COLORS[seat]
            if number < 8:
                places = list(theirs.buildable_node_ids(color, initial_build_phase=True))
                node = rng.choice(sorted(places))
                theirs.build_settlement(color, node, initial_build_phase=True)
                play.put(seat, 1, ours[node])
                one, other = rng.choice(sorted(edge for edge in theirs.buildable_edges(color) if node in edge))
                theirs.build_road(color, (one, other))
                play.put(seat, 0, edges[frozenset((ours[one], ours[other]))])
            elif rng.random() < 0.3 and theirs.buildable_node_ids(color):
                node = rng.choice(sorted(theirs.buildable_node_ids(color)))
                theirs.build_settlement(color, node)
                play.put(seat, 1, ours[node])
            elif theirs.buildable_edges(color):
                one, other = rng.choice(sorted(map(tuple, theirs.buildable_edges(color))))
                theirs.build_road(color, (one, other))
                play.put(seat, 0, edges[frozenset((ours[one], ours[other]))])
            for each, shade in enumerate(COLORS):
                nodes = {back[node] for node in settlement_places(play, each)}
                assert nodes == set(theirs.buildable_node_ids(shade))
                roads = {
                    frozenset(back[node] for node in play.board.net.edge_nodes[edge])
                    for edge in road_places(play, each)
                }
                assert roads == {frozenset(edge) for edge in theirs.buildable_edges(shade)}
