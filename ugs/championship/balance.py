"""How fair a list of fixtures is: games, meetings and seats of each entrant, and how much they differ."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from ugs.championship.formats.format_contract import Fixture


@dataclass(frozen=True, slots=True)
class Balance:
    """The least and the most that one entrant, or one pair of entrants, has."""

    games: int
    """Games in total."""
    games_least: int
    """Games of the entrant with the fewest games."""
    games_most: int
    meetings_least: int
    """Meetings of the pair that meets least often."""
    meetings_most: int
    never_met: int
    """Pairs that never meet."""
    seats_apart: int
    """The largest difference between how often an entrant sits in one seat and in another."""


def balance(fixtures: Iterable[Fixture], field: Sequence[str], seats: int) -> Balance:
    """Return the balance of ``fixtures`` for a ``field`` of at least 2 entrants, in games of ``seats`` seats."""
    games = 0
    played = dict.fromkeys(field, 0)
    sat = {nick: [0] * seats for nick in field}
    met: Counter[tuple[str, str]] = Counter()
    for fixture in fixtures:
        games += 1
        for seat, nick in enumerate(fixture.nicks):
            played[nick] += 1
            sat[nick][seat] += 1
        met.update(combinations(sorted(fixture.nicks), 2))
    pairs = len(field) * (len(field) - 1) // 2
    return Balance(
        games=games,
        games_least=min(played.values()),
        games_most=max(played.values()),
        # A pair that never meets is not counted at all, so the least of the counted ones would be wrong.
        meetings_least=min(met.values(), default=0) if len(met) == pairs else 0,
        meetings_most=max(met.values(), default=0),
        never_met=pairs - len(met),
        seats_apart=max(max(counts) - min(counts) for counts in sat.values()),
    )
