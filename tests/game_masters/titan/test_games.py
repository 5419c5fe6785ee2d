"""Whole games of bots, watched after every move; and their dice."""

import random

import pytest

from game_masters.kit.rules import Table
from game_masters.titan import GAME
from game_masters.titan import messages as said
from game_masters.titan.bots import BOTS
from game_masters.titan.bots.match import play
from game_masters.titan.notation import follow, write_view
from game_masters.titan.play import Dice
from game_masters.titan.referee import resume
from game_masters.titan.rules import Slugathon
from tests.game_masters.titan.table import NAMES
from tests.game_masters.titan.watch import Watch, check
from tests.profile import sized

OPTIONS = GAME.choose_options({})


@pytest.mark.parametrize("players", sized(quick=[2, 4], deep=[2, 3, 4, 6]))
@pytest.mark.parametrize("seed", range(sized(quick=1, deep=25)))
def test_games_of_bots_end_and_everything_holds_after_every_event(players: int, seed: int) -> None:
    game = Slugathon(Table("g", NAMES[:players], OPTIONS), random.Random(f"{players} {seed}"))
    rng = random.Random(seed)
    readers = [follow(OPTIONS) for _ in range(players)]
    told = [0] * players
    for _ in range(20_000):
        if game.outcome is not None:
            break
        (seat,) = game.movers
        # Readers take part over the wire, so that what they know of the position is what they were told.
        view = readers[seat](write_view(game.view(seat, told[seat])))
        told[seat] = len(game.record)
        bot = BOTS[0] if seed % 4 or seat % 2 == 0 else BOTS[1]
        game.apply(seat, bot.choose(view, rng))
        check(game.position, players)
    assert game.outcome is not None
    again = resume(game.messages, Dice(b"")).position
    assert again == game.position, "the messages alone determine the position"
    secret = {message.creatures for message in game.messages if isinstance(message, said.Split)}
    assert secret
    public = game.view(None).news
    assert not [one for one in public if isinstance(one, said.Split) and one.creatures is not None]


@pytest.mark.parametrize("players", sized(quick=[3, 6], deep=[2, 3, 4, 6]))
def test_all_games_of_captains_end_and_everything_holds_after_every_event(players: int) -> None:
    for number in range(sized(quick=1, deep=200)):
        watch = Watch(players)
        played = play([BOTS[0]] * players, f"{players} captains {number}", look=watch.look)
        assert played.requests < 20_000
        assert watch.most_summoned <= 1, "per turn"


def test_the_captain_beats_random_legal() -> None:
    games = sized(quick=6, deep=100)
    won = 0
    for number in range(games):
        bots = (BOTS[0], BOTS[1]) if number % 2 == 0 else (BOTS[1], BOTS[0])
        game = Slugathon(Table("g", NAMES[:2], OPTIONS), random.Random(f"captain {number}"))
        rng = random.Random(number)
        while game.outcome is None:
            (seat,) = game.movers
            game.apply(seat, bots[seat].choose(game.view(seat, len(game.record)), rng))
        won += game.outcome.winners == {number % 2}
    assert won > 0.95 * games


def test_dice_are_the_same_for_the_same_secret_and_fair() -> None:
    dice = Dice(b"secret")
    shown_: list[int] = []
    for _ in range(6000):
        die, dice = dice.throw()
        shown_.append(die)
    assert all(900 < shown_.count(number) < 1100 for number in range(1, 7))
    assert Dice(b"secret", 5).throw()[0] == shown_[5]
    assert Dice(b"secret", 0, (6, 5)).throw()[0] == 6
