"""Championships out of the journal: all about one as JSON, and as lines for people."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

import typer

from ugs.admin import NoAnswer, NoServer, ask, why_silent
from ugs.broker.championships.ledgers import WORTH, plan_of_ledger
from ugs.broker.championships.progress import from_ledger
from ugs.championship.format_words import format_words
from ugs.championship.formats.format_contract import Fixture
from ugs.championship.formats.stages import Stages
from ugs.championship.ledger import Ledger, LedgerEntry, What
from ugs.championship.ledger_text import entry_text, fixture_text
from ugs.championship.plan import Plan, Stage, shown_time
from ugs.championship.tables.scheduled_games import ScheduledGame, scheduled_games
from ugs.championship.tables.sections import Section, sections
from ugs.championship.tables.stage_tables import PlacedLine, StageTable, stage_heads, stage_of
from ugs.championship.tables.table_text import placed_lines, round_lines, section_lines
from ugs.championship.used_keys import BY_POINTS
from ugs.commands.failure import FAILED, WRONG_USAGE, failure
from ugs.declared import Declared
from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Reader, RecordedChampionship
from ugs.option_names import options_text
from ugs.places import Place
from ugs.printable import safe, unknown
from ugs.record.times import MICRO, written_time
from ugs.standings.source import WrongRequest, from_journal
from ugs.standings.standings import Standings, StandingsLine
from ugs.terminal import terminal_width
from ugs.why.lookup import held_text

TOO_LONG = frozenset({"games"})
"""What entries hold for the server alone: all games of a large field."""
SHOWN_APART = frozenset({"name", "game_type", "options"})
"""Keys of a plan that have lines of their own."""
MAX_COMING = 8
"""At most this many of the next games are shown."""
MAX_OPEN = 3
"""Lines about what is open, unless all are wanted."""
MAX_WINNERS = 4
"""Equal winners that are named."""
MAX_PLACES = 20
"""Lines of the standings."""
MAX_FIELD = 2_000
"""Larger fields have no tables: drawing their schedule up takes long, and they are too large to read on a terminal."""
WIDTH = 100
"""Columns where there is no terminal."""
PATIENCE_S: Final = 2.0
"""Seconds for what only the running server knows."""
NONE_AWAITED: Final[Mapping[str, datetime]] = MappingProxyType({})
NONE_HELD: Final[Mapping[int, str]] = MappingProxyType({})


def show_all(data_dir: Place, form: str) -> None:
    """Print all championships there are and were, in short; ``form`` is ``text`` or ``json``."""
    with _reading(data_dir) as reader:
        found = _championships(reader)
        winners = {one.name: _winners(data_dir, one) for one in found} if form != "json" else {}
    if form == "json":
        typer.echo(json.dumps([in_short(one) for one in found], indent=2))
        return
    silent = why_silent(data_dir)
    for one in found:
        kind = f"{one.game_type}; {format_words(one.sum().plan)}"
        typer.echo(safe(f"{one.name} ({kind}): {state_text(one)}{_halted(one, silent)}{_won_by(winners[one.name])}"))
    if not found:
        typer.echo("there is none")


def show_one(data_dir: Place, name: str, form: str, *, ledger: bool = False, whole: bool = False) -> None:
    """Print all about a championship, or its ``ledger`` alone; ends the command when there is none of this name.
    ``whole``: each game that is open, too."""
    with _reading(data_dir) as reader:
        found = _championships(reader)
        game_type = next((one.game_type for one in found if one.name == name), "")
        here, led = _here(reader, game_type)
        pause = reader.paused(game_type)
    one = next((one for one in found if one.name == name), None)
    if one is None:
        raise _stop(unknown("championship", name, (one.name for one in found)), WRONG_USAGE)
    silent = why_silent(data_dir)
    until = {} if silent else _away_until(data_dir, name)
    entry = {} if silent else _entry(data_dir, name)
    held = _held(entry)
    if form == "json":
        typer.echo(json.dumps(as_json(one, here, until, held), indent=2))
        return
    shown = as_lines(
        one, None if silent else here, _standings(data_dir, name), terminal_width(), until, held, whole=whole
    )
    if not (silent or led or one.sum().over):
        shown[0] += f"; no game master of {one.game_type} is here"
    shown[0] += _halted(one, silent)
    if entry.get("options_unmet"):
        shown[1:1] = [f"  it waits: {entry['options_unmet']}"]
    if pause is not None and not one.sum().over:
        shown[1:1] = [f"  the organiser has paused {one.game_type}: {pause}"]
    lines = ledger_lines(one) if ledger else shown
    for line in lines:
        typer.echo(safe(line))


def _away_until(data_dir: Place, name: str) -> dict[str, datetime]:
    """Until when the server waits for entrants whose lines are lost; none where it does not answer soon."""
    try:
        facts = ask(data_dir, {"ask": "server"}, timeout_s=PATIENCE_S)
    except (NoServer, NoAnswer):
        return {}
    now = datetime.now(UTC)
    return {
        one["nick"]: now + timedelta(seconds=one["left_s"])
        for one in facts.get("awaited", ())
        if one["championship"] == name
    }


def _entry(data_dir: Place, name: str) -> Mapping[str, Any]:
    """What the server has of a championship; nothing where it does not answer soon."""
    try:
        answer = ask(data_dir, {"ask": "why", "name": name}, timeout_s=PATIENCE_S)
    except (NoServer, NoAnswer):
        return {}
    return next((one for one in answer.get("found", ()) if one["kind"] == "championship"), {})


def _held(entry: Mapping[str, Any]) -> dict[int, str]:
    """What games wait for that could begin, by the number of the fixture."""
    return {one["fixture"]: held_text(one) for one in entry.get("fixtures", ()) if one["why"]}


def _halted(one: RecordedChampionship, silent: str) -> str:
    """That nothing is played, since no server answers."""
    return f"; {silent}: it goes on when a server runs here" if silent and not one.sum().over else ""


def _winners(data_dir: Place, one: RecordedChampionship) -> list[str]:
    """Who has won a championship that is over; where its format decides no places, who is first in its standings."""
    if one.state != "over":
        return []
    placing = [entry.data.get("placing") for entry in _entries(one) if entry.what is What.OVER]
    if placing and placing[-1]:
        return list(placing[-1][:1])
    standings = _standings(data_dir, one.name)
    counted = standings.players if standings is not None and one.sum().counted else ()
    return [line.nick for line in counted if line.place == 1]


def _won_by(winners: Sequence[str]) -> str:
    more = f" and {len(winners) - MAX_WINNERS} more" if len(winners) > MAX_WINNERS else ""
    return f"; won by {', '.join(winners[:MAX_WINNERS])}{more}" if winners else ""


def _standings(data_dir: Place, name: str) -> Standings | None:
    try:
        return next(iter(from_journal(data_dir, championship=name, ratings=False)), None)
    except (JournalError, WrongRequest) as error:
        raise _stop(error, FAILED) from None


def _stop(text: object, code: int) -> typer.Exit:
    return failure("ugs championship", text, code)


def _reading(data_dir: Place) -> Reader:
    try:
        return Reader(data_dir)
    except JournalError as error:
        raise _stop(error, WRONG_USAGE) from None


def _here(reader: Reader, game_type: str) -> tuple[frozenset[str], bool]:
    """The players of a type who are logged in, and whether a master is."""
    try:
        return reader.players_here(game_type), reader.is_led(game_type)
    except JournalError as error:
        raise _stop(error, FAILED) from None


def _championships(reader: Reader) -> list[RecordedChampionship]:
    try:
        return reader.championships()
    except JournalError as error:
        raise _stop(error, FAILED) from None


def in_short(one: RecordedChampionship) -> dict[str, Any]:
    """Its name, game type and state, and when it began and ended."""
    return {
        "name": one.name,
        "game_type": one.game_type,
        "state": one.state,
        "began": None if one.began_us is None else written_time(one.began_us),
        "ended": None if one.ended_us is None else written_time(one.ended_us),
    }


def as_json(
    one: RecordedChampionship,
    here: Collection[str] = (),
    until: Mapping[str, datetime] = NONE_AWAITED,
    held: Mapping[int, str] = NONE_HELD,
) -> dict[str, Any]:
    """All about a championship, as it can be written as JSON. ``here``: the players who are logged in; ``until`` and
    ``held``: as for :func:`as_lines`."""
    ledger = one.sum()
    hour = ledger.plan.get("begins_at")
    return {
        **in_short(one),
        "plan": dict(ledger.plan),
        "field": list(ledger.field),
        "gone": {
            nick: {"who": one.who, "why": one.why, "struck": nick in ledger.struck, "disqualified": one.disqualified}
            for nick, one in ledger.gone.items()
        },
        "begins_at": datetime.fromisoformat(hour).astimezone().isoformat() if hour else None,
        "here": sorted(here),
        "missing": _missing(ledger, here),
        "awaited_until": {nick: moment.isoformat() for nick, moment in until.items()},
        "next": [
            {
                "fixture": fixture.number,
                "round": fixture.round,
                "nicks": list(fixture.nicks),
                "waits_for": held.get(fixture.number, ""),
            }
            for fixture in coming_up(one)
        ],
        "drawing": ledger.drawing,
        "counted": len(ledger.standing()),
        "unplayed": [{**_numbered(entry), "game": game} for game, entry in _unplayed(one).items()],
        "given_up": [{"fixture": fixture, "nicks": list(nicks)} for fixture, nicks in ledger.given_up.items()],
        "ledger": [
            {
                "at": written_time(logged.wall_us),
                "what": str(logged.entry.what),
                "who": logged.entry.who,
                "why": logged.entry.why,
                "data": {key: value for key, value in logged.entry.data.items() if key not in TOO_LONG},
            }
            for logged in one.ledger
        ],
    }


def _numbered(entry: LedgerEntry) -> dict[str, Any]:
    return {key: entry.data[key] for key in ("fixture", "round", "nicks")}


def _unplayed(one: RecordedChampionship) -> dict[str, LedgerEntry]:
    """The fixtures that have been begun, do not count and are not given up, each under the id of its last game."""
    ledger = one.sum()
    begun = {entry.data["fixture"]: entry for entry in _entries(one) if entry.what is What.FIXTURE}
    return {
        entry.data["game"]: entry
        for fixture, entry in begun.items()
        if fixture not in ledger.counted
        and fixture not in ledger.given_up
        and ledger.struck.isdisjoint(entry.data["nicks"])
    }


def _entries(one: RecordedChampionship) -> Iterable[LedgerEntry]:
    return (logged.entry for logged in one.ledger)


def coming_up(one: RecordedChampionship) -> list[Fixture]:
    """The games that can be played next when their players are free, the most urgent first, a few of them. Games that
    are still to be drawn, and those of a championship that has not begun or is over, are not known."""
    if one.state not in ("running", "paused"):
        return []
    entries = list(_entries(one))
    played = from_ledger(plan_of_ledger(entries[0].data["plan"]), entries, lambda _, __: None)
    return played.open_fixtures(MAX_COMING)


def _missing(ledger: Ledger, here: Collection[str]) -> list[str]:
    """The entrants who are expected and not here."""
    expected = ledger.field or ledger.plan.get("entrants", ())
    return [] if ledger.over else [nick for nick in expected if nick not in ledger.gone and nick not in here]


def _attendance(ledger: Ledger, here: Collection[str] | None, until: Mapping[str, datetime]) -> list[str]:
    if here is None or ledger.over:
        return []
    first = 0 if ledger.field else ledger.plan.get("first", 0)
    more = f": waits for {first - len(here)} more" if first > len(here) else ""
    awaited = [f"  {len(here)} of {first} players are here{more}"] if first else []
    missing = _missing(ledger, here)
    if not here and not missing:
        return awaited
    there = f"  here: {', '.join(sorted({*here} - ledger.gone.keys())) or 'no player'}"
    named = [f"{nick} ({_awaited(until[nick])})" if nick in until else nick for nick in missing]
    return [*awaited, there + (f"; missing: {', '.join(named)}" if named else "")]


def _awaited(until: datetime) -> str:
    return f"awaited until {until.strftime('%H:%M:%S UTC')}"


def as_lines(
    one: RecordedChampionship,
    here: Collection[str] | None = None,
    standings: Standings | None = None,
    width: int = WIDTH,
    until: Mapping[str, datetime] = NONE_AWAITED,
    held: Mapping[int, str] = NONE_HELD,
    *,
    whole: bool = False,
) -> list[str]:
    """A championship for people, line by line: how it stands, its tables, what comes next, who stepped in. ``here``:
    the players who are logged in, None where no server runs; ``width``: columns of the terminal; ``until``: when
    entrants whose lines are lost will have left for good; ``held``: what fixtures wait for, by number; ``whole``: each
    game that is open, not the first :data:`MAX_OPEN` alone."""
    ledger = one.sum()
    forfeits = sum(1 for counted in ledger.standing() if not counted.game_id)
    lines = [
        f"championship {one.name} ({one.game_type}): {state_text(one)}",
        *([f"  format: {format_words(ledger.plan)}"] if ledger.plan.get("stages") else []),
        f"  plan: {_plan(ledger.plan)}",
        *([f"  options: {options_text(ledger.plan['options'])}"] if ledger.plan.get("options") else []),
        f"  field: {', '.join(ledger.field) or 'not fixed yet'}",
    ]
    lines += _attendance(ledger, here, until)
    for nick, one_gone in ledger.gone.items():
        results = "struck" if nick in ledger.struck else "stand"
        no_place = " for the others; it has no place" if one_gone.disqualified else ""
        lines.append(f"  out: {nick} ({one_gone.text}); its results {results}{no_place}")
    lines.append(f"  games that count: {len(ledger.standing())}, of these decided without being played: {forfeits}")
    lines += _places(standings, by_points=ledger.plan.get("format") in BY_POINTS)
    best = [line.nick for line in standings.players] if standings is not None else []
    lines += table_lines(one, ledger, width, best)
    lines += _open_ends(one, ledger, held, None if whole else MAX_OPEN)
    stepped_in = [logged for logged in one.ledger if logged.entry.who]
    if stepped_in:
        lines += ["", "orders"]
        lines += [f"  {moment(logged.wall_us)}  {entry_text(logged.entry)}" for logged in stepped_in]
    entries = (
        "1 entry: --ledger shows it" if len(one.ledger) == 1 else f"{len(one.ledger)} entries: --ledger shows them"
    )
    return [*lines, "", f"the ledger has {entries}"]


def ledger_lines(one: RecordedChampionship) -> list[str]:
    """Each entry of the ledger."""
    entries = [f"  {written_time(logged.wall_us)}  {entry_text(logged.entry)}" for logged in one.ledger]
    return [f"ledger of championship {one.name} ({one.game_type}): {one.state}", *entries]


def table_lines(one: RecordedChampionship, ledger: Ledger, width: int, best: Sequence[str] = ()) -> list[str]:
    """Brackets, cross tables and rounds; games by rounds where those do not show them. ``best``: the players as they
    stand, best first."""
    games = [*scheduled_games(_entries(one)).values()]
    found: list[Section] = []
    schedule = None
    if 0 < len(ledger.field) <= MAX_FIELD:
        played = from_ledger(plan_of_ledger(ledger.plan), _entries(one), lambda _, __: None)
        schedule = played.whole_schedule
        found = sections(schedule, ledger, games, WORTH, best) if schedule is not None else []
    listed = frozenset[int]().union(*(section.fixtures for section in found))
    rest = [game for game in games if game.fixture not in listed]
    if not isinstance(schedule, Stages):
        return _with_games(found, rest, width)
    lines = []
    for head in stage_heads(schedule):
        of_stage = [section for section in found if section.stage == head.number]
        games_of_stage = [game for game in rest if stage_of(schedule, game.fixture) == head.number]
        lines += ["", f"stage {head.number}: {'; '.join(filter(None, (head.words, head.goes_on)))}"]
        lines += _with_games(of_stage, games_of_stage, width)
    return lines


def _with_games(found: Sequence[Section], rest: Sequence[ScheduledGame], width: int) -> list[str]:
    """Tables, then the games that stand in none of them one by one."""
    lines = [line for section in found for line in section_lines(section, width)]
    return [*lines, "", "games", *round_lines(rest)] if rest else lines


def _places(standings: Standings | None, *, by_points: bool) -> list[str]:
    """The standings; tie-breaks where they decide the places of a format that goes ``by_points``."""
    if standings is None or not standings.players:
        return []
    best = standings.players[:MAX_PLACES]
    broken_by = standings.tie_breaks if by_points and _are_ties_broken(best) else ()
    more = len(standings.players) - len(best)
    rest = [f"  and {more} more: ugs standings --championship"] if more else []
    lines = [
        PlacedLine(one.place, one.nick, one.points, one.won, one.lost, one.drawn, one.out, dict(one.tie_breaks))
        for one in best
    ]
    return ["", "standings", *placed_lines(StageTable(lines, 0, [*broken_by])), *rest]


def _are_ties_broken(lines: Sequence[StandingsLine]) -> bool:
    """Whether two with the same points have different places, which only the tie-breaks explain."""
    return any(one.points == other.points and one.place != other.place for one, other in pairwise(lines))


def _open_ends(
    one: RecordedChampionship, ledger: Ledger, held: Mapping[int, str], most: int | None = None
) -> list[str]:
    """What never gets a result, what has none yet, and what is played next; ``most``: lines at most, with the number of
    the others."""
    lines = [f"  given up: fixture {fixture}: {', '.join(nicks)}" for fixture, nicks in ledger.given_up.items()]
    lines += [
        f"  begun and not counted yet: {fixture_text(entry.data)}, last as game {game}"
        for game, entry in _unplayed(one).items()
    ]
    lines += [
        f"  next: fixture {coming.number} (round {coming.round}): {', '.join(coming.nicks)}{_waits(coming, held)}"
        for coming in coming_up(one)
    ]
    more = len(lines[most:]) if most is not None else 0
    if more:
        lines[most:] = [f"  and {more} more: --all shows {'it' if more == 1 else 'them'}"]
    return ["", "still open", *lines] if lines else []


def _waits(coming: Fixture, held: Mapping[int, str]) -> str:
    return f"; {held[coming.number]}" if coming.number in held else ""


def moment(wall_us: int) -> str:
    """A moment for people: ``2030-05-01 18:00 UTC``."""
    return datetime.fromtimestamp(wall_us / MICRO, UTC).strftime("%Y-%m-%d %H:%M UTC")


def state_text(one: RecordedChampionship) -> str:
    """Its state, what is being drawn for it, and when it began and ended."""
    drawing = one.sum().drawing
    since = [logged.wall_us for logged in one.ledger if logged.entry.what is What.DRAWING]
    drawn = f", drawing {drawing} since {moment(since[-1])}" if drawing else ""
    plan = one.sum().plan
    hour = plan.get("begins_at") if one.began_us is None and one.ended_us is None else ""
    drawn += f", begins {shown_time(datetime.fromisoformat(hour))}" if hour else ""
    began = "" if one.began_us is None else f", began {moment(one.began_us)}"
    ended = "" if one.ended_us is None else f", over {moment(one.ended_us)}"
    return f"{one.state}{drawn}{began}{ended}"


def _plan(written: Mapping[str, Any]) -> str:
    """The keys of a plan that matter: those that are not at their defaults, and the format."""
    shown = {key: value for key, value in written.items() if key not in SHOWN_APART}
    words = _set(shown, Plan)
    if "stages" in words:
        words["stages"] = [_set(stage, Stage) for stage in words["stages"]]
    return ", ".join(f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in words.items())


def _set(written: Mapping[str, Any], kind: type[Declared]) -> dict[str, Any]:
    """The keys that are not at their defaults, and the format."""
    defaults = {key: field.default for key, field in kind.fields().items()}
    return {key: value for key, value in written.items() if key == "format" or _unlike(value, defaults.get(key))}


def _unlike(value: object, default: object) -> bool:
    return (tuple(value) if isinstance(value, list) else value) != default
