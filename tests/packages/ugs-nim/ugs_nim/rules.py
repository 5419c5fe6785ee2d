"""Nim: players in turn take counters, at least one, all from one heap. Who takes the last counter wins alone.

The sizes of the heaps are drawn at the start. A bad move is refused and the same player asked again; a player who
leaves is skipped from then on, and the last one present wins.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from game_masters.kit.rules import Option, Outcome, RuleBroken, State, Table, Unreadable

OPTIONS = (
    Option("heaps", 3, "number of heaps", range(1, 10)),
    Option("largest", 7, "most counters a heap may have at the start", range(1, 100)),
    Option("misere", False, "who takes the last counter loses instead, and all others win"),
)


@dataclass(frozen=True)
class Take:
    """A move: so many counters from that heap, which are numbered from 0."""

    heap: int
    count: int

    def __str__(self) -> str:
        return f"{self.count} from heap {self.heap}"


@dataclass(frozen=True)
class View:
    """What everybody sees: the heaps, and why the last move was refused, if it was."""

    heaps: tuple[int, ...]
    refused: str = ""


class Heaps(State[Take, View]):
    """The heaps and whose turn it is."""

    def __init__(self, table: Table, rng: random.Random) -> None:
        """Draw the heaps; no heap is empty at the start."""
        largest = table.options.integer("largest")
        self._heaps = [rng.randint(1, largest) for _ in range(table.options.integer("heaps"))]
        self._misere = table.options.flag("misere")
        self._seats = list(table.seats)
        self._turn = 0
        self._refused = ""
        self._record = [f"heaps of {self._heaps}"]
        self._outcome: Outcome | None = None

    @property
    def movers(self) -> tuple[int, ...]:
        """One after another, in the order of the seats."""
        return (self._turn,) if self._outcome is None else ()

    @property
    def outcome(self) -> Outcome | None:
        """Decided when something happens."""
        return self._outcome

    @property
    def record(self) -> Sequence[str]:
        """The draw and what was taken."""
        return self._record

    def legal_moves(self, seat: int) -> Sequence[Take]:
        """Every number from every heap."""
        if seat not in self.movers:
            return ()
        return [Take(heap, count) for heap, size in enumerate(self._heaps) for count in range(1, size + 1)]

    def apply(self, seat: int, move: Take) -> None:
        """Take counters; raises RuleBroken for a heap or a number there is not, and out of turn."""
        if seat not in self.movers:
            raise RuleBroken(f"it is not the turn of seat {seat}")
        if not 0 <= move.heap < len(self._heaps):
            raise RuleBroken(f"there is no heap {move.heap}")
        if not 1 <= move.count <= self._heaps[move.heap]:
            raise RuleBroken(f"cannot take {move.count} of {self._heaps[move.heap]}")
        self._heaps[move.heap] -= move.count
        self._refused = ""
        self._record.append(f"seat {seat} takes {move}")
        if any(self._heaps):
            self._turn = self._after(seat)
        else:
            winners = set(self._seats) - {seat} if self._misere else {seat}
            self._outcome = Outcome("last counter taken", frozenset(winners))

    def fault(self, seat: int, cause: RuleBroken | Unreadable) -> None:
        """Say why and ask again."""
        self._refused = str(cause)
        self._record.append(f"seat {seat} is refused: {cause}")

    def leave(self, seat: int) -> None:
        """Skip the seat from now on."""
        following = self._after(seat)
        self._seats.remove(seat)
        self._record.append(f"seat {seat} leaves")
        if len(self._seats) == 1:
            self._outcome = Outcome("the others left", frozenset(self._seats))
        elif self._turn == seat:
            self._turn, self._refused = following, ""

    def view(self, seat: int | None, since: int = 0) -> View:
        """Everybody sees everything."""
        return View(tuple(self._heaps), self._refused)

    def _after(self, seat: int) -> int:
        place = self._seats.index(seat)
        return self._seats[(place + 1) % len(self._seats)]

    def __str__(self) -> str:
        return "  ".join(f"{heap}: {'o' * size or '-'}" for heap, size in enumerate(self._heaps))
