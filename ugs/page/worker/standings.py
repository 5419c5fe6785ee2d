"""Standings as a page: sortable, with how sure the ratings are, who met whom, and how the ratings went."""

from collections.abc import Callable, Mapping
from itertools import pairwise
from math import inf
from operator import attrgetter
from typing import Any, Final
from zlib import crc32

from ugs.game_titles import by_title
from ugs.page.contract import Facts
from ugs.page.results import CrossRow, ScoreLine, StandingsChoice, StandingsPage, Top, TopLine
from ugs.page.worker.charts import course, reach
from ugs.page.worker.live_views import server_of
from ugs.page.worker.public_journal import NotThere, PublicJournal
from ugs.page.worker.standings_cache import Computed
from ugs.printable import safe, unknown
from ugs.standings.layout import apart_remarks, cross_table_grid, heading, remarks
from ugs.standings.standings import Standings, StandingsLine
from ugs.type_hint import type_called, type_hint

MAX_SCORES: Final = 1000
MAX_CROSS: Final = 24
"""Players of a cross table."""
MAX_LINES: Final = 6
"""Players in the chart of ratings."""
MAX_REMARKS: Final = 40

SORTS: Final[Mapping[str, tuple[Callable[[ScoreLine], Any], bool]]] = {
    "place": (lambda score: score.place or inf, False),
    "nick": (lambda score: score.nick.casefold(), False),
    "points": (lambda score: score.points, True),
    "won": (lambda score: score.won, True),
    "lost": (lambda score: score.lost, True),
    "drawn": (lambda score: score.drawn, True),
    "games": (lambda score: score.games, True),
    "faults": (lambda score: sum(score.faults.values()), True),
    "rating": (lambda score: score.elo if score.elo is not None else score.mu or 0.0, True),
}
"""The columns that standings may be sorted by, and whether the largest come first."""


COLUMNS: Final[Mapping[str, Callable[[ScoreLine], object]]] = {
    **{name: attrgetter(name) for name in ("place", "nick", "points", "won", "lost", "drawn", "games", "byes", "void")},
    "faults": lambda one: sum(one.faults.values()),
    "fault_causes": lambda one: "; ".join(f"{cause}: {times}" for cause, times in one.faults.items()),
    "refused_moves": attrgetter("refused"),
    "out": attrgetter("out"),
    **{name: attrgetter(name) for name in ("mu", "sigma", "elo", "elo_low", "elo_high")},
}
"""The columns of the CSV file; those of tie-breaks follow."""


def standings(site: PublicJournal, asked: Mapping[str, Any], facts: Facts) -> StandingsPage:
    """Standings of a game type or of a championship; without a choice of the game type that was played last."""
    with site.reading() as reader:
        types, championships = site.names(reader)
        game_type, championship = asked.get("game_type"), asked.get("championship")
        if championship is not None and all(one.name != championship for one in championships):
            raise NotThere(unknown("championship", championship, (one.name for one in reversed(championships))))
        game_type = game_type and type_called(game_type, types)
        if game_type is not None and game_type not in types:
            raise NotThere(unknown("game type", game_type, types, type_hint(game_type)))
        if game_type is None and championship is None and types:
            last, _ = site.ended(reader, 1)
            game_type = last[0].game_type if last else types[0]
        choices = [StandingsChoice(name, "", championship is None and name == game_type) for name in by_title(types)]
        choices += [
            StandingsChoice(one.game_type, one.name, one.name == championship) for one in reversed(championships[-40:])
        ]
        computed, newer = None, False
        if championship is not None:
            computed, newer = site.scores.of_championship(
                next(one for one in championships if one.name == championship)
            )
        elif game_type is not None:
            computed, newer = site.scores.get(reader, (game_type, None))
    sort = asked.get("sort", "place")
    down = SORTS[sort][1] if "order" not in asked else asked["order"] == "down"
    server = server_of(site, facts)
    if computed is None or not computed.standings:
        name = championship or game_type or ""
        empty = game_type is None and championship is None
        return StandingsPage(
            server, name, game_type or "", championship or "", "", "", [], 0, [], [], [], [], "", choices, sort, down,
            not empty, newer,
        )  # fmt: skip
    one = computed.standings[0]
    all_scores = scores(one)
    listed = sorted(all_scores, key=SORTS[sort][0], reverse=down)[:MAX_SCORES]
    return StandingsPage(
        server,
        championship or one.game_type,
        one.game_type,
        championship or "",
        one.state or "",
        _counts(one, championship),
        listed,
        len(all_scores) - len(listed),
        list(one.tie_breaks),
        _cross(one),
        remarks(one, "the table marks them, all are listed below")[:MAX_REMARKS],
        apart_remarks(one)[:MAX_REMARKS],
        _course(computed),
        choices,
        sort,
        down,
        False,
        newer,
    )


def _counts(one: Standings, championship: str | None) -> str:
    """How much has been played; of a game type also the championship, where all of it was played in one."""
    counts = heading(one).rpartition(": ")[2]
    return (
        f"{counts}, all of championship {safe(one.championship)}" if one.championship and not championship else counts
    )


def standings_table(page: StandingsPage) -> list[list[object]]:
    """The lines as rows, in the order of the page."""
    rows: list[list[object]] = [[*COLUMNS, *page.tie_breaks]]
    rows += [
        [*(cell(one) for cell in COLUMNS.values()), *(one.tie_breaks.get(name) for name in page.tie_breaks)]
        for one in page.scores
    ]
    return rows


def scores(standings: Standings, most_bars: int = MAX_SCORES) -> list[ScoreLine]:
    """All lines, the best first."""
    tied = {(pair.first, pair.second) for pair in standings.not_distinguishable}
    lines = standings.players
    reaches = [(line.elo.low, line.elo.high) for line in lines if line.elo]
    reaches += [_skill_reach(line) for line in lines if line.rating and not line.elo]
    scale = min((low for low, _ in reaches), default=0.0), max((high for _, high in reaches), default=1.0)
    following = [*(line.nick for line in lines[1:]), ""][: len(lines)]
    return [
        _score(line, (line.nick, after) in tied, scale if number < most_bars else None)
        for number, (line, after) in enumerate(zip(lines, following, strict=True))
    ]


def top(standings: Standings, most: int) -> Top:
    """The best of a game type."""
    lines = [
        TopLine(line.place, line.nick, line.won, line.lost, line.drawn, line.points, line.out, _tie_breaks(line))
        for line in standings.players[:most]
    ]
    tied = any(one.points == other.points for one, other in pairwise(lines))
    tie_breaks: list[str] = [*standings.tie_breaks] if tied else []
    return Top(standings.game_type, standings.games, len(standings.players), lines, tie_breaks)


def _tie_breaks(line: StandingsLine) -> dict[str, float | None]:
    return {str(name): value for name, value in line.tie_breaks.items()}


def _score(line: StandingsLine, tied: bool, scale: tuple[float, float] | None) -> ScoreLine:
    bar = ""
    if scale is not None and (line.elo or line.rating):
        low, high = (line.elo.low, line.elo.high) if line.elo else _skill_reach(line)
        value = line.elo.value if line.elo else (low + high) / 2
        bar = reach(f"r{crc32(line.nick.encode()):08x}-{line.place}", value, low, high, *scale)
    return ScoreLine(
        line.place,
        line.nick,
        line.won,
        line.lost,
        line.drawn,
        line.points,
        line.out,
        _tie_breaks(line),
        line.games,
        line.byes,
        line.void,
        dict(line.faults),
        line.rating.mu if line.rating else None,
        line.rating.sigma if line.rating else None,
        line.elo.value if line.elo else None,
        line.elo.low if line.elo else None,
        line.elo.high if line.elo else None,
        tied,
        bar,
        line.refused,
    )


def _skill_reach(line: StandingsLine) -> tuple[float, float]:
    assert line.rating is not None
    return line.rating.mu - 1.96 * line.rating.sigma, line.rating.mu + 1.96 * line.rating.sigma


def _cross(standings: Standings) -> list[CrossRow]:
    grid = cross_table_grid(standings, MAX_CROSS)
    if grid is None:
        return []
    return [CrossRow(line.nick, list(row[2:])) for line, row in zip(standings.players, grid.rows, strict=True)]


def _course(computed: Computed) -> str:
    standings = computed.standings[0]
    best = [line.nick for line in standings.players if line.nick in computed.course][:MAX_LINES]
    last = max((points[-1][0] for points in computed.course.values()), default=0)
    if last < 2:
        return ""
    series = {nick: [((number - 1) / (last - 1), mu) for number, mu in computed.course[nick]] for nick in best}
    return course("course", series, "How the skill of the best went, game by game")
