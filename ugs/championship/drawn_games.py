"""Drawn games as text for the ledger, so that they need not be drawn again."""

import json
import zlib
from base64 import b64decode, b64encode

from ugs.championship.due_draws import Drawing
from ugs.championship.pairing.rounds import Rounds


def kept(drawing: Drawing) -> str:
    """Return drawn games as text; :func:`read_kept` reads it back."""
    if isinstance(drawing, Rounds):
        found: list[object] = ["rounds", drawing.seats, *map(_packed, drawing.numbers)]
    else:
        found = ["pairings", *drawing]
    return json.dumps(found)


def read_kept(text: str) -> Drawing:
    """Return the games that :func:`kept` has written."""
    kind, *rest = json.loads(text)
    if kind == "pairings":
        return tuple(map(tuple, rest))
    seats, *numbers = rest
    return Rounds.of_places(seats, *map(_unpacked, numbers))


def _packed(data: bytes) -> str:
    # Half a million games would be a JSON list of more than a million numbers.
    return b64encode(zlib.compress(data)).decode("ascii")


def _unpacked(text: str) -> bytes:
    return zlib.decompress(b64decode(text))
