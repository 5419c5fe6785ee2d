"""Engagements: flight, concession, talks, battles to their ends, points, angels, eliminations."""

from collections.abc import Mapping, Sequence

from game_masters.titan.position import BattlePhase, Phase
from game_masters.titan.rules import Termination
from tests.game_masters.titan.table import Arena, House, legion

HOME = (legion(0, 1, "131", "Titan Ogre Lion"), legion(1, 1, "111", "Titan Ogre Ogre"))


def met(
    attacker: str,
    defender: str,
    *others: dict[str, object],
    home: bool = True,
    players: int = 2,
    scores: Sequence[int] = (),
    lost: Mapping[str, int] | None = None,
    options: Mapping[str, str] | None = None,
) -> House:
    """Ann's Rd02 has come from 2 to 3, where bob's Bu02 is; the engagement is open."""
    legions = [legion(0, 2, "2", attacker), legion(1, 2, "3", defender), *(HOME if home else ()), *others]
    points = list(scores) or [0] * players
    house = House(*legions, players=players, dice=[1], scores=points, lost=dict(lost or {}), options=options)
    house.does("<roll/>", '<move legion="Rd02" hex="3"/>', '<engage hex="3"/>')
    return house


# --- who is asked what ------------------------------------------------------------------------------------------------


def test_the_two_see_each_others_legions_and_nobody_else_does() -> None:
    third = legion(2, 1, "20", "Titan Ogre")
    house = met("Ogre Ogre", "Lion Lion", third, players=3)
    seen = [house.game.view(seat).news[-1].creatures for seat in (0, 1, 2)]  # type: ignore[attr-defined]
    assert seen == [("Lion", "Lion"), ("Ogre", "Ogre"), None]
    assert house.game.view(2).position.legions["Bu02"].creatures == ("?", "?")
    assert house.game.view(0).position.legions["Bu02"].creatures == ("Lion", "Lion")


def test_a_legion_is_asked_whether_to_flee_unless_everybody_knows_of_a_lord_in_it() -> None:
    flight = ["flee legion=Bu02"]
    for inside, can in (("Lion Lion", flight), ("Lion Guardian", flight), ("Lion Angel", [])):
        house = met("Ogre Ogre", inside)
        assert house.asked == ("bob", "flee")
        assert house.lists("flee") == can
    house.refuses('<flee legion="Bu02"/>', "Bu02 has a lord, and does not flee")
    house.does('<doNotFlee legion="Bu02"/>')
    assert house.asked == ("ann", "concede")
    assert met("Ogre Ogre", "Lion Lion", options={"allStacksVisible": "yes"}).asked == ("bob", "flee")
    assert met("Ogre Ogre", "Lion Angel", options={"allStacksVisible": "yes"}).asked == ("ann", "concede")


def test_flight_gives_half_the_points_rounded_down_and_no_summons() -> None:
    house = met("Ogre Ogre", "Lion Minotaur Ogre", legion(0, 3, "20", "Angel Ogre"))
    assert house.does('<flee legion="Bu02"/>') == [
        '<flee legion="Bu02"><creatures><creature name="Lion"/><creature name="Minotaur"/><creature name="Ogre"/>'
        "</creatures></flee>",
        '<endEngage hex="3" method="flee" winner="Rd02"/>',
        '<points player="ann" points="21"/>',
    ]
    assert house.asked == ("ann", "muster")
    assert house.position.dead["Lion"] == 1
    assert "Bu02" in house.position.players[1].markers


def test_only_the_defender_flees_and_only_when_asked() -> None:
    house = met("Ogre Ogre", "Lion Lion")
    house.refuses('<flee legion="Bu01"/>', "legion Bu01 is not in the engagement in 3")
    house.refuses('<flee legion="Rd02"/>', "legion Rd02 belongs to ann")
    house.does('<doNotFlee legion="Bu02"/>')
    house.refuses('<flee legion="Bu02"/>', "not now; you are asked: concede")


def test_a_defender_who_would_fight_only_stays() -> None:
    house = met("Ogre Ogre", "Lion Lion")
    house.refuses('<fight hex="4"/>', "hex '4': the engagement is in 3")
    assert house.does('<fight hex="3"/>') == ['<doNotFlee legion="Bu02"/>']
    assert house.asked == ("ann", "concede")


def test_conceding_gives_all_points() -> None:
    house = met("Ogre Ogre", "Lion Lion")
    said = house.does('<doNotFlee legion="Bu02"/>', '<concede legion="Rd02"/>')
    assert said[2:] == ['<endEngage hex="3" method="concede" winner="Bu02"/>', '<points player="bob" points="24"/>']
    assert house.asked == ("ann", "muster"), "no reinforcement against who concedes before the battle"


def test_a_defender_concedes_in_the_talks_and_the_attacker_may_summon() -> None:
    house = met("Ogre Ogre", "Lion Lion", legion(0, 3, "20", "Angel Ogre"))
    house.does('<doNotFlee legion="Bu02"/>', '<doNotConcede legion="Rd02"/>')
    assert house.asked == ("bob", "negotiate")
    house.does('<concede legion="Bu02"/>')
    assert house.asked == ("ann", "summon")
    assert house.does('<summon summoner="Rd02" donor="Rd03" creature="Angel"/>') == [
        '<summon summoner="Rd02" donor="Rd03" creature="Angel"/>'
    ]
    assert house.inside("Rd02") == "Angel Ogre Ogre"
    assert house.asked == ("ann", "muster")


def test_a_donor_that_gives_its_last_creature_is_gone() -> None:
    house = met("Ogre Ogre", "Lion Lion", legion(0, 3, "20", "Angel"))
    house.does('<doNotFlee legion="Bu02"/>', '<doNotConcede legion="Rd02"/>', '<concede legion="Bu02"/>')
    house.refuses('<summon summoner="Rd02" donor="Rd01" creature="Ogre"/>', "possible are Angel of Rd03")
    house.does('<summon summoner="Rd02" donor="Rd03" creature="Angel"/>')
    assert "Rd03" not in house.position.legions
    assert "Rd03" in house.position.players[0].markers


def test_a_summons_is_declined_without_a_creature_and_not_asked_where_all_see_no_angel() -> None:
    house = met("Ogre Ogre", "Lion Lion", legion(0, 3, "20", "Angel Ogre"))
    house.does('<doNotFlee legion="Bu02"/>', '<doNotConcede legion="Rd02"/>', '<concede legion="Bu02"/>')
    house.refuses('<summon summoner="Rd02" donor="Rd03"/>', "donor and creature go together")
    assert house.does('<summon summoner="Rd02"/>') == ['<summon summoner="Rd02"/>']
    house = met("Ogre Ogre", "Lion Lion", options={"allStacksVisible": "yes"})
    house.does('<doNotFlee legion="Bu02"/>', '<doNotConcede legion="Rd02"/>', '<concede legion="Bu02"/>')
    assert house.asked == ("ann", "muster")


# --- talks ------------------------------------------------------------------------------------------------------------


def offered(creatures: str, survivor: str) -> str:
    inside = "".join(f'<creature name="{name}"/>' for name in creatures.split())
    return f'<negotiate hex="3" survivor="{survivor}"><creatures>{inside}</creatures></negotiate>'


def test_an_offer_is_answered_by_the_other_side_and_replaced_by_a_new_one() -> None:
    house = met("Ogre Ogre", "Lion Lion")
    house.does('<doNotFlee legion="Bu02"/>', '<doNotConcede legion="Rd02"/>')
    house.refuses('<accept hex="3"/>', "no offer of the other side stands")
    house.does(offered("Lion", "Bu02"))
    assert house.asked == ("ann", "negotiate")
    house.does('<negotiate hex="3"/>')
    assert house.asked == ("bob", "negotiate")
    house.refuses('<accept hex="3" survivor="Bu02"/>', "survivor 'Bu02': the offer is that none survives")
    said = house.does('<accept hex="3"/>')
    assert said[0] == (
        '<accept hex="3"><losses legion="Rd02"><creature name="Ogre"/><creature name="Ogre"/></losses>'
        '<losses legion="Bu02"><creature name="Lion"/><creature name="Lion"/></losses></accept>'
    )
    assert said[1:] == ['<endEngage hex="3" method="negotiate"/>']
    assert (house.score(0), house.score(1)) == (0, 0)


def test_the_survivor_scores_the_whole_other_legion_and_nothing_for_its_own_losses() -> None:
    house = met("Ogre Ogre", "Lion Lion")
    house.does('<doNotFlee legion="Bu02"/>', '<doNotConcede legion="Rd02"/>', offered("Ogre", "Rd02"))
    wrong = '<losses legion="Rd02"/><losses legion="Bu02"><creature name="Lion"/></losses>'
    house.refuses(f'<accept hex="3" survivor="Rd02">{wrong}</accept>', "losses: the offer means Rd02")
    house.does('<accept hex="3" survivor="Rd02"/>')
    assert house.inside("Rd02") == "Ogre"
    assert (house.score(0), house.score(1)) == (30, 0)


def test_offers_name_a_real_part_and_keep_the_titan() -> None:
    house = met("Ogre Ogre", "Titan Lion", legion(0, 1, "131", "Titan Ogre"), legion(1, 1, "111", "Ogre"), home=False)
    house.does('<doNotFlee legion="Bu02"/>')
    assert house.asked == ("ann", "concede")
    house.refuses(offered("Lion", "Bu02"), "Bu02 has to keep its Titan")
    house.refuses(offered("Lion", "Rd02"), "Lion are not all in Rd02")
    house.refuses(offered("Hobbit", "Rd02"), "there is no creature 'Hobbit'")
    house.refuses(offered("Ogre", "Rd01"), "survivor 'Rd01' is neither Rd02 nor Bu02")
    assert house.does(offered("Titan", "Bu02"))[0] == '<doNotConcede legion="Rd02"/>'


def test_an_offer_instead_of_flight_is_kept_for_the_attacker() -> None:
    house = met("Ogre Ogre", "Lion Lion")
    assert house.does(offered("Lion", "Bu02"))[0] == '<doNotFlee legion="Bu02"/>'
    assert house.asked == ("ann", "concede")
    said = house.does('<accept hex="3" survivor="Bu02"/>')
    assert said[0] == '<doNotConcede legion="Rd02"/>'
    assert house.score(1) == 24


def test_a_standing_offer_is_answered_first_by_the_attacker() -> None:
    house = met("Ogre Ogre", "Lion Lion")
    house.does(offered("Lion", "Bu02"), '<doNotConcede legion="Rd02"/>')
    assert house.asked == ("ann", "negotiate")


def test_after_ten_offers_of_one_side_the_battle_begins() -> None:
    house = met("Ogre Ogre", "Lion Lion")
    house.does('<doNotFlee legion="Bu02"/>', '<doNotConcede legion="Rd02"/>')
    for _ in range(9):
        house.does('<negotiate hex="3"/>', '<negotiate hex="3"/>')
    said = house.does('<negotiate hex="3"/>')
    assert said[1].startswith('<fight hex="3"><attacker name="Rd02">')
    assert house.asked == ("bob", "maneuver")


def test_third_parties_hear_of_offers_but_not_of_creatures() -> None:
    house = met("Ogre Ogre", "Lion Lion", legion(2, 1, "20", "Titan Ogre"), players=3)
    house.does(offered("Lion", "Bu02"))
    seen = [house.game.view(seat).news[-1] for seat in (0, 1, 2)]
    assert [one.creatures for one in seen] == [("Lion",), ("Lion",), None]  # type: ignore[attr-defined]
    assert {one.survivor for one in seen} == {"Bu02"}  # type: ignore[attr-defined]


# --- points and angels ------------------------------------------------------------------------------------------------


def test_each_hundred_brings_an_angel_each_five_hundred_an_archangel_or_an_angel() -> None:
    house = met("Ogre Ogre", "Serpent Serpent Serpent Serpent", scores=[390, 0])
    house.does('<doNotFlee legion="Bu02"/>', '<doNotConcede legion="Rd02"/>', '<concede legion="Bu02"/>')
    assert house.score(0) == 390 + 144
    assert house.asked == ("ann", "acquire")
    house.refuses('<acquire legion="Rd02" creature="Archangel"/>', "for reaching 400 points there are Angel")
    house.refuses('<acquire legion="Rd01" creature="Angel"/>', "has not won the engagement")
    house.does('<acquire legion="Rd02" creature="Angel"/>')
    assert house.lists("acquire") == [
        "acquire legion=Rd02 creature=Angel", "acquire legion=Rd02 creature=Archangel", "acquire legion=Rd02",
    ]  # fmt: skip
    house.does('<acquire legion="Rd02" creature="Archangel"/>')
    assert house.inside("Rd02") == "Angel Archangel Ogre Ogre"
    assert house.asked == ("ann", "summon") or house.asked == ("ann", "muster")


def test_chances_are_declined_one_by_one_and_lost_in_a_full_legion() -> None:
    house = met("Ogre Ogre", "Serpent Serpent Serpent", scores=[0, 0])
    house.does('<doNotFlee legion="Bu02"/>', '<doNotConcede legion="Rd02"/>', '<concede legion="Bu02"/>')
    assert house.does('<acquire legion="Rd02"/>') == ['<acquire legion="Rd02"/>']
    assert house.asked == ("ann", "summon")
    house = met("Ogre Ogre Ogre Ogre Ogre Ogre Ogre", "Serpent Serpent Serpent")
    house.does('<doNotFlee legion="Bu02"/>', '<doNotConcede legion="Rd02"/>', '<concede legion="Bu02"/>')
    assert house.asked == ("ann", "muster")


def test_without_angels_in_the_stock_nobody_is_asked_to_acquire_one() -> None:
    house = met("Ogre Ogre", "Serpent Serpent Serpent", lost={"Angel": 18})
    house.does('<doNotFlee legion="Bu02"/>', '<doNotConcede legion="Rd02"/>', '<concede legion="Bu02"/>')
    assert house.asked == ("ann", "summon")


def test_flight_can_bring_angels_too() -> None:
    house = met("Ogre Ogre", "Serpent Serpent Serpent", scores=[60, 0])
    house.does('<flee legion="Bu02"/>')
    assert (house.score(0), house.asked) == (114, ("ann", "acquire"))


def test_a_titan_grows_with_its_owners_score() -> None:
    house = House(*HOME, scores=[250, 99])
    assert [score.titan_power for score in house.game.view(None).status.scores] == [8, 6]


# --- the ends of battles ----------------------------------------------------------------------------------------------


def test_the_winner_scores_all_it_has_killed_and_is_healed() -> None:
    arena = Arena("Plains", "Serpent:D3 Titan:A1", "Ogre:D4 Titan:E3", side="attacker", dice=[6] * 60)
    arena.does('<strike strikerHex="D3" targetHex="E3"/>')
    if arena.position.asked is not None and arena.position.asked.awaiting == "carry":
        arena.does('<carry targetHex="D4" hits="12"/>')
    arena.does("<doneStriking/>") if arena.battle.phase is BattlePhase.STRIKE else None
    said = [*arena.does(*[f'<strike strikerHex="{hex}" targetHex="D3"/>' for hex in ("D4", "E3")])]
    assert any('method="fight" winner="Rd01"' in one for one in said)
    assert '<points player="ann" points="36"/>' in said
    assert said[-1] == '<gameOver winner="ann"/>'
    assert arena.position.phase is Phase.OVER


def test_time_loss_destroys_the_attacker_without_points() -> None:
    arena = Arena(
        "Plains", "Ogre:A1 Lion:A2", "Ogre:F4 Lion:F3", side="attacker", turn=7, phase=BattlePhase.MANEUVER
    )  # fmt: skip
    said = arena.does("<doneManeuvering/>")
    assert 'method="timeLoss" winner="Bu01"' in said[3]
    assert not any("<points" in one for one in said)
    assert "Rd01" not in arena.position.legions
    assert arena.position.asked is not None
    assert arena.position.asked.awaiting == "reinforce"


def test_conceding_in_a_battle_leaves_the_losses_of_the_other_side() -> None:
    arena = Arena("Plains", "Serpent:D3 Ogre:A1", "Ogre:D4 Lion:F4", side="attacker", dice=[6] * 40)
    arena.does('<strike strikerHex="D3" targetHex="D4"/>')
    assert arena.position.asked is not None
    assert arena.position.asked.seat == 1
    said = arena.does('<concede legion="Bu01"/>')
    assert '<points player="ann" points="27"/>' in said
    arena = Arena("Plains", "Serpent:D3 Ogre:A1", "Ogre:D4 Lion:F4", side="attacker", dice=[6] * 40, hits={"D3": 18})
    said = arena.does('<concede legion="Rd01"/>')
    assert '<points player="bob" points="48"/>' in said


def test_both_beaten_and_no_titan_killed_nobody_scores() -> None:
    arena = Arena("Plains", "Ogre:D3", "Ogre:D4", side="attacker", dice=[6] * 40)
    said = arena.does('<strike strikerHex="D3" targetHex="D4"/>', '<strike strikerHex="D4" targetHex="D3"/>')
    assert 'method="fight"/>' in said[-1]
    assert not arena.position.legions


def test_both_titans_killed_is_a_draw() -> None:
    arena = Arena("Plains", "Titan:D3", "Titan:D4", side="attacker", dice=[6] * 40)
    said = arena.does('<strike strikerHex="D3" targetHex="D4"/>', '<strike strikerHex="D4" targetHex="D3"/>')
    assert said[-3:] == ['<eliminatePlayer loser="ann"/>', '<eliminatePlayer loser="bob"/>', "<gameOver/>"]
    assert arena.position.winner is None


# --- eliminations -----------------------------------------------------------------------------------------------------


def test_the_last_titan_wins_and_nothing_is_asked_any_more() -> None:
    house = met(
        "Ogre Ogre", "Titan Lion", legion(0, 1, "131", "Titan Ogre"), legion(1, 3, "111", "Serpent"), home=False
    )
    house.does('<doNotFlee legion="Bu02"/>', '<doNotConcede legion="Rd02"/>')
    said = house.does('<concede legion="Bu02"/>')
    assert said[1:] == [
        '<endEngage hex="3" method="concede" winner="Rd02"/>',
        '<points player="ann" points="39"/>',
        '<points player="ann" points="18" kind="half"/>',
        '<reveal legion="Bu03"><creatures><creature name="Serpent"/></creatures></reveal>',
        '<eliminatePlayer loser="bob" slayer="ann"/>',
        '<gameOver winner="ann"/>',
    ]
    assert house.game.outcome is not None
    assert (house.game.outcome.termination, house.game.outcome.winners) == (Termination.LAST_TITAN, frozenset({0}))


def three(scores: list[int] | None = None) -> House:
    house = met(
        "Ogre Ogre", "Titan Lion", legion(0, 1, "131", "Titan Ogre"), legion(1, 3, "111", "Serpent Ogre"),
        legion(2, 1, "20", "Titan Ogre"), home=False, players=3, scores=scores or [0, 0, 0],
    )  # fmt: skip
    house.does('<doNotFlee legion="Bu02"/>', '<doNotConcede legion="Rd02"/>')
    return house


def test_the_slayer_inherits_markers_and_half_points_bring_no_angels() -> None:
    house = three([90, 0, 0])
    said = house.does('<concede legion="Bu02"/>')
    assert said[-1] == '<points player="ann" points="39"/>'
    assert house.asked == ("ann", "acquire"), "the game goes on, so the full points bring their angel first"
    said = house.does('<acquire legion="Rd02" creature="Angel"/>')
    assert said[1:] == [
        '<points player="ann" points="24" kind="half"/>',
        '<reveal legion="Bu03"><creatures><creature name="Ogre"/><creature name="Serpent"/></creatures></reveal>',
        '<eliminatePlayer loser="bob" slayer="ann"/>',
    ]
    assert {"Bu01", "Bu02", "Bu03", "Bu12"} <= set(house.position.players[0].markers)
    assert house.position.dead["Serpent"] == 1
    assert house.asked == ("ann", "summon"), "there may be an angel in Rd01, for all that the others know"
    house.does('<summon summoner="Rd02"/>', "<nextTurn/>")
    assert house.asked == ("cyd", "split") or house.asked == ("cyd", "move")


def test_an_inherited_marker_splits_a_legion() -> None:
    house = three()
    house.does('<concede legion="Bu02"/>', '<summon summoner="Rd02"/>', "<nextTurn/>", "<roll/>")
    while house.asked != ("ann", "split"):
        (move, *_) = [one for one in house.game.legal_moves(house.position.active) if one[0].TAG != "undoMove"]
        house.game.apply(house.position.active, move)
    house.game.leave(2)
    assert house.game.outcome is not None
    assert house.game.outcome.termination == Termination.OTHERS_WITHDREW


def test_who_leaves_concedes_a_running_engagement_and_is_slain_only_with_the_titan() -> None:
    house = three()
    house.news()
    house.game.leave(1)
    said = house.news()
    assert said[0].startswith('<concede legion="Bu02" withdraws="true">')
    assert said[-1] == '<eliminatePlayer loser="bob" slayer="ann"/>'
    house = met("Ogre Ogre", "Lion Lion", legion(2, 1, "20", "Titan Ogre"), players=3)
    house.news()
    house.game.leave(1)
    assert house.news()[-1] == '<eliminatePlayer loser="bob"/>'


def test_who_leaves_while_another_stands_beside_the_titan_is_slain_by_that_one() -> None:
    """The engagement has not been opened yet: all legions of bob's are worth half to ann, who gets the markers."""
    house = House(
        legion(0, 2, "2", "Ogre Ogre"), legion(0, 1, "131", "Titan Ogre"), legion(1, 1, "3", "Titan Ogre"),
        legion(1, 2, "111", "Lion Lion Lion"), legion(2, 1, "20", "Titan Ogre"), players=3, dice=[1],
    )  # fmt: skip
    house.does("<roll/>", '<move legion="Rd02" hex="3"/>')
    house.game.leave(1)
    said = house.news()
    assert said[0] == f'<points player="ann" points="{(36 + 45) // 2}" kind="half"/>'
    assert said[-1] == '<eliminatePlayer loser="bob" slayer="ann"/>'
    assert "Bu05" in house.position.players[0].markers


def test_half_points_go_to_those_who_stand_beside_a_legion() -> None:
    house = House(
        legion(0, 2, "2", "Ogre Ogre"), legion(0, 1, "131", "Titan Ogre"), legion(1, 1, "111", "Titan Ogre"),
        legion(1, 2, "3", "Lion Lion Lion"), legion(2, 1, "20", "Titan Ogre"), players=3, dice=[1],
    )  # fmt: skip
    house.does("<roll/>", '<move legion="Rd02" hex="3"/>')
    house.game.leave(1)
    assert house.news()[0] == '<points player="ann" points="22" kind="half"/>'
    assert house.asked == ("ann", "move")


def test_a_lone_survivor_wins_when_all_others_leave_in_any_phase() -> None:
    for players in (2, 3, 6):
        house = House(players=players)
        for seat in range(1, players):
            house.game.leave(seat)
        assert house.game.outcome is not None
        assert house.game.outcome.winners == {0}
