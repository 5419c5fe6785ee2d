"""``ugs journal``: what organisers do with a whole journal."""

from typing import Annotated, Any

import typer

from ugs.commands.failure import failure
from ugs.commands.place_option import place_argument
from ugs.terminal import progress

journal = typer.Typer(no_args_is_help=True, help="Move a whole journal: results, games, tokens.")


@journal.callback()
def _group() -> None:
    """Keep ``copy`` a command of its own, although it is the only one."""


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
