"""What is kept of one championship: its plan and ledger, what has become of its schedule, who is away.

All of it follows from the ledger but what a restart forgets: who is away, dates, what is being drawn. The rules in
``broker/championships/`` change it: ``ledger_entries.py`` writes entries, ``progress.py`` applies them.
"""

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import field
from itertools import islice
from typing import Final, TypeAlias

from ugs.broker.values.standings import LiveStandings
from ugs.championship.due_draws import Request
from ugs.championship.formats.format_contract import Fixture, Schedule
from ugs.championship.ledger import Ledger, LedgerEntry
from ugs.championship.plan import Plan
from ugs.value import state

ALL_ROUNDS: Final = sys.maxsize

Write: TypeAlias = Callable[["Championship", LedgerEntry], None]
"""``write(championship, entry)`` is called with each new entry of the ledger."""


@state(eq=False)
class Fixtures:
    """What has become of the fixtures of a schedule."""

    known: dict[int, Fixture] = field(default_factory=dict)
    """All fixtures that were ever begun, by number."""
    forfeited: dict[int, Fixture] = field(default_factory=dict)
    """Those that were decided without ever being begun, by number."""
    of_game: dict[str, Fixture] = field(default_factory=dict)
    """The fixture of each game that was ever begun, by game id."""
    running: dict[str, Fixture] = field(default_factory=dict)
    """The fixtures that are being played, by game id."""
    closing: set[str] = field(default_factory=set)
    """Ids of the running games whose result is known and not on disk yet."""
    again: list[Fixture] = field(default_factory=list)
    """Fixtures that were begun and are to be played again."""
    voids: Counter[int] = field(default_factory=Counter)
    """How often each fixture was void through no fault of the server, by number."""
    settled: set[int] = field(default_factory=set)
    """Numbers of the fixtures whose end the schedule knows."""
    dropped: set[str] = field(default_factory=set)
    """Entrants that the schedule knows to be gone."""


class Championship:
    """One championship of one game type.

    While it is played, ``standings`` are those of its game type; ``open_standings`` are those that the type had before
    and gets back afterwards.
    """

    def __init__(self, plan: Plan, write: Write) -> None:
        self.plan = plan
        self.write = write
        self.ledger = Ledger()
        self.standings = LiveStandings()
        self.open_standings = LiveStandings()
        self.fixtures = Fixtures()
        self.whole_schedule: Schedule | None = None
        """Who meets whom, also when nothing more is played; None before the begin."""
        self.sized_for = 0
        """How many entrants were left when the seats of its games were fixed."""
        self.given_up_all = False
        """Whether no further game is played."""
        self.impossible = ""
        """Why no schedule can be made from the plan and the field; empty when one can."""
        self.reading = False
        """Whether entries of an earlier life are being read: games are then drawn when an entry needs them."""
        self.away: dict[str, float] = {}
        """Entrants whose connection was lost, each with the time until it may come back."""
        self.late: Counter[str] = Counter()
        """By address, how many have entered late from there without a token in this life of the server."""
        self.hour_has_come = False
        """Whether it is to begin as soon as it can, with the players who are there."""
        self.asked: Request | None = None
        """The request being drawn by the shell; differs from ``wanted`` if an entrant has left meanwhile."""
        self.round_times: tuple[float, ...] = ()
        """The earliest times of rounds 1, 2, …; empty: all may begin."""
        self.rounds_open = ALL_ROUNDS
        """The last round that may begin now."""
        self.more_to_begin = False
        """Whether more games can begin when the running timer fires."""

    @property
    def name(self) -> str:
        """Its name, unique on this server."""
        return self.plan.name

    @property
    def field(self) -> tuple[str, ...]:
        """The nicks of all that play or have played in it; empty before it has begun."""
        return self.ledger.field

    @property
    def begun(self) -> bool:
        """Whether the field is fixed."""
        return self.ledger.begun

    @property
    def announced(self) -> bool:
        """Whether it has been announced: its plan is in the ledger."""
        return bool(self.ledger.plan)

    @property
    def paused(self) -> bool:
        """Whether no new game begins."""
        return self.ledger.paused

    @property
    def remaining(self) -> int:
        """How many entrants of the field have not left for good."""
        return len(self.field) - len(self.ledger.gone)

    @property
    def finished(self) -> bool:
        """Whether no game runs and none is still to be played."""
        if not self.begun or self.fixtures.running or self.fixtures.again:
            return False
        return self.given_up_all or (
            self.whole_schedule.finished if self.whole_schedule is not None else self.remaining < 2
        )

    @property
    def games_running(self) -> int:
        """How many of its games run."""
        return len(self.fixtures.running)

    @property
    def schedule(self) -> Schedule | None:
        """Who meets whom, only to be read; None before the begin, and when nothing more is played."""
        return None if self.given_up_all else self.whole_schedule

    @property
    def wanted(self) -> Request | None:
        """What has to be drawn before the next games can begin; None when nothing has."""
        return None if self.whole_schedule is None or self.given_up_all else self.whole_schedule.wanted

    @property
    def unplayed(self) -> list[list[str]]:
        """The nicks of each game that was given up."""
        return [list(nicks) for nicks in self.ledger.given_up.values()]

    @property
    def placing(self) -> Sequence[str] | None:
        """The entrants, best first, where the format decides the places; None where points do, or before the begin. Who
        is disqualified has no place."""
        placing = self.whole_schedule.placing() if self.whole_schedule is not None else None
        return placing and [nick for nick in placing if nick not in self.ledger.disqualified]

    @property
    def byes(self) -> Sequence[tuple[int, str]]:
        """The byes so far, as (round, nick)."""
        return self.whole_schedule.byes() if self.whole_schedule is not None else ()

    def plays(self, nick: str) -> bool:
        """Whether ``nick`` is in the field and has not left for good."""
        return nick in self.ledger.entrants and nick not in self.ledger.gone

    def open_fixtures(self, most: int) -> list[Fixture]:
        """Up to ``most`` games that could begin if all entrants were free, the most urgent first."""
        if self.whole_schedule is None or self.given_up_all:
            return []
        return [*self.fixtures.again, *islice(iter(self.whole_schedule.open_fixtures(self.field)), most)][:most]

    def setup_of(self, fixture: Fixture) -> str:
        """How a game begins by its opening, in the words of its master; empty where the plan has none."""
        return self.plan.openings[fixture.opening - 1].text if fixture.opening else ""

    def fixture_of(self, game_id: str) -> Fixture | None:
        """The fixture that a running game plays; None when the game is not one of this championship."""
        return self.fixtures.running.get(game_id)
