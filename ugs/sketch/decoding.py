"""Reads sketches: bytes of strangers into values.

Every failure is an :class:`Unfit`, which names element, attribute and value.

What a sketch may cost is bounded before anything of it is used: bytes, tags and depth in :mod:`ugs.sketch.elements`;
here cells, pieces and offers, so that any sketch that passes can be drawn within the bounds of pictures.
"""

import re
from collections.abc import Callable, Collection, Container, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from ugs.printable import shown
from ugs.sketch import size
from ugs.sketch.drawings import drawing
from ugs.sketch.elements import OFFER, SketchElement, Unfit, parse, tag_at, text_of
from ugs.sketch.model import Counter, Drawing, Grid, Ground, Hand, Hexes, Line, Look, Offer, Pieces, Points, Sketch
from ugs.sketch.vocabulary import GROUNDS, IN_TURN, MAX_EXTENT, NO_COLOUR, ON_GROUND, values_of

ROOT: Final = "sketch"
MAX_POINTS: Final = 400
MAX_SHOWN: Final = 1_000
"""What is drawn on a ground, or left out: a cell, a piece, a mark each count one; a letter and a label one more."""
MAX_HELD: Final = 120
"""Pieces in all hands together, those that look the same counted once."""
MAX_LINES: Final = 200
MAX_COUNTERS: Final = 60
MAX_NEWS: Final = 20
MAX_OFFERS: Final = 400
MAX_OFFER_CELLS: Final = 800
"""Cells of all offers together."""
MAX_MOVE: Final = 1024
"""Bytes of a move."""
_MOVE: Final = re.compile(r"<move(?:/>|[\s>])")
_PREFIX: Final = re.compile(r"""<[^<>"'\s]{0,64}:|\s[^<>"'\s=]{0,64}:[^<>"'\s=]{0,64}=""")
"""A prefix in a name: it might be declared outside of the move."""
_USUAL_OFFER: Final = 240
"""Characters of a short offer."""


def read(payload: bytes) -> Sketch:
    """A sketch from its element. Raises Unfit."""
    sketch = _read(payload, offers=True)
    _check(sketch)
    too_large = size.check(sketch)
    if too_large:
        raise Unfit(too_large)
    return sketch


def unfit(payload: bytes, known: Container[str] | None = None) -> str:
    """What a server refuses a sketch for, and nothing for one that it takes. ``known`` are the players and programs
    whose nicks may stand in it; None: whoever it names plays."""
    try:
        sketch = read(payload)
    except Unfit as why:
        return str(why)
    # Names in a sketch are shown as those of players, so it may name no one else.
    strangers = (f"{tag} nick {nick!r}" for tag, nick in sketch.nicks() if known is not None and nick not in known)
    return next((f"{one}: not a player in this game" for one in strangers), "")


def read_board(payload: bytes) -> Sketch:
    """A sketch without its offers: all that is drawn for a viewer without offers. Raises Unfit."""
    sketch = _read(payload, offers=False)
    _check(sketch)
    return sketch


def _read(payload: bytes, *, offers: bool) -> Sketch:
    root = parse(text_of(payload), offers=offers)
    if root.tag != ROOT or root.attributes or root.text:
        raise Unfit(f"{root.tag}: expected a sketch element without attributes and text")
    by_tag: dict[str, list[SketchElement]] = {tag: [] for tag in (*GROUNDS, *ON_GROUND)}
    for child in root.children:
        if child.tag not in by_tag:
            raise Unfit(f"{child.tag}: there is no such element; known are {', '.join(sorted(by_tag))}")
        by_tag[child.tag].append(child)
    grounds = [child for tag in GROUNDS for child in by_tag[tag]]
    if len(grounds) != 1:
        raise Unfit(f"{len(grounds)} grounds; expected exactly one of {', '.join(GROUNDS)}")
    ground = _GROUND[grounds[0].tag](grounds[0])
    cells = [(one["colour"], one["at"]) for one in map(values_of, by_tag["cells"])]
    return Sketch(
        ground,
        tuple([(colour, at) for colour, at in cells if colour != NO_COLOUR]),
        tuple([Pieces(one["at"], _look(one)) for one in map(values_of, by_tag["pieces"])]),
        tuple([Line(one["from"], one["to"], one["colour"]) for one in map(values_of, by_tag["line"])]),
        tuple([cell for one in map(values_of, by_tag["mark"]) for cell in one["at"]]),
        tuple([(values_of(one)["at"], one.text) for one in by_tag["label"]]),
        tuple([(one["nick"], _look(one)) for one in map(values_of, by_tag["seat"])]),
        tuple([Counter(one["name"], one["value"], one["nick"]) for one in map(values_of, by_tag["counter"])]),
        tuple([_hand(one) for one in by_tag["hand"]]),
        tuple([_shown(one) for one in by_tag["news"]]),
        " ".join([_shown(one) for one in by_tag["words"][:1]]),
        tuple([_offer(one.written) for one in by_tag["offer"]]),
        tuple(dict.fromkeys([cell for colour, at in cells if colour == NO_COLOUR for cell in at])),
    )


# Grounds.


def _grid(element: SketchElement) -> Grid:
    values = values_of(element)
    return Grid(values["columns"], values["rows"], values["look"], values["numbers"] == "yes", values["turns"] == "yes")


def _hexes(element: SketchElement) -> Hexes:
    values = values_of(element)
    return Hexes(values["columns"], values["rows"], values["turns"] == "yes")


def _points(element: SketchElement) -> Points:
    values = values_of(element)
    if len(element.children) > MAX_POINTS:
        raise Unfit(f"points: {len(element.children)} points; allowed: at most {MAX_POINTS}")
    width, height = values["width"], values["height"]
    if not (1 <= width <= MAX_EXTENT and 1 <= height <= MAX_EXTENT):
        raise Unfit(f"points: width {width:g} and height {height:g}; expected 1 at least")
    places: dict[str, tuple[float, float]] = {}
    for one in map(values_of, element.children):
        if one["id"] in places or not one["id"] or one["id"].split() != [one["id"]]:
            raise Unfit(f"point id {shown(one['id'])}: expected a name of its own without blanks")
        if one["x"] > width or one["y"] > height:
            raise Unfit(f"point id {shown(one['id'])}: outside of {width:g} by {height:g}")
        places[one["id"]] = one["x"], one["y"]
    return Points(width, height, values["size"], places, values["turns"] == "yes")


_GROUND: Final[Mapping[str, Callable[[SketchElement], Ground]]] = {
    "grid": _grid,
    "hexes": _hexes,
    "points": _points,
    "svg": drawing,
}


def cells_of(sketch: Sketch) -> Collection[str]:
    """The names of all cells that are there."""
    cells = _cells_of(sketch.ground)
    return frozenset(cells).difference(sketch.holes) if sketch.holes else cells


def _cells_of(ground: Ground) -> Collection[str]:
    """The names of all cells, left out or not."""
    if isinstance(ground, Points):
        return ground.places.keys()
    return ground.cells if isinstance(ground, Drawing) else _cells(ground.columns, ground.rows)


# All sketches of a game name the cells of one board.
@lru_cache(maxsize=32)
def _cells(columns: int, rows: int) -> frozenset[str]:
    return frozenset([f"{column},{row}" for column in range(columns) for row in range(rows)])


# What lies on them.


def _look(values: Mapping[str, Any]) -> Look:
    return Look(values["colour"], values["shape"], values["letter"], values.get("name", ""))


def _hand(element: SketchElement) -> Hand:
    values = values_of(element)
    held = tuple([(_look(one), one["count"]) for one in map(values_of, element.children)])
    return Hand(values["nick"], values["name"], held)


def _shown(element: SketchElement) -> str:
    values_of(element)
    return element.text


def _offer(written: str) -> Offer:
    return _usual_offer(written) if len(written) <= _USUAL_OFFER else _new_offer(written)


@lru_cache(maxsize=4096)
def _usual_offer(written: str) -> Offer:
    """A short offer: most of them were in the sketch before, too."""
    return _new_offer(written)


def _new_offer(written: str) -> Offer:
    element, _, begin = tag_at(written, 0)
    if element.tag != OFFER:
        raise Unfit(f"{element.tag}: there is no such element")
    values = values_of(element)
    move = written[begin : -len(f"</{OFFER}>")].strip()
    # Nothing may ride along: a player's click sends this text to the master as it stands.
    if len(_MOVE.findall(move)) != 1 or _MOVE.match(move) is None or not move.endswith(("</move>", "/>")):
        raise Unfit(f"{_named_offer(values)}: expected exactly one move in it, and no other element")
    inside = move.find("</move") if move.endswith("</move>") else move.find("<", 1)
    # Else a second element could follow the move, as in <move/><x/>.
    if inside not in (-1, len(move) - len("</move>")):
        raise Unfit(f"{_named_offer(values)}: expected exactly one move in it, and no other element")
    # In a comment or a section an end tag is mere text, and the counts above would be wrong.
    if "<!" in move or "<?" in move or f"<{OFFER}" in move or (":" in move and _PREFIX.search(move)):
        raise Unfit(f"{_named_offer(values)}: its move has a prefix, a comment, a section or an instruction")
    payload = move.encode()
    if len(payload) > MAX_MOVE:
        raise Unfit(f"{_named_offer(values)}: its move has {len(payload)} bytes; allowed: at most {MAX_MOVE}")
    return Offer(values["label"], payload, values["at"], values["nick"], values["clicks"] == IN_TURN)


def _named_offer(values: Mapping[str, Any]) -> str:
    return f"offer label {shown(values['label'])}"


# Bounds.


def _check(sketch: Sketch) -> None:
    """Raise Unfit where a sketch names a cell that there is not, or shows more than can be drawn."""
    ground = sketch.ground
    letters = sum([len(one.at) for one in sketch.pieces if one.look.letter])
    shown_at = sum([len(at) for _, at in sketch.cells]) + sum([len(one.at) for one in sketch.pieces])
    shown_at += len(sketch.holes)
    written = letters + 2 * len(sketch.labels)
    held = [look for hand in sketch.hands for look in hand.held]
    for what, count, most in (
        ("cells, pieces, letters, marks and labels", shown_at + written + len(sketch.marks), MAX_SHOWN),
        ("line", len(sketch.lines), MAX_LINES),
        ("held", len(held) + len(sketch.hands), MAX_HELD),
        ("counter", len(sketch.counters), MAX_COUNTERS),
        ("news", len(sketch.news), MAX_NEWS),
        ("offer", len(sketch.offers), MAX_OFFERS),
        ("offer at", sum([len(one.at) for one in sketch.offers]), MAX_OFFER_CELLS),
    ):  # fmt: skip
        if count > most:
            raise Unfit(f"{what}: {count}; allowed: at most {most}")
    if isinstance(ground, Drawing) and (shown_at or sketch.marks or sketch.labels or sketch.lines):
        raise Unfit("svg: cells, pieces, lines, marks and labels have no place on a drawing; draw them in it")
    if isinstance(ground, Points) and sketch.holes:
        raise Unfit(
            f"cells colour {shown(NO_COLOUR)}: for cells of grid and hexes; what shall not be there is no point"
        )
    known, all_cells = cells_of(sketch), _cells_of(ground)
    for cell in sketch.holes:
        if cell not in all_cells:
            raise Unfit(f"cells at {shown(cell)}: there is no such cell")
    for where, cells in _named(sketch):
        for cell in cells:
            if cell not in known:
                left_out = f"is left out, by cells of the colour {NO_COLOUR}"
                raise Unfit(f"{where} {shown(cell)}: {left_out if cell in all_cells else 'there is no such cell'}")


def _named(sketch: Sketch) -> Iterable[tuple[str, Iterable[str]]]:
    """All cells that a sketch names as there, each with the element and attribute that name it."""
    yield from (("cells at", at) for _, at in sketch.cells)
    yield from (("pieces at", one.at) for one in sketch.pieces)
    yield from (("line from or to", (one.begin, one.end)) for one in sketch.lines)
    yield "mark at", sketch.marks
    yield "label at", (cell for cell, _ in sketch.labels)
    yield from (("offer at", one.at) for one in sketch.offers)
