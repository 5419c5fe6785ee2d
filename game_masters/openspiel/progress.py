"""A position of OpenSpiel and all decisions that led to it, as the record has them, so that it can be repeated."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from game_masters.openspiel import library
from game_masters.openspiel.library import CHANCE, SEEDS, Glasses, Parameters
from game_masters.openspiel.parameters import FIXED
from game_masters.openspiel.view import EventKind, Play, printed

NO_ACTION = 0
"""What stands for a seat without a legal action where all choose at once, as in OpenSpiel itself."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What is the same for all positions of one game."""

    name: str
    parameters: Parameters
    seats: int
    hidden: bool
    open_plays: bool
    """Whether all see what a seat plays."""
    open_chance: bool
    own_chance: bool
    """Whether OpenSpiel decides about chance by a seed in the parameters."""

    @property
    def written(self) -> str:
        """The game with the parameters that were chosen, as OpenSpiel writes it. A seed would reveal all secrets."""
        chosen = {name: value for name, value in self.parameters.items() if name not in (*SEEDS, *FIXED)}
        return f"{self.name}({','.join(f'{name}={value}' for name, value in sorted(chosen.items()))})"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the record, with what is hidden."""

    kind: EventKind
    seat: int | None
    actions: tuple[int, ...] = ()
    text: str = ""

    def __str__(self) -> str:
        who = "" if self.seat is None else f"seat {self.seat} "
        return f"{who}{self.kind.value}: {self.text}".rstrip(": ")


class Progress:
    """A position of pyspiel and the entries that led to it: what can be repeated with other decisions."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.game = library.load(setup.name, setup.parameters, own_chance=setup.own_chance)
        library.warn(setup.name)
        self.position: Any = self.game.new_initial_state()
        self.entries: list[Entry] = []
        self.sealed: dict[int, int] = {}
        """The choices of this round, which are hidden."""
        self.glasses: Glasses | None = library.glasses(setup.name, setup.parameters) if setup.hidden else None

    def copy(self) -> "Progress":
        """Return the same game, which goes on by itself."""
        if self.setup.own_chance:  # the seed is in the game, which copies of a position share
            other = Progress(self.setup)
            for entry in self.entries:
                other.repeat(entry)
            return other
        other = copy(self)
        other.position, other.entries, other.sealed = self.position.clone(), list(self.entries), dict(self.sealed)
        return other

    @property
    def over(self) -> bool:
        """Whether nothing is left to decide."""
        return bool(self.position.is_terminal())

    @property
    def together(self) -> bool:
        """Whether all choose at once."""
        return bool(self.position.is_simultaneous_node())

    @property
    def turn(self) -> int | None:
        """The seat that decides next; None: chance does, all have chosen, or the game is over."""
        if self.over:
            return None
        if not self.together:
            seat = library.actor(self.position)
            return None if seat == CHANCE else seat
        waiting = (
            one for one in range(self.setup.seats) if one not in self.sealed and self.position.legal_actions(one)
        )
        return next(waiting, None)

    @property
    def is_chance(self) -> bool:
        """Whether chance decides next."""
        return not self.over and bool(self.position.is_chance_node())

    def legal(self, seat: int) -> Sequence[Play]:
        """Return the legal moves of the seat that decides next."""
        return [Play(action, text) for action, text in library.plays(self.position, seat)]

    def play(self, seat: int, action: int) -> None:
        """Make a legal move of the seat that decides next."""
        text = printed(self.position.action_to_string(seat, action))
        if not self.together:
            self.position.apply_action(action)
            self.entries.append(Entry(EventKind.PLAY, seat, (action,), text))
            return
        self.sealed[seat] = action
        self.entries.append(Entry(EventKind.SEALED, seat, (action,), text))
        if self.turn is None:
            self.reveal()

    def reveal(self) -> None:
        """Apply the choices of all at once."""
        seats = range(self.setup.seats)
        actions = tuple(self.sealed.get(seat, NO_ACTION) for seat in seats)
        texts = [
            f"{seat}: {printed(self.position.action_to_string(seat, actions[seat]))}"
            for seat in seats
            if seat in self.sealed
        ]
        self.position.apply_actions(list(actions))
        self.sealed.clear()
        self.entries.append(Entry(EventKind.TOGETHER, None, actions, ", ".join(texts)))

    def outcomes(self) -> list[tuple[int, float]]:
        """Return what chance may decide, and how likely each is."""
        return [(int(action), float(chance)) for action, chance in self.position.chance_outcomes()]

    def happen(self, action: int) -> None:
        """Let chance decide so."""
        text = printed(self.position.action_to_string(CHANCE, action))
        self.position.apply_action(action)
        self.entries.append(Entry(EventKind.CHANCE, None, (action,), text))

    def repeat(self, entry: Entry) -> None:
        """Do what an entry orders. What follows by itself has an entry of its own, which does nothing."""
        if entry.kind is EventKind.CHANCE:
            self.happen(entry.actions[0])
        elif entry.kind in (EventKind.PLAY, EventKind.SEALED) and entry.seat is not None:
            self.play(entry.seat, entry.actions[0])
        elif entry.kind is EventKind.OUT:
            self.entries.append(entry)
        elif not self.entries or self.entries[-1].kind is not EventKind.TOGETHER:
            self.reveal()  # no seat had a choice
