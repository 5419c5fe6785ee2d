"""Who is told the standings (``championsList``), and when.

Only idle players are: once right after they became idle, and later when the standings have changed, at most once per
``champions_interval_s``. One list is made per change, however many get it.
"""

from ugs.broker.events import Timer, TimerKind
from ugs.broker.state.desk import ROUNDING, Desk
from ugs.broker.state.model import GameType, Player

TOGETHER = 0.25
"""Players who become due within this part of the interval are told together: looking for them takes one pass over all
players."""


def welcome(desk: Desk, player: Player) -> None:
    """Send the list to a player who has just become idle, even if it has had the same one before."""
    _told(desk, player)
    desk.send(player, player.type.standings.champions_list())


def tell_final(desk: Desk, game_type: GameType) -> None:
    """Send the final standings of a championship to all players of its type, who are idle; the next list waits its
    turn."""
    for player in game_type.players.values():
        _told(desk, player)
    desk.send_all(game_type.players.values(), game_type.standings.champions_list())


def changed(desk: Desk, game_type: GameType) -> None:
    """The standings have changed: tell them now, unless a timer is going to do so within an interval anyway."""
    if not game_type.announcing:
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
        return
    ready = [player for player in behind if now - player.told_at >= interval - ROUNDING]
    later = [player.told_at for player in behind if now - player.told_at < interval - ROUNDING]
    for player in ready:
        _told(desk, player)
    desk.send_all(ready, game_type.standings.champions_list())
    if later:
        game_type.announcing = True
        seconds = max(min(later) + interval - now, interval * TOGETHER)
        desk.start(Timer(TimerKind.CHAMPIONS, game_type.name), seconds)


def _told(desk: Desk, player: Player) -> None:
    player.told_version = player.type.standings.version
    player.told_at = desk.now
