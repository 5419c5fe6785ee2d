"""Peers by their names."""

from dataclasses import field

from ugs.broker.state.connection import Peer, Spectator
from ugs.broker.state.model import Master, Player
from ugs.broker.values.name_rules import unique_form, watched_nick
from ugs.value import state


@state(eq=True)
class Names:
    """Peers by their names; the nicks of spectators are a separate space. All keys are :func:`unique_form` of the
    name."""

    players: dict[str, Player] = field(default_factory=dict)
    """In the order of their logins; includes players whose line is cut."""
    masters: dict[str, Master] = field(default_factory=dict)
    spectators: dict[str, Spectator] = field(default_factory=dict)
    """Spectators with a nick."""

    def player(self, nick: str) -> Player | None:
        """Return the player of this nick, in any equivalent spelling."""
        return self.players.get(unique_form(nick))

    def master(self, name: str) -> Master | None:
        """Return the game master of this id, in any equivalent spelling."""
        return self.masters.get(unique_form(name))

    def shown(self, name: str) -> Peer | None:
        """The player or spectator that others see under this name."""
        watching = watched_nick(name)
        return self.player(name) or (self.spectators.get(watching) if watching is not None else None)

    def is_taken_id(self, name: str) -> bool:
        """Whether a game master has this id."""
        return unique_form(name) in self.masters
