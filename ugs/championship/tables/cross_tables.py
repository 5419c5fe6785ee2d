"""A round robin or a gauntlet: what each entrant got against each other one, in games of two."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from ugs.championship.point_sums import added

MAX_ROWS: Final = 40
"""Larger fields have no cross table: it could not be read."""
HALVES: Final = {Fraction(1, 2): "½"}


@dataclass(frozen=True, slots=True)
class CrossLine:
    """The row of one entrant."""

    nick: str
    cells: list[str]
    """By column: points, and where they met more than once those of the other one, ``2½–½``; empty where they have not
    met."""
    points: float
    games: int


@dataclass(frozen=True, slots=True)
class CrossTable:
    """Who got what against whom."""

    columns: list[str]
    """The nicks above the columns."""
    lines: list[CrossLine]


def points_text(points: float) -> str:
    """Points as people write them: ``2½``; other parts than halves as decimals."""
    whole, part = divmod(points, 1)
    if part != 0.5:
        return f"{points:.2f}".rstrip("0").rstrip(".")
    return f"{int(whole)}½" if whole else "½"


def cross_table(
    field: Sequence[str], against: Sequence[str], counted: Iterable[Mapping[str, float]], order: Collection[str] = ()
) -> CrossTable | None:
    """Return the table of ``field`` ``against`` these columns; None in fields that are too large, and where games have
    more than two seats.

    ``counted``: for each game that counts, what it was worth to each player; ``order``: the entrants, best first,
    empty: by points, those with equal points as in ``field``.
    """
    if len(field) > MAX_ROWS:
        return None
    points: defaultdict[tuple[str, str], float] = defaultdict(float)
    met: defaultdict[tuple[str, str], int] = defaultdict(int)
    total: defaultdict[str, float] = defaultdict(float)
    games: defaultdict[str, int] = defaultdict(int)
    for worth in counted:
        if len(worth) != 2:
            return None
        # Two players: backwards, each stands beside the other.
        for (nick, got), other in zip(worth.items(), reversed([*worth]), strict=True):
            points[nick, other] = added(points[nick, other], got)
            met[nick, other] += 1
            total[nick] = added(total[nick], got)
            games[nick] += 1

    def cell(nick: str, other: str) -> str:
        times = met[nick, other]
        if times < 2:
            return points_text(points[nick, other]) if times else ""
        return f"{points_text(points[nick, other])}–{points_text(points[other, nick])}"

    rows = [*order] or sorted(field, key=lambda nick: -total[nick])
    columns = [nick for nick in rows if nick in against]
    lines = [CrossLine(nick, [cell(nick, other) for other in columns], total[nick], games[nick]) for nick in rows]
    return CrossTable(columns, lines)
