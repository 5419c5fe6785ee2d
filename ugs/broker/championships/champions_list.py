"""Who is told the standings (``championsList``), and when.

Only idle players are: once right after they became idle, and later when the standings have changed, at most once per
``champions_interval_s``. One list is made per change, however many get it.
"""

from collections.abc import Sequence

from ugs.broker.events import Timer, TimerKind
from ugs.broker.state.connection import PeerState
from ugs.broker.state.desk import ROUNDING, Desk
from ugs.broker.state.model import GameType, Player

LONGEST_ROW = 512
"""Bytes that a row can have at most: a nick of 64 characters, each of them written as six bytes, and two numbers."""
TOGETHER = 0.25
"""Players who become due within this part of the interval are told together: looking for them takes one pass over all
players."""


def welcome(desk: Desk, player: Player) -> None:
    """Send the list to a player who has just become idle, even if it has had the same one before."""
    _told(desk, player)
    desk.send(player, player.type.standings.champions_list_for(player.name, _most_rows(desk)))


def tell_final(desk: Desk, game_type: GameType) -> None:
    """Send the final standings of a championship to all idle players of its type, which is all of them unless it was
    cancelled; the next list waits its turn."""
    idle = [player for player in game_type.players.values() if player.state is PeerState.IDLE]
    for player in idle:
        _told(desk, player)
    _tell(desk, game_type, idle)


def changed(desk: Desk, game_type: GameType) -> None:
    """The standings may have changed: tell them now, unless a timer is going to do so within an interval anyway."""
    if not game_type.announcing and game_type.standings.version != game_type.all_told:
        announce(desk, game_type)


def announcement_due(desk: Desk, game_type: str) -> None:
    """The interval is over: tell changed standings."""
    announce(desk, desk.types[game_type])


def announce(desk: Desk, game_type: GameType) -> None:
    """Tell the standings to idle players who have older ones and have had none for an interval; set a timer for the
    others."""
    now, interval = desk.now, game_type.settings.champions_interval_s
    game_type.announcing = False
    version = game_type.standings.version
    behind = [player for player in game_type.idle if player.told_version != version and not player.away]
    if not behind:  # where everybody plays, after every game
        game_type.all_told = version
        return
    ready = [player for player in behind if now - player.told_at >= interval - ROUNDING]
    later = [player.told_at for player in behind if now - player.told_at < interval - ROUNDING]
    for player in ready:
        _told(desk, player)
    _tell(desk, game_type, ready)
    if later:
        game_type.announcing = True
        seconds = max(min(later) + interval - now, interval * TOGETHER)
        desk.start(Timer(TimerKind.CHAMPIONS, game_type.name), seconds)
    else:
        game_type.all_told = version


def _tell(desk: Desk, game_type: GameType, players: Sequence[Player]) -> None:
    """Tell these players the standings. Where there are more rows than one list may have, a player whose row is not
    among them gets a list of its own."""
    most = _most_rows(desk)
    shared = game_type.standings.champions_list(most)
    lists = [(player, game_type.standings.champions_list_for(player.name, most)) for player in players]
    desk.send_all([player for player, told in lists if told is shared], shared)
    for player, told in lists:
        if told is not shared:
            desk.send(player, told)


def _most_rows(desk: Desk) -> int:
    """How many rows a list may have: ``table_rows``, and never more than fit into a message."""
    return min(desk.config.table_rows, max(1, desk.config.max_message_bytes // LONGEST_ROW - 1))


def _told(desk: Desk, player: Player) -> None:
    player.told_version = player.type.standings.version
    player.told_at = desk.now
