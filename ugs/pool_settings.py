"""The settings that control when the players of a pool meet, and which of them; they may differ from one game type to
the next. :class:`ugs.config.GameTypeSettings` holds them."""

from ugs.declared import Declared, declared
from ugs.setting_types import Seconds


class PoolSettings(Declared):
    """How players of the same game type are brought together in open play."""

    gather_s: Seconds = declared(
        0,
        description="seconds to wait for more players once the minimum number for a game is there; 0: as the game "
        "master offers, at once if it offers nothing",
    )
    players_wanted: int = declared(
        0,
        ge=0,
        description="open play: a game waits that long for this many players, and takes no more; 0: as the game master "
        "offers, playersMax if it offers nothing",
    )
    gather_as_offered: bool = declared(
        True,
        description="whether the game master's word counts where gather_s or players_wanted is 0; if not, games begin "
        "at once, with up to playersMax players",
    )
    variety_s: Seconds = declared(
        1,
        description="open play: minimum seconds that players of the same game wait for others to come free; in small "
        "pools longer, until all have met all equally often; 0: first come, first served",
    )
    max_pool: int = declared(10_000, ge=2, description="players that may wait for a game of one type")
    player_strikes: int = declared(
        3,
        ge=0,
        description="after this many games in a row lost by own faults (too late, or against the rules) a player is "
        "not seated in open play for a while, longer each time, unless it sends anything but a question; 0: always",
    )
