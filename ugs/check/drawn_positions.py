"""What a master on trial draws: judged as a server does, and read for the moves that are offered in it."""

from collections.abc import Sequence
from typing import Final

from ugs.sketch.decoding import read, unfit
from ugs.wire.extensions import Labels, Sketch

MAX_REFUSED: Final = 3
"""Refusals that are kept: a master draws each position with the same mistake."""


class Drawings:
    """The sketches of one game."""

    def __init__(self, nicks: Sequence[str]) -> None:
        self.refused: list[str] = []
        """Why a server would refuse the first of them that it would."""
        self.count = 0
        self._players = frozenset(nicks)
        self._known = set(nicks)
        self._coming: dict[str, bytes] = {}
        self._shown: dict[str, bytes] = {}
        """Those of the last state, by viewer."""

    def takes(self, message: Sketch | Labels) -> None:
        """The master has drawn the next state for someone, or reported who plays beside the players."""
        if isinstance(message, Labels):
            self._known.update(one.nick for one in message.seats)
            return
        self.count += 1
        wrong = self._misplaced(message.nick) or unfit(message.sketch, self._known)
        if not wrong:
            self._coming[message.nick] = message.sketch
        elif len(self.refused) < MAX_REFUSED:
            self.refused.append(wrong)

    def _misplaced(self, viewer: str) -> str:
        if viewer and viewer not in self._players:
            return f"viewer nick {viewer!r}: not a player in this game"
        if viewer in self._coming:
            return f"{f'viewer nick {viewer!r}' if viewer else 'for all viewers'}: a second sketch since the last state"
        return ""

    def shows_state(self) -> None:
        """The state has come that they are of."""
        self._shown, self._coming = self._coming, {}

    def is_drawn_for(self, viewer: str) -> bool:
        """Whether the state is drawn for this player, or for all."""
        return bool(self._shown.get(viewer) or self._shown.get(""))

    def offered(self, mover: str) -> list[bytes]:
        """The moves that this player, who is asked, may click; each once."""
        drawn = self._shown.get(mover) or self._shown.get("")
        if drawn is None:
            return []
        return list(dict.fromkeys(one.move for one in read(drawn).offers if one.nick in ("", mover)))
