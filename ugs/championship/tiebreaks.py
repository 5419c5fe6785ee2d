"""The order of the players: points, then the tie-breaks of the plan.

The methods are those of chess tournaments, extended to any number of seats through the cross table: two players of the
same game have met, and the better outcome beats the other. Forfeited games count like played ones. A bye counts as a
game against an opponent with as many points as the player itself, won to the extent that the bye is worth.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol, TypeAlias

from ugs.championship.plan import TieBreak
from ugs.championship.point_sums import DIGITS


class Met(Protocol):
    """The games of a player with another one."""

    @property
    def games(self) -> int:
        """How many there are."""

    @property
    def points(self) -> float:
        """What they are worth to the player."""


@dataclass(frozen=True, slots=True)
class GamesBetween:
    """The same as two numbers."""

    games: int = 0
    points: float = 0.0


Cross: TypeAlias = Mapping[str, Mapping[str, Met]]


@dataclass(frozen=True, slots=True)
class TiebreakScores:
    """What the order is computed from."""

    points: Mapping[str, float]
    """Of every player, byes included."""
    won: Mapping[str, int]
    cross: Cross
    byes: Mapping[str, float]
    """What the byes of a player are worth in won games."""


@dataclass(frozen=True, slots=True)
class Placement:
    """A player's place; players whom nothing separates share one."""

    nick: str
    place: int
    values: Mapping[TieBreak, float | None]
    """By tie-break; None where it does not apply."""


def sonneborn_berger(scores: TiebreakScores, nick: str) -> float:
    """The points of every opponent beaten, once per game, and half the points of every opponent drawn with."""
    met = scores.cross.get(nick, {})
    return sum(pair.points * scores.points[other] for other, pair in met.items()) + _byes(scores, nick)


def buchholz(scores: TiebreakScores, nick: str) -> float:
    """The points of every opponent met, once per game."""
    met = scores.cross.get(nick, {})
    return sum(pair.games * scores.points[other] for other, pair in met.items()) + _byes(scores, nick)


def wins(scores: TiebreakScores, nick: str) -> float:
    """The number of games the player has won."""
    return scores.won[nick]


def _byes(scores: TiebreakScores, nick: str) -> float:
    return scores.byes.get(nick, 0) * scores.points[nick]


def head_to_head(scores: TiebreakScores, group: Sequence[str]) -> dict[str, float] | None:
    """The points that players who are equal so far made against each other.

    None unless they have all met, and equally often; otherwise the sums would show who played more.
    """
    # Seen at once: after the draw of a Swiss a thousand may be equal, who have met a few of each other.
    if any(len(scores.cross.get(one, ())) < len(group) - 1 for one in group):
        return None
    meetings = {_met(scores, one, other).games for one in group for other in group if one != other}
    if len(meetings) != 1 or 0 in meetings:
        return None
    return {one: sum(_met(scores, one, other).points for other in group if one != other) for one in group}


def _met(scores: TiebreakScores, one: str, other: str) -> Met:
    return scores.cross.get(one, {}).get(other, GamesBetween())


OF_ONE: dict[TieBreak, Callable[[TiebreakScores, str], float]] = {
    "sonneborn-berger": sonneborn_berger,
    "buchholz": buchholz,
    "wins": wins,
}
"""The tie-breaks that are a number per player, independent of the group it is tied with; head-to-head is not."""


def placements(scores: TiebreakScores, breaks: Sequence[TieBreak]) -> list[Placement]:
    """All players in ``scores.points``, best first: by points, then by each tie-break in turn, then (sharing the place)
    by nick.

    Head-to-head is computed among the players who are still equal when its turn comes; where it separates some of them,
    it is computed again within the remaining groups.
    """
    values: dict[str, dict[TieBreak, float | None]] = {nick: dict.fromkeys(breaks) for nick in scores.points}
    for name in breaks:
        if name in OF_ONE:
            for nick in values:
                values[nick][name] = OF_ONE[name](scores, nick)
    groups = [
        group
        for tied in _split(sorted(scores.points), scores.points)
        for group in _separated(scores, tied, list(breaks), values)
    ]
    result: list[Placement] = []
    for group in groups:
        place = len(result) + 1
        result += [Placement(nick, place, values[nick]) for nick in group]
    return result


def _separated(
    scores: TiebreakScores, tied: list[str], breaks: list[TieBreak], values: dict[str, dict[TieBreak, float | None]]
) -> list[list[str]]:
    """Separate equal players as far as these tie-breaks can. Adds the head-to-head results to ``values``."""
    if len(tied) == 1 or not breaks:
        return [tied]
    name, *later = breaks
    by: Mapping[str, float] | None
    if name in OF_ONE:
        by = {nick: values[nick][name] or 0.0 for nick in tied}
    else:
        by = head_to_head(scores, tied)
        for nick, value in (by or {}).items():
            # Shown is the first one, among all who were equal.
            if values[nick][name] is None:
                values[nick][name] = value
    if by is None:
        return _separated(scores, tied, later, values)
    parts = _split(tied, by)
    again = breaks if name not in OF_ONE and len(parts) > 1 else later
    return [group for part in parts for group in _separated(scores, part, again, values)]


def _split(nicks: Sequence[str], by: Mapping[str, float]) -> list[list[str]]:
    """Groups of equal players, the highest value first; the order within a group is kept."""
    # Sums that are equal may differ in their last bits.
    value = {nick: round(by[nick], DIGITS) for nick in nicks}
    best_first = sorted(nicks, key=lambda nick: -value[nick])
    return [list(group) for _, group in groupby(best_first, key=lambda nick: value[nick])]
