"""Players whose line is cut and who may come back: how many there are, and since when."""

from collections.abc import Collection
from dataclasses import field

from ugs.broker.state.model import Player
from ugs.value import state


@state(eq=True)
class AbsentPlayers:
    """All of them, the longest absent first. They are no connections, and do not count as such."""

    until: dict[Player, float] = field(default_factory=dict)
    """Each with the time until it may come back."""
    of_origin: dict[str, dict[Player, None]] = field(default_factory=dict)
    """By the origin of the connection that was lost; without those whose origin is not known."""

    def __len__(self) -> int:
        return len(self.until)

    def __contains__(self, player: Player) -> bool:
        return player in self.until

    def goes(self, player: Player, until: float) -> None:
        """A player is absent from now on, at most ``until``."""
        self.until[player] = until
        if origin := player.connection.origin:
            self.of_origin.setdefault(origin, {})[player] = None

    def is_back(self, player: Player) -> None:
        """A player is back on another connection, which is not known yet, or gone for good; does nothing for a player
        who was not absent."""
        if self.until.pop(player, None) is None:
            return
        origin = player.connection.origin
        if origin:
            del self.of_origin[origin][player]
            # Addresses come and go: what is empty must not pile up.
            if not self.of_origin[origin]:
                del self.of_origin[origin]

    def from_origin(self, origin: str) -> Collection[Player]:
        """Return the players whose lost connection came from ``origin``, longest absent first; none if it is
        unknown."""
        return self.of_origin.get(origin, {})
