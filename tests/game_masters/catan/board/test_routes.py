"""The longest route: the examples of the rules, and a search of all paths on random nets; who holds it."""

import random
from collections.abc import Collection

import pytest

from game_masters.catan.board.geometry import Net, classic_net, sea_net
from game_masters.catan.board.routes import chains, holder, longest
from game_masters.catan.setup.plans import classic_plan
from tests.game_masters.catan.scene import Scene, at
from tests.profile import sized

NET = classic_net(classic_plan(4).paths[0])
SEA = sea_net(18, 18)
NETS = sized(quick=400, deep=6000)


def brute(
    net: Net, roads: Collection[int], ships: Collection[int], own: Collection[int], foreign: Collection[int]
) -> int:
    """The longest trail by trying out all of them, written another way: a list of edges, extended at its last node."""
    edges = set(roads) | set(ships)
    best = 0
    waiting: list[tuple[tuple[int, ...], int]] = [((edge,), node) for edge in edges for node in net.edge_nodes[edge]]
    while waiting:
        trail, node = waiting.pop()
        best = max(best, len(trail))
        if node in foreign:
            continue
        for edge in edges - set(trail):
            if node not in net.edge_nodes[edge]:
                continue
            if (edge in ships) != (trail[-1] in ships) and node not in own:
                continue
            one, other = net.edge_nodes[edge]
            waiting.append(((*trail, edge), other if node == one else one))
    return best


def grown(net: Net, rng: random.Random, number: int) -> list[int]:
    """Edges that hang together, mostly."""
    edges = [rng.choice(sorted(net.edge_nodes))]
    while len(edges) < number:
        node = rng.choice(net.edge_nodes[rng.choice(edges)])
        edge = rng.choice(net.node_edges[node])
        if edge not in edges:
            edges.append(edge)
    return edges


@pytest.mark.parametrize("net", [NET, SEA], ids=["classic", "sea"])
def test_the_longest_route_is_that_of_a_search_of_all_trails(net: Net) -> None:
    rng = random.Random(4)
    for _ in range(NETS // 2):
        edges = grown(net, rng, rng.randint(1, 11))
        ships = {edge for edge in edges if rng.random() < 0.4} if net is SEA else set()
        nodes = sorted({node for edge in edges for node in net.edge_nodes[edge]})
        own = set(rng.sample(nodes, min(len(nodes), rng.randint(0, 4))))
        foreign = set(rng.sample(nodes, min(len(nodes), rng.randint(0, 3)))) - own
        roads = set(edges) - ships
        assert longest(net, roads, ships, own, foreign) == brute(net, roads, ships, own, foreign)


HEX = NET.hex_edges[0x75]


def test_a_loop_with_a_tail_counts_all() -> None:
    node = NET.hex_nodes[0x75][0]
    out = next(edge for edge in NET.node_edges[node] if edge not in HEX)
    beyond = NET.beyond(out, node)
    further = next(edge for edge in NET.node_edges[beyond] if edge != out)
    assert longest(NET, {*HEX, out, further}, (), (), ()) == 8


def test_a_foreign_building_parts_two_arms() -> None:
    edges = HEX
    middle = next(iter(set(NET.edge_nodes[edges[2]]) & set(NET.edge_nodes[edges[3]])))
    assert longest(NET, edges, (), (), {middle}) == 6, "round the loop it begins and ends there"
    assert longest(NET, edges[:4], (), (), {middle}) == 3


def test_roads_and_ships_join_at_own_buildings_only() -> None:
    hexes = SEA.hex_edges[0x506]
    more = [edge for edge in SEA.node_edges[SEA.hex_nodes[0x506][0]] if edge not in hexes]
    roads, ships = set(hexes[:4]), {*hexes[4:6]}
    node = next(iter(set(SEA.edge_nodes[hexes[3]]) & set(SEA.edge_nodes[hexes[4]])))
    assert more
    assert longest(SEA, roads, ships, (), ()) == 4
    assert longest(SEA, roads, ships, {node}, ()) == 6


@pytest.mark.parametrize(
    ("lengths", "present", "now"),
    [
        ({0: 4, 1: 4}, -1, -1),
        ({0: 5, 1: 4}, -1, 0),
        ({0: 5, 1: 5}, 0, 0),
        ({0: 5, 1: 5}, -1, -1),
        ({0: 6, 1: 7}, 0, 1),
        ({0: 4, 1: 6, 2: 6}, 0, -1),
        ({0: 4, 1: 6, 2: 5}, 0, 1),
        ({0: 4, 1: 3}, 0, -1),
        ({}, -1, -1),
    ],
)
def test_who_holds_the_longest_route(lengths: dict[int, int], present: int, now: int) -> None:
    assert holder(lengths, present, 5) == now


def test_a_settlement_in_the_middle_cuts_a_route() -> None:
    seats = {
        0: {"settlements": ["a5"], "roads": ["a5", "a6", "a7", "a8", "a9"]},
        3: {"settlements": ["da"], "roads": ["c9", "b8"], "hand": [1, 0, 1, 1, 1]},
    }
    seats[1], seats[2] = {"settlements": ["23"], "roads": []}, {"settlements": ["43"], "roads": []}
    scene = Scene(at(seats=seats, longest=0))
    assert scene.play.awards.route == 0
    said = scene.ask("f3:SOCPutPiece:game=test|playerNumber=3|pieceType=1|coord=b8")
    assert said[-2:] == ["all:SOCGameElements:game=test|e6=-1", "all:SOCGameState:game=test|state=20"]


def test_chains_of_ships_link_two_ends() -> None:
    a, b, c, d = SEA.hex_edges[0x506][:4]
    start = next(iter(set(SEA.edge_nodes[a]) - set(SEA.edge_nodes[b])))
    end = next(iter(set(SEA.edge_nodes[c]) - set(SEA.edge_nodes[b])))
    found = {ships for _, ships in chains(SEA, {a, b, c, d}, {start, end}, (), ())}
    assert found == {frozenset({a, b, c})}, "the branch d stays open"
    middle = next(iter(set(SEA.edge_nodes[a]) & set(SEA.edge_nodes[b])))
    assert not list(chains(SEA, {a, b, c, d}, {start, end}, (), {middle}))


def test_chains_of_ships_go_on_behind_a_village_but_not_behind_an_own_building() -> None:
    a, b, c = SEA.hex_edges[0x506][:3]
    start = next(iter(set(SEA.edge_nodes[a]) - set(SEA.edge_nodes[b])))
    middle = next(iter(set(SEA.edge_nodes[a]) & set(SEA.edge_nodes[b])))
    end = next(iter(set(SEA.edge_nodes[c]) - set(SEA.edge_nodes[b])))
    found = dict(chains(SEA, {a, b, c}, {start}, {middle, end}, ()))
    assert found == {middle: frozenset({a}), end: frozenset({a, b, c})}
    assert dict(chains(SEA, {a, b, c}, {start, middle}, {end}, ())) == {
        start: frozenset({a}), middle: frozenset({a}), end: frozenset({b, c}),
    }  # fmt: skip
    assert not list(chains(SEA, {b, c}, (), {middle, end}, ())), "two villages alone close nothing"
