"""The rounds of a Swiss, with the games of each by the points that their players had before."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from ugs.championship.point_sums import added
from ugs.championship.tables.scheduled_games import ScheduledGame


@dataclass(frozen=True, slots=True)
class Paired:
    """One game, with the points that its players had before the round, by seat."""

    game: ScheduledGame
    points: list[float]


@dataclass(frozen=True, slots=True)
class ScoreGroup:
    """Games whose best player had the same points."""

    points: float
    games: list[Paired]


@dataclass(frozen=True, slots=True)
class SwissRoundShown:
    """One round."""

    number: int
    groups: list[ScoreGroup]
    """The highest points first."""
    byes: list[str]
    """Who sat out."""


def score_groups(
    games: Sequence[ScheduledGame],
    worth: Mapping[int, Mapping[str, float]],
    byes: Iterable[tuple[int, str]],
    bye_points: float,
) -> list[SwissRoundShown]:
    """Return the rounds in order. ``worth``: by fixture that counts, what it was worth to each player; ``byes``: round
    and nick of each player who sat out, worth ``bye_points``."""
    before: defaultdict[str, float] = defaultdict(float)
    sat_out: defaultdict[int, list[str]] = defaultdict(list)
    for number, nick in byes:
        sat_out[number].append(nick)
    shown = []
    for number in sorted({game.round for game in games} | {*sat_out}):
        of_round = [game for game in games if game.round == number]
        paired = [Paired(game, [before[nick] for nick in game.nicks]) for game in of_round]
        paired.sort(key=lambda one: sorted(one.points), reverse=True)
        # Stable: within a group the games stay ordered by the points of all their players.
        paired.sort(key=lambda one: -max(one.points, default=0.0))
        alike = groupby(paired, key=lambda one: max(one.points, default=0.0))
        shown.append(SwissRoundShown(number, [ScoreGroup(key, [*group]) for key, group in alike], sat_out[number]))
        # Only now: a round is shown with the points that its players had before it.
        for nick in sat_out[number]:
            before[nick] = added(before[nick], bye_points)
        for game in of_round:
            for nick, got in worth.get(game.fixture, {}).items():
                before[nick] = added(before[nick], got)
    return shown
