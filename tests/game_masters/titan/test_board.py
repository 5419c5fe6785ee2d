"""The tables: lands, battlelands, creatures. Their figures are those printed on board and counters."""

from collections import Counter

import pytest

from game_masters.titan.battlelands import BATTLELANDS, ENTRIES, HEXES, NEIGHBOURS
from game_masters.titan.creatures import CHAINS, KINDS, START, value
from game_masters.titan.lands import LANDS, NEAR, TOWERS, opposite, spread_towers


def test_the_board_has_96_lands_of_eleven_terrains() -> None:
    assert len(LANDS) == 96
    assert Counter(land.terrain for land in LANDS.values()) == {
        "Brush": 18, "Plains": 15, "Marsh": 15, "Jungle": 10, "Desert": 7, "Swamp": 7, "Woods": 6, "Hills": 6,
        "Tower": 6, "Mountains": 3, "Tundra": 3,
    }  # fmt: skip


def test_the_board_has_180_exits() -> None:
    gates = Counter(exit.gate for land in LANDS.values() for exit in land.exits)
    assert gates == {"ARROWS": 84, "ARCH": 48, "ARROW": 30, "BLOCK": 18}


def test_every_land_has_neighbours_over_its_long_sides() -> None:
    for land in LANDS.values():
        assert len(land.neighbours) in (2, 3)
        assert all(side % 2 != land.inverted for side in land.neighbours) or all(
            side % 2 == (not land.inverted) for side in land.neighbours
        )
        for side, near in land.neighbours.items():
            assert LANDS[near].neighbours[opposite(side)] == land.label


def turned(label: str) -> str:
    """The land to which a sixth of a turn of the board leads: seven on along both tracks, one of towers and middle."""
    number = int(label)
    for first in (1, 101):
        if number in range(first, first + 42):
            return str((number - first + 7) % 42 + first)
    ring = 1000 if number >= 1000 else 100
    return str((number // ring) % 6 * ring + ring)


def test_a_sixth_of_a_turn_leads_each_gate_to_one_of_its_kind() -> None:
    for label, land in LANDS.items():
        there = {(exit.to, exit.gate) for exit in LANDS[turned(label)].exits}
        assert {(turned(exit.to), exit.gate) for exit in land.exits} == there


def test_every_land_can_be_reached_from_every_tower() -> None:
    for tower in TOWERS:
        reached, edge = {tower}, [tower]
        while edge:
            for exit in LANDS[edge.pop()].exits:
                if exit.to not in reached:
                    reached.add(exit.to)
                    edge.append(exit.to)
        assert len(reached) == 96


def test_43_lands_lie_within_six_steps_of_a_tower_two_of_them_towers() -> None:
    for tower in TOWERS:
        assert len(NEAR[tower]) == 43
        assert sum(LANDS[label].tower for label in NEAR[tower]) == 2


@pytest.mark.parametrize(("players", "apart"), [(2, {3}), (3, {2}), (6, {1})])
def test_balanced_towers_are_as_far_apart_as_they_can_be(players: int, apart: set[int]) -> None:
    for shift in range(6):
        places = sorted(TOWERS.index(tower) for tower in spread_towers(players, shift))
        assert {after - before for before, after in zip(places, [*places[1:], places[0] + 6], strict=True)} == apart


def test_a_battleland_has_27_hexes_and_63_pairs_of_neighbours() -> None:
    assert len(HEXES) == 27
    assert sum(len(sides) for sides in NEIGHBOURS.values()) == 2 * 63
    assert len(BATTLELANDS) == 11


def test_the_hazards_of_the_battlelands() -> None:
    sides = {
        terrain: Counter(hazard for ground in land.special.values() for hazard in (ground.sides or {}).values())
        for terrain, land in BATTLELANDS.items()
    }
    assert sides["Desert"] == {"Dune": 14, "Cliff": 4}
    assert sides["Hills"] == {"Slope": 25}
    assert sides["Mountains"] == {"Slope": 38, "Cliff": 3}
    assert sides["Tower"] == {"Wall": 24}
    assert not any(sides[terrain] for terrain in ("Brush", "Jungle", "Marsh", "Plains", "Swamp", "Tundra", "Woods"))


def test_entries_lie_on_the_edge_and_across_from_each_other() -> None:
    for sides in ENTRIES.values():
        assert [len(hexes) for hexes in sides.values()] == [4, 3]
        assert all(len(NEIGHBOURS[hex]) < 6 for hexes in sides.values() for hex in hexes)


def test_there_are_424_tokens_of_24_kinds() -> None:
    assert (len(KINDS), sum(kind.count for kind in KINDS.values())) == (24, 424)


def test_the_first_legion_is_worth_120_points() -> None:
    assert (len(START), value(START, 0)) == (8, 120)


def test_a_creature_is_at_home_where_it_can_be_mustered() -> None:
    """But for the Volcano, which is the Dragon's alone."""
    for name, kind in KINDS.items():
        homes = [terrain for terrain, chain in CHAINS.items() if name in [link.creature for link in chain]]
        found = {
            hazard
            for terrain in homes
            for ground in BATTLELANDS[terrain].special.values()
            for hazard in (ground.surface, *(ground.sides or {}).values())
        } - {"Plain", "Tree", "Cliff", "Tower", "Wall"}
        if name != "Dragon":
            found -= {"Volcano"}
        assert kind.native == (found if kind.rank == "creature" else frozenset()), name
