"""Which players get the standings (``championsList``), and when.

Only idle players get them: once when they become idle, and later when the standings change, at most once per
``champions_interval_s``. One list is made per change, for all readers: ``ugs/broker/values/standings.py``.

Long lists are most of what a busy server sends, so all of them share ``champions_bytes_per_s``. When that is used up,
players who become idle get the first rows and their own at once, and the whole list when there is room again. A list
delays nothing: a few players get it at a time, those first who have waited longest.
"""

from collections.abc import Sequence
from dataclasses import field
from heapq import nsmallest
from typing import Final

from ugs.broker.events import Timer, TimerKind
from ugs.broker.state.connection import PeerState
from ugs.broker.state.extras import Key
from ugs.broker.state.model import GameType, Player
from ugs.broker.state.server_state import ROUNDING, ServerState
from ugs.value import state
from ugs.wire.messages import ChampionsList

MAX_ROW = 512
"""Maximum bytes of a row: a nick of 64 characters, each written as six bytes, and two numbers."""
ROW_BYTES: Final = 48
"""Bytes of a typical row, to estimate the size of lists."""
FIRST_ROWS: Final = 5
"""Rows that a player gets besides its own if there is no room for all."""
TOGETHER = 0.25
"""Players who become due within this part of the interval get the list together: finding them takes one pass over all
players."""
MAX_AT_ONCE: Final = 200
"""Players who get a list in one step; 4 ms if each list is different."""
BURST_S: Final = 4.0
"""Seconds of ``champions_bytes_per_s`` that may be used in advance."""


@state(eq=True)
class ListRoom:
    """Bytes of lists that may be sent, as of a point in time; negative when the last lists were larger."""

    bytes: float = 0.0
    at: float | None = None
    waiting: dict[str, None] = field(default_factory=dict)
    """Game types with players who got no list for lack of room, longest waiting first. They take turns: a long list
    with many readers does not delay a short one."""

    def left(self, now: float, per_s: float) -> float:
        """Return the bytes that may be sent now."""
        most = BURST_S * per_s
        self.bytes = most if self.at is None else min(most, self.bytes + (now - self.at) * per_s)
        self.at = now
        return self.bytes

    def take(self, rows_sent: ChampionsList, hearers: int = 1) -> None:
        """Subtract a list sent to ``hearers`` players."""
        self.bytes -= len(rows_sent.rows) * ROW_BYTES * hearers


ROOM: Key[ListRoom] = Key("room for championsList", ListRoom)
"""With the server."""


def welcome(server: ServerState, player: Player) -> None:
    """Send the list to a player who has just become idle, even if it had the same one before: the whole list if there
    is room, otherwise its beginning."""
    standings, most = player.type.standings, _max_rows(server)
    # A list this short costs as much as its beginning, so it is sent whole in any case.
    whole = min(len(standings), most + 1) <= FIRST_ROWS + 1 or _has_room(server)
    rows_sent = standings.champions_list_for(player.name, most if whole else FIRST_ROWS)
    player.was_sent_list(standings.version if whole else -1, server.now)
    ROOM.of(server).take(rows_sent)
    server.send(player, rows_sent)
    if not whole:
        player.type.news.is_behind()
        _send_later(server, player.type, player.type.settings.champions_interval_s)


def send_final_list(server: ServerState, game_type: GameType) -> None:
    """Send the final standings of a championship to all idle players of its type (all players, unless it was
    cancelled); the next list waits its turn. Players who are not in the list get the first rows and their own."""
    idle = [player for player in game_type.players.values() if player.state is PeerState.IDLE]
    for player in idle:
        _sent(server, player)
    _send_list(server, game_type, idle, FIRST_ROWS)


def changed(server: ServerState, game_type: GameType) -> None:
    """The standings may have changed: send them now, unless a timer will do so within an interval anyway."""
    if not game_type.news.timer_runs and game_type.standings.version != game_type.news.all_sent:
        announce(server, game_type)


def announcement_due(server: ServerState, game_type: str) -> None:
    """The interval is over, or there is room: send changed standings, longest waiting first."""
    server.types[game_type].news.timer_ends()
    waiting = ROOM.of(server).waiting
    first = server.types.get(next(iter(waiting), game_type))
    if first is None:  # no longer used
        del waiting[next(iter(waiting))]
    # Types take turns: a crowd that comes and goes would keep a small type from its list for ever.
    elif first.name != game_type and _has_room(server):
        announce(server, first)
    announce(server, server.types[game_type])


def announce(server: ServerState, game_type: GameType) -> None:
    """Send the standings to idle players who have old ones and got none for an interval, as many as there is room for;
    set a timer for the others."""
    now, interval = server.now, game_type.settings.champions_interval_s
    version = game_type.standings.version
    behind = [player for player in game_type.idle if player.sent_version != version and not player.away]
    if not behind:  # the usual case: all players are in games
        game_type.news.sent(version)
        ROOM.of(server).waiting.pop(game_type.name, None)
        return
    due = [player for player in behind if now - player.sent_at >= interval - ROUNDING]
    rows_sent = _that_fit(server, game_type, due)
    for player in rows_sent:
        _sent(server, player)
    _send_list(server, game_type, rows_sent, _max_rows(server))
    waiting = ROOM.of(server).waiting
    if rows_sent or not due:
        waiting.pop(game_type.name, None)
    if len(rows_sent) < len(due):
        waiting.setdefault(game_type.name)
        _send_later(server, game_type, _until_room(server, interval))
    elif len(due) < len(behind):
        latest = min(player.sent_at for player in behind if player.sent_version != version)
        _send_later(server, game_type, max(latest + interval - now, interval * TOGETHER))
    else:
        game_type.news.sent(version)


def _that_fit(server: ServerState, game_type: GameType, due: Sequence[Player]) -> Sequence[Player]:
    """Return the due players who get the list now: at most MAX_AT_ONCE, at least one if there is any room."""
    if not _has_room(server):
        return []
    list_bytes = ROW_BYTES * max(1, min(len(game_type.standings), _max_rows(server)))
    most = min(MAX_AT_ONCE, 1 + int(ROOM.of(server).bytes / list_bytes))
    # Not sorted: thousands may be due, and at most MAX_AT_ONCE of them get it now.
    return due if len(due) <= most else nsmallest(most, due, key=lambda player: player.sent_at)


def _has_room(server: ServerState) -> bool:
    return ROOM.of(server).left(server.now, server.config.champions_bytes_per_s) > 0


def _until_room(server: ServerState, interval: float) -> float:
    """Return the seconds until the next players can get the list: 0 if only their number was too large."""
    room = ROOM.of(server).bytes
    return 0.0 if room > 0 else max(interval * TOGETHER, -room / server.config.champions_bytes_per_s + ROUNDING)


def _send_later(server: ServerState, game_type: GameType, seconds: float) -> None:
    """Set the timer for players with old standings, unless it runs."""
    if not game_type.news.timer_runs:
        game_type.news.timer_begins()
        server.start(Timer(TimerKind.CHAMPIONS, game_type.name), seconds)


def _send_list(server: ServerState, game_type: GameType, players: Sequence[Player], most_of_own: int) -> None:
    """Send these players the standings. If there are more rows than a list may have, a player whose row is not in it
    gets a list of its own: the best ``most_of_own`` rows, then its own."""
    room, most = ROOM.of(server), _max_rows(server)
    shared = game_type.standings.champions_list(most)
    among = [player for player in players if game_type.standings.is_among(player.name, most)]
    server.send_all(among, shared)
    room.take(shared, len(among))
    if len(among) < len(players):
        inside = set(among)
        for player in players:
            if player not in inside:
                rows_sent = game_type.standings.champions_list_for(player.name, most_of_own)
                # A list of its own for each costs more than the shared one, which is written once.
                room.take(rows_sent)
                server.send(player, rows_sent)


def _max_rows(server: ServerState) -> int:
    """Return how many rows a list may have: ``table_rows``, but no more than fit into a message."""
    return min(server.config.table_rows, max(1, server.config.max_message_bytes // MAX_ROW - 1))


def _sent(server: ServerState, player: Player) -> None:
    player.was_sent_list(player.type.standings.version, server.now)
