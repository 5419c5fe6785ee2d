"""What players may do. Ids are those of the protocol: players from 1, cards at random; 0 means none."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Draw:
    """The normal draw."""


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card, alone, on a player, or on a card on a table."""

    card: int
    player: int = 0
    target: int = 0
    """The id of a card."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Give no answer."""


@dataclass(frozen=True, slots=True)
class Ability:
    """Use the ability of the own character, alone, on a player, or with cards."""

    player: int = 0
    cards: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard a surplus card."""

    card: int


@dataclass(frozen=True, slots=True)
class EndTurn:
    """End the own turn."""


@dataclass(frozen=True, slots=True)
class Chat:
    """Send a text to all in the game."""

    text: str


@dataclass(frozen=True, slots=True)
class CreateGame:
    """In the lobby: name the game, ask for computer players, choose the order of the seats."""

    name: str = ""
    computers: int = 0
    shuffle: bool | None = None
    """None: as it is."""


@dataclass(frozen=True, slots=True)
class JoinGame:
    """Take the own seat back from the program, or ask for a snapshot."""

    player: int = 0


@dataclass(frozen=True, slots=True)
class StartGame:
    """In the lobby: begin to play."""


@dataclass(frozen=True, slots=True)
class LeaveGame:
    """Leave the seat to the program."""


Move: TypeAlias = (
    Draw | Play | Pass | Ability | Discard | EndTurn | Chat | CreateGame | JoinGame | StartGame | LeaveGame
)

ACTION_NAMES = {
    Draw: "draw-card", Play: "play-card", Pass: "pass", Ability: "use-ability", Discard: "discard",
    EndTurn: "end-turn", Chat: "chat-message", CreateGame: "create-game", JoinGame: "join-game",
    StartGame: "start-game", LeaveGame: "leave-game",
}  # fmt: skip
"""What the protocol calls each action."""
