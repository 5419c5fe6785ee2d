"""A forecast of a championship: how many games, how fair, how long. It is played through on paper.

Every game takes equally long, and all players are always there. When games end, the most urgent games begin whose
players are free. Where results decide who plays whom, the better seed wins every game.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ugs.championship.balance import Balance, balance
from ugs.championship.format_words import format_words
from ugs.championship.formats.format_contract import Fixture, Schedule
from ugs.championship.formats.format_table import MAX_GAMES, make
from ugs.championship.plan import Plan, PlanError
from ugs.durations import duration_text
from ugs.option_names import options_text
from ugs.setting_types import MAX_ENTRANTS

DEPENDS_ON_RESULTS = frozenset({"swiss", "knock-out", "ladder", "stages", "league"})


@dataclass(frozen=True, slots=True)
class Forecast:
    """The figures of a championship that was played through."""

    plan: Plan
    entrants: int
    seats: int
    game_s: float
    """Seconds that a game takes."""
    at_a_time: int
    """At most this many games are played at the same time; 0: as many as there are players for."""
    games: int | None
    """Games in total. None for a championship without end; ``balance`` and ``duration_s`` are then None as well."""
    games_at_most: int | None
    """The most games possible, not counting drawn ones."""
    most_at_once: int
    """The largest number of games that were played at the same time."""
    duration_s: float | None
    """Seconds from the first game to the last."""
    balance: Balance | None
    byes: int
    """How often an entrant sat out a round."""


def forecast(plan: Plan, field: int | Sequence[str], seats: int, game_s: float, at_a_time: int = 0) -> Forecast:
    """Play ``plan`` through in games of ``seats`` seats.

    ``field``: the names, best seed first, or their number. ``game_s``: seconds of one game. ``at_a_time``: how many
    games masters lead at the same time, 0 is no limit. Raises PlanError when plan, field and seats do not fit.
    """
    if isinstance(field, int) and field > MAX_ENTRANTS:
        raise PlanError(f"entrants: {field}; allowed: at most {MAX_ENTRANTS}")
    names = _names(plan, field) if isinstance(field, int) else tuple(field)
    if game_s <= 0:
        raise PlanError(f"seconds of a game = {game_s}: allowed: more than 0")
    schedule = make(plan, names, seats)
    limit = at_a_time or len(names)
    if schedule.total is None:
        at_once = min(len(names) // seats, limit)
        return Forecast(plan, len(names), seats, game_s, at_a_time, None, None, at_once, None, None, 0)
    if schedule.total > MAX_GAMES:
        raise PlanError(f"{schedule.total} games are too many for a dry run; allowed: {MAX_GAMES}")
    waves = _played_through(schedule, names, limit)
    fixtures = [fixture for wave in waves for fixture in wave]
    return Forecast(
        plan=plan,
        entrants=len(names),
        seats=seats,
        game_s=game_s,
        at_a_time=at_a_time,
        games=len(fixtures),
        games_at_most=schedule.total,
        most_at_once=max(map(len, waves), default=0),
        duration_s=len(waves) * game_s,
        balance=balance(fixtures, names, seats),
        byes=len(schedule.byes()),
    )


def _names(plan: Plan, entrants: int) -> tuple[str, ...]:
    names = [f"entrant {number}" for number in range(1, entrants + 1)]
    if names and plan.champion:
        # A gauntlet whose champion is not in the field cannot be made.
        names[0] = plan.champion
    return tuple(names)


def _played_through(schedule: Schedule, names: Sequence[str], limit: int) -> list[list[Fixture]]:
    """Return the games in waves that begin together. All games take equally long, so they end together too."""
    waves: list[list[Fixture]] = []
    seed = {nick: place for place, nick in enumerate(names)}
    while not schedule.finished:
        free = set(names)
        wave: list[Fixture] = []
        while len(wave) < limit and (chosen := _begin_some(schedule, free, limit - len(wave))):
            wave += chosen
        if not wave:
            break
        for fixture in wave:
            winner = min(fixture.nicks, key=seed.__getitem__)
            schedule.settle(fixture, {nick: float(nick == winner) for nick in fixture.nicks})
        waves.append(wave)
    return waves


def _begin_some(schedule: Schedule, free: set[str], most: int) -> list[Fixture]:
    chosen: list[Fixture] = []
    for fixture in schedule.open_fixtures(frozenset(free)):
        # Offers are for those who were free when it was asked; a game chosen before may have taken one of them.
        if free.issuperset(fixture.nicks):
            free.difference_update(fixture.nicks)
            chosen.append(fixture)
            if len(chosen) == most or len(free) < schedule.seats:
                break
    for fixture in chosen:
        schedule.begin(fixture)
    return chosen


def report(forecast: Forecast) -> str:
    """Return the forecast as text of several lines."""
    plan = forecast.plan
    form = format_words(plan.plain())
    lines = [f"{plan.name}: {plan.game_type}; {form}; {forecast.entrants} entrants, {forecast.seats} seats"]
    if plan.options:
        lines.append(_line("options", options_text(plan.options)))
    if forecast.games is None or forecast.balance is None or forecast.duration_s is None:
        per_hour = forecast.most_at_once * 3600 / forecast.game_s
        lines += [
            _line("games", "without end"),
            _line("at a time", f"{forecast.most_at_once}"),
            _line("pace", f"about {per_hour:.0f} games an hour, at {forecast.game_s:g} s a game"),
        ]
        return "\n".join(lines)
    fair = forecast.balance
    games = f"{forecast.games}; {_span(fair.games_least, fair.games_most)} of each entrant"
    if forecast.games_at_most not in (None, forecast.games):
        games += f"; {forecast.games_at_most} in all at most, without drawn ones"
    never = f"; {fair.never_met} pairs never meet" if fair.never_met else ""
    limit = f"limit {forecast.at_a_time}" if forecast.at_a_time else "no limit"
    lines += [
        _line("games", games),
        _line("meetings", f"{_span(fair.meetings_least, fair.meetings_most)} of every two{never}"),
        _line("seats", f"each entrant has all seats equally often, within {fair.seats_apart}"),
        _line("at a time", f"{forecast.most_at_once} ({limit})"),
        _line("duration", f"about {_time(forecast.duration_s)}, at {forecast.game_s:g} s a game"),
    ]
    if forecast.byes:
        lines.append(_line("byes", f"{forecast.byes}, each worth {plan.bye_points(forecast.seats):.2g} of a won game"))
    if plan.format in DEPENDS_ON_RESULTS:
        lines.append("It depends on results; here the better seed has won every game.")
    return "\n".join(lines)


def _line(name: str, text: str) -> str:
    return f"  {name:<10}{text}"


def _span(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} to {most}"


def _time(seconds: float) -> str:
    # Less than a second would be no time at all.
    return duration_text(max(1, round(seconds)))
