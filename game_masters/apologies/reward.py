"""The computer player: it looks one play ahead and takes the play with the best resulting position.

The cards do not count. The reward is never below 0, so for a player who is far behind all plays are equally good, and
it makes the first one.
"""

from collections.abc import Sequence

from game_masters.apologies.board import ALL_HOME, COLOURS, HOME, PAWNS, PLACES, SAFE, START, Pawns, distance
from game_masters.apologies.plays import Change, after

SAFE_BONUS = 10
WINNER_BONUS = 100

_WORTH = tuple(
    tuple(HOME - distance(seat, place) + (SAFE_BONUS if SAFE <= place < START else 0) for place in PLACES)
    for seat in range(len(COLOURS))
)
"""``_WORTH[seat][place]``: the score of a pawn there."""


def score(pawns: Pawns, seat: int) -> int:
    """Return how far a player has come: 0 with all pawns in start, 400 with all at home."""
    own = pawns[seat * PAWNS : (seat + 1) * PAWNS]
    worth = _WORTH[seat]
    return sum([worth[place] for place in own]) + (WINNER_BONUS if own == ALL_HOME else 0)


def reward(pawns: Pawns, seat: int) -> int:
    """Return how far a player is ahead of the others, 0 to 400 for each of them; 0 for a player who is behind."""
    seats = len(pawns) // PAWNS
    scores = [score(pawns, other) for other in range(seats)]
    return max(0, seats * scores[seat] - sum(scores))


def best(pawns: Pawns, seat: int, plays: Sequence[Change]) -> int:
    """Return the play with the highest reward; the first one of equals."""
    rewards = [reward(after(pawns, play), seat) for play in plays]
    return rewards.index(max(rewards))
