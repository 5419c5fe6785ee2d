"""Positions that come up once in many games: summons that come to nothing, Titans that fall in odd ways, few angels."""

from dataclasses import replace

import pytest

from game_masters.titan.battlelands import BATTLELANDS
from game_masters.titan.creatures import KINDS, ordered
from game_masters.titan.history import after
from game_masters.titan.lands import TOWERS, spread_towers
from game_masters.titan.maneuvers import destinations
from game_masters.titan.messages import Points
from game_masters.titan.position import BattlePhase, Legion, Window
from game_masters.titan.rules import Termination
from game_masters.titan.strikes import aimed
from tests.game_masters.titan.table import PREFIXES, Arena, House, asked_of, legion

MANEUVER = BattlePhase.MANEUVER


def with_legion(arena: Arena, seat: int, number: int, hex: str, creatures: str) -> Arena:
    """The arena, with another legion on the masterboard."""
    marker = f"{PREFIXES[seat]}{number:02}"
    other = Legion(marker, seat, hex, ordered(creatures.split()), hex)
    player = arena.position.players[seat]
    position = arena.position.with_player(seat, markers=tuple(one for one in player.markers if one != marker))
    arena.position = asked_of(position.with_legions(other))
    return arena


def calling(attackers: str = "Ogre:A1 Ogre:A2", defenders: str = "Ogre:F4 Ogre:F3", **battle: object) -> Arena:
    """Ann may call Rd02's angel into the battle."""
    given = {"side": "attacker", "phase": MANEUVER, "window": Window.OPEN, "defender_killed": True, **battle}
    return with_legion(Arena("Plains", attackers, defenders, **given), 0, 2, "20", "Angel Lion")  # type: ignore[arg-type]


CALL = '<summon summoner="Rd01" donor="Rd02" creature="Angel"/>'

# --- summons in battle ------------------------------------------------------------------------------------------------


def test_a_summoned_angel_comes_onto_the_map_in_the_same_phase() -> None:
    arena = calling()
    assert arena.does(CALL) == [CALL]
    arena.refuses(CALL, "something was summoned this turn")
    arena.does('<enter creature="Angel" hex="B1"/>', "<doneManeuvering/>")
    assert arena.at("B1").creature == "Angel"
    assert arena.position.legions["Rd02"].creatures == ("Lion",)
    assert arena.battle.window is Window.GONE


def test_a_summoned_angel_that_stays_off_the_map_goes_back_and_the_summons_is_not_used() -> None:
    arena = calling()
    said = arena.does(CALL, "<doneManeuvering/>")
    assert said[1:3] == [
        '<doneManeuvering><losses legion="Rd01" returned="true"><creature name="Angel"/></losses></doneManeuvering>',
        '<unsummon summoner="Rd01" donor="Rd02" creature="Angel"/>',
    ]
    assert arena.position.legions["Rd02"].creatures == ("Angel", "Lion")
    assert not arena.battle.fallen
    assert arena.battle.window is Window.GONE
    assert not arena.position.players[0].summoned, "it may be summoned after the battle"


def test_a_donor_emptied_by_a_summons_has_its_creature_back_when_that_comes_to_nothing() -> None:
    arena = with_legion(calling(), 0, 3, "21", "Archangel")
    arena.does('<summon summoner="Rd01" donor="Rd03" creature="Archangel"/>')
    assert arena.position.legions["Rd03"].height == 0, "it is removed at the end of the engagement"
    arena.does("<doneManeuvering/>")
    assert arena.position.legions["Rd03"].creatures == ("Archangel",)


def test_nothing_is_summoned_out_of_an_engagement_or_into_a_full_legion() -> None:
    arena = with_legion(calling(), 1, 2, "20", "Ogre Ogre")
    arena.refuses(CALL, "'Angel' of Rd02 cannot be summoned; possible are none")
    full = " ".join(f"Ogre:{hex}" for hex in ("A1", "A2", "A3", "B1", "B2", "B3", "B4"))
    calling(full).refuses(CALL, "Rd01 has 7 creatures")
    calling().refuses('<summon summoner="Rd01" donor="Rd02" creature="Lion"/>', "'Lion' of Rd02 cannot be summoned")
    calling().refuses('<summon summoner="Rd02" donor="Rd02" creature="Angel"/>', "summoner Rd02 is not the attacker")


def test_the_window_stays_shut_for_creatures_that_never_came_onto_the_map() -> None:
    arena = Arena("Plains", "Ogre:A1", "Ogre:- Lion:F4", side="defender", phase=MANEUVER)
    arena.does("<doneManeuvering/>")
    assert arena.position.asked is not None
    assert arena.battle.side == "attacker"
    arena.refuses('<summon summoner="Rd01"/>', "no creature of the defender has been killed on the map")


# --- reinforcements ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("entered", "asked"), [(True, "reinforce"), (False, "muster")])
def test_an_attacker_who_concedes_after_its_first_maneuvers_leaves_a_reinforcement(entered: bool, asked: str) -> None:
    arena = Arena("Plains", "Ogre:A1 Ogre:A2", "Centaur:F4 Ogre:F3", side="attacker", phase=MANEUVER)
    engagement = arena.position.engagement
    assert engagement is not None
    arena.position = replace(arena.position, engagement=replace(engagement, attacker_entered=entered))
    arena = with_legion(with_legion(arena, 0, 2, "20", "Titan Lion"), 1, 2, "21", "Titan Lion")
    arena.does('<concede legion="Rd01"/>')
    assert arena.position.asked is not None
    assert str(arena.position.asked.awaiting) == asked


def test_who_was_reinforced_in_the_battle_is_not_reinforced_after_it() -> None:
    arena = Arena("Plains", "Ogre:A1", "Centaur:F4 Ogre:F3", side="defender", turn=4, phase=MANEUVER)
    arena = with_legion(with_legion(arena, 0, 2, "20", "Titan Lion"), 1, 2, "21", "Titan Lion")
    arena.does(
        '<recruit legion="Bu01" recruit="Centaur"/>', '<enter creature="Centaur" hex="E5"/>', "<doneManeuvering/>"
    )
    arena.does('<concede legion="Rd01"/>')
    assert arena.position.asked is not None
    assert str(arena.position.asked.awaiting) == "muster"


def test_only_living_creatures_recruit_a_reinforcement() -> None:
    """Of two Centaurs that would bring a Lion one was killed before."""
    arena = Arena("Plains", "Ogre:A1", "Centaur:F4", side="defender", turn=4, phase=MANEUVER)
    arena.position = replace(arena.position, battle=replace(arena.battle, fallen=(("defender", "Centaur"),)))
    arena.refuses('<recruit legion="Bu01" recruit="Lion"/>', "Bu01 has no recruiters for it")


# --- how battles end --------------------------------------------------------------------------------------------------


def strikes_to_death(attackers: str, defenders: str, **more: object) -> tuple[Arena, list[str]]:
    """Those on D3 and D4 kill each other."""
    arena = Arena("Plains", attackers, defenders, side="attacker", dice=[6] * 60, **more)  # type: ignore[arg-type]
    arena = with_legion(with_legion(arena, 0, 2, "20", "Lion Lion Lion"), 1, 2, "21", "Ogre Ogre Ogre")
    said = arena.does('<strike strikerHex="D3" targetHex="D4"/>')
    said += arena.does('<strike strikerHex="D4" targetHex="D3"/>')
    return arena, said


def test_both_beaten_and_one_titan_killed_its_owner_is_slain_by_the_other_without_points_for_the_battle() -> None:
    arena, said = strikes_to_death("Titan:D3", "Ogre:D4")
    assert any('method="fight"/>' in one for one in said)
    points = [one for one in said if one.startswith("<points")]
    assert points == ['<points player="bob" points="22" kind="half"/>'], "half of Rd02's 45"
    assert '<eliminatePlayer loser="ann" slayer="bob"/>' in said
    assert "Rd02" in arena.position.players[1].markers


def test_a_titans_death_ends_the_battle_and_its_living_mates_are_worth_half() -> None:
    arena = Arena("Plains", "Serpent:D3 Ogre:A1", "Titan:D4 Lion:F4", side="attacker", dice=[6] * 60)
    arena.does('<strike strikerHex="D3" targetHex="D4"/>')
    said = arena.does('<strike strikerHex="D4" targetHex="D3"/>')
    assert '<points player="ann" points="24"/>' in said
    assert '<points player="ann" points="7" kind="half"/>' in said
    assert '<reveal legion="Bu01"><creatures><creature name="Lion"/></creatures></reveal>' in said
    assert said[-1] == '<gameOver winner="ann"/>'


@pytest.mark.parametrize(("hits", "lives"), [(5, True), (6, False)])
def test_a_titan_grows_in_the_middle_of_a_battle_but_not_back_to_life(hits: int, lives: bool) -> None:
    arena = Arena("Plains", "Titan:D3 Ogre:C3", "Ogre:D4", scores=(90, 0), hits={"D3": hits})
    position = after(arena.position, Points("ann", 20, "half"))
    assert position.battle is not None
    titan = position.battle.at("D3")
    assert titan is not None
    assert (position.power(titan), position.alive(titan)) == (7, lives)
    assert titan.hits == (hits if lives else 7)


def test_a_titan_left_off_the_board_is_dead() -> None:
    arena = Arena("Plains", "Ogre:A1", "Titan:- Lion:F4", side="defender", phase=MANEUVER)
    said = arena.does("<doneManeuvering/>")
    assert said[0] == '<doneManeuvering><losses legion="Bu01"><creature name="Titan"/></losses></doneManeuvering>'
    assert '<points player="ann" points="24"/>' in said
    assert '<eliminatePlayer loser="bob" slayer="ann"/>' in said


def test_a_time_loss_with_the_titan_eliminates_its_owner_for_half_of_the_rest() -> None:
    arena = Arena("Plains", "Titan:A1 Ogre:A2", "Ogre:F4 Lion:F3", side="attacker", turn=7, phase=MANEUVER)
    said = with_legion(arena, 0, 2, "20", "Lion Lion Lion").does("<doneManeuvering/>")
    assert [one for one in said if one.startswith("<points")] == ['<points player="bob" points="22" kind="half"/>']
    assert '<eliminatePlayer loser="ann" slayer="bob"/>' in said


def test_what_half_is_of_is_added_first_and_halved_once() -> None:
    """Two legions of 15 points bring 15, not 7 and 7."""
    house = House(
        legion(0, 1, "131", "Titan Ogre"), legion(1, 1, "3", "Titan"), legion(1, 2, "111", "Lion"),
        legion(1, 3, "112", "Lion"), legion(2, 1, "20", "Titan Ogre"), legion(0, 2, "2", "Ogre Ogre"),
        players=3, dice=[1],
    )  # fmt: skip
    house.does("<roll/>", '<move legion="Rd02" hex="3"/>', '<engage hex="3"/>', '<doNotFlee legion="Bu01"/>')
    house.does('<fight hex="3"/>', '<concede legion="Bu01"/>')
    assert house.score(0) == 24 + 15


def test_a_player_who_falls_in_the_own_turn_has_no_muster_any_more() -> None:
    house = House(
        legion(0, 1, "2", "Titan Ogre"), legion(0, 2, "131", "Ogre Ogre"), legion(1, 1, "111", "Titan Ogre"),
        legion(1, 2, "3", "Lion Lion"), legion(2, 1, "20", "Titan Ogre"), players=3, dice=[1],
    )  # fmt: skip
    house.does("<roll/>", '<move legion="Rd01" hex="3"/>', '<engage hex="3"/>', '<doNotFlee legion="Bu02"/>')
    said = house.does('<concede legion="Rd01"/>')
    assert '<eliminatePlayer loser="ann" slayer="bob"/>' in said
    assert said[-1].startswith("<turn player=")
    assert house.asked is not None
    assert house.asked[1] == "split"


def test_an_engagement_with_an_eliminated_player_vanishes_and_the_legion_may_still_muster() -> None:
    house = House(
        legion(0, 1, "131", "Titan Ogre"), legion(0, 2, "2", "Gargoyle Gargoyle"), legion(1, 1, "111", "Titan Ogre"),
        legion(1, 2, "3", "Lion Lion"), legion(2, 1, "20", "Titan Ogre"), players=3, dice=[1],
    )  # fmt: skip
    house.does("<roll/>", '<move legion="Rd02" hex="3"/>', "<doneMoving/>")
    assert house.asked == ("ann", "engage")
    house.game.leave(1)
    assert house.asked == ("ann", "muster")
    house.does('<recruit legion="Rd02" recruit="Cyclops"/>')


# --- scarce stock -----------------------------------------------------------------------------------------------------


def test_killed_lords_are_in_the_stock_again_when_the_engagement_is_over_and_killed_creatures_never() -> None:
    arena, _ = strikes_to_death("Angel:D3 Titan:A1", "Lion:D4 Titan:F1")
    arena.does('<concede legion="Bu01"/>')
    assert arena.position.stock["Angel"] == KINDS["Angel"].count
    assert (arena.position.stock["Lion"], arena.position.dead["Lion"]) == (KINDS["Lion"].count, 1 + 0)


def test_at_five_hundred_points_without_archangels_there_is_still_an_angel() -> None:
    house = House(
        legion(0, 1, "131", "Titan Ogre"), legion(0, 2, "2", "Ogre Ogre"), legion(1, 1, "111", "Titan Ogre"),
        legion(1, 2, "3", "Serpent Serpent"), dice=[1], scores=[470, 0], lost={"Archangel": 6},
    )  # fmt: skip
    house.does("<roll/>", '<move legion="Rd02" hex="3"/>', '<engage hex="3"/>', '<flee legion="Bu02"/>')
    assert house.score(0) == 506
    assert house.lists("acquire") == ["acquire legion=Rd02 creature=Angel", "acquire legion=Rd02"]
    house.refuses('<acquire legion="Rd02" creature="Archangel"/>', "for reaching 500 points there are Angel")


def test_each_multiple_of_five_hundred_is_a_choice_of_its_own() -> None:
    house = House(
        legion(0, 1, "131", "Titan Ogre"), legion(0, 2, "2", "Ogre"), legion(1, 1, "111", "Titan Ogre"),
        legion(1, 2, "3", "Serpent " * 6),
        dice=[1], scores=[399, 0],
    )  # fmt: skip
    house.does("<roll/>", '<move legion="Rd02" hex="3"/>', '<engage hex="3"/>', '<doNotFlee legion="Bu02"/>')
    house.does('<doNotConcede legion="Rd02"/>', '<concede legion="Bu02"/>')
    assert house.score(0) == 399 + 216
    for creature in ("Angel", "Archangel", "Angel"):
        house.does(f'<acquire legion="Rd02" creature="{creature}"/>')
    assert house.inside("Rd02") == "Angel Angel Archangel Ogre"


# --- lines of sight, ways in the air ----------------------------------------------------------------------------------


def test_a_magic_missile_flies_across_a_cliff_at_range_two_and_nothing_else_does() -> None:
    land = BATTLELANDS["Desert"]
    assert land.cliff("B2", "B1")
    assert aimed(land, 5, "Warlock", "B2", "Titan", "B1", {"B1", "B2"}) == (2, 4)
    assert aimed(land, 4, "Ranger", "B2", "Ogre", "B1", {"B1", "B2"}) is None


def test_who_stands_on_top_of_a_cliff_sees_over_a_creature_at_its_foot() -> None:
    """B1 of the Mountains has a cliff towards C2: over a creature there D2 can be seen, from C1 nobody there."""
    land = BATTLELANDS["Mountains"]
    assert land.going_down("B1", "C2") == "Cliff"
    assert aimed(land, 4, "Ranger", "B1", "Ogre", "D2", {"B1", "C2", "D2"}) is not None


def test_a_flier_crosses_cliffs_that_stop_everybody_on_foot() -> None:
    for creature, crosses in (("Gargoyle", True), ("Lion", False)):
        arena = Arena("Desert", f"{creature}:B2 Ogre:A1 Ogre:C1 Ogre:C2 Ogre:A2 Ogre:B3", "Ogre:F4", side="attacker",
                      phase=MANEUVER)  # fmt: skip
        assert ("B1" in destinations(arena.position, arena.at("B2"))) == crosses


@pytest.mark.parametrize(("players", "places"), [(4, {0, 1, 3, 4}), (5, {0, 1, 2, 3, 4})])
def test_four_and_five_players_sit_as_the_formula_says(players: int, places: set[int]) -> None:
    assert {TOWERS.index(tower) for tower in spread_towers(players, 0)} == places


def test_the_last_two_titans_that_die_together_win_for_nobody() -> None:
    house = House(legion(0, 1, "2", "Titan"), legion(1, 1, "3", "Titan"), dice=[1])
    house.does(
        "<roll/>", '<move legion="Rd01" hex="3"/>', '<engage hex="3"/>', '<negotiate hex="3"/>', '<accept hex="3"/>'
    )
    assert house.game.outcome is not None
    assert (house.game.outcome.termination, house.game.outcome.winners) == (
        Termination.TITANS_DIED_TOGETHER, frozenset(),
    )  # fmt: skip
