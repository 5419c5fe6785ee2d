"""The schedule of a championship, entry by entry: what runs, what counts, what is played again.

Nothing here decides: :func:`apply` changes standings and schedule by an entry, new or read back; :func:`from_ledger`
rebuilds a championship from all its entries.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from ugs.broker.championships.ledgers import in_counting_order, outcomes_of, plan_of_ledger, points_of
from ugs.broker.state.championship import Championship, Write
from ugs.broker.verdict import Outcome
from ugs.championship.drawn_games import read_kept
from ugs.championship.due_draws import Request, is_large
from ugs.championship.formats.format_contract import Fixture, Schedule
from ugs.championship.formats.format_table import make
from ugs.championship.ledger import LedgerEntry, What
from ugs.championship.plan import Plan, PlanError


def from_ledger(plan: Plan, entries: Iterable[LedgerEntry], write: Write) -> Championship:
    """Return the championship with this plan and ledger. Small draws that are still open at its end are made at once.
    Games that were running still are, until :func:`ugs.broker.championships.fixtures.go_on`."""
    championship = Championship(plan, write)
    championship.reading = True
    for entry in in_counting_order(list(entries)):
        apply(championship, entry)
    championship.reading = False
    while championship.wanted is not None and not any(map(is_large, schedule_of(championship).wants)):
        schedule_of(championship).draw_now()
    return championship


def apply(championship: Championship, entry: LedgerEntry) -> None:
    """Change standings, schedule and ledger by an entry, new or read back."""
    change = CHANGES.get(entry.what)
    if change is not None:
        change(championship, entry.data)
    championship.ledger.add(entry)


def _begun(championship: Championship, data: Mapping[str, Any]) -> None:
    for nick in data["field"]:
        if nick not in championship.ledger.struck | championship.ledger.disqualified:
            championship.standings.enter(nick)
    if data["seats"]:
        field = [nick for nick in data["field"] if nick not in championship.ledger.gone]
        plan = championship.plan
        # The champion may have left before the seats of the games were known.
        if plan.champion not in field:
            plan = plan.but(champion="")
        try:
            before, championship.sized_for = championship.whole_schedule, len(field)
            championship.whole_schedule = make(
                plan, field, min(data["seats"], len(field)), partial(_put_off, championship)
            )
            # The schedule is made again when masters change the seats; byes that were asked for hold.
            for nick, round_ in before.asked_to_sit_out() if before is not None else ():
                championship.whole_schedule.sit_out(nick, round_)
        except PlanError as error:
            championship.given_up_all, championship.impossible = True, str(error)


def _drawn(championship: Championship, data: Mapping[str, Any]) -> None:
    if championship.reading and championship.wanted is not None and "games" in data:
        schedule_of(championship).take(read_kept(data["games"]))
    elif championship.reading:
        schedule_of(championship).draw_now()


def _fixture(championship: Championship, data: Mapping[str, Any]) -> None:
    opening = data.get("opening", 0)
    fixture = Fixture(data["fixture"], tuple(data["nicks"]), data["round"], data["label"], opening)
    if fixture in championship.fixtures.again:
        championship.fixtures.again.remove(fixture)
    else:
        _drawn_schedule(championship).begin(fixture)
    championship.fixtures.running[data["game"]] = fixture
    championship.fixtures.of_game[data["game"]] = fixture
    championship.fixtures.known[fixture.number] = fixture


def _result(championship: Championship, data: Mapping[str, Any]) -> None:
    fixture = championship.fixtures.running.pop(data["game"])
    championship.fixtures.closing.discard(data["game"])
    outcomes = outcomes_of(data["outcomes"])
    _credit(championship, outcomes)
    settle(championship, fixture, outcomes)


def _voided(championship: Championship, data: Mapping[str, Any]) -> None:
    championship.fixtures.closing.discard(data["game"])
    fixture = championship.fixtures.running.pop(data["game"], None)
    if fixture is None:  # the journal was lost after its beginning
        return
    championship.fixtures.voids[fixture.number] += not data["server"]
    if data["again"]:
        championship.fixtures.again.append(fixture)
    elif not championship.ledger.struck.isdisjoint(fixture.nicks):
        settle(championship, fixture, {})


def _forfeited(championship: Championship, data: Mapping[str, Any]) -> None:
    take_off(championship, data["fixture"])
    outcomes = outcomes_of(data["outcomes"])
    _credit(championship, outcomes)
    number = data["fixture"]
    if number in championship.fixtures.known:  # it had begun, so the schedule waits for its end
        settle(championship, championship.fixtures.known[number], outcomes)
    else:
        championship.fixtures.forfeited[number] = Fixture(number, tuple(data["nicks"]), data["round"])


def _given_up(championship: Championship, data: Mapping[str, Any]) -> None:
    take_off(championship, data["fixture"])
    fixture = championship.fixtures.known.get(data["fixture"])
    if fixture is None:
        fixture = Fixture(data["fixture"], tuple(data["nicks"]), data["round"])
        _drawn_schedule(championship).begin(fixture)
    settle(championship, fixture, {})


def _withdrawn(championship: Championship, data: Mapping[str, Any]) -> None:
    nick = data["nick"]
    begun = [fixture for fixture in championship.fixtures.again if nick in fixture.nicks]
    championship.fixtures.again = [fixture for fixture in championship.fixtures.again if nick not in fixture.nicks]
    drop(championship, nick)
    if data["struck"]:
        for fixture in begun:
            settle(championship, fixture, {})
        for counted in championship.ledger.standing():
            if nick in counted.outcomes:
                _credit(championship, outcomes_of(counted.outcomes), times=-1)
        championship.standings.strike(nick)


def _disqualified(championship: Championship, data: Mapping[str, Any]) -> None:
    # Those who play see the order of those who have a place.
    if data["nick"] in championship.standings:
        championship.standings.strike(data["nick"])


def _replayed(championship: Championship, data: Mapping[str, Any]) -> None:
    counted = championship.ledger.counted[data["fixture"]]
    _credit(championship, outcomes_of(counted.outcomes), times=-1)
    championship.fixtures.again.append(championship.fixtures.known[data["fixture"]])


def _corrected(championship: Championship, data: Mapping[str, Any]) -> None:
    before, now = outcomes_of(data["before"]), outcomes_of(data["outcomes"])
    _credit(championship, before, times=-1)
    _credit(championship, now)
    number, fixtures = data["fixture"], championship.fixtures
    fixture = fixtures.known[number] if number in fixtures.known else fixtures.forfeited[number]
    _schedule_as_it_was(championship).correct(fixture, points_of(before), points_of(now))


def _adjudicated(championship: Championship, data: Mapping[str, Any]) -> None:
    outcomes, number = outcomes_of(data["outcomes"]), data["fixture"]
    championship.fixtures.running.pop(data["game"], None)
    take_off(championship, number)
    fixture = championship.fixtures.known.get(number)
    if fixture is None:
        fixture = Fixture(number, tuple(data["nicks"]), data["round"], data["label"])
        championship.fixtures.known[number] = fixture
        _drawn_schedule(championship).begin(fixture)
    _credit(championship, outcomes)
    if number in championship.fixtures.settled:
        _schedule_as_it_was(championship).correct(fixture, {}, points_of(outcomes))
    else:
        settle(championship, fixture, outcomes)


def _entered(championship: Championship, data: Mapping[str, Any]) -> None:
    if "back" in data:
        _taken_back(championship, data)
        return
    championship.standings.enter(data["nick"])
    _schedule_as_it_was(championship).enter(data["nick"])


def _taken_back(championship: Championship, data: Mapping[str, Any]) -> None:
    nick = data["nick"]
    if nick in championship.ledger.disqualified:
        championship.standings.enter(nick)
        for counted in championship.ledger.standing():
            if nick in counted.outcomes:
                championship.standings.credit(nick, outcomes_of(counted.outcomes)[nick])
    if data["back"]:
        championship.fixtures.dropped.remove(nick)
        _schedule_as_it_was(championship).take_back(nick)


def _sits_out(championship: Championship, data: Mapping[str, Any]) -> None:
    _schedule_as_it_was(championship).sit_out(data["nick"], data["round"])


def _edited(championship: Championship, data: Mapping[str, Any]) -> None:
    championship.plan = plan_of_ledger(data["plan"])


def _cancelled(championship: Championship, data: Mapping[str, Any]) -> None:
    closing = data.get("closing", ())  # their results count after this entry, also when it is read back
    running = championship.fixtures.running
    championship.fixtures.running = {game_id: running[game_id] for game_id in running if game_id in closing}
    championship.fixtures.again.clear()
    championship.given_up_all = True


def _over(championship: Championship, _data: Mapping[str, Any]) -> None:
    if championship.whole_schedule is not None:
        championship.whole_schedule.end()


CHANGES: dict[What, Callable[[Championship, Mapping[str, Any]], None]] = {
    What.BEGUN: _begun,
    What.DRAWN: _drawn,
    What.FIXTURE: _fixture,
    What.RESULT: _result,
    What.VOID: _voided,
    What.FORFEIT: _forfeited,
    What.GIVEN_UP: _given_up,
    What.WITHDRAWN: _withdrawn,
    What.DISQUALIFIED: _disqualified,
    What.REPLAYED: _replayed,
    What.CORRECTED: _corrected,
    What.ADJUDICATED: _adjudicated,
    What.ENTERED: _entered,
    What.BYE: _sits_out,
    What.EDITED: _edited,
    What.CANCELLED: _cancelled,
    What.OVER: _over,
}
"""What each kind of entry changes in standings and schedule; missing kinds change only the ledger."""


# Steps.


def schedule_of(championship: Championship) -> Schedule:
    """Return the schedule of a championship that has begun."""
    assert championship.whole_schedule is not None
    return championship.whole_schedule


def _drawn_schedule(championship: Championship) -> Schedule:
    """Return the schedule, for entries that cannot occur before its games are drawn. When entries are read back, the
    games are drawn here."""
    _draw_all(championship)
    return schedule_of(championship)


def _schedule_as_it_was(championship: Championship) -> Schedule:
    """Return the schedule, for an entry that undrawn games depend on. When entries are read back, games that had been
    drawn before it are drawn here."""
    if championship.reading and not championship.ledger.drawing:
        _draw_all(championship)
    return schedule_of(championship)


def _draw_all(championship: Championship) -> None:
    while schedule_of(championship).wanted is not None:
        schedule_of(championship).draw_now()


def _put_off(championship: Championship, request: Request) -> bool:
    # While the ledger is read nothing is drawn before an entry needs it: the games are often in it.
    return championship.reading or is_large(request)


def drop(championship: Championship, nick: str) -> list[Fixture]:
    """Remove an entrant from the schedule, once. Returns its fixtures that had not begun."""
    if championship.whole_schedule is None or nick in championship.fixtures.dropped:
        return []
    championship.fixtures.dropped.add(nick)
    return list(_schedule_as_it_was(championship).withdraw(nick))


def take_off(championship: Championship, number: int) -> None:
    """Remove a fixture from those to be played again."""
    championship.fixtures.again = [fixture for fixture in championship.fixtures.again if fixture.number != number]


def _credit(championship: Championship, outcomes: Mapping[str, Outcome], times: int = 1) -> None:
    """Add outcomes to the standings ``times`` times, unless one of the nicks is struck. Who is disqualified has no
    row."""
    # Games with one who is struck count for no one, as if they had not been played.
    if championship.ledger.struck.isdisjoint(outcomes):
        for nick, outcome in outcomes.items():
            if nick not in championship.ledger.disqualified:
                championship.standings.credit(nick, outcome, times)


def settle(championship: Championship, fixture: Fixture, outcomes: Mapping[str, Outcome]) -> None:
    """Report the end of a fixture to the schedule, once: it may know already, if the game was played again by order."""
    if fixture.number not in championship.fixtures.settled:
        championship.fixtures.settled.add(fixture.number)
        schedule_of(championship).settle(fixture, points_of(outcomes))
