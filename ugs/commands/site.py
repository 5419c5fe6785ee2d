"""The command ``ugs site``."""

from pathlib import Path
from typing import Annotated

import typer

from ugs.commands.failure import failure
from ugs.journal.database import JournalError
from ugs.terminal import progress

site = typer.Typer(no_args_is_help=True, help="The page of a server as files, for any web server or a disk.")


@site.command("export")
def export_site(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Directory for the files; it may exist.")],
    data_dir: Annotated[Path, typer.Option(envvar="UGS_DATA_DIR", help="Data directory of a server, running or not.")],
    games: Annotated[int, typer.Option(min=0, help="At most this many games with a replay, the last ones.")] = 500,
    open_records: Annotated[
        bool, typer.Option("--open-records", help="Show everything of the games: all hands, all moves and the seeds.")
    ] = False,
) -> None:
    """Write standings, players, championships and replays as a site for any web server.

    The files may also be opened from a disk. Everybody sees what spectators may see, unless --open-records says
    otherwise.

    Examples:

        ugs site export public --data-dir data

        ugs site export public --data-dir data --games 50
    """
    from ugs.page.contract import SiteSettings
    from ugs.page.worker.export import export  # brings the templates, for which other commands do not wait

    settings = SiteSettings(str(data_dir), open_records=open_records)
    try:
        with progress() as bar:
            task = bar.add_task("writing pages", total=None)
            done = export(settings, directory, games, lambda _: bar.advance(task))
    except (JournalError, OSError) as error:
        raise failure("ugs site export", error) from None
    left_out = f"; {len(done.left_out)} games without" if done.left_out else ""
    typer.echo(f"{directory}: {done.pages} pages, {done.games} games with a replay{left_out}")
