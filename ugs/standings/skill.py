"""A rating for games of any number of seats: the Plackett-Luce model of openskill, with the library's own settings.

Games are processed one after the other; each changes the ratings of its players. Winners share the first rank, losers
the last, players who drew are between them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from openskill.models import PlackettLuce, PlackettLuceRating

from ugs.broker.verdict import GameResult
from ugs.standings.counts import RANK

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of games done and their total during a long computation."""

STEP = 500
"""Games between two progress reports."""

FIRST_MU, FIRST_SIGMA = 25.0, 25.0 / 3
"""The estimate for a player before its first game."""


@dataclass(frozen=True, slots=True)
class Skill:
    """The estimated strength of a player: a normal distribution."""

    mu: float
    sigma: float
    ordinal: float
    """``mu - 3 sigma``: the player is almost certainly at least this strong. Rating lists are sorted by it."""


Course: TypeAlias = dict[str, list[tuple[int, float]]]
"""By nick: after how many games of all players (from 1) its mu was what."""


def skills(
    games: Sequence[GameResult], progress: Progress | None = None, course: Course | None = None
) -> dict[str, Skill]:
    """Every player's rating after these games. They must all be rated games: none void, none forfeited. How the ratings
    went is added to ``course``."""
    model = PlackettLuce(mu=FIRST_MU, sigma=FIRST_SIGMA)
    held: dict[str, PlackettLuceRating] = {}
    for number, game in enumerate(games):
        if progress is not None and number % STEP == 0:
            progress(number, len(games))
        nicks = [seat.nick for seat in game.seats]
        # Teams of one, since openskill knows nothing else.
        teams = [[held.get(nick) or model.rating()] for nick in nicks]
        rated = model.rate(teams, ranks=[float(RANK[seat.outcome]) for seat in game.seats])
        held.update((nick, team[0]) for nick, team in zip(nicks, rated, strict=True))
        if course is not None:
            for nick in nicks:
                course.setdefault(nick, []).append((number + 1, held[nick].mu))
    if progress is not None:
        progress(len(games), len(games))
    return {nick: Skill(rating.mu, rating.sigma, rating.ordinal()) for nick, rating in held.items()}
