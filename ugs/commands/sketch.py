"""The command ``ugs sketch``."""

import re
from pathlib import Path
from typing import Annotated, Final

import typer

from ugs.commands.failure import FAILED, WRONG_USAGE, failure
from ugs.path_faults import reason_of

_SKETCH: Final = re.compile(rb"<sketch\b.*</sketch\s*>|<sketch\b[^>]*/>", re.DOTALL)
"""The element in a file that may hold a whole message."""
NAME: Final = "ugs sketch"


def sketch(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", dir_okay=False, help="A <sketch>, or the x-sketch around it.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="SVG", dir_okay=False, help="Write the picture to this file."),
    ] = None,
) -> None:
    """Show how a sketch of a game master looks, without a server and a game: on the terminal, or as a picture.

    What a server would refuse it for is named with element, attribute and value, and the exit code is 1.

    Examples:

        ugs sketch board.xml

        ugs sketch board.xml --output board.svg
    """
    from ugs.commands.picture_output import canvas, show
    from ugs.pictures.album import Album
    from ugs.pictures.contract import Scene, Seat, Shown
    from ugs.pictures.paint import standalone
    from ugs.sketch.decoding import read
    from ugs.sketch.elements import Unfit
    from ugs.text_files import TextFileError, read_bytes

    try:
        found = _SKETCH.search(read_bytes(file))
    except TextFileError as error:
        raise failure(NAME, error, WRONG_USAGE) from None
    if found is None:
        raise failure(NAME, f"{file}: there is no <sketch>…</sketch> in it", WRONG_USAGE)
    try:
        nicks = dict.fromkeys(nick for _, nick in read(found[0]).nicks() if nick)
    except Unfit as why:
        raise failure(NAME, f"{file}: {why}", FAILED) from None
    scene = Scene(tuple(map(Seat, nicks or ("ann", "ben"))))
    picture = Album("sketch", scene, {}).show(Shown(b"<gameState/>", (0,), sketch=found[0]))
    if output is None:
        show(canvas(), picture)
        return
    try:
        output.write_text(standalone(picture.svg("sketch")), encoding="utf-8")
    except OSError as error:
        raise failure(NAME, f"{output}: {reason_of(error)}") from None
    typer.echo(output)
