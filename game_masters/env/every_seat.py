"""All seats of a game as one environment: the rules in this process, or games at a running server."""

from collections.abc import Mapping
from typing import Any, overload

from game_masters.env.aec import GameEnv, game_env
from game_masters.env.remote_aec import RemoteGameEnv, remote_game_env
from game_masters.kit.rules import AnyGame, OptionValue
from game_masters.registry import find_game


@overload
def aec_env(
    game: str | AnyGame,
    *,
    address: None = None,
    players: int | None = None,
    options: Mapping[str, OptionValue] | None = None,
    **more: Any,
) -> GameEnv: ...


@overload
def aec_env(
    game: str | AnyGame,
    *,
    address: str,
    players: int | None = None,
    options: Mapping[str, OptionValue] | None = None,
    **more: Any,
) -> RemoteGameEnv: ...


def aec_env(
    game: str | AnyGame,
    *,
    address: str | None = None,
    players: int | None = None,
    options: Mapping[str, OptionValue] | None = None,
    **more: Any,
) -> GameEnv | RemoteGameEnv:
    """Return an installed game as a PettingZoo AEC environment.

    ``game`` is a name as in ``ugs games``. ``players`` is the number of seats (None: as few as the game allows),
    ``options`` those of the game. ``more`` goes to :func:`game_masters.env.aec.game_env`, or, with ``address``
    (HOST:PORT), to :func:`game_masters.env.remote_aec.remote_game_env`: then the games are played at a running server.
    Raises NoSuchGame, BadOption, ValueError.
    """
    if address is None:
        return game_env(game, players=players, options=options, **more)
    found = find_game(game) if isinstance(game, str) else game
    return remote_game_env(found, address, players=players, options=options, **more)
