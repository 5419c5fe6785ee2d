"""Who is told the standings (``championsList``), and when.

Only idle players are: once right after they became idle, and later when the standings have changed, at most once per
``champions_interval_s``. One list is made per change, however many get it.

Long lists are what a busy server sends most of, so all of them share ``champions_bytes_per_s``. Where that is used up,
who becomes idle gets the first rows and its own at once, and the whole when there is room again. A list delays nothing:
a few players are told at a time, those first who were told longest ago.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import Final

from ugs.broker.events import Timer, TimerKind
from ugs.broker.state.connection import PeerState
from ugs.broker.state.extras import Key
from ugs.broker.state.model import GameType, Player
from ugs.broker.state.server_state import ROUNDING, ServerState
from ugs.wire.messages import ChampionsList

MAX_ROW = 512
"""Bytes that a row can have at most: a nick of 64 characters, each of them written as six bytes, and two numbers."""
ROW_BYTES: Final = 48
"""Bytes of a usual row, by which lists are counted."""
FIRST_ROWS: Final = 5
"""Rows that a player gets with its own where there is no room for all."""
TOGETHER = 0.25
"""Players who become due within this part of the interval are told together: looking for them takes one pass over all
players."""
MAX_AT_ONCE: Final = 200
"""Players who are told in one go, 4 ms if each gets a list of its own."""
BURST_S: Final = 4.0
"""Seconds for which ``champions_bytes_per_s`` may be used in advance."""


@dataclass(slots=True)
class ListRoom:
    """Bytes of lists that may be sent, as of a moment; below zero when the last ones were more."""

    bytes: float = 0.0
    at: float | None = None
    waiting: dict[str, None] = field(default_factory=dict)
    """Game types with players for whom there was no room, the one that has waited longest first. They take turns: a
    long list with many readers does not keep a short one waiting."""

    def left(self, now: float, per_s: float) -> float:
        """The bytes that may be sent now."""
        most = BURST_S * per_s
        self.bytes = most if self.at is None else min(most, self.bytes + (now - self.at) * per_s)
        self.at = now
        return self.bytes

    def take(self, told: ChampionsList, hearers: int = 1) -> None:
        """This list is sent to so many."""
        self.bytes -= len(told.rows) * ROW_BYTES * hearers


ROOM: Key[ListRoom] = Key("room for championsList", ListRoom)
"""With the server."""


def welcome(server: ServerState, player: Player) -> None:
    """Send the list to a player who has just become idle, even if it has had the same one before: whole if there is
    room, else its beginning."""
    standings, most = player.type.standings, _max_rows(server)
    whole = min(len(standings), most + 1) <= FIRST_ROWS + 1 or _has_room(server)
    told = standings.champions_list_for(player.name, most if whole else FIRST_ROWS)
    player.was_told(standings.version if whole else -1, server.now)
    ROOM.of(server).take(told)
    server.send(player, told)
    if not whole:
        player.type.news.is_behind()
        _tell_later(server, player.type, player.type.settings.champions_interval_s)


def tell_final(server: ServerState, game_type: GameType) -> None:
    """Send the final standings of a championship to all idle players of its type, which is all of them unless it was
    cancelled; the next list waits its turn. Who is not among the rows of a list gets the first ones and its own."""
    idle = [player for player in game_type.players.values() if player.state is PeerState.IDLE]
    for player in idle:
        _told(server, player)
    _tell(server, game_type, idle, FIRST_ROWS)


def changed(server: ServerState, game_type: GameType) -> None:
    """The standings may have changed: tell them now, unless a timer is going to do so within an interval anyway."""
    if not game_type.news.timer_runs and game_type.standings.version != game_type.news.all_told:
        announce(server, game_type)


def announcement_due(server: ServerState, game_type: str) -> None:
    """The interval is over, or there is room: tell changed standings, those first that have waited longest."""
    server.types[game_type].news.timer_ends()
    waiting = ROOM.of(server).waiting
    first = server.types.get(next(iter(waiting), game_type))
    if first is None:  # nobody uses it any more
        del waiting[next(iter(waiting))]
    elif first.name != game_type and _has_room(server):
        announce(server, first)
    announce(server, server.types[game_type])


def announce(server: ServerState, game_type: GameType) -> None:
    """Tell the standings to idle players who have older ones and have had none for an interval, as many as there is
    room for; set a timer for the others."""
    now, interval = server.now, game_type.settings.champions_interval_s
    version = game_type.standings.version
    behind = [player for player in game_type.idle if player.told_version != version and not player.away]
    if not behind:  # where everybody plays, after every game
        game_type.news.told(version)
        ROOM.of(server).waiting.pop(game_type.name, None)
        return
    due = [player for player in behind if now - player.told_at >= interval - ROUNDING]
    told = _that_fit(server, game_type, due)
    for player in told:
        _told(server, player)
    _tell(server, game_type, told, _max_rows(server))
    waiting = ROOM.of(server).waiting
    if told or not due:
        waiting.pop(game_type.name, None)
    if len(told) < len(due):
        waiting.setdefault(game_type.name)
        _tell_later(server, game_type, _until_room(server, interval))
    elif len(due) < len(behind):
        latest = min(player.told_at for player in behind if player.told_version != version)
        _tell_later(server, game_type, max(latest + interval - now, interval * TOGETHER))
    else:
        game_type.news.told(version)


def _that_fit(server: ServerState, game_type: GameType, due: Sequence[Player]) -> Sequence[Player]:
    """Those of the players who are due who are told now: at most MAX_AT_ONCE, at least one if there is room at all."""
    if not _has_room(server):
        return []
    list_bytes = ROW_BYTES * max(1, min(len(game_type.standings), _max_rows(server)))
    most = min(MAX_AT_ONCE, 1 + int(ROOM.of(server).bytes / list_bytes))
    return due if len(due) <= most else nsmallest(most, due, key=lambda player: player.told_at)


def _has_room(server: ServerState) -> bool:
    return ROOM.of(server).left(server.now, server.config.champions_bytes_per_s) > 0


def _until_room(server: ServerState, interval: float) -> float:
    """Seconds until the next players can be told: at once if only their number was too large."""
    room = ROOM.of(server).bytes
    return 0.0 if room > 0 else max(interval * TOGETHER, -room / server.config.champions_bytes_per_s + ROUNDING)


def _tell_later(server: ServerState, game_type: GameType, seconds: float) -> None:
    """Set the timer that tells those who are behind, unless it runs."""
    if not game_type.news.timer_runs:
        game_type.news.timer_begins()
        server.start(Timer(TimerKind.CHAMPIONS, game_type.name), seconds)


def _tell(server: ServerState, game_type: GameType, players: Sequence[Player], most_of_own: int) -> None:
    """Tell these players the standings. Where there are more rows than one list may have, a player whose row is not
    among them gets a list of its own, with the best ``most_of_own`` rows before its own."""
    room, most = ROOM.of(server), _max_rows(server)
    shared = game_type.standings.champions_list(most)
    among = [player for player in players if game_type.standings.is_among(player.name, most)]
    server.send_all(among, shared)
    room.take(shared, len(among))
    if len(among) < len(players):
        inside = set(among)
        for player in players:
            if player not in inside:
                told = game_type.standings.champions_list_for(player.name, most_of_own)
                room.take(told)
                server.send(player, told)


def _max_rows(server: ServerState) -> int:
    """How many rows a list may have: ``table_rows``, and never more than fit into a message."""
    return min(server.config.table_rows, max(1, server.config.max_message_bytes // MAX_ROW - 1))


def _told(server: ServerState, player: Player) -> None:
    player.was_told(player.type.standings.version, server.now)
