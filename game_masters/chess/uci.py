"""Engines of chess as players, by the Universal Chess Interface (UCI).

Each position goes to the engine with all its moves, so that it sees repetitions. What it says while it thinks is kept
as :class:`Thought`: whoever shows remarks on a game takes them from ``on_thought``.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from game_masters.chess.rules import ChessMove, DrawWord, View, variant_of
from game_masters.kit.engine import EngineOrders, EngineProtocol
from game_masters.kit.engine_process import EngineFailed, EngineProcess
from game_masters.kit.rules import Bot, Options

USUAL_GO: Final = "movetime 1000"
"""How long an engine thinks where neither an order nor a clock says otherwise."""
USUAL_NAMES: Final = frozenset({"chess", "chess960"})


@dataclass(frozen=True, slots=True)
class Thought:
    """What an engine has said about a position. ``score`` is in hundredths of a pawn for the side to move, ``mate`` in
    moves (negative: it is mated); one of both is None."""

    depth: int
    score: int | None
    mate: int | None
    pv: tuple[str, ...]
    """The line that it expects."""


class UciEngine:
    """One engine that runs."""

    def __init__(
        self, orders: EngineOrders, options: Options, on_thought: Callable[[Thought], None] | None = None
    ) -> None:
        """Start it, and set its options. ``on_thought`` is handed its last thought before each move. Raises
        EngineFailed."""
        self._go = orders.go
        self._on_thought = on_thought
        self._position: tuple[str, tuple[str, ...]] | None = None
        self._left_s: tuple[float, float] | None = None
        self.thought: Thought | None = None
        """Its last one about the present position; None: it said nothing."""
        self._process = EngineProcess(orders.command)
        try:
            self._begin(dict(orders.options), variant_of(options))
        except EngineFailed:
            self._process.close()
            raise

    def bot(self) -> Bot[ChessMove, View]:
        """Return the engine as a bot."""
        return Bot(self._process.name, "an engine that speaks UCI", self.choose, self.has_clock)

    def close(self) -> None:
        """End it."""
        self._process.close()

    def has_clock(self, own_s: float, other_s: float) -> None:
        """Take what is left of the budgets of both sides, in seconds."""
        self._left_s = own_s, other_s

    def choose(self, view: View, rng: random.Random) -> ChessMove:
        """Return the engine's move; a draw where it sees itself worse and may have one. Raises EngineFailed."""
        if (
            self._position is None
            or self._position[0] != view.start
            or view.moves[: len(self._position[1])] != (self._position[1])
        ):
            self._process.send("ucinewgame")
            self._ready()
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
        if self.thought is not None and self._on_thought is not None:
            self._on_thought(self.thought)
        if (view.claim or view.offered) and self._is_worse():
            return ChessMove(draw=DrawWord.CLAIM if view.claim else DrawWord.ACCEPT)
        if best not in view.legal:
            raise EngineFailed(f"{self._process.name}: {best!r} is no legal move in {view.fen}")
        return ChessMove(best)

    def _begin(self, options: dict[str, str], variant: str) -> None:
        self._process.send("uci")
        known: dict[str, str] = {}
        for line in self._process.lines():
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
            if name.lower() not in known:
                raise EngineFailed(f"{self._process.name}: the engine has no option {name!r}; it has: {_listed(known)}")
            self._process.send(f"setoption name {known[name.lower()]} value {value}")
        self._ready()

    def _ready(self) -> None:
        self._process.send("isready")
        next(line for line in self._process.lines() if line.strip() == "readyok")

    def _time(self, turn: int) -> str:
        if self._go:
            return self._go
        if self._left_s is None:
            return USUAL_GO
        white, black = self._left_s if turn == 0 else self._left_s[::-1]
        return f"wtime {max(1, round(white * 1000))} btime {max(1, round(black * 1000))}"

    def _is_worse(self) -> bool:
        if self.thought is None:
            return False
        return (self.thought.mate or self.thought.score or 0) < 0


def read_thought(words: list[str]) -> Thought | None:
    """Return what the words of an ``info`` line say; None if they hold no value of the position."""
    rest = iter(words)
    depth, score, mate, pv = 0, None, None, list[str]()
    for word in rest:
        if word == "depth":
            depth = _number(rest) or 0
        elif word == "score":
            kind, value = next(rest, ""), _number(rest)
            score, mate = (value, None) if kind == "cp" else (None, value) if kind == "mate" else (None, None)
        elif word == "multipv" and (_number(rest) or 1) > 1:
            return None
        elif word == "string":
            break
        elif word == "pv":
            pv.extend(rest)
    return None if score is None and mate is None else Thought(depth, score, mate, tuple(pv))


def _number(words: Iterator[str]) -> int | None:
    text = next(words, "")
    return int(text) if text.removeprefix("-").isdecimal() else None


def _listed(known: dict[str, str]) -> str:
    return ", ".join(sorted(known.values())[:40]) or "none"


UCI: Final = EngineProtocol("uci", "chess", ("chess", "chess-variant"), UciEngine)
