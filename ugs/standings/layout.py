"""The columns that are shown, and their texts, the same on a terminal, in Markdown and in HTML; and the columns of the
CSV file, which always has all of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from ugs.printable import safe
from ugs.standings.elo import Elo
from ugs.standings.significance import MAX_MORE_GAMES, Neighbours
from ugs.standings.standings import CrossCell, LeftEntrant, Standings, StandingsLine

T = TypeVar("T")

NOTHING = "–"
"""Shown where there is no value."""

UNITS = {"elo": "Elo", "openskill": "mu"}


@dataclass(frozen=True, slots=True)
class StandingsColumn:
    """A column for people."""

    title: str
    cell: Callable[[StandingsLine], str]
    left: bool = False
    """Whether it is text and aligned left; numbers are aligned right."""


@dataclass(frozen=True, slots=True)
class TableGrid:
    """A laid-out table of finished cells."""

    columns: tuple[str, ...]
    left: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]


VAGUE = 400
"""Elo points: the advantage of the first seat is only shown if its interval is narrower."""


MAX_APART = 3
"""Neighbours without a significant difference that get a remark."""
ON_PAGE_AND_IN_JSON = "the page marks and lists them, --format json has the numbers"


def number(value: float | None, digits: int = 2) -> str:
    """A number without trailing zeros."""
    if value is None:
        return NOTHING
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def whole(value: float) -> str:
    """A number without decimals; 0 has no sign."""
    return str(round(value))


def signed(value: float, digits: int = 0) -> str:
    """A number with its sign; 0 has none."""
    rounded = round(value, digits)
    return f"{rounded:+.{digits}f}" if rounded else f"{0:.{digits}f}"


FIXED: tuple[StandingsColumn, ...] = (
    StandingsColumn("#", lambda line: NOTHING if line.place is None else str(line.place)),
    StandingsColumn("nick", lambda line: safe(line.nick), left=True),
    StandingsColumn("won", lambda line: str(line.won)),
    StandingsColumn("lost", lambda line: str(line.lost)),
    StandingsColumn("drawn", lambda line: str(line.drawn)),
    StandingsColumn("points", lambda line: number(line.points)),
    StandingsColumn("games", lambda line: str(line.games)),
)
BYES = StandingsColumn("byes", lambda line: str(line.byes))
VOID = StandingsColumn("void", lambda line: str(line.void))
FAULTS = StandingsColumn(
    "faults", lambda line: ", ".join(f"{times} {cause}" for cause, times in line.faults.items()), left=True
)
REFUSED = StandingsColumn("refused", lambda line: str(line.refused))
OUT = StandingsColumn("out", lambda line: safe(line.out.partition(": ")[0]), left=True)
"""How it is out; why is in the remarks."""
SKILL = StandingsColumn(
    "skill", lambda line: f"{line.rating.mu:.1f} ± {line.rating.sigma:.1f}" if line.rating else NOTHING
)
ELO = StandingsColumn("Elo", lambda line: whole(line.elo.value) if line.elo else NOTHING)
INTERVAL = StandingsColumn(
    "95 %", lambda line: f"{whole(line.elo.low)} to {whole(line.elo.high)}" if line.elo else NOTHING
)


def columns(standings: Standings) -> list[StandingsColumn]:
    """The columns that have a value in these standings."""
    found = list(FIXED)
    for name in standings.tie_breaks:
        # The name as a default: a lambda in a loop would see the last one.
        found.append(StandingsColumn(name, lambda line, name=name: number(line.tie_breaks.get(name))))  # type: ignore[misc]
    players = standings.players
    optional = (
        (BYES, any(line.byes for line in players)),
        (VOID, any(line.void for line in players)),
        (SKILL, any(line.rating for line in players)),
        (ELO, any(line.elo for line in players)),
        (INTERVAL, any(line.elo for line in players)),
        (FAULTS, any(line.faults for line in players)),
        (REFUSED, any(line.refused for line in players)),
        (OUT, any(line.out for line in players)),
    )
    return found + [column for column, wanted in optional if wanted]


def standings_grid(standings: Standings) -> TableGrid:
    """The standings themselves."""
    wanted = columns(standings)
    return TableGrid(
        tuple(column.title for column in wanted),
        tuple(column.left for column in wanted),
        tuple(tuple(column.cell(line) for column in wanted) for line in standings.players),
    )


DROPPED: tuple[str, ...] = (
    *("refused", "faults", "wins", "buchholz", "sonneborn-berger", "head-to-head", "skill", "void", "byes"),
    *("95 %", "games", "drawn", "Elo", "lost"),
)
"""Columns that are left out where there is no room for all, the least important first."""


def without(grid: TableGrid, column: str) -> TableGrid:
    """Return a grid without one of its columns. Raises ValueError when it has none of that name."""
    at = grid.columns.index(column)

    def rest(cells: Sequence[T]) -> tuple[T, ...]:
        return (*cells[:at], *cells[at + 1 :])

    return TableGrid(rest(grid.columns), rest(grid.left), tuple(map(rest, grid.rows)))


def with_nicks_of(grid: TableGrid, most: int) -> TableGrid:
    """Return a grid where no nick has more than ``most`` characters."""
    at = grid.columns.index("nick")

    def cut(nick: str) -> str:
        return nick if len(nick) <= most else f"{nick[: most - 1]}…"

    return TableGrid(grid.columns, grid.left, tuple((*row[:at], cut(row[at]), *row[at + 1 :]) for row in grid.rows))


def cross_table_grid(standings: Standings, most: int) -> TableGrid | None:
    """Each player's record against each other as won-lost-drawn; None when no players met or there are more than
    ``most`` players."""
    players = standings.players
    if not standings.cross_table or len(players) > most:
        return None
    heads = ("#", "nick", *(str(number) for number in range(1, len(players) + 1)))
    rows = [
        (
            str(number),
            safe(line.nick),
            *(_cell(standings.cross_table.get(line.nick, {}).get(other.nick)) for other in players),
        )
        for number, line in enumerate(players, start=1)
    ]
    return TableGrid(heads, (False, True, *(False for _ in players)), tuple(rows))


def _cell(cell: CrossCell | None) -> str:
    if cell is None:
        return ""
    neither = f"({cell.neither})" if cell.neither else ""
    return f"{cell.won}-{cell.lost}-{cell.drawn}{neither}"


def heading(standings: Standings) -> str:
    """What these are the standings of, and how much has been played."""
    counts = [_plural(standings.games, "game")]
    counts += [_plural(standings.forfeits, "forfeit")] if standings.forfeits else []
    counts += [f"{standings.void} void"] if standings.void else []
    state = f", {standings.state}" if standings.state else ""
    return f"{safe(standings.title)}{state}: {', '.join(counts)}"


OF_TWO: Final = "of two in a game of more, who did better has won against the other, and who did equally well has drawn"
"""Why there are draws in who met whom, where no game was drawn."""


def _are_many_together(standings: Standings) -> bool:
    """Whether there was a game of more than two, as far as draws of two show it that were none of the game."""
    drawn = {line.nick: line.drawn for line in standings.players}
    return any(
        sum(cell.drawn for cell in others.values()) > drawn.get(nick, 0)
        for nick, others in standings.cross_table.items()
    )


def remarks(standings: Standings, listed: str = ON_PAGE_AND_IN_JSON) -> list[str]:
    """The remarks below the standings, one sentence each. Of the neighbours without a significant difference the first
    ones are remarked on, and the others counted; ``listed`` says where all of them, as :func:`apart_remarks` has them,
    are to be found."""
    seat = standings.seat_advantage
    apart = apart_remarks(standings)
    more = len(apart) - MAX_APART
    return [
        *apart[:MAX_APART],
        *([f"{_plural(more, 'more pair')} of neighbours cannot be distinguished: {listed}"] if more > 0 else []),
        *([_seat_remark(seat)] if seat is not None and seat.high - seat.low < VAGUE else []),
        *(f"{safe(left.nick)} is out ({safe(left.text)}); {_what_counts(left)}" for left in standings.left),
        *(f"game {game.fixture} was not played: {', '.join(map(safe, game.nicks))}" for game in standings.given_up),
        *([OF_TWO] if _are_many_together(standings) else []),
        *map(safe, standings.notes),
    ]


def _what_counts(left: LeftEntrant) -> str:
    """What becomes of the results of one who is out."""
    if left.struck:
        return "its results are struck"
    return "it has no place, and its results stand for the others" if left.disqualified else "its results stand"


def apart_remarks(standings: Standings) -> list[str]:
    """A sentence for each pair of neighbours without a significant difference: those that the page marks."""
    return [*map(significance_remark, standings.not_distinguishable)]


def _seat_remark(advantage: Elo) -> str:
    return (
        f"the first seat is worth {signed(advantage.value)} Elo ({signed(advantage.low)} to {signed(advantage.high)}), "
        "which the ratings leave out"
    )


def significance_remark(pair: Neighbours) -> str:
    """The sentence about neighbours without a significant difference."""
    if not pair.comparable:
        return f"{safe(pair.first)} and {safe(pair.second)} cannot be compared: no chain of games joins them"
    digits = 0 if pair.by == "elo" else 1
    return (
        f"{safe(pair.first)} and {safe(pair.second)} cannot be distinguished yet: "
        f"{signed(pair.difference, digits)} {UNITS[pair.by]}, standard error {pair.standard_error:.{digits}f}. "
        f"{_needed(pair)}"
    )


def _needed(pair: Neighbours) -> str:
    """How many more games would distinguish them; between the two, which are fewer, where they could meet."""
    even, often, where = pair.more_between, pair.more_between_80, "between them"
    if even is None:
        even, often, where = pair.more_each, pair.more_each_80, "of each"
    if even is None:
        return f"At this difference more than {MAX_MORE_GAMES} more games would be needed"
    chance = "" if often is None else f", {_about(often)} with a chance of 80 %"
    return f"At this difference about {_plural(_about(even), 'more game')} {where} would do with even odds{chance}"


def _about(count: int) -> int:
    """An estimate rounded to two digits; more digits would suggest a precision that it does not have."""
    return int(float(f"{count:.2g}"))


def _plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


CSV_COLUMNS: dict[str, Callable[[Standings, StandingsLine], object]] = {
    "game_type": lambda standings, _: standings.game_type,
    "championship": lambda standings, _: standings.championship,
    "place": lambda _, line: line.place,
    "nick": lambda _, line: line.nick,
    "won": lambda _, line: line.won,
    "lost": lambda _, line: line.lost,
    "drawn": lambda _, line: line.drawn,
    "points": lambda _, line: number(line.points),
    "games": lambda _, line: line.games,
    "byes": lambda _, line: line.byes,
    "void": lambda _, line: line.void,
    "head_to_head": lambda _, line: line.tie_breaks.get("head-to-head"),
    "sonneborn_berger": lambda _, line: line.tie_breaks.get("sonneborn-berger"),
    "buchholz": lambda _, line: line.tie_breaks.get("buchholz"),
    "faults": lambda _, line: sum(line.faults.values()),
    "fault_causes": lambda _, line: "; ".join(f"{cause}: {times}" for cause, times in line.faults.items()),
    "refused_moves": lambda _, line: line.refused,
    "out": lambda _, line: line.out,
    "mu": lambda _, line: line.rating and line.rating.mu,
    "sigma": lambda _, line: line.rating and line.rating.sigma,
    "ordinal": lambda _, line: line.rating and line.rating.ordinal,
    "elo": lambda _, line: line.elo and line.elo.value,
    "elo_low": lambda _, line: line.elo and line.elo.low,
    "elo_high": lambda _, line: line.elo and line.elo.high,
}
"""The columns of the CSV file. An absent value is left empty."""


def csv_rows(several: Sequence[Standings]) -> list[list[object]]:
    """The rows of the CSV file, column names first."""
    rows: list[list[object]] = [list(CSV_COLUMNS)]
    for standings in several:
        rows += [[cell(standings, line) for cell in CSV_COLUMNS.values()] for line in standings.players]
    return rows
