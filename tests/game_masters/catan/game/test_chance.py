"""In games of one seed each turn has the same dice, and the cards lie in the same order: matches rely on it when they
take luck out of what bots have won."""

import random

from game_masters.catan import FOUR
from game_masters.catan.game.chance import Chance
from game_masters.catan.message.events import Event
from game_masters.catan.message.messages import DiceResult, RobberyResult
from game_masters.catan.rules import Position
from game_masters.kit.rules import Table

BOTS = ("settler", "settler-brief", "random-legal", "settler")


def played(order: int) -> list[object]:
    """Dice and robberies of a game of these bots, each ``order`` seats further on."""
    names = [BOTS[(seat + order) % len(BOTS)] for seat in range(len(BOTS))]
    state = Position(Table("deal", ("a", "b", "c", "d"), FOUR.choose_options({})), random.Random("a deal"))
    rng = random.Random(order)
    while state.outcome is None:
        seat = state.movers[0]
        state.apply(seat, FOUR.bot(names[seat]).choose(state.view(seat, len(state.record)), rng))
    messages = [entry.message for entry in state.record if isinstance(entry, Event)]
    return [one for one in messages if isinstance(one, DiceResult | RobberyResult)]


def test_with_other_players_in_the_seats_each_turn_has_the_same_dice() -> None:
    games = [played(order) for order in (0, 1)]
    robberies = [[place for place, one in enumerate(game) if isinstance(one, RobberyResult)] for game in games]
    first, second = ([one for one in game if isinstance(one, DiceResult)] for game in games)
    shortest = min(len(first), len(second))
    assert robberies[0] != robberies[1]
    assert all(places[0] + 20 < shortest for places in robberies)
    assert first[:shortest] == second[:shortest]


def test_a_copy_brings_the_same_thefts_and_dice() -> None:
    chance = Chance.of(random.Random(5))
    other = chance.copy()
    assert [chance.theft([3, 3, 3, 3, 3, 0]) for _ in range(9)] == [other.theft([3, 3, 3, 3, 3, 0]) for _ in range(9)]
    assert [chance.roll(no_seven=True) for _ in range(9)] == [other.roll(no_seven=True) for _ in range(9)]
