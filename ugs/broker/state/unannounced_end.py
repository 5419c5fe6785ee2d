"""The end of a game between its result and its announcement."""

from ugs.broker.effects import RecordEntry
from ugs.broker.state.game_state import MasterState
from ugs.broker.verdict import Cause, GameResult, Reason
from ugs.value import value


@value
class Closing:
    """The end of a game that is known to the server and not announced."""

    result: GameResult
    last_state: MasterState | None
    """The result for the players; None if no player is left, or the game is void."""
    entries: tuple[RecordEntry, ...]
    """What has been recorded and becomes public with the announcement."""
    reason: Reason | None = None
    """The master's reason for the end."""
    void_text: str = ""
    """The text for the players of a void game; empty for others."""
    master_closed: Cause | None = None
    """Why the server has closed the connection of the master, where the game ended by that."""
