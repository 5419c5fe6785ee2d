"""Who waits for which game, and when a game begins.

Open play: first come, first served. A game begins when the least number of players waits and either the most wait or
``gather_s`` has passed since the least was reached; it takes as many as wait, up to the most. While a championship of
the type is announced or played, the director says who meets whom.
"""

from collections.abc import Callable, Sequence
from itertools import islice

from ugs.broker.champions import Champions
from ugs.broker.desk import ROUNDING, Desk, GameType
from ugs.broker.director import Director
from ugs.broker.events import Timer, TimerKind
from ugs.broker.game import Game
from ugs.broker.link import Link, LinkState


class Lobby:
    """Keeps the pools and begins games; ``begin`` seats idle players at a game of that master."""

    def __init__(
        self,
        desk: Desk,
        champions: Champions,
        director: Director,
        begin: Callable[[GameType, Link, Sequence[Link]], Game],
    ) -> None:
        self._desk = desk
        self._champions = champions
        self._director = director
        self._begin = begin

    def idle(self, links: Sequence[Link]) -> None:
        """These players are free: they wait from now on, and may be seated at once."""
        for link in links:
            game_type = link.type
            assert game_type is not None
            link.state, link.idle_since = LinkState.IDLE, self._desk.now
            game_type.idle[link] = None
            if link.pooled and not link.away and link.table is None:
                game_type.waiting[link.conn] = link
            self._champions.welcome(link)
        for game_type in {link.type.name: link.type for link in links if link.type is not None}.values():
            self.match(game_type)

    def match(self, game_type: GameType) -> None:
        """Begin every game that can begin now."""
        self._director.announce_configured(game_type)
        if game_type.championship is not None:
            self._director.play(game_type, game_type.championship)
        if game_type.championship is None and not self._desk.closed:
            self._open_play(game_type)

    # Open play.

    def _open_play(self, game_type: GameType) -> None:
        while (master := next(iter(game_type.free_masters(len(game_type.waiting))), None)) is not None:
            assert master.master is not None
            take = min(len(game_type.waiting), master.master.players_max)
            wait = 0.0 if take == master.master.players_max else self._still_gathering(game_type, master)
            if wait > 0:
                game_type.gathering = True
                self._desk.start(Timer(TimerKind.GATHER, game_type.name), wait)
                return
            self._begin(game_type, master, list(islice(game_type.waiting.values(), take)))
        if game_type.gathering:
            game_type.gathering = False
            self._desk.stop(Timer(TimerKind.GATHER, game_type.name))

    def _still_gathering(self, game_type: GameType, master: Link) -> float:
        """Seconds until a game may begin with fewer than the most players; 0 when it may now."""
        assert master.master is not None
        last_needed = next(islice(game_type.waiting.values(), master.master.players_min - 1, None))
        wait = last_needed.idle_since + game_type.settings.gather_s - self._desk.now
        return wait if wait > ROUNDING else 0.0
