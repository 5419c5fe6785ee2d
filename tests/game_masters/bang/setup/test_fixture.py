"""Games that begin from a fixture."""

import pytest

from game_masters.bang import GAME
from game_masters.kit.fixture import read_fixture
from game_masters.kit.rules import BadFixture
from tests.game_masters.bang.saloon import Saloon
from tests.game_masters.bang.views.test_views import Watcher, check


def test_everything_can_be_fixed_and_is_told_by_the_first_events() -> None:
    saloon = Saloon(
        5,
        draw=False,
        begins=3,
        deck=["jail"],
        discard=["beer", "duel"],
        p2={"alive": False},
        p3={"life": 2, "hand": ["bang"], "table": ["barrel", "volcanic"], "character": "paul-regret"},
    )
    assert (saloon.asked, saloon.context.turn, saloon.life(3), saloon.top) == (3, 1, 2, "duel")
    assert (saloon.hand(3), saloon.table(3)) == (["bang"], ["barrel", "volcanic"])
    assert not saloon.player(2).alive
    watcher = Watcher(saloon.state)
    watcher.look(saloon.state)
    check(saloon.state)
    saloon.draws()
    assert saloon.hand(3)[1] == "jail"
    watcher.look(saloon.state)


def test_named_cards_are_kept_for_where_they_are_named() -> None:
    saloon = Saloon(draw=False, deck=["missed 2 spades", "missed"], p1={"hand": ["missed", "missed"]})
    top = saloon.state.course.piles.deck[-1]
    assert (top.name, top.rank) == ("missed", "2")


def test_seats_can_be_fixed() -> None:
    text = "players = 4\nseating = [3, 1, 4, 2]"
    options = GAME.choose_options({})
    start = read_fixture(GAME, text).start(GAME, options)
    assert start.seating == (3, 1, 4, 2)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("seating = [1, 2, 3]", "seating: [1, 2, 3] does not name each of the players 1 to 4 once"),
        ("begins = 5", "begins: 5 is not a whole number from 1 to 4"),
        ("deck = ['bong']", "deck: ['bong'] has 'bong': a card is a name"),
        ("deck = ['bang ace']", "deck: ['bang ace'] has 'bang ace': a card is a name"),
        ("deck = ['gatling', 'gatling']", "has 'gatling': there is no such card, or no more of them"),
        ("deck = ['bang 2 spades']", "has 'bang 2 spades': there is no such card"),
        ("player.5.role = 'outlaw'", "player.5: {'role': 'outlaw'} belongs to no player; there are 1 to 4"),
        ("player.1.roll = 'outlaw'", "player.1.roll: 'outlaw' stands under a key that does not exist"),
        ("player.1.role = 'deputy'", "player.1: {'role': 'deputy'} is one deputy more than there are among 4 players"),
        ("player.1.role = 'unknown'", "player.1.role: 'unknown' is not allowed"),
        ("player.1.character = 'zorro'", "player.1.character: 'zorro' is not allowed"),
        ("player.1.life = 3", "player.1.life: 3 needs a character"),
        ("player.1 = {character = 'el-gringo', life = 4}", "player.1.life: 4 is more than the 3 of el-gringo"),
        ("player.1.hand = 'bang'", "player.1.hand: 'bang' is not a list"),
        ("player.1.table = ['barrel', 'barrel']", "player.1.table: ['barrel', 'barrel'] has two cards barrel"),
        ("player.1.table = ['beer']", "player.1.table: ['beer'] has a beer, which does not stay on a table"),
        ("player.1.table = ['volcanic', 'remington']", "has two weapons"),
        ("player.1.table = ['jail']", "has a jail, which needs a role other than sheriff"),
        ("player.1.alive = false", "player.1.role: a dead player needs a role other than sheriff"),
        ("player.1 = {alive = false, role = 'sheriff'}", "needs a role other than sheriff"),
        ("player.1 = {alive = false, role = 'outlaw', hand = ['beer']}", "the dead have none"),
        ("begins = 1\nplayer.1 = {alive = false, role = 'outlaw'}", "begins: 1 is dead"),
        ("player.1.character = 'el-gringo'\nplayer.2.character = 'el-gringo'", "is a second el-gringo"),
        (
            "player.1 = {alive = false, role = 'outlaw'}\nplayer.2 = {alive = false, role = 'outlaw'}\n"
            "player.3 = {alive = false, role = 'renegade'}",
            "so the game would be over",
        ),
    ],
)
def test_what_is_wrong_is_refused_with_key_and_value(text: str, why: str) -> None:
    with pytest.raises(BadFixture) as refused:
        read_fixture(GAME, f"players = 4\n{text}").start(GAME, GAME.choose_options({}))
    assert why in str(refused.value)
