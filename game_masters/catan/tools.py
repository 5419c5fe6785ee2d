"""The commands ``ugs catan extract``, ``export``, ``replay`` and ``bridge``."""

from pathlib import Path
from typing import Annotated, Final, NoReturn

import typer

from ugs.address import DEFAULT_ADDRESS, read_address, read_listening
from ugs.printable import safe
from ugs.text_files import MAX_RECORDED, TextFileError, read_text

MAX_NAMED: Final = 20
"""Lines that were not understood and are named."""

app = typer.Typer(
    help="Catan beside JSettlers: logs of games as .soclog, what is in them, and a bridge for its robots.",
    no_args_is_help=True,
)

File = Annotated[Path, typer.Argument(metavar="FILE", dir_okay=False, help="The file to read.")]
View = Annotated[int | None, typer.Option("--view", min=0, max=9, metavar="SEAT", help="Only what this seat was sent.")]


@app.command("extract")
def list_actions(file: File, view: View = None) -> None:
    """List the actions in a log: number of the first event, type, parameters, resources, state at the end."""
    # A shell that asks for the options does not wait for all this to load.
    from game_masters.catan.logs.extractor import NoStart, extract, in_lines
    from game_masters.catan.logs.soclog import BadLog, read_any

    try:
        log = read_any(_text(file))
        typer.echo(in_lines(extract(log, view)), nl=False)
    except (BadLog, NoStart) as error:
        _fails(file, str(error))
    if log.kept:
        typer.echo(f"ugs catan: {file}: {len(log.kept)} not understood, kept as they stand:", err=True)
        for one in log.kept[:MAX_NAMED]:
            typer.echo(f"  {one}", err=True)
        if len(log.kept) > MAX_NAMED:
            typer.echo(f"  and {len(log.kept) - MAX_NAMED} more", err=True)


@app.command()
def export(
    file: File,
    view: View = None,
    clients: Annotated[bool, typer.Option("--clients", help="Without messages of clients.")] = False,
) -> None:
    """Write a recorded game, as `ugs record export --format jsonl` gives it, as .soclog to standard output."""
    from game_masters.catan.logs.soclog import write
    from game_masters.catan.recorded import BadRecord, log_of_record

    try:
        log, comments = log_of_record(_text(file))
    except BadRecord as error:
        _fails(file, str(error))
    if view is not None:
        log = log.view(view)
    elif clients:
        log = log.clients()
    typer.echo(write(log, comments), nl=False)


@app.command()
def replay(
    file: File,
    shown: Annotated[int, typer.Option("--first", min=0, metavar="N", help="Differences that are shown.")] = 3,
) -> None:
    """Give the requests in a log to our rules, and compare every message with what the server sent.

    The exit code is 0 if all are equal, 1 if not, and 2 if the log cannot be replayed.
    """
    from game_masters.catan.logs.soclog import BadLog, read_any
    from game_masters.catan.replay.comparison import compare
    from game_masters.catan.replay.logged_game import CannotReplay

    try:
        found = compare(read_any(_text(file, 2)))
    except (BadLog, CannotReplay) as error:
        _fails(file, str(error), 2)
    typer.echo(found.summary())
    for one in found.differences[:shown]:
        typer.echo(f"\n{one}")
    if len(found.differences) > shown:
        typer.echo(f"\nand {len(found.differences) - shown} more")
    if found.differences:
        raise typer.Exit(1)


@app.command()
def bridge(
    listen: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="Where clients of JSettlers find the bridge.")
    ] = "127.0.0.1:8880",
    connect: Annotated[str, typer.Option(metavar="HOST:PORT", help="Where our server listens.")] = DEFAULT_ADDRESS,
    game_type: Annotated[str, typer.Option(metavar="TYPE", help="What they play: the game type.")] = "settlers",
    cookie: Annotated[str, typer.Option(help="The cookie that robots have to send.  [default: anything]")] = "",
    clients: Annotated[int, typer.Option(min=1, help="Clients at a time; one address has at most half.")] = 64,
    answer_s: Annotated[
        float, typer.Option(min=1, help="Seconds until an unanswered offer to a client is rejected.")
    ] = 8.0,
    ca: Annotated[
        Path | None,
        typer.Option(metavar="FILE", dir_okay=False, help="Speak TLS with our server; PEM file of who is trusted."),
    ] = None,
) -> None:
    """Let robots and clients of JSettlers play here: each of them is a player on our server.

    Start a robot as `soc.robot.SOCRobotClient HOST PORT NICK PASSWORD COOKIE`.
    """
    from game_masters.catan.bridge.guest import House
    from game_masters.catan.bridge.program import run

    try:
        run(House(game_type, cookie, answer_s), read_listening(listen), read_address(connect), clients, ca)
    except (OSError, ValueError) as error:
        typer.echo(f"ugs catan bridge: {error}", err=True)
        raise typer.Exit(1) from None


def _text(file: Path, code: int = 1) -> str:
    try:
        return read_text(file, MAX_RECORDED)
    except TextFileError as error:
        typer.echo(f"ugs catan: {safe(str(error))}", err=True)
        raise typer.Exit(code) from None


def _fails(file: Path, why: str, code: int = 1) -> NoReturn:
    typer.echo(f"ugs catan: {file}: {why}", err=True)
    raise typer.Exit(code)
