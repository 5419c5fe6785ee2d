"""What rules bring about, as values. A rule reports a fact with ``server.report``; ``hooks.py`` lists the rules that
follow.

A hook may send messages and end the game; when it is called, the registries are consistent. One exception: when a void
game is over (:class:`GameOver`), its players become free only with the next fact (:class:`PlayersFree`).
"""

from collections.abc import Sequence

from ugs.broker.effects import RecordEntry
from ugs.broker.past import Past
from ugs.broker.state.championship import Championship
from ugs.broker.state.connection import Newcomer, Peer, Spectator
from ugs.broker.state.model import Game, GameType, Player, Table
from ugs.broker.values.recollection import Recollected, Wish
from ugs.broker.verdict import Cause, GameResult, Reason
from ugs.championship.formats.format_contract import Fixture
from ugs.value import value
from ugs.wire.messages import Message

# Peers.


@value
class Greeted:
    """A newcomer has sent x-hello; its families are granted."""

    newcomer: Newcomer


@value
class Proven:
    """A peer has proven that the name in this message is its own: the message holds from now on."""

    peer: Peer
    message: Message


@value
class PlayerEntered:
    """A player has logged in."""

    player: Player


@value
class PlayerBack:
    """A player whose line was cut is there again and has been welcomed."""

    player: Player


@value
class LineCut:
    """The connection of a player is lost. A hook that keeps its seat returns true; otherwise the player is gone."""

    player: Player
    cause: Cause
    why: str
    """What the player did to lose it, for people; empty if unknown."""


@value
class NickWanted:
    """A newcomer logs in with the nick of a player who is absent. A hook that lets it take the place of that player
    takes charge; otherwise the login is refused, unless a hook has freed the nick."""

    newcomer: Newcomer
    player: Player
    nick: str
    game_type: str


@value
class TableLeft:
    """A player without a lobby leaves its table, which has no game yet."""

    player: Player


@value
class LineChanged:
    """The line of a player in no running game is cut, or there again; ``comment`` describes it for people."""

    player: Player
    comment: str


@value
class PlayersFree:
    """These players are in no game any more (or were in none before)."""

    players: Sequence[Player]


@value
class PoolingChanged:
    """A player waits for open play from now on, or no longer."""

    player: Player


@value
class LeftPool:
    """A player waits for open play no longer: a game need not wait for more players."""

    player: Player

    @property
    def game_type(self) -> GameType:
        """The game type that it waited for."""
        return self.player.type


@value
class NickFree:
    """A player is gone for good, and its nick is free. It is not removed from its game and table yet."""

    player: Player


@value
class PeerGone:
    """A player or spectator is gone for good; only extensions still hold data of it."""

    peer: Player | Spectator
    cause: Cause


@value
class Unreachable:
    """A player stays logged in, but nothing can be delivered to it."""

    player: Player


@value
class Dismissed:
    """A peer got the reason of its removal, and its connection is closed. ``cause`` is the cause for its game."""

    peer: Peer
    cause: Cause
    why: str


@value
class MasterReady:
    """A master of this type may get a game: it has logged in, has sent its options, or one of its games is over."""

    game_type: GameType


# Games.


@value
class GameBegun:
    """The master has been asked to begin it."""

    game: Game


@value
class GameRevived:
    """A game from before a loss of the server waits for a master."""

    game: Game


@value
class MasterAwaited:
    """The master of a game is lost, and the game waits; or another one leads it from now on."""

    game: Game


@value
class Asking:
    """A state that asks these players to move is about to be sent. Only for games with budgets of time."""

    game: Game
    players: Sequence[Player]


@value
class BudgetRuns:
    """The budget of a player who has just been asked runs from now on."""

    game: Game
    player: Player


@value
class BudgetStops:
    """The budget of one player, or of all, has stopped."""

    game: Game


@value
class SeatsChanged:
    """Who sits where has changed; ``comment`` describes the change for people. ``nick`` is whose seat it is; without
    one it may be any."""

    game: Game
    comment: str
    nick: str = ""


@value
class EntryWritten:
    """A new entry is in the public history of a game that is watched."""

    game: Game
    entry: RecordEntry


@value
class PastRecalled:
    """The requested past of a game has been read."""

    wish: Wish
    found: Recollected


@value
class PlayerLeft:
    """A player is out of a game, and the game goes on so far."""

    game: Game
    player: Player
    cause: Cause


@value
class RuleBroken:
    """The master of a game reports that a player in it has broken a rule."""

    game: Game
    player: Player
    reason: Reason


@value
class FixtureBegun:
    """A game of a championship is about to be played."""

    game: Game
    championship: Championship
    fixture: Fixture


@value
class FixtureEnded:
    """A game of a championship has its result, which is not announced yet."""

    championship: Championship
    result: GameResult


@value
class GameEnding:
    """These players are about to get the end of their game."""

    game: Game
    result: GameResult
    players: Sequence[Player]


@value
class GameOver:
    """The end of a game has been announced."""

    game: Game
    result: GameResult


# Tables.


@value
class TableSetUp:
    """A player has set up a table."""

    table: Table


@value
class TableSilent:
    """For too long nothing has happened at a table without a game."""

    table: Table


@value
class PlayerSilent:
    """A player has been silent for too long and is about to be given up; ``comment`` is for people."""

    player: Player
    comment: str


# The server.


@value
class DoorsOpened:
    """The server begins to listen; ``past`` is what it knows of its earlier lives."""

    past: Past


@value
class ServerStops:
    """All peers are about to get the good-bye."""
