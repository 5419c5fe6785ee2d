"""What the commands ``ugs record`` do with the games that a journal keeps."""

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import typer
from rich.progress import Progress

from ugs.championship.ledger import LedgerEntry, What
from ugs.commands.failure import FAILED, WRONG_USAGE, failure
from ugs.commands.picture_output import canvas
from ugs.game_files import GameFileError, GameFileFormat, find_format, format_names
from ugs.journal.importing import Import
from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Reader
from ugs.journal.repair.rescue import lines, rescue
from ugs.journal.row_reader import GameSummary
from ugs.path_faults import reason_of
from ugs.pictures.recorded import UnknownViewer, last_picture, seat_called
from ugs.pictures.terminal import show as show_picture
from ugs.places import Place
from ugs.printable import MAX_LIKENED, safe, safe_json, unknown
from ugs.record.files import FORMATS, read_file
from ugs.record.game import Correction, GameRecord
from ugs.record.ledgers import LedgerLine, read_ledgers, write_ledger
from ugs.record.narration import account
from ugs.record.size_limits import ANY_GAME, Bounds
from ugs.record.times import written_time
from ugs.record.validation import RecordError
from ugs.record.views import public, seen_once
from ugs.record.written_games import record_of, written_game
from ugs.terminal import UNBOUNDED, Column, grid, progress
from ugs.terminal import output as terminal
from ugs.type_hint import type_called, type_hint
from ugs.why.lookup import words_of_ends

MAX_REASONS_BYTES = 16 * 1024 * 1024
"""Bytes of records that are read for the reasons of ends in a list."""
JSONL = "jsonl"
"""The one of :data:`ugs.record.files.FORMATS` that has room for a ledger."""


class GameChoice(NamedTuple):
    """Which games are meant; None stands for all."""

    game_type: str | None = None
    nick: str | None = None
    championship: str | None = None
    limit: int | None = None
    """At most this many, the newest."""

    def games(self, reader: Reader) -> Iterator[GameSummary]:
        """These games, the newest first. Raises JournalError for a game type, a nick or a championship that the
        journal does not know."""
        game_type = self.game_type and type_called(self.game_type, reader.game_types())
        _known(reader, game_type, self.nick, self.championship)
        return reader.games(game_type=game_type, nick=self.nick, championship=self.championship, limit=self.limit)


def list_games(data_dir: Place, choice: GameChoice, *, as_json: bool) -> None:
    """Print what is known of games, each in a row."""
    with _failures("list"), Reader(data_dir) as reader:
        games = list(choice.games(reader))
        reasons = words_of_ends(reader, games, MAX_REASONS_BYTES)
        if as_json:
            text = json.dumps(
                {"games": [_as_dict(game, reasons.get(game.game_id, "")) for game in games]},
                indent=2,
                ensure_ascii=False,
            )
            typer.echo(safe_json(text))
        else:
            _print_games(games, reasons)


def show(data_dir: Place, game: str, viewer: str | None, *, full: bool, open_to_all: bool) -> None:
    """Print a game, and draw its last position."""
    with _failures("show"), Reader(data_dir) as reader:
        record = reader.record(game)
        seat = seat_called(record, viewer)
    if open_to_all:
        record = public(record)
    shown = seen_once(record, seat)
    for line in account(shown, UNBOUNDED if full else terminal().width, states=full):
        typer.echo(line)
    if full and viewer is None and len(shown.entries) < len(record.entries):
        typer.echo("states are shown as all may see them: --viewer NICK shows them as this player saw them")
    screen = canvas()
    picture = last_picture(record, seat)
    if picture is not None:
        typer.echo("\nlast position:")
        show_picture(screen, picture)


def export(
    data_dir: Place, chosen: GameChoice | list[str], output: Path | None, written_as: str, *, open_to_all: bool
) -> None:
    """Write games as text: those of a choice that have ended, oldest first, or these; to ``output``, or to standard
    output. ``written_as`` is what :func:`form_for` returns."""
    left_out = unfit = 0
    form = FORMATS.get(written_as)
    with _failures("export"), Reader(data_dir) as reader:
        if isinstance(chosen, GameChoice):
            found = list(chosen.games(reader))
            ids = [game.game_id for game in reversed(found) if not game.running]
            left_out = len(found) - len(ids)
            championship = chosen.championship
        else:
            ids, championship = chosen, None
        with _output(output, mode=0o644 if open_to_all else 0o600) as write:
            if championship:
                write(_ledger_of(reader, championship, written_as))
            for number, game_id in enumerate(ids):
                record = reader.record(game_id)
                record = public(record) if open_to_all else record
                if form is not None:
                    write((form.between if number else b"") + form.write(record))
                elif (
                    text := _in_file_format(written_as, record, needed=not isinstance(chosen, GameChoice))
                ) is not None:
                    write(text)
                else:
                    unfit += 1
    if unfit:
        typer.echo(f"ugs record export: left out because {written_as} is not for their games: {unfit}", err=True)
    if left_out:
        typer.echo(f"ugs record export: left out because they have not ended: {left_out}", err=True)


def form_for(output: Path | None, name: str | None) -> str:
    """The format of the games to write: the one of this name; without one, that of the file. Raises
    typer.BadParameter for an unknown name."""
    known = [*FORMATS, *format_names()]
    if name is None:
        ending = output.suffix.removeprefix(".").lower() if output is not None else ""
        return ending if ending in known else next(iter(FORMATS))
    if name not in known:
        raise typer.BadParameter(f"{name!r} is no format; allowed: {', '.join(known)}", param_hint="--format")
    return name


def _in_file_format(name: str, record: GameRecord, *, needed: bool) -> bytes | None:
    """A game in a format that a package brings; None where the format is for other games. Raises GameFileError, also
    for that if the game is ``needed``."""
    found = find_format(name)
    if found is None or record.game_type not in found.game_types:
        if not needed:
            return None
        allowed = ", ".join(found.game_types) if found is not None else "none"
        raise GameFileError(f"game {record.game_id} is {record.game_type}; {name} is for: {allowed}")
    return found.write(written_game(record))


def import_games(files: list[Path], data_dir: Place, max_game_bytes: int | None) -> None:
    """Put the games of files into a journal: of all of them, or of none. None is the limit of
    :mod:`ugs.record.size_limits`."""
    bounds = ANY_GAME if max_game_bytes is None else Bounds(max_game_bytes)
    with _failures("import"):
        ledgers = {file: {} if _file_format(file) else read_ledgers(file, bounds) for file in files}
        lines_out = []
        with Import(data_dir) as games, progress() as bars:
            for file in files:
                for name, ledger in ledgers[file].items():
                    new = games.store_ledger(name, ledger[0].type, [(line.at_us, _entry(line)) for line in ledger])
                    lines_out.append(f"{file}: championship {name}: {'imported' if new else 'there already'}")
                stored = list(_stored(games, file, bars, bounds))
                lines_out.append(f"{file}: {sum(stored)} imported, {len(stored) - sum(stored)} there already")
    # Only now: all of it is one transaction, and an error above would have taken it back.
    for line in lines_out:
        typer.echo(safe(line))


def rescue_journal(data_dir: Place, new_dir: Path) -> None:
    """Save what can be read of a damaged journal; exit code 1 unless that is everything."""
    if not isinstance(data_dir, Path):
        raise failure("ugs record rescue", f"{data_dir}: a database is restored from its own backup", WRONG_USAGE)
    with _failures("rescue"):
        rescued = rescue(data_dir, new_dir)
    for line in lines(rescued, new_dir):
        typer.echo(safe(line))
    if not rescued.whole:
        raise typer.Exit(FAILED)


def _known(reader: Reader, game_type: str | None, nick: str | None, championship: str | None) -> None:
    """Raise JournalError for a game type, a nick or a championship that the journal does not know."""
    if game_type is not None and game_type not in (types := reader.game_types()):
        raise JournalError(unknown("game type", game_type, types, type_hint(game_type)))
    if nick is not None and not (any(reader.games(nick=nick, limit=1)) or reader.versions(nick, 1)):
        recent = reader.games(limit=MAX_LIKENED)
        nicks = dict.fromkeys(seat.nick for game in recent for seat in game.seats)
        raise JournalError(unknown("nick", nick, nicks))
    if championship and not any(reader.games(championship=championship, limit=1)):
        names = [one.name for one in reader.championships()]
        if championship not in names:
            raise JournalError(unknown("championship", championship, names))


def _ledger_of(reader: Reader, name: str, written_as: str) -> bytes:
    """The ledger of a championship for the head of a file; nothing, and a word to the user, where there can be none."""
    found = next((one for one in reader.championships() if one.name == name), None)
    if found is None:
        return b""
    if written_as != JSONL or not found.sum().over:
        reason = "it is not over" if written_as == JSONL else "only JSON lines can hold it (--format jsonl)"
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


def _stored(games: Import, file: Path, bars: Progress, bounds: Bounds) -> Iterator[bool]:
    """Import a file; yields for each game whether it was new."""
    size = file.stat().st_size if file.is_file() else 0
    bar = bars.add_task(f"{file.name}: bytes", total=size or None)
    read = 0

    def on_line(length: int) -> None:
        nonlocal read
        read += length

    for record in _records_in(file, on_line, bounds):
        yield games.store(record)
        bars.update(bar, completed=read)


def _file_format(file: Path) -> GameFileFormat | None:
    """The format that a package brings for files with this ending; None: it is one of ours."""
    name = file.suffix.removeprefix(".").lower()
    return None if name in FORMATS else find_format(name)


def _records_in(file: Path, on_line: Callable[[int], object], bounds: Bounds) -> Iterator[GameRecord]:
    """The games of a file. Raises RecordError and GameFileError, which name it."""
    form = _file_format(file)
    if form is None:
        yield from read_file(file, on_line, bounds)
        return
    try:
        with file.open("rb") as opened:
            for game in form.read(bounds.lines(opened)):
                yield record_of(game)
    except OSError as error:
        raise RecordError(f"{file}: cannot be read: {reason_of(error)}") from None
    except (RecordError, GameFileError) as error:
        raise RecordError(f"{file}: {error}") from None


@contextmanager
def _failures(command: str) -> Iterator[None]:
    """Report errors of the block in one line."""
    try:
        yield
    except (GameFileError, JournalError, RecordError, UnknownViewer) as error:
        raise failure(f"ugs record {command}", error) from None


@contextmanager
def _output(path: Path | None, *, mode: int) -> Iterator[Callable[[bytes], object]]:
    """Where to write; a file is there when the block has gone well, and only then. What is not public is readable only
    by the owner of the file, by its ``mode``."""
    if path is None:
        yield lambda data: typer.echo(data, nl=False)
        return
    try:
        # In the same directory, since a file cannot be renamed into another file system.
        with tempfile.NamedTemporaryFile(dir=path.absolute().parent, prefix=path.name, delete=False) as file:
            unfinished = Path(file.name)
            try:
                yield file.write
                file.flush()
                unfinished.chmod(mode)
                unfinished.replace(path)
            except BaseException:
                # Also after Ctrl-C: nothing unfinished stays behind.
                unfinished.unlink()
                raise
    except OSError as error:
        raise failure("ugs record export", f"{path}: cannot be written: {reason_of(error)}") from None


def _print_games(games: Sequence[GameSummary], reasons: Mapping[str, str]) -> None:
    """A table, with the ``reasons`` for the end of some games, by id; without lines, and as wide as it has to be,
    where only a program may read it."""
    numbers = (Column("moves", right=True), Column("time", right=True))
    columns = ("began (UTC)", "game", "type", "players", "result", *numbers, "championship")
    terminal().print(
        grid(columns, (_row(game, reasons.get(game.game_id, "")) for game in games), head_line=sys.stdout.isatty())
    )


def _row(game: GameSummary, reason: str) -> tuple[str, ...]:
    players = (seat.nick if seat.outcome is None else f"{seat.nick} {seat.outcome}" for seat in game.seats)
    if game.verdict is None:
        result = "running"
    else:
        culprit = f" ({game.verdict.culprit})" if game.verdict.culprit is not None else ""
        result = f"{game.verdict.cause}{culprit}{f': {reason}' if reason else ''}"
        if game.taken_out is not None:
            # Who voided it, and why, is all there is.
            result = game.taken_out.sentence if game.verdict.void else f"{result}, {game.taken_out.sentence}"
        elif not game.counts:
            result += ", does not count"
        if game.correction is not None:
            result += f", corrected by {game.correction.who}: {game.correction.why}"
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


def _correction(one: Correction) -> dict[str, object]:
    return {"who": one.who, "why": one.why, "before": list(one.before)}


def _as_dict(game: GameSummary, reason: str) -> dict[str, object]:
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
        "reason": reason,
        "moves": game.moves,
        "championship": game.championship,
        "fixture": game.fixture,
        "counts": game.counts,
        "correction": None if game.correction is None else _correction(game.correction),
        "taken_out": None if game.taken_out is None else {"who": game.taken_out.who, "why": game.taken_out.why},
        "table": dict(game.table),
    }
