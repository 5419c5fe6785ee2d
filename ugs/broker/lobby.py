"""Who waits for which game, and when a game begins.

Open play: first come, first served. A game begins when the least number of players waits and either the most wait or
``gather_s`` has passed since the least was reached; it takes as many as wait, up to the most. In a championship the
fixtures say who meets whom; a fixture is played as soon as its players and a master are free.
"""

from collections.abc import Callable, Collection, Sequence
from itertools import islice

from ugs.broker.champions import Champions
from ugs.broker.championship import Championship, Fixture
from ugs.broker.desk import ROUNDING, Desk, GameType
from ugs.broker.events import Timer, TimerKind
from ugs.broker.game import Game
from ugs.broker.link import Link, LinkState


class Lobby:
    """Keeps the pools and begins games; ``begin`` seats idle players at a game of that master."""

    def __init__(
        self, desk: Desk, champions: Champions, begin: Callable[[GameType, Link, Sequence[Link]], Game]
    ) -> None:
        self._desk = desk
        self._champions = champions
        self._begin = begin

    def idle(self, links: Sequence[Link]) -> None:
        """These players are free: they wait from now on, and may be seated at once."""
        for link in links:
            game_type = link.type
            assert game_type is not None
            link.state, link.idle_since = LinkState.IDLE, self._desk.now
            game_type.waiting[link.conn] = link
            self._champions.welcome(link)
        for game_type in {link.type.name: link.type for link in links if link.type is not None}.values():
            self.match(game_type)

    def match(self, game_type: GameType) -> None:
        """Begin every game that can begin now."""
        if self._desk.draining:
            return
        self._announce_championship(game_type)
        if game_type.championship is None:
            self._open_play(game_type)
        else:
            self._championship_play(game_type, game_type.championship)

    def championship_hour(self, game_type: GameType) -> None:
        """The hour has come: the championship begins with whoever is there."""
        self._announce_championship(game_type)
        championship = game_type.championship
        if championship is None or championship.begun or self._desk.draining:
            return
        if len(game_type.players) < 2:
            self._desk.note("championship without players", warning=True, game_type=game_type.name)
            game_type.championship, game_type.championship_over = None, True
        else:
            self._begin_championship(game_type, championship)
        self.match(game_type)

    # Open play.

    def _open_play(self, game_type: GameType) -> None:
        while (master := self._master_for(game_type, len(game_type.waiting))) is not None:
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

    def _master_for(self, game_type: GameType, players: int) -> Link | None:
        """The least busy master that may lead one more game and has enough with so many players."""
        return next(iter(self._masters_for(game_type, players)), None)

    def _masters_for(self, game_type: GameType, players: int) -> list[Link]:
        """All masters that may lead one more game and have enough with so many players, the least busy first."""
        limit = game_type.settings.max_games_per_master
        free = [
            link
            for link in game_type.masters.values()
            if link.master is not None
            and link.master.players_min <= players
            and (limit == 0 or len(link.master.games) < limit)
        ]
        return sorted(free, key=lambda link: len(link.master.games) if link.master else 0)

    # Championships.

    def _announce_championship(self, game_type: GameType) -> None:
        announced = game_type.championship is not None or game_type.championship_over
        if game_type.settings.mode == "championship" and not announced:
            game_type.championship = Championship(game_type.settings.void_replays)

    def _begin_championship(self, game_type: GameType, championship: Championship) -> None:
        championship.begin([link.name for link in game_type.players.values()], game_type.table)
        game_type.table = championship.table
        self._forget_told(game_type)
        self._desk.note("championship begun", game_type=game_type.name, players=list(championship.field))

    def _championship_play(self, game_type: GameType, championship: Championship) -> None:
        needed = game_type.settings.championship_players
        if not championship.begun and needed and len(game_type.players) >= needed:
            self._begin_championship(game_type, championship)
        if not championship.begun:
            return
        free = {link.name: link for link in game_type.waiting.values()}
        while (pairing := self._next_pairing(game_type, championship, free)) is not None:
            master, fixture = pairing
            game = self._begin(game_type, master, [free.pop(nick) for nick in fixture.nicks])
            championship.playing(game.id, fixture)
        if game_type.masters and not self._enough_for_a_master(game_type, championship):
            championship.give_up()
        if championship.finished and len(game_type.waiting) == len(game_type.players):
            self._end_championship(game_type, championship)

    def _next_pairing(
        self, game_type: GameType, championship: Championship, free: Collection[str]
    ) -> tuple[Link, Fixture] | None:
        """A fixture that can be played now and who leads it; fixtures keep their size when masters come and go."""
        for master in self._masters_for(game_type, championship.remaining):
            assert master.master is not None
            fixture = championship.next_fixture(free, master.master.players_min, master.master.players_max)
            if fixture is not None:
                return master, fixture
        return None

    def _enough_for_a_master(self, game_type: GameType, championship: Championship) -> bool:
        """Whether any master leads games of so few players."""
        least = min(link.master.players_min for link in game_type.masters.values() if link.master is not None)
        return least <= championship.remaining

    def _end_championship(self, game_type: GameType, championship: Championship) -> None:
        self._desk.note(
            "championship over",
            game_type=game_type.name,
            table=[(row.nick, row.won, row.lost, row.drawn) for row in championship.table.rows()],
            unplayed=[list(fixture.nicks) for fixture in championship.given_up],
        )
        self._champions.final(game_type)
        game_type.championship = None
        game_type.championship_over = True
        game_type.final_table = championship.table
        game_type.table = championship.open_table
        self._forget_told(game_type)
        self.match(game_type)

    def _forget_told(self, game_type: GameType) -> None:
        """Another table is in force: nobody has been told this one."""
        for link in game_type.players.values():
            link.told_version = -1
        self._champions.changed(game_type)
