"""Pages about championships: the list, and the schedule of each with how far it has come."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice
from math import inf
from typing import Any, Final

from ugs.broker.championships.ledgers import WORTH, plan_of_ledger
from ugs.broker.championships.progress import from_ledger
from ugs.broker.state.championship import Championship as Played
from ugs.championship.format_words import format_words
from ugs.championship.formats.stages import Stages
from ugs.championship.ledger import Ledger, What
from ugs.championship.ledger_text import entry_text
from ugs.championship.plan import PlanError
from ugs.championship.tables.scheduled_games import RUNNING, TO_COME, ScheduledGame, scheduled_games
from ugs.championship.tables.sections import Section, sections
from ugs.championship.tables.stage_tables import stage_heads, stage_of
from ugs.journal.reader import Reader, RecordedChampionship
from ugs.page.contract import Facts
from ugs.page.model import Current
from ugs.page.results import (
    ChampionshipLine,
    ChampionshipPage,
    Championships,
    Gathering,
    Round,
    RoundCount,
    ShownAct,
    ShownStage,
)
from ugs.page.worker.live_views import currents, server_of
from ugs.page.worker.public_journal import NotThere, PublicJournal
from ugs.page.worker.standings import top
from ugs.page.worker.standings_cache import OVER
from ugs.printable import unknown
from ugs.record.times import MICRO
from ugs.standings.source import WrongRequest

MAX_LISTED: Final = 200
MAX_ROUNDS, MAX_GAMES = 30, 60
"""Rounds of one championship that are not to come, the last ones, and games of one round."""
MAX_TO_COME: Final = 60
"""Games that are still to be played."""
MAX_ACTS: Final = 40
MAX_FIELD: Final = 1_000
"""Larger fields have no tables."""
MAX_RANKED: Final = 20
"""Championships of the list whose standings are looked at for who has won them, the last ones."""
CANCELLED: Final = "cancelled"
GOING_ON: Final = ("running", "paused", "announced")
PRECEDENCE: Final = (*GOING_ON, OVER, CANCELLED)
"""Which championship stands on the first page, by its state."""
MAX_GOING_ON, MAX_OVER = 5, 3
"""Championships that stand on the first page besides: those that are not over, and those that are."""
WAITS: Final = frozenset({"announced", "paused"})
"""States of a championship that may still begin."""
TOP_LINES: Final = 8
"""The best of a championship, above its schedule."""

ROUNDLESS: Final = frozenset({"ladder"})
"""Formats without rounds: the schedule calls all of their games the first."""
ABOUT_ALL: Final = frozenset(
    {What.PLANNED, What.BEGUN, What.DRAWING, What.DRAWN, What.WITHDRAWN, What.PAUSED, What.RESUMED, What.OVER}
)


def championships(site: PublicJournal, _asked: Mapping[str, Any], facts: Facts) -> Championships:
    """All championships, the last one first."""
    with site.reading() as reader:
        every = site.championships(reader)
        lines = [
            _line(site, one, ranked=number < MAX_RANKED)
            for number, one in enumerate(list(reversed(every))[:MAX_LISTED])
        ]
    return Championships(server_of(site, facts), lines, max(0, len(every) - MAX_LISTED))


def contest(site: PublicJournal, reader: Reader) -> ChampionshipLine | None:
    """The championship of the first page: the last one of those that are played, else the one that begins first of
    those that are announced, else the last one that is over; None if there is none. One without an hour comes after
    those with one: it may wait for ever."""
    every = sorted(site.championships(reader), key=lambda one: PRECEDENCE.index(one.state))
    found = [one for one in every if one.state == every[0].state and one.state != CANCELLED]
    if found and found[0].state == "announced":
        found.sort(key=lambda one: -(_hour(one.sum().plan) or inf))
    return _line(site, found[-1], ranked=True) if found else None


def other_contests(site: PublicJournal, reader: Reader, shown: ChampionshipLine | None) -> list[ChampionshipLine]:
    """The championships of the first page besides the ``shown`` one: those that are played or announced, then the last
    ones that are over."""
    every = [one for one in reversed(site.championships(reader)) if shown is None or one.name != shown.name]
    going_on = [one for state in GOING_ON for one in every if one.state == state]
    over = sorted((one for one in every if one.state == OVER), key=lambda one: -(one.ended_us or 0))
    found = [*going_on[:MAX_GOING_ON], *over[:MAX_OVER]]
    return [_line(site, one, ranked=True) for one in found]


def _line(site: PublicJournal, one: RecordedChampionship, *, ranked: bool) -> ChampionshipLine:
    """A championship in one line. The winner of one whose format decides no places is taken from its standings, if
    those are wanted (``ranked``)."""
    ledger = one.sum()
    winners: list[str] = []
    pending = False
    if one.state == OVER:
        ends = [logged.entry for logged in one.ledger if logged.entry.what is What.OVER]
        winners = list(ends[-1].data.get("placing") or ())[:1] if ends else []
        if ranked and not winners and ledger.counted:
            winners, pending = _first_places(site, one)
    return ChampionshipLine(
        one.name,
        one.game_type,
        ledger.plan.get("format", ""),
        one.state,
        len(ledger.field) or len(ledger.plan.get("entrants", ())),
        len(ledger.counted),
        _seconds(one.began_us),
        _seconds(one.ended_us),
        ", ".join(winners),
        ledger.plan.get("begins_at", ""),
        _hour(ledger.plan) if not ledger.begun and ledger.state in WAITS else None,
        pending,
        format_words(ledger.plan),
    )


def _first_places(site: PublicJournal, one: RecordedChampionship) -> tuple[list[str], bool]:
    """Who has won it, and whether that is still being counted."""
    try:
        computed, newer = site.scores.of_championship(one)
    except WrongRequest:  # no standings can be made of it
        return [], False
    if computed is None:
        return [], newer
    return [line.nick for line in computed.standings[0].players if line.place == 1], False


def _rounds_in_all(plan: Mapping[str, Any]) -> int | None:
    """How many rounds a championship has; None where the plan does not set it. In other formats ``rounds`` counts
    seasons, or the games of an entrant."""
    return plan.get("rounds") or None if plan.get("format") == "swiss" else None


def championship(site: PublicJournal, asked: Mapping[str, Any], facts: Facts) -> ChampionshipPage:
    """One championship."""
    name = asked["name"]
    with site.reading() as reader:
        every = site.championships(reader)
        one = next((each for each in every if each.name == name), None)
        if one is None:
            raise NotThere(unknown("championship", name, (each.name for each in reversed(every))))
        computed, newer = site.scores.of_championship(one)
    ledger = one.sum()
    played = _played(one, ledger)
    games, total, to_come = _scheduled(one, ledger, played)
    tables: list[Section] = []
    if played is not None and played.whole_schedule is not None and len(ledger.field) <= MAX_FIELD:
        best = [line.nick for line in computed.standings[0].players] if computed is not None else []
        tables = sections(played.whole_schedule, ledger, [*games, *to_come], WORTH, best)
    in_order = _one_list if ledger.plan.get("format") in ROUNDLESS else _rounds
    rounds = in_order([*games, *to_come])
    ahead = sum(each.state == "to come" for each in rounds)
    current = next((each for each in currents(facts) if each.championship == name), None)
    return ChampionshipPage(
        server_of(site, facts),
        one.name,
        one.game_type,
        ledger.plan.get("format", ""),
        one.state,
        list(ledger.field or ledger.plan.get("entrants", ())),
        {nick: one.text for nick, one in ledger.gone.items()},
        len(ledger.counted),
        total,
        rounds[: ahead + MAX_ROUNDS],
        RoundCount(max(0, len(rounds) - ahead - MAX_ROUNDS), _rounds_in_all(ledger.plan)),
        current,
        _acts(one),
        _seconds(one.began_us),
        _seconds(one.ended_us),
        top(computed.standings[0], TOP_LINES) if computed is not None and ledger.counted else None,
        tables,
        _gathering(ledger, current),
        dict(ledger.plan.get("options", {})),
        newer and bool(ledger.counted),
        format_words(ledger.plan),
        _stages(played, tables, [*games, *to_come]),
    )


def _stages(played: Played | None, tables: Sequence[Section], games: Sequence[ScheduledGame]) -> list[ShownStage]:
    """The stages that have begun, the last one first, each with the games that stand in none of the tables."""
    schedule = played.whole_schedule if played is not None else None
    if not isinstance(schedule, Stages):
        return []
    listed = frozenset[int]().union(*(section.fixtures for section in tables))
    rest = [game for game in games if game.fixture not in listed]
    found = []
    for head in reversed(stage_heads(schedule)):
        rounds = _rounds([game for game in rest if stage_of(schedule, game.fixture) == head.number])
        most = MAX_ROUNDS + sum(each.state == "to come" for each in rounds)
        shown = rounds[:most]
        found.append(ShownStage(head.number, head.words, head.goes_on, head.state, shown, len(rounds) - len(shown)))
    return found


def _gathering(ledger: Ledger, current: Current | None) -> Gathering | None:
    """What it waits for; None after its begin, and if it never will."""
    if ledger.begun or ledger.state not in WAITS:
        return None
    named = len(ledger.plan.get("entrants", ()))
    here = current.here if current is not None else None
    return Gathering(named or ledger.plan.get("first", 0), named > 0, here, _hour(ledger.plan))


def _hour(plan: Mapping[str, Any]) -> float | None:
    """When it begins, in seconds since 1970. A time without a zone is one of this machine, which runs the server."""
    text = plan.get("begins_at", "")
    return datetime.fromisoformat(text).timestamp() if text else None


def championship_table(page: ChampionshipPage) -> list[list[object]]:
    """The games as rows."""
    rows: list[list[object]] = [["round", "fixture", "label", "state", "game", "players", "outcomes"]]
    for each in sorted(page.rounds, key=lambda one: one.number):
        for game in each.games:
            outcomes = "; ".join(f"{nick}: {outcome}" for nick, outcome in game.outcomes.items())
            rows.append([each.number, game.fixture, game.label, game.state, game.game, "; ".join(game.nicks), outcomes])
    return rows


def _scheduled(
    one: RecordedChampionship, ledger: Ledger, played: Played | None
) -> tuple[list[ScheduledGame], int | None, list[ScheduledGame]]:
    """The games so far, how many there are in all, and the next ones, as far as they are known."""
    games = scheduled_games(logged.entry for logged in one.ledger)
    again = {each.number for each in played.fixtures.again} if played is not None else set[int]()
    listed = [replace(game, again=number in again) for number, game in games.items()]
    if played is None or played.whole_schedule is None:
        return listed, len(ledger.counted) if one.state == "over" else None, []
    schedule = played.schedule
    if one.state == "over" or schedule is None:
        return listed, len(ledger.counted) if one.state == "over" else None, []
    free = [nick for nick in played.field if played.plays(nick)]
    next_games = [
        ScheduledGame(each.number, each.round, each.label, list(each.nicks), TO_COME, "", {})
        for each in islice(schedule.open_fixtures(free), MAX_TO_COME)
        if games.get(each.number) is None or games[each.number].state != RUNNING
    ]
    # A play-off, or a drawn game of a later stage, is in no count that was made before.
    known = len(ledger.counted) + len(next_games) + sum(game.state == RUNNING for game in listed)
    return listed, None if schedule.total is None else max(schedule.total, known), next_games


def _played(one: RecordedChampionship, ledger: Ledger) -> Played | None:
    """The championship with its schedule; None where there is none yet, and for very large fields that are over."""
    if not ledger.begun or (one.state == "over" and len(ledger.field) > MAX_FIELD):
        return None
    try:
        return from_ledger(plan_of_ledger(ledger.plan), [logged.entry for logged in one.ledger], _unheard)
    except (PlanError, ValueError):
        return None


def _unheard(*_: object) -> None:
    """Does nothing: no listener here."""


def _rounds(games: Sequence[ScheduledGame]) -> list[Round]:
    """The rounds: those that are being played, those to come, then those that are over, the last one first. One with a
    game to be played again is not over."""
    by_round: dict[int, list[ScheduledGame]] = {}
    for game in games:
        by_round.setdefault(game.round, []).append(game)
    rounds = [
        Round(number, found[:MAX_GAMES], max(0, len(found) - MAX_GAMES), _state_of(found))
        for number, found in sorted(by_round.items())
    ]
    over = [one for one in reversed(rounds) if one.state == "over"]
    return [one for state in ("running", "to come") for one in rounds if one.state == state] + over


def _one_list(games: Sequence[ScheduledGame]) -> list[Round]:
    """All games of a format without rounds: those that run, those to come, then those that ended, the last first."""
    running = [game for game in games if game.state == RUNNING]
    waiting = [game for game in games if game.state == TO_COME or game.again]
    ended = [game for game in reversed(games) if game not in running and game not in waiting]
    found = [*running, *waiting, *ended]
    if not found:
        return []
    return [Round(0, found[:MAX_GAMES], max(0, len(found) - MAX_GAMES), _state_of(found))]


def _state_of(games: Sequence[ScheduledGame]) -> str:
    states = {RUNNING if game.again else game.state for game in games}
    return "over" if not states & {"running", "to come"} else "to come" if states == {"to come"} else "running"


def _acts(one: RecordedChampionship) -> list[ShownAct]:
    """What happened to the championship as a whole, the last first."""
    acts = [
        ShownAct(logged.wall_us / MICRO, entry_text(logged.entry), logged.entry.who, logged.entry.why)
        for logged in one.ledger
        if logged.entry.what in ABOUT_ALL or logged.entry.who
    ]
    # The field is written down as it is closed, and once more with the seats of its games.
    shown = [act for act, after in zip(acts, [*acts[1:], None], strict=True) if not _is_repeated(act, after)]
    return shown[::-1][:MAX_ACTS]


def _is_repeated(act: ShownAct, after: ShownAct | None) -> bool:
    return after is not None and after.what.startswith(act.what) and (act.who, act.why) == (after.who, after.why)


def _seconds(wall_us: int | None) -> float | None:
    return None if wall_us is None else wall_us / MICRO
