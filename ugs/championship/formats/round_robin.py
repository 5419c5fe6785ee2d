"""All against all.

Games of two follow the Berger tables: whole rounds where nearly all play, seats that change from game to game; each
further cycle has the seats of the one before exchanged. Games of more seats are drawn up in groups where every two meet
at least once (:mod:`ugs.championship.pairing.groups`).
"""

from collections.abc import Sequence

from ugs.championship.formats.fixed import FixedSchedule
from ugs.championship.pairing.rounds import RoundRobinGames


class RoundRobin(FixedSchedule):
    """Every pairing ``repeats`` times; with more than 2 seats every two meet at least once, as equally often as
    possible.

    All entrants play the same number of games and sit in every seat equally often, within one. With 2 seats, the two
    orders of a pairing are equally often played, within one if ``repeats`` is odd.
    """

    def _places(self, entrants: Sequence[str]) -> Sequence[str]:
        return entrants

    def _request(self, entrants: int, seats: int) -> RoundRobinGames:
        return RoundRobinGames(entrants, seats, self.plan.repeats)
