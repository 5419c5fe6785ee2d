"""Whom the rules of games tell what happens in them: the rooms of the extensions put themselves on these lists.

The rules know none of those rooms. Whoever is told may send messages and end the game; it is told last of all, when
the registries are as they should be.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ugs.broker.desk import GameType
from ugs.broker.effects import RecordEntry
from ugs.broker.game import Game
from ugs.broker.link import Link
from ugs.broker.verdict import Cause, GameResult


@dataclass(slots=True, eq=False)
class Onlookers:
    """One list for each kind of news."""

    begun: list[Callable[[Game], None]] = field(default_factory=list)
    """The master has been asked to begin it."""
    told: list[Callable[[Game, Sequence[Link]], None]] = field(default_factory=list)
    """A state is about to be sent to its players, which asks these to move. Only of games with ``times``."""
    seats: list[Callable[[Game, str], None]] = field(default_factory=list)
    """Who sits where has changed; the text says how, for people."""
    left: list[Callable[[Game, Link, Cause], None]] = field(default_factory=list)
    """A player is out of it, and the game goes on so far."""
    ending: list[Callable[[Game, GameResult, Sequence[Link]], None]] = field(default_factory=list)
    """These players are about to be told its end."""
    over: list[Callable[[Game], None]] = field(default_factory=list)
    """Its end has been told."""
    entry: list[Callable[[Game, RecordEntry], None]] = field(default_factory=list)
    """Something that everybody may know has happened in a game that is watched."""
    line: list[Callable[[Link, str], None]] = field(default_factory=list)
    """The line of a player who is in no running game is cut, or it is there again; the text says which, for people."""
    room: list[Callable[[GameType], None]] = field(default_factory=list)
    """A master of this type may be given a game: it has come, or one of its games is over."""
    departing: list[Callable[[Link, Cause], None]] = field(default_factory=list)
    """A player or spectator is gone for good, and has given back everything but what its extensions hold."""
