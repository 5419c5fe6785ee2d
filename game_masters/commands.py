"""The commands ``ugs master``, ``ugs bot`` and ``ugs games``.

Exit codes: 0 all went well, 1 refused or failed, 2 the command line is wrong.
"""

import json
import os
import random
import secrets
import socket
from enum import StrEnum
from functools import partial
from typing import Annotated

import structlog
import trio
import typer
from rich.console import Console
from rich.table import Table as Grid

from game_masters.kit.client import Client
from game_masters.kit.leading import PayloadCheck
from game_masters.kit.master import Master
from game_masters.kit.player import Player
from game_masters.kit.rules import AnyGame, BadOption, Options, Unreadable
from game_masters.kit.run import run_until_signal
from game_masters.kit.seating import written
from game_masters.kit.table_options import BadTable, TableOptions
from game_masters.registry import NoSuchGame, Registry, find_games
from ugs import peer
from ugs.address import DEFAULT_ADDRESS, read_address
from ugs.log import configure_logging
from ugs.wire.codec import WrongMessage
from ugs.wire.messages import Choice

PANEL = "Games"
TABLES = "Tables: play with whom you choose"


class LogLevel(StrEnum):
    """The least severe log line that is shown."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


GameName = Annotated[str, typer.Argument(metavar="GAME", help="Name of an installed game; see `ugs games`.")]
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


def register(app: typer.Typer) -> None:
    """Add the commands to the command line of ``ugs``."""
    app.command("master", rich_help_panel=PANEL)(master)
    app.command("bot", rich_help_panel=PANEL)(bot)
    app.command("player", hidden=True)(bot)
    app.command("games", rich_help_panel=PANEL)(games)


def master(
    game: GameName,
    connect: Connect = DEFAULT_ADDRESS,
    id: Annotated[
        str | None, typer.Option("--id", help="Name of this master on the server.  [default: made up]")
    ] = None,
    game_type: GameType = None,
    option: GameOptions = None,
    seed: Annotated[
        str | None,
        typer.Option(
            help="Makes chance repeatable where the server gives no seeds: same seed, same game id, same luck. "
            "Keep it from the players."
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Check payloads, sent and received, against the game's XML schema.")
    ] = False,
    v4: PlainV4 = False,
    once: Once = False,
    log_level: Level = LogLevel.INFO,
) -> None:
    """Lead games: connect to a server as the game master of GAME, and again whenever the connection is lost.

    Examples:

        ugs master tic-tac-toe

        ugs master tic-tac-toe --connect games.example.org:4747 --option width=15 --option height=15
    """
    chosen = _game(game)
    options = _options(chosen, option)
    secret = secrets.token_hex(16) if seed is None else seed
    if v4 and chosen.hides(options):
        always = chosen.hides(chosen.choose_options({}))
        what = chosen.name if always else f"{chosen.name} with {', '.join(option or [])}"
        raise typer.BadParameter(
            f"{what} has hidden information, and plain v4 shows every state to all players", param_hint="--v4"
        )
    client = Master(
        chosen,
        options,
        id=id or f"{chosen.name}-{socket.gethostname()}-{os.getpid()}"[:64],
        chance=lambda game_id: random.Random(f"{secret} {game_id}"),
        game_type=game_type,
        check=_payload_check(chosen) if check else None,
        v4=v4,
    )
    _run(client, connect, once=once, rng=random.Random(), log_level=log_level, role="master", name=chosen.name)


def bot(
    game: GameName,
    nick: Annotated[str, typer.Option(help="Nick of the bot, unique on the server.")],
    connect: Connect = DEFAULT_ADDRESS,
    bot: Annotated[str | None, typer.Option("--bot", metavar="NAME", help="Which bot plays; see `ugs games`.")] = None,
    games: Annotated[
        int | None,
        typer.Option(min=1, help="Log out after this many games.  [default: never; 1 with --advertise or --join]"),
    ] = None,
    think_ms: Annotated[int, typer.Option(min=0, help="Milliseconds to wait before each move.")] = 0,
    seed: Annotated[int | None, typer.Option(help="Makes the bot's choices repeatable.")] = None,
    game_type: GameType = None,
    option: GameOptions = None,
    advertise: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Set up a table of this name and play there.", rich_help_panel=TABLES),
    ] = None,
    seats: Annotated[
        int | None,
        typer.Option(
            min=2,
            help="Seats at the table, computers included.  [default: one for you, each guest and each computer, and as "
            "many as the game needs]",
            rich_help_panel=TABLES,
        ),
    ] = None,
    private: Annotated[
        bool, typer.Option("--private", help="Only those who are invited may sit down.", rich_help_panel=TABLES)
    ] = False,
    invite: Annotated[
        list[str] | None,
        typer.Option(metavar="NICK", help="Ask this player to come; as often as needed.", rich_help_panel=TABLES),
    ] = None,
    computers: Annotated[
        int | None, typer.Option(min=0, help="Seats that the game master plays.", rich_help_panel=TABLES)
    ] = None,
    start_with: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Begin when this many players sit there, you included; the game master plays the free seats.  "
            "[default: begin when no seat is free]",
            rich_help_panel=TABLES,
        ),
    ] = None,
    join: Annotated[
        str | None,
        typer.Option(
            metavar="TABLE",
            help="Sit down at this table, by name or id, as soon as there is one.",
            rich_help_panel=TABLES,
        ),
    ] = None,
    v4: PlainV4 = False,
    once: Once = False,
    log_level: Level = LogLevel.INFO,
) -> None:
    """Play games: connect a bot to a server, and again whenever the connection is lost.

    A game goes on where it was when the connection is back soon enough, if the server grants sessions. A bot of a game
    with options needs the same ones as the master that leads the game.

    With --advertise or --join it plays at tables instead of waiting in the pool, and sits down again for each of
    its --games. There the options are those of the table: what --option says with --advertise, else what the game
    master offers. `ugs lobby` shows who and what is there.

    Examples:

        ugs bot tic-tac-toe --nick ada

        ugs bot tic-tac-toe --nick bob --bot random --games 10 --think-ms 200

        ugs bot tic-tac-toe --nick ada --advertise "Friday table" --private --invite bob

        ugs bot tic-tac-toe --nick bob --join "Friday table"

        ugs bot tic-tac-toe --nick ada --advertise "Me and it" --computers 1
    """
    chosen = _game(game)
    options = _options(chosen, option)
    try:
        brain = chosen.bot(bot)
    except KeyError as error:
        raise typer.BadParameter(str(error.args[0]), param_hint="--bot") from error
    table_options = TableOptions(advertise, join, seats, private, tuple(invite or ()), computers, start_with)
    try:
        place = table_options.place(chosen, game_type or chosen.game_type, _choices(chosen, options, option), v4=v4)
    except BadTable as error:
        raise typer.BadParameter(error.text, param_hint=error.option) from error
    # One source of chance for the choices alone, so that reconnecting does not change how a seeded bot plays.
    client = Player(
        chosen,
        options,
        brain,
        nick=nick,
        rng=random.Random(seed),
        game_type=game_type,
        games=1 if games is None and place is not None else games,
        think_s=think_ms / 1000,
        place=place,
        v4=v4,
    )
    _run(client, connect, once=once, rng=random.Random(seed), log_level=log_level, role="bot", name=chosen.name)


def games(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Show the installed games with their players, options and bots.

    A package that declares a game but cannot be used is named on standard error, and the exit code is 1.
    """
    registry = find_games()
    if as_json:
        typer.echo(json.dumps({"games": _described(registry)}, indent=2))
    else:
        _print_games(registry)
    for broken in registry.broken:
        typer.echo(f"Error: {broken}", err=True)
    if registry.broken:
        raise typer.Exit(1)


def _described(registry: Registry) -> list[dict[str, object]]:
    """Return what ``ugs games --json`` prints."""
    return [
        {
            "name": game.name,
            "game_type": game.game_type,
            "summary": game.summary,
            "package": entry.package,
            "players_min": game.players_min,
            "players_max": game.players_max,
            "hidden_information": game.hidden_information,
            "simultaneous": game.simultaneous,
            "chance": game.chance,
            "options": [
                {
                    "name": option.name,
                    "type": option.type,
                    "default": option.default,
                    "allowed": option.allowed_text,
                    "explanation": option.explanation,
                }
                for option in game.options
            ],
            "bots": [{"name": bot.name, "explanation": bot.explanation} for bot in game.bots],
        }
        for entry in registry.installed
        for game in [entry.game]
    ]


def _print_games(registry: Registry) -> None:
    grid = Grid(show_lines=True)
    for heading in ("game", "players", "options", "bots"):
        grid.add_column(heading, no_wrap=heading == "players", overflow="fold")
    for entry in registry.installed:
        game = entry.game
        players = f"{game.players_min}" + (f" to {game.players_max}" if game.players_max > game.players_min else "")
        options = (
            f"{option.name}={option.written(option.default)} ({option.allowed_text}): {option.explanation}"
            for option in game.options
        )
        bots = (f"{bot.name}: {bot.explanation}" for bot in game.bots)
        title = f"{game.name}\n{game.summary}\ngame type {game.game_type}, package {entry.package}"
        grid.add_row(title, players, "\n".join(options), "\n".join(bots))
    Console().print(grid)


def _game(name: str) -> AnyGame:
    try:
        return find_games().game(name)
    except NoSuchGame as error:
        raise typer.BadParameter(str(error), param_hint="GAME") from error


def _options(game: AnyGame, pairs: list[str] | None) -> Options:
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


def _choices(game: AnyGame, options: Options, pairs: list[str] | None) -> tuple[Choice, ...]:
    """Return the options of the command line in the form of the wire."""
    named = {pair.partition("=")[0] for pair in pairs or []}
    return tuple(Choice(name, value) for name, value in written(game, options).items() if name in named)


def _payload_check(game: AnyGame) -> PayloadCheck:
    """Return the check of payloads against the game's schema, in the form that the master needs."""
    # Reading schemas takes a library that is slow to load, and most masters run without it.
    from ugs.wire.schema import PayloadSchema

    schema = PayloadSchema(game.schema)

    def check(payload: bytes) -> None:
        try:
            schema.check(payload)
        except WrongMessage as error:
            raise Unreadable(str(error)) from error

    return check


def _run(
    client: Client, address: str, *, once: bool, rng: random.Random, log_level: LogLevel, role: str, name: str
) -> None:
    host, port = read_address(address)
    configure_logging(log_level)
    log = structlog.get_logger().bind(role=role, game_name=name, server=address)
    dial = partial(peer.connect, host, port)
    raise typer.Exit(trio.run(partial(run_until_signal, client, dial, once=once, rng=rng, log=log)))
