"""The command ``ugs why``."""

import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from ugs.commands.failing import WRONG_USAGE, failure
from ugs.journal.recovery import wall_us
from ugs.journal.schema import JournalError
from ugs.terminal import safe
from ugs.why.sources import UnknownName, look_up
from ugs.why.text import as_text


def why(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A nick, a game master's id, or a game id's beginning.")],
    data_dir: Annotated[
        Path, typer.Option(envvar="UGS_DATA_DIR", help="Data directory of the server, running or not.")
    ],
    form: Annotated[
        Literal["text", "json"], typer.Option("--format", help="text: for people; json: everything, documents exact.")
    ] = "text",
    last: Annotated[int, typer.Option(min=0, help="How many exchanges, logins and games are shown.")] = 6,
) -> None:
    """Why does this player wait? Why did this game end so?

    Asks the server that runs on the data directory, and its journal; without a server, the journal alone. Of a game:
    whose turn it is, or why it ended and whose fault that was, its last exchanges byte for byte, and where the time of
    its last move went. Of a player or a game master: what it waits for, when it was here, what it played.

    Examples:

        ugs why ann --data-dir data

        ugs why uQ3x --data-dir data --last 20

        ugs why ann --data-dir data --format json
    """
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
