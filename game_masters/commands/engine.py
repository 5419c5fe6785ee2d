"""The command ``ugs engine``."""

from typing import Annotated

import typer

from game_masters.commands.options import GameOptions, Level, LogLevel
from ugs.address import DEFAULT_ADDRESS
from ugs.commands.name_options import checked_nick
from ugs.commands.option_groups import OptionGroup, with_groups
from ugs.commands.server_option import TlsOptions
from ugs.commands.token_option import TokenFile, token_in


class FrontEndOptions(OptionGroup):
    """What the front end plays, and where."""

    game: Annotated[
        str, typer.Option("--game", "--game-type", metavar="NAME", help="The installed game that is played.")
    ] = "chess"
    nick: Annotated[str, typer.Option(help="Nick of the player, unique on the server.", callback=checked_nick)] = (
        "front-end"
    )
    protocol: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The protocol of the front end.  [default: the one of the game]"),
    ] = None
    option: GameOptions = None
    join: Annotated[
        str | None,
        typer.Option(metavar="TABLE", help="Play at this table, by name or id.  [default: in the pool]"),
    ] = None


@with_groups
def engine(
    *,
    server: Annotated[str, typer.Argument(metavar="HOST:PORT", help="Where the server listens.")] = DEFAULT_ADDRESS,
    seat: FrontEndOptions,
    token_file: TokenFile = None,
    log_level: Level = LogLevel.WARNING,
    tls: TlsOptions,
) -> None:
    """Be an engine on standard input and output for a chess or Go interface, which plays with a seat of a server.

    The opponent on the server is the engine's side: what the interface plays goes to the server, and the
    opponent's move is the answer. The seat is taken when the interface wants the first move. The log is on
    standard error.

    Examples:

        ugs engine localhost:4747 --nick ann

        ugs engine localhost:4747 --nick ann --game chess-variant --option variant=crazyhouse

        ugs engine localhost:4747 --nick ann --game go --option size=19
    """
    # A shell that asks for the options does not wait for these.
    from game_masters.commands import playing
    from game_masters.commands.engine_run import EngineSeat, protocol_for, run_engine
    from game_masters.kit.table_options import BadTable, TableOptions

    encrypted = tls.context()
    found = playing.game_named(seat.game)
    options = playing.options_of(found, seat.option)
    try:
        place = TableOptions(join=seat.join).place(found, found.game_type, ())
    except BadTable as error:
        raise typer.BadParameter(error.text, param_hint=error.option) from error
    engine_seat = EngineSeat(found, options, seat.nick, token_in(token_file), place)
    run_engine(protocol_for(found, seat.protocol), engine_seat, server, log_level, encrypted)
