"""Who has won, by a ``gameOver``."""

from collections.abc import Sequence

from ugs.wire.messages import PlayerResult, Result


def winners_of(results: Sequence[PlayerResult], players: int) -> tuple[str, ...]:
    """Return the nicks that have won; none where the game was drawn.

    ``players`` took part in it. All of them winners is how the protocol writes a draw; one who has left need not be
    listed, so where fewer are listed, those have won.
    """
    won = tuple([one.nick for one in results if one.result is Result.WINNER])
    return () if len(won) == len(results) >= max(2, players) else won
