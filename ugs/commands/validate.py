"""The command ``ugs validate``."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from ugs.commands.failure import FAILED, WRONG_USAGE, failure
from ugs.printable import safe


def validate(
    files: Annotated[list[str], typer.Argument(help="Files of one or more UGS documents; - is standard input.")],
    payload_schema: Annotated[
        Path | None,
        typer.Option(help="An XSD of your own, or of a package, for the <move> or <gameState> inside."),
    ] = None,
    payload: Annotated[
        Literal["move", "gameState"] | None,
        typer.Option(help="The files hold no messages: each holds one payload element of this name."),
    ] = None,
) -> None:
    """Check documents against the protocol: framing, envelope and XML schema.

    Prints one line per document; the exit code is 1 if any is wrong.

    Examples:

        ugs validate my-login.xml my-move.xml

        ugs validate recorded.xml --payload-schema my-game.xsd
    """
    from ugs.text_files import TextFileError
    from ugs.validate import validate_files  # a shell that asks for the options does not wait for schemas to load

    wrong = 0
    try:
        for finding in validate_files(files, payload_schema, payload):
            typer.echo(safe(str(finding)))
            wrong += not finding.ok
    except (OSError, TextFileError, ValueError) as error:
        raise failure("ugs validate", error, WRONG_USAGE) from None
    raise typer.Exit(FAILED if wrong else 0)
