"""What a seat may do now, in short. It travels in each state, so that players need no rules of their own."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from game_masters.catan.message.bundles import Bundle

Place = int
"""A coordinate."""


class Places(NamedTuple):
    """Where pieces may be placed now, by the numbers of the pieces."""

    roads: tuple[Place, ...] = ()
    settlements: tuple[Place, ...] = ()
    cities: tuple[Place, ...] = ()
    ships: tuple[Place, ...] = ()


NO_PLACES: Final = Places()


@dataclass(frozen=True, slots=True)
class Trades:
    """Which trades a seat may make, offer and answer."""

    bank: bool = False
    ports: tuple[int, ...] = ()
    undo: tuple[Bundle, Bundle] | None = None
    """The trade with the bank that takes the last one back: give and get."""
    offer: tuple[int, ...] = ()
    """The seats that may get an offer."""
    accept: tuple[int, ...] = ()
    reject: bool = False
    clear: bool = False


NO_TRADES: Final = Trades()


@dataclass(frozen=True, slots=True)
class May:
    """What one seat may do."""

    seat: int
    roll: bool = False
    end: bool = False
    buy: bool = False
    plays: tuple[int, ...] = ()
    """Cards."""
    places: Places = NO_PLACES
    """Where it may place what it has paid for, or pays for with that."""
    requests: tuple[int, ...] = ()
    """Pieces that may be paid before they are placed; -1: to ask for special building."""
    cancels: tuple[int, ...] = ()
    moves: tuple[tuple[Place, Place], ...] = ()
    """Ships, from where to where."""
    robber: tuple[Place, ...] = ()
    """Where the robber may go; negative ones for the pirate."""
    choices: tuple[int, ...] = ()
    discard: int = 0
    pick: int = 0
    monopoly: bool = False
    trades: Trades = NO_TRADES
