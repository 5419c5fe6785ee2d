"""Names: which are allowed, which count as the same, and who has them."""

import unicodedata
from dataclasses import dataclass, field

from ugs.broker.state.connection import Spectator
from ugs.broker.state.model import Master, Player

LONGEST_NAME = 64
"""Characters of a nick, a master's id or a game type."""


@dataclass(slots=True)
class Names:
    """Who is known by which name. All keys are :func:`unique_form` of the name."""

    players: dict[str, Player] = field(default_factory=dict)
    """In the order of their logins; includes players whose line is cut."""
    masters: dict[str, Master] = field(default_factory=dict)
    spectators: dict[str, Spectator] = field(default_factory=dict)
    """Spectators with a nick."""

    def player(self, nick: str) -> Player | None:
        """The player of this nick, in any spelling that counts as the same."""
        return self.players.get(unique_form(nick))

    def master(self, name: str) -> Master | None:
        """The game master of this id, in any spelling that counts as the same."""
        return self.masters.get(unique_form(name))

    def is_taken(self, nick: str) -> bool:
        """Whether a player or a spectator has this nick."""
        form = unique_form(nick)
        return form in self.players or form in self.spectators

    def is_taken_id(self, name: str) -> bool:
        """Whether a game master has this id."""
        return unique_form(name) in self.masters


def unique_form(name: str) -> str:
    """The form in which two names that look alike are equal: composed (NFC), without difference of case."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def wrong_name(name: str | None) -> str | None:
    """What is wrong with a nick, a master's id or a game type; None when nothing is."""
    if name is None:
        return "is missing"
    if len(name) > LONGEST_NAME:
        return f"is longer than {LONGEST_NAME} characters"
    if not name.strip():
        return "is empty"
    if any(unicodedata.category(character) == "Cc" for character in name):
        return "holds control characters"
    return None
