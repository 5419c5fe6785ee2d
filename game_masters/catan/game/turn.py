"""What belongs to a turn or to a round: what has been done in it, trades, robberies, special building."""

from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from game_masters.catan.message.bundles import Bundle


@dataclass(slots=True)
class Doings:
    """What has been done in this turn."""

    rolled: bool = False
    card_played: bool = False
    ship_moved: bool = False
    ships: frozenset[int] = frozenset()
    """Those placed in this turn."""
    bank_trade: tuple[Bundle, Bundle] | None = None
    """Given and got; None if that was not the last thing."""
    offers: int = 0
    taken_back: int = 0
    free_road_placed: bool = False
    by_card: bool = False
    """The robber moves for a card."""

    def copy(self) -> "Doings":
        """Return an independent copy."""
        return Doings(
            self.rolled, self.card_played, self.ship_moved, self.ships, self.bank_trade, self.offers, self.taken_back,
            self.free_road_placed, self.by_card,
        )  # fmt: skip


@dataclass(slots=True)
class Rounds:
    """Rounds, from the turn of the seat that began to its next one."""

    first: int = 0
    """The seat that began."""
    number: int = 0
    turns: int = 0
    idle: int = 0
    """Rounds in a row without anything that cannot be undone."""
    progress: int | None = None
    """How much had happened when the round began."""

    def begin(self, progress: int) -> None:
        """Begin a round. ``progress`` is how much has happened by now that cannot be undone."""
        self.number += 1
        # The same number as a round ago: nothing has happened that cannot be undone.
        self.idle = self.idle + 1 if progress == self.progress else 0
        self.progress = progress


class Placement(NamedTuple):
    """What the last settlement of the start has changed, for the case that it is taken back."""

    gains: tuple[int, ...] = (0, 0, 0, 0, 0)
    areas_before: frozenset[int] = frozenset()


NOTHING_PLACED: Final = Placement()


class Robbery(NamedTuple):
    """What the robbery that goes on is about."""

    at_sea: bool = False
    """Whether it was the pirate that moved last."""
    victim: int = -1
    """Whom cloth or a resource is to be taken from."""


NO_ROBBERY: Final = Robbery()


class Offer(NamedTuple):
    """What a player gives and wants, and the seats that may still answer."""

    to: frozenset[int]
    flags: tuple[bool, ...]
    give: Bundle
    get: Bundle


@dataclass(slots=True)
class Trading:
    """Offers among players."""

    offers: dict[int, Offer] = field(default_factory=dict)
    polled: list[int] = field(default_factory=list)
    """Seats that are to answer the offer of the current player."""

    def copy(self) -> "Trading":
        """Return an independent copy."""
        return Trading(self.offers.copy(), self.polled[:])


@dataclass(slots=True)
class SpecialBuilding:
    """Turns between turns, on the board for six, where seats only build."""

    now: bool = False
    """Whether this is such a turn."""
    next_normal: int = 0
    """Who has the next normal turn, when special building is over."""
    interrupted: bool = False
    """Whether special building has interrupted that turn."""
    polled: list[int] = field(default_factory=list)
    """Seats that are asked whether they want special building, before the turn ends."""

    def copy(self) -> "SpecialBuilding":
        """Return an independent copy."""
        return replace(self, polled=self.polled[:])
