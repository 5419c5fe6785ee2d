"""The command ``ugs bot``."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from game_masters.commands.options import Connect, GameName, LineOptions, WireOptions, bot_names
from ugs.address import DEFAULT_ADDRESS
from ugs.commands.name_options import checked_nick
from ugs.commands.option_groups import OptionGroup, with_groups
from ugs.commands.token_option import token_in

if TYPE_CHECKING:
    from game_masters.kit.bot import Bot
    from game_masters.kit.engine import EngineProtocol
    from game_masters.kit.rules import AnyGame
    from game_masters.kit.tables import Place
    from ugs.wire.messages import Choice

ENGINES = "Engines: a program that speaks a protocol of its own plays"
TABLES = "Tables: play with whom you choose"


class PlayOptions(OptionGroup):
    """Which bot plays, how many games, and with which options."""

    bot: Annotated[
        str | None,
        typer.Option("--bot", metavar="NAME", help="Which bot plays; see `ugs games GAME`.", autocompletion=bot_names),
    ] = None
    games: Annotated[
        int | None,
        typer.Option(min=1, help="Log out after this many games.  [default: never; 1 with --advertise or --join]"),
    ] = None
    think_ms: Annotated[int, typer.Option(min=0, help="Milliseconds to wait before each move.")] = 0
    seed: Annotated[int | None, typer.Option(help="Makes the bot's choices repeatable.")] = None
    wire: WireOptions


class PlaceOptions(OptionGroup):
    """At which table the bot plays, if at one."""

    advertise: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Set up a table of this name and play there.", rich_help_panel=TABLES),
    ] = None
    seats: Annotated[
        int | None,
        typer.Option(
            min=2,
            help="Seats at the table, computers included.  [default: one for you, each guest and each computer, and as "
            "many as the game needs]",
            rich_help_panel=TABLES,
        ),
    ] = None
    private: Annotated[
        bool, typer.Option("--private", help="Only those who are invited may sit down.", rich_help_panel=TABLES)
    ] = False
    invite: Annotated[
        list[str] | None,
        typer.Option(metavar="NICK", help="Ask this player to come; as often as needed.", rich_help_panel=TABLES),
    ] = None
    computers: Annotated[
        int | None, typer.Option(min=0, help="Seats that the game master plays.", rich_help_panel=TABLES)
    ] = None
    start_with: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Begin when this many players sit there, you included; the game master plays the free seats.  "
            "[default: begin when no seat is free]",
            rich_help_panel=TABLES,
        ),
    ] = None
    join: Annotated[
        str | None,
        typer.Option(
            metavar="TABLE",
            help="Sit down at this table, by name or id, as soon as there is one.",
            rich_help_panel=TABLES,
        ),
    ] = None
    resume: Annotated[
        str | None,
        typer.Option(
            metavar="CODE", help="Go on at this table with a game that its players have kept.", rich_help_panel=TABLES
        ),
    ] = None


class StateOptions(OptionGroup):
    """What the bot writes down."""

    state: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            help="Where the bot keeps what it needs to play on when it is started again.  [default: a file for this "
            "nick at this server in the user's directory for state]",
        ),
    ] = None
    no_state: Annotated[bool, typer.Option("--no-state", help="Keep nothing and start afresh.")] = False
    log: Annotated[
        Path | None,
        typer.Option(
            "--log",
            metavar="FILE",
            dir_okay=False,
            help="Add the dialogue with the server to this file, without secrets.",
        ),
    ] = None


class EngineOptions(OptionGroup):
    """The engine that plays, if one does."""

    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="[-- COMMAND]", help="Where GAME is a protocol of engines: how its engine is started."),
    ] = None
    played: Annotated[
        str | None,
        typer.Option("--game", metavar="NAME", help="The game that an engine plays.", rich_help_panel=ENGINES),
    ] = None
    engine_option: Annotated[
        list[str] | None,
        typer.Option(metavar="K=V", help="An option of the engine, as often as needed.", rich_help_panel=ENGINES),
    ] = None
    go: Annotated[
        str,
        typer.Option(
            metavar="WORDS",
            help='How long an engine thinks, in the words of its protocol, such as "nodes 5000".  [default: by the '
            "clock of the game; without one, a second]",
            rich_help_panel=ENGINES,
        ),
    ] = ""

    @property
    def given(self) -> bool:
        """Whether any of the options is on the command line."""
        return bool(self.command or self.engine_option or self.go) or self.played is not None


@with_groups
def bot(
    *,
    game: GameName,
    nick: Annotated[str, typer.Option(help="Nick of the bot, unique on the server.", callback=checked_nick)],
    connect: Connect = DEFAULT_ADDRESS,
    play: PlayOptions,
    tables: PlaceOptions,
    kept: StateOptions,
    line: LineOptions,
    engine: EngineOptions,
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
    from game_masters.commands.engines import engine_started, orders_of, protocol_named
    from game_masters.kit.run import forget

    encrypted = line.tls.context()
    protocol = protocol_named(game)
    chosen = playing.game_named(engine.played or protocol.game if protocol is not None else game)
    options = playing.options_of(chosen, play.wire.option)
    orders = orders_of(engine.command, engine.engine_option, engine.go)
    _check_who_plays(game, protocol, chosen, play.bot, engine)
    place = _place(tables, chosen, play.wire, playing.choices_of(chosen, options, play.wire.option), v4=line.v4)
    keeping = None
    # Plain v4 has no sessions: there is nothing to come back with.
    if line.v4 and kept.state is not None:
        raise typer.BadParameter("plain v4 has no sessions, so there is nothing to keep", param_hint="--state")
    if kept.no_state and kept.state is not None:
        raise typer.BadParameter("does not go with --no-state", param_hint="--state")
    if not (line.v4 or kept.no_state):
        game_type = play.wire.game_type or chosen.game_type
        keeping = playing.keeping_of(kept.state, connect, nick, game_type, line.log_level)
    token = token_in(line.token_file)
    dialogue = playing.dialogue_of(kept.log, token)
    running = None if protocol is None else engine_started(protocol, orders, options)
    playing_bot = chosen.bot(play.bot) if running is None else running.bot()
    # One source of chance for the choices alone, so that reconnecting does not change how a seeded bot plays.
    client = playing.Player(
        chosen,
        options,
        playing_bot,
        nick=nick,
        rng=random.Random(play.seed),
        game_type=play.wire.game_type,
        games=1 if play.games is None and place is not None else play.games,
        think_s=play.think_ms / 1000,
        place=place,
        v4=line.v4,
        memory=keeping.open() if keeping is not None else None,
        token=token,
    )
    playing.run(
        client,
        playing.Dialled(connect, encrypted, dialogue),
        line,
        rng=random.Random(play.seed),
        name=chosen.name,
        keep=keeping.keep if keeping is not None else forget,
        closing=() if running is None else (running.close,),
        begins=_begins(nick, playing_bot, () if running is not None else chosen.bots),
    )


def _begins(nick: str, bot: "Bot[Any, Any]", bots: "Sequence[Bot[Any, Any]]") -> dict[str, object]:
    """The fields of the first line of the log: which of ``bots`` plays."""
    others = [one.name for one in bots if one.name != bot.name]
    return {"nick": nick.partition("#")[0], "bot": bot.name, "does": bot.explanation, "others": others}


def _check_who_plays(
    word: str, protocol: "EngineProtocol | None", game: "AnyGame", bot: str | None, engine: EngineOptions
) -> None:
    """Raise typer.BadParameter unless an engine of ``protocol`` plays this game, or without one the game has this bot.
    ``word`` is what stands for GAME on the command line."""
    if protocol is not None:
        from game_masters.commands.engines import check_played

        check_played(protocol, game)
        return
    if engine.given:
        why = f"{word} is no protocol of engines, such as uci"
        if engine.command:
            why += f", so there is nothing to start with {engine.command[0]!r}"
        raise typer.BadParameter(why, param_hint="GAME")
    try:
        game.bot(bot)
    except KeyError as error:
        raise typer.BadParameter(str(error.args[0]), param_hint="--bot") from error


def _place(
    tables: PlaceOptions, game: "AnyGame", wire: WireOptions, choices: "tuple[Choice, ...]", *, v4: bool
) -> "Place | None":
    """Where the bot plays; None: in the pool. Raises typer.BadParameter."""
    from game_masters.kit.table_options import BadTable, TableOptions

    options = TableOptions(
        tables.advertise,
        tables.join,
        tables.seats,
        tables.private,
        tuple(tables.invite or ()),
        tables.computers,
        tables.start_with,
        tables.resume,
    )
    try:
        return options.place(game, wire.game_type or game.game_type, choices, v4=v4)
    except BadTable as error:
        raise typer.BadParameter(error.text, param_hint=error.option) from error
