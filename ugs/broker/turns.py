"""Whose turn it is: the rules of ``game.py`` about states that name who may move, moves, and the players' clock."""

from collections.abc import Sequence

from ugs.broker.desk import ROUNDING, Desk
from ugs.broker.game import Game, Phase, Shown
from ugs.broker.link import Link
from ugs.broker.onlookers import Onlookers
from ugs.broker.scribe import Scribe
from ugs.broker.showing import Showing, named_by
from ugs.wire.extensions import Moved
from ugs.wire.messages import Error, GameState, Move

TURN, ANSWER = Phase.TURN, Phase.ANSWER
"""The phases of nearly every moment, by names of their own, as those are found faster."""


class Turns:
    """Asks players to move and hands their moves over, one at a time."""

    def __init__(self, desk: Desk, scribe: Scribe, showing: Showing, onlookers: Onlookers) -> None:
        self._desk = desk
        self._scribe = scribe
        self._showing = showing
        self._onlookers = onlookers

    # Rules that LIFE names. Their arguments are the game and what happened in it.

    def next_turn(self, game: Game, message: Shown) -> None:
        """Everybody gets the state; the players it names have to move. Of several who may, those who have been asked
        and have not answered are left in peace: another state would ask them for another move."""
        if game.plain and type(message) is GameState:  # nearly all there ever are
            assert message.next_player is not None
            mover = game.present[message.next_player]
            self._showing.plain_turn(game, message, game.seat_of[mover.name])
            game.movers, game.phase, game.owes = (mover,), TURN, False
            self._desk.start(game.clock, game.type.settings.move_timeout_s, mover)
            return
        named = [game.present[nick] for nick in named_by(message)]
        spared: set[str] = set()
        if game.master.names_movers:
            nicks = {link.name for link in named}
            spared = nicks & {*game.held, *(link.name for link in game.movers)}
            for nick in [nick for nick in game.held if nick not in nicks]:
                del game.held[nick]
                self._desk.send(game.present[nick], Error(f"move: too late: game {game.id} has gone on without it"))
        else:
            game.held.clear()
        if game.times is not None:
            for tell in self._onlookers.told:
                tell(game, named)
        self._showing.turn(game, message, named, spared)
        asked = [link for link in named if link.name not in spared]
        game.movers = tuple([link for link in named if link.name not in game.held])
        game.owes = False
        self.go_on(game, asked)

    def relay_move(self, game: Game, player: Link, message: Move) -> None:
        """The master gets the move and has to answer."""
        game.phase = ANSWER
        self.pass_move_on(game, player, message)
        self._desk.start(game.clock, game.type.settings.master_timeout_s)

    def pass_move_on(self, game: Game, player: Link, message: Move) -> None:
        """The master gets the move; the clock that runs for it is not touched."""
        self._scribe.move(game, player, message)
        movers = game.movers
        alone = len(movers) == 1 and movers[0] is player
        game.movers = () if alone else tuple([link for link in movers if link is not player])
        game.moves += 1
        game.owes = True
        master = game.master
        if master.names_movers:
            self._desk.tell([master], Moved(game.id, player.name, message.payload))
        else:
            self._desk.send(master, message)

    def hold_move(self, game: Game, player: Link, message: Move) -> None:
        """The master cannot take the move now: it gets it when it has answered, or when there is one again."""
        game.movers = tuple([link for link in game.movers if link is not player])
        game.held[player.name] = message
        game.plain = False

    # Steps.

    def go_on(self, game: Game, asked: Sequence[Link]) -> None:
        """After a state: the next of the moves that were held back is handed over, or the players' clock starts."""
        self.start_clock(game, asked)
        game.phase = TURN
        if game.held:
            nick = next(iter(game.held))
            self.relay_move(game, game.present[nick], game.held.pop(nick))

    def start_clock(self, game: Game, asked: Sequence[Link]) -> None:
        """The clock of those who have to move; ``asked`` have just been asked, the others' time is running."""
        now = self._desk.now
        if len(game.movers) == 1 and len(asked) == 1 and game.times is None:
            limit = self._limit(asked[0], game)
            game.deadlines[asked[0].name] = now + limit
            self._desk.start(game.clock, limit, after=asked[0])
            return
        for link in asked:
            limit = self._limit(link, game)
            seconds = limit if game.times is None else game.times.asked(link, now)
            game.deadlines[link.name] = now + min(seconds, limit)
        if not game.movers:
            return
        for link in game.movers:  # who was asked by a master that names one at a time has none yet
            game.deadlines.setdefault(link.name, now + self._limit(link, game))
        earliest = min(game.movers, key=lambda link: game.deadlines[link.name])
        seconds = max(0.0, game.deadlines[earliest.name] - now)
        if asked and len(game.movers) == 1:
            self._desk.start(game.clock, seconds, after=earliest, report=True)
        else:
            self._desk.start(game.clock, seconds)

    def late(self, game: Game) -> list[Link]:
        """Who has to move, and should have by now."""
        if len(game.movers) == 1:
            return list(game.movers)
        now = self._desk.now + ROUNDING
        return [link for link in game.movers if game.deadlines[link.name] <= now]

    def _limit(self, link: Link, game: Game) -> float:
        """The most seconds that a player may think about a move. A gateway's clients know of no such limit: with them
        a table may be silent until nothing has happened there for too long, and this clock only stands behind that."""
        settings, config = game.type.settings, self._desk.config
        if not link.by_gateway:
            return settings.move_timeout_s
        looks = config.first_idle_check_s + 2 * config.idle_check_s
        return max(settings.move_timeout_s, settings.game_inactive_s + looks)
