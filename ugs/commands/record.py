"""The commands ``ugs record list``, ``show``, ``export``, ``import`` and ``rescue``: their options.

What they do is in :mod:`ugs.commands.record_run`, which is loaded when one of them runs: a shell that asks for the
options does not wait for it.

Exit codes: 0 all went well, 1 there is no such game, something cannot be read or written, or not everything could be
saved, 2 wrong usage.
"""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from ugs.commands.option_groups import OptionGroup, with_groups
from ugs.commands.place_option import place_option

LISTED = 20
"""Games that are listed by default."""


class ListForm(StrEnum):
    """How a list is printed."""

    TABLE = "table"
    JSON = "json"


DataDir = Annotated[Any, place_option("Directory where a server keeps its journal")]
GameType = Annotated[str | None, typer.Option(help="Only games of this type.")]
Nick = Annotated[str | None, typer.Option(help="Only games with this nick at a seat.")]
Championship = Annotated[str | None, typer.Option(help="Only games of this championship; '' is open play.")]
Public = Annotated[bool, typer.Option("--public", help="Only the public view: no private views, no moves.")]


class GameFilter(OptionGroup):
    """Which games are meant."""

    game_type: GameType = None
    nick: Nick = None
    championship: Championship = None

    @property
    def given(self) -> bool:
        """Whether any of the options is on the command line."""
        return any(option is not None for option in (self.game_type, self.nick, self.championship))


class OutputOptions(OptionGroup):
    """Where games are written to, and in which form."""

    output: Annotated[Path | None, typer.Option(help="File to write.  [default: standard output]")] = None
    written_as: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="ugsg (readable text), jsonl (JSON lines), or a format that a game brings, such as pgn and sgf.  "
            "[default: as the file is called, else ugsg]",
        ),
    ] = None


record = typer.Typer(
    help="The games that a journal keeps: list, show, export, import and rescue them.",
    no_args_is_help=True,
)


@record.command("list")
@with_groups
def list_games(
    *,
    data_dir: DataDir,
    which: GameFilter,
    limit: Annotated[int, typer.Option(min=1, help="List at most this many games, the newest first.")] = LISTED,
    form: Annotated[ListForm, typer.Option("--format", help="How to print it.")] = ListForm.TABLE,
) -> None:
    """List games, the newest first.

    Examples:

        ugs record list --data-dir data

        ugs record list --data-dir data --nick ann --championship spring --limit 100 --format json
    """
    from ugs.commands import record_run

    chosen = record_run.GameChoice(which.game_type, which.nick, which.championship, limit)
    record_run.list_games(data_dir, chosen, as_json=form is ListForm.JSON)


@record.command("show")
def show(
    game: Annotated[str, typer.Argument(help="Id of the game, or its beginning.")],
    data_dir: DataDir,
    full: Annotated[bool, typer.Option("--full", help="Show states too, and all of each payload.")] = False,
    open_to_all: Public = False,
    viewer: Annotated[
        str | None,
        typer.Option(metavar="NICK", help="Whose view states and the picture show.  [default: the public view]"),
    ] = None,
) -> None:
    """Print a game: who played, when, how it ended, whose fault it was, the moves with their times, the last position.

    Examples:

        ugs record show 3f9a --data-dir data

        ugs record show 3f9a --data-dir data --viewer ann
    """
    if open_to_all and viewer is not None:
        raise typer.BadParameter("--public shows the public view", param_hint="--viewer")
    from ugs.commands import record_run

    record_run.show(data_dir, game, viewer, full=full, open_to_all=open_to_all)


@record.command("export")
@with_groups
def export(
    *,
    data_dir: DataDir,
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME...", help="Ids, or their beginnings.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All games that have ended, oldest first.")] = False,
    which: GameFilter,
    limit: Annotated[int | None, typer.Option(min=1, help="With --all: at most this many games, the newest.")] = None,
    to: OutputOptions,
    open_to_all: Public = False,
) -> None:
    """Write games as text: one readable file that `ugs record import` and `ugs replay` read.

    Examples:

        ugs record export 3f9a --data-dir data

        ugs record export --all --championship spring --data-dir data --output spring.jsonl

        ugs record export 3f9a --data-dir data --format pgn
    """
    if bool(games) == everything:
        raise typer.BadParameter("either games or --all", param_hint="GAME...")
    if not everything and (which.given or limit is not None):
        raise typer.BadParameter("--game-type, --nick, --championship and --limit choose among --all")
    from ugs.commands import record_run

    chosen = (
        record_run.GameChoice(which.game_type, which.nick, which.championship, limit) if everything else games or []
    )
    form = record_run.form_for(to.output, to.written_as)
    record_run.export(data_dir, chosen, to.output, form, open_to_all=open_to_all)


@record.command("import")
def import_games(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="Files of `ugs record export`, or in a format that a game brings, such as .pgn and .sgf.",
        ),
    ],
    data_dir: DataDir,
    max_game_bytes: Annotated[
        int | None, typer.Option(min=65_536, help="Bytes of memory for one game.  [default: 268435456]")
    ] = None,
) -> None:
    """Put games into the journal of a directory that no server is using; games of open play count in its table.

    Either all files are imported or, if anything is wrong with one of them, nothing. A game that is there already is
    left as it is.

    Example:

        ugs record import spring.jsonl --data-dir archive
    """
    from ugs.commands import record_run

    record_run.import_games(files, data_dir, max_game_bytes)


@record.command("rescue")
def rescue_journal(
    new_dir: Annotated[
        Path, typer.Argument(metavar="NEW_DIR", file_okay=False, help="New or empty directory for what is saved.")
    ],
    data_dir: DataDir,
) -> None:
    """Save what can be read of a damaged journal into a new one, and print what is lost. The old one is not changed.

    Every row has a checksum, so what is saved is as it was written. A game without its result or one of its seats is
    left out; a running game goes on only if nothing at all is lost. The exit code is 0 if everything was saved, else 1.

    Example:

        ugs record rescue rescued --data-dir data
    """
    from ugs.commands import record_run

    record_run.rescue_journal(data_dir, new_dir)
