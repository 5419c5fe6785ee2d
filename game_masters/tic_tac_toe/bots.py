"""Computer players for five in line.

``threats`` looks one stone ahead at windows: a window is any straight line of as many fields as a row needs. A window
with stones of one side only can still become a row for that side. With all fields but one filled it is a *four* (in the
words of the standard game), with two missing a *three*. A field that would give a side two winning fields at once
decides the game unless it is answered: an open three has such fields, and so has every crossing of threes.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from game_masters.kit.rules import Bot
from game_masters.tic_tac_toe.rules import DIRECTIONS, Cell, View

Field: TypeAlias = int
"""A field as one number, column by column: x * height + y."""
Window: TypeAlias = tuple[Field, ...]

EMPTY, OWN, OTHER = 0, 1, 16
"""What a field adds to the sum over a window. A row is never longer than ten, so the sum shows both counts."""


def choose_random(view: View, rng: random.Random) -> Cell:
    """Return any free field."""
    taken = set(view.stones)
    # Few stones: a field that is drawn is mostly free, and no list of the free ones is needed.
    if 2 * len(taken) < view.width * view.height:
        while (cell := Cell(rng.randrange(view.width), rng.randrange(view.height))) in taken:
            pass
        return cell
    free = (Cell(x, y) for x in range(view.width) for y in range(view.height))
    return rng.choice([cell for cell in free if cell not in taken])


def choose_by_threats(view: View, rng: random.Random) -> Cell:
    """Return the best field by this order: win, prevent a loss, make two fours at once, prevent those, build.

    Among equals the choice is random.
    """
    survey = _survey(view)
    own, other = survey.own, survey.other
    candidates: Iterable[Field]
    if own.wins:
        candidates = own.wins
    elif other.wins:
        candidates = other.wins
    elif own.forks():
        candidates = own.forks()
    elif other.forks():
        candidates = _answers(other)
    else:
        candidates = survey.worth
    best = _best(candidates, survey.worth)
    # On a board without a window that is open to a side, no field is worth more; any free one will do.
    return Cell(*divmod(rng.choice(best), view.height)) if best else choose_random(view, rng)


BOTS = (
    Bot("threats", "sees and blocks fours and open threes, and builds its own", choose_by_threats),
    Bot("random", "puts its stones anywhere", choose_random),
)


@dataclass(slots=True)
class _Chances:
    """What one side can do next."""

    wins: set[Field] = field(default_factory=set)
    """Fields that complete a row."""
    threes: list[tuple[Field, Field]] = field(default_factory=list)
    """The two free fields of each three: a stone on one makes the other a winning field."""

    def forks(self, blocked: Field | None = None) -> Mapping[Field, set[Field]]:
        """Return the fields that give two or more winning fields at once, with those; ``blocked`` counts as taken."""
        winning: defaultdict[Field, set[Field]] = defaultdict(set)
        for one, two in self.threes:
            if blocked not in (one, two):
                winning[one].add(two)
                winning[two].add(one)
        return {fork: gains for fork, gains in winning.items() if len(gains) > 1}


@dataclass(slots=True)
class _Survey:
    """The counts of all windows of a position. "own" is the side to move."""

    own: _Chances
    other: _Chances
    worth: Mapping[Field, int]
    """Free fields that lie in a window open to at least one side. More windows and fuller windows make a field worth
    more."""


def _survey(view: View) -> _Survey:
    board = [EMPTY] * (view.width * view.height)
    for stones, mark in ((view.to_move, OWN), (view.waiting, OTHER)):
        for cell in stones:
            board[cell.x * view.height + cell.y] = mark
    own, other = _Chances(), _Chances()
    worth: defaultdict[Field, int] = defaultdict(int)
    four, three = view.row - 1, view.row - 2
    content = board.__getitem__
    for window in _windows(view.width, view.height, view.row):
        count = sum(map(content, window))
        # One more stone in a window is worth more than any number of windows with one less that meet in a field.
        if count < OTHER:
            side, stones_in, value = own, count, 2 * 6**count
        elif count % OTHER == 0:
            side, stones_in = other, count // OTHER
            value = 6**stones_in
        else:
            continue
        free = [place for place in window if board[place] == EMPTY]
        for place in free:
            worth[place] += value
        if stones_in == four:
            side.wins.update(free)
        elif stones_in == three:
            side.threes.append((free[0], free[1]))
    return _Survey(own, other, worth)


def _answers(other: _Chances) -> Sequence[Field]:
    """Return the fields, on or beside the other side's forks, that leave it the fewest forks."""
    forks = other.forks()
    places = sorted(set(forks).union(*forks.values()))
    left = {place: len(other.forks(blocked=place)) for place in places}
    fewest = min(left.values())
    return [place for place in places if left[place] == fewest]


def _best(candidates: Iterable[Field], worth: Mapping[Field, int]) -> list[Field]:
    """Return the candidates of the highest worth, in the order of the board."""
    ordered = sorted(candidates)
    highest = max((worth[place] for place in ordered), default=0)
    return [place for place in ordered if worth[place] == highest]


@lru_cache(maxsize=4)
def _windows(width: int, height: int, row: int) -> tuple[Window, ...]:
    """Return all windows of a board. They only depend on its size, and a bot asks before every move, so they are
    cached."""
    return tuple(
        tuple((x + step * dx) * height + (y + step * dy) for step in range(row))
        for dx, dy in DIRECTIONS
        for x in range(width)
        for y in range(height)
        if x + (row - 1) * dx < width and 0 <= y + (row - 1) * dy < height
    )
