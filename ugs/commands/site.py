"""The command ``ugs site``."""

import os
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from ugs.commands.failure import WRONG_USAGE, failure
from ugs.commands.place_option import place_option
from ugs.journal.journal_error import JournalError
from ugs.path_faults import reason_of
from ugs.places import Place
from ugs.terminal import progress

if TYPE_CHECKING:
    from ugs.page.contract import SiteSettings

QUIET_S: Final = 10.0
"""Seconds between two lines of progress where no bar is shown."""

site = typer.Typer(no_args_is_help=True, help="The page of a server as files, for any web server or a disk.")


@site.command("export")
def export_site(
    directory: Annotated[
        Path, typer.Argument(metavar="DIR", file_okay=False, help="Directory for the files; it may exist.")
    ],
    data_dir: Annotated[Any, place_option("Data directory of a server")] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            "-c",
            help="Settings of that server: the title and text of the site, and what spectators may see.",
        ),
    ] = None,
    games: Annotated[
        int, typer.Option(min=0, help="At most this many games with a replay: of championships, then the last ones.")
    ] = 500,
    processes: Annotated[
        int | None, typer.Option(min=1, max=64, help="Processes that draw games at a time; as many as there are cores.")
    ] = None,
    open_records: Annotated[
        bool, typer.Option("--open-records", help="Show everything of the games: all hands, all moves and the seeds.")
    ] = False,
) -> None:
    """Write standings, players, championships and replays as a site for any web server.

    The files may also be opened from a disk. The first page has title and text of the settings, and the championship
    that is played, or the last one. All readers see what spectators may see, unless you set --open-records.

    Examples:

        ugs site export public --data-dir data

        ugs site export public --data-dir data --games 50

        ugs site export public --config evening.toml --data-dir data
    """
    settings = _settings(config, data_dir, open_records=open_records)
    # Those that this process may use: in a container they are often fewer than the machine has.
    processes = processes or len(os.sched_getaffinity(0))
    if processes > 1 and games:
        from ugs.page.worker.drawing_processes import load_soon

        load_soon()
    from ugs.page.worker.export import export  # brings the templates; other commands do not wait for them

    try:
        with progress() as bar:
            task = bar.add_task("writing pages", total=None)
            lines = Lines(time.monotonic())

            def wrote(_file: str, ahead: int) -> None:
                """One page more."""
                bar.advance(task)
                done = int(bar.tasks[task].completed)
                bar.update(task, total=done + ahead)
                if bar.disable and (line := lines.line(done, ahead, time.monotonic())):
                    typer.echo(line, err=True)

            done = export(settings, directory, games, wrote, processes)
    except JournalError as error:
        raise failure("ugs site export", error) from None
    except OSError as error:
        raise failure("ugs site export", f"{error.filename or directory}: {reason_of(error)}") from None
    of_championships = f", {done.left_out_of_championships} of them of championships"
    left_out = f"; {len(done.left_out)} games without{of_championships}" if done.left_out else ""
    replays = "1 game" if done.games == 1 else f"{done.games} games"
    typer.echo(f"{directory}: {done.pages} pages, {replays} with a replay{left_out}")


class Lines:
    """Progress in a line now and then, for a file or another program that reads standard error."""

    def __init__(self, now: float) -> None:
        self._last = now

    def line(self, done: int, ahead: int, now: float) -> str:
        """What to write at ``now``, with ``done`` pages written and ``ahead`` known to come; empty where a line was
        written less than :data:`QUIET_S` seconds ago, or nothing is to come."""
        if not ahead or now - self._last < QUIET_S:
            return ""
        self._last = now
        return f"{done} pages are written, {ahead} more are to come"


def _settings(config: Path | None, data_dir: Place | None, *, open_records: bool) -> "SiteSettings":
    """What the pages have to know. Raises typer.Exit for settings that cannot be used."""
    from ugs.config import ConfigError, load
    from ugs.gateway import settings_of
    from ugs.page.contract import SiteSettings

    try:
        given = {"data_dir": str(data_dir)} if data_dir is not None else {}
        settings = SiteSettings.of(load(config, given, settings_of))
    except ConfigError as error:
        raise failure("ugs site export", error, WRONG_USAGE) from None
    if not settings.data_dir:
        raise failure("ugs site export", "give --data-dir, or data_dir in the settings", WRONG_USAGE)
    return replace(settings, open_records=True, opened={}) if open_records else settings
