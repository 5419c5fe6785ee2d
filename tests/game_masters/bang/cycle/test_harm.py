"""Last saves, eliminations, rewards and penalties, and who wins."""

import pytest

from game_masters.bang.messages.moves import Pass, Play
from game_masters.bang.messages.words import Phase, Reason, Termination
from tests.game_masters.bang.saloon import Saloon, context_of, kill, lives, moved, types

PLAIN = {"character": "black-jack"}


def shot(**players: object) -> Saloon:
    """Player 2 has been shot by player 1, has no life point left and is asked."""
    two = {"life": 1, **PLAIN, **players.pop("p2", {})}  # type: ignore[dict-item]
    saloon = Saloon(p1={"hand": ["bang"]}, p2=two, **players)  # type: ignore[arg-type]
    saloon.plays("bang", on=2)
    (hit,) = saloon.passes()
    assert lives(hit) == {2: 0}
    context = context_of(hit)
    assert context is not None
    assert (context.reaction, context.requested, context.caused_by, context.needed) == ("last-save", 2, 0, 0)
    return saloon


def test_a_beer_saves_a_life_and_what_was_interrupted_goes_on() -> None:
    saloon = shot(p2={"hand": ["beer", "saloon"]})
    assert saloon.refuses(Play(saloon.card("saloon").id)) is Reason.BAD_CARD
    (saved,) = saloon.answers("beer")
    assert (types([saved]), lives(saved), saloon.life(2)) == (["reaction-play-card 2"], {2: 1}, 1)
    assert (saloon.asked, saloon.phase) == (1, Phase.TURN)


def test_a_dynamite_may_take_three_beers() -> None:
    dying = {**PLAIN, "life": 1, "table": ["dynamite"], "hand": ["beer", "beer", "beer"]}
    saloon = Saloon(begins=2, draw=False, deck=["missed 2 spades"], p2=dying)
    (check,) = saloon.plays("dynamite")
    assert lives(check) == {2: 0}
    for needed in (3, 2, 0):
        assert saloon.context.needed == needed
        (beer,) = saloon.answers("beer")
    assert (lives(beer), saloon.life(2), saloon.phase) == ({2: 1}, 1, Phase.DRAW)


def test_beers_and_sids_ability_may_be_mixed() -> None:
    hand = ["beer", "bang", "missed"]
    dying = {"character": "sid-ketchum", "life": 2, "table": ["dynamite"], "hand": hand}
    saloon = Saloon(begins=2, draw=False, deck=["missed 2 spades"], p1=PLAIN, p2=dying)
    saloon.plays("dynamite")
    (event,) = saloon.uses("bang", "missed")
    assert (types([event]), lives(event), saloon.context.needed) == (["discard-card 2"], {}, 0)
    saloon.answers("beer")
    assert saloon.life(2) == 1


def test_with_two_players_alive_beers_are_refused() -> None:
    dead = {"alive": False}
    saloon = Saloon(
        p1={"hand": ["bang"]},
        p2={"alive": False},
        p3=dead,
        p4={"life": 1, "hand": ["beer"], "table": [], **PLAIN},
    )
    saloon.plays("bang", on=4)
    saloon.passes()
    assert saloon.refuses(Play(saloon.card("beer").id)) is Reason.BAD_CARD
    kill(saloon)
    assert saloon.state.outcome is not None


def test_the_dead_show_their_role_and_discard_hand_then_table() -> None:
    saloon = shot(p2={"hand": ["missed", "duel"], "table": ["barrel"]})
    passed, killed, reward = kill(saloon)
    assert types([passed, killed, reward]) == ["reaction-pass 2", "kill-player 2", "draw-card 1"]
    assert (passed.commands, killed.caused_by, killed.ability) == ((), 1, False)
    assert moved(killed) == ["missed hand2 graveyard", "duel hand2 graveyard", "barrel table2 graveyard"]
    update = killed.commands[3]
    assert (getattr(update, "role", ""), getattr(update, "alive", None)) == ("outlaw", False)
    back = context_of(killed)
    assert back is not None
    assert (back.requested, back.phase) == (1, Phase.TURN)
    assert (len(moved(reward)), reward.ability, context_of(reward)) == (3, False, None)


@pytest.mark.parametrize("role", ["outlaw", "renegade"])
def test_whoever_eliminates_an_outlaw_draws_three_cards(role: str) -> None:
    others = {"outlaw": ("sheriff", "outlaw", "renegade"), "renegade": ("sheriff", "outlaw", "outlaw")}[role]
    roles = [{"role": one} for one in others]
    saloon = Saloon(
        begins=2, draw=False, deck=["beer", "bang"], p2={"role": role, **PLAIN}, p1=roles[0],
        p3={**roles[1], "life": 1, "character": "kit-carlson"}, p4=roles[2],
    )  # fmt: skip
    saloon.draws()
    saloon.plays("bang", on=3)
    saloon.passes()
    assert types(kill(saloon))[-1] == "draw-card 2"


def test_a_sheriff_who_eliminates_a_deputy_loses_hand_and_table() -> None:
    saloon = Saloon(
        5, p1={"hand": ["gatling", "beer"], "table": ["volcanic"]}, p5={"life": 1, **PLAIN}, p2={}, p3={}, p4={}
    )
    saloon.plays("gatling")
    for _ in range(3):
        saloon.passes()
    saloon.passes()
    events = kill(saloon)
    assert types(events) == ["reaction-pass 5", "kill-player 5", "discard-card 1"]
    assert (saloon.hand(1), saloon.table(1)) == ([], [])
    assert moved(events[-1])[-1] == "volcanic table1 graveyard"


def test_no_penalty_without_cards() -> None:
    saloon = Saloon(5, p1={"hand": ["bang"]}, p2={"role": "deputy", "life": 1, **PLAIN}, p5={"role": "outlaw"})
    saloon.player(1).hand[:] = [saloon.card("bang")]
    saloon.plays("bang", on=2)
    saloon.passes()
    assert types(kill(saloon)) == ["reaction-pass 2", "kill-player 2"]


def test_other_killers_of_deputies_lose_nothing_and_nobody_is_rewarded_for_renegades() -> None:
    saloon = Saloon(
        5, begins=2, draw=False, deck=["bang", "beer"], p2=PLAIN, p3={"role": "deputy", "life": 1},
        p5={"role": "outlaw"},
    )  # fmt: skip
    saloon.draws()
    saloon.plays("bang", on=3)
    saloon.passes()
    assert types(kill(saloon)) == ["reaction-pass 3", "kill-player 3"]
    renegade = Saloon(p1={"hand": ["bang"]}, p4={"life": 1, **PLAIN})
    renegade.plays("bang", on=4)
    renegade.passes()
    assert types(kill(renegade)) == ["reaction-pass 4", "kill-player 4"]


def test_no_reward_for_dynamite_and_for_an_own_duel() -> None:
    boom = Saloon(begins=2, draw=False, deck=["missed 2 spades"], p2={**PLAIN, "table": ["dynamite"], "life": 1})
    boom.plays("dynamite")
    assert types(kill(boom)) == ["reaction-pass 2", "kill-player 2", "start-turn 3"]
    duel = Saloon(begins=2, draw=False, deck=["duel", "beer"], p1={"hand": ["bang"]}, p2={**PLAIN, "life": 1})
    duel.draws()
    duel.plays("duel", on=1)
    duel.answers("bang")
    assert duel.asked == 2
    duel.passes()
    events = kill(duel)
    assert types(events) == ["reaction-pass 2", "kill-player 2", "start-turn 3"]
    assert (events[1].caused_by, context_of(events[1])) == (2, None)


def test_a_deputy_who_dies_in_his_own_duel_costs_the_sheriff_nothing() -> None:
    saloon = Saloon(
        5, begins=5, draw=False, deck=["duel", "saloon"], p1={"hand": ["bang", "beer"]}, p5={**PLAIN, "life": 1}
    )
    saloon.draws()
    saloon.plays("duel", on=1)
    saloon.answers("bang")
    saloon.passes()
    assert types(kill(saloon)) == ["reaction-pass 5", "kill-player 5", "start-turn 1"]
    assert saloon.hand(1) == ["beer"]


def test_in_a_duel_the_challenger_is_the_cause_even_if_the_challenged_one_dies() -> None:
    saloon = Saloon(p1={"hand": ["duel"]}, p2={"life": 1, **PLAIN})
    saloon.plays("duel", on=2)
    saloon.passes()
    events = kill(saloon)
    assert (events[1].caused_by, types(events)[-1]) == (1, "draw-card 1")


def test_in_a_gatling_one_is_dead_or_saved_before_the_next_is_asked() -> None:
    dying = {"life": 1, **PLAIN, "hand": ["beer"]}
    saloon = Saloon(p1={"hand": ["gatling"]}, p2=dying, p3={"life": 1, "character": "kit-carlson"}, p4={})
    saloon.plays("gatling")
    saloon.passes()
    assert (saloon.reaction, saloon.asked) == ("last-save", 2)
    saloon.answers("beer")
    assert (saloon.reaction, saloon.asked) == ("gatling", 3)
    saloon.passes()
    events = kill(saloon)
    assert types(events) == ["reaction-pass 3", "kill-player 3", "draw-card 1"]
    asked = context_of(events[1])
    assert asked is not None
    assert (asked.reaction, asked.requested) == ("gatling", 4)


def test_when_the_last_one_of_a_series_dies_the_turn_goes_on() -> None:
    saloon = Saloon(p1={"hand": ["indians"]}, p4={"life": 1, **PLAIN})
    saloon.plays("indians")
    for _ in range(3):
        saloon.passes()
    kill(saloon)
    assert (saloon.asked, saloon.phase) == (1, Phase.TURN)


# --- who wins -----------------------------------------------------------------------------------------------------


def winners(saloon: Saloon) -> set[int]:
    assert saloon.state.outcome is not None
    return {seat + 1 for seat in saloon.state.outcome.winners}


def test_all_outlaws_win_when_the_sheriff_dies() -> None:
    saloon = Saloon(
        begins=2, draw=False, deck=["bang", "beer"], p1={"life": 1, "hand": ["duel"]}, p2=PLAIN, p3={"alive": False}
    )
    saloon.draws()
    saloon.plays("bang", on=1)
    saloon.passes()
    events = kill(saloon)
    assert types(events) == ["reaction-pass 1", "kill-player 1", "finish-game"]
    assert context_of(events[1]) is None
    assert winners(saloon) == {2, 3}
    assert saloon.state.outcome is not None
    assert saloon.state.outcome.termination == Termination.OUTLAWS_WON
    told = {one.player: (one.role, one.winner) for one in events[2].commands}  # type: ignore[union-attr]
    assert told == {1: ("sheriff", False), 2: ("outlaw", True), 3: ("outlaw", True), 4: ("renegade", False)}


def test_they_win_even_when_none_of_them_is_alive() -> None:
    dead = {"alive": False}
    saloon = Saloon(5, begins=4, draw=False, deck=["duel", "beer"], p1={"life": 1}, p2=dead, p3=dead, p4=PLAIN)
    saloon.draws()
    saloon.plays("duel", on=1)
    saloon.passes()
    kill(saloon)
    assert winners(saloon) == {2, 3}


def test_the_renegade_wins_as_the_only_one_alive() -> None:
    dead = {"alive": False}
    saloon = Saloon(begins=4, draw=False, deck=["bang", "beer"], p1={"life": 1}, p2=dead, p3=dead, p4=PLAIN)
    saloon.draws()
    saloon.plays("bang", on=1)
    saloon.passes()
    kill(saloon)
    assert winners(saloon) == {4}


def test_the_law_wins_when_outlaws_and_renegade_are_dead_dead_deputies_too() -> None:
    saloon = Saloon(
        5, begins=2, draw=False, deck=["missed 2 spades"], p2={**PLAIN, "table": ["dynamite"], "life": 1},
        p3={"alive": False}, p4={"alive": False}, p5={"alive": False},
    )  # fmt: skip
    saloon.plays("dynamite")
    assert types(kill(saloon))[-1] == "finish-game"
    assert winners(saloon) == {1, 5}


def test_nothing_further_happens_when_the_game_is_decided() -> None:
    saloon = Saloon(p1={"hand": ["bang"]}, p2={"life": 1, **PLAIN}, p3={"alive": False}, p4={"alive": False})
    saloon.plays("bang", on=2)
    saloon.passes()
    assert types(kill(saloon)) == ["reaction-pass 2", "kill-player 2", "finish-game"]
    assert saloon.state.movers == ()
    assert saloon.state.legal_moves(0) == ()
    assert saloon.refuses(Pass(), seat=0) is Reason.BAD_GAME_STATE


def test_the_order_of_deaths_in_one_gatling_matters() -> None:
    """The outlaw and the renegade would both die; the sheriff's side wins only after the second."""
    saloon = Saloon(
        p1={"hand": ["gatling"]}, p2={"life": 1, **PLAIN}, p3={"alive": False}, p4={"life": 1, "hand": ["missed"]}
    )
    saloon.plays("gatling")
    saloon.passes()
    assert "finish-game" not in types(kill(saloon))
    assert saloon.asked == 4
    saloon.passes()
    assert types(kill(saloon))[-1] == "finish-game"
