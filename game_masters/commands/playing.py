"""What the commands ``ugs master`` and ``ugs bot`` have in common: options of the command line, and the run itself.

Exit codes: 0 all went well, 1 refused or failed, 2 the command line is wrong.
"""

import random
import ssl
import time
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import structlog
import trio
import typer

from game_masters.kit.client import Client
from game_masters.kit.keeping import Keeping
from game_masters.kit.memory import News, Whose
from game_masters.kit.rules import AnyGame, BadOption, Options
from game_masters.kit.run import forget, run_until_signal
from game_masters.registry import NoSuchGame, find_game, find_games
from ugs import peer
from ugs.commands.connecting import server_at
from ugs.log import configure_logging
from ugs.state_files import default_path, forget_old


class LogLevel(StrEnum):
    """What is at least worth a line."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def game_names(incomplete: str) -> list[str]:
    """The installed games whose names begin so, for the completion of a shell."""
    return sorted(game.game.name for game in find_games().installed if game.game.name.startswith(incomplete))


def bot_names(context: typer.Context, incomplete: str) -> list[str]:
    """The bots whose names begin so, of the game on the line or, before it is there, of all games."""
    of = context.params.get("game")
    games = [found.game for found in find_games().installed if of in (None, found.game.name)]
    return sorted({bot.name for game in games for bot in game.bots if bot.name.startswith(incomplete)})


GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="Name of an installed game; see `ugs games`.", autocompletion=game_names),
]
Connect = Annotated[
    str,
    typer.Option("--connect", "--connect_to", metavar="HOST:PORT", help="Where the server listens."),
]
GameType = Annotated[
    str | None, typer.Option(metavar="TYPE", help="Name of the game on the wire, if not the game's own.")
]
GameOptions = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="K=V", help="An option of the game, as often as needed; see `ugs games`."),
]
PlainV4 = Annotated[
    bool, typer.Option("--v4", help="Speak plain UGS v4, without extensions; for servers that cannot bear them.")
]
Once = Annotated[bool, typer.Option("--once", help="Do not connect again when the connection is lost.")]
Level = Annotated[LogLevel, typer.Option(help="Write log lines of at least this level.")]


def game_named(name: str) -> AnyGame:
    """An installed game. Raises typer.BadParameter for any other name."""
    try:
        return find_game(name)
    except NoSuchGame as error:
        raise typer.BadParameter(str(error), param_hint="GAME") from error


def options_of(game: AnyGame, pairs: list[str] | None) -> Options:
    """The options that ``--option K=V`` asks for, the others at their defaults. Raises typer.BadParameter."""
    texts: dict[str, str] = {}
    for pair in pairs or []:
        name, equals, value = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"{pair!r} is not of the form K=V", param_hint="--option")
        texts[name] = value
    try:
        return game.choose_options(texts)
    except BadOption as error:
        raise typer.BadParameter(str(error), param_hint="--option") from error


def keeping_of(file: Path | None, address: str, nick: str, game_type: str, log_level: LogLevel) -> Keeping:
    """What keeps the memory of a bot, in ``file`` or in its usual place. Raises typer.BadParameter where there is
    none."""
    host, port = server_at(address)
    server = f"{host}:{port}"
    configure_logging(log_level)
    try:
        path = file or default_path(server, nick)
    except RuntimeError as error:
        raise typer.BadParameter(f"there is no usual place: {error}", param_hint="--state") from error
    if file is None:
        forget_old(path, time.time())
    log = structlog.get_logger().bind(role="bot", nick=nick)
    return Keeping(path.absolute(), Whose(server, nick, game_type), log)


def run(
    client: Client,
    address: str,
    *,
    once: bool,
    rng: random.Random,
    log_level: LogLevel,
    role: str,
    name: str,
    keep: Callable[[News], None] = forget,
    tls: ssl.SSLContext | None = None,
) -> None:
    """Run a master or a bot until it is done or told to stop; ``tls`` encrypts its line. Raises typer.Exit with the
    exit code."""
    host, port = server_at(address)
    configure_logging(log_level)
    log = structlog.get_logger().bind(role=role, game_name=name, server=address)
    dial = partial(peer.connect, host, port, tls=tls)
    raise typer.Exit(trio.run(partial(run_until_signal, client, dial, once=once, rng=rng, log=log, keep=keep)))
