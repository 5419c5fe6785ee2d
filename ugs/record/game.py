"""A recorded game as values. Storing, printing, importing and replaying all work on these."""

from collections.abc import Mapping, Sequence
from dataclasses import field

from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import GameResult, Outcome
from ugs.value import value


@value
class Entry:
    """One event in a game; :class:`~ugs.broker.values.record.EntryKind` defines which fields have a meaning."""

    kind: EntryKind
    wall_us: int
    """When, in microseconds since 1970 (UTC), by the server's wall clock."""
    mono_us: int
    """When its last byte had arrived, in microseconds of the server's monotonic clock."""
    handed_us: int = 0
    """When the entry before this one had been handed to the network for the peer that had to act, on the clock of
    ``mono_us``; 0 if that is not known. ``mono_us - handed_us`` of a move is the time its player took, network
    included; ``handed_us`` minus the ``mono_us`` of the entry before is the time the server took."""
    seat: int | None = None
    audience: int = 0
    text: str = ""
    body: bytes = b""


@value
class Correction:
    """An organiser has put the result of a game of a championship right; that counts."""

    who: str
    why: str
    outcomes: tuple[Outcome, ...]
    """By seat, as they count."""
    before: tuple[Outcome, ...]
    """By seat, as they were."""

    def sentence(self, nicks: Sequence[str]) -> str:
        """Who put it right and why, what counts and what it was, for people."""
        now = ", ".join(f"{nick} {outcome}" for nick, outcome in zip(nicks, self.outcomes, strict=True))
        then = ", ".join(f"{nick} {outcome}" for nick, outcome in zip(nicks, self.before, strict=True))
        return f"corrected by {self.who}: {self.why}; what counts: {now}; it was: {then}"


@value
class TakenOut:
    """An organiser has decided that a game does not count."""

    who: str
    why: str
    voided: bool
    """Whether it was ended while it ran; otherwise its championship plays it again, though it had a result."""

    @property
    def sentence(self) -> str:
        """Who decided it and why, for people."""
        if self.voided:
            return f"voided by {self.who}: {self.why}; it counts for no player"
        return f"does not count: to be played again ({self.who}: {self.why})"


@value
class GameRecord:
    """One game from beginGame to its verdict, or as far as it has come."""

    game_id: str
    game_type: str
    master: str
    seats: tuple[str, ...]
    """Nicks in the order of beginGame."""
    began_us: int
    """When it began, in microseconds since 1970 (UTC)."""
    options: Mapping[str, str] = field(default_factory=dict)
    championship: str = ""
    """The name of the championship it belongs to; empty in open play."""
    fixture: int = 0
    """Its number in the schedule of that championship; 0 in open play."""
    server: str = ""
    """The version of the server."""
    round_trips_us: tuple[int, ...] = ()
    """Network round trip of the master, then of each seat, in microseconds, as measured when the game ended; 0 where it
    is not known. Empty for a game that has not ended."""
    entries: tuple[Entry, ...] = ()
    """In the order they were accepted. Empty when only the result has been kept."""
    result: GameResult | None = None
    """None while the game runs."""
    seats_total: int = 0
    """The number of seats including those that the master plays; 0 when the master plays none."""
    seed: str = ""
    """The source of all chance in the game; empty when it is not known, and while the game runs."""
    counts: bool = True
    """Whether its result counted for standings and ratings when it ended; see ``taken_out``."""
    table: Mapping[str, str] = field(default_factory=dict)
    """For a game at a table that a player had set up: its ``name``, ``owner`` and ``visibility``; else empty."""
    correction: Correction | None = None
    """The result that counts where it is not ``result``, from the ledger of its championship."""
    taken_out: TakenOut | None = None
    """Why it does not count, where an organiser has decided that."""

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """What counts, by seat; empty while the game runs."""
        if self.correction is not None:
            return self.correction.outcomes
        return tuple([seat.outcome for seat in self.result.seats]) if self.result is not None else ()

    @property
    def with_program(self) -> bool:
        """Whether the master played seats, which the result does not name."""
        return self.seats_total > len(self.seats)

    @property
    def masters(self) -> tuple[str, ...]:
        """The masters that led it, in order: the one that began it, and each that took it over from another one."""
        led = [self.master]
        for entry in self.entries:
            # A master may take its own game over, when only its line was cut.
            if entry.kind is EntryKind.RESTORED and entry.text not in ("", led[-1]):
                led.append(entry.text)
        return tuple(led)
