"""Computer players for Go: ``greedy`` takes and saves stones and keeps its eyes; ``random`` plays anywhere else."""

import random
from typing import Final

from game_masters.go.rules import EMPTY, PASS, GoBoard, GoMove, View, name_of, neighbours, point_of
from game_masters.kit.rules import Bot

MAX_TRIED: Final = 40
"""Points that ``greedy`` compares for a move."""


def choose_random(view: View, rng: random.Random) -> GoMove:
    """Return any move that fills no eye of its own; the pass where none is left."""
    board, own = GoBoard.with_stones(view.size, view.stones), view.turn
    points = [point for point in _free(view) if not _is_eye(board, point, own)]
    return GoMove(name_of(rng.choice(points), view.size)) if points else PASS


def choose_greedily(view: View, rng: random.Random) -> GoMove:
    """Return the move that takes or saves most stones and stands well; the pass when the other side has passed and the
    count wins, or when nothing is left but eyes."""
    board, own = GoBoard.with_stones(view.size, view.stones), view.turn
    if view.moves[-1:] == (PASS.vertex,):
        black, white = board.score()
        margin = 2 * (black - white) - view.komi2
        if (margin if own == 0 else -margin) > 0:
            return PASS
    points = [point for point in _free(view) if not _is_eye(board, point, own)]
    if not points:
        return PASS
    tried = rng.sample(points, min(MAX_TRIED, len(points)))
    return GoMove(name_of(max(tried, key=lambda point: _worth(board, point, own) + rng.random()), view.size))


BOTS: Final = (
    Bot("greedy", "takes and saves stones, and builds towards the middle", choose_greedily),
    Bot("random", "plays anywhere but into its own eyes", choose_random),
)


def _free(view: View) -> list[int]:
    return [point_of(vertex, view.size) for vertex in view.legal if vertex != PASS.vertex]


def _is_eye(board: GoBoard, point: int, own: int) -> bool:
    """Whether only own stones that hang together lie around a point."""
    around = neighbours(board.size)[point]
    if any(board.stones[beside] != own for beside in around):
        return False
    # Between groups of which one has no other liberty, the point may have to be filled to save it.
    return set(around) <= board.group(around[0]) or all(len(_liberties(board, beside)) > 1 for beside in around)


def _liberties(board: GoBoard, point: int) -> set[int]:
    around = neighbours(board.size)
    return {free for stone in board.group(point) for free in around[stone] if board.stones[free] == EMPTY}


def _worth(board: GoBoard, point: int, own: int) -> float:
    worth = 0.0
    row, column = divmod(point, board.size)
    edge = min(row, column, board.size - 1 - row, board.size - 1 - column)
    worth += (-4.0, 0.0, 1.5, 2.0)[min(edge, 3)]
    own_liberties = set[int]()
    for beside in neighbours(board.size)[point]:
        owner = board.stones[beside]
        if owner == EMPTY:
            own_liberties.add(beside)
            continue
        liberties = _liberties(board, beside)
        if owner == own:
            own_liberties |= liberties - {point}
            worth += 6 * len(board.group(beside)) if len(liberties) == 1 else 0.5
        elif liberties == {point}:
            worth += 10 * len(board.group(beside))
            own_liberties.add(beside)
        else:
            worth += 3 if len(liberties) == 2 else 1
    # Stones with one liberty would be taken at once.
    return worth - 30 if len(own_liberties) < 2 else worth
