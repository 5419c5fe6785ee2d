"""Players who rest: they are not seated in open play for a while, after faults in a row, or after a game that ended
without a thank you, so that they read that it has ended before the next one begins."""

from typing import Final

from ugs.broker.state.extras import Key
from ugs.broker.state.model import GameType, Player
from ugs.broker.state.server_state import ServerState
from ugs.value import state


@state(eq=True)
class Rest:
    """The faults of one player since it last played a game without one."""

    faults: int = 0
    since: float = 0.0
    until: float = 0.0
    """It rests between these two times, unless it has sent something since."""

    def fault(self) -> None:
        """It has made one more."""
        self.faults += 1

    def begins(self, now: float, seconds: float) -> None:
        """It rests from now on, at least as long as it would have anyway."""
        self.since, self.until = now, max(self.until, now + seconds)

    def ends_well(self) -> None:
        """It has played a game without a fault."""
        self.faults = 0


REST: Final[Key[Rest]] = Key("rest", Rest)
"""With a player."""
RESTING: Final[Key[dict[Player, None]]] = Key("resting", dict)
"""With the server: players who rest, and some who did."""


def begin(server: ServerState, player: Player, seconds: float) -> None:
    """A player rests for so long, unless it sends something before."""
    REST.of(player).begins(server.now, seconds)
    RESTING.of(server)[player] = None


def left_s(server: ServerState, player: Player) -> float:
    """Return how many more seconds a player rests; 0 if it does not. A thank you, which makes it idle, is no activity
    of its own."""
    rest = REST.find(player)
    if rest is None or player.connection.active_at > max(rest.since, player.idle_since):
        return 0.0
    return max(0.0, rest.until - server.now)


def resting(server: ServerState, game_type: GameType) -> dict[Player, float]:
    """The players of this type who rest, each with the seconds left."""
    known = RESTING.of(server)
    # Cleaned when it is asked for: a rest ends by time or by any message, without a timer.
    for player in [one for one in known if one.conn not in one.type.players or not left_s(server, one)]:
        del known[player]
    return {player: left_s(server, player) for player in known if player.type is game_type}
