"""One championship from its announcement to its last game: who is in it, what counts so far, what is played next.

The schedule of its format says who may meet, and :mod:`ugs.broker.state.progress` keeps what has become of it. This
module decides what comes next: what is begun, played again, forfeited, given up. Each change is an entry in the ledger
and is passed to ``tell`` at once; :meth:`Championship.from_ledger` builds the same championship from these entries.

Games that take time to draw are drawn elsewhere. Meanwhile they are ``wanted``, everything else goes on, and what is
wanted may change. The ledger says when that began and when it was over, since who leaves in between is not in the draw.
"""

import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, TypeAlias

from ugs.broker.state.ledgers import facts_of, outcomes_said, result_entry
from ugs.broker.state.progress import Progress
from ugs.broker.values.standings import LiveStandings
from ugs.broker.verdict import Fault, GameResult, Outcome
from ugs.championship.draws import Drawing, Request, told
from ugs.championship.kept import kept
from ugs.championship.ledger import LedgerEntry, What
from ugs.championship.plan import MAX_SEATS, Plan
from ugs.championship.schedule import Fixture, Schedule
from ugs.championship.swiss import Swiss

STRIKING_FORMATS = frozenset({"round-robin", "gauntlet"})
"""Formats in which the results of a leaver can be struck: all meet the same opponents. In the others later pairings
depend on earlier results."""

ALL_ROUNDS = sys.maxsize
LOOK_AT = 2_000
"""Offers that are looked at for one whose round has its date behind it; they come by rounds."""
MAX_NUMBER = 16
"""Characters of ``#`` and the number of a fixture."""

Tell: TypeAlias = Callable[["Championship", LedgerEntry], None]


class Championship(Progress):
    """One championship of one game type.

    While it is played, ``standings`` are those of its game type; ``open_standings`` are those that the type had before
    and gets back afterwards. ``tell(championship, entry)`` is called with each new entry of the ledger.
    """

    def __init__(self, plan: Plan, tell: Tell) -> None:
        super().__init__(plan)
        self.open_standings = LiveStandings()
        self.away: dict[str, float] = {}
        """Entrants whose connection was lost, each with the moment until which it may come back."""
        self.late: Counter[str] = Counter()
        """By address, how many have entered late from there without a token in this life of the server."""
        self.hour_has_come = False
        """Whether it is to begin as soon as it can, with the players who are there."""
        self.asked: Request | None = None
        """What is being drawn elsewhere; no longer what is ``wanted`` if somebody has left meanwhile."""
        self.round_times: tuple[float, ...] = ()
        """Moments before which round 1, 2, … does not begin; without any, all may."""
        self.rounds_open = ALL_ROUNDS
        """The last round that may begin now."""
        self.more_to_begin = False
        """Whether more games can begin, and a timer runs after which they do."""
        self._tell = tell

    @classmethod
    def from_ledger(cls, plan: Plan, entries: Iterable[LedgerEntry], tell: Tell) -> "Championship":
        """The championship with this plan and ledger. Games that were running still are, until :meth:`go_on`."""
        one = cls(plan, tell)
        one._read(entries)
        return one

    @property
    def finished(self) -> bool:
        """Whether no game runs and none is still to be played."""
        if not self.begun or self._running or self._again:
            return False
        return self._given_up_all or (self._schedule.finished if self._schedule is not None else self.remaining < 2)

    @property
    def games_running(self) -> int:
        """How many of its games run."""
        return len(self._running)

    @property
    def schedule(self) -> Schedule | None:
        """Who meets whom, only to be read; None before the begin, and when nothing more is played."""
        return None if self._given_up_all else self._schedule

    @property
    def unplayed(self) -> list[list[str]]:
        """The nicks of each game that was given up."""
        return [list(nicks) for nicks in self.ledger.given_up.values()]

    @property
    def placing(self) -> Sequence[str] | None:
        """The entrants, best first, where the format decides the places; None where points do, or before the begin."""
        return self._schedule.placing() if self._schedule is not None else None

    @property
    def byes(self) -> Sequence[tuple[int, str]]:
        """The byes so far, as (round, nick)."""
        return self._schedule.byes() if self._schedule is not None else ()

    def plays(self, nick: str) -> bool:
        """Whether ``nick`` is in the field and has not left for good."""
        return nick in self.ledger.entrants and nick not in self.ledger.gone

    # Changes from outside.

    def announce(self, who: str = "") -> None:
        """Write the plan into the ledger; ``who`` announces it (empty: the settings do)."""
        self._enter(What.PLANNED, {"plan": self.plan.model_dump(mode="json")}, who)

    def begin(self, nicks: Collection[str], open_standings: LiveStandings) -> None:
        """Fix the field: these nicks, those that the plan names first and in its order. ``open_standings`` are kept."""
        self.open_standings = open_standings
        rank = {nick: place for place, nick in enumerate(self.plan.entrants)}
        seeds = {nick: place for place, nick in enumerate(self.plan.seeds)}
        field = sorted(nicks, key=lambda nick: (seeds.get(nick, len(seeds)), rank.get(nick, len(rank))))
        self._enter(What.BEGUN, {"field": field, "seats": self.plan.seats})

    def next_fixture(self, free: Collection[str], players_min: int, players_max: int) -> Fixture | None:
        """The most urgent fixture of which all players are in ``free``, for a master with ``players_min`` to
        ``players_max`` players; None if there is none.

        If the plan does not say how many play one game, the first call fixes it: as many as this master takes of those
        who are left. Who comes or goes before the first game can change that.
        """
        if self.paused or self._given_up_all or players_min > MAX_SEATS:
            return None
        if self._schedule is None or self._seats_may_change:
            seats = max(players_min, min(players_max, self.remaining, MAX_SEATS))
            if self._schedule is None or seats != self._schedule.seats:
                self._enter_on_schedule(What.BEGUN, {"field": list(self.field), "seats": seats}, "", "")
        for fixture in self._again:
            if players_min <= len(fixture.nicks) <= players_max and all(nick in free for nick in fixture.nicks):
                return fixture
        if self._schedule is None or not players_min <= self._schedule.seats <= players_max:
            return None
        offers = islice(iter(self._schedule.open_fixtures(free)), LOOK_AT)
        return next((one for one in offers if one.round <= self.rounds_open), None)

    @property
    def _seats_may_change(self) -> bool:
        """Whether entrants have come or gone since the seats of a game were fixed by a master, and nothing has been
        played or decided yet."""
        return not (self.plan.seats or self._fixtures or self.ledger.counted or self.remaining == self._sized_for)

    def open_fixtures(self, most: int) -> list[Fixture]:
        """Up to ``most`` games that could begin if all entrants were free, the most urgent first."""
        if self._schedule is None or self._given_up_all:
            return []
        return [*self._again, *islice(iter(self._schedule.open_fixtures(self.field)), most)][:most]

    def setup_of(self, fixture: Fixture) -> str:
        """How a game begins by its opening, in the words of its master; empty where the plan has none."""
        return self.plan.openings[fixture.opening - 1].text if fixture.opening else ""

    def ask(self) -> Request:
        """What is ``wanted`` is going to be drawn elsewhere; returns it. ValueError when nothing is."""
        if self.wanted is None:
            raise ValueError(f"championship {self.name}: there is nothing to draw")
        self._say_what_is_drawn(self.wanted)
        self.asked = self.wanted
        return self.asked

    def take(self, drawing: Drawing) -> bool:
        """What was ``asked`` has been drawn. Returns whether that is what is wanted; if not, nothing changes but that
        it can be asked for anew."""
        asked, self.asked = self.asked, None
        if asked is None or asked is not self.wanted:
            return False
        self._on_schedule.take(drawing)
        self._enter(What.DRAWN, {"games": kept(drawing)})
        return True

    def playing(self, game_id: str, fixture: Fixture) -> None:
        """A fixture, as returned by :meth:`next_fixture`, is being played as the game ``game_id``."""
        opening = {"opening": fixture.opening} if fixture.opening else {}
        self._enter(What.FIXTURE, {"game": game_id, "label": fixture.label, **facts_of(fixture), **opening})

    def record(self, result: GameResult) -> None:
        """A game has its verdict, which goes into the ledger. A game that counts does so from :meth:`count` on; a void
        one is listed to be played again, if the plan allows it. Changes nothing for games of other championships."""
        fixture = self._running.get(result.game_id)
        if fixture is None:
            return
        if result.verdict.void:
            self._void(result.game_id, fixture, by_server=result.verdict.fault is Fault.SERVER)
        else:
            self._tell(self, result_entry(result, fixture))
            self._closing.add(result.game_id)

    def count(self, result: GameResult) -> None:
        """The result of a game is on disk: it goes into standings and schedule."""
        fixture = self._running.get(result.game_id)
        if fixture is not None:
            self._apply(result_entry(result, fixture))

    def withdraw(self, nick: str, who: str = "", why: str = "") -> bool:
        """An entrant leaves for good. Returns whether its results are struck; ``who`` and ``why`` go into the ledger.

        If they are struck, the standings are as if it had never played. If not, it loses each of its games that is
        still to be played, and in games of two the opponent wins. Games that are not drawn yet are drawn without it.
        """
        self.away.pop(nick, None)
        undrawn = self.wanted
        if undrawn is not None:
            self._say_what_is_drawn(undrawn)
        dropped = [fixture for fixture in self._again if nick in fixture.nicks]
        dropped += self._drop(nick)
        struck = self._is_struck(nick, len(dropped), drawn=undrawn is None)
        self._enter(What.WITHDRAWN, {"nick": nick, "struck": struck}, who, why)
        if not struck:
            for fixture in dropped:
                self._forfeit(fixture)
        if undrawn is not None and self.wanted is None:  # so few are left that they were drawn at once, or none need be
            self._enter(What.DRAWN, {})
        return struck

    def give_up(self) -> None:
        """Play nothing more, since too few are left for any game: all open fixtures are given up."""
        if self._given_up_all:
            return
        self._given_up_all = True
        open_ones = self._schedule.open_fixtures(self.field) if self._schedule is not None else ()
        for fixture in [*self._again, *open_ones]:
            self._give_up(fixture)

    def fixture_of(self, game_id: str) -> Fixture | None:
        """The fixture that a running game plays; None when the game is not one of this championship."""
        return self._running.get(game_id)

    def go_on(self, running: Collection[str] = ()) -> None:
        """After a restart of the server: ``running`` are the ids of the games that go on. The others are void through
        the fault of the server, and are played again unless one of their entrants has left."""
        for game_id, fixture in list(self._running.items()):
            if game_id not in running:
                self._void(game_id, fixture, by_server=True)
        for fixture in [one for one in self._again if self._gone(one)]:  # who went while it ran
            self._decide_without(fixture)

    def pause(self, who: str, why: str) -> None:
        """Begin no new game until :meth:`resume`; ``who`` and ``why`` go into the ledger."""
        self._enter(What.PAUSED, {}, who, why)

    def resume(self, who: str, why: str) -> None:
        """Let games begin again; ``who`` and ``why`` go into the ledger."""
        self._enter(What.RESUMED, {}, who, why)

    def replay(self, game_id: str, who: str, why: str) -> str | None:
        """Let a game that counts not count, and play it again. Returns why that is not possible, or None when done."""
        counted = next((one for one in self.ledger.counted.values() if one.game_id == game_id), None)
        if counted is None or not game_id:
            return f"game {game_id}: does not count in championship {self.name}"
        if self.plan.format == "knock-out":
            return f"game {game_id}: a knock-out has gone on from its result; it cannot be played again"
        gone = [nick for nick in counted.outcomes if nick in self.ledger.gone]
        if gone:
            return f"game {game_id}: {gone[0]} has left the championship; it cannot be played again"
        if self._given_up_all:
            return f"game {game_id}: too few are left for any game master; it cannot be played again"
        self._enter(What.REPLAYED, {"game": game_id, "fixture": counted.fixture}, who, why)
        return None

    def correct(self, subject: str, said: Mapping[str, str], who: str, why: str) -> str | None:
        """Put the result of a fixture that counts right. ``subject`` is a game id or ``#`` and a number of a fixture.
        Returns why that is not possible, or None when done."""
        fixture = self._meant(subject)
        counted = self.ledger.counted.get(fixture.number) if fixture is not None else None
        if fixture is None or counted is None or fixture.number not in self._settled:
            return f"{subject}: has no result that counts in championship {self.name}"
        outcomes, wrong = outcomes_said(fixture.nicks, said)
        wrong = wrong or self._not_changeable(fixture)
        if wrong:
            return f"{subject}: {wrong}"
        if outcomes == dict(counted.outcomes):
            return f"{subject}: that is its result already"
        data = {"game": counted.game_id, "fixture": fixture.number}
        entry = {**data, "outcomes": outcomes, "before": dict(counted.outcomes)}
        self._enter_on_schedule(What.CORRECTED, entry, who, why)
        return None

    def adjudicate(self, subject: str, said: Mapping[str, str], who: str, why: str) -> str | None:
        """Decide a fixture that does not count: one that is void, given up, being played or not begun. ``subject`` as
        for :meth:`correct`. Returns why that is not possible, or None when done."""
        fixture = self._meant(subject)
        if fixture is None or fixture.number in self.ledger.counted:
            return f"{subject}: is no game without a result in championship {self.name}"
        game = next((game_id for game_id, one in self._running.items() if one is fixture), "")
        if game in self._closing:
            return f"{subject}: has ended, and its result is on the way to the disk"
        outcomes, wrong = outcomes_said(fixture.nicks, said)
        if not wrong and fixture.number in self._settled:
            wrong = self._not_changeable(fixture)
        if wrong:
            return f"{subject}: {wrong}"
        data = {"game": game, "label": fixture.label, "outcomes": outcomes, **facts_of(fixture)}
        self._enter(What.ADJUDICATED, data, who, why)
        return None

    def _meant(self, subject: str) -> Fixture | None:
        """The fixture that an organiser means."""
        if not subject.startswith("#"):
            return self._of_game.get(subject)
        if not subject[1:].isdecimal() or self._schedule is None or len(subject) > MAX_NUMBER:
            return None
        number = int(subject[1:])
        open_ones = self._schedule.open_fixtures(self.field)
        return self._fixtures.get(number) or next((one for one in open_ones if one.number == number), None)

    def _not_changeable(self, fixture: Fixture) -> str:
        struck = [nick for nick in fixture.nicks if nick in self.ledger.struck]
        if struck:
            return f"the results of {struck[0]} are struck"
        return self._on_schedule.not_correctable(fixture)

    def set_dates(self, date_s: float, now: float) -> None:
        """The dates of its rounds, for ``now`` being ``date_s`` seconds since 1970."""
        self.round_times = tuple([now + date - date_s for date in self.plan.dates])
        self.look_at_dates(now)

    def look_at_dates(self, now: float) -> float | None:
        """Open the rounds whose dates have come. Returns the moment at which the next one opens; None if all are."""
        coming = [moment for moment in self.round_times if moment > now]
        self.rounds_open = len(self.round_times) - len(coming) if coming else ALL_ROUNDS
        return coming[0] if coming else None

    def may_join(self, nick: str) -> bool:
        """Whether a player who comes now may still enter."""
        schedule = self._schedule
        return (
            isinstance(schedule, Swiss)
            and nick not in self.ledger.entrants
            and schedule.round_drawn < self.plan.late_rounds
            and not schedule.not_enterable()
            and (not self.plan.entrants or nick in self.plan.entrants)
        )

    def enter(self, nick: str, who: str = "", why: str = "") -> str | None:
        """Take one more entrant in. Returns why that is not possible, or None when done."""
        if nick in self.ledger.entrants:
            return f"{nick!r} is or was an entrant of championship {self.name} already"
        if self._schedule is None:
            return f"championship {self.name}: the seats of its games are not known yet"
        wrong = self._schedule.not_enterable()
        if wrong:
            return f"{nick}: {wrong}"
        self._enter_on_schedule(What.ENTERED, {"nick": nick}, who, why)
        return None

    def sit_out(self, nick: str, round_: int, who: str, why: str) -> str | None:
        """Let an entrant sit out a round. Returns why that is not possible, or None when done."""
        if self._schedule is None:
            return f"championship {self.name}: the seats of its games are not known yet"
        wrong = self._schedule.cannot_sit_out(round_)
        if wrong:
            return f"{nick}: {wrong}"
        self._enter_on_schedule(What.BYE, {"nick": nick, "round": round_}, who, why)
        return None

    def edit(self, plan: Plan, who: str, why: str) -> None:
        """From now on this is the plan; ``who`` changed it and ``why`` go into the ledger."""
        self._enter(What.EDITED, {"plan": plan.model_dump(mode="json")}, who, why)

    def cancel(self, who: str, why: str) -> None:
        """Play nothing more. Games that run count for nobody, unless their result is on the way to the disk."""
        self.away.clear()
        self._enter(What.CANCELLED, {}, who, why)

    def end(self) -> None:
        """Close the ledger with the places."""
        self._enter(What.OVER, {"placing": list(self.placing or ())})

    # Entries.

    def _enter(self, what: What, data: Mapping[str, Any], who: str = "", why: str = "") -> None:
        """Write an entry and apply it. Its ``closing`` lists the games whose results are in the ledger and do not count
        yet, since the schedule depends on the order in which things count."""
        if not self.announced and what is not What.PLANNED:
            self.announce()
        if self._closing:
            data = {**data, "closing": sorted(self._closing)}
        entry = LedgerEntry(what, data, who, why)
        self._tell(self, entry)
        self._apply(entry)

    def _enter_on_schedule(self, what: What, data: Mapping[str, Any], who: str, why: str) -> None:
        """Write an entry and apply it, on which the games that are being drawn may depend."""
        undrawn = self.wanted
        if undrawn is not None:
            self._say_what_is_drawn(undrawn)
        self._enter(what, data, who, why)
        if undrawn is not None and self.wanted is None:  # so few are left that they were drawn at once
            self._enter(What.DRAWN, {})

    def _say_what_is_drawn(self, wanted: Request) -> None:
        """Write into the ledger what is being drawn, unless it says so."""
        what = told(wanted)
        if what != self.ledger.drawing:
            self._enter(What.DRAWING, {"what": what})

    # Steps.

    def _is_struck(self, nick: str, dropped: int, *, drawn: bool) -> bool:
        """Whether the results of a leaver are struck, by the plan: never, always, or if it has played less than half of
        its games. ``dropped`` is how many of its fixtures do not run and are not counted; ``drawn`` is whether games
        had been drawn when it left."""
        if self.plan.leavers == "lose" or self.plan.format not in STRIKING_FORMATS:
            return False
        mine = [one for one in self.ledger.standing() if nick in one.outcomes]
        running = [game_id for game_id, fixture in self._running.items() if nick in fixture.nicks]
        closing = sum(game_id in self._closing for game_id in running)
        played = sum(1 for one in mine if one.game_id) + closing
        unplayed = dropped + len(running) - closing
        if self._schedule is None or not drawn or (unplayed and self.plan.leavers == "strike"):
            return True
        return 2 * played < len(mine) + closing + unplayed

    def _gone(self, fixture: Fixture) -> list[str]:
        return [nick for nick in fixture.nicks if nick in self.ledger.gone]

    def _void(self, game_id: str, fixture: Fixture, *, by_server: bool) -> None:
        """A running game is void. It is played again unless an entrant of it has left, all is given up, or
        ``void_replays`` is used up; voids through the fault of the server do not use it up."""
        gone = self._gone(fixture)
        no_replay = self._given_up_all or (not by_server and self._voids[fixture.number] >= self.plan.void_replays)
        again = not gone and not no_replay
        self._enter(What.VOID, {"game": game_id, "fixture": fixture.number, "again": again, "server": by_server})
        if gone:
            self._decide_without(fixture)
        elif no_replay:
            self._give_up(fixture)

    def _decide_without(self, fixture: Fixture) -> None:
        """A fixture of an entrant that has left is not played (again): it is forfeited, or has no result if that
        entrant is struck."""
        if self.ledger.struck.isdisjoint(fixture.nicks):
            self._forfeit(fixture)
        else:
            self._take_off(fixture.number)
            self._settle(fixture, {})

    def _forfeit(self, fixture: Fixture) -> None:
        """Entrants that have left lose the fixture; in a game of two the other one wins."""
        gone = self._gone(fixture)
        outcomes = dict.fromkeys(gone, str(Outcome.LOST))
        if len(fixture.nicks) == 2 and len(gone) == 1:
            outcomes[next(nick for nick in fixture.nicks if nick not in gone)] = str(Outcome.WON)
        self._enter(What.FORFEIT, {"outcomes": outcomes, **facts_of(fixture)})

    def _give_up(self, fixture: Fixture) -> None:
        self._enter(What.GIVEN_UP, facts_of(fixture))
