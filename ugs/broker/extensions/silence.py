"""Silence: players and tables that do nothing for long are warned, and later given up.

Players are judged who have a session and are there; who is away has its grace, whoever has no session is silent by
nature while it waits, and gateways judge those for whom they speak. Of games only those at tables are judged, and only
while players have to move. Nobody is given up who has not been warned at an earlier look, and whoever does something is
as good as new, without a word.
"""

from ugs.broker.desk import ROUNDING, Desk
from ugs.broker.events import Timer, TimerKind
from ugs.broker.extensions.refusal import Refusal
from ugs.broker.extensions.tables import GameTable, Tables, is_viable
from ugs.broker.game import Game, Phase
from ugs.broker.link import Link, LinkState
from ugs.broker.rules import Rules
from ugs.broker.verdict import Cause
from ugs.wire.extensions import Family, Ping, Pong, Warn, WarningScope, WarningState
from ugs.wire.messages import Error

LOOK = Timer(TimerKind.SILENCE, "")
JUDGED = frozenset({LinkState.IDLE, LinkState.PLAYING, LinkState.OWING})


class Silence:
    """Looks now and then for who is idle or inactive, as long as there is anybody to look at."""

    def __init__(self, desk: Desk, rules: Rules, tables: Tables) -> None:
        self._desk = desk
        self._rules = rules
        self._tables = tables
        self._looking = False
        self._warned: dict[Link | GameTable, float] = {}
        """Who has been warned, and since when nothing had happened there; with the next that happens it is void."""
        tables.opened.append(self.watch)

    def ping(self, link: Link, message: Ping) -> Refusal | None:
        """A peer shows that it is there, and asks whether we are."""
        self._desk.tell([link], Pong(message.ref))
        return None

    def watch(self) -> None:
        """Somebody or something has come that may fall silent."""
        if not self._looking:
            self._looking = True
            self._desk.start(LOOK, self._desk.config.first_idle_check_s)

    def look(self, _subject: str) -> None:
        """The time of a look has come."""
        desk = self._desk
        for link in list(desk.links.values()):
            is_judged = link.state in JUDGED and link.may(Family.SESSION) and not link.by_gateway
            if is_judged and link.conn in desk.links:
                self._look_at_player(link)
        for table in list(desk.tables.values()):
            self._look_at_table(table)
        judged = {*desk.links.values(), *desk.tables.values()}
        self._warned = {one: since for one, since in self._warned.items() if one in judged}
        may_come = (LinkState.NEW, *JUDGED)
        self._looking = bool(desk.tables) or any(
            link.may(Family.SESSION) and not link.by_gateway and link.state in may_come for link in desk.links.values()
        )
        if self._looking:
            desk.start(LOOK, desk.config.idle_check_s)

    def _look_at_player(self, link: Link) -> None:
        desk, config = self._desk, self._desk.config
        silent_s = desk.now - link.active_at + ROUNDING
        warned = self._warned.get(link) == link.active_at
        if warned and silent_s >= config.player_inactive_s:
            desk.note("player silent for too long", link, warning=True, seconds=silent_s)
            desk.tell([link], Warn(WarningScope.PLAYER, WarningState.INACTIVE, 0))
            desk.close(link)
            if link.table is not None:
                self._tables.get_up(link, f"{link.name} has been silent for too long")
            self._rules.depart(link, Cause.DISCONNECTED)
        elif not warned and silent_s >= config.player_idle_s:
            self._warned[link] = link.active_at
            left_s = max(0.0, link.active_at + config.player_inactive_s - desk.now)
            desk.tell([link], Warn(WarningScope.PLAYER, WarningState.IDLE, left_s))

    def _look_at_table(self, table: GameTable) -> None:
        game = self._rules.games.find(table.id)
        if game is not None and game.phase is not Phase.TURN:
            return  # its master must act, or the disk: the clock of the game sees to that
        settings = table.type.settings
        since = table.active_at if game is None else game.active_at
        there = list(table.members if game is None else game.present.values())
        silent_s = self._desk.now - since + ROUNDING
        warned = self._warned.get(table) == since
        if warned and silent_s >= settings.game_inactive_s:
            self._warn(there, table, WarningState.INACTIVE, 0)
            if game is None:
                self._tables.put_away(table, Cause.INACTIVE, "nothing has happened for long")
            else:
                self._give_up(game)
        elif not warned and silent_s >= settings.game_idle_s:
            self._warned[table] = since
            self._warn(there, table, WarningState.IDLE, max(0.0, since + settings.game_inactive_s - self._desk.now))

    def _warn(self, links: list[Link], table: GameTable, state: WarningState, left_s: float) -> None:
        judged = [link for link in links if link.may(Family.SESSION)]
        self._desk.tell(judged, Warn(WarningScope.GAME, state, left_s, table.id))

    def _give_up(self, game: Game) -> None:
        """Nothing has happened for long in a game at a table: it ends, unless it can go on without those who have to
        move and are not judged as players."""
        silent = [link for link in game.movers if not link.may(Family.SESSION)]
        table = game.setting.table
        owner_stays = table is not None and table.owner not in silent
        if not (silent and owner_stays and is_viable(game, len(game.present) - len(silent))):
            self._rules.games.cancel(game, Cause.INACTIVE)
            return
        for link in silent:
            self._rules.games.leave(link, Cause.TIMEOUT)
            seconds = game.type.settings.game_inactive_s
            self._desk.send(link, Error(f"nothing has happened for {seconds:g} s: game {game.id} is lost"))
            self._rules.idle([link])
