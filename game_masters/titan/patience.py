"""How long a game waits for seats that send refused requests, or ask for replays instead of playing."""

from dataclasses import dataclass, field
from typing import Final

PATIENCE: Final = 10
"""The default is played after this number of refused requests and replays without an accepted one."""
MAX_REFUSED: Final = 1000
"""After this number of refused requests and replays of a seat in a game, each further one is followed by the
default."""
MAX_SENT_AGAIN: Final = 5
"""How often a seat may receive everything again, in the messages of all its replays together."""


@dataclass(slots=True)
class Patience:
    """What has been tried in a game besides playing."""

    refused: int = 0
    """Refused requests and replays since the last accepted request."""
    refused_by: dict[int, int] = field(default_factory=dict)
    """By seat, in the whole game."""
    sent_again: dict[int, int] = field(default_factory=dict)
    """By seat: the messages of its replays."""

    def tried(self, seat: int) -> bool:
        """Count a refused request or a replay. Return whether the default is to be played now."""
        self.refused += 1
        self.refused_by[seat] = self.refused_by.get(seat, 0) + 1
        # The second bound is for a player who is patient: each refusal costs all readers a state.
        return self.refused >= PATIENCE or self.refused_by[seat] >= MAX_REFUSED

    def accepted(self) -> None:
        """Begin again after a request that was accepted."""
        self.refused = 0

    def replays(self, seat: int, messages: int, all_messages: int) -> str:
        """Count a replay of ``messages`` of all the messages. Return why it is refused; "" if it is not."""
        total, most = self.sent_again.get(seat, 0) + messages, MAX_SENT_AGAIN * all_messages
        if total > most:
            return f"{total} messages sent again would be more than {most}"
        self.sent_again[seat] = total
        return ""

    def copy(self) -> "Patience":
        """Return an independent copy."""
        return Patience(self.refused, self.refused_by.copy(), self.sent_again.copy())
