"""A position as a sketch: an observation with planes of a small board as a board, any other one in words.

The interface does not say what an action does, so moves are buttons with their numbers.
"""

from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from game_masters.pettingzoo.view import EventKind, Numbers, Play, View

MAX_SIDE: Final = 25
LOOKS: Final = (("red", "disc"), ("yellow", "diamond"), ("blue", "square"), ("green", "triangle"))
"""Pieces of the planes of a board."""
MAX_PRINTED: Final = 50
"""Lines, and characters of a line, of a position that is shown as it is printed."""
MAX_OFFERS: Final = 200
MAX_NEWS: Final = 8
MAX_WORDS: Final = 1_900


def sketch(view: View, nicks: Sequence[str], seat: int | None) -> bytes:
    """Return what a viewer sees."""
    board = next((one for one in view.observation if is_board(one)), None)
    nick = nicks[view.turn] if view.turn is not None and view.turn < len(nicks) else ""
    return "".join(
        [
            "<sketch>",
            _planes(board) if board is not None and not view.board else _letters(view.board),
            *(_counter(nick, points) for nick, points in zip(nicks, view.points, strict=False)),
            *(f"<news>{escape(line)}</news>" for line in _news(view, nicks)),
            f"<words>{escape(_words(view))}</words>",
            *(_offer(play, nick) for play in view.plays[:MAX_OFFERS]),
            "</sketch>",
        ]
    ).encode()


def is_board(seen: Numbers) -> bool:
    """Whether an array looks like planes of a board: rows, columns, and at most four planes of yes or no."""
    return (
        len(seen.shape) == 3
        and all(1 <= side <= MAX_SIDE for side in seen.shape[:2])
        and 1 <= seen.shape[2] <= len(LOOKS)
        and set(seen.text.split()) <= {"0", "1"}
    )


def _counter(nick: str, points: float) -> str:
    return f'<counter name="points" value="{points:g}" nick={quoteattr(nick)}/>'


def _offer(play: Play, nick: str) -> str:
    return f'<offer label="{play}" nick={quoteattr(nick)}><move><play id="{play.id}"/></move></offer>'


def _letters(text: str) -> str:
    """A position as it is printed, each character in its place; of one that is too large, nothing."""
    lines = text.rstrip("\n").split("\n")
    columns = max(map(len, lines))
    if not 1 <= columns <= MAX_PRINTED or len(lines) > MAX_PRINTED:
        return '<grid columns="1" rows="1" look="open"/>'
    labels = (
        f'<label at="{column},{row}">{escape(sign)}</label>'
        for row, line in enumerate(lines)
        for column, sign in enumerate(line)
        if not sign.isspace()
    )
    return f'<grid columns="{columns}" rows="{len(lines)}" look="open"/>{"".join(labels)}'


def _planes(seen: Numbers) -> str:
    rows, columns, planes = seen.shape
    values = seen.text.split()
    cells: list[list[str]] = [[] for _ in range(planes)]
    for place, value in enumerate(values):
        field, plane = divmod(place, planes)
        if value != "0":
            row, column = divmod(field, columns)
            cells[plane].append(f"{column},{row}")
    pieces = (
        f'<pieces at="{" ".join(at)}" colour="{colour}" shape="{shape}" name="plane {plane}"/>'
        for plane, (at, (colour, shape)) in enumerate(zip(cells, LOOKS, strict=False))
        if at
    )
    return f'<grid columns="{columns}" rows="{rows}"/>{"".join(pieces)}'


def _news(view: View, nicks: Sequence[str]) -> list[str]:
    lines = []
    for event in view.events[-MAX_NEWS:]:
        who = nicks[event.seat] if event.seat < len(nicks) else f"seat {event.seat}"
        what = (
            "is out" if event.kind is EventKind.OUT else "acts" if event.play is None else f"takes action {event.play}"
        )
        lines.append(f"{who} {what}"[:120])
    return lines


def _words(view: View) -> str:
    """The position in words: as the environment prints it, or the numbers."""
    if view.board:
        return view.board[:MAX_WORDS]
    texts = [f"{one.name} ({' by '.join(map(str, one.shape)) or 'one number'}): {one.text}" for one in view.observation]
    return " ".join(texts)[:MAX_WORDS] or "what players observe may be secret"
