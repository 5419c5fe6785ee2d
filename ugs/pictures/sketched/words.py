"""A sketch in words."""

from collections.abc import Sequence
from typing import Final

from ugs.pictures.contract import Scene, Shown
from ugs.pictures.lettering import clipped, sentence
from ugs.pictures.sketched.legend import title_of
from ugs.sketch.model import Grid, Look, Sketch

MAX_LINES_NAMED: Final = 12
"""More lines of one colour are counted."""


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
    sentences = [sentence(now, scene)] if now else []
    if sketch.words:
        return " ".join([*sentences, sketch.words])
    if isinstance(sketch.ground, Grid):
        left_out = f"; {len(sketch.holes)} of the cells are left out" if sketch.holes else ""
        sentences.append(f"{sketch.ground.columns} columns and {sketch.ground.rows} rows, counted from 0{left_out}.")
    if sketch.marks:
        sentences.append(f"Marked: {' '.join(sketch.marks)}.")
    for pieces in sketch.pieces:
        sentences.append(f"{name_of(pieces.look)} on {' '.join(pieces.at)}.")
    sentences += [f"On {cell} stands {text}." for cell, text in sketch.labels]
    sentences += [f"{one}." for one in beside(sketch)]
    sentences += _lines(sketch)
    return " ".join(sentences) or "A position without pieces."


def _lines(sketch: Sketch) -> list[str]:
    """The lines of each colour; where they are many, most of them are the board."""
    sentences = []
    for colour in dict.fromkeys([one.colour for one in sketch.lines]):
        ways = [f"{one.begin}–{one.end}" for one in sketch.lines if one.colour == colour]
        of = f" in {colour}" if colour else ""
        many = len(ways) > MAX_LINES_NAMED
        sentences.append(f"{len(ways)} lines{of}." if many else f"Lines{of}: {', '.join(ways)}.")
    return sentences


def name_of(look: Look) -> str:
    """What a piece is called."""
    letter = f" {look.letter}" if look.letter.strip() else ""
    return look.name or f"{look.colour} {look.shape}{letter}"


def beside(sketch: Sketch) -> list[str]:
    """Counters and hands, one line each."""
    words = [f"{f'{one.nick}: ' if one.nick else ''}{one.name} {one.value}" for one in sketch.counters]
    return words + held(sketch)


def held(sketch: Sketch) -> list[str]:
    """Hands, one line each."""
    words = []
    for hand in sketch.hands:
        pieces = ", ".join(f"{f'{count} × ' if count > 1 else ''}{name_of(look)}" for look, count in hand.held)
        words.append(f"{title_of(hand)}: {pieces or 'nothing'}")
    return words


def _names(scene: Scene, seats: Sequence[int]) -> str:
    names = [clipped(scene.seats[seat].nick, 20) for seat in seats if 0 <= seat < len(scene.seats)]
    return " and ".join(names)
