"""The command ``ugs standings``: its options. What it does is in :mod:`ugs.commands.standings_run`."""

from enum import StrEnum
from typing import Annotated, Any

import typer

from ugs.commands.failure import WRONG_USAGE, failure
from ugs.commands.place_option import place_option


class StandingsFormat(StrEnum):
    """How standings are written."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    HTML = "html"
    PGN = "pgn"


def standings(
    ctx: typer.Context,
    of_type: Annotated[str | None, typer.Argument(metavar="[TYPE]", help="The same as --game-type.")] = None,
    data_dir: Annotated[Any, place_option("Data directory of a server")] = None,
    connect: Annotated[
        str | None, typer.Option(metavar="URL", help="Web address of a running server: http://HOST:PORT, or HOST:PORT.")
    ] = None,
    game_type: Annotated[str | None, typer.Option(help="Only this game type. [default: all]")] = None,
    championship: Annotated[str | None, typer.Option(metavar="NAME", help="Only this championship.")] = None,
    form: Annotated[StandingsFormat, typer.Option("--format", help="How to write them.")] = StandingsFormat.TABLE,
    ratings: Annotated[bool, typer.Option("--ratings/--no-ratings", help="Ratings, and differences.")] = True,
) -> None:
    """Show who stands where: points, tie-breaks, faults, ratings and how sure one can be of them.

    Works on a data directory, also while a server is running on it, or asks a running server.
    `ugs example standings.md` prints what each column means.

    Examples:

        ugs standings --data-dir data

        ugs standings tic-tac-toe --data-dir data

        ugs standings --data-dir data --championship cup --format html > cup.html

        ugs standings --connect 127.0.0.1:8080 --format json

        ugs standings --data-dir data --format pgn > games.pgn
    """
    if of_type is not None and game_type not in (None, of_type):
        raise failure("ugs standings", f"two game types: {of_type!r}, and --game-type {game_type!r}", WRONG_USAGE)
    game_type = game_type or of_type
    source = ctx.get_parameter_source("data_dir")
    if connect is not None and source is not None and source.name == "ENVIRONMENT":
        data_dir = None  # the command line outdoes the environment
    if (data_dir is None) == (connect is None):
        raise failure("ugs standings", "give --data-dir or --connect, one of them", WRONG_USAGE)
    if form is StandingsFormat.PGN and data_dir is None:
        raise failure("ugs standings", "--format pgn needs --data-dir: it is made from the games", WRONG_USAGE)
    from ugs.commands import standings_run

    with standings_run.failures(game_type):
        if data_dir is None:
            standings_run.of_server(connect or "", game_type, championship, form, ratings=ratings)
        elif form is StandingsFormat.PGN:
            standings_run.as_pgn(data_dir, game_type, championship)
        else:
            standings_run.of_journal(data_dir, game_type, championship, form, ratings=ratings)
