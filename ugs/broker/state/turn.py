"""Whose turn it is in a game.

Players and masters are parameters: they refer to their games (``model.py``), and games to their turn.
"""

from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from ugs.broker.state.time_budgets import Budgets
from ugs.wire.messages import Move


class Mover(Protocol):
    """Who may be asked to move."""

    @property
    def name(self) -> str:
        """Its nick."""
        ...


PlayerT = TypeVar("PlayerT", bound=Mover)
MasterT = TypeVar("MasterT")


@dataclass(slots=True, eq=False)
class Turn(Generic[PlayerT, MasterT]):
    """Who must act in a game."""

    movers: tuple[PlayerT, ...] = ()
    """The players who have been asked to move and have not; empty when it is the master's turn."""
    answering: PlayerT | None = None
    """The player whose move the master was given last."""
    owes: bool = True
    """Whether the master owes a state: for the begin, a move, or a player to move who left."""
    plain: bool = True
    """Whether the game has needed nothing beyond v4 so far: no budgets of time, views, several movers or held moves.
    Then many checks are skipped."""
    held: dict[str, Move] = field(default_factory=dict)
    """Moves that came while the master could not take them, by nick, in order."""
    deadlines: dict[str, float] = field(default_factory=dict)
    """Until when each of several movers must have moved."""
    successor_by: float | None = None
    """Until when the game must have been taken over, while its master is lost."""
    taken_over: tuple[float, int] | None = None
    """When a successor has sent its state, and how many moves were made by then; None: the first master leads it."""
    takeovers_lost: int = 0
    """How many successors in a row were lost by taking the game over: nothing has happened in it since."""
    taken_among: int = 0
    """How many games the last of these was taking over when it was lost, with this one: one of them may be why."""
    recalled_for: MasterT | None = None
    """The master that will take the game over once its past has been read."""
    budgets: Budgets | None = None
    """Set if the players have budgets of time, or want to know the time of their moves."""

    def is_of(self, movers: tuple[PlayerT, ...]) -> None:
        """The master has sent a state: these players have to move, and it owes nothing."""
        self.movers, self.owes = movers, False

    def moved(self, player: PlayerT) -> None:
        """A player has moved, and the master owes a state for it."""
        movers, self.answering = self.movers, player
        # Nearly every move of every game: no tuple is built for it.
        alone = len(movers) == 1 and movers[0] is player
        self.movers = () if alone else tuple([one for one in movers if one is not player])
        self.owes = True

    def holds(self, player: PlayerT, move: Move) -> None:
        """A player has moved while the master could not take it."""
        self.movers = tuple([one for one in self.movers if one is not player])
        self.held[player.name] = move
        self.plain = False

    def waits_for_answer(self, player: PlayerT) -> None:
        """By the record of the game, the master has not answered the move of this player."""
        self.answering = player

    def asks_again(self, player: PlayerT) -> None:
        """The move of this player was refused and does not count: it has to move still, and the master owes nothing for
        it."""
        self.movers = (*self.movers, player)
        self.answering, self.owes = None, False

    def owes_nothing(self) -> None:
        """The move that the master was given last was refused, and its player is out."""
        self.answering, self.owes = None, False

    def drops(self, player: PlayerT) -> bool:
        """A player has left. Returns whether it had been asked to move."""
        asked = player in self.movers or player.name in self.held
        self.movers = tuple([one for one in self.movers if one is not player])
        self.held.pop(player.name, None)
        return asked

    def clear(self) -> None:
        """The game has ended: no player has to move."""
        self.movers = ()
        self.held.clear()

    def master_owes(self) -> None:
        """The master owes a state."""
        self.owes = True

    def needs_more(self) -> None:
        """The game needs something that v4 lacks."""
        self.plain = False

    def awaits_successor(self, by: float) -> float:
        """The master is lost, and another one has to take the game over by this moment; an earlier one stands. Returns
        it."""
        self.plain = False
        if self.successor_by is None:
            self.successor_by = by
        return self.successor_by

    def has_master(self, now: float, moves: int) -> None:
        """A successor has sent the state of the game. ``moves``: how many have been made in it."""
        self.successor_by = None
        self.taken_over = now, moves

    def was_led_on(self) -> None:
        """Its master, which is lost, had led it on: the next loss by a takeover is the first in a row."""
        self.takeovers_lost = self.taken_among = 0

    def loses_successor(self, among: int) -> None:
        """A successor was lost by taking over this game, or another one of those that it was taking over, ``among`` in
        all."""
        self.takeovers_lost += 1
        self.taken_among = among

    def recalls_past(self, master: MasterT | None) -> None:
        """The past of the game is being read again for this master; None: that is done."""
        self.recalled_for = master

    def has_budgets(self, left: dict[str, float]) -> None:
        """The players have this much time left for all their moves, by nick."""
        self.budgets = Budgets(left)
