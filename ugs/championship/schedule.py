"""What every format of a championship can do: tell which games may be played now, and learn how they ended."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ugs.championship.plan import Plan


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game that has to be played."""

    number: int
    """From 1, in the order in which the format made them; never used twice within a championship."""
    nicks: tuple[str, ...]
    """Who plays, in the order of the seats."""
    round: int = 1
    """For people to read; nobody waits for a round unless the format must."""
    label: str = ""
    """What the game decides, for people to read: ``semi-final``, ``third place``; empty where every game is alike."""


class Schedule(ABC):
    """Who plays whom. Made for a plan, a field and a number of seats; every method is deterministic.

    The owner asks :meth:`open_fixtures`, begins one whose players are all free with :meth:`begin`, and reports with
    :meth:`settle` how it ended. A game that ended void is begun again by the owner: the schedule hears nothing of it.
    A fixture that is given up (void too often) is settled with nobody's points.
    """

    def __init__(self, plan: Plan, field: Sequence[str], seats: int) -> None:
        """``field``: the entrants in the order of their seeding, at least 2, no one twice; ``seats``: players per game,
        2 <= seats <= len(field)."""
        self.plan = plan
        self.field = tuple(field)
        self.seats = seats

    @abstractmethod
    def open_fixtures(self, free: Collection[str]) -> Sequence[Fixture]:
        """The fixtures not yet begun that may be played now by players of ``free`` only, the most urgent first.

        Formats that pair on the spot (ladder) make them for exactly those who are free. Calling it changes nothing
        that can be seen; the same fixture keeps its number until it is begun or dropped."""

    @abstractmethod
    def begin(self, fixture: Fixture) -> None:
        """This fixture is being played. After a restart it may be one that :meth:`open_fixtures` has not offered in
        this life of the process: it is taken as it is."""

    @abstractmethod
    def settle(self, fixture: Fixture, points: Mapping[str, float]) -> None:
        """A begun fixture has its result: 1 for who won, 0.5 for who drew, 0 for who lost, by nick. Whoever is missing
        got nothing. Empty: given up, nobody gets anything (a knock-out lets the higher seed go on)."""

    @abstractmethod
    def withdraw(self, nick: str) -> Sequence[Fixture]:
        """This entrant is gone for good: returns the fixtures already fixed that it can no longer play and that have
        not begun, which are dropped from the schedule (the owner decides who gets their points). Fixtures in which it
        plays right now are still settled by the owner. In a knock-out its next opponent goes on without playing."""

    @property
    @abstractmethod
    def finished(self) -> bool:
        """Whether nothing is left to be played: no open fixture will come, and every begun one is settled."""

    @property
    @abstractmethod
    def total(self) -> int | None:
        """How many games there will be in all, as far as is known before the first; None where it has no end."""

    def placing(self) -> Sequence[str] | None:
        """Entrants best first, where the format itself decides the places (knock-out); None where the points do."""
        return None

    def byes(self) -> Sequence[tuple[int, str]]:
        """Who sat out so far, by round: each of these is worth a won game. Only formats with rounds have them."""
        return ()
