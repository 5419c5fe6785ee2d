"""Everybody against everybody.

Games of two follow the Berger tables: whole rounds in which nearly everybody plays, seats that change from game to
game; each further cycle has the seats of the one before exchanged. Games of more seats are drawn up in groups in which
every two meet at least once (:mod:`ugs.championship.groups`).
"""

from collections.abc import Sequence

from ugs.championship.fixed import FixedSchedule, in_rounds
from ugs.championship.groups import Game, covering_groups
from ugs.championship.plan import Plan
from ugs.championship.seats import seated


class RoundRobin(FixedSchedule):
    """Every pairing ``repeats`` times; with more than 2 seats every two meet at least once, as equally often as
    possible.

    Everybody plays the same number of games and sits in every seat equally often, within one. With 2 seats, the two
    orders of a pairing are equally often played, within one if ``repeats`` is odd.
    """

    def __init__(self, plan: Plan, field: Sequence[str], seats: int) -> None:
        """See :class:`Schedule`."""
        rounds = berger(len(field), plan.repeats) if seats == 2 else grouped(len(field), seats, plan.repeats)
        super().__init__(
            plan, field, seats, [[tuple(field[one] for one in game) for game in games] for games in rounds]
        )


def berger(entrants: int, cycles: int) -> list[list[Game]]:
    """Return the rounds of ``cycles`` cycles of pairings. An entrant is its place in the field, from 0."""
    return [
        [(other, one) if cycle % 2 else (one, other) for one, other in _berger_round(entrants, number)]
        for cycle in range(cycles)
        for number in range(1, entrants + entrants % 2)
    ]


def _berger_round(entrants: int, number: int) -> list[tuple[int, int]]:
    """Return one round of the Berger table. Counted from 1, two places meet in the round that is their sum minus one,
    in a ring of one less than the even number of places; the place that would meet itself meets the last, or sits
    out."""
    last = entrants + entrants % 2
    ring = last - 1
    games = []
    for one in range(1, last):
        other = (number + 1 - one) % ring or ring
        if other == one:
            other = last
            first = one <= last // 2
        else:
            first = (one + other) % 2 == 1
        if one < other <= entrants:
            games.append((one - 1, other - 1) if first else (other - 1, one - 1))
    return games


def grouped(entrants: int, seats: int, repeats: int) -> list[list[Game]]:
    """Return the rounds of groups of 3 and more, with everybody in every seat equally often, within one."""
    games = covering_groups(entrants, seats, repeats)
    together = in_rounds(games)
    order = iter(seated([games[index] for indexes in together for index in indexes]))
    return [[next(order) for _ in indexes] for indexes in together]
