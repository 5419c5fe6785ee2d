"""What has become of the schedule of a championship, entry by entry: what runs, what counts, what is played again.

Nothing here decides: :class:`Progress` takes entries, new or read back, and changes standings and schedule as they say.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ugs.broker.state.ledgers import in_counting_order, outcomes_of, plan_of_ledger, points_of
from ugs.broker.values.standings import LiveStandings
from ugs.broker.verdict import Outcome
from ugs.championship.draws import Request, is_large
from ugs.championship.formats import make
from ugs.championship.kept import read_kept
from ugs.championship.ledger import Ledger, LedgerEntry, What
from ugs.championship.plan import Plan, PlanError
from ugs.championship.schedule import Fixture, Schedule


class Progress:
    """How far one championship is: the sum of the entries of its ledger. ``standings`` are those of its game type."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.ledger = Ledger()
        self.standings = LiveStandings()
        self._reading = False
        """Whether entries of an earlier life are being read: games are then drawn when an entry needs them."""
        self._schedule: Schedule | None = None
        self._fixtures: dict[int, Fixture] = {}
        """All fixtures that were ever begun, by number."""
        self._of_game: dict[str, Fixture] = {}
        """The fixture of each game that was ever begun, by game id."""
        self._running: dict[str, Fixture] = {}
        """The fixtures that are being played, by game id."""
        self._closing: set[str] = set()
        """Ids of the running games whose result is known and not on disk yet."""
        self._again: list[Fixture] = []
        """Fixtures that were begun and are to be played again."""
        self._voids: Counter[int] = Counter()
        """How often each fixture was void through no fault of the server, by number."""
        self._settled: set[int] = set()
        """Numbers of the fixtures whose end the schedule knows."""
        self._dropped: set[str] = set()
        """Entrants that the schedule knows to be gone."""
        self._sized_for = 0
        """How many entrants were left when the seats of its games were fixed."""
        self._given_up_all = False
        """Whether no further game is played."""
        self.impossible = ""
        """Why no schedule can be made from the plan and the field; empty when one can."""
        self._replay: dict[What, Callable[[Mapping[str, Any]], None]] = {
            What.BEGUN: self._begun,
            What.DRAWN: self._drawn,
            What.FIXTURE: self._fixture,
            What.RESULT: self._result,
            What.VOID: self._voided,
            What.FORFEIT: self._forfeited,
            What.GIVEN_UP: self._given_up,
            What.WITHDRAWN: self._withdrawn,
            What.REPLAYED: self._replayed,
            What.CORRECTED: self._corrected,
            What.ADJUDICATED: self._adjudicated,
            What.ENTERED: self._entered,
            What.BYE: self._sits_out,
            What.EDITED: self._edited,
            What.CANCELLED: self._cancelled,
        }
        """What each kind of entry changes in standings and schedule; kinds that are missing change only the ledger."""

    def _read(self, entries: Iterable[LedgerEntry]) -> None:
        """Take the entries of an earlier life. What is small and still to be drawn in the end is drawn at once."""
        self._reading = True
        for entry in in_counting_order(list(entries)):
            self._apply(entry)
        self._reading = False
        while self.wanted is not None and not any(map(is_large, self._on_schedule.wants)):
            self._on_schedule.draw_now()

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
    def paused(self) -> bool:
        """Whether no new game begins."""
        return self.ledger.paused

    @property
    def announced(self) -> bool:
        """Whether it has been announced: its plan is in the ledger."""
        return bool(self.ledger.plan)

    @property
    def wanted(self) -> Request | None:
        """What has to be drawn before the next games can begin; None when nothing has."""
        return None if self._schedule is None or self._given_up_all else self._schedule.wanted

    @property
    def remaining(self) -> int:
        """How many entrants of the field have not left for good."""
        return len(self.field) - len(self.ledger.gone)

    # Entries, new or read back, and what each changes in standings and schedule.

    def _apply(self, entry: LedgerEntry) -> None:
        if entry.what in self._replay:
            self._replay[entry.what](entry.data)
        self.ledger.add(entry)

    def _begun(self, data: Mapping[str, Any]) -> None:
        for nick in data["field"]:
            if nick not in self.ledger.struck:
                self.standings.enter(nick)
        if data["seats"]:
            field = [nick for nick in data["field"] if nick not in self.ledger.gone]
            plan = self.plan if self.plan.champion in field else self.plan.model_copy(update={"champion": ""})
            try:
                before, self._sized_for = self._schedule, len(field)
                self._schedule = make(plan, field, min(data["seats"], len(field)), self._put_off)
                for nick, round_ in before.asked_to_sit_out() if before is not None else ():
                    self._schedule.sit_out(nick, round_)
            except PlanError as error:
                self._given_up_all, self.impossible = True, str(error)

    def _drawn(self, data: Mapping[str, Any]) -> None:
        if self._reading and self.wanted is not None and "games" in data:
            self._on_schedule.take(read_kept(data["games"]))
        elif self._reading:
            self._on_schedule.draw_now()

    def _fixture(self, data: Mapping[str, Any]) -> None:
        opening = data.get("opening", 0)
        fixture = Fixture(data["fixture"], tuple(data["nicks"]), data["round"], data["label"], opening)
        if fixture in self._again:
            self._again.remove(fixture)
        else:
            self._on_drawn_schedule.begin(fixture)
        self._running[data["game"]] = fixture
        self._of_game[data["game"]] = fixture
        self._fixtures[fixture.number] = fixture

    def _result(self, data: Mapping[str, Any]) -> None:
        fixture = self._running.pop(data["game"])
        self._closing.discard(data["game"])
        outcomes = outcomes_of(data["outcomes"])
        self._credit(outcomes)
        self._settle(fixture, outcomes)

    def _voided(self, data: Mapping[str, Any]) -> None:
        self._closing.discard(data["game"])
        fixture = self._running.pop(data["game"], None)
        if fixture is None:  # the journal was lost between its beginning and this
            return
        self._voids[fixture.number] += not data["server"]
        if data["again"]:
            self._again.append(fixture)
        elif not self.ledger.struck.isdisjoint(fixture.nicks):
            self._settle(fixture, {})

    def _forfeited(self, data: Mapping[str, Any]) -> None:
        self._take_off(data["fixture"])
        outcomes = outcomes_of(data["outcomes"])
        self._credit(outcomes)
        if data["fixture"] in self._fixtures:  # it was begun, so the schedule waits for its end
            self._settle(self._fixtures[data["fixture"]], outcomes)

    def _given_up(self, data: Mapping[str, Any]) -> None:
        self._take_off(data["fixture"])
        fixture = self._fixtures.get(data["fixture"])
        if fixture is None:
            fixture = Fixture(data["fixture"], tuple(data["nicks"]), data["round"])
            self._on_drawn_schedule.begin(fixture)
        self._settle(fixture, {})

    def _withdrawn(self, data: Mapping[str, Any]) -> None:
        nick = data["nick"]
        begun = [fixture for fixture in self._again if nick in fixture.nicks]
        self._again = [fixture for fixture in self._again if nick not in fixture.nicks]
        self._drop(nick)
        if data["struck"]:
            for fixture in begun:
                self._settle(fixture, {})
            for counted in self.ledger.standing():
                if nick in counted.outcomes:
                    self._credit(outcomes_of(counted.outcomes), times=-1)
            self.standings.strike(nick)

    def _replayed(self, data: Mapping[str, Any]) -> None:
        counted = self.ledger.counted[data["fixture"]]
        self._credit(outcomes_of(counted.outcomes), times=-1)
        self._again.append(self._fixtures[data["fixture"]])

    def _corrected(self, data: Mapping[str, Any]) -> None:
        before, now = outcomes_of(data["before"]), outcomes_of(data["outcomes"])
        self._credit(before, times=-1)
        self._credit(now)
        self._on_schedule_as_it_was.correct(self._fixtures[data["fixture"]], points_of(before), points_of(now))

    def _adjudicated(self, data: Mapping[str, Any]) -> None:
        outcomes, number = outcomes_of(data["outcomes"]), data["fixture"]
        self._running.pop(data["game"], None)
        self._take_off(number)
        fixture = self._fixtures.get(number)
        if fixture is None:
            fixture = Fixture(number, tuple(data["nicks"]), data["round"], data["label"])
            self._fixtures[number] = fixture
            self._on_drawn_schedule.begin(fixture)
        self._credit(outcomes)
        if number in self._settled:
            self._on_schedule_as_it_was.correct(fixture, {}, points_of(outcomes))
        else:
            self._settle(fixture, outcomes)

    def _entered(self, data: Mapping[str, Any]) -> None:
        self.standings.enter(data["nick"])
        self._on_schedule_as_it_was.enter(data["nick"])

    def _sits_out(self, data: Mapping[str, Any]) -> None:
        self._on_schedule_as_it_was.sit_out(data["nick"], data["round"])

    def _edited(self, data: Mapping[str, Any]) -> None:
        self.plan = plan_of_ledger(data["plan"])

    def _cancelled(self, data: Mapping[str, Any]) -> None:
        closing = data.get("closing", ())  # their results count after this entry, also when it is read back
        self._running = {game_id: one for game_id, one in self._running.items() if game_id in closing}
        self._again.clear()
        self._given_up_all = True

    # Steps.

    @property
    def _on_schedule(self) -> Schedule:
        assert self._schedule is not None
        return self._schedule

    @property
    def _on_drawn_schedule(self) -> Schedule:
        """The schedule, for what cannot be before its games are drawn. When entries are read back, they are drawn
        here."""
        self._draw_all()
        return self._on_schedule

    @property
    def _on_schedule_as_it_was(self) -> Schedule:
        """The schedule, for an entry on which undrawn games depend. When entries are read back, those that had been
        drawn before it are drawn here."""
        if self._reading and not self.ledger.drawing:
            self._draw_all()
        return self._on_schedule

    def _draw_all(self) -> None:
        while self._on_schedule.wanted is not None:
            self._on_schedule.draw_now()

    def _put_off(self, request: Request) -> bool:
        return self._reading or is_large(request)

    def _drop(self, nick: str) -> list[Fixture]:
        """Take an entrant off the schedule, once. Returns its fixtures that were not begun."""
        if self._schedule is None or nick in self._dropped:
            return []
        self._dropped.add(nick)
        return list(self._on_schedule_as_it_was.withdraw(nick))

    def _take_off(self, number: int) -> None:
        """Remove a fixture from those to be played again."""
        self._again = [fixture for fixture in self._again if fixture.number != number]

    def _credit(self, outcomes: Mapping[str, Outcome], times: int = 1) -> None:
        """Add outcomes to the standings ``times`` times, unless one of the nicks is struck."""
        if self.ledger.struck.isdisjoint(outcomes):
            for nick, outcome in outcomes.items():
                self.standings.credit(nick, outcome, times)

    def _settle(self, fixture: Fixture, outcomes: Mapping[str, Outcome]) -> None:
        """Tell the schedule how a fixture ended, once: it may know already, if the game was played again by order."""
        if fixture.number not in self._settled:
            self._settled.add(fixture.number)
            self._on_schedule.settle(fixture, points_of(outcomes))
