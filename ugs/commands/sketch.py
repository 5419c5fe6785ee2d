"""The command ``ugs sketch``."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from ugs.commands.failure import FAILED, WRONG_USAGE, failure
from ugs.path_faults import reason_of
from ugs.printable import safe

if TYPE_CHECKING:
    from ugs.sketch.model import Sketch

NAME: Final = "ugs sketch"
MOST_OFFERS: Final = 20
"""Offers that are listed."""
_BEGIN: Final = b"<sketch"
_END: Final = b"</sketch"


def sketch(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            dir_okay=False,
            allow_dash=True,
            help="A <sketch>, or the x-sketch around it; - reads it from standard input.",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="SVG", dir_okay=False, help="Write the picture to this file."),
    ] = None,
) -> None:
    """Show how a sketch of a game master looks, without a server and a game: on the terminal, or as a picture.

    Below the board are the news and what its offers make clickable. Whose turn it is stands in the state behind a
    sketch: it is shown where all offers are for one player. What a server would refuse the sketch for is named with
    element, attribute and value, and the exit code is 1. Counters that are cut in pictures are named.

    Examples:

        ugs sketch board.xml

        ugs sketch board.xml --output board.svg

        ugs sketch - < board.xml
    """
    from ugs.commands.picture_output import canvas, show
    from ugs.pictures.album import Album
    from ugs.pictures.contract import Scene, Seat, Shown
    from ugs.pictures.paint import standalone
    from ugs.pictures.sketched.legend import cut
    from ugs.sketch.decoding import read
    from ugs.sketch.elements import Unfit
    from ugs.text_files import TextFileError, read_bytes, read_stdin
    from ugs.wire.errors import WireError
    from ugs.wire.wellformed import check_document

    try:
        found = _element(read_stdin() if str(file) == "-" else read_bytes(file))
    except TextFileError as error:
        raise failure(NAME, error, WRONG_USAGE) from None
    if not found:
        raise failure(NAME, f"{file}: there is no <sketch>…</sketch> in it", WRONG_USAGE)
    try:
        shown = read(found)
        # A server has read the message around it before, and closes the line where it cannot.
        check_document(found)
    except (Unfit, WireError) as why:
        raise failure(NAME, f"{file}: {why}", FAILED) from None
    if output is not None and output.suffix != ".svg":
        raise failure(NAME, f"{output}: pictures are SVG: name a file that ends in .svg", WRONG_USAGE)
    nicks = [*dict.fromkeys(nick for _, nick in shown.nicks() if nick)] or ["ann", "ben"]
    asked = {offer.nick for offer in shown.offers}
    movers = tuple([nicks.index(nick) for nick in asked if nick]) if len(asked) == 1 else ()
    picture = Album("sketch", Scene(tuple(map(Seat, nicks))), {}).show(Shown(b"<gameState/>", movers, sketch=found))
    for warning in cut(shown):
        typer.echo(f"{NAME}: {file}: {safe(warning)}", err=True)
    if output is None:
        show(canvas(), picture)
        typer.echo(f"in words: {safe(picture.words())}")
        typer.echo("".join(f"{safe(line)}\n" for line in _beside(shown)), nl=False)
        return
    try:
        output.write_text(standalone(picture.svg("sketch")), encoding="utf-8")
    except OSError as error:
        raise failure(NAME, f"{output}: {reason_of(error)}") from None
    typer.echo(output)


def _beside(sketch: "Sketch") -> Iterator[str]:
    """The news, and the offers with their cells."""
    yield from (f"news: {one}" for one in sketch.news)
    number = len(sketch.offers)
    if number:
        yield f"{number} offer{'s' * (number != 1)}, each with the cells to be clicked for it:"
    for offer in sketch.offers[:MOST_OFFERS]:
        whose = f" ({offer.nick})" if offer.nick else ""
        yield f"  {offer.label}{whose}: {' '.join(offer.at) or 'a button'}"
    if number > MOST_OFFERS:
        yield f"  and {number - MOST_OFFERS} more"


def _element(data: bytes) -> bytes:
    """The element in a file that may hold a whole message; empty if there is none."""
    # Not a pattern: in a file of beginnings without an end it would try each of them to the end of the file.
    begin, last = data.find(_BEGIN), data.rfind(_END)
    end = data.find(b">", max(begin, last))
    return data[begin : end + 1] if begin >= 0 <= end else b""
