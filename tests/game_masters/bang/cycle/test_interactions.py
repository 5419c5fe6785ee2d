"""Rare meetings of cards, characters and deaths: one test for each clause that belongs to no single card."""

import pytest

from game_masters.bang.messages.moves import Ability, Pass, Play
from game_masters.bang.messages.words import Phase, Reason, Termination
from tests.game_masters.bang.saloon import Saloon, kill, lives, types

DEAD = {"alive": False}


def test_a_dynamite_that_kills_the_last_outlaw_with_the_renegade_dead_lets_the_law_win() -> None:
    last = {"life": 1, "character": "bart-cassidy", "table": ["dynamite"], "hand": ["beer"]}
    saloon = Saloon(5, begins=2, draw=False, deck=["missed 2 spades"], p2=last, p3=DEAD, p4=DEAD)
    saloon.plays("dynamite")
    events = kill(saloon)
    assert types(events) == ["reaction-pass 2", "kill-player 2", "finish-game"]
    assert events[1].caused_by == 0
    assert saloon.state.course.ended is Termination.LAW_WON
    assert [player.winner for player in saloon.state.course.players] == [True, False, False, False, True]


def test_a_dynamite_passes_to_a_sheriff_and_to_who_is_in_jail() -> None:
    saloon = Saloon(begins=4, draw=False, deck=["bang 2 clubs"], p4={"table": ["dynamite"]}, p1={"hand": ["bang"]})
    saloon.plays("dynamite")
    assert saloon.table(1) == ["dynamite"]
    jailed = Saloon(begins=2, draw=False, deck=["bang 2 clubs"], p2={"table": ["dynamite"]}, p3={"table": ["jail"]})
    jailed.plays("dynamite")
    assert jailed.table(3) == ["jail", "dynamite"]
    jailed.draws()
    jailed.ends()
    assert jailed.cannot_play("jail") is Reason.BAD_PREDRAW, "the Dynamite first, whatever lay there first"


def test_a_dynamite_that_wounds_is_followed_by_the_jail() -> None:
    both = {"table": ["jail", "dynamite"], "character": "bart-cassidy", "life": 4}
    saloon = Saloon(begins=2, draw=False, deck=["missed 2 spades", "beer", "beer", "beer", "bang 3 clubs"], p2=both)
    saloon.plays("dynamite")
    assert (saloon.life(2), saloon.asked, saloon.phase, saloon.hand(2)) == (1, 2, Phase.DRAW, ["beer"] * 3)
    events = saloon.plays("jail")
    assert types(events) == ["check-deck 2", "start-turn 3"]


@pytest.mark.parametrize("weapon", ["indians", "gatling", "duel"])
def test_a_sheriff_who_eliminates_a_deputy_in_any_way_loses_everything(weapon: str) -> None:
    sheriff = {"hand": [weapon, "beer"], "table": ["barrel"]}
    saloon = Saloon(5, p1=sheriff, p5={"life": 1, "character": "bart-cassidy"})
    saloon.plays(weapon, on=5 if weapon == "duel" else 0)
    while saloon.asked != 5:
        saloon.passes()
    saloon.passes()
    events = kill(saloon)
    assert types(events)[:3] == ["reaction-pass 5", "kill-player 5", "discard-card 1"]
    assert (saloon.hand(1), saloon.table(1)) == ([], [])


def test_a_deputy_who_eliminates_a_deputy_loses_nothing() -> None:
    saloon = Saloon(
        7, begins=5, draw=False, deck=["beer", "saloon"],
        p5={"hand": ["gatling"], "character": "willy-the-kid"}, p7={"life": 1, "character": "bart-cassidy"},
    )  # fmt: skip
    saloon.draws()
    saloon.plays("gatling")
    while saloon.asked != 7:
        saloon.passes()
    saloon.passes()
    assert "discard-card 5" not in types(kill(saloon))
    assert sorted(saloon.hand(5)) == ["beer", "saloon"]


def test_a_saved_player_is_not_asked_again_and_the_next_one_is() -> None:
    saloon = Saloon(p1={"hand": ["gatling"]}, p2={"life": 1, "hand": ["beer"]})
    saloon.plays("gatling")
    saloon.passes()
    (saved,) = saloon.answers("beer")
    assert (lives(saved), saloon.asked, saloon.reaction) == ({2: 1}, 3, "gatling")


def test_distances_shrink_when_somebody_dies() -> None:
    saloon = Saloon(p1={"hand": ["bang", "bang"], "table": ["volcanic"]}, p2={"life": 1, "table": ["jail"]})
    assert saloon.cannot_play("bang", on=3) is Reason.OUT_OF_RANGE
    saloon.plays("bang", on=2)
    saloon.passes()
    kill(saloon)
    saloon.plays("bang", on=3)
    assert (saloon.asked, saloon.reaction) == (3, "bang")


def test_vulture_sam_takes_jail_and_dynamite_as_ordinary_cards() -> None:
    victim = {"life": 1, "table": ["jail", "dynamite"], "character": "bart-cassidy"}
    saloon = Saloon(5, p1={"hand": ["bang"]}, p2=victim, p3={"character": "vulture-sam"})
    saloon.plays("bang", on=2)
    saloon.passes()
    kill(saloon)
    assert sorted(saloon.hand(3)) == ["dynamite", "jail"]
    assert saloon.table(3) == []


def test_a_jourdonnais_with_a_barrel_cancels_slabs_shot_without_a_card() -> None:
    saloon = Saloon(
        deck=["beer 6 hearts", "beer 7 hearts"],
        p1={"hand": ["bang"], "character": "slab-the-killer"},
        p2={"character": "jourdonnais", "table": ["barrel"], "hand": ["missed"]},
    )
    saloon.plays("bang", on=2)
    saloon.does(Ability())
    assert (saloon.asked, saloon.reaction) == (2, "bang")
    saloon.plays("barrel")
    assert (saloon.asked, saloon.phase, saloon.hand(2)) == (1, Phase.TURN, ["missed"])


def test_nobody_passes_where_a_card_must_be_chosen() -> None:
    kit = Saloon(begins=4, draw=False, p4={"character": "kit-carlson"})
    kit.uses()
    store = Saloon(p1={"hand": ["general-store"]})
    store.plays("general-store")
    duke = Saloon(begins=2, draw=False, p2={"character": "lucky-duke", "table": ["jail"]})
    duke.plays("jail")
    for saloon in (kit, store, duke):
        assert saloon.refuses(Pass()) is Reason.BAD_USAGE
        assert saloon.refuses(Play(1)) is Reason.BAD_CARD


def test_three_reactions_inside_one_another_end_one_after_the_other() -> None:
    """In a Gatling Lucky Duke chooses for his Barrel, is hit, saves himself; only then the next one is asked."""
    lucky = {"character": "lucky-duke", "life": 1, "table": ["barrel"], "hand": ["beer"]}
    saloon = Saloon(deck=["bang 2 clubs", "bang 3 clubs"], p1={"hand": ["gatling"]}, p2=lucky)
    saloon.plays("gatling")
    assert (saloon.asked, saloon.reaction) == (2, "gatling")
    saloon.plays("barrel")
    assert (saloon.asked, saloon.reaction) == (2, "lucky-duke")
    saloon.answers("bang")
    assert (saloon.asked, saloon.reaction) == (2, "gatling")
    saloon.passes()
    assert (saloon.asked, saloon.reaction) == (2, "last-save")
    (saved,) = saloon.answers("beer")
    assert (lives(saved), saloon.asked, saloon.reaction) == ({2: 1}, 3, "gatling")
    assert saloon.state.course.piles.selection == []


def test_a_last_save_in_a_duel_and_the_death_in_it_end_the_duel() -> None:
    for hand, after in ((["beer"], 4), ([], 3)):
        dying = {"life": 1, "hand": hand, "character": "bart-cassidy"}
        saloon = Saloon(p1={"hand": ["duel"]}, p2=dying)
        saloon.plays("duel", on=2)
        saloon.passes()
        assert (saloon.reaction, saloon.context.caused_by) == ("last-save", 0)
        saloon.answers("beer") if hand else saloon.passes()
        assert (saloon.asked, saloon.phase, saloon.reaction) == (1, Phase.TURN, "")
        assert len(saloon.state.course.players.living) == after


def test_lucky_dukes_dynamite_may_end_in_a_last_save_before_his_draw() -> None:
    lucky = {"character": "lucky-duke", "life": 2, "table": ["dynamite"], "hand": ["beer", "beer"]}
    saloon = Saloon(begins=2, draw=False, deck=["missed 2 spades", "missed 3 spades"], p2=lucky)
    saloon.plays("dynamite")
    assert saloon.reaction == "lucky-duke"
    saloon.answers("missed")
    assert (saloon.reaction, saloon.context.needed) == ("last-save", 2)
    saloon.answers("beer")
    saloon.answers("beer")
    assert (saloon.phase, saloon.asked, saloon.life(2)) == (Phase.DRAW, 2, 1)
