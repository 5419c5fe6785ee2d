"""A chess interface that speaks UCI has a player's seat: to it we are an engine, the opponent on the server.

It sends positions with all moves (``position … moves …``) and wants a move (``go``). A position that is the server's
with one move more holds its own move, which goes to the server; ``bestmove`` is the opponent's answer. Everything else,
such as a move taken back, is refused: ``info string`` gives the reason, and ``bestmove (none)`` ends its wait.

UCI has no message for the end of a game. So when the interface begins another one, or quits, while the server
waits for its move, the best end that one move has is played: mate, a draw, or giving up.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import chess

from game_masters.chess.boards import BadPosition, Board
from game_masters.chess.rules import COLOURS, ChessMove, DrawWord, View, board_of, variant_of
from game_masters.kit.front_end import FrontEndProtocol
from game_masters.kit.rules import Options

NO_MOVE: Final = "bestmove (none)"
MAX_LINE: Final = 64 * 1024
"""Characters of a line; longer ones are not read."""
BUTTONS: Final = ("Offer draw", "Accept draw", "Claim draw", "Resign")


@dataclass(frozen=True, slots=True)
class Position:
    """The arguments of ``position``."""

    start: str
    """The first position, without the counts of moves."""
    moves: tuple[str, ...]


class UciDialogue:
    """The dialogue between an interface and us about games of one variant."""

    def __init__(self, options: Options) -> None:
        self._variant = variant_of(options)
        self._position: Position | None = None
        self._goes = False
        """Whether it waits for a move."""
        self._wants = self._playing = self._analyses = self._quits = False
        self._abandons = False
        """Whether it has begun another game before the one on the server was left."""
        self._last = False
        """Whether its last move in the game is made, or about to be."""
        self._asked = False
        """Whether the server waits for a move of the interface in the position that was shown last."""
        self._view: View | None = None
        self._result = ""
        self._offers = False
        self._clocks = ""
        self.move: ChessMove | None = None

    # --- the interface --------------------------------------------------------------------------------------------

    @property
    def wants_game(self) -> bool:
        """After its first ``go``, and the first one of each further game."""
        return self._wants and not self._playing

    @property
    def leaves(self) -> bool:
        """It has quit, and the game has ended if its last move ends it."""
        return self._quits and not (self._playing and self._last)

    def receives(self, line: str) -> list[str]:
        """Handle a line; unknown ones are ignored, as UCI wants it."""
        words = line[:MAX_LINE].split()
        handle = _WORDS.get(words[0]) if words else None
        return [] if handle is None else [*handle(self, words[1:]), *self._proceed()]

    def closes(self) -> list[str]:
        """Quit as after ``quit``."""
        return self._quit([])

    def _uci(self, words: Sequence[str]) -> list[str]:
        lines = ["id name ugs opponent", "id author the ugs project"]
        lines += [f"option name {name} type button" for name in BUTTONS]
        lines.append("option name UCI_AnalyseMode type check default false")
        if self._variant == "chess960":
            lines.append("option name UCI_Chess960 type check default true")
        elif self._variant != "chess":
            lines.append(f"option name UCI_Variant type combo default {self._variant} var {self._variant}")
        return [*lines, "uciok"]

    def _is_ready(self, words: Sequence[str]) -> list[str]:
        return ["readyok"]

    def _set_option(self, words: Sequence[str]) -> list[str]:
        name, _, value = " ".join(words).removeprefix("name ").partition(" value ")
        key, value = name.strip().lower(), value.strip()
        if key == "uci_analysemode":
            self._analyses = value == "true"
        elif key == "uci_variant" and value != self._variant and value != "chess":
            return [
                _info(f"the game on the server is {self._variant}; for {value} start ugs engine with other options")
            ]
        elif key == "uci_chess960" and value == "true" and self._variant != "chess960":
            return [_info("the game on the server is no Chess960; start ugs engine with --option chess960=yes")]
        elif (press := _PRESSED.get(key)) is not None:
            return press(self)
        return []

    def _new_game(self, words: Sequence[str]) -> list[str]:
        self._position, self._goes = None, False
        if not self._playing:
            self._view, self._result = None, ""
        elif self._result or (self._view is not None and len(self._view.moves) > 1):
            self._abandons = True
            return self._give_up("another game begins in the interface")
        return []

    def _set_position(self, words: Sequence[str]) -> list[str]:
        head, moves = list(words), list[str]()
        if "moves" in head:
            place = head.index("moves")
            head, moves = head[:place], head[place + 1 :]
        if head[:1] == ["startpos"]:
            fen = board_of(self._variant, None).fen if self._variant != "chess960" else chess.STARTING_FEN
        else:
            fen = " ".join(head[1:])
        if self._result and not self._playing and len(moves) < 2:
            self._new_game([])  # interfaces that do not send ucinewgame
        self._position = Position(self._essential(fen), tuple(moves))
        return []

    def _go(self, words: Sequence[str]) -> list[str]:
        if self._analyses:
            return [_info("a game on a server is not analysed"), NO_MOVE]
        # With `ponder` it thinks in the opponent's time; the move is wanted after `ponderhit`.
        self._goes = "ponder" not in words
        if self._goes and not self._playing and not self._result:
            self._wants = True
        return []

    def _ponder_hit(self, words: Sequence[str]) -> list[str]:
        return self._go([])

    def _stop(self, words: Sequence[str]) -> list[str]:
        if not self._goes:
            return []
        return self._refuse("the opponent has not moved yet; its move follows when you ask again")

    def _quit(self, words: Sequence[str]) -> list[str]:
        self._quits, self._goes = True, False
        return self._give_up("the interface has quit")

    def _offer(self) -> list[str]:
        self._offers = True
        return [_info("a draw will be offered with your next move")]

    def _accept(self) -> list[str]:
        allowed = self._asked and self._view is not None and self._view.offered
        return self._decide(ChessMove(draw=DrawWord.ACCEPT), allowed, "no draw is offered")

    def _claim(self) -> list[str]:
        allowed = self._asked and self._view is not None and self._view.claim
        return self._decide(ChessMove(draw=DrawWord.CLAIM), allowed, "a draw cannot be claimed now")

    def _resign(self) -> list[str]:
        return self._decide(ChessMove(resign=True), self._asked, "you can give up when it is your turn")

    def _decide(self, move: ChessMove, allowed: bool, otherwise: str) -> list[str]:
        if not allowed:
            return [_info(otherwise)]
        self.move = move
        return []

    # --- the server -----------------------------------------------------------------------------------------------

    def joins(self) -> list[str]:
        """A game is looked for."""
        self._playing, self._wants, self._view, self._result = True, False, None, ""
        return [_info("waiting for an opponent on the server")]

    def shown(self, view: View) -> list[str]:
        """Follow the game."""
        self._view, self._asked, self.move = view, False, None
        return []

    def asks(self, view: View) -> list[str]:
        """It is the interface's turn on the server; the opponent's move is its ``bestmove``."""
        # The same state may come again, after a cut connection for example: then there is no news.
        lines = [] if self._view == view and self._asked else self._news(view)
        self._view, self._asked = view, True
        if self._quits or self._abandons:
            return self._give_up("the interface has left the game")
        return [*lines, *self._proceed()]

    def has_moved(self) -> None:
        """Its move is on its way."""
        self._asked, self.move = False, None

    def has_clock(self, own_s: float, other_s: float) -> list[str]:
        """Keep what is left, to report it before the next move."""
        self._clocks = f"clocks on the server: you {own_s:.1f} s, opponent {other_s:.1f} s"
        return []

    def ends(self, result: str) -> list[str]:
        """The game is over."""
        self._result, self._asked, self._last, self.move = result, False, False, None
        return [_info(f"game over: {result}"), *self._proceed()]

    def remarks(self, text: str) -> list[str]:
        """Report it."""
        return [_info(text)]

    def gone(self) -> list[str]:
        """The server has been left; what the interface waits for does not come."""
        self._playing = self._asked = self._last = False
        if self._abandons:
            self._abandons, self._wants, self._view, self._result = False, self._goes, None, ""
            return []
        self._result = self._result or "no game"
        return self._proceed()

    # --- both -----------------------------------------------------------------------------------------------------

    def _proceed(self) -> list[str]:
        """Bring both games together: make the interface's move, answer with the opponent's, or give the reason why
        not."""
        if not self._goes or self._position is None or self.move is not None or self._abandons:
            return []
        if self._view is None:
            return self._refuse("the server has no game for you; see standard error") if self._result else []
        if not (self._asked or self._result):
            return []
        theirs = self._on_server()
        ours = self._position.moves
        if theirs is None:
            return self._refuse(f"the game on the server began elsewhere: set up {self._view.start}")
        if theirs and ours == theirs[:-1]:
            self._goes = False
            return [f"bestmove {theirs[-1]}"]
        if self._result:
            return self._refuse(f"the game on the server is over: {self._result}")
        if ours == theirs:
            colour = COLOURS[self._view.turn]
            return self._refuse(f"on the server you have {colour}: let the engine play {COLOURS[1 - self._view.turn]}")
        if ours[:-1] != theirs:
            return self._refuse(f"nothing is taken back on the server, where the game has come to {self._view.fen}")
        if ours[-1] not in self._view.legal:
            return self._refuse(f"{ours[-1]} is not legal on the server in {self._view.fen}")
        self.move = ChessMove(ours[-1], DrawWord.OFFER if self._offers else None)
        self._offers = False
        return []

    def _on_server(self) -> tuple[str, ...] | None:
        """The moves on the server since the interface's first position; None: it was not there."""
        assert self._view is not None
        assert self._position is not None
        board = board_of(self._view.variant, self._view.start)
        for place, move in enumerate(self._view.moves):
            if self._essential(board.fen) == self._position.start:
                return self._view.moves[place:]
            board.push(move)
        return () if self._essential(board.fen) == self._position.start else None

    def _essential(self, fen: str) -> str:
        """A position without what programs write differently: counts of moves, fields of en passant, rights to castle
        in Chess960."""
        if self._variant in ("chess", "chess960"):
            try:
                return chess.Board(fen, chess960=True).epd(shredder=True, en_passant="legal")
            except ValueError:
                return fen
        fields = fen.split()
        return " ".join([*fields[:3], *(field for field in fields[4:-2] if field != "-")])

    def _give_up(self, why: str) -> list[str]:
        if not self._asked or self._view is None:
            return []
        self.move, self._last = last_word(self._view), True
        return [_info(f"{why}: {self.move} on the server")]

    def _refuse(self, why: str) -> list[str]:
        self._goes = False
        return [_info(why), NO_MOVE]

    def _news(self, view: View) -> list[str]:
        lines = [_info(self._clocks)] if self._clocks else []
        if view.offered:
            lines.append(_info("the opponent offers a draw: press Accept draw, or play on"))
        if view.claim:
            lines.append(_info("a draw can be claimed: press Claim draw, or play on"))
        self._clocks = ""
        return lines


def last_word(view: View) -> ChessMove:
    """Return the best move that ends a game at once: mate, a draw, or giving up."""
    if view.claim or view.offered:
        drawn = ChessMove(draw=DrawWord.CLAIM if view.claim else DrawWord.ACCEPT)
    else:
        drawn = ChessMove(view.claims[0], DrawWord.CLAIM) if view.claims else ChessMove(resign=True)
    for move in view.legal:
        board = _after(view, move)
        ending = board.ending()
        if ending is not None and ending.winner == view.turn:
            return ChessMove(move)
        if ending is not None and ending.winner is None and drawn.resign:
            drawn = ChessMove(move)
    return drawn


def _after(view: View, move: str) -> Board:
    try:
        board = board_of(view.variant, view.fen)
    except BadPosition:  # some variants reach positions that their library does not accept as a beginning
        board = board_of(view.variant, view.start)
        for one in view.moves:
            board.push(one)
    board.push(move)
    return board


def _info(text: str) -> str:
    return f"info string {' '.join(text.split())}"  # one line, whatever a master has sent


_WORDS: Final[Mapping[str, Callable[[UciDialogue, Sequence[str]], list[str]]]] = {
    "uci": UciDialogue._uci,
    "isready": UciDialogue._is_ready,
    "setoption": UciDialogue._set_option,
    "ucinewgame": UciDialogue._new_game,
    "position": UciDialogue._set_position,
    "go": UciDialogue._go,
    "ponderhit": UciDialogue._ponder_hit,
    "stop": UciDialogue._stop,
    "quit": UciDialogue._quit,
}
_PRESSED: Final[Mapping[str, Callable[[UciDialogue], list[str]]]] = {
    "offer draw": UciDialogue._offer,
    "accept draw": UciDialogue._accept,
    "claim draw": UciDialogue._claim,
    "resign": UciDialogue._resign,
}

UCI: Final = FrontEndProtocol("uci", ("chess", "chess-variant"), UciDialogue)
