"""The command ``ugs bot``."""

import random
from pathlib import Path
from typing import Annotated

import typer

from game_masters.commands.options import (
    Connect,
    GameName,
    GameOptions,
    GameType,
    Level,
    LogLevel,
    Once,
    PlainV4,
    bot_names,
)
from ugs.address import DEFAULT_ADDRESS
from ugs.commands.server_option import Ca, Cert, Key, Tls, encryption
from ugs.commands.token_option import TokenFile, token_in

ENGINES = "Engines: a program that speaks a protocol of its own plays"
TABLES = "Tables: play with whom you choose"


def bot(
    game: GameName,
    nick: Annotated[str, typer.Option(help="Nick of the bot, unique on the server.")],
    connect: Connect = DEFAULT_ADDRESS,
    bot: Annotated[
        str | None,
        typer.Option("--bot", metavar="NAME", help="Which bot plays; see `ugs games`.", autocompletion=bot_names),
    ] = None,
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
    resume: Annotated[
        str | None,
        typer.Option(
            metavar="CODE", help="Go on at this table with a game that its players have kept.", rich_help_panel=TABLES
        ),
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            help="Where the bot keeps what it needs to play on when it is started again.  [default: a file for this "
            "nick at this server in the user's directory for state]",
        ),
    ] = None,
    no_state: Annotated[bool, typer.Option("--no-state", help="Keep nothing and start afresh.")] = False,
    log: Annotated[
        Path | None,
        typer.Option(
            "--log",
            metavar="FILE",
            dir_okay=False,
            help="Add the dialogue with the server to this file, without secrets.",
        ),
    ] = None,
    token_file: TokenFile = None,
    v4: PlainV4 = False,
    once: Once = False,
    log_level: Level = LogLevel.INFO,
    tls: Tls = False,
    ca: Ca = None,
    cert: Cert = None,
    key: Key = None,
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="[-- COMMAND]", help="Where GAME is a protocol of engines: how its engine is started."),
    ] = None,
    played: Annotated[
        str | None,
        typer.Option("--game", metavar="NAME", help="The game that an engine plays.", rich_help_panel=ENGINES),
    ] = None,
    engine_option: Annotated[
        list[str] | None,
        typer.Option(metavar="K=V", help="An option of the engine, as often as needed.", rich_help_panel=ENGINES),
    ] = None,
    go: Annotated[
        str,
        typer.Option(
            metavar="WORDS",
            help='How long an engine thinks, in the words of its protocol, such as "nodes 5000".  [default: by the '
            "clock of the game; without one, a second]",
            rich_help_panel=ENGINES,
        ),
    ] = "",
) -> None:
    """Play games: connect a bot to a server, and again whenever the connection is lost.

    A game goes on where it was when the connection is back soon enough, if the server grants sessions; also when the
    bot was killed and is started again. A bot of a game with options needs the same ones as the master that leads the
    game.

    With --advertise or --join it plays at tables instead of waiting in the pool, and sits down again for each of
    its --games. There it plays with the options of the table: those of --option with --advertise, else those that the
    game master offers. `ugs lobby` shows who and what is there.

    Examples:

        ugs bot tic-tac-toe --nick ada

        ugs bot tic-tac-toe --nick bob --bot random --games 10 --think-ms 200

        ugs bot tic-tac-toe --nick ada --advertise "Friday table" --private --invite bob

        ugs bot tic-tac-toe --nick bob --join "Friday table"

        ugs bot tic-tac-toe --nick ada --advertise "Me and it" --computers 1

        ugs bot tic-tac-toe --nick ada --connect games.example.org:4747 --tls

        ugs bot uci --nick fish --go "nodes 5000" -- stockfish
    """
    # A shell that asks for the options does not wait for these.
    from game_masters.commands import playing
    from game_masters.commands.engines import check_played, engine_started, orders_of, protocol_named
    from game_masters.kit.run import forget
    from game_masters.kit.table_options import BadTable, TableOptions

    encrypted = encryption(tls, ca, cert, key)
    protocol = protocol_named(game)
    chosen = playing.game_named(played or protocol.game if protocol is not None else game)
    options = playing.options_of(chosen, option)
    orders = orders_of(command, engine_option, go)
    if protocol is not None:
        check_played(protocol, chosen)
    elif command or engine_option or go or played is not None:
        raise typer.BadParameter(f"{game} is no protocol of engines, such as uci", param_hint="GAME")
    else:
        try:
            chosen.bot(bot)
        except KeyError as error:
            raise typer.BadParameter(str(error.args[0]), param_hint="--bot") from error
    table_options = TableOptions(advertise, join, seats, private, tuple(invite or ()), computers, start_with, resume)
    choices = playing.choices_of(chosen, options, option)
    try:
        place = table_options.place(chosen, game_type or chosen.game_type, choices, v4=v4)
    except BadTable as error:
        raise typer.BadParameter(error.text, param_hint=error.option) from error
    keeping = None
    # Plain v4 has no sessions: there is nothing to come back with.
    if not (v4 or no_state):
        keeping = playing.keeping_of(state, connect, nick, game_type or chosen.game_type, log_level)
    token = token_in(token_file)
    dialogue = playing.dialogue_of(log, token)
    engine = None if protocol is None else engine_started(protocol, orders, options)
    # One source of chance for the choices alone, so that reconnecting does not change how a seeded bot plays.
    client = playing.Player(
        chosen,
        options,
        chosen.bot(bot) if engine is None else engine.bot(),
        nick=nick,
        rng=random.Random(seed),
        game_type=game_type,
        games=1 if games is None and place is not None else games,
        think_s=think_ms / 1000,
        place=place,
        v4=v4,
        memory=keeping.open() if keeping is not None else None,
        token=token,
    )
    playing.run(
        client,
        connect,
        once=once,
        rng=random.Random(seed),
        log_level=log_level,
        role="bot",
        name=chosen.name,
        keep=keeping.keep if keeping is not None else forget,
        tls=encrypted,
        dialogue=dialogue,
        closing=() if engine is None else (engine.close,),
    )
