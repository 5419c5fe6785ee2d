"""What every format of a championship can do: offer the games that may be played now, and take in how they ended.

Who meets whom is decided by the formats (:mod:`ugs.championship.formats`).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeAlias

from ugs.championship.due_draws import Request
from ugs.championship.plan import Plan
from ugs.value import value

PutOff: TypeAlias = Callable[[Request], bool]
"""Whether a request should be put off instead of being drawn at once."""
WaitedFor: TypeAlias = Callable[[], Collection[str]]
"""The entrants that are not free now but will be; asked only where that makes a difference."""


@value
class Fixture:
    """A game that has to be played."""

    number: int
    """From 1, in the order the format made them; never used twice within a championship."""
    nicks: tuple[str, ...]
    """The players in the order of the seats."""
    round: int = 1
    """For people to read; no player waits for a round unless the format requires it."""
    label: str = ""
    """What the game decides, for people to read: ``semi-final``, ``third place``; empty where all games are alike."""
    opening: int = 0
    """Which of the openings of the plan it begins with, from 1; 0: as the game itself begins."""


def never(_request: Request) -> bool:
    """Draw everything at once."""
    return False


def no_entrant() -> Collection[str]:
    """Wait for no entrant."""
    return ()


class Schedule(ABC):
    """Who plays whom. Made for a plan, a field and a number of seats; every method is deterministic.

    The owner asks :meth:`open_fixtures`, begins one whose players are all free with :meth:`begin`, and reports with
    :meth:`settle` how it ended. When a game ended void, the owner begins it again and does not notify the schedule. A
    fixture that is given up (void too often) is settled with empty points.

    Some formats have to draw games before they can go on. A request that ``put_off`` returns true for is not drawn at
    once: it is in ``wanted`` until the owner has had it drawn and calls :meth:`take`. Until then nothing is open,
    nothing is finished, and what is wanted may become something else when an entrant withdraws.
    """

    def __init__(self, plan: Plan, field: Sequence[str], seats: int, put_off: PutOff = never) -> None:
        """``field``: the entrants in the order of their seeding, at least 2, each once; ``seats``: players per game, 2
        <= seats <= len(field)."""
        self.plan = plan
        self.field = tuple(field)
        self.seats = seats
        self.put_off = put_off
        self.wanted: Request | None = None
        """What has to be drawn before it can go on; None when nothing has."""
        self.ended = False
        """Whether nothing more is played; results may still be corrected."""

    @property
    def wants(self) -> Sequence[Request]:
        """All that has to be drawn before it can go on, ``wanted`` first."""
        return [] if self.wanted is None else [self.wanted]

    def take(self, drawing: Any) -> None:
        """Take in what was drawn for ``wanted``; nothing is wanted any more."""
        raise NotImplementedError(f"{type(self).__name__} never wants anything")

    def draw_now(self) -> None:
        """If something is wanted, draw it here and now, which may take seconds."""
        if self.wanted is not None:
            self.take(self.wanted.draw())

    def _want(self, request: Request) -> None:
        """This has to be drawn before it can go on."""
        self.wanted = request
        if not self.put_off(request):
            self.draw_now()

    @abstractmethod
    def open_fixtures(self, free: Collection[str], waited_for: WaitedFor = no_entrant) -> Sequence[Fixture]:
        """Return the fixtures not yet begun that ``free`` players can play now, the most urgent first.

        Where all games are known beforehand, no pairing is more than one game ahead of the other games of its players
        with those who are free or ``waited_for``.

        Formats that pair on the spot (ladder) make them for exactly these players. The call changes nothing that can be
        seen; a fixture keeps its number until it is begun or dropped.
        """

    @abstractmethod
    def begin(self, fixture: Fixture) -> None:
        """Mark ``fixture`` as being played. After a restart it may be one that :meth:`open_fixtures` has not offered in
        this life of the process; it is accepted as it is."""

    @abstractmethod
    def settle(self, fixture: Fixture, points: Mapping[str, float]) -> None:
        """Take in the result of a begun fixture: ``points`` by nick, what its outcome is worth. A missing nick has
        0. Empty ``points``: the fixture is given up and no player gets anything (in a knock-out the higher seed goes
        on)."""

    @abstractmethod
    def withdraw(self, nick: str) -> Sequence[Fixture]:
        """Take ``nick`` out for good. Returns the fixtures that were fixed but not begun and that it can no longer
        play; the schedule drops them, and the owner decides who gets their points. The owner still settles fixtures
        that it plays right now. In a knock-out its next opponent goes on without playing."""

    def end(self) -> None:
        """Nothing more is played. What a correction leaves open after that is decided without a game."""
        self.ended = True

    def not_enterable(self) -> str:
        """Why no entrant can enter any more; empty when one can."""
        return f"a {self.plan.format} takes no player in once it has begun"

    def may_come_late(self, _before: int) -> bool:
        """Whether a player who logs in now may enter, if the plan lets players in until this round is drawn."""
        return False

    def enter(self, nick: str) -> None:
        """Take one more entrant in, at the end of the field."""
        raise NotImplementedError(f"{type(self).__name__} takes no player in: {nick}")

    def takes_back(self) -> bool:
        """Whether an entrant that has left may still play what is not drawn yet."""
        return False

    def take_back(self, nick: str) -> None:
        """Let an entrant that has left play what is not drawn yet. What it lost by leaving stays lost."""
        raise NotImplementedError(f"{type(self).__name__} takes no player back: {nick}")

    def cannot_sit_out(self, _round: int) -> str:
        """Why no entrant can ask to sit out this round; empty when one can."""
        return f"a {self.plan.format} has no byes on request"

    def sit_out(self, nick: str, round_: int) -> None:
        """Let an entrant sit out a round that is not drawn yet."""
        raise NotImplementedError(f"{type(self).__name__} has no byes on request: {nick}, {round_}")

    def asked_to_sit_out(self) -> Sequence[tuple[str, int]]:
        """Who has asked to sit out which round."""
        return ()

    def not_correctable(self, _fixture: Fixture) -> str:
        """Why the result of a settled fixture cannot be changed any more; empty when it can."""
        return ""

    def correct(self, fixture: Fixture, before: Mapping[str, float], now: Mapping[str, float]) -> None:  # noqa: B027
        """Replace the points of a settled fixture, ``before``, by ``now``. What has been paired from them stays. By
        default nothing depends on points."""

    @property
    @abstractmethod
    def finished(self) -> bool:
        """Whether nothing is left to play: no open fixture will come, and every begun one is settled."""

    @property
    @abstractmethod
    def total(self) -> int | None:
        """How many games there will be in total, as far as that is known before the first; None for a format without
        end."""

    def placing(self) -> Sequence[str] | None:
        """Return the entrants best first, where the format itself decides the places (knock-out); None where the points
        decide."""
        return None

    def byes(self) -> Sequence[tuple[int, str]]:
        """Return who sat out so far, as pairs of round and nick; the plan sets what that is worth. Only formats with
        rounds have byes."""
        return ()
