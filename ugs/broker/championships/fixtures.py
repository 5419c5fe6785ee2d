"""Which game of a championship is next, and what follows from its end: played again, forfeited, given up.

Games that take long to draw are drawn by the shell. Meanwhile they are ``wanted``, everything else goes on, and the
request may change. The ledger records the begin and the end of drawing, since an entrant who leaves in between is not
in the draw.
"""

from collections.abc import Collection
from itertools import islice
from typing import Final

from ugs.broker.championships import ledger_entries, progress
from ugs.broker.championships.ledgers import facts_of, result_entry
from ugs.broker.state.championship import Championship
from ugs.broker.verdict import Fault, GameResult, Outcome
from ugs.championship.drawn_games import kept
from ugs.championship.due_draws import Drawing, Request
from ugs.championship.formats.format_contract import Fixture, WaitedFor, no_entrant
from ugs.championship.ledger import What
from ugs.championship.plan import MAX_SEATS

LOOK_AT: Final = 2_000
"""Offers that are checked for one whose round is open; they are ordered by rounds."""


def next_fixture(
    championship: Championship,
    free: Collection[str],
    players_min: int,
    players_max: int,
    waited_for: WaitedFor = no_entrant,
) -> Fixture | None:
    """Return the most urgent fixture whose players are all in ``free``, for a master with ``players_min`` to
    ``players_max`` players; None if there is none. ``waited_for``: as in :meth:`Schedule.open_fixtures`.

    If the plan does not fix the size of a game, the first call does: as many of the remaining entrants as this master
    takes. Entrants who come or leave before the first game can change it.
    """
    if championship.paused or championship.given_up_all or players_min > MAX_SEATS:
        return None
    if championship.whole_schedule is None or _seats_may_change(championship):
        seats = max(players_min, min(players_max, championship.remaining, MAX_SEATS))
        if championship.whole_schedule is None or seats != championship.whole_schedule.seats:
            ledger_entries.write_on_schedule(
                championship, What.BEGUN, {"field": list(championship.field), "seats": seats}, "", ""
            )
    # Games to be played again come first: the next round may wait for their results.
    for fixture in championship.fixtures.again:
        if players_min <= len(fixture.nicks) <= players_max and all(nick in free for nick in fixture.nicks):
            return fixture
    if championship.whole_schedule is None or not players_min <= championship.whole_schedule.seats <= players_max:
        return None
    offers = islice(iter(championship.whole_schedule.open_fixtures(free, waited_for)), LOOK_AT)
    return next((one for one in offers if one.round <= championship.rounds_open), None)


def _seats_may_change(championship: Championship) -> bool:
    """Return whether entrants have come or left since a master fixed the seats of a game, and nothing has been played
    or decided yet."""
    return not (
        championship.plan.seats
        or championship.fixtures.known
        or championship.ledger.counted
        or championship.remaining == championship.sized_for
    )


def ask(championship: Championship) -> Request:
    """Return the ``wanted`` request, which the shell will draw now. Raises ValueError if there is none."""
    if championship.wanted is None:
        raise ValueError(f"championship {championship.name}: there is nothing to draw")
    ledger_entries.announce_draw(championship, championship.wanted)
    championship.asked = championship.wanted
    return championship.asked


def take(championship: Championship, drawing: Drawing) -> bool:
    """Take the drawn games. Returns whether they are still wanted; if not, nothing changes, except that :func:`ask` may
    be called again."""
    asked, championship.asked = championship.asked, None
    # An entrant has left or come while the games were drawn: these would be the wrong ones.
    if asked is None or asked is not championship.wanted:
        return False
    progress.schedule_of(championship).take(drawing)
    ledger_entries.write(championship, What.DRAWN, {"games": kept(drawing)})
    return True


def begun(championship: Championship, game_id: str, fixture: Fixture) -> None:
    """Record that a fixture, as returned by :func:`next_fixture`, is played as the game ``game_id``."""
    opening = {"opening": fixture.opening} if fixture.opening else {}
    ledger_entries.write(
        championship, What.FIXTURE, {"game": game_id, "label": fixture.label, **facts_of(fixture), **opening}
    )


def record(championship: Championship, result: GameResult) -> None:
    """Write the verdict of a game into the ledger. A game that counts is added by :func:`count`; a void one is listed
    to be played again, if the plan allows it. Changes nothing for games of other championships."""
    fixture = championship.fixtures.running.get(result.game_id)
    if fixture is None:
        return
    if result.verdict.void:
        _void(championship, result.game_id, fixture, by_server=result.verdict.fault is Fault.SERVER)
    else:
        # In the ledger, but not in the standings: those show only what is on disk.
        championship.write(championship, result_entry(result, fixture))
        championship.fixtures.closing.add(result.game_id)


def voided(championship: Championship, game_id: str, who: str, why: str) -> None:
    """Void a game that an organiser is going to end; ``who`` and ``why`` go into the ledger. It does not count against
    ``void_replays``."""
    fixture = championship.fixtures.running.get(game_id)
    if fixture is not None:
        _void(championship, game_id, fixture, by_server=True, who=who, why=why)


def count(championship: Championship, result: GameResult) -> None:
    """Add a result that is on disk to standings and schedule."""
    fixture = championship.fixtures.running.get(result.game_id)
    if fixture is not None:
        progress.apply(championship, result_entry(result, fixture))


def give_up(championship: Championship) -> None:
    """Give up all open fixtures, since too few entrants are left for any game."""
    if championship.given_up_all:
        return
    championship.given_up_all = True
    schedule = championship.whole_schedule
    open_ones = schedule.open_fixtures(championship.field) if schedule is not None else ()
    for fixture in [*championship.fixtures.again, *open_ones]:
        _give_up(championship, fixture)


def go_on(championship: Championship, running: Collection[str] = ()) -> None:
    """Continue after a restart of the server: ``running`` are the ids of the games that go on. The others are void
    through the fault of the server, and are played again unless one of their entrants has left."""
    for game_id, fixture in list(championship.fixtures.running.items()):
        if game_id not in running:
            _void(championship, game_id, fixture, by_server=True)
    for fixture in [one for one in championship.fixtures.again if _gone(championship, one)]:  # an entrant left
        _decide_without(championship, fixture)


def _gone(championship: Championship, fixture: Fixture) -> list[str]:
    return [nick for nick in fixture.nicks if nick in championship.ledger.gone]


def _void(
    championship: Championship, game_id: str, fixture: Fixture, *, by_server: bool, who: str = "", why: str = ""
) -> None:
    """Void a running game. It is played again unless one of its entrants has left, all is given up, or ``void_replays``
    is used up; voids through the fault of the server do not count against it."""
    gone = _gone(championship, fixture)
    # A master that always fails would have the same game played for ever; the server's own faults use nothing up.
    no_replay = championship.given_up_all or (
        not by_server and championship.fixtures.voids[fixture.number] >= championship.plan.void_replays
    )
    again = not gone and not no_replay
    data = {"game": game_id, "fixture": fixture.number, "again": again, "server": by_server}
    ledger_entries.write(championship, What.VOID, data, who, why)
    if gone:
        _decide_without(championship, fixture)
    elif no_replay:
        _give_up(championship, fixture)


def _decide_without(championship: Championship, fixture: Fixture) -> None:
    """Decide a fixture of an entrant that has left, without playing it: it is forfeited, or has no result if that
    entrant is struck."""
    if championship.ledger.struck.isdisjoint(fixture.nicks):
        forfeit(championship, fixture)
    else:
        progress.take_off(championship, fixture.number)
        progress.settle(championship, fixture, {})


def forfeit(championship: Championship, fixture: Fixture) -> None:
    """Let entrants that have left lose the fixture; in a game of two the other one wins."""
    gone = _gone(championship, fixture)
    outcomes = dict.fromkeys(gone, str(Outcome.LOST))
    if len(fixture.nicks) == 2 and len(gone) == 1:
        outcomes[next(nick for nick in fixture.nicks if nick not in gone)] = str(Outcome.WON)
    ledger_entries.write(championship, What.FORFEIT, {"outcomes": outcomes, **facts_of(fixture)})


def _give_up(championship: Championship, fixture: Fixture) -> None:
    ledger_entries.write(championship, What.GIVEN_UP, facts_of(fixture))
