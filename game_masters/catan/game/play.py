"""One game as data: board, seats, cards, trades, and what is said. The rules are in the modules that change it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, NamedTuple

from game_masters.catan.board.board import Board
from game_masters.catan.game.chance import Chance
from game_masters.catan.game.options import Variant
from game_masters.catan.message.bundles import TYPES, Bundle
from game_masters.catan.message.events import ALL, UNKNOWN, Event, but, by, to
from game_masters.catan.message.message import Message
from game_masters.catan.message.messages import GameServerText, GameState, as_logged
from game_masters.catan.message.standing import Subject
from game_masters.catan.message.vocabulary import POINT_CARDS, Phase, Piece

SUPPLY: Final = (15, 5, 4, 15)
"""Roads, settlements, cities and ships of each player; ships on sea boards only."""
BANK: Final = 19
"""Of each resource, with the option BANK19."""


class Termination(StrEnum):
    """Why a game ended."""

    POINTS = "enough points"
    CLOTH = "too few villages with cloth"
    IDLE = "too many rounds without progress"
    ROUNDS = "the last round is over"
    OTHERS_LEFT = "all others left"


class Sitter(StrEnum):
    """Who plays a seat."""

    HUMAN = "human"
    PROGRAM = "program"
    LEFT = "left"
    VACANT = "vacant"


@dataclass
class Seat:
    """What a seat has."""

    nick: str
    sitter: Sitter
    supply: list[int]
    """Pieces left, by their numbers."""
    hand: list[int] = field(default_factory=lambda: [0] * 5)
    old: list[int] = field(default_factory=list)
    """Cards that may be played."""
    fresh: list[int] = field(default_factory=list)
    """Cards drawn in this turn."""
    roads: set[int] = field(default_factory=set)
    ships: set[int] = field(default_factory=set)
    settlements: set[int] = field(default_factory=set)
    cities: set[int] = field(default_factory=set)
    closed: set[int] = field(default_factory=set)
    """Ships that may not move any more."""
    last_settlement: int = 0
    """Where the settlement of the start was placed to which a road is due."""
    soldiers: int = 0
    asks_special: bool = False
    special_built: bool = False
    special_points: int = 0
    special_areas: int = 0
    """A bit for each land area that gave special points."""
    start_areas: frozenset[int] = frozenset()
    events: int = 0
    cloth: int = 0
    gold: int = 0
    """Picks that are due."""
    discards: int = 0
    """Cards that are to be discarded."""
    no: frozenset[Subject] = frozenset()
    """What it is not asked until it says otherwise: the answer is no."""
    brief: bool = False
    """Whether its states tell only what has changed."""
    refused: int = 0
    """Requests that could not be met in this turn."""
    gained: list[int] = field(default_factory=lambda: [0] * 6)
    """Resources from rolls, and picks from gold."""
    route: int = 0
    """The length of the longest route, if it can matter: 0 with less than five pieces."""

    @property
    def total(self) -> int:
        """The number of resources."""
        return sum(self.hand)

    @property
    def cards(self) -> list[int]:
        """All development cards."""
        return self.old + self.fresh

    @property
    def buildings(self) -> set[int]:
        """Where its settlements and cities stand."""
        return self.settlements | self.cities

    def pieces(self, piece: int) -> set[int]:
        """Where the pieces of a kind stand."""
        return (self.roads, self.settlements, self.cities, self.ships)[piece]

    def copy(self) -> "Seat":
        """Return a seat that can be changed by itself."""
        return replace(
            self, supply=list(self.supply), hand=list(self.hand), old=list(self.old), fresh=list(self.fresh),
            roads=set(self.roads), ships=set(self.ships), settlements=set(self.settlements), cities=set(self.cities),
            closed=set(self.closed), gained=list(self.gained),
        )  # fmt: skip


class Offer(NamedTuple):
    """What a player gives and wants, and the seats that may still answer."""

    to: frozenset[int]
    flags: tuple[bool, ...]
    give: Bundle
    get: Bundle


@dataclass
class Doings:
    """What has been done in this turn."""

    rolled: bool = False
    card_played: bool = False
    ship_moved: bool = False
    ships: frozenset[int] = frozenset()
    """Those placed in this turn."""
    bank_trade: tuple[Bundle, Bundle] | None = None
    """Given and got; None if that was not the last thing."""
    offers: int = 0
    taken_back: int = 0
    free_road_placed: bool = False
    by_card: bool = False
    """The robber moves for a card."""


@dataclass(frozen=True)
class Mark:
    """An entry of the record that is no message: nobody hears of it."""

    text: str

    def __str__(self) -> str:
        return self.text


class Play:
    """A game. Its methods are small words for the rules; they check nothing."""

    def __init__(self, game: str, variant: Variant, board: Board, seats: list[Seat], chance: Chance) -> None:
        self.game = game
        self.variant = variant
        self.board = board
        self.seats = seats
        self.chance = chance
        self.deck: list[int] = []
        """Cards in the order in which they are drawn."""
        self.phase = Phase.START1A
        self.current = 0
        self.first = 0
        self.round = 0
        self.turns = 0
        self.special = False
        """Whether this is a turn of special building."""
        self.next_normal = 0
        """Who has the next normal turn, when special building is over."""
        self.interrupted = False
        """Whether special building has interrupted that turn."""
        self.dice = 0
        self.longest = -1
        self.army = -1
        self.after_gold = Phase.PLAY
        self.start_gains = [0] * 5
        """What the last settlement of the start has brought, for the case that it is taken back."""
        self.start_areas_before: frozenset[int] = frozenset()
        self.robs_at_sea = False
        """Whether it was the pirate that moved last."""
        self.victim = -1
        """Whom cloth or a resource is to be taken from."""
        self.doings = Doings()
        self.offers: dict[int, Offer] = {}
        self.polls = True
        """Whether others are asked for answers to offers and for special building. Without it they speak up by
        themselves, as at a server of JSettlers."""
        self.polled: list[int] = []
        """Seats that are to answer the offer of the current player."""
        self.polled_special: list[int] = []
        """Seats that are asked whether they want special building, before the turn ends."""
        self.pieces_at: dict[int, int] = {}
        """Who has a road or ship on an edge."""
        self.buildings: dict[int, int] = {}
        """Who has a building on a node."""
        self.idle = 0
        """Rounds in a row in which nothing happened that cannot be undone."""
        self.progress: int | None = None
        """How much had happened when the round began."""
        self.winners: tuple[int, ...] = ()
        self.termination: Termination | None = None
        self.record: list[Event | Mark] = []

    # --- what is said -------------------------------------------------------------------------------------------------

    def tell(self, message: Message) -> None:
        """Tell all."""
        self.record.append(Event(ALL, message))

    def tell_one(self, seat: int, message: Message) -> None:
        """Tell one seat."""
        self.record.append(Event(to(seat), message))

    def tell_but(self, message: Message, *seats: int) -> None:
        """Tell all but some."""
        self.record.append(Event(but(*seats), message))

    def answer(self, seat: int, message: Message, *, unknown: bool = False) -> None:
        """Tell a seat what became of its request; ``unknown``: as JSettlers does when it is not the seat's turn."""
        self.record.append(Event(UNKNOWN, message, seat) if unknown else Event(to(seat), message))

    def say(self, text: str) -> None:
        """Tell all people something."""
        self.tell(GameServerText(text))

    def asked(self, seat: int, request: Message) -> None:
        """Record a request."""
        self.record.append(Event(by(seat), as_logged(request, seat)))

    def goes_on(self, phase: Phase) -> None:
        """Change the state of the game and tell all."""
        self.phase = phase
        self.tell(GameState(int(phase)))

    def heard(self, seat: int | None, since: int) -> Iterator[tuple[int, Event]]:
        """Yield the events from number ``since`` on that a seat (None: a spectator) hears, with their numbers."""
        everything = self.variant.open
        for number in range(since, len(self.record)):
            entry = self.record[number]
            if isinstance(entry, Event) and (
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
        """The state in which the current player may do what it likes."""
        if self.special:
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
        node = self.mover.last_settlement
        own = self.mover.roads | self.mover.ships
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
        points = len(one.settlements) + 2 * len(one.cities) + one.special_points + one.cloth // 2
        points += 2 * (self.longest == seat) + 2 * (self.army == seat)
        return points if public else points + sum(card in POINT_CARDS for card in one.cards)

    def has_won(self, seat: int) -> bool:
        """Whether a seat has the points to win, in a turn in which that counts."""
        return not self.special and seat == self.current and self.points(seat) >= self.variant.to_win

    @property
    def stock(self) -> list[int] | None:
        """What the bank has of each resource; None if it never runs out."""
        if "BANK19" not in self.variant.on:
            return None
        return [BANK - sum(seat.hand[type] for seat in self.seats) for type in TYPES]

    def name(self, seat: int) -> str:
        """Return what a seat is called in texts."""
        return self.seats[seat].nick

    def edges_beside(self, hex: int) -> Iterable[int]:
        """Return the edges of a hex; none if there is no such hex."""
        return self.board.net.hex_edges.get(hex, ())

    def put(self, seat: int, piece: int, place: int) -> None:
        """Place a piece out of the supply. A city replaces a settlement."""
        one = self.seats[seat]
        one.supply[piece] -= 1
        one.pieces(piece).add(place)
        if piece in (Piece.ROAD, Piece.SHIP):
            self.pieces_at[place] = seat
        else:
            self.buildings[place] = seat
        if piece == Piece.CITY:
            one.settlements.remove(place)
            one.supply[Piece.SETTLEMENT] += 1

    def copy(self) -> "Play":
        """Return a game that goes on by itself."""
        other = object.__new__(Play)
        other.__dict__.update(self.__dict__)
        other.board = self.board.copy()
        other.seats = [seat.copy() for seat in self.seats]
        other.chance = self.chance.copy()
        other.deck = list(self.deck)
        other.doings = replace(self.doings)
        other.offers = dict(self.offers)
        other.polled = list(self.polled)
        other.polled_special = list(self.polled_special)
        other.start_gains = list(self.start_gains)
        other.pieces_at = dict(self.pieces_at)
        other.buildings = dict(self.buildings)
        other.record = list(self.record)
        return other
