"""Lists for the lobby: who is here, and what is played."""

from ugs.broker.desk import Desk, GameType
from ugs.broker.extensions.choices import has_programs, masters_of, offered
from ugs.broker.extensions.refusal import Refusal
from ugs.broker.link import Link
from ugs.wire.extensions import (
    GameTypeInfo,
    GameTypes,
    ListGameTypes,
    ListPlayers,
    OfferedOption,
    PlayerInfo,
    Players,
)


class Lists:
    """Answers who and what is here."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def players(self, link: Link, message: ListPlayers) -> Refusal | None:
        """Everybody who is logged in, or may come back, in the order of the logins."""
        players = tuple([self._player(one) for one in self._desk.nicks.values()])
        self._desk.tell([link], Players(players, message.ref))
        return None

    def game_types(self, link: Link, message: ListGameTypes) -> Refusal | None:
        """Every game type that somebody here plays or leads, in the order of names."""
        types = [known for known in self._desk.types.values() if known.players or known.masters]
        games = tuple([_game_type(known) for known in sorted(types, key=lambda known: known.name)])
        self._desk.tell([link], GameTypes(games, message.ref))
        return None

    def _player(self, link: Link) -> PlayerInfo:
        desk = self._desk
        assert link.type is not None
        silent_s = desk.now - link.active_at
        play, game_id = "WAITING", ""
        if link.table is not None:
            play, game_id = "JOINED", link.table.id
        elif link.game is not None:
            play, game_id = "PLAYING", link.game.id
        if silent_s >= desk.config.player_inactive_s:
            activity = "INACTIVE"
        else:
            idle = link.away or silent_s >= desk.config.player_idle_s
            activity = "IDLE" if idle else "ACTIVE"
        return PlayerInfo(
            link.name,
            link.type.name,
            desk.now - link.since,
            silent_s,
            "DISCONNECTED" if link.away else "CONNECTED",
            activity,
            play,
            game_id,
        )


def _game_type(game_type: GameType) -> GameTypeInfo:
    masters = masters_of(game_type)
    options: dict[str, OfferedOption] = {}
    for option in offered(game_type):
        options.setdefault(option.name, option)
    return GameTypeInfo(
        game_type.name,
        min((one.players_min for one in masters), default=0),
        max((one.players_max for one in masters), default=0),
        bool(masters),
        has_programs(game_type),
        tuple(options.values()),
    )
