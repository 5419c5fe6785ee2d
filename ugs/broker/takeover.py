"""Handing a running game to another master: who may have it, what it is told, and how the game goes on.

A game can be handed over when its master was granted ``restore``: then all chance came from a seed that the server
knows, and everything else from the moves and departures in its history.
"""

from collections.abc import Iterator

from ugs.broker.desk import Desk, GameType
from ugs.broker.ending import Ending
from ugs.broker.game import Game, Phase, Shown
from ugs.broker.link import Link
from ugs.broker.record import EntryKind
from ugs.broker.scribe import Scribe
from ugs.broker.showing import named_by
from ugs.broker.turns import Turns
from ugs.broker.verdict import Cause
from ugs.wire.extensions import Family, PastLeft, PastMove, Restore
from ugs.wire.messages import Choice


class Takeover:
    """Finds another master for the games of one that is lost."""

    def __init__(self, desk: Desk, scribe: Scribe, ending: Ending, turns: Turns) -> None:
        self._desk = desk
        self._scribe = scribe
        self._ending = ending
        self._turns = turns
        self._orphans: list[Game] = []
        """Games that wait for a master, and some that did."""

    # Rules that LIFE names. Their arguments are the game and what happened in it.

    def master_gone(self, game: Game) -> None:
        """The master's connection is lost: the game is void, or waits for another master, or has one at once."""
        if not (game.type.settings.master_grace_s > 0 and game.setting.seed):
            self._ending.void(game, Cause.MASTER_LOST)
            return
        self._scribe.away(game)
        self.wait(game)
        next_one = heir(game)
        if next_one is not None:
            self._hand_over(game, next_one)

    def master_lost(self, game: Game) -> None:
        """No master has taken the game over."""
        self._ending.void(game, Cause.MASTER_LOST)

    def taken_over(self, game: Game, message: Shown) -> None:
        """The new master has told how the game stands. If that has been told already and somebody been asked, nobody
        hears of it again."""
        asked = {*game.held, *(link.name for link in game.movers)}
        self._desk.note("game taken over", game.master, game=game.id)
        if game.owes or asked != set(named_by(message)):
            self._turns.next_turn(game, message)
        else:
            self._turns.go_on(game, list(game.movers))

    # Steps.

    def wait(self, game: Game) -> None:
        """This game has no master, and waits for one; nobody's time runs."""
        if game.times is not None:
            game.times.pause(self._desk.now)
        game.phase, game.plain = Phase.AWAY, False
        self._desk.start(game.clock, game.type.settings.master_grace_s)
        self._orphans.append(game)

    def adopt(self, game_type: GameType) -> None:
        """A master of this type may have room for one more game: those that wait for one come first."""
        if not self._orphans:
            return
        self._orphans = [game for game in self._orphans if game.phase is Phase.AWAY]
        for game in list(self._orphans):
            next_one = heir(game) if game.type is game_type else None
            if next_one is not None:
                self._hand_over(game, next_one)

    def _hand_over(self, game: Game, master: Link) -> None:
        assert master.master is not None
        assert game.master.master is not None
        game.master.master.games.pop(game.id, None)
        game.master = master
        master.master.games[game.id] = game
        game.phase = Phase.TAKING
        self._scribe.restored(game)
        self._desk.note("game handed over", master, game=game.id)
        self._desk.tell([master], restore_message(game))
        self._desk.start(game.clock, game.type.settings.begin_timeout_s)


def heir(game: Game) -> Link | None:
    """Another master who is there and may take the game over now; the least busy one."""
    setting = game.setting
    needed = {
        Family.RESTORE: True,
        Family.TABLE: setting.options or setting.computers,
        Family.VIEWS: game.private,
        Family.MOVERS: game.master.names_movers,
    }
    needs = [family for family, is_needed in needed.items() if is_needed]
    seats = setting.total or len(game.seats)
    for link in game.type.free_masters(seats, *needs):
        assert link.master is not None
        if link is not game.master and seats <= link.master.players_max:
            return link
    return None


def restore_message(game: Game) -> Restore:
    """Everything the new master has to know, in the order in which the old one was told."""
    setting = game.setting
    options = tuple([Choice(name, value) for name, value in setting.options.items()])
    return Restore(game.id, game.seats, options, setting.total, setting.seed, tuple(_happened(game)))


def _happened(game: Game) -> Iterator[PastMove | PastLeft]:
    for _, entry in game.history:
        if entry.seat is None:
            continue
        if entry.kind is EntryKind.MOVE:
            yield PastMove(game.seats[entry.seat], entry.body)
        elif entry.kind is EntryKind.LEFT:
            yield PastLeft(game.seats[entry.seat], entry.text)
