"""Pictures of chess and its variants: a board of any size, drawn from what travels; no library of chess is needed.

White stands below, Black below for the player of Black. Pieces are outlines, those of variants letters on discs; the
last move is marked, and the pieces in hand stand beside the board.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from game_masters.chess.long_algebraic import in_full
from game_masters.chess.notation import read_state, write_move
from game_masters.chess.pieces import NAMES, OUTLINES
from game_masters.chess.rules import COLOURS, ChessMove, DrawWord, View, listed
from game_masters.chess.short_algebraic import in_short
from game_masters.kit.rules import Unreadable
from ugs.pictures.contract import CannotDraw, Line, Offer, Picture, Scene, Shown, Span
from ugs.pictures.lettering import clipped, sentence
from ugs.pictures.svg import Svg, number

MAX_SIDE: Final = 16
"""Files and ranks of the largest board that is drawn."""
MAX_IN_HAND: Final = 60

_WIDTH: Final = 320.0
_MARGIN: Final = 16.0
_ROW: Final = 22.0
_SQUARE: Final = re.compile(r"([a-z])([0-9]{1,2})")


@dataclass(frozen=True, slots=True)
class Diagram:
    """The first field of a FEN."""

    files: int
    ranks: int
    pieces: Mapping[tuple[int, int], str]
    """By file and rank, from 0; with the signs of what is promoted."""
    hand: str
    """Pieces in hand: capitals are White's."""


@dataclass(frozen=True, slots=True)
class ChessPicture:
    """What can be seen of one position."""

    scene: Scene
    view: View
    diagram: Diagram
    new: tuple[str, ...]
    """Moves since the state before, with who made them."""
    last: str
    movers: tuple[int, ...]
    winners: frozenset[int] | None
    line: str = ""
    """The one move since the state before, with its number; empty if it is not known, or several are."""

    def name(self, seat: int) -> str:
        """The nick of a seat, safe and not long."""
        seats = self.scene.seats
        return clipped(seats[seat].nick, 24) if seat < len(seats) else f"seat {seat + 1}"

    @property
    def standing(self) -> str:
        """Whose turn it is, or how the game ended."""
        if self.winners is None:
            seat = self.movers[0] if self.movers else self.view.turn
            text = ", in check" if self.view.check else ""
            offered = "; a draw is offered" if self.view.offered else ""
            return f"to move: {self.name(seat)} ({COLOURS[seat % 2]}){text}{offered}"
        if not self.winners:
            return "drawn"
        return f"won by {' and '.join(map(self.name, sorted(self.winners)))}"

    # --- what a picture is --------------------------------------------------------------------------------------------

    def words(self) -> str:
        """Return the position in sentences."""
        text = [f"A board of {self.diagram.files} files and {self.diagram.ranks} ranks."]
        for seat in (0, 1):
            own = [
                f"{_named(sign)} {_square(*place)}"
                for place, sign in sorted(self.diagram.pieces.items())
                if _owner(sign) == seat
            ]
            text.append(f"{self.name(seat)} has {COLOURS[seat]}: {', '.join(own) or 'nothing'}.")
            hand = self._hand(seat)
            if hand:
                text.append(f"In hand: {' '.join(hand)}.")
        if self.last:
            text.append(f"The last move: {_in_words(self.last)}.")
        text.append(sentence(self.standing, self.scene))
        return " ".join(text)

    def news(self) -> Sequence[str]:
        """Return the moves that were made."""
        return self.new

    def written(self) -> str:
        """Return the move with its number, as in the score of a game."""
        return self.line

    def offers(self, seat: int) -> Sequence[Offer]:
        """Return all moves; those with an offer of a draw are not listed."""
        if seat not in self.movers or self.winners is not None:
            return ()
        return [Offer(self._label(move), write_move(move)) for move in listed(self.view)]

    def _label(self, move: ChessMove) -> str:
        if not move.uci:
            return "claim a draw" if move.draw is DrawWord.CLAIM else "accept the draw"
        squares = _squares(move.uci)
        sign = self.diagram.pieces.get(squares[0], "") if squares else ""
        claim = ", and claim a draw" if move.draw is DrawWord.CLAIM else ""
        return f"{_named(sign) + ' ' if sign else ''}{_in_words(move.uci)}{claim}"

    def _hand(self, seat: int) -> list[str]:
        """The pieces in hand, with their number where there are several."""
        own = [sign.upper() for sign in self.diagram.hand if _owner(sign) == seat]
        return [f"{sign}×{own.count(sign)}" if own.count(sign) > 1 else sign for sign in dict.fromkeys(own)]

    # --- terminal -----------------------------------------------------------------------------------------------------

    def text(self, width: int) -> Sequence[Line]:
        """Return the board: capitals are White's."""
        lines: list[Line] = list(self._legend())
        marked = set(_squares(self.last))
        for rank in self._ranks():
            spans = [Span(f"{rank + 1:>3} ", "dim")]
            for file in self._files():
                sign = self.diagram.pieces.get((file, rank), "·")
                style = "bold" if sign != "·" else "dim"
                spans.append(Span(sign[-1:], f"{style} reverse" if (file, rank) in marked else style))
                spans.append(Span(" "))
            lines.append(tuple(spans))
        lines.append((Span("    " + " ".join(chr(97 + file) for file in self._files()), "dim"),))
        return lines

    def _legend(self) -> Iterator[Line]:
        for seat in (0, 1):
            turn = "> " if seat in self.movers and self.winners is None else "  "
            won = " won" if self.winners and seat in self.winners else ""
            hand = f"  in hand {' '.join(self._hand(seat))}" if self._hand(seat) else ""
            text = clipped(f"{COLOURS[seat]} {self.name(seat)}{won}{hand}", 36)
            yield (Span(turn, "bold"), Span(text, "bold" if turn == "> " else ""))
        if self.winners is not None and not self.winners:
            yield (Span("  drawn", "bold"),)
        yield (Span("  check" if self.view.check else "", "bold"),)

    def _ranks(self) -> Sequence[int]:
        """From above."""
        ranks = range(self.diagram.ranks)
        return ranks if self.scene.viewer == 1 else ranks[::-1]

    def _files(self) -> Sequence[int]:
        files = range(self.diagram.files)
        return files[::-1] if self.scene.viewer == 1 else files

    # --- SVG ----------------------------------------------------------------------------------------------------------

    def svg(self, prefix: str, seat: int | None = None) -> str:
        """Return the board with its legend above."""
        scale = (_WIDTH - 2 * _MARGIN) / max(self.diagram.files, self.diagram.ranks)
        left = (_WIDTH - scale * self.diagram.files) / 2
        top = 2 * _ROW + 14
        height = top + scale * self.diagram.ranks + 20
        drawn = Svg(prefix, _WIDTH, height, f"Board: {self.standing}", self.words())
        drawn.rect(0, 0, _WIDTH, height, round=8, fill="ground")
        for one in (0, 1):
            self._draw_legend(drawn, one)
        for row, rank in enumerate(self._ranks()):
            drawn.text(left - 3, top + scale * (row + 0.5) + 3, str(rank + 1), 9, anchor="end", fill="faint")
        for column, file in enumerate(self._files()):
            x = left + scale * (column + 0.5)
            drawn.text(x, top + scale * self.diagram.ranks + 11, chr(97 + file), 9, anchor="middle", fill="faint")
        drawn.open(transform=f"translate({number(left)} {number(top)}) scale({scale / 45:.4f})")
        offered = self._offered(seat)
        if offered:
            drawn.is_clicked_in_turn()
        for row, rank in enumerate(self._ranks()):
            for column, file in enumerate(self._files()):
                self._draw_square(drawn, 45 * column, 45 * row, (file, rank), offered.get((file, rank), ()))
        drawn.close()
        return drawn.drawn()

    def _offered(self, seat: int | None) -> Mapping[tuple[int, int], Sequence[int]]:
        """For each square the numbers of its offers: those from it and those to it."""
        found: dict[tuple[int, int], list[int]] = {}
        if seat is None or seat not in self.movers or self.winners is not None:
            return found
        for place, move in enumerate(listed(self.view)):
            for square in dict.fromkeys(_squares(move.uci)):
                found.setdefault(square, []).append(place)
        return found

    def _draw_square(self, drawn: Svg, x: int, y: int, square: tuple[int, int], offers: Sequence[int]) -> None:
        sign = self.diagram.pieces.get(square, "")
        begins = sign != "" and _owner(sign) == self.view.turn
        drawn.open(transform=f"translate({x} {y})", offers=offers, begins=begins)
        drawn.rect(0, 0, 45, 45, fill="sand" if sum(square) % 2 else "rock")
        if square in _squares(self.last):
            drawn.rect(1.5, 1.5, 42, 42, fill="none", stroke="mark", stroke_width=3)
        elif self.view.check and sign.lower() == "k" and _owner(sign) == self.view.turn:
            drawn.rect(2, 2, 41, 41, fill="none", stroke="red-line", stroke_width=4)
        if sign:
            _draw_piece(drawn, sign)
        drawn.close()

    def _draw_legend(self, drawn: Svg, seat: int) -> None:
        y = 8 + _ROW * seat
        turn = seat in self.movers and self.winners is None
        won = self.winners is not None and seat in self.winners
        if turn or won:
            drawn.rect(8, y, _WIDTH - 16, _ROW - 2, round=5, fill="field", stroke="line", stroke_width=0.75)
        drawn.circle(22, y + 10, 7, fill=COLOURS[seat], stroke="faint", stroke_width=1)
        drawn.text(36, y + 15, clipped(self.name(seat), 20), 14, font_weight="600" if turn or won else None)
        words = " ".join(self._hand(seat))
        drawn.text(190, y + 14, clipped(words, 14), 11) if words else None
        check = self.view.check and turn
        text = "won" if won else "drawn" if self.winners is not None and not self.winners else ""
        text = text or ("in check" if check else "to move" if turn else "")
        if text:
            paint = "mark" if won else "faint"
            drawn.text(_WIDTH - 14, y + 15, text, 12, anchor="end", fill=paint, font_weight="600")


def follow(scene: Scene) -> "ChessFollower":
    """Return a follower for one game: the renderer."""
    return ChessFollower(scene, in_short)


def follow_variant(scene: Scene) -> "ChessFollower":
    """Return a follower for one game of a variant, whose pieces may go otherwise: moves are written in full."""
    return ChessFollower(scene, in_full)


class ChessFollower:
    """Remembers how far the moves of one game have been shown."""

    def __init__(
        self, scene: Scene, in_letters: Callable[[Sequence[str], Mapping[tuple[int, int], str], str], list[str]]
    ) -> None:
        self._scene = scene
        self._in_letters = in_letters
        self._moves: int | None = None
        self._last = ""
        self._pieces: Mapping[tuple[int, int], str] | None = None
        """What stood where in the state before."""

    def __call__(self, shown: Shown) -> Picture:
        """Take a state. Raises CannotDraw if it is not one of this game."""
        try:
            view = read_state(shown.payload)
            diagram = _diagram(view.fen)
        except Unreadable as error:
            raise CannotDraw(str(error)) from error
        count = view.before + len(view.moves)
        unseen = len(view.moves) if self._moves is None else max(0, count - self._moves)
        new = view.moves[len(view.moves) - min(unseen, len(view.moves)) :]
        self._moves = count
        self._last = view.moves[-1] if view.moves else self._last
        side = (view.turn + len(new)) % 2
        # Some moves were not shown: what stood where before them is not known.
        line = ""
        if self._pieces is None or unseen > len(new):
            texts = [_in_words(move) for move in new]
        else:
            sign = "" if not view.check else "#" if shown.winners else "+"
            texts = self._in_letters(new, self._pieces, sign)
            line = _numbered(view.fen, texts)
        self._pieces = diagram.pieces
        moved = [f"{COLOURS[(side + place) % 2]}: {text}" for place, text in enumerate(texts)]
        last = self._last if count else ""
        return ChessPicture(self._scene, view, diagram, tuple(moved), last, shown.movers, shown.winners, line)


def _numbered(fen: str, texts: Sequence[str]) -> str:
    """A move with its number in the game, ``3. Nf3`` or ``3... Nc6``; empty if there are several, or its number is not
    known. ``fen`` is the position after it."""
    fields = fen.split()
    if len(texts) != 1 or not fields[-1].isdecimal():
        return ""
    return f"{fields[-1]}. {texts[0]}" if fields[1] == "b" else f"{int(fields[-1]) - 1}... {texts[0]}"


def _diagram(fen: str) -> Diagram:
    """The board of a FEN. Raises Unreadable."""
    board, _, hand = fen.split()[0].partition("[")
    rows = board.split("/")
    if len(rows) == 9 and not hand and rows[8].isalpha():  # the other way to write pieces in hand
        hand = rows.pop()
    pieces: dict[tuple[int, int], str] = {}
    files = 0
    for down, row in enumerate(rows):
        file = 0
        for number_, sign, after in re.findall(r"([0-9]+)|(\+?[A-Za-z*])(~?)", row):
            if number_:
                # States may come from strangers, with numbers of any length.
                file += int(number_[:3])
                continue
            pieces[file, len(rows) - 1 - down] = sign + after
            file += 1
        files = max(files, file)
    if not (1 <= files <= MAX_SIDE and 1 <= len(rows) <= MAX_SIDE) or len(hand) > MAX_IN_HAND:
        raise Unreadable(f"a board of {files} files and {len(rows)} ranks")
    return Diagram(files, len(rows), pieces, "".join(sign for sign in hand if sign.isalpha()))


def _draw_piece(drawn: Svg, sign: str) -> None:
    kind = sign.strip("+~").lower()
    owner = _owner(sign)
    if kind in OUTLINES and "+" not in sign:
        paint, line = ("white", "black") if owner == 0 else ("black", "white")
        drawn.path(OUTLINES[kind], data_piece=sign, fill=paint, stroke=line, stroke_width=1.5, stroke_linejoin="round")
        return
    drawn.open(data_piece=sign)
    drawn.circle(22.5, 22.5, 17, fill=COLOURS[owner], stroke="faint", stroke_width=2)
    text = sign.strip("~").upper()
    drawn.text(22.5, 30, text, 20, anchor="middle", fill=COLOURS[1 - owner], font_weight="600")
    drawn.close()


def _owner(sign: str) -> int:
    return 0 if sign.strip("+~").isupper() else 1


def _named(sign: str) -> str:
    kind = sign.strip("+~").lower()
    promoted = "promoted " if "+" in sign else ""
    return promoted + NAMES.get(kind, kind.upper())


def _square(file: int, rank: int) -> str:
    return f"{chr(97 + file)}{rank + 1}"


def _squares(move: str) -> list[tuple[int, int]]:
    """The squares that a move names: from, to; a drop has only one."""
    after = move.partition("@")[2] or move
    return [(ord(file) - 97, int(rank) - 1) for file, rank in _SQUARE.findall(after)]


def _in_words(move: str) -> str:
    """A move in words."""
    piece, at, place = move.partition("@")
    if at:
        return f"{_named(piece)} put on {place}"
    squares = _squares(move)
    if len(squares) < 2:
        return move
    end = "".join(_square(*square) for square in squares[:2])
    rest = move[len(end) :] if move.startswith(end) else ""
    becomes = f", becomes {_named(rest)}" if rest.isalpha() else " and is promoted" if rest == "+" else rest
    return f"{_square(*squares[0])} to {_square(*squares[1])}{becomes}"
