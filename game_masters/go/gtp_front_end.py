"""A Go interface that speaks GTP has a player's seat: to it we are a program, the opponent on the server.

Its own moves come with ``play``, and ``genmove`` wants one of the opponent's. A list of moves that is the server's with
one more holds its own move, which goes to the server. What does not fit is refused with a GTP error that gives the
reason.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from game_masters.go.rules import COLOURS, COLUMNS, RESIGN, GoMove, View
from game_masters.kit.front_end import FrontEndProtocol
from game_masters.kit.rules import Options

MAX_LINE: Final = 4096
"""Characters of a command; longer ones are cut."""
_ROWS: Final = tuple(str(row) for row in range(1, len(COLUMNS) + 1))


class Refused(Exception):
    """A command that cannot be carried out. The text gives the reason."""


class GtpDialogue:
    """The dialogue between an interface and us about games on boards of one size."""

    def __init__(self, options: Options) -> None:
        self._size = options.word("size")
        self._komi2 = options.integer("komi2")
        self._moves: list[str] = []
        """Those of the interface's game, in order; Black begins."""
        self._asks: str | None = None
        """The number of the ``genmove`` that is not answered; None: there is none."""
        self._wants = self._playing = self._quits = self._abandons = self._last = False
        self._asked = False
        self._view: View | None = None
        self._result = ""
        self.move: GoMove | None = None

    @property
    def wants_game(self) -> bool:
        """After its first move, or the first one that it wants."""
        return self._wants and not self._playing

    @property
    def leaves(self) -> bool:
        """It has quit, and the game has ended if its last move ends it."""
        return self._quits and not (self._playing and self._last)

    def receives(self, line: str) -> list[str]:
        """Carry out a command."""
        # In GTP a # begins a comment, and a command may have a number, which its answer repeats.
        words = line[:MAX_LINE].partition("#")[0].split()
        number = words.pop(0) if words and words[0].isdecimal() else ""
        if not words:
            return []
        # This one is answered later, when the opponent has moved.
        if words[0] == "genmove" and self._asks is None:
            self._asks = number
            self._starts()
            return self._proceed()
        waiting = self._asks
        try:
            handle = _COMMANDS.get(words[0])
            if words[0] == "genmove":
                raise Refused("the opponent has not moved yet, and one genmove waits for it already")
            if handle is None:
                raise Refused("unknown command")
            answer = handle(self, words[1:])
        except Refused as error:
            return [f"?{number} {error}", ""]
        ended = [f"?{waiting} {words[0]} has ended the wait", ""] if waiting is not None and self._asks is None else []
        return [*ended, f"={number} {answer}".rstrip(), "", *self._proceed()]

    def closes(self) -> list[str]:
        """Quit as after ``quit``."""
        self._quit([])
        return []

    def _quit(self, words: Sequence[str]) -> str:
        self._quits, self._asks = True, None
        self._give_up()
        return ""

    def _known(self, words: Sequence[str]) -> str:
        return "true" if words and words[0] in (*_COMMANDS, "genmove") else "false"

    def _board_size(self, words: Sequence[str]) -> str:
        if words[:1] != [self._size]:
            raise Refused(f"unacceptable size: the server plays on {self._size}")
        return self._clear(words)

    def _komi(self, words: Sequence[str]) -> str:
        try:
            komi2 = float(words[0]) * 2
        except (IndexError, ValueError):
            raise Refused("syntax error") from None
        if komi2 != self._komi2:
            raise Refused(f"the komi on the server is {self._komi2 / 2:g}")
        return ""

    def _clear(self, words: Sequence[str]) -> str:
        self._moves, self._asks = [], None
        if not self._playing:
            self._view, self._result = None, ""
        elif self._result or (self._view is not None and len(self._view.moves) > 1):
            self._abandons = True
            self._give_up()
        return ""

    def _play(self, words: Sequence[str]) -> str:
        if len(words) != 2:
            raise Refused("syntax error")
        colour = {"b": 0, "w": 1}.get(words[0].lower()[:1])
        vertex = words[1].lower() if words[1].lower() in ("pass", "resign") else words[1].upper()
        if colour != len(self._moves) % 2:
            raise Refused("illegal move: colours take turns on the server, and Black begins")
        if self._result:
            raise Refused(f"illegal move: the game on the server is over: {self._result}")
        if not self._is_vertex(vertex):
            raise Refused(f"illegal move: no point of a board of {self._size}")
        # Only where both have the same moves do the server's legal ones matter.
        knows = self._asked and self._view is not None and list(self._view.moves) == self._moves
        if knows and self._view is not None and vertex not in (*self._view.legal, RESIGN.vertex):
            raise Refused("illegal move")
        self._moves.append(vertex)
        self._starts()
        return ""

    def _is_vertex(self, vertex: str) -> bool:
        if vertex in ("pass", RESIGN.vertex):
            return True
        size = int(self._size)
        return vertex[:1] in COLUMNS[:size] and vertex[1:] in _ROWS[:size]

    def _undo(self, words: Sequence[str]) -> str:
        raise Refused("cannot undo: nothing is taken back on a server")

    def _starts(self) -> None:
        self._wants = not self._playing and not self._result

    # --- the server -----------------------------------------------------------------------------------------------

    def joins(self) -> list[str]:
        """A game is looked for."""
        self._playing, self._wants, self._view, self._result = True, False, None, ""
        return []

    def shown(self, view: View) -> list[str]:
        """Follow the game."""
        self._view, self._asked, self.move = view, False, None
        return []

    def asks(self, view: View) -> list[str]:
        """It is the interface's turn on the server."""
        self._view, self._asked = view, True
        if self._quits or self._abandons:
            self._give_up()
        return self._proceed()

    def has_moved(self) -> None:
        """Its move is on its way."""
        self._asked, self.move = False, None

    def has_clock(self, own_s: float, other_s: float) -> list[str]:
        """GTP has no word for it."""
        return []

    def ends(self, result: str) -> list[str]:
        """The game is over."""
        self._result, self._asked, self._last, self.move = result, False, False, None
        return self._proceed()

    def remarks(self, text: str) -> list[str]:
        """GTP has no word for it."""
        return []

    def gone(self) -> list[str]:
        """The server has been left; what the interface waits for does not come."""
        self._playing = self._asked = self._last = False
        if self._abandons:
            self._abandons, self._view, self._result = False, None, ""
            self._wants = bool(self._moves) or self._asks is not None
            return []
        self._result = self._result or "no game"
        return self._proceed()

    def _proceed(self) -> list[str]:
        """Bring both games together: make the interface's move, and answer with the opponent's."""
        if self._abandons or self.move is not None or not (self._asked or self._result):
            return []
        theirs = [] if self._view is None else list(self._view.moves)
        is_ours = self._asked and self._moves[:-1] == theirs and len(self._moves) > len(theirs)
        if is_ours and self._view is not None and self._moves[-1] in (*self._view.legal, RESIGN.vertex):
            self.move = GoMove(self._moves[-1])
            return []
        if self._asks is None:
            return []
        number, self._asks = self._asks, None
        if theirs and self._moves == theirs[:-1]:
            self._moves = theirs
            return [f"={number} {theirs[-1]}", ""]
        # So the interface learns that it has won.
        if self._result == "won":
            return [f"={number} resign", ""]
        if self._result:
            return [f"?{number} the game on the server is over: {self._result}", ""]
        if self._moves == theirs and self._view is not None:
            return [f"?{number} on the server you have {COLOURS[self._view.turn]}, and it is your turn", ""]
        return [f"?{number} the moves are not those of the game on the server", ""]

    def _give_up(self) -> None:
        if self._asked:
            self.move, self._last = RESIGN, True


def _constant(text: str) -> Callable[[GtpDialogue, Sequence[str]], str]:
    return lambda dialogue, words: text


_COMMANDS: Final[Mapping[str, Callable[[GtpDialogue, Sequence[str]], str]]] = {
    "protocol_version": _constant("2"),
    "name": _constant("ugs opponent"),
    "version": _constant("1"),
    "known_command": GtpDialogue._known,
    "list_commands": lambda dialogue, words: "\n".join([*_COMMANDS, "genmove"]),
    "quit": GtpDialogue._quit,
    "boardsize": GtpDialogue._board_size,
    "clear_board": GtpDialogue._clear,
    "komi": GtpDialogue._komi,
    "play": GtpDialogue._play,
    "undo": GtpDialogue._undo,
    "time_settings": _constant(""),
    "time_left": _constant(""),
}

GTP: Final = FrontEndProtocol("gtp", ("go",), GtpDialogue)
