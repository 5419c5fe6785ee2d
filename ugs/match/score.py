"""What has come of a match so far: the results that count, what they show, and whether they are enough.

Results come in as games end, but they count in the order of the beginnings: a result waits until all games before it
have theirs. So it makes no difference how many games run at once, short games do not count sooner than long ones, and a
match that was killed and goes on ends where it would have ended.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ugs.broker.verdict import POINTS, Cause, GameResult, Outcome, SeatResult, Verdict
from ugs.match.counts import Counts, counted
from ugs.match.elo_difference import Comparison, compare
from ugs.match.planner import PlannedGame
from ugs.match.sprt import Decision, Sprt
from ugs.standings.compute import standings_of
from ugs.standings.standings import Standings

OTHER_FAULT: Final = "other faults"
FAULTS: Final = ("crashes", "illegal moves", "time-outs", OTHER_FAULT)
"""What a bot can lose a game by, besides the game itself."""
FAULT_OF: Final[Mapping[Cause, str]] = {
    Cause.DISCONNECTED: "crashes",
    Cause.ILLEGAL_MOVE: "illegal moves",
    Cause.REMOVED: "illegal moves",
    Cause.TIMEOUT: "time-outs",
}
FIRST_LOOK: Final = 8
"""Games of each bot before it is asked for the first time whether the best is better than the second."""
LOOK_AGAIN: Final = 1.05
"""The next such look is after this many times the games: each look is one more chance to be wrong."""


@dataclass(frozen=True, slots=True)
class ScoredGame:
    """A game that has ended."""

    planned: PlannedGame
    game_id: str
    outcomes: Mapping[str, Outcome]
    """By bot."""
    cause: Cause = Cause.FINISHED
    culprit: str = ""
    """The bot whose fault it was, if it was one's."""
    reason: str = ""
    """The game master's reason."""
    moves: int = 0
    faults: Mapping[str, str] = field(default_factory=dict)
    """By bot, one of :data:`FAULTS`."""

    @property
    def void(self) -> bool:
        """Whether it counts for no bot."""
        return Outcome.VOID in self.outcomes.values()

    @property
    def points(self) -> dict[str, float]:
        """By bot; empty when it is void."""
        return {} if self.void else {bot: POINTS[outcome] for bot, outcome in self.outcomes.items()}


@dataclass(slots=True)
class BotLine:
    """The numbers of one bot."""

    bot: str
    won: int = 0
    drawn: int = 0
    lost: int = 0
    faults: Counter[str] = field(default_factory=Counter)

    @property
    def games(self) -> int:
        """Games that count."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """A draw is worth half of a won game."""
        return self.won + self.drawn * POINTS[Outcome.DRAWN]


class MatchScore:
    """The results of a match. ``of_group``: games that are counted together, such as 2 for pairs."""

    def __init__(
        self, bots: Sequence[str], game_type: str, of_group: int, sprt: Sprt | None = None, *, until_best: bool = False
    ) -> None:
        self.lines = {bot: BotLine(bot) for bot in bots}
        self.counted: list[ScoredGame] = []
        """In counting order."""
        self.stopped = ""
        """Why nothing more has to be played; empty as long as it has."""
        self.ratio = 0.0
        """Of the test, with what counts so far."""
        self._bots = tuple(bots)
        self._game_type = game_type
        self._of_group = of_group
        self.sprt = sprt
        self._until_best = until_best
        self._waiting: dict[int, ScoredGame] = {}
        self._groups: dict[int, list[ScoredGame]] = {}
        self._shares: list[float] = []
        """What the first bot got of the points of each observation: a game, or a pair of games."""
        self._next_look = FIRST_LOOK

    @property
    def in_pairs(self) -> bool:
        """Whether the counts are those of pairs."""
        return self._of_group == 2 and len(self._bots) == 2

    @property
    def counts(self) -> Counts | None:
        """The counts of a match between two bots; None for more of them."""
        return counted(self._shares, 5 if self.in_pairs else 3) if len(self._bots) == 2 else None

    def together(self, first: str, second: str) -> Counts:
        """The counts of the games in which these two were together: who did better in one has won it. In games of more
        than two this shows more than the difference of their ratings, whose errors are taken for independent."""
        both = [points for game in self.counted if {first, second} <= (points := game.points).keys()]
        return counted(((1 + (one[first] > one[second]) - (one[first] < one[second])) / 2 for one in both), 3)

    @property
    def comparison(self) -> Comparison | None:
        """How the first of two bots compares with the second; None for more bots, or without games."""
        return compare(self.counts) if self.counts is not None else None

    def take(self, result: ScoredGame) -> None:
        """A game has ended. Results behind the end of the match change nothing."""
        self._waiting[result.planned.number] = result
        while not self.stopped and (now := self._waiting.pop(len(self.counted) + 1, None)) is not None:
            self._count(now)

    def standings(self) -> Standings:
        """Standings with ratings, as if a server had only these games."""
        return standings_of(map(self._as_played, self.counted), self._game_type)

    def _count(self, result: ScoredGame) -> None:
        self.counted.append(result)
        for bot, outcome in result.outcomes.items():
            line = self.lines[bot]
            line.won += outcome is Outcome.WON
            line.drawn += outcome is Outcome.DRAWN
            line.lost += outcome is Outcome.LOST
        for bot, fault in result.faults.items():
            self.lines[bot].faults[fault] += 1
        group = self._groups.setdefault(result.planned.group, [])
        group.append(result)
        if len(group) == self._of_group or not self.in_pairs:
            del self._groups[result.planned.group]
            self._observe(group)

    def _observe(self, group: Sequence[ScoredGame]) -> None:
        """Look at a whole group; one with a void game shows nothing."""
        if len(self._bots) == 2 and not any(result.void for result in group):
            first = self._bots[0]
            self._shares.append(sum(result.points[first] for result in group) / len(group))
            if self.sprt is not None:
                self._test(self.sprt)
        if self._until_best and len(self.counted) >= self._next_look * len(self._bots):
            self._next_look = max(self._next_look + 1, round(self._next_look * LOOK_AGAIN))
            self._look()

    def _test(self, sprt: Sprt) -> None:
        counts = self.counts
        assert counts is not None
        self.ratio = sprt.ratio(counts)
        decision = sprt.decide(self.ratio)
        if decision is not Decision.OPEN:
            self.stopped = decision.value

    def _look(self) -> None:
        first = next(iter(self.standings().neighbours), None)
        if first is not None and first.distinguishable and first.difference > 0:
            self.stopped = f"{first.first} is better than {first.second}"

    def _as_played(self, result: ScoredGame) -> GameResult:
        seats = tuple(SeatResult(bot, result.outcomes[bot]) for bot in result.planned.bots)
        verdict = Verdict(result.cause, result.culprit or None)
        return GameResult(result.game_id, self._game_type, "", seats, verdict, result.moves, 0.0, 0.0)
