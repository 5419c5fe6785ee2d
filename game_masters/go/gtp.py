"""Programs that play Go as players, by the Go Text Protocol (GTP), version 2."""

import random
from typing import Final

from game_masters.go.rules import COLOURS, RESIGN, GoMove, View
from game_masters.kit.engine import EngineOrders, EngineProtocol
from game_masters.kit.engine_process import EngineFailed, EngineProcess
from game_masters.kit.rules import Bot, Options


class GtpEngine:
    """One program that runs."""

    def __init__(self, orders: EngineOrders, options: Options) -> None:
        """Start it. ``orders.options`` are commands of the program with their arguments, sent before the first game;
        ``orders.go`` is one that is sent before each move. Raises EngineFailed."""
        self._orders = orders
        self._position: tuple[object, tuple[str, ...]] | None
        self._left_s: tuple[float, float] | None = None
        self._start()

    def bot(self) -> Bot[GoMove, View]:
        """Return the program as a bot."""
        return Bot(self._process.name, "a program that speaks GTP", self.choose, self.has_clock, stop=self.stop)

    def close(self) -> None:
        """End it."""
        self._process.close()

    def stop(self) -> None:
        """End the program: GTP has no other way to stop it. The next :meth:`choose` starts it again."""
        self._process.kill()

    def has_clock(self, own_s: float, other_s: float) -> None:
        """Take what is left of the budgets of both sides, in seconds."""
        self._left_s = own_s, other_s

    def choose(self, view: View, rng: random.Random) -> GoMove:
        """Return the program's move. Raises EngineFailed; a move that is not allowed here is one as well."""
        if self._process.ended:
            self._process.close()
            self._start()
        self._set_up(view)
        if self._left_s is not None:
            own, other = (COLOURS[view.turn], COLOURS[1 - view.turn])
            for colour, left in zip((own, other), self._left_s, strict=True):
                # Programs need not know this command. The 0 at the end: main time, not a period for some stones.
                self.ask(f"time_left {colour} {max(1, int(left))} 0", needed=False)
            self._left_s = None
        if self._orders.go:
            self.ask(self._orders.go)
        answer = self.ask(f"genmove {COLOURS[view.turn]}").strip()
        # Programs write letters in either case.
        vertex = answer.lower() if answer.lower() in ("pass", "resign") else answer.upper()
        move = GoMove(vertex)
        if move != RESIGN and vertex not in view.legal:
            raise EngineFailed(f"{self._process.name}: {answer[:20]!r} is not allowed here")
        self._position = (view.setup, view.size), (*view.moves, vertex)
        return move

    def ask(self, command: str, *, needed: bool = True) -> str:
        """Send a command and return the answer. Raises EngineFailed where one that is ``needed`` is refused."""
        self._process.send(command)
        answer: list[str] = []
        for line in self._process.lines():
            # An empty line ends an answer; those before it belong to none.
            if not line.strip() and answer:
                break
            if line.strip():
                answer.append(line)
        head = answer[0]
        if not head.startswith("="):
            if needed:
                raise EngineFailed(f"{self._process.name}: {command.split()[0]}: {head[:80]}")
            return ""
        return "\n".join([head[1:].lstrip(), *answer[1:]])

    def _start(self) -> None:
        self._position = None
        self._process = EngineProcess(self._orders.command)
        try:
            # The first command also finds out whether the program speaks GTP.
            for name, value in {"protocol_version": "", **self._orders.options}.items():
                self.ask(f"{name} {value}".strip())
        except EngineFailed:
            self._process.close()
            raise

    def _set_up(self, view: View) -> None:
        """Bring the program to the position: with the moves that are new to it, or from the beginning."""
        of, moves = self._position or (None, ())
        if of != (view.setup, view.size) or view.moves[: len(moves)] != moves:
            moves = ()
            self.ask(f"boardsize {view.size}")
            self.ask("clear_board")
            self.ask(f"komi {view.komi2 / 2:g}")
            for seat, stones in enumerate(view.setup):
                for vertex in stones:
                    self.ask(f"play {COLOURS[seat]} {vertex}")
        # Sides take turns, passes included: so the number of moves shows whose the first one was.
        first = (view.turn + len(view.moves)) % 2
        for place, vertex in enumerate(view.moves):
            if place >= len(moves):
                self.ask(f"play {COLOURS[(first + place) % 2]} {vertex}")


GTP: Final = EngineProtocol("gtp", "go", ("go",), GtpEngine)
