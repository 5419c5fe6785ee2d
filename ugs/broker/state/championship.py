"""One championship from its announcement to its last game: who is in it, what has been counted, what is next.

The schedule of its format says who may meet; this module knows what became of it: games that run, games that are void
and played again, entrants that are gone. Everything that happens is an entry in the ledger, which is handed out through
``tell`` as it happens; a championship can be made again from its ledger and goes on as if nothing had been.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from ugs.broker.standings import LiveStandings
from ugs.broker.verdict import POINTS, Fault, GameResult, Outcome
from ugs.championship.formats import make
from ugs.championship.ledger import Ledger, LedgerEntry, What
from ugs.championship.plan import Plan, PlanError
from ugs.championship.schedule import Fixture, Schedule
from ugs.config import GameTypeSettings, lists_as_tuples

STRIKING_FORMATS = frozenset({"round-robin", "gauntlet"})
"""Where everybody was to meet the same opponents, results can be struck; elsewhere pairings were built on them."""


def plan_of(game_type: str, settings: GameTypeSettings) -> Plan:
    """The plan of a game type whose settings say ``mode = "championship"``: a round robin, named after the type."""
    return Plan.model_construct(
        name=game_type,
        game_type=game_type,
        first=settings.championship_players,
        begins_at=settings.championship_at,
        void_replays=settings.void_replays,
    )


def plan_of_ledger(written: Mapping[str, Any]) -> Plan:
    """The plan as a ledger keeps it; it was checked when it was announced."""
    return Plan.model_construct(None, **lists_as_tuples(written))


Tell: TypeAlias = Callable[["Championship", LedgerEntry], None]


class Championship:
    """One championship of one game type.

    While it is played, ``standings`` are those of the type; ``open_standings`` are those it had before and has
    afterwards.
    """

    def __init__(self, plan: Plan, tell: Tell) -> None:
        self.plan = plan
        self.ledger = Ledger()
        self.standings = LiveStandings()
        self.open_standings = LiveStandings()
        self.away: dict[str, float] = {}
        """Entrants whose connection was lost, and until when they may come back."""
        self.hour_has_come = False
        """Whether it is to begin with whoever is there as soon as it can."""
        self._tell = tell
        self._schedule: Schedule | None = None
        self._fixtures: dict[int, Fixture] = {}
        """All that were ever begun, by number."""
        self._running: dict[str, Fixture] = {}
        """By game id."""
        self._closing: set[str] = set()
        """Games of these whose result is known and on its way to the disk."""
        self._again: list[Fixture] = []
        self._voids: Counter[int] = Counter()
        self._settled: set[int] = set()
        self._dropped: set[str] = set()
        self._hopeless = False
        self.impossible = ""
        """Why no game of it can be played; empty when that is not so."""
        self._replay: dict[What, Callable[[Mapping[str, Any]], None]] = {
            What.BEGUN: self._begun,
            What.FIXTURE: self._fixture,
            What.RESULT: self._result,
            What.VOID: self._voided,
            What.FORFEIT: self._forfeited,
            What.GIVEN_UP: self._given_up,
            What.WITHDRAWN: self._withdrawn,
            What.REPLAYED: self._replayed,
        }
        """What each entry does to the standings and the schedule; the others are the ledger's alone."""

    @classmethod
    def again(cls, plan: Plan, entries: Iterable[LedgerEntry], tell: Tell) -> "Championship":
        """The championship that has had this ledger; what becomes of games that ran is decided by :meth:`go_on`."""
        one = cls(plan, tell)
        for entry in _as_it_was(list(entries)):
            one._take_in(entry)
        return one

    @property
    def name(self) -> str:
        """What it is called."""
        return self.plan.name

    @property
    def field(self) -> tuple[str, ...]:
        """Who plays; empty before it has begun."""
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
        """Whether the ledger knows of it."""
        return bool(self.ledger.plan)

    @property
    def finished(self) -> bool:
        """Whether all has been played (or nobody is left to play)."""
        if not self.begun or self._running or self._again:
            return False
        return self._hopeless or (self._schedule.finished if self._schedule is not None else self.remaining < 2)

    @property
    def remaining(self) -> int:
        """How many of the field are still in it."""
        return len(self.field) - len(self.ledger.gone)

    @property
    def unplayed(self) -> list[list[str]]:
        """The games that were given up, each as its nicks."""
        return [list(nicks) for nicks in self.ledger.given_up.values()]

    @property
    def placing(self) -> Sequence[str] | None:
        """Entrants best first, where the format decides the places and has begun to; None where the points do."""
        return self._schedule.placing() if self._schedule is not None else None

    @property
    def byes(self) -> Sequence[tuple[int, str]]:
        """Who sat out so far, by round."""
        return self._schedule.byes() if self._schedule is not None else ()

    def plays(self, nick: str) -> bool:
        """Whether this is an entrant that has not gone for good."""
        return nick in self.field and nick not in self.ledger.gone

    # What is done to it.

    def announce(self, who: str = "") -> None:
        """The ledger begins."""
        self._enter(What.PLANNED, {"plan": self.plan.model_dump(mode="json")}, who)

    def begin(self, nicks: Collection[str], open_standings: LiveStandings) -> None:
        """From now on the field is fixed: these, in the order of the plan's entrants where it names them."""
        self.open_standings = open_standings
        rank = {nick: place for place, nick in enumerate(self.plan.entrants)}
        field = sorted(nicks, key=lambda nick: rank.get(nick, len(rank)))
        self._enter(What.BEGUN, {"field": field, "seats": self.plan.seats})

    def next_fixture(self, free: Collection[str], players_min: int, players_max: int) -> Fixture | None:
        """The most urgent fixture whose players are all free, for a master that takes so many; None if there is none.

        The first call fixes how many play one game, where the plan does not: the most that its master takes.
        """
        if self.paused or self._hopeless:
            return None
        if self._schedule is None:
            seats = max(players_min, min(players_max, self.remaining))
            self._enter(What.BEGUN, {"field": list(self.field), "seats": seats})
        if self._schedule is None:
            return None
        for source in (self._again, self._schedule.open_fixtures(free)):
            for fixture in source:
                if players_min <= len(fixture.nicks) <= players_max and all(nick in free for nick in fixture.nicks):
                    return fixture
        return None

    def playing(self, game_id: str, fixture: Fixture) -> None:
        """This fixture is being played as that game."""
        self._enter(What.FIXTURE, {"game": game_id, "label": fixture.label, **_facts(fixture)})

    def record(self, result: GameResult) -> None:
        """A game has got its verdict: its entry goes into the ledger together with the result. One that counts is not
        counted before :meth:`count`; a void one is back on the list, if it is to be played again."""
        fixture = self._running.get(result.game_id)
        if fixture is None:
            return
        if result.verdict.void:
            self._void(result.game_id, fixture, by_server=result.verdict.fault is Fault.SERVER)
        else:
            self._tell(self, _result_entry(result, fixture))
            self._closing.add(result.game_id)

    def count(self, result: GameResult) -> None:
        """The result of a game is on file for good: it goes into the standings."""
        fixture = self._running.get(result.game_id)
        if fixture is not None:
            self._take_in(_result_entry(result, fixture))

    def withdraw(self, nick: str, who: str = "", why: str = "") -> bool:
        """An entrant has gone for good. True when its results were struck, False when it loses what it has not played.

        The other entrants of a struck one stand as if they had never met it. Otherwise each game still to be played is
        won by the other player (in games of more seats: lost by who has gone, and left out).
        """
        self.away.pop(nick, None)
        dropped = [fixture for fixture in self._again if nick in fixture.nicks]
        dropped += self._drop(nick)
        struck = self._is_struck(nick, len(dropped))
        self._enter(What.WITHDRAWN, {"nick": nick, "struck": struck}, who, why)
        if not struck:
            for fixture in dropped:
                self._forfeit(fixture)
        return struck

    def give_up(self) -> None:
        """Too few are left for any game: nothing more is played."""
        if self._hopeless:
            return
        self._hopeless = True
        open_ones = self._schedule.open_fixtures(self.field) if self._schedule is not None else ()
        for fixture in [*self._again, *open_ones]:
            self._give_up(fixture)

    def fixture_of(self, game_id: str) -> Fixture | None:
        """What a running game is in the schedule; None when it is none of it."""
        return self._running.get(game_id)

    def go_on(self, running: Collection[str] = ()) -> None:
        """After a restart of the server: games that it was lost in are played again, as far as they can be; but for
        those that are still running."""
        for game_id, fixture in list(self._running.items()):
            if game_id not in running:
                self._void(game_id, fixture, by_server=True)
        for fixture in [one for one in self._again if self._gone(one)]:  # who went while it ran
            self._decide_without(fixture)

    def pause(self, who: str, why: str) -> None:
        """No new game begins."""
        self._enter(What.PAUSED, {}, who, why)

    def resume(self, who: str, why: str) -> None:
        """Games begin again."""
        self._enter(What.RESUMED, {}, who, why)

    def replay(self, game_id: str, who: str, why: str) -> str | None:
        """A game that counts is not to count, and to be played again; returns why that cannot be, or None."""
        counted = next((one for one in self.ledger.counted.values() if one.game_id == game_id), None)
        if counted is None or not game_id:
            return f"game {game_id}: does not count in championship {self.name}"
        if self.plan.format == "knock-out":
            return f"game {game_id}: a knock-out has gone on from its result; it cannot be played again"
        gone = [nick for nick in counted.outcomes if nick in self.ledger.gone]
        if gone:
            return f"game {game_id}: {gone[0]} has left the championship; it cannot be played again"
        if self._hopeless:
            return f"game {game_id}: too few are left for any game master; it cannot be played again"
        self._enter(What.REPLAYED, {"game": game_id, "fixture": counted.fixture}, who, why)
        return None

    def end(self) -> None:
        """Nothing will change any more."""
        self._enter(What.OVER, {"placing": list(self.placing or ())})

    # Entries, new or read back, and what each does to the standings and the schedule.

    def _enter(self, what: What, data: Mapping[str, Any], who: str = "", why: str = "") -> None:
        """While games are closing, whose results are in the ledger and do not count yet, the entry says which:
        ``closing``, their ids. Schedules depend on what came first."""
        if not self.announced and what is not What.PLANNED:
            self.announce()
        if self._closing:
            data = {**data, "closing": sorted(self._closing)}
        entry = LedgerEntry(what, data, who, why)
        self._tell(self, entry)
        self._take_in(entry)

    def _take_in(self, entry: LedgerEntry) -> None:
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
                self._schedule = make(plan, field, min(data["seats"], len(field)))
            except PlanError as error:
                self._hopeless, self.impossible = True, str(error)

    def _fixture(self, data: Mapping[str, Any]) -> None:
        fixture = Fixture(data["fixture"], tuple(data["nicks"]), data["round"], data["label"])
        if fixture in self._again:
            self._again.remove(fixture)
        else:
            self._on_schedule.begin(fixture)
        self._running[data["game"]] = fixture
        self._fixtures[fixture.number] = fixture

    def _result(self, data: Mapping[str, Any]) -> None:
        fixture = self._running.pop(data["game"])
        self._closing.discard(data["game"])
        outcomes = _outcomes(data["outcomes"])
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
        outcomes = _outcomes(data["outcomes"])
        self._credit(outcomes)
        if data["fixture"] in self._fixtures:  # it was begun, so the schedule waits for its end
            self._settle(self._fixtures[data["fixture"]], outcomes)

    def _given_up(self, data: Mapping[str, Any]) -> None:
        self._take_off(data["fixture"])
        fixture = self._fixtures.get(data["fixture"])
        if fixture is None:
            fixture = Fixture(data["fixture"], tuple(data["nicks"]), data["round"])
            self._on_schedule.begin(fixture)
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
                    self._credit(_outcomes(counted.outcomes), times=-1)
            self.standings.strike(nick)

    def _replayed(self, data: Mapping[str, Any]) -> None:
        counted = self.ledger.counted[data["fixture"]]
        self._credit(_outcomes(counted.outcomes), times=-1)
        self._again.append(self._fixtures[data["fixture"]])

    # Steps.

    @property
    def _on_schedule(self) -> Schedule:
        assert self._schedule is not None
        return self._schedule

    def _drop(self, nick: str) -> list[Fixture]:
        """Take somebody off the schedule, once; what it can no longer play."""
        if self._schedule is None or nick in self._dropped:
            return []
        self._dropped.add(nick)
        return list(self._schedule.withdraw(nick))

    def _is_struck(self, nick: str, dropped: int) -> bool:
        """By the plan: never, always, or when it has played less than half of its games."""
        if self.plan.leavers == "lose" or self.plan.format not in STRIKING_FORMATS:
            return False
        mine = [one for one in self.ledger.standing() if nick in one.outcomes]
        running = [game_id for game_id, fixture in self._running.items() if nick in fixture.nicks]
        closing = sum(game_id in self._closing for game_id in running)
        played = sum(1 for one in mine if one.game_id) + closing
        unplayed = dropped + len(running) - closing
        if self._schedule is None or (unplayed and self.plan.leavers == "strike"):
            return True
        return 2 * played < len(mine) + closing + unplayed

    def _gone(self, fixture: Fixture) -> list[str]:
        return [nick for nick in fixture.nicks if nick in self.ledger.gone]

    def _void(self, game_id: str, fixture: Fixture, *, by_server: bool) -> None:
        """A game counts for nobody: it is played again, unless somebody has gone or that has been tried enough."""
        gone = self._gone(fixture)
        worn_out = self._hopeless or (not by_server and self._voids[fixture.number] >= self.plan.void_replays)
        again = not gone and not worn_out
        self._enter(What.VOID, {"game": game_id, "fixture": fixture.number, "again": again, "server": by_server})
        if gone:
            self._decide_without(fixture)
        elif worn_out:
            self._give_up(fixture)

    def _decide_without(self, fixture: Fixture) -> None:
        """Somebody has gone, so this game is not played (again): it is lost, or of no account if that one is struck."""
        if self.ledger.struck.isdisjoint(fixture.nicks):
            self._forfeit(fixture)
        else:
            self._take_off(fixture.number)
            self._settle(fixture, {})

    def _take_off(self, number: int) -> None:
        """Of the games to be played again."""
        self._again = [fixture for fixture in self._again if fixture.number != number]

    def _forfeit(self, fixture: Fixture) -> None:
        """Who has gone loses; the other one of a game of two wins."""
        gone = self._gone(fixture)
        outcomes = dict.fromkeys(gone, str(Outcome.LOST))
        if len(fixture.nicks) == 2 and len(gone) == 1:
            outcomes[next(nick for nick in fixture.nicks if nick not in gone)] = str(Outcome.WON)
        self._enter(What.FORFEIT, {"outcomes": outcomes, **_facts(fixture)})

    def _give_up(self, fixture: Fixture) -> None:
        self._enter(What.GIVEN_UP, _facts(fixture))

    def _credit(self, outcomes: Mapping[str, Outcome], times: int = 1) -> None:
        """Into the standings, unless one of them is struck."""
        if self.ledger.struck.isdisjoint(outcomes):
            for nick, outcome in outcomes.items():
                self.standings.credit(nick, outcome, times)

    def _settle(self, fixture: Fixture, outcomes: Mapping[str, Outcome]) -> None:
        """Tell the schedule, once: of a game that is played again by order it has heard already."""
        if fixture.number not in self._settled:
            self._settled.add(fixture.number)
            self._on_schedule.settle(fixture, {nick: POINTS[outcome] for nick, outcome in outcomes.items()})


def _as_it_was(entries: Sequence[LedgerEntry]) -> Iterator[LedgerEntry]:
    """A ledger in the order in which things came to count, without results that never did.

    Where the journal was lost between the result of a game and its announcement, the game is void as well.
    """
    void = {entry.data["game"] for entry in entries if entry.what is What.VOID}
    closing: dict[str, LedgerEntry] = {}
    for entry in entries:
        if entry.what is What.RESULT:
            if entry.data["game"] not in void:
                closing[entry.data["game"]] = entry
            continue
        still = entry.data.get("closing", ())
        for game_id in [one for one in closing if one not in still]:
            yield closing.pop(game_id)
        yield entry
    yield from closing.values()


def _facts(fixture: Fixture) -> dict[str, object]:
    return {"fixture": fixture.number, "round": fixture.round, "nicks": list(fixture.nicks)}


def _outcomes(written: Mapping[str, str]) -> dict[str, Outcome]:
    return {nick: Outcome(word) for nick, word in written.items()}


def _result_entry(result: GameResult, fixture: Fixture) -> LedgerEntry:
    outcomes = {seat.nick: str(seat.outcome) for seat in result.seats}
    return LedgerEntry(What.RESULT, {"game": result.game_id, "fixture": fixture.number, "outcomes": outcomes})
