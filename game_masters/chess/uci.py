"""Engines of chess as players, by the Universal Chess Interface (UCI).

Each position goes to the engine with all its moves, so that it sees repetitions. What it reports while it thinks is
kept as :class:`UciThought`, and is its remark on the position. An engine that has ended is started again for the next
move.
"""

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from game_masters.chess.rules import ChessMove, DrawWord, View, variant_of
from game_masters.kit.engine import EngineOrders, EngineProtocol
from game_masters.kit.engine_process import EngineFailed, EngineProcess
from game_masters.kit.rules import Bot, Options
from game_masters.kit.thought import Thought

USUAL_GO: Final = "movetime 1000"
"""How long an engine thinks where neither an order nor a clock sets it."""
MATE_WORTH: Final = 100.0
"""What a mate is worth in a remark, in pawns."""
MAX_LINE: Final = 40
"""Moves of a line in a remark."""
MAX_STOPS: Final = 5
"""An engine that has been asked to stop more often is ended: it does not react."""
USUAL_NAMES: Final = frozenset({"chess", "chess960"})


@dataclass(frozen=True, slots=True)
class UciThought:
    """What an engine has reported about a position. ``score`` is in hundredths of a pawn for the side to move, ``mate``
    in moves (negative: it is mated); one of both is None."""

    depth: int
    score: int | None
    mate: int | None
    pv: tuple[str, ...]
    """The line that it expects."""

    def remark(self) -> Thought:
        """It as a remark: pawns for the side to move, :data:`MATE_WORTH` for a mate, depth and mate as the plan."""
        mate = "" if self.mate is None else f", mate in {self.mate}"
        worth = (self.score or 0) / 100 if self.mate is None else MATE_WORTH if self.mate > 0 else -MATE_WORTH
        return Thought(worth, f"depth {self.depth}{mate}", " ".join(self.pv[:MAX_LINE]))


class UciEngine:
    """One engine that runs."""

    def __init__(self, orders: EngineOrders, options: Options) -> None:
        """Start it, and set its options. Raises EngineFailed."""
        self._orders = orders
        self._variant = variant_of(options)
        self._position: tuple[str, tuple[str, ...]] | None = None
        self._left_s: tuple[float, float] | None = None
        self._stops = 0
        self.thought: UciThought | None = None
        """Its last one about the present position; None: it reported nothing."""
        self._process = self._started()

    def bot(self) -> Bot[ChessMove, View]:
        """Return the engine as a bot."""
        name = self._process.name
        return Bot(name, "an engine that speaks UCI", self.choose, self.has_clock, self.remark, self.stop)

    def stop(self) -> None:
        """Let :meth:`choose` return soon. Safe to call at any time, from any thread."""
        self._stops += 1
        if self._stops > MAX_STOPS:
            self._process.kill()
        with suppress(EngineFailed):
            self._process.send("stop")

    def remark(self, view: View, move: ChessMove) -> Thought | None:
        """What it thinks of the position where it has just chosen a move."""
        return None if self.thought is None else self.thought.remark()

    def close(self) -> None:
        """End it."""
        self._process.close()

    def has_clock(self, own_s: float, other_s: float) -> None:
        """Take what is left of the budgets of both sides, in seconds."""
        self._left_s = own_s, other_s

    def choose(self, view: View, rng: random.Random) -> ChessMove:
        """Return the engine's move; a draw where it sees itself worse and may have one. Raises EngineFailed."""
        self._stops = 0
        if self._process.ended:
            self._process, self._position = self._started(), None
        # Another game, or a move taken back: what the engine remembers must not count.
        if (
            self._position is None
            or self._position[0] != view.start
            or view.moves[: len(self._position[1])] != (self._position[1])
        ):
            self._process.send("ucinewgame")
            _ready(self._process)
        self._position = view.start, view.moves
        moves = f" moves {' '.join(view.moves)}" if view.moves else ""
        self._process.send(f"position fen {view.start}{moves}")
        self._process.send(f"go {self._time(view.turn)}")
        self._left_s = None
        self.thought, best = None, ""
        for line in self._process.lines():
            words = line.split()
            if words[:1] == ["info"]:
                self.thought = read_thought(words) or self.thought
            elif words[:1] == ["bestmove"]:
                best = words[1] if len(words) > 1 else ""
                break
        if (view.claim or view.offered) and self._is_worse():
            return ChessMove(draw=DrawWord.CLAIM if view.claim else DrawWord.ACCEPT)
        if best not in view.legal:
            raise EngineFailed(f"{self._process.name}: {best!r} is no legal move in {view.fen}")
        return ChessMove(best)

    def _started(self) -> EngineProcess:
        process = EngineProcess(self._orders.command)
        try:
            self._begin(process, dict(self._orders.options), self._variant)
        except EngineFailed:
            process.close()
            raise
        return process

    @staticmethod
    def _begin(process: EngineProcess, options: dict[str, str], variant: str) -> None:
        process.send("uci")
        known: dict[str, str] = {}
        for line in process.lines():
            words = line.split()
            if words[:2] == ["option", "name"] and "type" in words:
                name = " ".join(words[2 : words.index("type")])
                known[name.lower()] = name
            elif words[:1] == ["uciok"]:
                break
        if variant == "chess960":
            options.setdefault("UCI_Chess960", "true")
        elif variant not in USUAL_NAMES:
            options.setdefault("UCI_Variant", variant)
        for name, value in options.items():
            # Engines pass over unknown options without a word: one would then play chess instead of the variant.
            if name.lower() not in known:
                raise EngineFailed(f"{process.name}: the engine has no option {name!r}; it has: {_listed(known)}")
            process.send(f"setoption name {known[name.lower()]} value {value}")
        _ready(process)

    def _time(self, turn: int) -> str:
        if self._orders.go:
            return self._orders.go
        if self._left_s is None:
            return USUAL_GO
        white, black = self._left_s if turn == 0 else self._left_s[::-1]
        return f"wtime {max(1, round(white * 1000))} btime {max(1, round(black * 1000))}"

    def _is_worse(self) -> bool:
        if self.thought is None:
            return False
        return (self.thought.mate or self.thought.score or 0) < 0


def read_thought(words: list[str]) -> UciThought | None:
    """Return the meaning of the words of an ``info`` line; None if they hold no value of the position."""
    rest = iter(words)
    depth, score, mate, pv = 0, None, None, list[str]()
    for word in rest:
        if word == "depth":
            depth = _number(rest) or 0
        elif word == "score":
            kind, value = next(rest, ""), _number(rest)
            score, mate = (value, None) if kind == "cp" else (None, value) if kind == "mate" else (None, None)
        elif word == "multipv" and (_number(rest) or 1) > 1:
            # Lines that are not the best one.
            return None
        elif word == "string":
            # What follows is text, in which the words would have no meaning.
            break
        elif word == "pv":
            pv.extend(rest)
    return None if score is None and mate is None else UciThought(depth, score, mate, tuple(pv))


def _ready(process: EngineProcess) -> None:
    process.send("isready")
    next(line for line in process.lines() if line.strip() == "readyok")


def _number(words: Iterator[str]) -> int | None:
    text = next(words, "")
    return int(text) if text.removeprefix("-").isdecimal() else None


def _listed(known: dict[str, str]) -> str:
    return ", ".join(sorted(known.values())[:40]) or "none"


UCI: Final = EngineProtocol("uci", "chess", ("chess", "chess-variant"), UciEngine)
