"""One game of PettingZoo, from its beginning to its outcome.

The environment decides what is legal and what happens. What its interface leaves open is decided here:

* **Chance** comes from the seed that the environment is reset with.
* **Rewards become results.** Of those who stayed, all with the most have won; if all have the same, the game is drawn.
* **What is hidden** the interface does not say. So each seat sees its own observation, and nothing of what others do
  but whose turn it is; unless the game is declared open. When it is over, all actions are shown.
* **A bad move or a departure** takes a seat out: it has lost. While two or more are left, the game goes on, and chance
  chooses among the legal moves of the seat; when one is left, it has won.
"""

import random
from collections.abc import Sequence
from copy import copy
from enum import StrEnum
from typing import Any, Final

from game_masters.kit.rules import Outcome, RuleBroken, State, Unreadable
from game_masters.pettingzoo.environment import Environment
from game_masters.pettingzoo.view import Event, EventKind, Play, View

MAX_STEPS: Final = 20_000
"""A game that has not ended after this number of moves ends there, by the rewards so far."""


class Ending(StrEnum):
    """How a game of PettingZoo can end."""

    PLAYED = "played to the end"
    TOO_LONG = "too many moves"
    ONE_LEFT = "one player left"
    ILLEGAL_MOVE = "illegal move"
    UNREADABLE_MOVE = "unreadable move"


class Zoo(State[Play, View]):
    """A game of PettingZoo."""

    def __init__(self, name: str, environment: Environment, rng: random.Random, *, is_open: bool) -> None:
        """``name``: as views give it."""
        self._name = name
        self._environment = environment
        self._rng = rng
        self._open = is_open
        self._record: list[Event] = []
        self._steps = 0
        self._out: set[int] = set()
        self._outcome: Outcome | None = None
        self._legal: tuple[Play, ...] = ()
        environment.reset(rng.getrandbits(31))
        self._go_on()

    def __deepcopy__(self, memo: dict[int, Any]) -> "Zoo":
        """Return a game of its own that is as far."""
        other = copy(self)
        other._environment = self._environment.copy()
        other._rng = random.Random()
        other._rng.setstate(self._rng.getstate())
        other._record, other._out = list(self._record), set(self._out)
        return other

    @property
    def movers(self) -> tuple[int, ...]:
        """The seat whose agent is selected."""
        turn = self._environment.turn
        return () if self._outcome is not None or turn is None else (turn,)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended."""
        return self._outcome

    @property
    def record(self) -> Sequence[Event]:
        """All actions and departures."""
        return self._record

    @property
    def labels(self) -> Sequence[str]:
        """The names of the agents."""
        return self._environment.agents

    def legal_moves(self, seat: int) -> Sequence[Play]:
        """The actions that the mask allows."""
        return self._legal if seat in self.movers else ()

    def apply(self, seat: int, move: Play) -> None:
        """Take an action. Raises RuleBroken."""
        if seat not in self.movers:
            raise RuleBroken(f"it is not the turn of seat {seat}")
        if move not in self._legal:
            raise RuleBroken(f"play {move.id} is not among the listed ones")
        self._play(seat, move.id)
        self._go_on()

    def fault(self, seat: int, cause: RuleBroken | Unreadable) -> None:
        """A bad move loses."""
        self._take_out(seat, Ending.ILLEGAL_MOVE if isinstance(cause, RuleBroken) else Ending.UNREADABLE_MOVE)

    def leave(self, seat: int) -> None:
        """Who leaves has lost."""
        self._take_out(seat, Ending.ONE_LEFT)

    def _play(self, seat: int, action: int) -> None:
        self._environment.play(action)
        self._steps += 1
        self._record.append(Event(EventKind.PLAY, seat, action))

    def _take_out(self, seat: int, why: Ending) -> None:
        self._out.add(seat)
        self._record.append(Event(EventKind.OUT, seat))
        left = [one for one in range(self._environment.seats) if one not in self._out]
        if len(left) < 2:
            self._outcome = Outcome(why, frozenset(left))
        else:
            self._go_on()

    def _go_on(self) -> None:
        """Let chance move for seats that are out, until a player is asked or the game is over."""
        turn = self._environment.turn
        while turn is not None and self._steps < MAX_STEPS:
            legal = self._environment.legal()
            if turn not in self._out:
                self._legal = tuple(map(Play, legal))
                return
            self._play(turn, self._rng.choice(legal))
            turn = self._environment.turn
        self._outcome = self._result(Ending.PLAYED if turn is None else Ending.TOO_LONG)

    def _result(self, ending: Ending) -> Outcome:
        points = self._environment.points
        stayed = [seat for seat in range(len(points)) if seat not in self._out]
        most = max(points[seat] for seat in stayed)
        winners = frozenset(seat for seat in stayed if points[seat] == most)
        drawn = len(winners) == len(points)
        return Outcome(ending, frozenset() if drawn else winners, drawn=drawn)

    # --- what is seen -------------------------------------------------------------------------------------------------

    def view(self, seat: int | None, since: int = 0) -> View:
        """Return what a seat sees: in a game that is played openly, what all see."""
        viewer = None if self._open else seat
        turn = self.movers[0] if self.movers else None
        return View(
            self._name,
            self._environment.seats,
            viewer,
            turn,
            self._environment.printed() if self._open else "",
            () if (shown := self._shown(viewer, turn)) is None else self._environment.observed(shown),
            tuple(self.legal_moves(turn)) if turn is not None and (self._open or seat == turn) else (),
            tuple(self._events(viewer, since)),
            tuple(self._environment.points) if self._outcome is not None and not self._out else (),
        )

    def received(self, seat: int | None, since: int = 0) -> Sequence[object]:
        """Return what has happened, as far as a seat may know, what it observes of it, and whose turn it is."""
        seen = () if seat is None else self._environment.observed(seat)
        return (*self._events(seat, since), seen, self.movers)

    def _shown(self, viewer: int | None, turn: int | None) -> int | None:
        """The seat whose observation is shown; None: there is none for spectators of what may be hidden."""
        return (turn or 0) if self._open else viewer

    def _events(self, seat: int | None, since: int) -> Sequence[Event]:
        shown = self._open or self._outcome is not None
        return [
            event if shown or event.seat == seat else Event(event.kind, event.seat) for event in self._record[since:]
        ]

    def __str__(self) -> str:
        """Show the position as the environment prints it, or what each seat observes."""
        board = self._environment.printed()
        if board:
            return board
        seats = range(self._environment.seats)
        return "\n".join(f"seat {seat}: {one.text}" for seat in seats for one in self._environment.observed(seat))
