"""How long a game waits for seats that send refused requests, or ask for replays instead of playing."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

PATIENCE: Final = 10
"""Refused requests and replays between two accepted requests, after which the default is played."""
MAX_REFUSED: Final = 1000
"""Refused requests and replays of a seat in a game, after which none is waited for: each is followed by the default."""
MAX_TOLD_AGAIN: Final = 5
"""How often a seat may be told everything again, in the messages of all its replays together."""


@dataclass(slots=True)
class Patience:
    """What has been tried in a game besides playing."""

    refused: int = 0
    """Refused requests and replays since the last accepted request."""
    refused_by: Counter[int] = field(default_factory=Counter)
    """By seat, in the whole game."""
    told_again: Counter[int] = field(default_factory=Counter)
    """By seat: the messages of its replays."""

    def tried(self, seat: int) -> bool:
        """Count a refused request or a replay. Return whether the default is to be played now."""
        self.refused += 1
        self.refused_by[seat] += 1
        return self.refused >= PATIENCE or self.refused_by[seat] >= MAX_REFUSED

    def accepted(self) -> None:
        """Begin again after a request that was accepted."""
        self.refused = 0

    def may_tell(self, seat: int, messages: int, all_messages: int) -> str:
        """Return why a seat may not be told so many messages again, of all that there are; "" if it may."""
        told, most = self.told_again[seat] + messages, MAX_TOLD_AGAIN * all_messages
        return f"{told} messages told again would be more than {most}" if told > most else ""

    def copy(self) -> "Patience":
        """Return patience that is lost by itself."""
        return Patience(self.refused, Counter(self.refused_by), Counter(self.told_again))
