"""One game of OpenSpiel, from its beginning to its outcome.

OpenSpiel decides what is legal and what happens. What it leaves open is decided here:

* **Chance** comes from the random numbers of the kit, and each result is in the record.
* **Choices at one time** are asked one seat after another, and a choice is sealed until all have chosen.
* **A bad move or a departure** takes a seat out: it has lost. While two or more are left, the game goes on, and chance
  chooses among the legal moves of the seat; when one is left, it has won.
* **Points become results.** Of those who stayed, all with the most points have won; if no seat was out and all have the
  same, the game is drawn. So a game where all share their points is always drawn: its points are what counts.
* **Who moves is no secret**, and neither is that chance has decided something: players see whose turn it is. What
  was played is hidden where OpenSpiel declares imperfect information, unless the game is known to play openly.
"""

import random
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from enum import StrEnum
from typing import Any

from game_masters.kit.rules import Outcome, RuleBroken, State, Unreadable
from game_masters.openspiel import library
from game_masters.openspiel.guessing import another
from game_masters.openspiel.progress import Entry, Progress, Setup
from game_masters.openspiel.view import Event, EventKind, Play, View, printed


class Ending(StrEnum):
    """How a game of OpenSpiel can end."""

    PLAYED = "played to the end"
    ONE_LEFT = "one player left"
    ILLEGAL_MOVE = "illegal move"
    UNREADABLE_MOVE = "unreadable move"


class Spiel(State[Play, View]):
    """A game of OpenSpiel."""

    def __init__(self, setup: Setup, rng: random.Random) -> None:
        """Set the game up and let chance decide what comes before the first move."""
        if setup.own_chance:
            seed = {key: rng.getrandbits(30) for key in library.SEEDS}
            setup = replace(setup, parameters={**setup.parameters, **seed})
        self._rng = rng
        self._progress = Progress(setup)
        self._out: set[int] = set()
        self._outcome: Outcome | None = None
        self._go_on()

    def __deepcopy__(self, memo: dict[int, Any]) -> "Spiel":
        """Return a copy: positions of pyspiel are cloned."""
        rng = random.Random()
        rng.setstate(self._rng.getstate())
        return self.with_progress(self._progress.copy(), rng)

    def with_progress(self, progress: Progress, rng: random.Random) -> "Spiel":
        """Return this game, if it had gone another way."""
        other = copy(self)
        other._rng, other._progress, other._out = rng, progress, set(self._out)
        return other

    @property
    def progress(self) -> Progress:
        """What has happened."""
        return self._progress

    @property
    def movers(self) -> tuple[int, ...]:
        """The seat whose turn it is; where all choose at once, the first that has not chosen."""
        turn = self._progress.turn
        return () if self._outcome is not None or turn is None else (turn,)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended."""
        return self._outcome

    @property
    def record(self) -> Sequence[Entry]:
        """All moves, decisions of chance, and departures."""
        return self._progress.entries

    def legal_moves(self, seat: int) -> Sequence[Play]:
        """The legal actions of OpenSpiel, in its order."""
        return self._progress.legal(seat) if seat in self.movers else ()

    def apply(self, seat: int, move: Play) -> None:
        """Make a move. Raises RuleBroken out of turn, for a number that is not listed, and for the text of another."""
        if seat not in self.movers:
            raise RuleBroken(f"it is not the turn of seat {seat}")
        legal = next((one for one in self._progress.legal(seat) if one.id == move.id), None)
        if legal is None:
            raise RuleBroken(f"play {move} is not among the listed ones")
        if move.text and move.text != legal.text:
            raise RuleBroken(f"play {move.id} is {legal.text!r}, not {move.text!r}")
        self._progress.play(seat, move.id)
        self._go_on()

    def fault(self, seat: int, cause: RuleBroken | Unreadable) -> None:
        """A bad move loses."""
        why = Ending.ILLEGAL_MOVE if isinstance(cause, RuleBroken) else Ending.UNREADABLE_MOVE
        self._take_out(seat, why)

    def leave(self, seat: int) -> None:
        """Who leaves has lost."""
        self._take_out(seat, Ending.ONE_LEFT)

    def _take_out(self, seat: int, why: Ending) -> None:
        self._out.add(seat)
        self._progress.entries.append(Entry(EventKind.OUT, seat, (), why.value))
        left = [one for one in range(self._progress.setup.seats) if one not in self._out]
        if len(left) < 2:
            self._outcome = Outcome(why, frozenset(left))
        else:
            self._go_on()

    def _go_on(self) -> None:
        """Let chance decide as long as no player has to; it also moves for seats that are out."""
        progress = self._progress
        while not progress.over:
            if progress.is_chance:
                outcomes = progress.outcomes()
                chances = [chance for _, chance in outcomes]
                progress.happen(self._rng.choices([action for action, _ in outcomes], chances)[0])
            elif progress.turn is None:
                progress.reveal()
            elif progress.turn in self._out:
                progress.play(progress.turn, self._rng.choice(progress.legal(progress.turn)).id)
            else:
                return
        if self._outcome is None:
            self._outcome = self._result()

    def _result(self) -> Outcome:
        points = [float(one) for one in self._progress.position.returns()]
        stayed = [seat for seat in range(len(points)) if seat not in self._out]
        most = max(points[seat] for seat in stayed)
        winners = frozenset(seat for seat in stayed if points[seat] == most)
        drawn = len(winners) == len(points)
        return Outcome(Ending.PLAYED, frozenset() if drawn else winners, drawn=drawn)

    # --- what is seen -------------------------------------------------------------------------------------------------

    def view(self, seat: int | None, since: int = 0) -> View:
        """Return what a seat sees: in a game that hides nothing, what all see."""
        setup = self._progress.setup
        viewer = seat if setup.hidden else None
        turn = self.movers[0] if self.movers else None
        # What a seat may do can show what it holds.
        asked = turn is not None and (not setup.hidden or seat == turn)
        return View(
            setup.written,
            setup.seats,
            viewer,
            turn,
            self._board(viewer),
            self._information(viewer),
            tuple(self.legal_moves(turn)) if asked and turn is not None else (),
            tuple(self._events(viewer, since)),
            self._points(),
        )

    def received(self, seat: int | None, since: int = 0) -> Sequence[object]:
        """Return what has happened, as far as a seat may know, what it observes of it, and whose turn it is."""
        shown = self._board(seat), self._information(seat), self.movers, self._points()
        return (*self._events(seat, since), *shown)

    def resampled(self, seat: int, rng: random.Random) -> "Spiel":
        """Return a game that looks the same to ``seat``, and has perhaps gone another way."""
        if not self._progress.setup.hidden or self._outcome is not None:
            return self
        chance = random.Random()
        chance.setstate(self._rng.getstate())
        return self.with_progress(another(self._progress, seat, rng), chance)

    def _points(self) -> tuple[float, ...]:
        return tuple(map(float, self._progress.position.returns())) if self._progress.over else ()

    def _board(self, seat: int | None) -> str:
        position, glasses = self._progress.position, self._progress.glasses
        # Nothing is hidden any more once it has ended.
        if glasses is None or self._outcome is not None:
            return printed(str(position))
        return glasses.shown_to_all(position) if seat is None else glasses.board(position, seat)

    def _information(self, seat: int | None) -> str:
        glasses = self._progress.glasses
        if glasses is None or seat is None or self._outcome is not None:
            return ""
        return glasses.information(self._progress.position, seat)

    def _events(self, seat: int | None, since: int) -> Sequence[Event]:
        return [self._event(entry, seat) for entry in self._progress.entries[since:]]

    def _event(self, entry: Entry, seat: int | None) -> Event:
        setup, kind = self._progress.setup, entry.kind
        known = {
            EventKind.PLAY: setup.open_plays,
            EventKind.SEALED: False,
            EventKind.TOGETHER: setup.open_plays,
            EventKind.CHANCE: setup.open_chance,
            EventKind.OUT: True,
        }[kind]
        own = setup.hidden and seat is not None and seat == entry.seat
        shown = known or own or (setup.hidden and self._outcome is not None)
        return Event(kind, entry.seat, entry.text if shown else "")

    def __str__(self) -> str:
        """Show the position as OpenSpiel does, and the choices that are sealed."""
        sealed = "".join(f"\nseat {seat} has chosen {action}" for seat, action in sorted(self._progress.sealed.items()))
        return f"{printed(str(self._progress.position))}{sealed}"
