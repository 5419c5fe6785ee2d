"""Results in, standings out: the one place where standings are computed."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ugs.broker.championships.ledgers import plan_of_ledger
from ugs.broker.values.standings import Row
from ugs.broker.verdict import GameResult
from ugs.championship.ledger import Ledger, LedgerEntry, What
from ugs.championship.plan import TieBreak
from ugs.championship.point_sums import added
from ugs.championship.tiebreaks import Placement, TiebreakScores, placements
from ugs.standings.counts import RANK, ResultTally, points
from ugs.standings.elo import MAX_PLAYERS, Fit, fit_elo
from ugs.standings.forgotten import has_line
from ugs.standings.significance import by_elo, by_skill, joined, neighbours
from ugs.standings.skill import Course, Progress, Skill, skills
from ugs.standings.standings import CrossCell, GivenUp, LeftEntrant, Standings, StandingsLine


@dataclass(frozen=True, slots=True)
class ChampionshipFacts:
    """What the standings of a championship need besides the results that count."""

    name: str
    state: str
    tie_breaks: tuple[TieBreak, ...]
    field: tuple[str, ...] = ()
    """The entrants; those that are not struck have a line from the beginning."""
    placing: tuple[str, ...] | None = None
    """The best first, if the format itself decides (knock-out); entrants not in it follow, by points."""
    byes: Mapping[str, int] | None = None
    """By nick: rounds without an opponent left."""
    bye_points: float = 1.0
    """What each of them is worth."""
    left: tuple[LeftEntrant, ...] = ()
    given_up: tuple[GivenUp, ...] = ()
    void_of: Mapping[str, int] | None = None
    """By nick: games that ended void."""
    void: int = 0


def championship_facts(
    entries: Iterable[LedgerEntry], placing: Sequence[str] | None = None, byes: Iterable[tuple[int, str]] = ()
) -> ChampionshipFacts:
    """The facts about a championship from its ledger, which begins with its plan.

    ``placing`` is the format's order while the championship is played (the ledger of a finished one contains it);
    ``byes`` (round, nick) come from the schedule.
    """
    listed = list(entries)
    ledger = Ledger(listed)
    for entry in listed:
        if entry.what is What.OVER:
            placing = entry.data.get("placing") or placing
    seated = {entry.data["game"]: entry.data["nicks"] for entry in listed if entry.what is What.FIXTURE}
    void = [seated[entry.data["game"]] for entry in listed if entry.what is What.VOID and entry.data["game"] in seated]
    return ChampionshipFacts(
        ledger.plan["name"],
        ledger.state,
        tuple(ledger.plan["tie_breaks"]),
        tuple(nick for nick in ledger.field if nick not in ledger.struck),
        tuple(placing) if placing else None,
        Counter(nick for _, nick in byes),
        # Seats are 0 until the field is fixed.
        plan_of_ledger(ledger.plan).bye_points(max(ledger.seats, 2)),
        tuple(
            LeftEntrant(nick, one.why, nick in ledger.struck, one.who, one.disqualified)
            for nick, one in ledger.gone.items()
        ),
        tuple(GivenUp(fixture, nicks) for fixture, nicks in sorted(ledger.given_up.items())),
        Counter(nick for nicks in void for nick in nicks),
        len(void),
    )


def standings_of(
    results: Iterable[GameResult],
    game_type: str,
    championship: ChampionshipFacts | None = None,
    *,
    notes: Sequence[str] = (),
    ratings: bool = True,
    progress: Progress | None = None,
    course: Course | None = None,
) -> Standings:
    """The standings after these results, given in the order the games ended.

    In open play the order is that of ``championsList``. In a championship points decide, then the tie-breaks of its
    plan, unless its format places the entrants itself. ``notes`` are passed on to the reader; ``progress`` is called
    while ratings are computed; how they went is added to ``course``.
    """
    tally = ResultTally(championship.field if championship else ())
    for result in results:
        tally.add(result)
    rows = [row for row in tally.rows() if has_line(row.nick)]
    lines = _in_championship(tally, rows, championship) if championship else _in_open_play(tally, rows)
    standings = Standings(
        game_type,
        tally.games,
        tuple(lines),
        forfeits=tally.forfeits,
        void=tally.void,
        cross_table=_cross_table(tally),
        notes=tuple(notes),
    )
    if championship:
        standings = replace(
            standings,
            championship=championship.name,
            state=championship.state,
            tie_breaks=championship.tie_breaks,
            void=tally.void + championship.void,
            left=championship.left,
            given_up=championship.given_up,
        )
    return _rated(standings, tally.rated, progress, course) if ratings else standings


def _cross_table(tally: ResultTally) -> dict[str, dict[str, CrossCell]]:
    """What each player with a line achieved against each other one that it has met."""
    table = {}
    for nick, met in sorted(tally.cross.items()):
        cells = {
            other: CrossCell(pair.won, pair.lost, pair.drawn, pair.neither)
            for other, pair in met.items()
            if has_line(other)
        }
        if cells and has_line(nick):
            table[nick] = cells
    return table


def _line(tally: ResultTally, row: Row, place: int | None) -> StandingsLine:
    faults = dict(sorted(tally.faults[row.nick].items())) if row.nick in tally.faults else {}
    void = tally.void_of[row.nick]
    return StandingsLine(
        place,
        row.nick,
        row.won,
        row.lost,
        row.drawn,
        points(row),
        row.played,
        void=void,
        faults=faults,
        refused=tally.refused[row.nick],
    )


def _in_open_play(tally: ResultTally, rows: list[Row]) -> list[StandingsLine]:
    return [_line(tally, row, place) for place, row in enumerate(rows, start=1)]


def _in_championship(tally: ResultTally, rows: list[Row], championship: ChampionshipFacts) -> list[StandingsLine]:
    byes, void_of = championship.byes or {}, championship.void_of or {}
    scores = TiebreakScores(
        {row.nick: added(points(row), byes.get(row.nick, 0) * championship.bye_points) for row in rows},
        {row.nick: row.won for row in rows},
        tally.cross,
        {nick: added(0, times * championship.bye_points) for nick, times in byes.items()},
    )
    by_nick = {row.nick: row for row in rows}
    order = placements(scores, championship.tie_breaks)
    if championship.placing is not None:
        order = _as_placed_by_format(order, championship.placing)
    out = {each.nick: each.text for each in championship.left}
    return [
        replace(
            _line(tally, by_nick[each.nick], place),
            points=scores.points[each.nick],
            byes=byes.get(each.nick, 0),
            void=tally.void_of[each.nick] + void_of.get(each.nick, 0),
            tie_breaks=each.values,
            out=out.get(each.nick, ""),
        )
        for each, place in _without_disqualified(order, championship.left)
    ]


def _without_disqualified(order: list[Placement], left: Iterable[LeftEntrant]) -> list[tuple[Placement, int | None]]:
    """Each with its place: those behind a disqualified one move up, and it stands last without a place."""
    nicks = {each.nick for each in left if each.disqualified}
    last = [each for each in order if each.nick in nicks]
    placed = [each for each in order if each.nick not in nicks]
    moved = [(each, each.place - sum(one.place < each.place for one in last)) for each in placed]
    return [*moved, *((each, None) for each in last)]


def _as_placed_by_format(order: list[Placement], placing: tuple[str, ...]) -> list[Placement]:
    rank = {nick: number for number, nick in enumerate(placing)}
    first = sorted((each for each in order if each.nick in rank), key=lambda each: rank[each.nick])
    behind = [each for each in order if each.nick not in rank]
    return [Placement(each.nick, place, each.values) for place, each in enumerate(first + behind, start=1)]


def _rated(
    standings: Standings, games: list[GameResult], progress: Progress | None, course: Course | None
) -> Standings:
    rated = Counter(seat.nick for game in games for seat in game.seats)
    skill = skills(games, progress, course)
    in_twos = all(len(game.seats) == 2 for game in games)
    notes = standings.notes
    fit: Fit | None = None
    if in_twos and len(rated) <= MAX_PLAYERS:
        fit = fit_elo(_scores(games), seats=True)
    elif in_twos:
        notes += (f"no Elo: {len(rated)} players, at most {MAX_PLAYERS} can be fitted",)
    groups = joined([seat.nick for seat in game.seats] for game in games)
    compare = by_elo(fit, rated, groups) if fit is not None else by_skill(skill, rated, groups)
    return replace(
        standings,
        players=tuple(_with_ratings(line, skill, fit) for line in standings.players),
        neighbours=tuple(neighbours((line.nick for line in standings.players), compare)),
        seat_advantage=fit.seat_advantage if fit is not None and games else None,
        notes=notes,
    )


def _with_ratings(line: StandingsLine, skill: Mapping[str, Skill], fit: Fit | None) -> StandingsLine:
    elo = fit.elo(line.nick) if fit is not None and line.nick in fit else None
    return replace(line, rating=skill.get(line.nick), elo=elo)


def _scores(games: Iterable[GameResult]) -> dict[tuple[str, str], tuple[float, float]]:
    """The points of each pair of players in their games, the one who sat first named first; in each game one of the two
    won, or both drew."""
    sums: dict[tuple[str, str], tuple[float, float]] = {}
    for game in games:
        one, other = game.seats
        better = RANK[other.outcome] - RANK[one.outcome]
        gained = 0.5 if better == 0 else float(better > 0)
        first, second = sums.get((one.nick, other.nick), (0.0, 0.0))
        sums[one.nick, other.nick] = (first + gained, second + 1 - gained)
    return sums
