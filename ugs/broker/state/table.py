"""Tables in a lobby.

Game types and players are parameters: players refer to their table (``model.py``), and tables to their players.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from ugs.broker.state.allowance import texts
from ugs.broker.state.extras import Extras
from ugs.wire.extensions import Visibility


class Sitter(Protocol):
    """Who may sit at a table."""

    @property
    def name(self) -> str:
        """Its nick."""
        ...

    def sits_down_at(self, table: Any, /) -> None:
        """It has a place there."""
        ...

    def gets_up(self) -> None:
        """It has none any more."""
        ...


GameTypeT = TypeVar("GameTypeT")
PlayerT = TypeVar("PlayerT", bound=Sitter)


@dataclass(slots=True, eq=False)
class TableOf(Generic[GameTypeT, PlayerT]):
    """A place where people sit, from when a player sets it up to the end of its game."""

    id: str
    """That of its game, once there is one."""
    name: str
    type: GameTypeT
    owner: PlayerT
    """The player who has set it up."""
    seats: int
    """All of them, with those of ``computers``."""
    computers: int
    visibility: Visibility
    options: Mapping[str, str]
    """What was chosen."""
    invited: Mapping[str, str]
    """The nicks that its owner has invited: by unique form, as the owner wrote them."""
    members: list[PlayerT]
    """The players who sit there, in the order of sitting down; empty once the game has begun."""
    active_at: float = 0.0
    """When a player last sat down or got up."""
    playing: bool = False
    """Whether the game has begun."""
    awaits_master: bool = False
    """Whether it begins as soon as there is a master for it."""
    rows: float = field(init=False)
    """Its cost in a list, without the invited players: itself and its options."""
    extras: Extras = field(default_factory=dict)

    def __post_init__(self) -> None:
        options = self.options.items()
        self.rows = 1 + len(options) + texts(sum([len(name) + len(value) for name, value in options]))

    def sits_down(self, player: PlayerT, now: float) -> None:
        """A player takes a seat."""
        self.members.append(player)
        self.active_at = now
        player.sits_down_at(self)

    def gets_up(self, player: PlayerT, now: float) -> None:
        """A player gives its seat up."""
        self.members.remove(player)
        self.active_at, self.awaits_master = now, False
        player.gets_up()

    def is_left_by_all(self) -> list[PlayerT]:
        """All give up their seats. Returns them."""
        members, self.members = self.members, []
        for member in members:
            member.gets_up()
        return members

    def brings(self, guests: Sequence[PlayerT]) -> None:
        """Invited players are there as the game begins."""
        self.members += guests

    def sends_away(self, guests: int) -> None:
        """The game does not begin: the guests that came last are not there after all."""
        del self.members[len(self.members) - guests :]

    def has_no_more_seats(self) -> None:
        """The game is played by those who sit here."""
        self.seats = len(self.members)

    def is_full(self, *, awaits_master: bool) -> None:
        """No seat is free; whether the game begins as soon as there is a master for it."""
        self.awaits_master = awaits_master

    def begins(self) -> list[PlayerT]:
        """The game begins. Returns its players, in the order of their seats."""
        members, self.members = self.members, []
        self.playing, self.awaits_master = True, False
        return members

    @property
    def free(self) -> int:
        """Seats that are not taken yet."""
        return self.seats - self.computers - len(self.members)

    @property
    def facts(self) -> dict[str, str]:
        """What is recorded of it with its game."""
        return {"name": self.name, "owner": self.owner.name, "visibility": self.visibility.value}
