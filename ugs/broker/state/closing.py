"""The end of a game between its result and its announcement."""

from ugs.broker.effects import RecordEntry
from ugs.broker.state.game_state import Told
from ugs.broker.verdict import GameResult, Reason
from ugs.value import value


@value
class Closing:
    """The end of a game that is known to the server and not announced."""

    result: GameResult
    told: Told | None
    """What the players are going to be told; None when nobody is left, or the game is void."""
    entries: tuple[RecordEntry, ...]
    """What has been recorded and becomes public with the announcement."""
    reason: Reason | None = None
    """What the master said of the end."""
    void_text: str = ""
    """What players of a void game are told; empty for others."""
