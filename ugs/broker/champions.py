"""Who is told about the table, and when.

Only idle players are: once right after they became idle, and later when the table has changed, at most once per
``champions_interval_s``. One list is made per change, however many get it.
"""

from ugs.broker.desk import ROUNDING, Desk, GameType
from ugs.broker.events import Timer, TimerKind
from ugs.broker.link import Link

TOGETHER = 0.25
"""The part of the interval in which those who become due are told together, so that thousands are not looked through
for each of them."""


class Champions:
    """Sends ``championsList``."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def welcome(self, link: Link) -> None:
        """This player has just become idle: it gets the list, whatever it got before."""
        game_type = link.type
        assert game_type is not None
        self._told(link, game_type)
        self._desk.send(link, game_type.table.champions_list())

    def final(self, game_type: GameType) -> None:
        """A championship is over: all its players, who are idle, get its last table; the next list waits its turn."""
        for link in game_type.players.values():
            self._told(link, game_type)
        self._desk.send_all(game_type.players.values(), game_type.table.champions_list())

    def changed(self, game_type: GameType) -> None:
        """The table has changed: tell it, now or, where that is going to happen within an interval anyway, then."""
        if not game_type.announcing:
            self.announce(game_type)

    def announce(self, game_type: GameType) -> None:
        """Tell the table to those who wait, have an older one and have had none for an interval; see to the others."""
        now, interval = self._desk.now, game_type.settings.champions_interval_s
        game_type.announcing = False
        version = game_type.table.version
        behind = [link for link in game_type.idle if link.told_version != version and not link.away]
        if not behind:  # where everybody plays, after every game
            return
        ready = [link for link in behind if now - link.told_at >= interval - ROUNDING]
        later = [link.told_at for link in behind if now - link.told_at < interval - ROUNDING]
        for link in ready:
            self._told(link, game_type)
        self._desk.send_all(ready, game_type.table.champions_list())
        if later:
            self._announce_in(game_type, max(min(later) + interval - now, interval * TOGETHER))

    def _announce_in(self, game_type: GameType, seconds: float) -> None:
        game_type.announcing = True
        self._desk.start(Timer(TimerKind.CHAMPIONS, game_type.name), seconds)

    def _told(self, link: Link, game_type: GameType) -> None:
        link.told_version = game_type.table.version
        link.told_at = self._desk.now
