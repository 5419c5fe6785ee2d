"""What has happened since the server began, counted as it is performed: for figures, so that each counts little.

The words that things are counted by come from the source, never from what a peer has sent: a peer cannot make more of
them.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable

from ugs.broker.effects import Note, RecordLogin, RecordResult
from ugs.wire.messages import LoginError

BOUNDS_S = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Upper bounds of the counts of a histogram, in seconds."""
REFUSED = frozenset({"login refused", "token refused"})
OUTCOMES: dict[object, str] = {int(one): f"refused: {one.name.lower().replace('_', ' ')}" for one in LoginError}
"""By the error number of a refused login."""


class Histogram:
    """How often which lengths of time were seen."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS_S) + 1)
        """How many were at most as long as each bound, and longer than the one before; the last: longer than all."""
        self.sum_s = 0.0

    def add(self, seconds: float) -> None:
        """One more."""
        # A length that is just a bound counts as within it.
        self.counts[bisect_left(BOUNDS_S, seconds)] += 1
        self.sum_s += seconds

    def read(self) -> dict[str, float]:
        """By upper bound how many were at most so long; ``sum`` is the sum of all."""
        found: dict[str, float] = {}
        below = 0
        for bound, count in zip([*map(str, BOUNDS_S), "+Inf"], self.counts, strict=True):
            below += count
            found[bound] = below
        return {**found, "sum": self.sum_s}


class Tally:
    """Counts logins, games and what the log has lines for."""

    def __init__(self) -> None:
        self.logins: Counter[str] = Counter()
        """By outcome."""
        self.games: Counter[str] = Counter()
        """By the cause of their end."""
        self.events: Counter[str] = Counter()
        """By what the log calls them."""
        self.turned_away: Counter[str] = Counter()
        """Connections that were refused for lack of room, by the reason."""
        self.round_trips = Histogram()
        """Of masters and players, at the end of their games."""

    def logged_in(self, effect: RecordLogin) -> None:
        """A player or master has logged in, or a session goes on."""
        self.logins[effect.role] += 1

    def ended(self, effect: RecordResult) -> None:
        """A game has ended."""
        self.games[str(effect.result.verdict.cause)] += 1

    def noted(self, effect: Note) -> None:
        """A line goes to the log."""
        self.events[effect.event] += 1
        if effect.event in REFUSED and "error" in effect.fields:
            self.logins[OUTCOMES[effect.fields["error"]]] += 1

    def measured(self, round_trips_us: Iterable[int]) -> None:
        """The round trips of those who played one game, in microseconds; 0 where it is not known."""
        for us in round_trips_us:
            if us:
                self.round_trips.add(us / 1_000_000)
