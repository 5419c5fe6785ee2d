"""The goals for a machine with two cores, and whether figures meet them."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from ugs.bench.figures import MeasuredWindows
from ugs.bench.load import KIB, Load

BROKER = "ugs"
"""The target that the goals are about; the others are for comparison."""

TLS = "tls"
"""The same with TLS."""

JOURNAL = "journal"
"""The same with a journal."""

COST_US = {(100, 0): 45.0, (100, 4 * KIB): 80.0, (100, 60 * KIB): 900.0}
"""By games and bytes of payload: at most this many microseconds of processor time per delivery."""

RATIO_TO = {
    (100, 0, "bare"): 2.2,
    (100, 4 * KIB, "bare"): 4.0,
    (100, 60 * KIB, "bare"): 8.0,
    (100, 0, "naive"): 0.3,
}
"""By games, bytes of payload and other target: at most this many times that target's cost."""

TLS_TO_PLAIN = 2.0
"""With TLS a delivery costs at most this many times what it costs without."""

JOURNAL_TO_PLAIN = {(100, 0): 1.25, (100, 4 * KIB): 1.25, (100, 60 * KIB): 1.25, (1000, 0): 1.2}
"""By games and bytes of payload: with a journal a delivery costs at most this many times what it costs without."""

WORST_MS = {(1000, 0): 500.0}
"""By games and bytes of payload: the most milliseconds that the worst round trip of a window may take, though all play
as fast as they are served."""

JOURNAL_P99_TO_PLAIN = {(100, 0): 1.5, (100, 4 * KIB): 1.5, (100, 60 * KIB): 1.5}
"""By games and bytes of payload: with a journal the p99 of round trips is at most this many times that without."""

SHARE_OF_THROUGHPUT = {(200, 0, JOURNAL): 0.85}
"""By games, bytes of payload and other target: at least this share of the broker's deliveries per second."""

MANY, FEW = (1000, 0), (10, 0)
MANY_TO_FEW = 1.3
"""At many games, a delivery costs at most this many times what it costs at few games."""


WATCHED_BY = 1000
WATCHED_TO_ALONE = 1.5
"""With the goal's number of spectators, the p99 of a game's round trips is at most this many times that without any."""


PAGES = 2000
PAGES_TO_ALONE = 1.5
"""With this many open pages, the p99 of the moves of 100 games is at most this many times that without any."""
STANDINGS_GAMES = 100_000
STANDINGS_MS = 200.0
"""The most milliseconds for the standings of this many games, after the first time."""
VIEW_BYTES = 50_000
"""The most bytes of the first view, with style and scripts."""


LATENCY_DELIVERIES = 4000
LATENCY_TO_BARE = 1.5
LATENCY_ABOVE_MS = {100: 0.5, 1000: 1.0}
"""At a steady rate, by games: the p99 from the due moment of a move to the state that follows is at most this many
times that of the bare relay, plus this many milliseconds ..."""
QUIET_MS = 0.5
"""... on a quiet machine: one that wakes a process that waits for a moment at most so late, at the p99."""


FLAT_SIZES = (10, 100, 1000, 5000)
FLAT = 1.1
"""With more connections, pools, waiting players or rows of the standings a message costs at most this many times what
it costs with the fewest."""


IDLE_PLAYERS = 9000
IDLE_BYTES = 10_000
"""The number of players who only wait, and the most bytes of the server's memory for each of them."""


LOGINS = 9000
LIST_SHARE = 0.1
"""When this many players log in at once and play, none is refused, and at most this share of all bytes are
standings."""


class FigureKind(StrEnum):
    """What a figure is."""

    COST = "cost"
    """Microseconds per delivery; the limit is the most."""
    RATIO = "ratio"
    """Times another cost; the limit is the most."""
    TIMES = "times"
    """Times the broker's own cost; the limit is the most."""
    WORST = "worst"
    """Milliseconds of the worst round trip; the limit is the most."""
    SHARE = "share"
    """Share of the broker's deliveries per second; the limit is the least."""
    P99 = "p99"
    """Times the p99 of the broker's round trips; the limit is the most."""


@dataclass(frozen=True, slots=True)
class GoalComparison:
    """A figure in the row of one load and target, and its goal if there is one."""

    load: Load
    target: str
    kind: FigureKind
    text: str
    """What the value is, for people."""
    value: float
    limit: float | None = None

    @property
    def met(self) -> bool | None:
        """Whether the value keeps the limit; None without a limit."""
        if self.limit is None:
            return None
        return self.value >= self.limit if self.kind is FigureKind.SHARE else self.value <= self.limit


def compare(measured: MeasuredWindows) -> Iterator[GoalComparison]:
    """Return every cost and every ratio that the measured windows allow, each with its goal if it has one.

    Raises NothingMeasured when the load did not move.
    """
    by_size: dict[tuple[int, int], Load] = {}
    for load, target in measured.figures:
        size = (load.games, load.payload_bytes)
        by_size[size] = load
        cost = measured.cost(load, target)
        assert cost is not None
        limit = COST_US.get(size) if target == BROKER else None
        yield GoalComparison(load, target, FigureKind.COST, f"{target}, {load.name}: µs per delivery", cost, limit)
        worst = measured.figures[load, target].round_trip_ms.get(100)
        if target == BROKER and size in WORST_MS and worst is not None:
            text = f"{target}, {load.name}: worst round trip, ms"
            yield GoalComparison(load, target, FigureKind.WORST, text, worst, WORST_MS[size])
        ratio = measured.ratio(load, BROKER, load, target) if target != BROKER else None
        if ratio is not None:
            text = f"{BROKER} to {target}, {load.name}"
            yield GoalComparison(load, target, FigureKind.RATIO, text, ratio, RATIO_TO.get((*size, target)))
        most = {TLS: TLS_TO_PLAIN, JOURNAL: JOURNAL_TO_PLAIN.get(size)}.get(target)
        if most is not None and (times := measured.ratio(load, target, load, BROKER)) is not None:
            yield GoalComparison(load, target, FigureKind.TIMES, f"{target} to {BROKER}, {load.name}", times, most)
        least = SHARE_OF_THROUGHPUT.get((*size, target))
        share = measured.share(load, target, BROKER) if least is not None else None
        if share is not None:
            text = f"{target} to {BROKER}, {load.name}: deliveries per second"
            yield GoalComparison(load, target, FigureKind.SHARE, text, share, least)
        most = JOURNAL_P99_TO_PLAIN.get(size) if target == JOURNAL else None
        if most is not None and (times := measured.p99_ratio(load, target, BROKER)) is not None:
            text = f"{target} to {BROKER}, {load.name}: p99 of round trips"
            yield GoalComparison(load, target, FigureKind.P99, text, times, most)
    if MANY in by_size and FEW in by_size:
        many, few = by_size[MANY], by_size[FEW]
        for target in dict.fromkeys(target for load, target in measured.figures if load == many):
            ratio = measured.ratio(many, target, few, target)
            if ratio is not None and target == BROKER:
                text = f"{target}, {many.games} games to {few.games}"
                yield GoalComparison(many, target, FigureKind.RATIO, text, ratio, MANY_TO_FEW)
