"""The command ``ugs standings``."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ugs.commands.failing import WRONG_USAGE, failure
from ugs.journal.schema import JournalError
from ugs.standings import skill
from ugs.standings.pgn import pgn
from ugs.standings.render import RENDERERS
from ugs.standings.source import NoAnswer, WrongRequest, from_journal, from_server, results_from_journal
from ugs.standings.standings import Standings
from ugs.standings.terminal import show
from ugs.terminal import output, progress, safe


class Format(StrEnum):
    """How standings are written."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    HTML = "html"
    PGN = "pgn"


def standings(
    ctx: typer.Context,
    data_dir: Annotated[
        Path | None, typer.Option(envvar="UGS_DATA_DIR", help="Data directory of a server, running or not.")
    ] = None,
    connect: Annotated[
        str | None, typer.Option(metavar="URL", help="Web address of a running server: http://HOST:PORT.")
    ] = None,
    game_type: Annotated[str | None, typer.Option(help="Only this game type. [default: all]")] = None,
    championship: Annotated[str | None, typer.Option(metavar="NAME", help="Only this championship.")] = None,
    form: Annotated[Format, typer.Option("--format", help="How to write them.")] = Format.TABLE,
    ratings: Annotated[bool, typer.Option("--ratings/--no-ratings", help="Ratings, and who can be told apart.")] = True,
) -> None:
    """Show who stands where: points, tie-breaks, faults, ratings and how sure one can be of them.

    Works on a data directory, also while a server is running on it, or asks a running server.
    docs/standings.md tells what each column means.

    Examples:

        ugs standings --data-dir data

        ugs standings --data-dir data --championship cup --format html > cup.html

        ugs standings --connect http://127.0.0.1:8080 --format json

        ugs standings --data-dir data --format pgn > games.pgn
    """
    source = ctx.get_parameter_source("data_dir")
    if connect is not None and source is not None and source.name == "ENVIRONMENT":
        data_dir = None  # what is said on the line outdoes what is said around it
    if (data_dir is None) == (connect is None):
        raise failure("ugs standings", "give --data-dir or --connect, one of them", WRONG_USAGE)
    if form is Format.PGN and data_dir is None:
        raise failure("ugs standings", "--format pgn needs --data-dir: it is made from the games", WRONG_USAGE)
    try:
        if form is Format.PGN and data_dir is not None:
            typer.echo(pgn(results_from_journal(data_dir, game_type, championship)), nl=False)
            return
        if data_dir is not None:
            with _rating() as rated:
                found = from_journal(data_dir, game_type, championship, ratings=ratings, progress=rated)
        else:
            found = from_server(connect or "", game_type, championship)
    except (WrongRequest, JournalError) as error:
        raise failure("ugs standings", error, WRONG_USAGE) from None
    except NoAnswer as error:
        raise failure("ugs standings", safe(str(error))) from None
    write(found if ratings else [without_ratings(each) for each in found], form)


def without_ratings(standings: Standings) -> Standings:
    """The same without what follows from ratings."""
    players = tuple(replace(line, rating=None, elo=None) for line in standings.players)
    return replace(standings, players=players, neighbours=(), seat_advantage=None)


def write(several: Sequence[Standings], form: Format) -> None:
    """Standings onto standard output."""
    if form is Format.TABLE:
        show(several, output())
    else:
        typer.echo(RENDERERS[form](several), nl=False)


@contextmanager
def _rating() -> Iterator[skill.Progress]:
    """A bar for the games that are rated."""
    with progress() as bar:
        task = bar.add_task("rating games")

        def rated(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield rated
