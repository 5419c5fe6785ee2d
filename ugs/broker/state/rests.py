"""Players who rest: they are not seated in open play for a while, after faults in a row, or after a game that ended
without a thank you, so that they read that it has ended before the next one begins."""

from collections.abc import Collection
from typing import Final

from ugs.broker.state.extras import Key
from ugs.broker.state.model import GameType, Player
from ugs.broker.state.server_state import ROUNDING, ServerState
from ugs.value import state
from ugs.wire.extensions import Ping, Pong, ShowClock


@state(eq=True)
class Rest:
    """The faults of one player since it last played a game without one."""

    faults: int = 0
    since: float = 0.0
    until: float = 0.0
    """It rests between these two times, unless it has sent something since that is no question."""

    def fault(self) -> None:
        """It has made one more."""
        self.faults += 1

    def begins(self, now: float, seconds: float) -> None:
        """It rests from now on, at least as long as it would have anyway."""
        self.since, self.until = now, max(self.until, now + seconds)

    def goes_on(self, now: float) -> None:
        """What it sends now does not end its rest."""
        self.since = now

    def ends_well(self) -> None:
        """It has played a game without a fault."""
        self.faults = 0


QUESTIONS: Final = frozenset({Ping, Pong, ShowClock})
"""What programs send by themselves, beside requests for lists: it does not show whether they play."""
LOOK_AGAIN_S: Final = 1.0
"""At most these seconds pass until it is looked again whether a player who rests has sent something."""


@state(eq=False)
class Resting:
    """Those of one game type."""

    players: dict[Player, None]
    """Who rests, and some who did."""
    look_at: float
    """Who rests is looked up again at this time."""


REST: Final[Key[Rest]] = Key("rest", Rest)
"""With a player."""
RESTING: Final[Key[dict[str, Resting]]] = Key("resting", dict)
"""With the server: by game type."""


def begin(server: ServerState, player: Player, seconds: float) -> None:
    """A player rests for so long, unless it sends something before that is no question."""
    rest = REST.of(player)
    rest.begins(server.now, seconds)
    look_at = min(rest.until, server.now + LOOK_AGAIN_S)
    known = RESTING.of(server).setdefault(player.type.name, Resting({}, look_at))
    known.players[player] = None
    known.look_at = min(known.look_at, look_at)


def shorten(server: ServerState, player: Player, seconds: float) -> None:
    """What a player sends now does not end its rest yet: it rests for so long, at most."""
    rest = REST.find(player)
    if rest is not None and rest.until > server.now + seconds:
        rest.since, rest.until = server.now, server.now + seconds


def asks(server: ServerState, player: Player) -> None:
    """A player sends a question, as programs do by themselves: a rest that is not over goes on."""
    if left_s(server, player):
        REST.of(player).goes_on(server.now)


def left_s(server: ServerState, player: Player) -> float:
    """Return how many more seconds a player rests; 0 if it does not. A thank you, which makes it idle, is no activity
    of its own."""
    rest = REST.find(player)
    if rest is None or player.connection.active_at > max(rest.since, player.idle_since):
        return 0.0
    left = rest.until - server.now
    return left if left > ROUNDING else 0.0


def resting(server: ServerState, game_type: GameType) -> Collection[Player]:
    """The players of this type who rest, and perhaps some who have sent something since it was looked last."""
    known = RESTING.of(server).get(game_type.name)
    if known is None:
        return ()
    # Not at every question: after the loss of a master a thousand players may rest, and as many questions come.
    if known.look_at <= server.now + ROUNDING:
        left = {player: left_s(server, player) for player in known.players if player.conn in player.type.players}
        known.players = {player: None for player, seconds in left.items() if seconds}
        if not known.players:
            del RESTING.of(server)[game_type.name]
            return ()
        known.look_at = server.now + min(LOOK_AGAIN_S, *[seconds for seconds in left.values() if seconds])
    return known.players.keys()


def next_look_s(server: ServerState, game_type: GameType) -> float:
    """Return in how many seconds it should be asked again who of this type rests; one at least does."""
    return max(0.0, RESTING.of(server)[game_type.name].look_at - server.now)
