"""What each character does, clause by clause."""

import pytest

from game_masters.bang.cards.characters import CHARACTERS
from game_masters.bang.messages.events import Movement
from game_masters.bang.messages.moves import Ability, Discard, Draw, Pass, Play
from game_masters.bang.messages.words import Phase, Reason
from tests.game_masters.bang.saloon import Saloon, context_of, kill, lives, moved, types


def test_all_have_four_life_points_but_two() -> None:
    assert {name for name, facts in CHARACTERS.items() if facts.life == 3} == {"el-gringo", "paul-regret"}
    assert len(CHARACTERS) == 16
    assert {facts.life for facts in CHARACTERS.values()} == {3, 4}


# --- Bart Cassidy -------------------------------------------------------------------------------------------------

BART = {"character": "bart-cassidy"}


def test_bart_cassidy_draws_a_card_after_a_hit() -> None:
    saloon = Saloon(deck=["saloon"], p1={"hand": ["bang"]}, p2=BART)
    saloon.plays("bang", on=2)
    hit, drawn = saloon.passes()
    assert types([hit, drawn]) == ["reaction-pass 2", "draw-card 2"]
    assert (drawn.ability, moved(drawn), context_of(drawn)) == (True, ["saloon deck hand2"], None)


def test_bart_cassidy_draws_three_after_a_dynamite_and_one_after_his_own_duel() -> None:
    saloon = Saloon(begins=2, draw=False, deck=["missed 2 spades"], p2={**BART, "table": ["dynamite"]})
    check, drawn = saloon.plays("dynamite")
    assert (lives(check), len(moved(drawn))) == ({2: 1}, 3)
    duel = Saloon(p1={**BART, "hand": ["duel"]}, p2={"hand": ["bang"]})
    duel.plays("duel", on=2)
    duel.answers("bang")
    lost, drawn = duel.passes()
    assert (lives(lost), len(moved(drawn))) == ({1: 4}, 1)


def test_bart_cassidy_draws_after_a_last_save_for_the_whole_hit_and_never_when_dying() -> None:
    dying = {**BART, "table": ["dynamite"], "life": 2, "hand": ["beer", "beer"]}
    saloon = Saloon(begins=2, draw=False, deck=["missed 2 spades"], p2=dying)
    assert types(saloon.plays("dynamite")) == ["check-deck 2"]
    assert saloon.context.needed == 2
    assert types(saloon.answers("beer")) == ["reaction-play-card 2"]
    saved, drawn = saloon.answers("beer")
    assert (lives(saved), len(moved(drawn)), saloon.life(2)) == ({2: 1}, 3, 1)
    lost = Saloon(p1={"hand": ["bang"]}, p2={**BART, "life": 1})
    lost.plays("bang", on=2)
    assert types(lost.passes()) == ["reaction-pass 2"]
    assert "draw-card 2" not in types(kill(lost))


# --- Black Jack ---------------------------------------------------------------------------------------------------


def test_black_jack_shows_the_second_card_and_draws_a_third_if_it_is_red() -> None:
    deck = ["bang 2 clubs", "beer 7 hearts", "missed 3 spades"]
    saloon = Saloon(begins=2, draw=False, deck=deck, p2={"character": "black-jack"})
    (event,) = saloon.draws()
    assert (event.ability, saloon.hand(2)) == (True, ["bang", "beer", "missed"])
    seen = [command.seen for command in event.commands if isinstance(command, Movement)]
    assert seen == [{2}, None, {2}]


def test_black_jack_draws_two_if_it_is_black() -> None:
    saloon = Saloon(begins=2, draw=False, deck=["beer 7 hearts", "bang 2 clubs"], p2={"character": "black-jack"})
    (event,) = saloon.draws()
    assert (event.ability, saloon.hand(2)) == (False, ["beer", "bang"])


def test_black_jack_shuffles_only_if_the_third_card_is_wanted() -> None:
    for second, shuffled in (("beer 7 hearts", True), ("bang 2 clubs", False)):
        black_jack = {"character": "black-jack"}
        saloon = Saloon(begins=2, draw=False, deck=["missed", second], discard=["duel", "jail"], p2=black_jack)
        piles = saloon.state.course.piles
        piles.deck, rest = piles.deck[-2:], piles.deck[:-2]
        saloon.player(1).hand += rest
        assert ("shuffle-deck" in types(saloon.draws())) is shuffled
        assert len(saloon.hand(2)) == 2 + shuffled


@pytest.mark.parametrize("left", [0, 1])
def test_black_jacks_second_card_may_be_one_that_was_just_shuffled(left: int) -> None:
    """All discards beneath the top are red."""
    discard = ["beer 7 hearts", "beer 8 hearts", "duel queen diamonds", "jail"]
    saloon = Saloon(begins=2, draw=False, deck=["missed"], discard=discard, p2={"character": "black-jack"})
    piles = saloon.state.course.piles
    cut = len(piles.deck) - left
    saloon.player(1).hand += piles.deck[:cut]
    piles.deck = piles.deck[cut:]
    shuffled, drawn = saloon.draws()
    assert (types([shuffled]), drawn.ability, len(saloon.hand(2))) == (["shuffle-deck"], True, 3)
    assert [command.seen for command in drawn.commands if isinstance(command, Movement)] == [{2}, None, {2}]


# --- Calamity Janet -----------------------------------------------------------------------------------------------

JANET = "calamity-janet"


def test_calamity_janet_shoots_with_a_missed_within_range_and_limit() -> None:
    saloon = Saloon(5, p1={"character": JANET, "hand": ["missed", "missed", "bang"]})
    assert saloon.cannot_play("missed") is Reason.BAD_USAGE
    assert saloon.cannot_play("missed", on=3) is Reason.OUT_OF_RANGE
    (event,) = saloon.plays("missed", on=2)
    assert (event.ability, saloon.reaction) == (True, "bang")
    saloon.passes()
    assert saloon.cannot_play("missed", on=2) is Reason.ONE_BANG
    assert saloon.cannot_play("bang", on=2) is Reason.ONE_BANG


@pytest.mark.parametrize(
    ("attack", "answer", "ability"),
    [
        ("bang", "bang", True), ("bang", "missed", False), ("gatling", "bang", True), ("gatling", "missed", False),
        ("indians", "missed", True), ("indians", "bang", False), ("duel", "missed", True), ("duel", "bang", False),
    ],
)  # fmt: skip
def test_calamity_janet_answers_with_either(attack: str, answer: str, ability: bool) -> None:
    saloon = Saloon(p1={"hand": [attack]}, p2={"character": JANET, "hand": [answer]})
    saloon.plays(attack, on=2 if attack in ("bang", "duel") else 0)
    (event,) = saloon.answers(answer)
    assert (event.ability, event.meaning[0][1].name, saloon.life(2)) == (ability, answer, 4)


# --- El Gringo ----------------------------------------------------------------------------------------------------

GRINGO = {"character": "el-gringo"}


def test_el_gringo_takes_a_card_that_two_see_of_who_wounds_him() -> None:
    saloon = Saloon(p1={"hand": ["bang"]}, p2=GRINGO)
    saloon.plays("bang", on=2)
    _, stolen = saloon.passes()
    assert (types([stolen]), stolen.ability) == (["draw-card 2"], True)
    (card,) = stolen.commands
    assert isinstance(card, Movement)
    assert (card.giver, card.taker, card.seen) == (1, 2, frozenset({1, 2}))


def test_el_gringo_gets_nothing_of_empty_hands_of_dynamite_and_of_himself() -> None:
    empty = Saloon(p1={"hand": ["bang"]}, p2=GRINGO)
    empty.player(1).hand[:] = [empty.card("bang")]
    empty.plays("bang", on=2)
    assert types(empty.passes()) == ["reaction-pass 2"]
    boom = Saloon(
        begins=2, draw=False, deck=["missed 2 spades"], p2={**GRINGO, "table": ["dynamite"], "hand": ["beer"]}
    )
    assert types(boom.plays("dynamite")) == ["check-deck 2"]
    own = Saloon(p1={**GRINGO, "hand": ["duel"]}, p2={"hand": ["bang"]})
    own.plays("duel", on=2)
    own.answers("bang")
    assert types(own.passes()) == ["reaction-pass 1"]


def test_el_gringo_takes_from_the_challenger_when_he_loses_the_duel() -> None:
    saloon = Saloon(p1={"hand": ["duel"]}, p2=GRINGO)
    saloon.plays("duel", on=2)
    _, stolen = saloon.passes()
    assert moved(stolen)[0].endswith("hand1 hand2")


def test_the_theft_can_empty_suzys_hand_who_then_draws() -> None:
    saloon = Saloon(deck=["saloon", "gatling"], p1={"character": "suzy-lafayette", "hand": ["bang"]}, p2=GRINGO)
    saloon.player(1).hand[:] = [saloon.card("bang")]
    shot, drawn = saloon.plays("bang", on=2)
    assert types([shot, drawn]) == ["play-card-on-player 1", "draw-card 1"]
    hit, stolen, again = saloon.passes()
    assert types([hit, stolen, again]) == ["reaction-pass 2", "draw-card 2", "draw-card 1"]
    assert (moved(stolen), moved(again)) == (["saloon hand1 hand2"], ["gatling deck hand1"])


# --- Jesse Jones, Kit Carlson, Pedro Ramirez ----------------------------------------------------------------------


def test_jesse_jones_draws_his_first_card_from_a_hand() -> None:
    saloon = Saloon(begins=2, draw=False, deck=["saloon"], p2={"character": "jesse-jones"}, p3={"hand": ["beer"]})
    (event,) = saloon.uses(on=3)
    assert (types([event]), event.ability) == (["draw-card 2"], True)
    assert moved(event) == ["beer hand3 hand2", "saloon deck hand2"]
    assert event.commands[0].seen == {2, 3}  # type: ignore[union-attr]
    assert saloon.phase is Phase.TURN


def test_jesse_jones_needs_a_living_other_player_with_cards() -> None:
    saloon = Saloon(begins=2, draw=False, p2={"character": "jesse-jones", "hand": ["beer"]}, p3={"alive": False})
    for player in (1, 2, 3, 9):
        assert saloon.refuses(Ability(player)) is Reason.BAD_TARGET_PLAYER
    assert saloon.refuses(Ability()) is Reason.BAD_USAGE
    saloon.draws()
    assert saloon.refuses(Ability(1)) is Reason.BAD_GAME_STATE


def test_after_jesse_took_suzys_last_card_he_draws_first() -> None:
    saloon = Saloon(
        begins=2,
        draw=False,
        deck=["saloon", "gatling"],
        p2={"character": "jesse-jones"},
        p3={"character": "suzy-lafayette", "hand": ["beer"]},
    )
    drawn, suzys = saloon.uses(on=3)
    assert types([drawn, suzys]) == ["draw-card 2", "draw-card 3"]
    assert (moved(drawn)[1], moved(suzys)) == ("saloon deck hand2", ["gatling deck hand3"])


KIT = {"character": "kit-carlson"}


def test_kit_carlson_keeps_two_of_three_cards_that_nobody_else_sees() -> None:
    saloon = Saloon(begins=2, draw=False, deck=["beer", "bang", "duel"], p2=KIT)
    (looked,) = saloon.uses()
    assert moved(looked) == [f"{name} deck selection2" for name in ("beer", "bang", "duel")]
    assert (looked.ability, saloon.reaction, saloon.asked) == (True, "kit-carlson", 2)
    assert saloon.refuses(Pass()) is Reason.BAD_USAGE
    (first,) = saloon.answers("duel")
    assert (moved(first), context_of(first)) == (["duel selection hand2"], None)
    (second,) = saloon.answers("beer")
    assert moved(second) == ["beer selection hand2", "bang selection deck"]
    assert (saloon.phase, saloon.state.course.piles.deck[-1].name) == (Phase.TURN, "bang")
    for event in (looked, first, second):
        assert {one.seen for one in event.commands if isinstance(one, Movement)} == {frozenset({2})}


@pytest.mark.parametrize("left", [0, 1, 2])
def test_kit_carlson_sees_what_there_is(left: int) -> None:
    saloon = Saloon(begins=2, draw=False, p2=KIT)
    piles = saloon.state.course.piles
    saloon.player(1).hand += piles.deck[left:]
    piles.deck = piles.deck[:left]
    saloon.uses()
    for _ in range(left):
        saloon.does(Play(piles.selection[0].id))
    assert (saloon.phase, len(saloon.hand(2))) == (Phase.TURN, left)


def test_the_usual_draw_stays_possible_for_all_three() -> None:
    for character in ("kit-carlson", "jesse-jones", "pedro-ramirez"):
        hand = {"hand": ["beer"]}
        saloon = Saloon(begins=2, draw=False, discard=["duel"], p2={"character": character}, p1=hand)
        (event,) = saloon.draws()
        assert (len(moved(event)), event.ability) == (2, False)


PEDRO = {"character": "pedro-ramirez"}


def test_pedro_ramirez_draws_his_first_card_from_the_discard_pile_openly() -> None:
    saloon = Saloon(begins=2, draw=False, deck=["saloon"], discard=["duel", "jail"], p2=PEDRO)
    (event,) = saloon.uses()
    assert moved(event) == ["jail graveyard hand2", "saloon deck hand2"]
    first = event.commands[0]
    assert isinstance(first, Movement)
    assert (first.seen, first.second and first.second.name, saloon.top) == (None, "duel", "duel")


def test_pedro_ramirez_cannot_draw_from_an_empty_pile() -> None:
    saloon = Saloon(begins=2, draw=False, p2=PEDRO)
    assert saloon.refuses(Ability()) is Reason.BAD_GAME_STATE
    assert saloon.phase is Phase.DRAW
    jailed = Saloon(begins=2, draw=False, p2={**PEDRO, "table": ["jail"]})
    assert jailed.refuses(Ability()) is Reason.BAD_GAME_STATE, "the state comes first of all reasons"
    jailed.state.course.piles.graveyard.append(jailed.state.course.piles.deck.pop())
    assert jailed.refuses(Ability()) is Reason.BAD_PREDRAW
    last = Saloon(begins=2, draw=False, discard=["duel"], p2=PEDRO)
    (event,) = last.uses()
    assert getattr(event.commands[0], "second", 0) is None
    assert last.state.course.piles.graveyard == []


# --- Jourdonnais, Lucky Duke --------------------------------------------------------------------------------------

JOURDONNAIS = {"character": "jourdonnais"}


def test_jourdonnais_has_a_barrel_and_may_have_another_one() -> None:
    saloon = Saloon(
        deck=["bang 2 clubs", "beer 7 hearts"], p1={"hand": ["bang"]}, p2={**JOURDONNAIS, "table": ["barrel"]}
    )
    saloon.plays("bang", on=2)
    (check,) = saloon.uses()
    assert (types([check]), check.ability, check.success) == (["check-deck 2"], True, False)
    assert [(card.id, card.name, card.type) for what, card in check.meaning if what == "cause"] == [
        (0, "jourdonnais", "character")
    ]
    assert saloon.refuses(Ability()) is Reason.BAD_GAME_STATE
    (check,) = saloon.answers("barrel")
    assert (check.success, saloon.phase) == (True, Phase.TURN)


def test_the_ability_of_jourdonnais_is_for_shots_only() -> None:
    saloon = Saloon(p1={"hand": ["indians", "gatling"]}, p2=JOURDONNAIS)
    saloon.plays("indians")
    assert saloon.refuses(Ability()) is Reason.BAD_GAME_STATE
    for _ in range(3):
        saloon.passes()
    saloon.plays("gatling")
    assert saloon.refuses(Ability(3)) is Reason.BAD_USAGE
    saloon.uses()


LUCKY = {"character": "lucky-duke"}


@pytest.mark.parametrize(("picked", "success"), [("beer", True), ("bang", False)])
def test_lucky_duke_chooses_between_two_cards(picked: str, success: bool) -> None:
    lucky = {**LUCKY, "table": ["jail"]}
    saloon = Saloon(begins=2, draw=False, deck=["bang 2 clubs", "beer 7 hearts"], p2=lucky)
    (turned,) = saloon.plays("jail")
    assert (types([turned]), turned.ability) == (["draw-into-selection 2"], True)
    assert moved(turned) == ["bang deck selection", "beer deck selection"]
    assert [(what, card.name) for what, card in turned.meaning] == [("cause", "jail")]
    assert (saloon.reaction, saloon.refuses(Pass())) == ("lucky-duke", Reason.BAD_USAGE)
    check, *_ = saloon.answers(picked)
    other = "bang" if picked == "beer" else "beer"
    assert (check.type, check.success) == ("check-deck", success)
    assert moved(check) == [f"{picked} selection graveyard", f"{other} selection graveyard", "jail table2 graveyard"]
    graveyard = [card.name for card in saloon.state.course.piles.graveyard]
    assert graveyard == [picked, other, "jail"]


def test_lucky_dukes_choice_interrupts_a_gatling_which_then_goes_on() -> None:
    saloon = Saloon(deck=["beer 7 hearts", "bang 2 clubs"], p1={"hand": ["gatling"]}, p2={**LUCKY, "table": ["barrel"]})
    saloon.plays("gatling")
    saloon.answers("barrel")
    assert (saloon.reaction, saloon.asked) == ("lucky-duke", 2)
    (check,) = saloon.answers("beer")
    asked = context_of(check)
    assert asked is not None
    assert (asked.reaction, asked.requested) == ("gatling", 3)


def test_lucky_duke_saves_himself_from_a_dynamite() -> None:
    lucky = {**LUCKY, "table": ["dynamite"]}
    saloon = Saloon(begins=2, draw=False, deck=["missed 2 spades", "beer 7 hearts"], p2=lucky)
    saloon.plays("dynamite")
    (check,) = saloon.answers("beer")
    assert (check.success, saloon.table(3)) == (True, ["dynamite"])


# --- Paul Regret, Rose Doolan, Willy the Kid ----------------------------------------------------------------------


def test_paul_regret_is_farther_and_rose_doolan_sees_nearer() -> None:
    saloon = Saloon(
        5,
        p1={"character": "rose-doolan", "table": ["appaloosa"]},
        p2={"character": "paul-regret", "table": ["mustang"]},
    )
    players = saloon.state.course.players
    far = [players.distance(saloon.player(1), saloon.player(id)) for id in (2, 3, 4)]
    assert far == [1, 0, 0]
    assert players.distance(saloon.player(3), saloon.player(2)) == 3
    assert players.distance(saloon.player(2), saloon.player(1)) == 1


def test_willy_the_kid_shoots_as_often_as_he_likes() -> None:
    saloon = Saloon(p1={"character": "willy-the-kid", "hand": ["bang", "bang", "bang"]})
    for life in (3, 2, 1):
        saloon.plays("bang", on=2)
        saloon.passes()
        assert saloon.life(2) == life


# --- Sid Ketchum --------------------------------------------------------------------------------------------------

SID = "sid-ketchum"


def test_sid_ketchum_discards_two_cards_for_a_life_point_also_at_full_life() -> None:
    saloon = Saloon(p1={"character": SID, "hand": ["bang", "missed", "duel", "jail"], "life": 4})
    (event,) = saloon.uses("bang", "missed")
    assert (types([event]), event.ability) == (["discard-card 1"], True)
    assert (moved(event), lives(event)) == (["bang hand1 graveyard", "missed hand1 graveyard"], {1: 5})
    (wasted,) = saloon.uses("duel", "jail")
    assert (lives(wasted), saloon.life(1)) == ({}, 5)


def test_sid_ketchum_needs_two_different_cards_of_his_hand() -> None:
    saloon = Saloon(p1={"character": SID, "hand": ["bang", "missed", "barrel"]}, p2={"hand": ["beer"]})
    bang, missed = saloon.card("bang").id, saloon.card("missed").id
    for cards in ((), (bang,), (bang, bang), (bang, saloon.player(2).hand[0].id), (bang, missed, missed)):
        assert saloon.refuses(Ability(0, cards)) is Reason.BAD_CARD
    assert saloon.refuses(Ability(2, (bang, missed))) is Reason.BAD_USAGE


def test_sid_ketchum_may_not_in_other_states() -> None:
    hand = {"character": SID, "hand": ["bang", "missed", "duel"]}
    saloon = Saloon(p1={"hand": ["bang"], "character": "black-jack"}, p2=hand)
    cards = tuple(card.id for card in saloon.player(2).hand[:2])
    saloon.plays("bang", on=2)
    assert saloon.refuses(Ability(0, cards)) is Reason.BAD_GAME_STATE
    before = Saloon(begins=2, draw=False, p2=hand)
    assert before.refuses(Ability(0, tuple(card.id for card in before.player(2).hand[:2]))) is Reason.BAD_GAME_STATE
    many = Saloon(p1={"character": SID, "hand": ["bang", "missed", "duel"], "life": 2})
    many.does(Discard(many.card("duel").id))
    assert (many.phase, many.refuses(Ability(0, cards_of(many, 1)))) == (Phase.DISCARD, Reason.BAD_GAME_STATE)
    assert many.refuses(Ability(0, cards_of(many, 2)), seat=1) is Reason.BAD_PLAYER, "in the turn of somebody else"


def cards_of(saloon: Saloon, id: int) -> tuple[int, ...]:
    return tuple(card.id for card in saloon.player(id).hand[:2])


def test_sid_ketchum_saves_his_life_with_two_players_alive() -> None:
    dead = {"alive": False}
    hand = {"character": SID, "role": "sheriff", "life": 1, "hand": ["bang", "missed", "beer"]}
    saloon = Saloon(
        begins=4, draw=False, deck=["duel", "jail"], p1=hand, p2=dead, p3=dead, p4={"character": "black-jack"}
    )
    saloon.draws()
    saloon.plays("duel", on=1)
    saloon.passes()
    assert saloon.reaction == "last-save"
    assert saloon.refuses(Play(saloon.card("beer").id)) is Reason.BAD_CARD
    (event,) = saloon.uses("bang", "missed")
    assert (types([event]), lives(event)) == (["discard-card 1"], {1: 1})
    back = context_of(event)
    assert back is not None
    assert (back.requested, back.phase) == (4, Phase.TURN)


# --- Slab the Killer ----------------------------------------------------------------------------------------------

SLAB = "slab-the-killer"


def test_slab_the_killers_bang_needs_two_successes() -> None:
    saloon = Saloon(p1={"character": SLAB, "hand": ["bang"]}, p2={"hand": ["missed", "missed"]})
    saloon.plays("bang", on=2)
    (first,) = saloon.answers("missed")
    assert (context_of(first), saloon.asked) == (None, 2)
    saloon.answers("missed")
    assert (saloon.life(2), saloon.phase) == (4, Phase.TURN)


def test_one_success_against_slab_is_spent_in_vain() -> None:
    saloon = Saloon(p1={"character": SLAB, "hand": ["bang"]}, p2={"hand": ["missed"]})
    saloon.plays("bang", on=2)
    saloon.answers("missed")
    (hit,) = saloon.passes()
    assert (lives(hit), saloon.hand(2)) == ({2: 3}, [])


def test_barrels_count_once_each_against_slab() -> None:
    target = {**JOURDONNAIS, "table": ["barrel"]}
    saloon = Saloon(deck=["beer 7 hearts", "beer 8 hearts"], p1={"character": SLAB, "hand": ["bang"]}, p2=target)
    saloon.plays("bang", on=2)
    saloon.uses()
    saloon.answers("barrel")
    assert (saloon.life(2), saloon.phase) == (4, Phase.TURN)
    one = Saloon(
        deck=["beer 7 hearts"], p1={"character": SLAB, "hand": ["bang"]}, p2={"table": ["barrel"], "hand": ["missed"]}
    )
    one.plays("bang", on=2)
    (check,) = one.answers("barrel")
    assert (check.success, one.reaction) == (True, "bang")
    assert one.refuses(Play(one.card("barrel").id)) is Reason.BAD_CARD
    one.answers("missed")
    assert one.life(2) == 4


def test_slabs_gatling_and_duel_are_like_those_of_others() -> None:
    saloon = Saloon(p1={"character": SLAB, "hand": ["gatling"]}, p2={"hand": ["missed"]})
    saloon.plays("gatling")
    saloon.answers("missed")
    assert saloon.asked == 3
    duel = Saloon(p1={"character": SLAB, "hand": ["duel"]}, p2={"hand": ["bang"]})
    duel.plays("duel", on=2)
    duel.answers("bang")
    assert (duel.asked, duel.reaction, duel.hand(2)) == (1, "duel", [])


# --- Suzy Lafayette -----------------------------------------------------------------------------------------------

SUZY = "suzy-lafayette"


def test_suzy_lafayette_draws_when_her_last_card_is_played_or_stolen() -> None:
    saloon = Saloon(deck=["saloon", "gatling"], p1={"hand": ["cat-balou"]}, p2={"character": SUZY, "hand": ["beer"]})
    stolen, drawn = saloon.plays("cat-balou", on=2)
    assert (types([stolen, drawn]), drawn.ability) == (["play-card-on-player 1", "draw-card 2"], True)
    assert moved(drawn) == ["saloon deck hand2"]


def test_suzy_draws_one_card_also_when_the_deck_has_to_be_shuffled_for_it() -> None:
    suzy = {"character": SUZY, "hand": ["beer"]}
    saloon = Saloon(discard=["duel", "jail"], p1={"hand": ["cat-balou"]}, p2=suzy)
    piles = saloon.state.course.piles
    saloon.player(3).hand += piles.deck
    piles.deck = []
    assert types(saloon.plays("cat-balou", on=2)) == ["play-card-on-player 1", "shuffle-deck", "draw-card 2"]
    assert len(saloon.hand(2)) == 1


def test_suzy_draws_after_the_death_of_her_challenger_and_before_the_next_turn() -> None:
    saloon = Saloon(
        begins=2,
        draw=False,
        deck=["duel", "saloon"],
        p1={"character": SUZY, "hand": ["bang"]},
        p2={"life": 1, "character": "black-jack"},
    )
    saloon.draws()
    saloon.plays("duel", on=1)
    saloon.answers("bang")
    saloon.passes()
    events = kill(saloon)
    assert types(events) == ["reaction-pass 2", "kill-player 2", "draw-card 1", "start-turn 3"]
    assert [context_of(event) is None for event in events] == [True, True, True, False], "the dead are not asked"


def test_suzys_new_card_may_be_the_second_missed_against_slab() -> None:
    saloon = Saloon(
        deck=["missed"], p1={"character": SLAB, "hand": ["bang"]}, p2={"character": SUZY, "hand": ["missed"]}
    )
    saloon.plays("bang", on=2)
    assert types(saloon.answers("missed")) == ["reaction-play-card 2", "draw-card 2"]
    assert saloon.reaction == "bang"
    saloon.answers("missed")
    assert saloon.life(2) == 4


def test_suzy_waits_while_a_duel_of_hers_goes_on() -> None:
    saloon = Saloon(deck=["saloon"], p1={"hand": ["duel", "bang"]}, p2={"character": SUZY, "hand": ["bang"]})
    saloon.plays("duel", on=2)
    assert types(saloon.answers("bang")) == ["reaction-play-card 2"]
    lost, drawn = saloon.passes()
    assert types([lost, drawn]) == ["reaction-pass 1", "draw-card 2"]


def test_suzy_waits_for_all_that_follows_from_her_duel() -> None:
    """Bart Cassidy reacts to the hit before she draws; and between damage and last save she does not draw."""
    saloon = Saloon(
        deck=["saloon", "gatling"], p1={"character": SUZY, "hand": ["duel"]}, p2={"character": "bart-cassidy"}
    )
    saloon.player(1).hand[:] = [saloon.card("duel")]
    assert types(saloon.plays("duel", on=2)) == ["play-card-on-player 1"]
    assert types(saloon.passes()) == ["reaction-pass 2", "draw-card 2", "draw-card 1"]
    dying = Saloon(deck=["beer"], p1={"hand": ["duel", "bang"]}, p2={"character": SUZY, "hand": ["bang"], "life": 1})
    dying.plays("duel", on=2)
    dying.answers("bang")
    dying.answers("bang")
    assert types(dying.passes()) == ["reaction-pass 2"]
    assert dying.reaction == "last-save"
    assert "draw-card 2" not in types(kill(dying))


def test_suzy_draws_after_a_last_beer_that_saves_her_or_is_one_of_several() -> None:
    saved = Saloon(deck=["saloon"], p1={"hand": ["bang"]}, p2={"character": SUZY, "hand": ["beer"], "life": 1})
    saved.plays("bang", on=2)
    assert types(saved.passes()) == ["reaction-pass 2"]
    assert types(saved.answers("beer")) == ["reaction-play-card 2", "draw-card 2"]
    suzy = {"character": SUZY, "table": ["dynamite"], "hand": ["beer"], "life": 2}
    several = Saloon(begins=2, draw=False, deck=["missed 2 spades", "beer"], p2=suzy)
    several.plays("dynamite")
    assert types(several.answers("beer")) == ["reaction-play-card 2", "draw-card 2"]
    several.answers("beer")
    assert several.life(2) == 1


def test_suzy_does_not_draw_while_a_general_store_is_open() -> None:
    saloon = Saloon(p1={"character": SUZY, "hand": ["general-store"]})
    saloon.player(1).hand[:] = [saloon.card("general-store")]
    assert types(saloon.plays("general-store")) == ["play-card 1"]
    saloon.does(Play(saloon.state.course.piles.selection[0].id))
    assert len(saloon.hand(1)) == 1


@pytest.mark.parametrize("name", ["diligenza", "wells-fargo"])
def test_suzy_needs_no_card_after_one_that_draws(name: str) -> None:
    saloon = Saloon(p1={"character": SUZY})
    saloon.player(1).hand[:] = [saloon.card(name)]
    assert types(saloon.plays(name)) == ["play-card 1"]


def test_suzy_needs_no_card_after_a_panic() -> None:
    saloon = Saloon(p1={"character": SUZY, "hand": ["panic"]}, p2={"hand": ["beer", "bang"]})
    saloon.player(1).hand[:] = [saloon.card("panic")]
    assert types(saloon.plays("panic", on=2)) == ["play-card-on-player 1"]
    assert len(saloon.hand(1)) == 1


def test_sheriff_suzy_who_lost_everything_draws_one_card() -> None:
    saloon = Saloon(
        5, p1={"character": SUZY, "hand": ["duel"], "table": ["barrel"]}, p5={"life": 1, "character": "black-jack"}
    )
    saloon.plays("duel", on=5)
    saloon.passes()
    assert types(kill(saloon)) == ["reaction-pass 5", "kill-player 5", "discard-card 1", "draw-card 1"]
    assert (len(saloon.hand(1)), saloon.table(1)) == (1, [])


# --- Vulture Sam --------------------------------------------------------------------------------------------------

SAM = "vulture-sam"


def test_vulture_sam_takes_hand_and_table_of_the_dead_before_the_reward() -> None:
    dying = {"life": 1, "hand": ["beer"], "table": ["barrel", "jail"], "role": "outlaw"}
    saloon = Saloon(deck=["bang", "bang", "bang"], p1={"hand": ["bang"]}, p2=dying, p4={"character": SAM})
    saloon.plays("bang", on=2)
    saloon.passes()
    _, killed, reward = kill(saloon)
    assert (types([killed, reward]), killed.ability) == (["kill-player 2", "draw-card 1"], True)
    assert moved(killed) == ["beer hand2 hand4", "barrel table2 hand4", "jail table2 hand4"]
    assert [one.seen for one in killed.commands if isinstance(one, Movement)] == [{2, 4}, None, None]
    assert saloon.hand(4) == ["beer", "barrel", "jail"]


def test_vulture_sams_own_cards_are_discarded() -> None:
    saloon = Saloon(p1={"hand": ["bang"]}, p2={"character": SAM, "life": 1, "hand": ["beer"]}, p3={}, p4={})
    saloon.plays("bang", on=2)
    saloon.passes()
    _, killed, *_ = kill(saloon)
    assert (killed.ability, moved(killed)) == (False, ["beer hand2 graveyard"])


def test_sheriff_sam_loses_what_he_just_took() -> None:
    saloon = Saloon(5, p1={"character": SAM, "hand": ["duel"]}, p5={"life": 1, "hand": ["beer"], "table": ["mustang"]})
    saloon.plays("duel", on=5)
    saloon.passes()
    _, killed, lost = kill(saloon)
    assert (len(moved(killed)), types([lost])) == (2, ["discard-card 1"])
    assert {"beer hand1 graveyard", "mustang hand1 graveyard"} <= set(moved(lost))
    assert saloon.hand(1) == []


@pytest.mark.parametrize("character", [name for name, facts in CHARACTERS.items() if facts.call == "none"])
def test_who_has_no_such_ability_is_told(character: str) -> None:
    saloon = Saloon(p1={"character": character})
    assert saloon.refuses(Ability()) is Reason.BAD_USAGE
    assert saloon.refuses(Draw()) is Reason.BAD_GAME_STATE
