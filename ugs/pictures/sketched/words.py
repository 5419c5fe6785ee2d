"""A sketch in words, and as lines for a terminal."""

from collections.abc import Iterator, Sequence
from typing import Final

from ugs.pictures.contract import Line, Scene, Shown, Span
from ugs.pictures.lettering import clipped, padded, wrapped
from ugs.pictures.sketched.legend import counters_text, title_of
from ugs.sketch.model import Grid, Look, Sketch

SIGNS: Final = {
    "disc": "●",
    "ring": "○",
    "cross": "✕",
    "square": "■",
    "diamond": "◆",
    "triangle": "▲",
    "star": "★",
    "bar": "▮",
}
CELLS: Final = "░▒▓▚▤▥▦▧▨▩▞▙▛▜▟▖▗▘▝▌▐▀▄▬"
"""Signs of coloured cells without a piece, one for each colour of a sketch: terminals may have no colours."""
_STYLES: Final = {
    "red": "red",
    "blue": "blue",
    "yellow": "yellow",
    "green": "green",
    "violet": "magenta",
    "sky": "cyan",
}


def standing(scene: Scene, shown: Shown) -> str:
    """Who is to move, or has won."""
    if shown.winners is not None:
        names = _names(scene, sorted(shown.winners))
        return f"{names} won" if names else "all players lost" if shown.all_lost else "the game is drawn"
    names = _names(scene, shown.movers)
    return f"{names} to move" if names else ""


def words(scene: Scene, sketch: Sketch, shown: Shown) -> str:
    """The position in sentences: those of the master if it has written any."""
    now = standing(scene, shown)
    sentences = [f"{now[:1].upper()}{now[1:]}."] if now else []
    if sketch.words:
        return " ".join([*sentences, sketch.words])
    if isinstance(sketch.ground, Grid):
        sentences.append(f"{sketch.ground.columns} columns and {sketch.ground.rows} rows, counted from 0.")
    for pieces in sketch.pieces:
        sentences.append(f"{name_of(pieces.look)} on {' '.join(pieces.at)}.")
    if sketch.marks:
        sentences.append(f"Marked: {' '.join(sketch.marks)}.")
    sentences += [f"On {cell} stands {text}." for cell, text in sketch.labels]
    sentences += [f"{one}." for one in _beside(sketch)]
    return " ".join(sentences) or "A position without pieces."


def lines(scene: Scene, sketch: Sketch, shown: Shown, width: int) -> Iterator[Line]:
    """The position for a terminal."""
    looks = dict(sketch.seats)
    for place, seat in enumerate(scene.seats):
        turn = place in shown.movers and shown.winners is None
        won = shown.winners is not None and place in shown.winners
        sign = [_sign(looks[seat.nick]), Span(" ")] if seat.nick in looks else []
        sentences = counters_text([one for one in sketch.counters if one.nick == seat.nick])
        ends = f"{' won' if won else ''}{f'  {sentences}' if sentences else ''}"
        yield (Span("> " if turn else "  ", "bold"), *sign, Span(f"{clipped(seat.nick, 20)}{ends}"))
    if shown.winners is not None and not shown.winners:
        yield (Span("  all lost" if shown.all_lost else "  drawn", "bold"),)
    yield ()
    if isinstance(sketch.ground, Grid):
        yield from _grid(sketch, sketch.ground, width)
        yield from ((Span(text),) for one in _beside(sketch) for text in wrapped(one, width))
    else:
        yield from ((Span(text),) for text in wrapped(words(scene, sketch, shown), width))


def name_of(look: Look) -> str:
    """What a piece is called."""
    letter = f" {look.letter}" if look.letter.strip() else ""
    return look.name or f"{look.colour} {look.shape}{letter}"


def _grid(sketch: Sketch, ground: Grid, width: int) -> Iterator[Line]:
    labels = dict(sketch.labels)
    looks = {cell: pieces.look for pieces in sketch.pieces for cell in pieces.at}
    marks = set(sketch.marks)
    signs = dict(zip(dict.fromkeys(colour for colour, _ in sketch.cells), CELLS, strict=False))
    coloured = {
        cell: Span(signs.get(colour, "·"), _STYLES.get(colour, "")) for colour, at in sketch.cells for cell in at
    }
    letters = [len(one.look.letter) for one in sketch.pieces]
    numbers = len(str(ground.columns - 1))
    step = 1 + max([1, *letters, *map(len, labels.values()), numbers])
    columns = range(min(ground.columns, max(1, (width - 4) // step)))
    yield (Span("    " + "".join([padded(str(column), step) for column in columns]), "dim"),)
    for row in range(ground.rows):
        spans = [Span(f"{row:>3} ", "dim")]
        for column in columns:
            cell = f"{column},{row}"
            if cell in looks:
                sign = _sign(looks[cell])
            elif cell in labels:
                sign = Span(labels[cell], "dim")
            else:
                sign = coloured.get(cell, Span("·", "dim"))
            style = f"{sign.style} reverse" if cell in marks else sign.style
            spans += [
                Span(clipped(sign.text, step - 1), style),
                Span(padded("", step - len(clipped(sign.text, step - 1)))),
            ]
        yield tuple(spans)
    if signs:
        yield from (
            (Span(text),) for text in wrapped(", ".join([f"{one} {name}" for name, one in signs.items()]), width)
        )


def _sign(look: Look) -> Span:
    return Span(look.letter.strip() or SIGNS[look.shape], f"bold {_STYLES.get(look.colour, '')}".strip())


def _beside(sketch: Sketch) -> list[str]:
    """Counters and hands, one line each."""
    words = [f"{f'{one.nick}: ' if one.nick else ''}{one.name} {one.value}" for one in sketch.counters]
    for hand in sketch.hands:
        held = ", ".join(f"{f'{count} × ' if count > 1 else ''}{name_of(look)}" for look, count in hand.held)
        words.append(f"{title_of(hand)}: {held or 'nothing'}")
    return words


def _names(scene: Scene, seats: Sequence[int]) -> str:
    names = [clipped(scene.seats[seat].nick, 20) for seat in seats if 0 <= seat < len(scene.seats)]
    return " and ".join(names)
