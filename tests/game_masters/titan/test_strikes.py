"""Strikes, carries and rangestrikes, by the clauses of the rules, with the numbers printed in them."""

from itertools import product
from pathlib import Path

import pytest

from game_masters.titan.battlelands import BATTLELANDS, HEXES, NEIGHBOURS, distance
from game_masters.titan.creatures import KINDS
from game_masters.titan.play import LOADED
from game_masters.titan.position import BattlePhase, Settings
from game_masters.titan.strikes import aimed, melee
from tests.game_masters.titan.table import Arena

GOLDEN = Path(__file__).parents[2] / "golden" / "titan" / "combat.txt"


@pytest.mark.parametrize(
    ("striker", "target", "number"),
    [
        ("Ogre", "Troll", 4), ("Ogre", "Lion", 5), ("Ogre", "Centaur", 6),
        ("Lion", "Ogre", 3), ("Lion", "Hydra", 4), ("Lion", "Unicorn", 5),
        ("Centaur", "Ogre", 2), ("Centaur", "Lion", 3), ("Centaur", "Angel", 4),
    ],
)  # fmt: skip
def test_the_plain_table_of_strike_numbers(striker: str, target: str, number: int) -> None:
    arena = Arena("Plains", f"{striker}:C3", f"{target}:C4", side="attacker")
    assert arena.terms("C3", "C4") == [(KINDS[striker].power, number)]


def test_combat_numbers_of_every_pair_of_creatures_in_every_terrain() -> None:
    assert "\n".join(combat_table()) + "\n" == GOLDEN.read_text(encoding="utf-8")


def combat_table() -> list[str]:
    """For each terrain and each kind of step in it: a row for each striker, a column for each target."""
    lines = ["targets " + " ".join(KINDS)]
    for terrain, land in BATTLELANDS.items():
        seen: dict[tuple[str, str, str | None, str | None], tuple[str, str]] = {}
        for origin in HEXES:
            for hex in NEIGHBOURS[origin].values():
                down, up = land.going_down(origin, hex), land.going_up(origin, hex)
                if not land.cliff(origin, hex):
                    seen.setdefault((land.surface(origin), land.surface(hex), down, up), (origin, hex))
        for (here, there, down, up), (origin, hex) in sorted(seen.items(), key=str):
            side = f", down {down}" if down else f", up {up}" if up else ""
            lines.append(f"{terrain}: {here} to {there}{side}")
            for striker in KINDS:
                found = (melee(land, KINDS[striker].power, striker, origin, target, hex) for target in KINDS)
                lines.append(f"{striker} " + " ".join(f"{dice}/{number}" for dice, number in found))
    return lines


# --- terrain ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terrain", "striker", "target", "terms"),
    [
        # A Dragon in the Volcano has two more dice, and one more down a slope.
        ("Mountains", "Dragon:D4", "Ogre:D3", (12, 3)),
        ("Mountains", "Minotaur:D4", "Ogre:D3", (5, 2)),
        ("Mountains", "Ogre:D3", "Dragon:D4", (6, 5)),
        ("Mountains", "Behemoth:D3", "Dragon:D4", (8, 5)),
        # Bramble: strangers strike worse out of it, and worse at natives in it.
        ("Brush", "Lion:B2", "Ogre:B1", (5, 4)),
        ("Brush", "Cyclops:B2", "Ogre:B1", (9, 4)),
        ("Brush", "Ogre:B1", "Gargoyle:B2", (6, 6)),
        ("Brush", "Lion:B1", "Cyclops:B2", (5, 4)),
        ("Brush", "Lion:B1", "Ogre:B2", (5, 3)),
        # Walls work the same for everybody.
        ("Tower", "Lion:D4", "Ogre:D5", (5, 2)),
        ("Tower", "Lion:D5", "Ogre:D4", (5, 4)),
        ("Tower", "Ogre:D5", "Angel:D4", (6, 6)),
        # Sand, bog and drift mean nothing to a strike.
        ("Marsh", "Ogre:C2", "Lion:C1", (6, 5)),
        ("Tundra", "Lion:C4", "Ogre:C3", (5, 3)),
    ],
)
def test_terrain_changes_a_strike(terrain: str, striker: str, target: str, terms: tuple[int, int]) -> None:
    arena = Arena(terrain, striker, target, side="attacker")
    assert arena.terms(striker.split(":")[1], target.split(":")[1]) == [terms]


def test_dunes_help_natives_down_and_hinder_strangers_up() -> None:
    land = BATTLELANDS["Desert"]
    crest, foot = next(
        (hex, near) for hex in HEXES for near in NEIGHBOURS[hex].values() if land.going_down(hex, near) == "Dune"
    )
    assert melee(land, 5, "Lion", crest, "Ogre", foot) == (7, 3)
    assert melee(land, 6, "Ogre", crest, "Lion", foot) == (6, 5)
    assert melee(land, 6, "Ogre", foot, "Lion", crest) == (5, 5)
    assert melee(land, 5, "Lion", foot, "Ogre", crest) == (5, 3)


def test_no_contact_across_a_cliff() -> None:
    land = BATTLELANDS["Desert"]
    top, foot = next((hex, near) for hex in HEXES for near in NEIGHBOURS[hex].values() if land.cliff(hex, near))
    arena = Arena("Desert", f"Ogre:{top}", f"Ogre:{foot}", side="attacker")
    assert not arena.terms(top, foot)


def test_a_titan_strikes_with_its_present_power() -> None:
    assert Arena("Plains", "Titan:C3", "Ogre:C4", side="attacker", scores=[530, 0]).terms("C3", "C4") == [(11, 2)]


# --- strikes and carries ----------------------------------------------------------------------------------------------


def test_hits_count_dice_that_show_the_number() -> None:
    arena = Arena("Plains", "Lion:D3 Ogre:A1", "Hydra:D4 Ogre:F1", side="attacker", dice=[6, 3, 1, 5, 4])
    said = arena.does('<strike strikerHex="D3" targetHex="D4"/>')
    assert said[0] == (
        '<strike strikerHex="D3" targetHex="D4" dice="5" strike="4" hits="3" carries="0"><rolls>6 3 1 5 4</rolls>'
        "<carryHexes/></strike>"
    )
    assert arena.at("D4").hits == 3


def test_who_is_in_contact_must_strike_once() -> None:
    arena = Arena("Plains", "Lion:D3 Lion:C3 Ogre:A1", "Hydra:D4 Ogre:F4", side="attacker", dice=[1] * 10)
    arena.refuses("<doneStriking/>", "these still have to strike: Lion on D3, Lion on C3")
    arena.does('<strike strikerHex="D3" targetHex="D4"/>')
    arena.refuses('<strike strikerHex="D3" targetHex="D4"/>', "the Lion on D3 has struck in this phase")
    arena.refuses('<strike strikerHex="C3" targetHex="F4"/>', "cannot strike the Ogre on F4; its targets: D4")
    arena.refuses('<strike strikerHex="C3" targetHex="D3"/>', "is on the same side")
    arena.refuses('<strike strikerHex="D4" targetHex="D3"/>', "belongs to the other side")
    arena.refuses('<strike strikerHex="B4" targetHex="D3"/>', "no creature is on B4")
    arena.refuses('<strike strikerHex="Z9" targetHex="D3"/>', "strikerHex 'Z9' is no hex")


def test_surplus_hits_go_on_to_others_that_are_struck_as_easily() -> None:
    arena = Arena("Plains", "Serpent:D3 Ogre:A1", "Ogre:D4 Ogre:C3 Lion:E3", side="attacker", dice=[6] * 18)
    said = arena.does('<strike strikerHex="D3" targetHex="D4" dice="18" strike="4"/>')
    assert said[0].startswith('<strike strikerHex="D3" targetHex="D4" dice="18" strike="4" hits="18" carries="12">')
    assert said[0].endswith("<carryHexes>C3</carryHexes></strike>")
    arena.refuses('<carry targetHex="E3" hits="1"/>', "hits can be carried to C3")
    arena.refuses('<carry targetHex="C3" hits="13"/>', "1 to 12 can be carried")
    assert arena.does('<carry targetHex="C3" hits="12"/>')[0] == (
        '<carry targetHex="C3" hits="6" carries="0"><carryHexes/></carry>'
    )
    assert not arena.position.alive(arena.at("C3"))


def test_a_worse_strike_opens_more_carries() -> None:
    arena = Arena("Plains", "Serpent:D3 Ogre:A1", "Ogre:D4 Lion:E3 Angel:C3", side="attacker", dice=[6] * 18)
    assert arena.terms("D3", "D4") == [(18, 4), (18, 5), (18, 6)]
    arena.refuses('<strike strikerHex="D3" targetHex="D4" dice="17"/>', "possible are dice 18 strike 4")
    said = arena.does('<strike strikerHex="D3" targetHex="D4" strike="6"/>')
    assert said[0].endswith("<carryHexes>C3 E3</carryHexes></strike>")
    assert arena.does('<carry targetHex="E3" hits="2"/>')[0] == (
        '<carry targetHex="E3" hits="2" carries="10"><carryHexes>C3 E3</carryHexes></carry>'
    )
    assert arena.does('<carry targetHex="C3" hits="0"/>')[0] == (
        '<carry targetHex="C3" hits="0" carries="0"><carryHexes/></carry>'
    )


def test_a_strike_that_cannot_have_a_surplus_has_no_options() -> None:
    assert Arena("Plains", "Ogre:D3", "Troll:D4 Lion:E3", side="attacker").terms("D3", "D4") == [(6, 4)]


def test_another_request_drops_what_could_be_carried() -> None:
    arena = Arena("Plains", "Serpent:D3 Serpent:A1", "Ogre:D4 Ogre:C3 Ogre:F4", side="attacker", dice=[6] * 18)
    arena.does('<strike strikerHex="D3" targetHex="D4"/>')
    assert arena.position.asked is not None
    assert arena.position.asked.awaiting == "carry"
    arena.does("<doneStriking/>")
    assert arena.at("C3").hits == 0


def test_a_carry_goes_up_a_dune_only_if_the_strike_went_up_one() -> None:
    land = BATTLELANDS["Desert"]
    found = 0
    for hex in HEXES:
        near = [one for one in NEIGHBOURS[hex].values() if not land.cliff(hex, one)]
        up = [one for one in near if land.going_up(hex, one) == "Dune"]
        level = [one for one in near if not land.going_up(hex, one)]
        for crest, other in product(up, level):
            if any(land.surface(one) == "Tree" for one in (crest, other)):
                continue
            arena = Arena(
                "Desert", f"Serpent:{hex}", f"Ogre:{other} Ogre:{crest}", side="attacker", dice=[6] * 20
            )  # fmt: skip
            arena.does(f'<strike strikerHex="{hex}" targetHex="{other}" dice="{arena.terms(hex, other)[0][0]}"/>')
            assert arena.battle.carry is None or crest not in arena.battle.carry.hexes
            found += 1
    assert found


def test_the_dead_strike_back_and_are_no_targets() -> None:
    arena = Arena("Plains", "Serpent:D3", "Ogre:D4 Ogre:F4", side="attacker", dice=[6] * 30)
    said = arena.does('<strike strikerHex="D3" targetHex="D4"/>')
    assert said[1] == "<doneStriking/>"
    assert arena.battle.phase is BattlePhase.STRIKEBACK
    arena.does('<strike strikerHex="D4" targetHex="D3"/>')
    assert arena.battle.at("D4") is None, "removed after the strikes back"
    assert arena.at("D3").hits == 6


def test_the_end_of_the_strikes_back_names_the_dead_and_where_they_lay() -> None:
    arena = Arena("Plains", "Serpent:D3 Titan:A1", "Ogre:D4 Ogre:F4 Titan:F1", side="attacker", dice=[6] * 60)
    said = arena.does('<strike strikerHex="D3" targetHex="D4"/>')
    assert said[-1] == "<doneStriking/>", "they are on the map until the strikes back are over"
    said = arena.does('<strike strikerHex="D4" targetHex="D3"/>')
    assert '<doneStriking><losses legion="Bu01" hexes="D4"><creature name="Ogre"/></losses></doneStriking>' in said
    assert arena.battle.at("D4") is None


def test_loaded_dice_show_one_row_over_and_over() -> None:
    settings = Settings(non_random_battle_dice=True)
    arena = Arena("Plains", "Serpent:D3", "Serpent:D4 Ogre:F4", side="attacker", settings=settings)
    (first, *_) = arena.does('<strike strikerHex="D3" targetHex="D4"/>')
    assert " ".join(map(str, LOADED * 3)) in first
    (second, *_) = arena.does('<strike strikerHex="D4" targetHex="D3"/>')
    assert " ".join(map(str, LOADED * 3)) in second
    assert arena.position.dice == 36


# --- rangestrikes -----------------------------------------------------------------------------------------------------


def shot(terrain: str, striker: str, target: str, occupied: str = "") -> tuple[int, int] | None:
    (name, origin), (other, hex) = striker.split(":"), target.split(":")
    found = aimed(
        BATTLELANDS[terrain], KINDS[name].power, name, origin, other, hex, {origin, hex, *occupied.split()}
    )  # fmt: skip
    return tuple(found) if found is not None else None  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("striker", "target", "terms"),
    [
        ("Ranger:D2", "Ogre:D4", (2, 2)),  # half the power; range 3
        ("Ranger:D1", "Ogre:D4", (2, 3)),  # range 4: one worse
        ("Gorgon:D1", "Ogre:D4", None),  # skill is the greatest range
        ("Gorgon:D1", "Ogre:D3", (3, 3)),
        ("Ranger:D1", "Titan:D3", None),  # no lords
        ("Ranger:D1", "Angel:D3", None),
        ("Ranger:D1", "Guardian:D3", (2, 2)),
        ("Warlock:D1", "Titan:D3", (2, 4)),
        ("Warlock:D1", "Ogre:D4", (2, 2)),
        ("Ogre:D1", "Ogre:D3", None),
        ("Ranger:D1", "Ogre:D5", None),
    ],
)
def test_rangestrikes_on_the_plains(striker: str, target: str, terms: tuple[int, int] | None) -> None:
    assert shot("Plains", striker, target) == terms


def test_a_creature_between_blocks_the_view_but_not_a_magic_missile() -> None:
    assert shot("Plains", "Ranger:D1", "Ogre:D3", "D2") is None
    assert shot("Plains", "Warlock:D1", "Ogre:D3", "D2") == (2, 2)


def test_along_a_side_one_open_way_is_enough() -> None:
    tried = 0
    for origin, hex in product(HEXES, HEXES):
        ways = sorted(set(NEIGHBOURS[origin].values()) & set(NEIGHBOURS[hex].values()))
        if distance(origin, hex) == 2 and len(ways) == 2:
            free = shot("Plains", f"Ranger:{origin}", f"Ogre:{hex}")
            assert free == (2, 2)
            assert [shot("Plains", f"Ranger:{origin}", f"Ogre:{hex}", way) for way in ways] == [free, free]
            assert shot("Plains", f"Ranger:{origin}", f"Ogre:{hex}", " ".join(ways)) is None
            tried += 1
    assert tried > 20


def test_bramble_between_hampers_strangers() -> None:
    assert shot("Brush", "Ranger:C3", "Ogre:C5") == (2, 3)  # over C4
    assert shot("Brush", "Gorgon:C3", "Ogre:C5") == (3, 3)  # at home there
    assert shot("Brush", "Ranger:B1", "Cyclops:B2") is None


def test_trees_block_the_view() -> None:
    assert shot("Woods", "Ranger:C2", "Ogre:C4") is None  # C3 is a tree


def test_a_target_behind_walls_above_is_harder() -> None:
    assert shot("Tower", "Ranger:D6", "Ogre:D4") is None  # up over the wall of the hex between
    assert shot("Tower", "Ranger:D1", "Ogre:D3") == (2, 3)  # one level higher
    assert shot("Tower", "Ranger:D3", "Ogre:D5") is None  # over the keep in the middle, which is higher


def test_a_rangestriker_beside_an_enemy_may_not_aim() -> None:
    arena = Arena("Plains", "Ranger:D2", "Ogre:D4 Ogre:D3", side="attacker")
    assert arena.terms("D2", "D3") == [(4, 2)]
    assert not arena.terms("D2", "D4")


def test_a_rangestriker_whose_neighbours_were_killed_in_this_phase_may_not_aim_either() -> None:
    arena = Arena("Plains", "Ranger:D2 Serpent:D4", "Ogre:D3 Ogre:B2", side="attacker", dice=[6] * 30)
    said = arena.does('<strike strikerHex="D4" targetHex="D3"/>')
    assert said[1] == "<doneStriking/>", "the Ranger cannot strike any more"
    arena = Arena("Plains", "Ranger:D2 Serpent:D5", "Ogre:D4 Ogre:B2", side="attacker", dice=[6] * 30)
    arena.does('<strike strikerHex="D5" targetHex="D4"/>')
    assert arena.terms("D2", "B2") == [(2, 2)]


def test_no_rangestrikes_in_strikes_back_and_none_carries() -> None:
    arena = Arena("Plains", "Ranger:D2", "Ogre:D4", side="defender", phase=BattlePhase.STRIKEBACK)
    assert not arena.terms("D2", "D4")
    arena = Arena("Plains", "Dragon:D2 Ogre:A1", "Ogre:D4 Ogre:F4", side="attacker", dice=[6] * 5, hits={"D4": 5})
    said = arena.does('<strike strikerHex="D2" targetHex="D4"/>')
    assert 'carries="0"' in said[0]


def test_a_phase_without_any_possible_strike_ends_by_itself() -> None:
    arena = Arena("Plains", "Ogre:D2 Lion:A1", "Ogre:D5", side="attacker", phase=BattlePhase.MANEUVER)
    assert arena.does("<doneManeuvering/>") == ["<doneManeuvering/>", "<doneStriking/>", "<doneStriking/>"]
    assert arena.battle.turn == 2
