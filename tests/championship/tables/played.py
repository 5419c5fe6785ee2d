"""Championships played here to whatever point, with results as a test wants them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.championship.playing import plan
from ugs.broker.championships import corrections, entering, fixtures, ledger_entries
from ugs.broker.championships.ledgers import WORTH
from ugs.broker.state.championship import Championship
from ugs.broker.values.standings import LiveStandings
from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict
from ugs.championship.formats.format_contract import Fixture
from ugs.championship.ledger import LedgerEntry
from ugs.championship.tables.scheduled_games import scheduled_games
from ugs.championship.tables.sections import Section, sections

Winner = Callable[[Fixture], str]


def by_name(fixture: Fixture) -> str:
    """The first of the alphabet wins."""
    return min(fixture.nicks)


class Contest:
    """A championship whose games end at once."""

    def __init__(self, field: Sequence[str], **keys: Any) -> None:
        self.entries: list[LedgerEntry] = []
        self.one = Championship(plan(**keys), lambda _, entry: self.entries.append(entry))
        ledger_entries.announce(self.one)
        entering.fix_field(self.one, field, LiveStandings())
        self.seats = keys.get("seats") or 2
        fixtures.next_fixture(
            self.one, (), self.seats, self.seats
        )  # the seats of its games are known, so it has a schedule

    def play(self, games: int = 1000, wins: Winner = by_name) -> "Contest":
        """Play at most so many games; the winner may be empty for a drawn one."""
        for _ in range(games):
            fixture = self.begin()
            if fixture is None:
                break
            self.end(fixture, wins(fixture))
        return self

    def begin(self) -> Fixture | None:
        """Begin the next game, ``g`` and its number."""
        fixture = fixtures.next_fixture(self.one, [*self.one.field], self.seats, self.seats)
        if fixture is not None:
            fixtures.begun(self.one, f"g{fixture.number}", fixture)
        return fixture

    def end(self, fixture: Fixture, winner: str) -> None:
        """End a game."""
        outcomes = [
            (Outcome.WON if nick == winner else Outcome.LOST) if winner else Outcome.DRAWN for nick in fixture.nicks
        ]
        seats = tuple(SeatResult(nick, outcome) for nick, outcome in zip(fixture.nicks, outcomes, strict=True))
        result = GameResult(f"g{fixture.number}", "chess", "m", seats, Verdict(Cause.FINISHED), 1, 0.0, 1.0)
        fixtures.record(self.one, result)
        fixtures.count(self.one, result)

    def correct(self, subject: str, said: Mapping[str, str], why: str = "wrong clock") -> None:
        """Eve puts a result right."""
        assert corrections.correct(self.one, subject, said, "eve", why) is None

    def adjudicate(self, subject: str, said: Mapping[str, str], why: str = "power cut") -> None:
        """Eve decides a game."""
        assert corrections.adjudicate(self.one, subject, said, "eve", why) is None

    def withdraw(self, nick: str) -> None:
        """An entrant leaves."""
        entering.withdraw(self.one, nick, "eve", "ill")

    def disqualify(self, nick: str) -> None:
        """An entrant is disqualified; the places are written once more where it is over."""
        entering.disqualify(self.one, nick, "eve", "cheated")
        if self.one.ledger.over:
            ledger_entries.end_again(self.one, "eve", "cheated")

    def over(self) -> "Contest":
        """It is over."""
        ledger_entries.end(self.one)
        return self

    @property
    def tables(self) -> list[Section]:
        """Its tables."""
        assert self.one.whole_schedule is not None
        games = [*scheduled_games(self.entries).values()]
        return sections(self.one.whole_schedule, self.one.ledger, games, WORTH)
