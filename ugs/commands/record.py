"""The commands ``ugs record list``, ``show``, ``export``, ``import`` and ``rescue``: the games that a journal keeps.

Exit codes: 0 all went well, 1 there is no such game, something cannot be read or written, or not everything could be
saved, 2 wrong usage.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from ugs.championship.ledger import LedgerEntry, What
from ugs.commands.drawing import canvas
from ugs.commands.failing import FAILED, failure
from ugs.journal.importing import Import
from ugs.journal.reader import Reader
from ugs.journal.rescue import lines, rescue
from ugs.journal.row_reader import GameSummary
from ugs.journal.schema import JournalError
from ugs.pictures.recorded import UnknownViewer, last_picture, seat_called
from ugs.pictures.terminal import show as show_picture
from ugs.printable import MOST_LIKENED, safe, safe_json, unknown
from ugs.record.files import FORMATS, read_file
from ugs.record.ledgers import LedgerLine, read_ledgers, write_ledger
from ugs.record.narration import account
from ugs.record.times import written_time
from ugs.record.validation import RecordError
from ugs.record.views import public
from ugs.terminal import UNBOUNDED, Column, grid, output, progress

LISTED = 20
"""Games that are listed when nobody says how many."""


class Form(StrEnum):
    """How a list is printed."""

    TABLE = "table"
    JSON = "json"


class Format(StrEnum):
    """How records are written; see docs/game-record.md."""

    UGSG = "ugsg"
    JSONL = "jsonl"


DataDir = Annotated[Path, typer.Option(envvar="UGS_DATA_DIR", help="Directory in which a server keeps its journal.")]
GameType = Annotated[str | None, typer.Option(help="Only games of this type.")]
Nick = Annotated[str | None, typer.Option(help="Only games in which this nick has a seat.")]
Championship = Annotated[str | None, typer.Option(help="Only games of this championship; '' is open play.")]
Public = Annotated[bool, typer.Option("--public", help="Only what everybody may see: no private views, no moves.")]

record = typer.Typer(
    help="The games that a journal keeps: list, show, export, import and rescue them.",
    no_args_is_help=True,
)


@record.command("list")
def list_games(
    data_dir: DataDir,
    game_type: GameType = None,
    nick: Nick = None,
    championship: Championship = None,
    limit: Annotated[int, typer.Option(min=1, help="List at most this many games, the newest first.")] = LISTED,
    form: Annotated[Form, typer.Option("--format", help="How to print it.")] = Form.TABLE,
) -> None:
    """List games, the newest first.

    Examples:

        ugs record list --data-dir data

        ugs record list --data-dir data --nick ann --championship spring --limit 100 --format json
    """
    with _failures("list"), Reader(data_dir) as reader:
        _known(reader, game_type, nick, championship)
        games = reader.games(game_type=game_type, nick=nick, championship=championship, limit=limit)
        if form is Form.JSON:
            text = json.dumps({"games": [_as_dict(game) for game in games]}, indent=2, ensure_ascii=False)
            typer.echo(safe_json(text))
        else:
            _print_games(games)


@record.command("show")
def show(
    game: Annotated[str, typer.Argument(help="Id of the game, or its beginning.")],
    data_dir: DataDir,
    full: Annotated[bool, typer.Option("--full", help="Show states and views too, and all of each payload.")] = False,
    open_to_all: Public = False,
    viewer: Annotated[
        str | None, typer.Option(metavar="NICK", help="Whose view the picture shows.  [default: everybody's]")
    ] = None,
) -> None:
    """Tell a game: who played, when, how it ended, whose fault it was, the moves with their times, the last position.

    Examples:

        ugs record show 3f9a --data-dir data

        ugs record show 3f9a --data-dir data --viewer ann
    """
    if open_to_all and viewer is not None:
        raise typer.BadParameter("--public shows what everybody may see", param_hint="--viewer")
    with _failures("show"), Reader(data_dir) as reader:
        record = reader.record(game)
        seat = seat_called(record, viewer)
    if open_to_all:
        record = public(record)
    for line in account(record, UNBOUNDED if full else output().width, states=full):
        typer.echo(line)
    screen = canvas()
    picture = last_picture(record, seat)
    if picture is not None:
        typer.echo("\nlast position:")
        show_picture(screen, picture)


@record.command("export")
def export(
    data_dir: DataDir,
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME...", help="Ids, or their beginnings.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All games that have ended, oldest first.")] = False,
    game_type: GameType = None,
    nick: Nick = None,
    championship: Championship = None,
    limit: Annotated[int | None, typer.Option(min=1, help="With --all: at most this many games, the newest.")] = None,
    output: Annotated[Path | None, typer.Option(help="File to write.  [default: standard output]")] = None,
    written_as: Annotated[
        Format | None,
        typer.Option("--format", help="Readable text or JSON lines.  [default: as the file is called, else ugsg]"),
    ] = None,
    open_to_all: Public = False,
) -> None:
    """Write games as text: one readable file that `ugs record import` and `ugs replay` read.

    Examples:

        ugs record export 3f9a --data-dir data

        ugs record export --all --championship spring --data-dir data --output spring.jsonl
    """
    if bool(games) == everything:
        raise typer.BadParameter("either games or --all", param_hint="GAME...")
    if not everything and any(option is not None for option in (game_type, nick, championship, limit)):
        raise typer.BadParameter("--game-type, --nick, --championship and --limit choose among --all")
    if written_as is None:
        jsonl = output is not None and output.suffix == ".jsonl"
        written_as = Format.JSONL if jsonl else Format.UGSG
    left_out = 0
    with _failures("export"), Reader(data_dir) as reader:
        _known(reader, game_type, nick, championship)
        chosen = games or []
        if everything:
            found = list(reader.games(game_type=game_type, nick=nick, championship=championship, limit=limit))
            chosen = [game.game_id for game in reversed(found) if not game.running]
            left_out = len(found) - len(chosen)
        form = FORMATS[written_as]
        with _output(output, mode=0o644 if open_to_all else 0o600) as write:
            if championship:
                write(_ledger_of(reader, championship, written_as))
            for number, game_id in enumerate(chosen):
                record = reader.record(game_id)
                write((form.between if number else b"") + form.write(public(record) if open_to_all else record))
    if left_out:
        typer.echo(f"ugs record export: left out because they have not ended: {left_out}", err=True)


@record.command("import")
def import_games(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files of `ugs record export`.")],
    data_dir: DataDir,
) -> None:
    """Put games into the journal of a directory that no server is using; games of open play count in its table.

    Either all files are imported or, if anything is wrong with one of them, nothing. A game that is there already is
    left as it is.

    Example:

        ugs record import spring.jsonl --data-dir archive
    """
    with _failures("import"):
        ledgers = {file: read_ledgers(file) for file in files}
        said = []
        with Import(data_dir) as games, progress() as bars:
            for file in files:
                for name, ledger in ledgers[file].items():
                    new = games.store_ledger(name, ledger[0].type, [(line.at_us, _entry(line)) for line in ledger])
                    said.append(f"{file}: championship {name}: {'imported' if new else 'there already'}")
                stored = list(_stored(games, file, bars))
                said.append(f"{file}: {sum(stored)} imported, {len(stored) - sum(stored)} there already")
    for line in said:
        typer.echo(safe(line))


def _known(reader: Reader, game_type: str | None, nick: str | None, championship: str | None) -> None:
    """Raise JournalError for a game type, a nick or a championship of which the journal knows nothing."""
    if game_type is not None and game_type not in (types := reader.game_types()):
        raise JournalError(unknown("game type", game_type, types))
    if nick is not None and not (any(reader.games(nick=nick, limit=1)) or reader.versions(nick, 1)):
        recent = reader.games(limit=MOST_LIKENED)
        nicks = dict.fromkeys(seat.nick for game in recent for seat in game.seats)
        raise JournalError(unknown("nick", nick, nicks))
    if championship and not any(reader.games(championship=championship, limit=1)):
        names = [one.name for one in reader.championships()]
        if championship not in names:
            raise JournalError(unknown("championship", championship, names))


def _ledger_of(reader: Reader, name: str, form: Format) -> bytes:
    """The ledger of a championship for the head of a file; nothing, and a word to the user, where there can be none."""
    found = next((one for one in reader.championships() if one.name == name), None)
    if found is None:
        return b""
    if form is not Format.JSONL or not found.sum().over:
        reason = "it is not over" if form is Format.JSONL else "only JSON lines can hold it (--format jsonl)"
        typer.echo(f"ugs record export: without the ledger of championship {safe(name)}: {reason}", err=True)
        return b""
    return write_ledger(
        LedgerLine(
            ledger=name,
            type=found.game_type,
            at_us=logged.wall_us,
            what=str(logged.entry.what),
            who=logged.entry.who,
            why=logged.entry.why,
            data=dict(logged.entry.data),
        )
        for logged in found.ledger
    )


def _entry(line: LedgerLine) -> LedgerEntry:
    """An entry out of a file. Raises RecordError."""
    try:
        return LedgerEntry(What(line.what), line.data, line.who, line.why)
    except ValueError as error:
        raise RecordError(f"championship {line.ledger}: {error}") from None


@record.command("rescue")
def rescue_journal(
    new_dir: Annotated[Path, typer.Argument(metavar="NEW_DIR", help="New or empty directory for what is saved.")],
    data_dir: DataDir,
) -> None:
    """Save what can be read of a damaged journal into a new one, and tell what is lost. The old one is not changed.

    Every row has a checksum, so what is saved is as it was written. A game without its result or one of its seats is
    left out; a running game goes on only if nothing at all is lost. The exit code is 0 if everything was saved, else 1.

    Example:

        ugs record rescue rescued --data-dir data
    """
    with _failures("rescue"):
        rescued = rescue(data_dir, new_dir)
    for line in lines(rescued, new_dir):
        typer.echo(safe(line))
    if not rescued.whole:
        raise typer.Exit(FAILED)


def _stored(games: Import, file: Path, bars: Progress) -> Iterator[bool]:
    """Import a file; yields for each game whether it was new."""
    size = file.stat().st_size if file.is_file() else 0
    bar = bars.add_task(f"{file.name}: bytes", total=size or None)
    read = 0

    def on_line(length: int) -> None:
        nonlocal read
        read += length

    for record in read_file(file, on_line):
        yield games.store(record)
        bars.update(bar, completed=read)


@contextmanager
def _failures(command: str) -> Iterator[None]:
    """What fails in the block is told in one line."""
    try:
        yield
    except (JournalError, RecordError, UnknownViewer) as error:
        raise failure(f"ugs record {command}", error) from None


@contextmanager
def _output(path: Path | None, *, mode: int) -> Iterator[Callable[[bytes], object]]:
    """Where to write; a file is there when the block has gone well, and only then. What not everybody may see is only
    for the owner of the file, by its ``mode``."""
    if path is None:
        yield lambda data: typer.echo(data, nl=False)
        return
    try:
        with tempfile.NamedTemporaryFile(dir=path.absolute().parent, prefix=path.name, delete=False) as file:
            unfinished = Path(file.name)
            try:
                yield file.write
                file.flush()
                unfinished.chmod(mode)
                unfinished.replace(path)
            except BaseException:
                unfinished.unlink()
                raise
    except OSError as error:
        raise failure("ugs record export", f"{path}: cannot be written: {error.strerror}") from None


def _print_games(games: Iterator[GameSummary]) -> None:
    """A table; without lines, and as wide as it has to be, where nobody but a program may read it."""
    numbers = (Column("moves", right=True), Column("time", right=True))
    columns = ("began (UTC)", "game", "type", "players", "result", *numbers, "championship")
    output().print(grid(columns, map(_row, games), head_line=sys.stdout.isatty()))


def _row(game: GameSummary) -> tuple[str, ...]:
    players = (seat.nick if seat.outcome is None else f"{seat.nick} {seat.outcome}" for seat in game.seats)
    if game.verdict is None:
        result = "running"
    else:
        culprit = f" ({game.verdict.culprit})" if game.verdict.culprit is not None else ""
        result = f"{game.verdict.cause}{culprit}{'' if game.counts else ', does not count'}"
    return (
        written_time(game.began_us)[:19].replace("T", " "),
        game.game_id,
        game.game_type,
        ", ".join(players),
        result,
        str(game.moves),
        "" if game.ended_us is None else f"{(game.ended_us - game.began_us) / 1_000_000:.1f} s",
        f"{game.championship} {game.fixture}" if game.championship else "",
    )


def _as_dict(game: GameSummary) -> dict[str, object]:
    verdict = game.verdict
    return {
        "game": game.game_id,
        "type": game.game_type,
        "master": game.master,
        "seats": [{"nick": seat.nick, "outcome": seat.outcome, "left": seat.departure} for seat in game.seats],
        "began": written_time(game.began_us),
        "ended": None if game.ended_us is None else written_time(game.ended_us),
        "running": game.running,
        "verdict": None if verdict is None else verdict.cause,
        "fault": None if verdict is None else verdict.fault,
        "culprit": None if verdict is None else verdict.culprit,
        "by_server": None if verdict is None else verdict.by_server,
        "moves": game.moves,
        "championship": game.championship,
        "fixture": game.fixture,
        "counts": game.counts,
        "table": dict(game.table),
    }
