"""The command ``ugs why``."""

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from ugs.admin import NoAnswer, NoServer
from ugs.commands.drawing import canvas
from ugs.commands.failing import WRONG_USAGE, failure
from ugs.journal.reader import Reader
from ugs.journal.recovery import wall_us
from ugs.journal.schema import JournalError
from ugs.pictures.recorded import last_picture
from ugs.pictures.terminal import show
from ugs.terminal import safe
from ugs.why import server as whole
from ugs.why.sources import UnknownName, look_up
from ugs.why.text import as_text


def why(
    data_dir: Annotated[
        Path, typer.Option(envvar="UGS_DATA_DIR", help="Data directory of the server, running or not.")
    ],
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]", help="A nick, a game master's id, or a game id's beginning.", show_default=False
        ),
    ] = None,
    server: Annotated[
        bool, typer.Option("--server", help="Instead of NAME: what the running server is doing.")
    ] = False,
    form: Annotated[
        Literal["text", "json"], typer.Option("--format", help="text: for people; json: everything, documents exact.")
    ] = "text",
    last: Annotated[int, typer.Option(min=0, help="How many exchanges, logins and games are shown.")] = 6,
) -> None:
    """Why does this player wait? Why did this game end so? What is the server doing?

    Asks the server that runs on the data directory, and its journal; without a server, the journal alone. Of a game:
    whose turn it is, or why it ended and whose fault that was, its last exchanges byte for byte, and where the time of
    its last move went. Of a player or a game master: what it waits for, when it was here, what it played. With
    --server, of the running server: who is here, who holds how much memory, beside each limit, and what holds it up.

    Examples:

        ugs why ann --data-dir data

        ugs why uQ3x --data-dir data --last 20

        ugs why --server --data-dir data --format json
    """
    if server == (name is not None):
        raise failure("ugs why", "give NAME or --server, one of them", WRONG_USAGE)
    if name is None:
        _tell_of_server(data_dir, form)
        return
    try:
        accounts, notes = look_up(name, data_dir, last, wall_us())
    except (UnknownName, JournalError) as error:
        raise failure("ugs why", error, WRONG_USAGE) from None
    if form == "json":
        typer.echo(json.dumps({"found": accounts, "notes": notes}, indent=2))
        return
    for note in notes:
        typer.echo(f"ugs why: {safe(note)}", err=True)
    typer.echo("\n\n".join(map(as_text, accounts)))
    for account in accounts:
        if account["kind"] == "game":
            _show_position(account["game"], data_dir)


def _show_position(game_id: str, data_dir: Path) -> None:
    """Print the last position of a game as everybody may see it; nothing where the journal has none."""
    screen = canvas()
    try:
        with Reader(data_dir) as reader:
            picture = last_picture(reader.record(game_id))
    except JournalError:
        return
    if picture is not None:
        typer.echo("\n  last position:")
        show(screen, picture, indent=4)


def _tell_of_server(data_dir: Path, form: str) -> None:
    try:
        told = whole.ask_server(data_dir)
    except (NoServer, NoAnswer) as error:
        raise failure("ugs why", error) from None
    typer.echo(json.dumps(told, indent=2) if form == "json" else whole.as_text(told))
