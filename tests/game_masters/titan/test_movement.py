"""Moves on the masterboard, by the clauses of the rules."""

import pytest

from tests.game_masters.titan.table import House, legion

FAR = legion(1, 1, "131", "Titan Ogre")
OGRES_LEAVE = (
    '<split parent="Rd01" child="Rd05"><creatures><creature name="Ogre"/><creature name="Ogre"/></creatures></split>'
)


def rolled(die: int, *legions: dict[str, object], **values: object) -> House:
    house = House(*legions, dice=[die, *values.pop("more", [])], **values)  # type: ignore[misc, arg-type]
    house.does("<roll/>")
    return house


def lands(house: House, marker: str = "Rd01", teleport: bool = False) -> set[str]:
    found = set()
    for told in house.lists("move"):
        words = dict(word.split("=") for word in told.split()[1:])
        if words["legion"] == marker and (words["teleport"] == "True") == teleport:
            found.add(words["hex"])
    return found


def test_a_block_has_to_be_used_first() -> None:
    assert lands(rolled(1, legion(0, 1, "1000", "Titan Ogre"), FAR)) == {"1"}


def test_an_arch_is_only_for_the_first_step() -> None:
    # From 1 the arch leads to 1000 and the arrows to 2; from 2, an arch to 7 and arrows to 3.
    assert lands(rolled(1, legion(0, 1, "1", "Titan Ogre"), FAR)) == {"1000", "2"}
    assert lands(rolled(2, legion(0, 1, "1", "Titan Ogre"), FAR)) == {"2000", "6000", "3"}


def test_a_legion_takes_exactly_as_many_steps_as_the_roll() -> None:
    assert "3" in lands(rolled(2, legion(0, 1, "1", "Titan Ogre"), FAR))
    assert "2" not in lands(rolled(2, legion(0, 1, "1", "Titan Ogre"), FAR))


def test_a_step_never_goes_straight_back() -> None:
    assert "100" not in lands(rolled(2, legion(0, 1, "100", "Titan Ogre"), FAR))


def test_an_enemy_ends_the_move_whatever_is_left_of_the_roll() -> None:
    enemy = legion(1, 2, "2", "Ogre Ogre")
    house = rolled(3, legion(0, 1, "1", "Titan Ogre"), FAR, enemy)
    assert "2" in lands(house)
    assert not lands(house) & {"3", "4"}


def test_a_land_with_an_enemy_and_an_own_legion_is_locked() -> None:
    enemy = legion(1, 2, "2", "Ogre Ogre")
    house = rolled(1, legion(0, 1, "1", "Titan Ogre"), legion(0, 2, "7", "Ogre Ogre"), FAR, enemy)
    house.does('<move legion="Rd01" hex="2"/>')
    assert "2" not in lands(house, "Rd02")


def test_friends_may_be_passed_but_not_joined() -> None:
    house = rolled(2, legion(0, 1, "1", "Titan Ogre"), legion(0, 2, "2", "Ogre Ogre"), FAR)
    assert "3" in lands(house)
    house = rolled(1, legion(0, 1, "1", "Titan Ogre"), legion(0, 2, "2", "Ogre Ogre"), FAR)
    assert "2" not in lands(house)
    house.does('<move legion="Rd02" hex="3"/>')
    assert "2" in lands(house), "the order of moves matters"


@pytest.mark.parametrize("label", ["3", "7", "10", "14", "17", "21", "24", "28", "31", "35", "38", "42"])
def test_a_six_can_lead_round_a_loop_back(label: str) -> None:
    house = rolled(6, legion(0, 1, label, "Titan Ogre"), legion(0, 2, "131", "Ogre Ogre"), legion(1, 1, "132", "Titan"))
    assert label in lands(house)
    house.does(f'<move legion="Rd01" hex="{label}"/>')
    assert house.position.legions["Rd01"].moved


def test_the_entry_side_is_that_over_which_the_land_is_entered() -> None:
    house = rolled(1, legion(0, 1, "2", "Titan Ogre"), FAR)
    assert house.does('<move legion="Rd01" hex="3"/>') == [
        '<move legion="Rd01" hex="3" entrySide="bottom" teleport="false"/>'
    ]
    house.refuses('<move legion="Rd01" hex="4"/>', "has moved")


def test_a_wrong_entry_side_is_refused_with_the_right_one() -> None:
    house = rolled(1, legion(0, 1, "2", "Titan Ogre"), FAR)
    house.refuses('<move legion="Rd01" hex="3" entrySide="left"/>', "can only be entered from bottom, not from left")
    house.refuses('<move legion="Rd01" hex="3" entrySide="top"/>', "entrySide 'top' is none of right, bottom, left")
    house.refuses('<move legion="Rd01" hex="99"/>', "there is no land '99'")
    house.refuses('<move legion="Rd01" hex="5"/>', "cannot get from 2 to 5 with a 1")
    house.refuses('<move legion="Bu01" hex="5"/>', "belongs to bob")
    house.refuses('<move legion="Rd09" hex="5"/>', "there is no legion 'Rd09'")


# --- teleports --------------------------------------------------------------------------------------------------------


def test_a_lord_in_a_tower_teleports_with_a_six_to_empty_lands() -> None:
    house = rolled(6, legion(0, 1, "100", "Titan Ogre"), legion(0, 2, "3", "Ogre Ogre"), FAR)
    found = lands(house, teleport=True)
    assert len(found) == 43 + 3 - 1
    assert "3" not in found
    assert {"200", "300", "400", "500", "600"} <= found
    said = house.does('<move legion="Rd01" hex="500" teleport="true"/>')
    assert said == ['<move legion="Rd01" hex="500" entrySide="bottom" teleport="true" lord="Titan"/>']


def test_only_with_a_six_only_with_a_lord_and_only_from_a_tower() -> None:
    assert not lands(rolled(5, legion(0, 1, "100", "Titan Ogre"), FAR), teleport=True)
    house = rolled(6, legion(0, 1, "100", "Guardian Ogre"), legion(0, 2, "2", "Titan Ogre"), FAR)
    assert not lands(house, teleport=True) | lands(house, "Rd02", teleport=True)


def test_one_teleport_per_player_and_turn() -> None:
    house = rolled(6, legion(0, 1, "100", "Titan Ogre"), legion(0, 2, "200", "Angel Ogre"), FAR)
    house.does('<move legion="Rd01" hex="300" teleport="true"/>')
    assert not lands(house, "Rd02", teleport=True)
    house.does('<undoMove legion="Rd01"/>')
    assert lands(house, "Rd02", teleport=True)


def test_the_owner_chooses_entry_side_and_lord() -> None:
    house = rolled(6, legion(0, 1, "100", "Titan Angel Archangel Ogre"), FAR)
    for lord in ("Titan", "Angel", "Archangel"):
        for side in ("right", "bottom", "left"):
            assert house.does(f'<move legion="Rd01" hex="5" entrySide="{side}" teleport="true" lord="{lord}"/>') == [
                f'<move legion="Rd01" hex="5" entrySide="{side}" teleport="true" lord="{lord}"/>'
            ]
            house.does('<undoMove legion="Rd01"/>')
    (said,) = house.does('<move legion="Rd01" hex="5" teleport="true"/>')
    assert said.endswith('entrySide="bottom" teleport="true" lord="Angel"/>')


def test_a_titan_teleports_to_enemies_from_400_points_on() -> None:
    two = (legion(0, 1, "2", "Titan Ogre"), legion(1, 1, "131", "Titan Ogre"), legion(1, 2, "140", "Ogre Ogre"))
    assert not lands(rolled(6, *two, scores=[399, 0]), teleport=True)
    house = rolled(6, *two, scores=[400, 0])
    assert lands(house, teleport=True) == {"131", "140"}
    house.refuses('<move legion="Rd01" hex="131" teleport="true" lord="Angel"/>', "cannot show lord 'Angel'")
    (said,) = house.does('<move legion="Rd01" hex="131" entrySide="left"/>')
    assert said == '<move legion="Rd01" hex="131" entrySide="left" teleport="true" lord="Titan"/>'


@pytest.mark.parametrize(
    ("option", "turn", "left"),
    [
        ("noTowerTeleport", 3, set()),
        ("noFirstTurnTeleport", 1, set()),
        ("noFirstTurnT2TTeleport", 1, {"land"}),
        ("towerToTowerTeleportOnly", 3, {"tower"}),
        ("noFirstTurnTeleport", 2, {"land", "tower"}),
        ("noFirstTurnT2TTeleport", 2, {"land", "tower"}),
    ],
)
def test_options_restrict_teleports(option: str, turn: int, left: set[str]) -> None:
    house = rolled(6, legion(0, 1, "100", "Titan Ogre"), FAR, options={option: "yes"}, turn=turn)
    found = lands(house, teleport=True)
    assert {"tower" if label in ("200", "300", "400", "500", "600") else "land" for label in found} == left


def test_without_titan_teleport() -> None:
    house = rolled(6, legion(0, 1, "2", "Titan Ogre"), FAR, scores=[500, 0], options={"noTitanTeleport": "yes"})
    assert not lands(house, teleport=True)


# --- the end of the moves ---------------------------------------------------------------------------------------------


def test_at_least_one_legion_has_to_move() -> None:
    house = rolled(1, legion(0, 1, "2", "Titan Ogre"), FAR)
    house.refuses("<doneMoving/>", "at least one legion has to move, and Rd01 can")
    house.refuses("<nextTurn/>", "at least one legion has to move")
    house.does('<move legion="Rd01" hex="3"/>')
    assert house.does("<doneMoving/>") == ["<doneMoving/>"]
    assert house.asked == ("ann", "muster")


def test_a_split_has_to_part_and_goes_back_if_it_cannot() -> None:
    own = legion(0, 1, "1000", "Titan Ogre Ogre Ogre")
    house = House(own, FAR, dice=[1, 1])
    house.does(
        OGRES_LEAVE,
        "<roll/>",
    )
    house.refuses("<doneMoving/>", "at least one legion")
    house.does('<move legion="Rd05" hex="1"/>')
    # The other half has one way as well, and it is taken.
    assert house.does("<doneMoving/>") == ["<doneMoving/>"]

    two = legion(0, 2, "1", "Ogre Ogre")
    house = House(own, two, FAR, dice=[1])
    house.does(
        OGRES_LEAVE,
        "<roll/>",
    )
    house.refuses('<merge parent="Rd05" child="Rd02"/>', "Rd05 is in 1000, Rd02 in 1")
    house.does('<move legion="Rd02" hex="2"/>')
    house.refuses("<doneMoving/>", "legions that share a land have to part")


SPLITS_IN_THREE = (
    '<split parent="Rd01" child="Rd07"><creatures><creature name="Ogre"/><creature name="Ogre"/></creatures></split>'
    '<split parent="Rd01" child="Rd05"><creatures><creature name="Lion"/><creature name="Lion"/></creatures></split>'
)


def stuck(*requests: str) -> list[str]:
    """Ann's Rd01 in 1000, whose only way leads to 1, splits in three and rolls a 1; what is said to the end of the
    moves."""
    own = legion(0, 1, "1000", "Titan Ogre Ogre Ogre Lion Lion Lion")
    house = House(own, legion(0, 2, "41", "Ogre Ogre"), FAR, dice=[1])
    house.does(SPLITS_IN_THREE, "<roll/>", *requests)
    return house.does("<doneMoving/>")[:-1]


def test_what_could_not_part_goes_back_where_it_was_split_from() -> None:
    said = stuck('<move legion="Rd02" hex="42"/>', '<move legion="Rd07" hex="1"/>')
    assert said == ['<merge parent="Rd01" child="Rd05"/>']


def test_parts_whose_legion_has_gone_gather_under_the_lowest_marker() -> None:
    said = stuck('<move legion="Rd02" hex="42"/>', '<move legion="Rd01" hex="1"/>')
    assert said == ['<merge parent="Rd05" child="Rd07"/>']


def test_a_part_that_has_taken_the_place_of_its_legion_is_the_one_that_stays() -> None:
    """Rd01 goes into its part Rd05, and the marker is used for a part of that: now Rd01 was split from Rd05."""
    own = legion(0, 1, "1000", "Titan Ogre Ogre Lion")
    house = House(own, legion(0, 2, "1", "Ogre Ogre"), legion(0, 3, "41", "Ogre Ogre"), FAR, dice=[1])
    back = OGRES_LEAVE.replace('parent="Rd01" child="Rd05"', 'parent="Rd05" child="Rd01"')
    house.does(OGRES_LEAVE, '<merge parent="Rd05" child="Rd01"/>', back, "<roll/>", '<move legion="Rd03" hex="42"/>')
    assert house.does("<doneMoving/>")[0] == '<merge parent="Rd05" child="Rd01"/>'


def test_a_move_can_be_taken_back_unless_another_legion_stands_there() -> None:
    house = rolled(1, legion(0, 1, "2", "Titan Ogre"), legion(0, 2, "1", "Ogre Ogre"), FAR)
    house.refuses('<undoMove legion="Rd01"/>', "has not moved")
    house.does('<move legion="Rd01" hex="3"/>', '<move legion="Rd02" hex="2"/>')
    house.refuses('<undoMove legion="Rd01"/>', "Rd02 has moved to 2 meanwhile")
    house.does('<undoMove legion="Rd02"/>', '<undoMove legion="Rd01"/>')
    assert house.position.legions["Rd01"].hex == "2"


def test_a_mulligan_on_turn_one_takes_all_moves_back() -> None:
    house = rolled(1, legion(0, 1, "2", "Titan Ogre"), FAR, turn=1, more=[4])
    house.does('<move legion="Rd01" hex="3"/>')
    assert house.does("<mulligan/>") == ['<undoMove legion="Rd01"/>', "<mulligan/>", '<roll die="4"/>']
    house.refuses("<mulligan/>", "it has been taken")
    house = rolled(1, legion(0, 1, "2", "Titan Ogre"), FAR, turn=2)
    house.refuses("<mulligan/>", "only on turn 1, and this is turn 2")


def test_other_requests_end_the_moves_by_themselves() -> None:
    enemy = legion(1, 2, "3", "Ogre Ogre")
    house = rolled(1, legion(0, 1, "2", "Titan Ogre"), FAR, enemy)
    house.does('<move legion="Rd01" hex="3"/>')
    house.refuses("<nextTurn/>", "there are engagements: 3")
    house.refuses('<recruit legion="Rd01" recruit="Ogre"/>', "there are engagements: 3")
    house.refuses('<engage hex="4"/>', "there is no engagement in '4'; there are 3")
    assert house.does('<engage hex="3"/>')[0] == "<doneMoving/>"
    house = rolled(1, legion(0, 1, "2", "Titan Gargoyle"), FAR)
    house.does('<move legion="Rd01" hex="3"/>')
    said = house.does('<recruit legion="Rd01" recruit="Gargoyle"/>')
    assert said == ["<doneMoving/>", '<recruit legion="Rd01" recruit="Gargoyle" recruiter="Gargoyle" number="1"/>']
    assert house.does("<nextTurn/>") == ['<turn player="bob" number="3"/>']
