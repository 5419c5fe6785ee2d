"""Positions of the variants that pyffish knows. This module is loaded where one of them is played."""

import pyffish

from game_masters.chess.boards import BadPosition, Ending, Termination


class FairyBoard:
    """A variant of chess, by pyffish. Positions that repeat, and too many moves without progress, end a game at once:
    the library knows what the variant makes of them."""

    MAX_PLIES = 400
    """A game is drawn after this many half moves: some variants have no rule of their own that ends one."""

    def __init__(self, variant: str, fen: str | None = None) -> None:
        """``variant``: a name that pyffish knows. Raises BadPosition."""
        self.variant = variant
        self._start = pyffish.start_fen(variant) if fen is None else fen
        if fen is not None and pyffish.validate_fen(fen, variant) != pyffish.FEN_OK:
            raise BadPosition(f"no position of {variant}")
        self._first = 0 if self._start.split()[1] == "w" else 1
        self._fen = self._start
        self._moves: list[str] = []
        self._legal: tuple[str, ...] | None = None

    @property
    def turn(self) -> int:
        """The side that a FEN calls white is seat 0."""
        return (self._first + len(self._moves)) % 2

    @property
    def fen(self) -> str:
        """The position."""
        return self._fen

    @property
    def check(self) -> bool:
        """Whether the king is attacked, in variants with a king."""
        return bool(pyffish.gives_check(self.variant, self._fen, []))

    def legal(self) -> tuple[str, ...]:
        """The legal moves; they are found once for each position."""
        if self._legal is None:
            self._legal = tuple(sorted(pyffish.legal_moves(self.variant, self._start, self._moves)))
        return self._legal

    def push(self, move: str) -> None:
        """Make a legal move."""
        self._moves.append(move)
        self._legal = None
        self._fen = pyffish.get_fen(self.variant, self._start, self._moves)

    def ending(self) -> Ending | None:
        """The rules of the variant, and how many pieces are left."""
        over, value = pyffish.is_immediate_game_end(self.variant, self._start, self._moves)
        if over:
            return Ending(Termination.VARIANT, self._winner(value))
        if not self.legal():
            value = pyffish.game_result(self.variant, self._start, self._moves)
            if self.check:
                return Ending(Termination.CHECKMATE, self._winner(value))
            return Ending(Termination.STALEMATE, self._winner(value))
        over, value = pyffish.is_optional_game_end(self.variant, self._start, self._moves)
        if over:
            return Ending(Termination.REPETITION, self._winner(value))
        if all(pyffish.has_insufficient_material(self.variant, self._start, self._moves)):
            return Ending(Termination.MATERIAL, None)
        return Ending(Termination.MOVE_LIMIT, None) if len(self._moves) >= self.MAX_PLIES else None

    def claim(self) -> Termination | None:
        """Nothing is left to claim."""
        return None

    def claims(self) -> tuple[str, ...]:
        """None."""
        return ()

    def _winner(self, value: int) -> int | None:
        """``value``: what the position is worth to the side to move."""
        return None if value == 0 else self.turn if value > 0 else 1 - self.turn
