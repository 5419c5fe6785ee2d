"""A rating for games of any number of seats: the Plackett-Luce model of openskill, with the library's own settings.

Games are taken one after the other; each moves the ratings of those who sat in it. Winners share the first rank,
losers the last, those who drew stand between them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from openskill.models import PlackettLuce, PlackettLuceRating

from ugs.broker.verdict import GameResult
from ugs.standings.tally import RANK

Progress: TypeAlias = Callable[[int, int], None]
"""Is told how much of a long computation is done: so many of so many."""

STEP = 500
"""Games between two reports of progress."""

FIRST_MU, FIRST_SIGMA = 25.0, 25.0 / 3
"""What is believed of a player before its first game."""


@dataclass(frozen=True, slots=True)
class Skill:
    """What is believed of a player's strength: a normal distribution."""

    mu: float
    sigma: float
    ordinal: float
    """``mu - 3 sigma``: the strength that is believed to be there almost for sure. Tables of ratings go by it."""


def skills(games: Sequence[GameResult], progress: Progress | None = None) -> dict[str, Skill]:
    """Everybody's rating after these games, which are all rated: none is void, none forfeited."""
    model = PlackettLuce(mu=FIRST_MU, sigma=FIRST_SIGMA)
    held: dict[str, PlackettLuceRating] = {}
    for number, game in enumerate(games):
        if progress is not None and number % STEP == 0:
            progress(number, len(games))
        nicks = [seat.nick for seat in game.seats]
        teams = [[held.get(nick) or model.rating()] for nick in nicks]
        rated = model.rate(teams, ranks=[float(RANK[seat.outcome]) for seat in game.seats])
        held.update((nick, team[0]) for nick, team in zip(nicks, rated, strict=True))
    if progress is not None:
        progress(len(games), len(games))
    return {nick: Skill(rating.mu, rating.sigma, rating.ordinal()) for nick, rating in held.items()}
