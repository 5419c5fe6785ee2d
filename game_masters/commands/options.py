"""The options that ``ugs master`` and ``ugs bot`` have in common, and how a shell completes them.

Nothing that plays is loaded for them: a shell that asks what could follow must not wait.
"""

from enum import StrEnum
from importlib.metadata import entry_points
from typing import Annotated

import typer

from game_masters.registry import GROUP, NoSuchGame, find_game, find_games
from ugs.commands.option_groups import OptionGroup
from ugs.commands.server_option import TlsOptions
from ugs.commands.token_option import TokenFile
from ugs.game_collections import collected_names, find_collections, in_collection


class LogLevel(StrEnum):
    """What is at least worth a line."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def game_names(incomplete: str) -> list[str]:
    """The installed games whose names begin so, for the completion of a shell; none of them is loaded. Those of a
    collection once its prefix is there."""
    if in_collection(incomplete):
        return [name for name in collected_names() if name.startswith(incomplete)]
    known = {point.name for point in entry_points(group=GROUP)} | {f"{prefix}:" for prefix in find_collections()}
    return sorted(name for name in known if name.startswith(incomplete))


def bot_names(context: typer.Context, incomplete: str) -> list[str]:
    """The bots whose names begin so, of the game on the line or, before it is there, of all games."""
    of = context.params.get("game")
    if of is not None and in_collection(of):
        try:
            games = [find_game(of)]
        except NoSuchGame:
            return []
    else:
        games = [found.game for found in find_games().installed if of in (None, found.game.name)]
    return sorted({bot.name for game in games for bot in game.bots if bot.name.startswith(incomplete)})


GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="Name of an installed game; see `ugs games`.", autocompletion=game_names),
]
Connect = Annotated[
    str,
    typer.Option("--connect", "--connect_to", metavar="HOST:PORT[,...]", help="Where the server listens."),
]
GameType = Annotated[
    str | None, typer.Option(metavar="TYPE", help="Name of the game on the wire, if not the game's own.")
]
GameOptions = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="K=V", help="An option of the game, as often as needed; see `ugs games GAME`."),
]
PlainV4 = Annotated[
    bool, typer.Option("--v4", help="Speak plain UGS v4, without extensions; for servers that reject them.")
]
Once = Annotated[bool, typer.Option("--once", help="Do not connect again when the connection is lost.")]
Level = Annotated[LogLevel, typer.Option(help="Write log lines of at least this level.")]


class WireOptions(OptionGroup):
    """The game as the server knows it: its name on the wire, and its options."""

    game_type: GameType = None
    option: GameOptions = None


class LineOptions(OptionGroup):
    """The line of a master or a bot to its server."""

    token_file: TokenFile = None
    v4: PlainV4 = False
    once: Once = False
    log_level: Level = LogLevel.INFO
    tls: TlsOptions
