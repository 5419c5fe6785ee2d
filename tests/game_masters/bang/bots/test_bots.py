"""The computer players: what the deputy thinks of others, what it does with its cards, how much it wins."""

import random
import re
from dataclasses import replace

import pytest

from game_masters.bang.bots import BOTS
from game_masters.bang.bots.deputy import choose
from game_masters.bang.bots.suspicion import enmity, outlawry
from game_masters.bang.match import main
from game_masters.bang.messages.events import PlayerView
from game_masters.bang.messages.moves import Ability, Discard, Move, Pass, Play
from game_masters.bang.messages.words import Role
from game_masters.bang.table.deeds import Deed
from game_masters.bang.views.known import Known
from tests.game_masters.bang.saloon import Saloon
from tests.profile import sized


def chosen(saloon: Saloon) -> Move:
    seat = saloon.asked - 1
    return choose(saloon.state.view(seat, saloon.seen), random.Random(1))


def plays(saloon: Saloon) -> str:
    """The card that the deputy plays, and on whom."""
    move = chosen(saloon)
    assert isinstance(move, Play)
    player = saloon.player(saloon.asked)
    card = next(
        one for one in (*player.hand, *player.table, *saloon.state.course.piles.selection) if one.id == move.card
    )
    return f"{card.name} {move.player or ''}".strip()


def test_who_shoots_at_the_sheriff_looks_like_an_outlaw() -> None:
    saloon = Saloon(5, begins=2, draw=False, deck=["bang", "beer"], p1={"hand": ["missed"]})
    saloon.draws()
    saloon.plays("bang", on=1)
    known = saloon.state.view(0).known
    looks = outlawry(known)
    assert looks[2] > 0
    assert looks[3] == looks[4] == 0
    assert enmity(known)[2] > enmity(known)[3]
    assert enmity(saloon.state.view(2).known)[2] < 0 < enmity(saloon.state.view(2).known)[1], "an outlaw has a friend"
    assert enmity(saloon.state.view(4).known)[1] < 0 < enmity(saloon.state.view(4).known)[2], "a deputy has an enemy"


def test_who_shoots_at_an_outlaw_looks_like_the_law() -> None:
    saloon = Saloon(5, begins=2, draw=False, deck=["bang", "beer", "bang", "beer"], p1={"hand": ["missed"]})
    saloon.draws()
    saloon.plays("bang", on=1)
    saloon.passes()
    saloon.ends()
    saloon.draws()
    saloon.plays("bang", on=2)
    assert outlawry(saloon.state.view(0).known)[3] < 0


def test_the_law_looks_for_the_renegade_among_those_who_are_left() -> None:
    """All outlaws are dead and everybody looks lawful; a deputy who sees one hidden role knows whose it is."""
    dead = {"alive": False}
    two = Saloon(5, p2=dead, p3=dead, begins=5, draw=False, deck=["bang", "saloon"], p5={"character": "black-jack"})
    assert enmity(two.state.view(4).known)[4] > 3
    seven = Saloon(7, p2=dead, p3=dead, p6=dead)
    known = replace(seven.state.view(0).known, deeds=(Deed(4, 2, 2), Deed(5, 2, 8), Deed(7, 2, 8)))
    looks = enmity(known)
    assert looks[4] > 0 > looks[5] == looks[7], "all have shot at an outlaw, the renegade least"
    assert max(enmity(replace(known, players=_with_outlaws(known))).values()) < 0, "an outlaw is alive"


def _with_outlaws(known: Known) -> tuple[PlayerView, ...]:
    return tuple(replace(one, role=Role.RENEGADE) if one.id == 6 else one for one in known.players)


def test_a_renegade_spares_the_sheriff_until_they_are_alone() -> None:
    many = Saloon(p4={"hand": ["bang"]})
    assert enmity(many.state.view(3).known)[1] < 0
    dead = {"alive": False}
    alone = Saloon(p2=dead, p3=dead)
    assert enmity(alone.state.view(3).known)[1] > 0


def test_an_outlaw_shoots_at_the_sheriff() -> None:
    saloon = Saloon(begins=2, draw=False, deck=["bang", "saloon"], p2={"character": "black-jack"})
    saloon.draws()
    assert plays(saloon) == "bang 1"


def test_a_deputy_never_shoots_at_the_sheriff() -> None:
    saloon = Saloon(5, begins=5, draw=False, deck=["bang", "saloon"], p5={"character": "black-jack"})
    saloon.draws()
    assert plays(saloon) == "bang 4"


def test_it_draws_and_arms_first_and_keeps_its_beer() -> None:
    saloon = Saloon(p1={"hand": ["beer", "barrel"]})
    assert plays(saloon) in ("diligenza", "wells-fargo")
    saloon.plays("diligenza")
    saloon.plays("wells-fargo")
    assert plays(saloon) != "beer"
    wounded = Saloon(p1={"hand": ["beer"], "life": 1})
    wounded.plays("wells-fargo")
    wounded.plays("diligenza")
    assert plays(wounded) == "beer"


def test_it_answers_as_cheaply_as_it_can_and_saves_its_life() -> None:
    saloon = Saloon(p1={"hand": ["bang"]}, p2={"hand": ["missed", "beer"], "table": ["barrel"], "life": 1})
    saloon.plays("bang", on=2)
    assert plays(saloon) == "barrel"
    saloon.does(chosen(saloon))
    if saloon.asked == 2:
        assert plays(saloon) == "missed"
    dying = Saloon(p1={"hand": ["bang"]}, p2={"hand": ["beer"], "life": 1})
    dying.plays("bang", on=2)
    assert chosen(dying) == Pass()
    dying.passes()
    assert plays(dying) == "beer"


def test_it_spares_a_missed_that_does_not_help_against_slab() -> None:
    saloon = Saloon(p1={"character": "slab-the-killer", "hand": ["bang"]}, p2={"hand": ["missed"]})
    saloon.plays("bang", on=2)
    assert chosen(saloon) == Pass()
    two = Saloon(p1={"character": "slab-the-killer", "hand": ["bang"]}, p2={"hand": ["missed", "missed"]})
    two.plays("bang", on=2)
    two.answers("missed")
    assert plays(two) == "missed"


def test_it_uses_its_character() -> None:
    kit = Saloon(begins=4, draw=False, p4={"character": "kit-carlson"})
    assert chosen(kit) == Ability()
    jourdonnais = Saloon(p1={"hand": ["bang"]}, p2={"character": "jourdonnais", "hand": ["missed"]})
    jourdonnais.plays("bang", on=2)
    assert chosen(jourdonnais) == Ability()
    pedro = Saloon(begins=3, draw=False, discard=["beer"], p3={"character": "pedro-ramirez"})
    assert chosen(pedro) == Ability()
    lucky = {"character": "lucky-duke", "table": ["dynamite"]}
    duke = Saloon(begins=2, draw=False, deck=["missed 2 spades", "bang 2 clubs"], p2=lucky)
    duke.does(chosen(duke))
    assert plays(duke) == "bang"


def test_it_discards_what_it_needs_least_and_ends_its_turn() -> None:
    saloon = Saloon(p1={"hand": ["missed"] * 5, "life": 2, "character": "black-jack"})
    for _ in range(20):
        if saloon.asked != 1:
            break
        move = chosen(saloon)
        if isinstance(move, Discard):
            assert saloon.player(1).in_hand(move.card) is not None
        saloon.does(move)
    assert saloon.asked != 1


@pytest.mark.parametrize("players", sized(quick=[5], deep=[4, 5, 6, 7]))
def test_the_deputy_wins_much_more_than_a_seats_share_against_random(players: int) -> None:
    games = sized(quick=28, deep=2000)
    *_, everything, speed = main(["--games", str(games), "--players", str(players)])
    mine, usual = (float(share) for share in re.findall(r"([0-9.]+) % ±", everything))
    assert mine > usual + 20
    assert speed.endswith("games a minute in this process")
    assert [bot.name for bot in BOTS] == ["deputy", "random-legal"]
