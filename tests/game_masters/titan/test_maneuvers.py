"""Maneuvers in battle, by the clauses of the rules."""

from dataclasses import replace

import pytest

from game_masters.titan.battlelands import BATTLELANDS, ENTRIES, HEXES, NEIGHBOURS, Ground
from game_masters.titan.creatures import KINDS
from game_masters.titan.maneuvers import landing_cost, may_fly_over, step_cost
from game_masters.titan.position import BattlePhase, Position, Settings, Window
from tests.game_masters.titan.table import Arena

MANEUVER = BattlePhase.MANEUVER


def arena(terrain: str, attackers: str, defenders: str, side: str = "attacker", **more: object) -> Arena:
    return Arena(terrain, attackers, defenders, side=side, phase=MANEUVER, **more)  # type: ignore[arg-type]


def test_a_creature_moves_up_to_its_skill_or_stays() -> None:
    there = arena("Plains", "Ogre:D3", "Ogre:A1").goes("D3")
    assert "D5" in there
    assert "D6" not in there
    assert "D6" in arena("Plains", "Lion:D3", "Ogre:A1").goes("D3")


def test_who_is_in_contact_may_not_move() -> None:
    battle = arena("Plains", "Ogre:D3", "Ogre:D4")
    battle.refuses('<maneuver startHex="D3" endHex="D2"/>', "the Ogre on D3 is in contact with an enemy")


def test_nothing_has_to_stop_beside_an_enemy() -> None:
    assert "D6" in arena("Plains", "Lion:D3", "Ogre:E4").goes("D3")


def test_on_foot_nobody_passes_others_in_the_air_one_does() -> None:
    ring = " ".join(f"Ogre:{hex}" for hex in NEIGHBOURS["A1"].values())
    assert not arena("Plains", f"Centaur:A1 {ring}", "Ogre:F4").goes("A1")
    assert "C3" in arena("Plains", f"Griffon:A1 {ring}", "Ogre:F4").goes("A1")


def test_a_move_can_be_taken_back_unless_its_place_is_taken() -> None:
    battle = arena("Plains", "Ogre:D2 Ogre:D1", "Ogre:A3")
    battle.does('<maneuver startHex="D2" endHex="D3"/>', '<maneuver startHex="D1" endHex="D2"/>')
    battle.refuses('<undoManeuver hex="D3"/>', "D2 is taken")
    battle.refuses('<maneuver startHex="D2" endHex="E2"/>', "the Ogre on D2 has moved")
    assert battle.does('<undoManeuver hex="D2"/>', '<undoManeuver hex="D3"/>')[-1] == '<undoManeuver hex="D3"/>'
    assert battle.at("D2").start == "D2"
    battle.refuses('<undoManeuver hex="D2"/>', "has not moved in this phase")


def test_where_nobody_is_nobody_moves() -> None:
    battle = arena("Plains", "Ogre:D2", "Ogre:A3")
    battle.refuses('<maneuver startHex="E1" endHex="E2"/>', "no creature is on E1")
    battle.refuses('<maneuver startHex="A3" endHex="A2"/>', "belongs to the other side")
    battle.refuses('<maneuver startHex="D2" endHex="A3"/>', "a Ogre is on A3")
    battle.refuses('<maneuver startHex="D2" endHex="G1"/>', "endHex 'G1' is no hex")
    battle.refuses('<enter creature="Ogre" hex="D1"/>', "no 'Ogre' is off the board; there are none")


# --- coming in --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry_side", ["right", "bottom", "left"])
@pytest.mark.parametrize("side", ["attacker", "defender"])
def test_each_side_comes_in_over_its_own_edge(entry_side: str, side: str) -> None:
    sides = {"attacker": "Ogre:-", "defender": "Ogre:-"}
    battle = arena("Plains", sides["attacker"], sides["defender"], side=side)
    battle.position = _entered(battle, entry_side)
    first = set(ENTRIES[entry_side][side])
    second = {near for hex in first for near in NEIGHBOURS[hex].values()}
    assert battle.goes("-") == first | second


def _entered(battle: Arena, entry_side: str) -> Position:
    return replace(battle.position, battle=replace(battle.battle, entry_side=entry_side))


def test_the_first_step_costs_what_the_hex_costs() -> None:
    """In the Desert, A1 and A2 are sand: two points for an Ogre, one for a Lion."""
    battle = arena("Desert", "Ogre:F1", "Ogre:-", side="defender")
    battle.position = _entered(battle, "right")
    assert "A1" in battle.goes("-")
    assert not battle.goes("-") & (set(NEIGHBOURS["A1"].values()) - {"A2", "A3", "B3", "B4"})


def test_a_defender_in_a_tower_is_placed_on_its_walls() -> None:
    battle = arena("Tower", "Ogre:-", "Ogre:- Titan:-", side="defender")
    assert battle.goes("-") == {"C3", "C4", "D3", "D4", "D5", "E3", "E4"}
    battle.does('<enter creature="Ogre" hex="D4"/>')
    battle.refuses('<enter creature="Titan" hex="D4"/>', "a Ogre is on D4")
    battle.refuses('<maneuver startHex="D4" endHex="D5"/>', "has moved")


def test_an_attacker_of_a_tower_comes_from_below_and_later_defenders_from_above() -> None:
    battle = arena("Tower", "Centaur:-", "Ogre:D4")
    assert {"A1", "B1", "C1", "D1"} <= battle.goes("-")
    battle = arena("Tower", "Centaur:A1", "Ogre:D4 Gargoyle:-", side="defender", turn=4)
    assert {"D6", "E5", "F4"} <= battle.goes("-")
    assert "A1" not in battle.goes("-")


def test_who_is_left_off_the_board_dies() -> None:
    battle = arena("Plains", "Ogre:A1 Ogre:A2", "Lion:- Centaur:F4", side="defender")
    said = battle.does("<doneManeuvering/>")
    assert said[0] == ('<doneManeuvering><losses legion="Bu01"><creature name="Lion"/></losses></doneManeuvering>')
    assert battle.battle.fallen == (("defender", "Lion"),)
    assert not battle.battle.defender_killed, "that opens no window for a summons"
    assert battle.position.dead["Lion"] == 1


# --- what a step costs ------------------------------------------------------------------------------------------------

USUAL = Settings()


@pytest.mark.parametrize(
    ("terrain", "creature", "hex", "cost"),
    [
        ("Brush", "Gargoyle", "B2", 1), ("Brush", "Ogre", "B2", 2), ("Tundra", "Troll", "C4", 1),
        ("Tundra", "Lion", "C4", 2), ("Desert", "Lion", "A1", 1), ("Desert", "Ogre", "A1", 2),
        ("Marsh", "Ogre", "C2", 1), ("Marsh", "Lion", "C2", None), ("Mountains", "Lion", "D4", None),
        ("Mountains", "Dragon", "D4", 1), ("Woods", "Unicorn", "C3", None), ("Plains", "Ogre", "C3", 1),
        ("Tower", "Titan", "A1", 1),
    ],
)  # fmt: skip
def test_surfaces_on_foot(terrain: str, creature: str, hex: str, cost: int | None) -> None:
    assert step_cost(BATTLELANDS[terrain], KINDS[creature], None, hex, USUAL) == cost


@pytest.mark.parametrize(
    ("terrain", "hazard", "creature", "up", "down"),
    [
        ("Hills", "Slope", "Lion", 1, 1), ("Hills", "Slope", "Titan", 2, 1), ("Tower", "Wall", "Titan", 2, 1),
        ("Tower", "Wall", "Minotaur", 2, 1), ("Desert", "Cliff", "Lion", None, None),
    ],
)  # fmt: skip
def test_sides_on_foot(terrain: str, hazard: str, creature: str, up: int | None, down: int | None) -> None:
    land, kind = BATTLELANDS[terrain], KINDS[creature]
    high, low = next(
        (hex, near)
        for hex in HEXES
        for near in NEIGHBOURS[hex].values()
        if land.going_down(hex, near) == hazard
        and {land.surface(hex), land.surface(near)} <= {"Plain", "Tower", "Sand"}
    )
    sand = sum(land.surface(hex) == "Sand" and "Sand" not in kind.native for hex in (high,))
    assert step_cost(land, kind, low, high, USUAL) == (None if up is None else up + sand)
    assert step_cost(land, kind, high, low, USUAL) == down


def test_dunes_cost_nothing() -> None:
    land, kind = BATTLELANDS["Desert"], KINDS["Lion"]
    crest, foot = next((a, b) for a in HEXES for b in NEIGHBOURS[a].values() if land.going_down(a, b) == "Dune")
    assert step_cost(land, kind, foot, crest, USUAL) == step_cost(land, kind, crest, foot, USUAL) == 1


@pytest.mark.parametrize(
    ("terrain", "creature", "hex", "cost", "over"),
    [
        ("Desert", "Gargoyle", "A1", 1, True), ("Brush", "Angel", "B2", 2, True), ("Brush", "Gorgon", "B2", 1, True),
        ("Marsh", "Angel", "C2", None, True), ("Marsh", "Ranger", "C2", 1, True), ("Woods", "Angel", "C3", None, True),
        ("Mountains", "Angel", "D4", None, False), ("Mountains", "Dragon", "D4", 1, True),
    ],
)  # fmt: skip
def test_in_the_air(terrain: str, creature: str, hex: str, cost: int | None, over: bool) -> None:
    land, kind = BATTLELANDS[terrain], KINDS[creature]
    assert landing_cost(land, kind, hex) == cost
    assert may_fly_over(land, kind, hex) == over


def test_slowed_twice_costs_three_points_with_the_option_and_two_without() -> None:
    land = BATTLELANDS["Plains"]
    assert step_cost(land, KINDS["Ogre"], None, "C3", Settings(cumulative_slow=False)) == 1
    steep = replace(land, special={"C4": Ground("Bramble", 1, {3: "Slope"})})
    assert step_cost(steep, KINDS["Titan"], "C3", "C4", USUAL) == 3
    assert step_cost(steep, KINDS["Titan"], "C3", "C4", Settings(cumulative_slow=False)) == 2


# --- drift ------------------------------------------------------------------------------------------------------------


def test_drift_hurts_strangers_of_both_sides_at_the_beginning_of_strikes() -> None:
    battle = arena("Tundra", "Lion:C4 Warbear:C2", "Ogre:E4 Giant:F2")
    said = battle.does("<doneManeuvering/>")
    assert said[:3] == ["<doneManeuvering/>", '<drift hex="C4"/>', '<drift hex="E4"/>']
    assert (battle.at("C4").hits, battle.at("C2").hits) == (1, 0)


def test_who_died_in_the_drift_still_strikes() -> None:
    battle = arena("Tundra", "Lion:C4 Ogre:A3", "Ogre:C3 Ogre:F4", hits={"C4": 4}, dice=[6] * 20)
    battle.does("<doneManeuvering/>")
    assert not battle.position.alive(battle.at("C4"))
    battle.does('<strike strikerHex="C4" targetHex="C3"/>')
    assert battle.battle.at("C4") is None
    assert battle.at("C3").hits == 5


# --- summons and reinforcements in the battle -------------------------------------------------------------------------


def test_the_window_for_a_summons_opens_once_after_a_kill_and_closes() -> None:
    battle = arena("Plains", "Serpent:D3 Ogre:A1", "Ogre:D4 Ogre:F4", dice=[6] * 60)
    battle.refuses('<summon summoner="Rd01" donor="Rd02" creature="Angel"/>', "no creature of the defender")
    battle.does("<doneManeuvering/>", '<strike strikerHex="D3" targetHex="D4"/>')
    battle.does('<strike strikerHex="D4" targetHex="D3"/>')
    assert battle.battle.side == "defender"
    battle.refuses('<summon summoner="Rd01" donor="Rd02" creature="Angel"/>', "only the attacker|belongs to ann")
    battle.does("<doneManeuvering/>")
    assert str(battle.battle.window) == Window.OPEN
    battle.refuses('<summon summoner="Rd01" donor="Rd02" creature="Angel"/>', "there is no legion 'Rd02'")
    battle.does("<doneManeuvering/>", "<doneManeuvering/>")
    assert str(battle.battle.window) == Window.GONE
    battle.refuses('<summon summoner="Rd01" donor="Rd02" creature="Angel"/>', "the time to summon .* is over")


def test_the_defender_is_reinforced_in_battle_turn_four_only() -> None:
    battle = arena("Plains", "Ogre:A1", "Centaur:F4 Ogre:F3", side="defender", turn=3)
    battle.refuses('<recruit legion="Bu01" recruit="Centaur"/>', "only in battle turn 4, and this is 3")
    battle = arena("Plains", "Ogre:A1", "Centaur:F4 Ogre:F3", side="defender", turn=4)
    said = battle.does('<recruit legion="Bu01" recruit="Centaur"/>')
    assert said == ['<recruit legion="Bu01" recruit="Centaur" recruiter="Centaur" number="1"/>']
    battle.refuses('<recruit legion="Bu01" recruit="Centaur"/>', "the defender has been reinforced")
    assert battle.does('<undoRecruit legion="Bu01"/>') == ['<undoRecruit legion="Bu01"/>']
    battle.does('<recruit legion="Bu01" recruit="Centaur"/>', '<enter creature="Centaur" hex="E5"/>')
    battle.refuses('<undoRecruit legion="Bu01"/>', "no reinforcement of this phase is off the board")


def test_a_reinforcement_that_stays_off_the_board_goes_back() -> None:
    battle = arena("Plains", "Ogre:A1", "Centaur:F4 Ogre:F3", side="defender", turn=4)
    said = battle.does('<recruit legion="Bu01" recruit="Centaur"/>', "<doneManeuvering/>")
    assert said[1:3] == [
        '<doneManeuvering><losses legion="Bu01" returned="true"><creature name="Centaur"/></losses></doneManeuvering>',
        '<undoRecruit legion="Bu01"/>',
    ]
    assert battle.position.legions["Bu01"].height == 2
    assert battle.position.stock["Centaur"] == KINDS["Centaur"].count
    assert not battle.battle.fallen
