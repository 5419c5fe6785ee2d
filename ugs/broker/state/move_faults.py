"""How many moves of the players of a game were refused."""

from collections import Counter
from dataclasses import dataclass, field

from ugs.broker.state.extras import Key
from ugs.broker.state.model import Game


@dataclass(slots=True)
class MoveFaults:
    """With a game: refused moves, by nick."""

    of_game: Counter[str] = field(default_factory=Counter)
    """Those that the master has given a reason for."""
    of_turn: Counter[str] = field(default_factory=Counter)
    """Those since the player's last move that was not refused."""
    ruled_on: int = -1
    """How many moves the master had been given when it was left to the rules what follows from the last one."""
    mover: str = ""
    """Of a game of an earlier life of the server: whose move came last."""

    def refused(self, nick: str) -> int:
        """A move of this player is refused. Returns how many were in this turn."""
        self.of_turn[nick] += 1
        return self.of_turn[nick]

    def accepted(self, nick: str) -> None:
        """The last move of this player was not refused."""
        self.of_turn.pop(nick, None)


MOVE_FAULTS: Key[MoveFaults] = Key("move faults", MoveFaults)


def refused_of(game: Game, nick: str) -> int:
    """Return how many moves of a player were refused in a game."""
    faults = MOVE_FAULTS.find(game)
    return faults.of_game[nick] if faults is not None else 0


def accepted(game: Game) -> None:
    """The master has sent a state: it has taken the last move."""
    faults, mover = MOVE_FAULTS.find(game), game.turn.answering
    if faults is not None and mover is not None:
        faults.accepted(mover.name)
