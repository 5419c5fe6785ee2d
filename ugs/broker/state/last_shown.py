"""What the players of a game were shown, and the master's reasons."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ugs.broker.verdict import Reason
from ugs.value import state
from ugs.wire.extensions import Label, SeatKind
from ugs.wire.messages import GameState


@dataclass(slots=True, eq=False)
class LastShown:
    """What the players of a game have got last."""

    latest: GameState | None = None
    """The last state of each player who has none in ``views``."""
    views: dict[str, GameState] = field(default_factory=dict)
    """The last state that this player got, by nick."""
    private: bool = False
    """Whether some players have been shown what others may not see."""
    returning: set[str] = field(default_factory=set)
    """The nicks that have come back while the master's answer was under way, which has no view for them."""
    unaware: set[str] = field(default_factory=set)
    """The nicks that have come back to a game with hidden information and have got no state since. What they were
    shown before is old, and what all are shown lacks what is theirs."""
    labels: tuple[Label, ...] = ()
    """The master's labels of the seats, in order."""
    sketches: dict[str, bytes] = field(default_factory=dict)
    """How the last state looks, by nick; empty: for all without one of their own."""
    drawn: dict[str, bytes] = field(default_factory=dict)
    """The same for the master's next message."""
    refused: int = 0
    """How many sketches for it were wrong."""

    def to_all(self, state: GameState) -> None:
        """All players are shown this state, and have always been shown the same."""
        self.latest = state

    def to_most(self, state: GameState, *, private: bool) -> None:
        """Players without a view are shown this state; ``private``: others are shown what these may not see."""
        self.latest = state
        self.private = self.private or private

    def end(self, result: GameState, views: Mapping[str, GameState]) -> None:
        """All players are shown the result, some in a view of their own, by nick."""
        self.latest, self.views = result, dict(views)
        # All get the end, so what any of them has is no longer old.
        self.unaware.clear()

    def stays(self, nicks: Iterable[str]) -> None:
        """These players keep what they were shown last, regardless of others."""
        for nick in nicks:
            last = self.last(nick)
            assert last is not None
            self.views[nick] = last

    def passes_over(self, nicks: set[str]) -> set[str]:
        """A state is shown to all but players who have just come back and are not among these nicks. Returns these."""
        passed = self.returning - nicks
        self.returning.clear()
        return passed

    def has_labels(self, labels: tuple[Label, ...]) -> None:
        """Set the master's labels of the seats."""
        self.labels = labels

    def takes_sketches(self) -> Mapping[str, bytes]:
        """Return the last drawn sketches: they belong to the state that is sent now."""
        self.sketches = self.drawn
        self.forget_drawn()
        return self.sketches

    def has_sketches(self, sketches: dict[str, bytes]) -> None:
        """The last state looks like this, by nick."""
        self.sketches = sketches

    def refuses_sketch(self) -> int:
        """A sketch for the next message was wrong. Returns how many were."""
        self.refused += 1
        return self.refused

    def forget_drawn(self) -> None:
        """What was drawn last is not going to be shown."""
        self.drawn, self.refused = {}, 0

    def last(self, nick: str) -> GameState | None:
        """Return the last state that this player got, or could have got; None if there is none."""
        return None if nick in self.unaware else self.views.get(nick, self.latest)

    def shows(self, nick: str, state: GameState) -> None:
        """This player gets this state."""
        self.views[nick] = state
        self.unaware.discard(nick)

    def comes_back(self, nick: str) -> None:
        """This player has the seat again that it had left."""
        # What it saw before it left must not be sent again as the present.
        self.views.pop(nick, None)
        self.sketches.pop(nick, None)
        if self.private:
            self.unaware.add(nick)

    @property
    def programs(self) -> frozenset[str]:
        """The names of the seats that the master plays itself."""
        return frozenset(label.nick for label in self.labels if label.kind is SeatKind.PROGRAM)


@state(eq=False)
class Reasons:
    """The master's reasons for what happens in a game."""

    latest: Reason | None = None
    """Given since its last state: it belongs to the master's next message."""
    of: dict[str, Reason] = field(default_factory=dict)
    """Why players were taken out for a broken rule, by nick."""

    def gives(self, reason: Reason) -> None:
        """The master gives a reason for its next message."""
        self.latest = reason

    def lapse(self) -> None:
        """The game goes on: the reason belongs to nothing."""
        self.latest = None

    def takes_out(self, nick: str) -> Reason | None:
        """The master takes this player out. Returns the reason if it is about this player, and it is used up."""
        reason = self.latest
        if reason is None or reason.nick != nick:
            return None
        self.of[nick], self.latest = reason, None
        return reason
