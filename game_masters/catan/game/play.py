"""One game as data: board, seats, cards, trades, and messages. The rules are in the modules that change it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, NamedTuple

from game_masters.catan.board.board import Board
from game_masters.catan.game.chance import Chance
from game_masters.catan.game.options import Variant
from game_masters.catan.game.pieces import Owners
from game_masters.catan.game.seat import Seat, Sitter
from game_masters.catan.game.turn import (
    NO_ROBBERY,
    NOTHING_PLACED,
    Doings,
    Placement,
    Robbery,
    Rounds,
    SpecialBuilding,
    Trading,
)
from game_masters.catan.message.bundles import TYPES, take
from game_masters.catan.message.events import ALL, UNKNOWN, Event, but, by, to
from game_masters.catan.message.message import Message
from game_masters.catan.message.messages import GameServerText, GameState, as_logged
from game_masters.catan.message.vocabulary import Phase

BANK: Final = 19
"""Of each resource, with the option BANK19."""
AWARD_POINTS: Final = 2
"""For the longest route, and for the largest army."""


class Termination(StrEnum):
    """Why a game ended."""

    POINTS = "enough points"
    CLOTH = "too few villages with cloth"
    IDLE = "too many rounds without progress"
    ROUNDS = "the last round is over"
    OTHERS_LEFT = "all others left"


class Ending(NamedTuple):
    """How a game has ended: why, and the seats that have won."""

    termination: Termination
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Awards:
    """Who holds the longest route and the largest army; -1: no player yet."""

    route: int = -1
    army: int = -1

    def points(self, seat: int) -> int:
        """Return what a seat has for them."""
        return AWARD_POINTS * ((self.route == seat) + (self.army == seat))


@dataclass(frozen=True)
class Mark:
    """An entry of the record that is no message: no reader receives it."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(eq=False)
class Play:
    """A game. Its methods are small words for the rules; they check nothing."""

    game: str
    variant: Variant
    board: Board
    seats: list[Seat]
    chance: Chance
    phase: Phase = Phase.START1A
    current: int = 0
    after_gold: Phase = Phase.PLAY
    """What follows when all have picked their resources from gold."""
    doings: Doings = field(default_factory=Doings)
    rounds: Rounds = field(default_factory=Rounds)
    special_building: SpecialBuilding = field(default_factory=SpecialBuilding)
    placement: Placement = NOTHING_PLACED
    robbery: Robbery = NO_ROBBERY
    trading: Trading = field(default_factory=Trading)
    owners: Owners = field(default_factory=Owners)
    awards: Awards = Awards()
    ending: Ending | None = None
    record: list[Event | Mark] = field(default_factory=list)

    # --- messages -----------------------------------------------------------------------------------------------------

    def send(self, message: Message) -> None:
        """Send a message to all."""
        self.record.append(Event(ALL, message))

    def send_one(self, seat: int, message: Message) -> None:
        """Send a message to one seat."""
        self.record.append(Event(to(seat), message))

    def send_but(self, message: Message, *seats: int) -> None:
        """Send a message to all but some seats."""
        self.record.append(Event(but(*seats), message))

    def answer(self, seat: int, message: Message, *, unknown: bool = False) -> None:
        """Send a seat the answer to its request; ``unknown``: as JSettlers does when it is not the seat's turn."""
        self.record.append(Event(UNKNOWN, message, seat) if unknown else Event(to(seat), message))

    def announce(self, text: str) -> None:
        """Send a text to all people."""
        self.send(GameServerText(text))

    def asked(self, seat: int, request: Message) -> None:
        """Record a request."""
        self.record.append(Event(by(seat), as_logged(request, seat)))

    def goes_on(self, phase: Phase) -> None:
        """Change the state of the game and send it to all."""
        self.phase = phase
        self.send(GameState(int(phase)))

    def received(self, seat: int | None, since: int) -> Iterator[tuple[int, Event]]:
        """Yield the events from number ``since`` on that a seat (None: a spectator) receives, with their numbers."""
        everything = self.variant.open
        for number in range(since, len(self.record)):
            entry = self.record[number]
            if isinstance(entry, Event) and (
                # A refusal to an unnumbered member still reaches its own seat.
                everything or entry.audience.includes(seat) or (seat is not None and entry.reader == seat)
            ):
                yield number, entry

    # --- what is so ---------------------------------------------------------------------------------------------------

    @property
    def mover(self) -> Seat:
        """The seat whose turn it is."""
        return self.seats[self.current]

    @property
    def calm(self) -> Phase:
        """The state where the current player may do what it likes."""
        if self.special_building.now:
            return Phase.SPECIAL_BUILDING
        return Phase.PLAY if self.doings.rolled else Phase.ROLL_OR_CARD

    @property
    def occupied(self) -> list[int]:
        """The seats that are not vacant."""
        return [number for number, seat in enumerate(self.seats) if seat.sitter is not Sitter.VACANT]

    @property
    def starting(self) -> bool:
        """Whether the first pieces are being placed."""
        return self.phase < Phase.ROLL_OR_CARD

    @property
    def awaits_road(self) -> bool:
        """At the start: whether the settlement that was placed last has no road or ship yet."""
        node = self.mover.pieces.last_settlement
        own = self.mover.pieces.roads | self.mover.pieces.ships
        # Asked of the edges, not of the phase: picks from gold come between settlement and road.
        return not any(edge in own for edge in self.board.net.node_edges[node])

    def after(self, seat: int) -> int:
        """Return the next seat that is not vacant."""
        occupied = self.occupied
        return next((one for one in occupied if one > seat), occupied[0])

    def around(self, seat: int) -> list[int]:
        """Return all other seats that are not vacant, in order from the next on."""
        occupied = self.occupied
        return [one for one in occupied if one > seat] + [one for one in occupied if one < seat]

    def points(self, seat: int, *, public: bool = False) -> int:
        """Return the points of a seat; with ``public`` without its cards."""
        one = self.seats[seat]
        points = one.public_points + self.awards.points(seat)
        return points if public else points + one.inventory.points

    def has_won(self, seat: int) -> bool:
        """Whether a seat has the points to win, in a turn that counts for it."""
        # Out of turn no player wins, nor while special building goes on; it counts when the own turn begins.
        return not self.special_building.now and seat == self.current and self.points(seat) >= self.variant.to_win

    @property
    def stock(self) -> list[int] | None:
        """What the bank has of each resource; None if it never runs out."""
        if "BANK19" not in self.variant.on:
            return None
        # What players hold is not in the bank, and all that is paid goes back there.
        return [BANK - sum(seat.hand[type] for seat in self.seats) for type in TYPES]

    def name(self, seat: int) -> str:
        """Return what a seat is called in texts."""
        return self.seats[seat].nick

    def edges_beside(self, hex: int) -> Iterable[int]:
        """Return the edges of a hex; none if there is no such hex."""
        return self.board.net.hex_edges.get(hex, ())

    def put(self, seat: int, piece: int, place: int) -> None:
        """Place a piece out of the supply of a seat."""
        self.seats[seat].pieces.put(piece, place)
        self.owners.put(seat, piece, place)

    def take_back_settlement(self) -> None:
        """Take the settlement of the start that has no road yet off the board, with what it brought."""
        one = self.mover
        one.pieces.take_back_settlement()
        self.owners.nodes.pop(one.pieces.last_settlement, None)
        # What came with it may be gone: never more than is still in hand.
        take(one.hand, [min(one.hand[type], self.placement.gains[type]) for type in TYPES])

    def copy(self) -> "Play":
        """Return an independent copy; it shares what is never changed in place."""
        return Play(
            self.game, self.variant, self.board.copy(), [seat.copy() for seat in self.seats], self.chance.copy(),
            self.phase, self.current, self.after_gold, self.doings.copy(), replace(self.rounds),
            self.special_building.copy(), self.placement, self.robbery, self.trading.copy(), self.owners.copy(),
            self.awards, self.ending, self.record[:],
        )  # fmt: skip
