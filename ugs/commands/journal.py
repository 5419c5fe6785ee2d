"""``ugs journal``: what organisers do with a whole journal."""

from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ugs.commands.failure import WRONG_USAGE, failure
from ugs.commands.place_option import place_argument, place_option
from ugs.terminal import progress

BACKED_UP: Final = ("result", "token")

journal = typer.Typer(no_args_is_help=True, help="Back up or move a whole journal: results, games, tokens.")


@journal.command("backup")
def backup(
    target: Annotated[Path, typer.Argument(metavar="DIR", file_okay=False, help="A new directory for the backup.")],
    data_dir: Annotated[Any, place_option("Data directory of a server")],
) -> None:
    """Back up a data directory, journal and tokens, while its server goes on.

    Every row of the backup is compared with its checksum. To go back, end the server and start one with --data-dir DIR:
    results and tokens are as they were; games that were running are void, since their players may have seen more.

    Examples:

        ugs journal backup backup/monday --data-dir data
    """
    from ugs.journal.backup import back_up
    from ugs.journal.journal_error import JournalError

    if not isinstance(data_dir, Path):
        why = f"{data_dir}: a database is backed up by its own programs: see `ugs example cluster.md`"
        raise failure("ugs journal backup", why, WRONG_USAGE)
    try:
        done = back_up(data_dir, target)
    except JournalError as error:
        raise failure("ugs journal backup", error) from None
    results, tokens = (f"{number} {word}" + "s" * (number != 1) for number, word in zip(done, BACKED_UP, strict=True))
    typer.echo(f"{target}: {results} and {tokens}, every row as it was")


@journal.command("copy")
def copy(
    source: Annotated[Any, place_argument("FROM", "Directory, or URL of a database.")],
    target: Annotated[Any, place_argument("TO", "Directory, or URL of a database, without a journal yet.")],
) -> None:
    """Copy a journal from a data directory into a database, or back, with all tokens. No server may run on either.

    Each row is compared with its original before anything of the copy counts. The original is not changed.

    Examples:

        ugs journal copy data postgresql://ugs@db.example/ugs

        ugs journal copy postgresql://ugs@db.example/ugs data-2
    """
    from ugs.journal.copying import copy_journal  # other commands do not wait for it
    from ugs.journal.journal_error import JournalError
    from ugs.journal.tokens import IdentitiesError

    try:
        with progress() as bar:
            task = bar.add_task("copying", total=None)

            def wrote(table: str, rows: int) -> None:
                """A few rows more."""
                bar.update(task, description=f"copying {table}", completed=rows)

            rows = copy_journal(source, target, wrote)
    except (JournalError, IdentitiesError) as error:
        raise failure("ugs journal copy", error) from None
    typer.echo(f"{target}: {rows} rows copied and compared")
