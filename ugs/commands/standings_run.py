"""What ``ugs standings`` does: works out standings, or asks a server for them, and writes them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import typer

from ugs.commands.failure import WRONG_USAGE, failure
from ugs.journal.journal_error import JournalError
from ugs.places import Place
from ugs.standings import skill
from ugs.standings.pgn import pgn
from ugs.standings.render import RENDERERS
from ugs.standings.source import NoStandings, WrongRequest, from_journal, from_server, results_from_journal
from ugs.standings.standings import Standings
from ugs.standings.terminal import show
from ugs.terminal import output, progress, safe
from ugs.type_hint import hinted

TABLE = "table"
"""The form for a terminal; the others are those of :data:`ugs.standings.render.RENDERERS`."""


@contextmanager
def failures(game_type: str | None = None) -> Iterator[None]:
    """Report errors of the block without a traceback; with a hint if ``game_type`` is the name of a package."""
    try:
        yield
    except WrongRequest as error:
        raise failure("ugs standings", hinted(str(error), game_type), WRONG_USAGE) from None
    except JournalError as error:
        raise failure("ugs standings", error, WRONG_USAGE) from None
    except NoStandings as error:
        raise failure("ugs standings", safe(str(error))) from None


def of_journal(data_dir: Place, game_type: str | None, championship: str | None, form: str, *, ratings: bool) -> None:
    """Write the standings that follow from a journal."""
    with _rating() as rated:
        found = from_journal(data_dir, game_type, championship, ratings=ratings, progress=rated)
    write(found if ratings else [without_ratings(each) for each in found], form)


def of_server(address: str, game_type: str | None, championship: str | None, form: str, *, ratings: bool) -> None:
    """Write the standings of a running server."""
    found = from_server(address, game_type, championship)
    write(found if ratings else [without_ratings(each) for each in found], form)


def as_pgn(data_dir: Place, game_type: str | None, championship: str | None) -> None:
    """Write the results themselves, for other programs that rate."""
    typer.echo(pgn(results_from_journal(data_dir, game_type, championship)), nl=False)


def without_ratings(standings: Standings) -> Standings:
    """The same without what follows from ratings."""
    players = tuple(replace(line, rating=None, elo=None) for line in standings.players)
    return replace(standings, players=players, neighbours=(), seat_advantage=None)


def write(several: Sequence[Standings], form: str) -> None:
    """Standings onto standard output."""
    if form == TABLE:
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
