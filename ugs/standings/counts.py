"""Results to counts. The broker's standings count won, lost and drawn; everything else is counted here."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from ugs.broker.values.standings import LiveStandings, Row
from ugs.broker.verdict import POINTS, Cause, Fault, GameResult, Outcome, SeatResult
from ugs.championship.point_sums import added

RANK: dict[Outcome, int] = {Outcome.WON: 1, Outcome.DRAWN: 2, Outcome.LOST: 3}
"""The rank of an outcome among those of the same game, the best first. Void games have no ranks."""

MIRRORED = {"won": "lost", "lost": "won", "drawn": "drawn", "neither": "neither"}
"""What a game counts for one side of a pair, and what it counts for the other side."""


@dataclass(slots=True)
class Pair:
    """What one player achieved against one other."""

    won: int = 0
    lost: int = 0
    drawn: int = 0
    neither: int = 0
    """Games that both lost because all players left: none got points."""

    @property
    def games(self) -> int:
        """The number of games of the two."""
        return self.won + self.lost + self.drawn + self.neither

    @property
    def points(self) -> float:
        """What the games are worth to the one whose pair it is."""
        return worth(self.won, self.drawn)


def points(row: Row) -> float:
    """What the games of this row are worth."""
    return worth(row.won, row.drawn)


def worth(won: int, drawn: int) -> float:
    """The points of this many games won and drawn."""
    return added(won * POINTS[Outcome.WON], drawn * POINTS[Outcome.DRAWN])


class ResultTally:
    """The counts of results, added in the order the games ended."""

    def __init__(self, field: Iterable[str] = ()) -> None:
        """``field``: players who have a line even if they have not played."""
        self.games = 0
        """Games that count and were played."""
        self.forfeits = 0
        """Games that count and were decided without being played."""
        self.void = 0
        """Games that do not count."""
        self.void_of: Counter[str] = Counter()
        self.faults: defaultdict[str, Counter[str]] = defaultdict(Counter)
        """By nick, then by cause."""
        self.refused: Counter[str] = Counter()
        """Moves that game masters have refused, by nick, in games that count."""
        self.cross: defaultdict[str, dict[str, Pair]] = defaultdict(dict)
        """``cross[a][b]`` is what a achieved against b; only pairs that have met."""
        self.rated: list[GameResult] = []
        """The games that count for strength, in the order they were added."""
        self._standings = LiveStandings()
        for nick in field:
            self._standings.enter(nick)

    def add(self, result: GameResult) -> None:
        """Count one more result."""
        self._standings.count(result)
        if is_void(result):
            self.void += 1
            self.void_of.update(seat.nick for seat in result.seats)
            return
        forfeit = result.verdict.cause is Cause.FORFEIT
        if forfeit:
            self.forfeits += 1
        else:
            self.games += 1
        for seat in result.seats:
            cause = fault_of(seat, result)
            if cause is not None:
                self.faults[seat.nick][cause.value] += 1
            if seat.refused:
                self.refused[seat.nick] += seat.refused
        decided = any(seat.outcome is not Outcome.LOST for seat in result.seats)
        self._meet(result.seats, decided)
        # Games that all have left, or that were not played, show nothing of strength.
        if decided and not forfeit:
            self.rated.append(result)

    def rows(self) -> list[Row]:
        """All lines in the order of ``championsList``: most won, then fewest lost, then by nick."""
        return self._standings.rows()

    def _meet(self, seats: tuple[SeatResult, ...], decided: bool) -> None:
        for number, one in enumerate(seats):
            for other in seats[number + 1 :]:
                column = column_of(one.outcome, other.outcome) if decided else "neither"
                self._credit(one.nick, other.nick, column)
                self._credit(other.nick, one.nick, MIRRORED[column])

    def _credit(self, nick: str, opponent: str, column: str) -> None:
        pair = self.cross[nick].setdefault(opponent, Pair())
        setattr(pair, column, getattr(pair, column) + 1)


def is_void(result: GameResult) -> bool:
    """Whether a game does not count."""
    return result.verdict.void or all(seat.outcome is Outcome.VOID for seat in result.seats)


def column_of(one: Outcome, other: Outcome) -> str:
    """What a decided game counts for seat ``one`` against ``other``, as an attribute name of :class:`Pair`: the better
    outcome wins, equal outcomes are a draw."""
    if RANK[one] == RANK[other]:
        return "drawn"
    return "won" if RANK[one] < RANK[other] else "lost"


def fault_of(seat: SeatResult, result: GameResult) -> Cause | None:
    """The fault of this player in a game that counts: why it left early, or the cause if it caused the end. None
    without fault."""
    if seat.departure is not None:
        return seat.departure
    verdict = result.verdict
    return verdict.cause if verdict.fault is Fault.PLAYER and verdict.culprit == seat.nick else None
