"""Chess, Chess960 and variants as a game of the kit: turns, moves, draws that are offered, accepted and claimed.

Seat 0 is White. Who makes an illegal or unreadable move, resigns or leaves has lost. Five repetitions, 75 moves without
progress and too little material end a game by themselves; three repetitions and fifty moves are claimed, with or
without a move. A draw is offered together with a move, and stands until the other side has moved.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import chess

from game_masters.chess.boards import Board, ChessBoard, Termination
from game_masters.kit.rules import Option, Options, Outcome, RuleBroken, State, Table, Unreadable

COLOURS = ("white", "black")
POSITIONS = 960
"""How many first positions Chess960 has."""

OPTIONS = (Option("chess960", False, "the pieces of the first rank begin shuffled; castling is king takes rook"),)

VARIANTS = (
    "3check", "amazon", "antichess", "atomic", "breakthrough", "capablanca", "crazyhouse", "dobutsu", "extinction",
    "gardner", "giveaway", "grand", "hoppelpoppel", "horde", "janggi", "kingofthehill", "knightmate", "losalamos",
    "losers", "makruk", "minishogi", "minixiangqi", "placement", "racingkings", "seirawan", "shako", "shatranj",
    "shogi", "shouse", "sittuyin", "threekings", "xiangqi",
)  # fmt: skip
"""Variants of two players without secrets or chance, of those that pyffish knows."""

VARIANT_OPTIONS = (Option("variant", "atomic", "which variant, by its name in Fairy-Stockfish", VARIANTS),)


class DrawWord(StrEnum):
    """A player's word about a draw, together with a move or instead of one."""

    OFFER = "offer"
    ACCEPT = "accept"
    CLAIM = "claim"


@dataclass(frozen=True, slots=True)
class ChessMove:
    """A move as engines write it, a word about a draw, or that the game is given up."""

    uci: str = ""
    draw: DrawWord | None = None
    resign: bool = False

    def __str__(self) -> str:
        words = (self.uci, f"({self.draw} of a draw)" if self.draw else "", "resigns" if self.resign else "")
        return " ".join(word for word in words if word)


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the record: what a seat did."""

    seat: int
    what: str
    move: ChessMove | None = None

    def __str__(self) -> str:
        words = f" {self.move}" if self.move is not None else ""
        return f"{COLOURS[self.seat]} {self.what}{words}"


@dataclass(frozen=True, slots=True)
class View:
    """What all see."""

    start: str
    """The first position, in Forsyth-Edwards notation."""
    moves: tuple[str, ...]
    """All moves since then, as engines write them."""
    fen: str
    legal: tuple[str, ...]
    """What may be moved; empty when the game is over."""
    check: bool = False
    claim: bool = False
    """Whether a draw can be claimed as the position stands."""
    claims: tuple[str, ...] = ()
    """The moves that one can be claimed with."""
    offered: bool = False
    """Whether the other side offers a draw."""
    variant: str = "chess"
    """``chess``, ``chess960``, or the name of a variant."""
    before: int = field(default=0, compare=False)
    """How many of the moves the reader has had before."""

    @property
    def turn(self) -> int:
        """The seat to move."""
        return 0 if self.fen.split()[1] == "w" else 1


@dataclass(frozen=True, slots=True)
class Beginning:
    """How a game begins from a fixture."""

    fen: str | None
    moves: tuple[str, ...] = ()


class Match(State[ChessMove, View]):
    """One game of chess or of a variant."""

    def __init__(self, board: Board, moves: Sequence[str] = ()) -> None:
        """``moves``: an opening, which must be legal."""
        self._board = board
        self._start = board.fen
        self._moves: list[str] = []
        self._moves_then: list[int] = []
        """For each entry of the record, how many moves there were after it."""
        self._record: list[Event] = []
        self._offered = False
        self._outcome: Outcome | None = None
        for move in moves:
            self._push(move)

    @property
    def movers(self) -> tuple[int, ...]:
        """The side to move."""
        return (self._board.turn,) if self._outcome is None else ()

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return self._outcome

    @property
    def record(self) -> Sequence[Event]:
        """Moves, claims, faults and departures."""
        return self._record

    @property
    def labels(self) -> Sequence[str]:
        """The colours."""
        return COLOURS

    def legal_moves(self, seat: int) -> Sequence[ChessMove]:
        """All moves; then what can be claimed, and the acceptance of a draw that is offered."""
        if seat not in self.movers:
            return ()
        return listed(self.view(seat))

    def is_open(self, move: ChessMove) -> bool:
        """Every move can carry an offer of a draw, and the game can be given up."""
        return move.resign or move.draw is DrawWord.OFFER

    def apply(self, seat: int, move: ChessMove) -> None:
        """Make a move. Raises RuleBroken."""
        if seat not in self.movers:
            raise RuleBroken(f"it is not the turn of {COLOURS[seat]}")
        if move.resign:
            self._note(seat, "gives up")
            self._outcome = Outcome(Termination.RESIGNED, frozenset({1 - seat}))
            return
        if move.uci and move.uci not in self._board.legal():
            raise RuleBroken(f"{move.uci} is not legal in {self._board.fen}")
        if move.draw is DrawWord.ACCEPT and (move.uci or not self._offered):
            raise RuleBroken("no draw is offered" if not self._offered else "a draw is accepted instead of a move")
        if move.draw is DrawWord.CLAIM and not (
            move.uci in self._board.claims() if move.uci else self._board.claim() is not None
        ):
            raise RuleBroken("neither three repetitions nor fifty moves: a draw cannot be claimed")
        if not move.uci and move.draw not in (DrawWord.ACCEPT, DrawWord.CLAIM):
            raise RuleBroken("no move")
        if move.uci:
            self._push(move.uci)
        self._note(seat, "moves" if move.uci else "does not move", move)
        # An offer is over once the other side has moved.
        self._offered = move.draw is DrawWord.OFFER
        if move.draw is DrawWord.ACCEPT:
            self._outcome = Outcome(Termination.AGREEMENT, frozenset(), drawn=True)
        elif self._outcome is None and move.draw is DrawWord.CLAIM:
            self._outcome = Outcome(self._board.claim() or Termination.FIFTY, frozenset(), drawn=True)

    def fault(self, seat: int, cause: RuleBroken | Unreadable) -> None:
        """A bad move loses."""
        reason = Termination.ILLEGAL_MOVE if isinstance(cause, RuleBroken) else Termination.UNREADABLE_MOVE
        self._lose(seat, f"makes an {reason}", reason)

    def leave(self, seat: int) -> None:
        """The other side wins."""
        self._lose(seat, "leaves", Termination.PLAYER_LEFT)

    def view(self, seat: int | None, since: int = 0) -> View:
        """Return the position with all moves; only those since ``since`` are sent."""
        over = self._outcome is not None
        return View(
            self._start,
            tuple(self._moves),
            self._board.fen,
            () if over else self._board.legal(),
            self._board.check,
            not over and self._board.claim() is not None,
            () if over else self._board.claims(),
            self._offered and not over,
            self._board.variant,
            self._moves_then[min(since, len(self._moves_then)) - 1] if since and self._moves_then else 0,
        )

    def _push(self, move: str) -> None:
        self._board.push(move)
        self._moves.append(move)
        ending = self._board.ending()
        if ending is not None:
            winners = frozenset() if ending.winner is None else frozenset({ending.winner})
            self._outcome = Outcome(ending.termination, winners, drawn=ending.winner is None)

    def _note(self, seat: int, what: str, move: ChessMove | None = None) -> None:
        self._record.append(Event(seat, what, move))
        self._moves_then.append(len(self._moves))

    def _lose(self, seat: int, what: str, termination: Termination) -> None:
        self._note(seat, what)
        self._outcome = Outcome(termination, frozenset({1 - seat}))

    def __str__(self) -> str:
        """Show the board, White below, and the position as a FEN."""
        rows = self._board.fen.split()[0].partition("[")[0].split("/")
        return "\n".join([*(" ".join(_signs(row)) for row in rows), self._board.fen])


def start(table: Table, rng: random.Random) -> Match:
    """Set up a game: the usual position, one of the 960, or that of a fixture."""
    variant = variant_of(table.options)
    beginning: Beginning = table.fixture or Beginning(None)
    fen = beginning.fen
    if fen is None and variant == "chess960":
        fen = chess.Board.from_chess960_pos(rng.randrange(POSITIONS)).fen()
    return Match(board_of(variant, fen), beginning.moves)


def listed(view: View) -> list[ChessMove]:
    """All moves that the side to move may make, except for offers and giving up."""
    moves = [ChessMove(uci) for uci in view.legal]
    moves += [ChessMove(uci, DrawWord.CLAIM) for uci in view.claims]
    if view.claim:
        moves.append(ChessMove(draw=DrawWord.CLAIM))
    if view.offered:
        moves.append(ChessMove(draw=DrawWord.ACCEPT))
    return moves


def variant_of(options: Options) -> str:
    """``chess``, ``chess960``, or the name of the variant that the options ask for."""
    # Only the game of variants has this option.
    if "variant" in options.values:
        return options.word("variant")
    return "chess960" if options.flag("chess960") else "chess"


def board_of(variant: str, fen: str | None) -> Board:
    """A position of ``variant`` as :func:`variant_of` names it; ``fen`` None: the usual one. Raises BadPosition."""
    if variant in ("chess", "chess960"):
        return ChessBoard(fen, chess960=variant == "chess960")
    from game_masters.chess.fairy import FairyBoard

    return FairyBoard(variant, fen)


def _signs(row: str) -> list[str]:
    """The squares of a rank of a FEN."""
    signs: list[str] = []
    number = ""
    for sign in row:
        if sign.isdigit():
            number += sign
            continue
        signs += ["."] * int(number or 0)
        number = ""
        if sign == "~" and signs:
            signs[-1] += sign
        else:
            signs.append(sign)
    return signs + ["."] * int(number or 0)
