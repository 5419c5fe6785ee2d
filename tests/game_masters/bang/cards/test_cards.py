"""What each card does, clause by clause, with the events that tell it."""

import pytest

from game_masters.bang.cards.playing_cards import EXPLODES, FACES, NAMES, Kind
from game_masters.bang.messages.moves import Ability, Draw, Play
from game_masters.bang.messages.words import Phase, Reason
from tests.game_masters.bang.saloon import Saloon, context_of, kill, lives, moved, types

P4 = {"character": "black-jack"}


def test_the_deck_has_80_cards_20_of_each_suit() -> None:
    assert len(FACES) == 80
    assert {suit: sum(face[1] == suit for face in FACES) for suit in ("spades", "hearts", "diamonds", "clubs")} == {
        "spades": 20, "hearts": 20, "diamonds": 20, "clubs": 20,
    }  # fmt: skip
    assert len(NAMES) == 22
    assert sum((suit, rank) in EXPLODES for _, suit, rank in FACES) == 10


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("bang", 25), ("missed", 12), ("beer", 6), ("saloon", 1), ("diligenza", 2), ("wells-fargo", 1),
        ("general-store", 2), ("panic", 4), ("cat-balou", 4), ("indians", 2), ("duel", 3), ("gatling", 1),
        ("mustang", 2), ("appaloosa", 1), ("barrel", 2), ("dynamite", 1), ("jail", 3), ("volcanic", 2),
        ("schofield", 3), ("remington", 1), ("carabine", 1), ("winchester", 1),
    ],
)  # fmt: skip
def test_so_many_cards_have_this_name(name: str, number: int) -> None:
    assert sum(face[0] == name for face in FACES) == number


DECK = {
    "spades": """2 missed, 3 missed, 4 missed, 5 missed, 6 missed, 7 missed, 8 missed winchester, 9 diligenza diligenza,
        10 jail volcanic, jack duel jail, queen barrel general-store, king barrel schofield, ace appaloosa bang""",
    "hearts": """2 dynamite, 3 wells-fargo, 4 jail, 5 saloon, 6 beer, 7 beer, 8 beer mustang, 9 beer mustang,
        10 beer gatling, jack beer panic, queen bang panic, king bang cat-balou, ace bang panic""",
    "diamonds": """2 bang, 3 bang, 4 bang, 5 bang, 6 bang, 7 bang, 8 bang panic, 9 bang cat-balou, 10 bang cat-balou,
        jack bang cat-balou, queen bang duel, king bang indians, ace bang indians""",
    "clubs": """2 bang, 3 bang, 4 bang, 5 bang, 6 bang, 7 bang, 8 bang duel, 9 bang general-store, 10 missed volcanic,
        jack missed schofield, queen missed schofield, king missed remington, ace carabine missed""",
}


@pytest.mark.parametrize("suit", DECK)
def test_each_card_has_its_suit_and_rank(suit: str) -> None:
    ranks = (one.split() for one in DECK[suit].split(","))
    expected = [(rank, name) for rank, *names in ranks for name in names]
    assert sorted((rank, name) for name, of, rank in FACES if of == suit) == sorted(expected)


# --- BANG! and Missed! --------------------------------------------------------------------------------------------


def test_a_bang_asks_its_target_who_loses_a_life_point_by_passing() -> None:
    saloon = Saloon(p1={"hand": ["bang"]})
    (shot,) = saloon.plays("bang", on=2)
    assert types([shot]) == ["play-card-on-player 1"]
    assert (shot.target, moved(shot)) == (2, ["bang hand1 graveyard"])
    context = context_of(shot)
    assert context is not None
    assert (context.current, context.requested, context.reaction, context.caused_by) == (1, 2, "bang", 1)
    (hit,) = saloon.passes()
    assert types([hit]) == ["reaction-pass 2"]
    assert lives(hit) == {2: 3}
    back = context_of(hit)
    assert back is not None
    assert (back.requested, back.phase, back.reaction) == (1, Phase.TURN, None)


def test_a_missed_cancels_a_bang() -> None:
    saloon = Saloon(p1={"hand": ["bang"]}, p2={"hand": ["missed", "beer"]})
    saloon.plays("bang", on=2)
    (answer,) = saloon.answers("missed")
    assert types([answer]) == ["reaction-play-card 2"]
    assert (moved(answer), saloon.life(2), saloon.phase) == (["missed hand2 graveyard"], 4, Phase.TURN)


def test_only_one_bang_a_turn_and_again_in_the_next_one() -> None:
    saloon = Saloon(p1={"hand": ["bang", "bang"]})
    saloon.plays("bang", on=2)
    saloon.passes()
    assert saloon.cannot_play("bang", on=2) is Reason.ONE_BANG
    saloon.ends()
    for _ in range(3):
        saloon.draws()
        saloon.ends()
    saloon.draws()
    assert saloon.context.turn == 2
    saloon.plays("bang", on=2)


def test_a_volcanic_put_on_the_table_after_a_bang_allows_another_one() -> None:
    saloon = Saloon(p1={"hand": ["bang", "bang", "volcanic", "schofield"]})
    saloon.plays("bang", on=2)
    saloon.passes()
    saloon.plays("volcanic")
    saloon.plays("bang", on=2)
    saloon.passes()
    saloon.plays("schofield")
    assert saloon.hand(1)[:1] != ["bang"]


def test_who_loses_the_volcanic_after_a_shot_may_not_shoot_again() -> None:
    saloon = Saloon(p1={"hand": ["bang", "bang", "remington"], "table": ["volcanic"]})
    saloon.plays("bang", on=2)
    saloon.passes()
    saloon.plays("remington")
    assert saloon.cannot_play("bang", on=2) is Reason.ONE_BANG


@pytest.mark.parametrize(
    ("weapon", "reach"),
    [("volcanic", 1), ("schofield", 2), ("remington", 3), ("carabine", 4), ("winchester", 5), ("", 1)],
)
def test_a_weapon_says_how_far_a_bang_reaches(weapon: str, reach: int) -> None:
    """At a table of seven the fourth is at distance 3; with a Mustang at 4, as Paul Regret at 5."""
    far = {"character": "paul-regret", "table": ["mustang"]}
    saloon = Saloon(7, p1={"hand": ["bang"], "table": [weapon] if weapon else []}, p4=far, p6=P4)
    assert saloon.state.course.players.distance(saloon.player(1), saloon.player(4)) == 5
    reached = [id for id in range(2, 8) if Play(saloon.card("bang").id, id) in saloon.state.legal_moves(0)]
    near = {2: 1, 3: 2, 4: 5, 5: 3, 6: 2, 7: 1}
    assert reached == [id for id, distance in near.items() if distance <= reach]


def test_reasons_for_a_bang_come_in_their_order() -> None:
    saloon = Saloon(5, p1={"hand": ["bang", "bang"]})
    assert saloon.cannot_play("bang") is Reason.BAD_USAGE
    assert saloon.cannot_play("bang", on=1) is Reason.BAD_TARGET_PLAYER
    assert saloon.cannot_play("bang", on=9) is Reason.BAD_TARGET_PLAYER
    assert saloon.cannot_play("bang", on=3) is Reason.OUT_OF_RANGE
    saloon.plays("bang", on=2)
    saloon.passes()
    assert saloon.cannot_play("bang", on=3) is Reason.OUT_OF_RANGE
    assert saloon.cannot_play("bang", on=2) is Reason.ONE_BANG


def test_a_missed_is_no_card_for_the_own_turn() -> None:
    saloon = Saloon(p1={"hand": ["missed"]})
    assert saloon.cannot_play("missed") is Reason.BAD_USAGE
    assert saloon.cannot_play("missed", on=2) is Reason.BAD_USAGE


# --- Beer, Saloon, cards that draw --------------------------------------------------------------------------------


def test_a_beer_gives_a_life_point_up_to_the_maximum() -> None:
    saloon = Saloon(p1={"hand": ["beer", "beer"], "life": 4})
    (drunk,) = saloon.plays("beer")
    assert (types([drunk]), moved(drunk), lives(drunk)) == (["play-card 1"], ["beer hand1 graveyard"], {1: 5})
    (wasted,) = saloon.plays("beer")
    assert (lives(wasted), saloon.life(1), saloon.top) == ({}, 5, "beer")


def test_a_beer_has_no_effect_with_two_players_alive() -> None:
    dead = {"alive": False}
    saloon = Saloon(p1={"hand": ["beer"], "life": 1}, p2=dead, p3=dead)
    (drunk,) = saloon.plays("beer")
    assert (lives(drunk), saloon.life(1)) == ({}, 1)


def test_a_saloon_gives_everybody_a_life_point_also_with_two_players_alive() -> None:
    saloon = Saloon(p1={"hand": ["saloon"], "life": 4}, p2={"life": 1}, p3={"life": 4}, p4={"life": 2})
    (drunk,) = saloon.plays("saloon")
    assert list(lives(drunk).items()) == [(1, 5), (2, 2), (4, 3)]
    two = Saloon(p1={"hand": ["saloon"], "life": 1}, p2={"alive": False}, p3={"alive": False})
    two.plays("saloon")
    assert two.life(1) == 2


@pytest.mark.parametrize(("name", "number"), [("diligenza", 2), ("wells-fargo", 3)])
def test_cards_that_draw_do_so_in_the_same_event(name: str, number: int) -> None:
    saloon = Saloon(deck=["bang"] * 3)
    (event,) = saloon.plays(name)
    assert types([event]) == ["play-card 1"]
    assert moved(event) == [f"{name} hand1 graveyard"] + ["bang deck hand1"] * number


@pytest.mark.parametrize("name", ["beer", "saloon", "diligenza", "indians", "gatling", "general-store", "barrel"])
def test_cards_without_a_target_are_refused_with_one(name: str) -> None:
    saloon = Saloon(p1={"hand": [name]}, p2={"table": ["mustang"]})
    assert saloon.cannot_play(name, on=2) is Reason.BAD_USAGE
    assert saloon.cannot_play(name, on=2, at="mustang") is Reason.BAD_USAGE


# --- General Store ------------------------------------------------------------------------------------------------


def test_in_a_general_store_each_takes_a_card_the_last_one_without_asking() -> None:
    saloon = Saloon(deck=["bang", "missed", "beer", "duel"], p1={"hand": ["general-store"]})
    (opened,) = saloon.plays("general-store")
    assert moved(opened)[1:] == [f"{name} deck selection" for name in ("bang", "missed", "beer", "duel")]
    assert (saloon.reaction, saloon.asked, saloon.context.caused_by) == ("general-store", 1, 1)
    assert saloon.refuses(Play(saloon.player(1).hand[0].id)) is Reason.BAD_CARD
    (first,) = saloon.answers("beer")
    assert (types([first]), moved(first), saloon.asked) == (["draw-card 1"], ["beer selection hand1"], 2)
    saloon.answers("bang")
    third, last = saloon.answers("duel")
    asked = context_of(third)
    assert asked is not None
    assert (asked.requested, asked.reaction) == (4, "general-store")
    assert (types([last]), moved(last)) == (["draw-card 4"], ["missed selection hand4"])
    assert (saloon.phase, saloon.asked, saloon.hand(4)) == (Phase.TURN, 1, ["missed"])


def test_a_general_store_with_too_few_cards_ends_where_they_do() -> None:
    saloon = Saloon(p1={"hand": ["general-store"]})
    piles = saloon.state.course.piles
    piles.deck, rest = piles.deck[:2], piles.deck[2:]
    saloon.player(3).hand += rest
    saloon.plays("general-store")
    saloon.does(Play(piles.selection[0].id))
    assert (saloon.phase, len(saloon.hand(2)), saloon.hand(4)) == (Phase.TURN, 1, [])


# --- Panic! and Cat Balou -----------------------------------------------------------------------------------------


def test_panic_takes_a_card_of_a_hand_that_only_two_see() -> None:
    saloon = Saloon(p1={"hand": ["panic"]}, p2={"hand": ["beer"]})
    (event,) = saloon.plays("panic", on=2)
    assert types([event]) == ["play-card-on-player 1"]
    assert moved(event) == ["panic hand1 graveyard", "beer hand2 hand1"]
    assert [getattr(command, "seen", 0) for command in event.commands] == [None, {1, 2}]


def test_cat_balou_discards_a_card_of_any_hand_openly() -> None:
    saloon = Saloon(p1={"hand": ["cat-balou"]}, p3={"hand": ["beer"]})
    (event,) = saloon.plays("cat-balou", on=3)
    assert moved(event) == ["cat-balou hand1 graveyard", "beer hand3 graveyard"]
    assert [getattr(command, "seen", 0) for command in event.commands] == [None, None]


@pytest.mark.parametrize(("name", "where"), [("panic", "hand1"), ("cat-balou", "graveyard")])
def test_both_work_on_cards_of_tables(name: str, where: str) -> None:
    saloon = Saloon(p1={"hand": [name]}, p2={"table": ["volcanic"]})
    (event,) = saloon.plays(name, on=2, at="volcanic")
    assert (types([event]), event.target) == (["play-card-on-card 1"], 2)
    assert [what for what, _ in event.meaning] == ["card-played", "card-target"]
    assert moved(event) == [f"{name} hand1 graveyard", f"volcanic table2 {where}"]


def test_jail_and_dynamite_can_be_taken_off_and_are_ordinary_cards_then() -> None:
    saloon = Saloon(p1={"hand": ["panic"]}, p2={"table": ["jail"]}, p3={"table": ["dynamite"]})
    saloon.plays("panic", on=2, at="jail")
    assert "jail" in saloon.hand(1)
    saloon.plays("jail", on=3)
    assert saloon.table(3) == ["dynamite", "jail"]


def test_panic_reaches_distance_1_whatever_the_weapon() -> None:
    saloon = Saloon(
        p1={"hand": ["panic"], "table": ["winchester"]}, p2={"table": ["mustang"]}, p3={"hand": ["beer"]}, p4={}
    )
    assert saloon.cannot_play("panic", on=3) is Reason.OUT_OF_RANGE
    assert saloon.cannot_play("panic", on=2, at="mustang") is Reason.OUT_OF_RANGE
    assert saloon.cannot_play("panic", on=4) is Reason.BAD_TARGET_PLAYER


def test_on_a_player_without_cards_a_table_card_must_be_named() -> None:
    saloon = Saloon(p1={"hand": ["cat-balou"]}, p2={"table": ["barrel"]})
    assert saloon.cannot_play("cat-balou", on=2) is Reason.BAD_TARGET_PLAYER
    assert saloon.refuses(Play(saloon.card("cat-balou").id, 0, 12345)) is Reason.BAD_TARGET_CARD
    assert saloon.refuses(Play(saloon.card("cat-balou").id, 0, saloon.player(1).hand[1].id)) is Reason.BAD_TARGET_CARD
    saloon.plays("cat-balou", on=2, at="barrel")


def test_oneself_may_be_the_target_as_long_as_there_is_another_card() -> None:
    saloon = Saloon(p1={"hand": ["cat-balou", "dynamite"]})
    saloon.plays("dynamite")
    saloon.plays("cat-balou", on=1, at="dynamite")
    assert saloon.table(1) == []
    own = Saloon(p1={"hand": ["panic"]})
    (event,) = own.plays("panic", on=1)
    assert moved(event)[1].endswith("hand1 hand1")
    alone = Saloon(p1={"hand": ["panic"]})
    alone.player(1).hand[:] = [alone.card("panic")]
    assert alone.cannot_play("panic", on=1) is Reason.BAD_TARGET_PLAYER


def test_cards_for_a_player_or_a_card_need_exactly_one() -> None:
    saloon = Saloon(p1={"hand": ["panic"]}, p2={"hand": ["beer"], "table": ["barrel"]})
    card, aim = saloon.card("panic").id, saloon.card("barrel", 2).id
    assert saloon.refuses(Play(card)) is Reason.BAD_USAGE
    assert saloon.refuses(Play(card, 2, aim)) is Reason.BAD_USAGE


# --- Indians, Gatling, Duel ---------------------------------------------------------------------------------------


def test_indians_ask_all_others_in_turn_for_a_bang() -> None:
    saloon = Saloon(p1={"hand": ["indians"]}, p2={"hand": ["bang"]}, p3={"hand": ["missed"], "table": ["barrel"]})
    saloon.plays("indians")
    assert (saloon.reaction, saloon.asked, saloon.context.caused_by) == ("indians", 2, 1)
    (fought,) = saloon.answers("bang")
    assert (types([fought]), saloon.asked) == (["reaction-play-card 2"], 3)
    assert saloon.refuses(Play(saloon.card("missed").id)) is Reason.BAD_CARD
    assert saloon.refuses(Play(saloon.card("barrel").id)) is Reason.BAD_CARD
    (hit,) = saloon.passes()
    assert (lives(hit), saloon.asked) == ({3: 3}, 4)
    saloon.passes()
    assert (saloon.phase, saloon.asked) == (Phase.TURN, 1)


def test_a_gatling_asks_for_missed_and_is_no_bang() -> None:
    saloon = Saloon(p1={"hand": ["gatling", "bang"]}, p2={"hand": ["missed", "bang"]})
    saloon.plays("gatling")
    assert (saloon.reaction, saloon.asked) == ("gatling", 2)
    assert saloon.refuses(Play(saloon.card("bang").id)) is Reason.BAD_CARD
    saloon.answers("missed")
    saloon.passes()
    saloon.passes()
    assert [saloon.life(id) for id in (2, 3, 4)] == [4, 3, 3]
    saloon.plays("bang", on=2)


def test_in_a_duel_they_alternate_until_one_passes() -> None:
    saloon = Saloon(p1={"hand": ["duel", "bang"]}, p2={"hand": ["bang", "bang"]})
    (challenge,) = saloon.plays("duel", on=2)
    asked = context_of(challenge)
    assert asked is not None
    assert (asked.requested, asked.reaction, asked.caused_by) == (2, "duel", 1)
    saloon.answers("bang")
    assert (saloon.asked, saloon.context.caused_by) == (1, 2)
    saloon.answers("bang")
    saloon.answers("bang")
    (lost,) = saloon.passes()
    assert (types([lost]), lives(lost), saloon.phase) == (["reaction-pass 1"], {1: 4}, Phase.TURN)


def test_missed_and_barrel_are_no_answer_to_a_duel() -> None:
    saloon = Saloon(p1={"hand": ["duel"]}, p2={"hand": ["missed"], "table": ["barrel"]})
    saloon.plays("duel", on=2)
    assert saloon.refuses(Play(saloon.card("missed").id)) is Reason.BAD_CARD
    assert saloon.refuses(Play(saloon.card("barrel").id)) is Reason.BAD_CARD


def test_shots_in_a_duel_or_at_indians_do_not_count_for_the_limit() -> None:
    saloon = Saloon(p1={"hand": ["duel", "bang", "bang"]}, p2={"hand": ["bang"]})
    saloon.plays("duel", on=2)
    saloon.answers("bang")
    saloon.answers("bang")
    saloon.passes()
    saloon.plays("bang", on=2)
    assert saloon.reaction == "bang"


def test_a_duel_has_any_range_and_no_duel_is_with_oneself() -> None:
    saloon = Saloon(7, p1={"hand": ["duel"]}, p4={"table": ["mustang"]})
    assert saloon.cannot_play("duel", on=1) is Reason.BAD_TARGET_PLAYER
    saloon.plays("duel", on=4)


# --- tables -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", [name for name, facts in NAMES.items() if facts.kind is not Kind.BROWN and name != "jail"]
)
def test_blue_cards_and_weapons_go_to_the_own_table_once(name: str) -> None:
    saloon = Saloon(p1={"hand": [name]})
    (event,) = saloon.plays(name)
    assert (types([event]), moved(event)) == (["play-card-on-table 1"], [f"{name} hand1 table1"])
    assert saloon.table(1) == [name]


@pytest.mark.parametrize("name", ["mustang", "barrel", "volcanic", "schofield"])
def test_two_cards_of_one_name_never_lie_on_one_table(name: str) -> None:
    saloon = Saloon(p1={"hand": [name], "table": [name]})
    assert saloon.cannot_play(name) is Reason.TWO_SAME


def test_a_weapon_replaces_another_one_in_one_event() -> None:
    saloon = Saloon(p1={"hand": ["schofield"], "table": ["barrel", "volcanic"]})
    (event,) = saloon.plays("schofield")
    assert moved(event) == ["volcanic table1 graveyard", "schofield hand1 table1"]
    assert saloon.table(1) == ["barrel", "schofield"]


def test_a_jail_may_lie_before_anybody_but_the_sheriff() -> None:
    saloon = Saloon(begins=2, draw=False, deck=["beer", "beer"], p2={"hand": ["jail", "jail"]})
    saloon.draws()
    assert saloon.cannot_play("jail", on=1) is Reason.BAD_TARGET_PLAYER
    assert saloon.cannot_play("jail") is Reason.BAD_USAGE
    (event,) = saloon.plays("jail", on=3)
    assert (types([event]), moved(event)) == (["play-card-on-player 2"], ["jail hand2 table3"])
    assert saloon.cannot_play("jail", on=3) is Reason.TWO_SAME
    saloon.plays("jail", on=2)
    assert saloon.table(2) == ["jail"]


def test_mustang_and_appaloosa_change_distances_and_add_up() -> None:
    saloon = Saloon(5, p1={"table": ["appaloosa"]}, p3={"table": ["mustang"]})
    players = saloon.state.course.players
    far = {id: players.distance(saloon.player(1), saloon.player(id)) for id in range(1, 6)}
    assert far == {1: 1, 2: 0, 3: 2, 4: 1, 5: 0}
    assert players.distance(saloon.player(3), saloon.player(1)) == 2


def test_the_dead_do_not_count_for_distances() -> None:
    saloon = Saloon(p1={"hand": ["bang"]}, p2={"alive": False})
    saloon.plays("bang", on=3)
    assert saloon.asked == 3


# --- checks -------------------------------------------------------------------------------------------------------


def test_a_heart_lets_a_barrel_cancel_a_shot() -> None:
    saloon = Saloon(deck=["beer 7 hearts"], p1={"hand": ["bang"]}, p2={"table": ["barrel"]})
    saloon.plays("bang", on=2)
    (check,) = saloon.answers("barrel")
    assert (types([check]), check.success, check.ability) == (["check-deck 2"], True, False)
    assert [(what, card.name) for what, card in check.meaning] == [("cause", "barrel"), ("checked", "beer")]
    assert (moved(check), saloon.phase, saloon.table(2)) == (["beer deck graveyard"], Phase.TURN, ["barrel"])


def test_a_failed_barrel_can_be_tried_once_and_a_missed_still_helps() -> None:
    saloon = Saloon(deck=["bang 2 clubs"], p1={"hand": ["bang"]}, p2={"table": ["barrel"], "hand": ["missed"]})
    saloon.plays("bang", on=2)
    (check,) = saloon.answers("barrel")
    assert (check.success, context_of(check), saloon.asked) == (False, None, 2)
    assert saloon.refuses(Play(saloon.card("barrel").id)) is Reason.BAD_CARD
    saloon.answers("missed")
    assert (saloon.life(2), saloon.phase) == (4, Phase.TURN)


def test_a_barrel_can_be_tried_anew_against_the_next_shot() -> None:
    saloon = Saloon(
        deck=["bang 2 clubs", "beer 7 hearts"],
        p1={"hand": ["bang", "gatling"]},
        p2={"table": ["barrel"], "hand": ["missed"]},
    )
    saloon.plays("bang", on=2)
    saloon.answers("barrel")
    saloon.answers("missed")
    saloon.plays("gatling")
    (check,) = saloon.answers("barrel")
    assert (check.success, saloon.asked) == (True, 3)


def test_a_jail_is_left_by_a_heart() -> None:
    saloon = Saloon(begins=2, draw=False, deck=["beer 7 hearts", "bang", "bang"], p2={"table": ["jail"]})
    (check,) = saloon.plays("jail")
    assert (check.success, moved(check)) == (True, ["beer deck graveyard", "jail table2 graveyard"])
    assert (saloon.phase, saloon.asked) == (Phase.DRAW, 2)
    saloon.draws()
    assert saloon.hand(2) == ["bang", "bang"]


def test_otherwise_the_turn_is_over() -> None:
    saloon = Saloon(begins=2, draw=False, deck=["bang 2 clubs"], p2={"table": ["jail"]})
    check, begun = saloon.plays("jail")
    assert (check.success, moved(check)) == (False, ["bang deck graveyard", "jail table2 graveyard"])
    assert types([begun]) == ["start-turn 3"]


def test_nobody_draws_before_the_checks_and_dynamite_comes_first() -> None:
    saloon = Saloon(begins=2, draw=False, deck=["beer 7 hearts"], p2={"table": ["jail", "dynamite"], "hand": ["bang"]})
    assert saloon.refuses(Draw()) is Reason.BAD_PREDRAW
    assert saloon.refuses(Ability(3)) is Reason.BAD_PREDRAW
    assert saloon.refuses(Play(saloon.card("jail").id)) is Reason.BAD_PREDRAW
    assert saloon.refuses(Play(saloon.card("bang").id)) is Reason.BAD_GAME_STATE
    saloon.plays("dynamite")
    saloon.plays("jail")


def test_a_dynamite_that_does_not_go_off_moves_to_the_next_living_player() -> None:
    saloon = Saloon(begins=2, draw=False, deck=["bang ace spades"], p2={"table": ["dynamite"]}, p3={"alive": False})
    (check,) = saloon.plays("dynamite")
    assert (check.success, moved(check)) == (True, ["bang deck graveyard", "dynamite table2 table4"])
    assert (saloon.table(4), saloon.phase) == (["dynamite"], Phase.DRAW)


@pytest.mark.parametrize("rank", ["10", "jack", "queen", "king", "ace"])
def test_high_spades_are_safe(rank: str) -> None:
    face = next(f"{name} {of} {suit}" for name, suit, of in FACES if suit == "spades" and of == rank)
    saloon = Saloon(begins=2, draw=False, deck=[face], p2={"table": ["dynamite"]})
    (check,) = saloon.plays("dynamite")
    assert check.success


@pytest.mark.parametrize("rank", ["2", "3", "4", "5", "6", "7", "8", "9"])
def test_spades_2_to_9_let_it_go_off_for_three_life_points(rank: str) -> None:
    face = next(f"{name} {of} {suit}" for name, suit, of in FACES if suit == "spades" and of == rank)
    saloon = Saloon(begins=2, draw=False, deck=[face], p2={"table": ["dynamite"]})
    (check,) = saloon.plays("dynamite")
    assert (check.success, lives(check), saloon.top) == (False, {2: 1}, "dynamite")
    assert (saloon.phase, saloon.asked) == (Phase.DRAW, 2)


def test_a_check_without_any_card_fails() -> None:
    saloon = Saloon(begins=2, draw=False, p2={"table": ["jail"]})
    piles = saloon.state.course.piles
    saloon.player(3).hand += piles.deck
    piles.deck = []
    check, _ = saloon.plays("jail")
    assert (check.success, [what for what, _ in check.meaning]) == (False, ["cause"])
    assert moved(check) == ["jail table2 graveyard"]


def test_dynamite_first_and_if_it_kills_the_jail_is_discarded() -> None:
    saloon = Saloon(begins=2, draw=False, deck=["missed 2 spades"], p2={"table": ["jail", "dynamite"], "life": 2})
    saloon.plays("dynamite")
    passed, killed, begun = kill(saloon)
    assert types([passed, killed, begun]) == ["reaction-pass 2", "kill-player 2", "start-turn 3"]
    assert (moved(killed), killed.caused_by, context_of(killed)) == (["jail table2 graveyard"], 0, None)
