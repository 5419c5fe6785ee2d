"""Who stands before whom: points, then the tie-breaks of the plan.

The methods are those in use at chess tournaments, told for games of any number of seats by way of the cross table:
two players of the same game have met, and the better outcome beats the other. Forfeited games count like played ones.
A bye is a won game against somebody who has as many points as the player itself.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from ugs.championship.plan import TieBreak
from ugs.standings.tally import Pair

Cross: TypeAlias = Mapping[str, Mapping[str, Pair]]


@dataclass(frozen=True, slots=True)
class Scores:
    """What places are made of."""

    points: Mapping[str, float]
    """Of every player, byes included."""
    won: Mapping[str, int]
    cross: Cross
    byes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Placement:
    """A player's place; players whom nothing separates share one."""

    nick: str
    place: int
    values: Mapping[TieBreak, float | None]
    """By tie-break; None where it does not apply."""


def sonneborn_berger(scores: Scores, nick: str) -> float:
    """The points of everybody beaten, once for each time, and half the points of everybody drawn with."""
    met = scores.cross.get(nick, {})
    return sum(pair.points * scores.points[other] for other, pair in met.items()) + _byes(scores, nick)


def buchholz(scores: Scores, nick: str) -> float:
    """The points of everybody met, once for each time."""
    met = scores.cross.get(nick, {})
    return sum(pair.games * scores.points[other] for other, pair in met.items()) + _byes(scores, nick)


def wins(scores: Scores, nick: str) -> float:
    """How many games the player has won."""
    return scores.won[nick]


def _byes(scores: Scores, nick: str) -> float:
    return scores.byes.get(nick, 0) * scores.points[nick]


def head_to_head(scores: Scores, group: Sequence[str]) -> dict[str, float] | None:
    """The points that players who are equal so far made against each other. None when they have not all met, and met
    equally often: then the sums would say who played more."""
    meetings = {_met(scores, one, other).games for one in group for other in group if one != other}
    if len(meetings) != 1 or 0 in meetings:
        return None
    return {one: sum(_met(scores, one, other).points for other in group if one != other) for one in group}


def _met(scores: Scores, one: str, other: str) -> Pair:
    return scores.cross.get(one, {}).get(other, Pair())


OF_ONE: dict[TieBreak, Callable[[Scores, str], float]] = {
    "sonneborn-berger": sonneborn_berger,
    "buchholz": buchholz,
    "wins": wins,
}
"""The tie-breaks that are a number of each player, whoever it is equal with. Head-to-head is the other kind."""


def placements(scores: Scores, breaks: Sequence[TieBreak]) -> list[Placement]:
    """Everybody in ``scores.points``, best first: by points, then by each tie-break in turn, then (sharing the place)
    by nick. Head-to-head is taken among those who are still equal when its turn comes; where it separates some of them
    it is taken again among the others."""
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
    scores: Scores, tied: list[str], breaks: list[TieBreak], values: dict[str, dict[TieBreak, float | None]]
) -> list[list[str]]:
    """Equals, parted as far as these tie-breaks can; ``values`` learns what head-to-head made of them."""
    if len(tied) == 1 or not breaks:
        return [tied]
    name, *later = breaks
    by: Mapping[str, float] | None
    if name in OF_ONE:
        by = {nick: values[nick][name] or 0.0 for nick in tied}
    else:
        by = head_to_head(scores, tied)
        for nick, value in (by or {}).items():
            if values[nick][name] is None:
                values[nick][name] = value
    if by is None:
        return _separated(scores, tied, later, values)
    parts = _split(tied, by)
    again = breaks if name not in OF_ONE and len(parts) > 1 else later
    return [group for part in parts for group in _separated(scores, part, again, values)]


def _split(nicks: Sequence[str], by: Mapping[str, float]) -> list[list[str]]:
    """Groups of equals, the most first; within a group the order stays."""
    # Halves and whole numbers are exact, sums of products of them too: comparing floats is safe here.
    best_first = sorted(nicks, key=lambda nick: -by[nick])
    return [list(group) for _, group in groupby(best_first, key=lambda nick: by[nick])]
