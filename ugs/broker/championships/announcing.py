"""Announces championships: from settings, a plan, or the ledger of an earlier life of the server."""

from collections.abc import Callable, Collection, Iterator

from ugs.broker.championships import afterwards, entrants, fixtures, ledger_entries, progress
from ugs.broker.championships.ledgers import plan_of, plan_of_ledger
from ugs.broker.effects import RecordChampionship
from ugs.broker.events import Timer, TimerKind
from ugs.broker.past import PastChampionship
from ugs.broker.state.championship import ALL_ROUNDS, Championship
from ugs.broker.state.extras import Key
from ugs.broker.state.model import GameType
from ugs.broker.state.server_state import ROUNDING, ServerState
from ugs.broker.values.questions import EditAsked
from ugs.championship.ledger import LedgerEntry
from ugs.championship.plan import MAX_SEATS, Plan
from ugs.config import starts_at
from ugs.printable import unknown

HOURS_OVER: Key[set[str]] = Key("hours over", set)
"""With the server: game types whose championship from the settings was dropped, since no player was there at its
hour."""


def remember(server: ServerState, past: PastChampionship) -> None:
    """Take over a championship of an earlier life of this server, over or interrupted."""
    game_type = server.type_named(past.game_type)
    championship = progress.from_ledger(plan_of_ledger(past.ledger[0].data["plan"]), past.ledger, _writer(server))
    server.championships[past.name] = championship
    if championship.ledger.over:
        game_type.remembers_championship(championship)
    else:
        _install(server, game_type, championship)
        if championship.begun:
            game_type.begins_championship(championship)


def go_on(server: ServerState, running: Collection[str]) -> None:
    """Continue after a restart: entrants who were in the field when the server was lost may come back. ``running`` are
    the ids of the games that go on."""
    for championship in server.championships.values():
        if championship.begun and not championship.ledger.over:
            fixtures.go_on(championship, running)
            until = server.now + championship.plan.restart_return_s
            championship.away = {nick: until for nick in championship.field if championship.plays(nick)}
            entrants.await_return(server, championship)
            server.note(
                "championship goes on",
                championship=championship.name,
                game_type=championship.plan.game_type,
                awaited=list(championship.away),
            )


def announce_configured(server: ServerState, game_type: GameType) -> None:
    """If the settings of this type ask for a championship first, announce it unless that has been done."""
    known = game_type.name in server.championships or game_type.championship is not None
    known = known or game_type.championship_over or game_type.name in HOURS_OVER.of(server)
    if configured(server, game_type.name) and not known:
        _install(server, game_type, Championship(plan_of(game_type.name, game_type.settings), _writer(server)))


def announce_configured_types(server: ServerState) -> None:
    """Log which championships the settings ask for. They are announced when a player of the type logs in."""
    for name in server.config.game_types:
        if configured(server, name) and not is_known(server, name):
            players = server.config.game_type(name).championship_players
            server.note("championship awaited", game_type=name, players=players or None)


def configured(server: ServerState, name: str) -> bool:
    """Return whether the settings ask for a championship of the game type of that name."""
    return server.config.game_type(name).mode == "championship"


def hour_is_over(server: ServerState, name: str) -> None:
    """No player was there at the hour of a championship that is not announced. If it could only begin at that hour, it
    is dropped, and open play begins with the first players."""
    if name not in server.championships and not server.config.game_type(name).championship_players:
        HOURS_OVER.of(server).add(name)


def is_known(server: ServerState, name: str) -> bool:
    """Return whether there already is a championship of this name; if so, log it."""
    known = server.championships.get(name)
    if known is not None:
        server.note("championship is known already", championship=name, state=known.ledger.state)
    return known is not None


def set_hours(server: ServerState, date_s: float, remembered: Collection[str]) -> None:
    """Set timers for all championships that have an hour and have not begun. ``date_s`` is the current time in seconds
    since 1970. For those ``remembered`` by name from an earlier life, the hour may have passed while the server was
    away: then their players may come back first."""
    for championship in server.championships.values():
        if championship.name in remembered and not championship.ledger.over:
            set_dates(server, championship, date_s)
    for name, hour_s, text, known in _to_come(server):
        seconds = hour_s - date_s
        if seconds < 0 and known is not None and name in remembered:
            seconds = known.plan.restart_return_s
        if seconds < 0:
            server.note("the hour of this championship is over", warning=True, championship=name, begins_at=text)
            hour_is_over(server, name)
        else:
            server.start(Timer(TimerKind.CHAMPIONSHIP, name), seconds)


def set_clock(server: ServerState, date_s: float) -> list[Championship]:
    """The wall clock has been set to ``date_s`` seconds since 1970. Future hours and dates follow the new time; those
    now in the past come at once; no round closes again. Returns the championships whose rounds have dates."""
    for name, hour_s, _, known in _to_come(server):
        # A clock that is set back does not bring the same hour twice.
        if known.hour_has_come if known is not None else name in HOURS_OVER.of(server):
            continue
        server.start(Timer(TimerKind.CHAMPIONSHIP, name), max(0.0, hour_s - date_s))
    dated = [one for one in server.championships.values() if one.plan.round_dates and not one.ledger.over]
    for championship in dated:
        rounds_open = championship.rounds_open
        set_dates(server, championship, date_s)
        championship.rounds_open = max(rounds_open, championship.rounds_open)
    return dated


def _to_come(server: ServerState) -> Iterator[tuple[str, float, str, Championship | None]]:
    """Yield the championships that have an hour and have not begun: name, hour in seconds since 1970 and as text, and
    the championship once it is announced."""
    hours = {
        name: starts_at(server.config.game_type(name)) for name in server.config.game_types if configured(server, name)
    }
    hours |= {name: championship.plan.hour for name, championship in server.championships.items()}
    for name, hour in hours.items():
        known = server.championships.get(name)
        if hour is not None and not (known is not None and (known.begun or known.ledger.over)):
            yield name, hour.timestamp(), hour.isoformat(), known


def plan(server: ServerState, wanted: Plan, begins_in_s: float | None, who: str = "") -> str | None:
    """Announce a championship; return why that is not possible, or None. It begins in ``begins_in_s`` seconds with the
    players who are there."""
    if wanted.name in server.championships:
        return f"name = {wanted.name!r}: there is a championship of this name; another one needs another name"
    wrong = _wrong_here(server, wanted)
    if wrong is not None:
        return wrong
    afterwards.resume(server, wanted)
    championship = Championship(wanted, _writer(server))
    server.championships[wanted.name] = championship
    ledger_entries.announce(championship, who)
    server.note("championship announced", championship=wanted.name, game_type=wanted.game_type)
    if begins_in_s is not None:
        server.start(Timer(TimerKind.CHAMPIONSHIP, wanted.name), begins_in_s)
    elif configured(server, wanted.name):  # a championship from the settings gives way, with its hour
        server.stop(Timer(TimerKind.CHAMPIONSHIP, wanted.name))
    _install(server, server.type_named(wanted.game_type), championship)
    return None


def _wrong_here(server: ServerState, wanted: Plan) -> str | None:
    """Return what this server does not allow in a plan; None if all is allowed."""
    allowed = server.config.allowed_game_types
    if allowed and wanted.game_type not in allowed:
        return f"game_type = {wanted.game_type!r}: is not allowed here"
    most = min(MAX_SEATS, server.config.game_type(wanted.game_type).max_seats)
    if wanted.seats > most:
        return f"seats = {wanted.seats}: allowed for {wanted.game_type} are at most {most}"
    return None


HARMLESS = frozenset(
    {
        "round_dates",
        "late_rounds",
        "void_replays",
        "tie_breaks",
        "leavers",
        "return_s",
        "restart_return_s",
        "open_play",
        "pause_after",
    }
)
"""The keys of a plan that may change once it has begun: no drawn or played game depends on them."""


def set_dates(server: ServerState, championship: Championship, date_s: float) -> None:
    """Let its rounds begin at their dates; ``date_s`` is the current time in seconds since 1970."""
    championship.round_times = tuple([server.now + date - date_s for date in championship.plan.dates])
    _look_at_dates(championship, server.now)
    open_rounds(server, championship)


def open_rounds(server: ServerState, championship: Championship) -> None:
    """Open the rounds whose dates have come, and look again at the next date."""
    timer = Timer(TimerKind.ROUND, championship.name)
    following = _look_at_dates(championship, server.now + ROUNDING)
    if following is not None and not championship.ledger.over:
        server.start(timer, following - server.now)
    else:
        server.stop(timer)


def _look_at_dates(championship: Championship, now: float) -> float | None:
    """Open the rounds whose dates have come. Returns when the next one opens; None if all are open."""
    coming = [moment for moment in championship.round_times if moment > now]
    championship.rounds_open = len(championship.round_times) - len(coming) if coming else ALL_ROUNDS
    return coming[0] if coming else None


def edit(server: ServerState, asked: EditAsked) -> str | None:
    """Change the plan of a championship; return why that is not possible, or None."""
    wanted, begins_in_s, who, why = asked.plan, asked.begins_in_s, asked.who, asked.why
    championship = server.championships.get(wanted.name)
    if championship is None:
        return unknown("championship", wanted.name, server.championships)
    if championship.ledger.over:
        return f"championship {wanted.name} is over; its results stand"
    before = championship.plan
    changed = _differing(wanted, before)
    # A value that nothing uses may go: an older plan could have one, and it is refused by now.
    fixed = [key for key in _differing(wanted, before.in_use) if key not in HARMLESS]
    if championship.begun and fixed:
        return f"{', '.join(fixed)}: cannot be changed since it has begun; allowed: {', '.join(sorted(HARMLESS))}"
    wrong = _wrong_here(server, wanted)
    if wrong is not None:
        return wrong
    ledger_entries.edit(championship, wanted, who, why)
    if "round_dates" in changed:
        set_dates(server, championship, asked.date_s or 0.0)
    server.note("championship edited", championship=wanted.name, keys=changed, who=who, why=why)
    if not championship.begun:
        timer = Timer(TimerKind.CHAMPIONSHIP, wanted.name)
        # The edited plan has an hour of its own; that of the old one counts no more.
        championship.hour_has_come = False
        if begins_in_s is not None:
            server.start(timer, begins_in_s)
        else:
            server.stop(timer)
        if wanted.game_type != before.game_type:
            server.type_named(before.game_type).drops(championship)
            _install(server, server.type_named(wanted.game_type), championship)
    return None


def _differing(one: Plan, other: Plan) -> list[str]:
    return [key for key in Plan.fields() if getattr(one, key) != getattr(other, key)]


def _writer(server: ServerState) -> Callable[[Championship, LedgerEntry], None]:
    """Return a function that records entries of ledgers."""

    def write(championship: Championship, entry: LedgerEntry) -> None:
        server.emit(RecordChampionship(championship.name, championship.plan.game_type, entry))

    return write


def _install(server: ServerState, game_type: GameType, championship: Championship) -> None:
    server.championships[championship.name] = championship
    game_type.announces(championship)
