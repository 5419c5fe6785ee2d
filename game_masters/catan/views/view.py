"""What a seat is shown: the whole table as far as it may know it, what it may do, and what it has not received yet."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from game_masters.catan.board.geometry import Net, classic_net, sea_net
from game_masters.catan.game.may import May
from game_masters.catan.game.pieces import Pieces
from game_masters.catan.game.play import Play
from game_masters.catan.handlers.legal import moves
from game_masters.catan.message.bundles import Bundle
from game_masters.catan.message.events import Event
from game_masters.catan.message.message import Message


@dataclass(frozen=True, slots=True)
class BoardView:
    """The board without what stands on it. Changes only where fog is revealed."""

    seats: int
    """4 or 6."""
    height: int
    """Rows of a sea board; 0 for a classic one."""
    width: int
    hexes: tuple[tuple[int, int, int], ...]
    """Hex, type and number (0: none) of all land, fog included."""
    ports: tuple[tuple[int, int, int], ...]
    """Type, edge and facing."""
    areas: tuple[tuple[int, tuple[int, ...]], ...]
    """Land areas with their nodes, those that cannot be settled as area 0."""

    @property
    def sea(self) -> bool:
        """Whether there are ships."""
        return self.height > 0

    @property
    def net(self) -> Net:
        """The places of the board."""
        return net_of(self.height, self.width, tuple(hex for hex, _, _ in self.hexes) if not self.sea else ())


@lru_cache(maxsize=32)
def net_of(height: int, width: int, land: tuple[int, ...]) -> Net:
    """Return the places of a board: a sea board of this size, or a classic one of this land."""
    return sea_net(height, width) if height else classic_net(land)


@dataclass(frozen=True, slots=True)
class VillageView:
    """A village: its cloth, and who trades with it."""

    node: int
    number: int
    cloth: int
    traders: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OfferView:
    """An offer that stands: to whom it was made, and who may still answer."""

    seat: int
    to: tuple[bool, ...]
    open: tuple[int, ...]
    give: Bundle
    get: Bundle


class PiecesView(NamedTuple):
    """The pieces of a seat: how many are left, and where the others stand."""

    supply: tuple[int, ...]
    roads: tuple[int, ...]
    ships: tuple[int, ...]
    settlements: tuple[int, ...]
    cities: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeatView:
    """What is known of a seat."""

    nick: str
    sitter: str
    points: int
    """With all cards where they are known."""
    resources: int
    hand: tuple[int, ...] | None
    """Five counts; None where they are not known."""
    cards: int
    old: tuple[int, ...] | None
    """Cards that may be played, and cards for points."""
    fresh: tuple[int, ...] | None
    """Cards drawn in this turn."""
    soldiers: int
    pieces: PiecesView
    cloth: int
    special_points: int
    start_areas: tuple[int, ...]
    owes: int
    """Resources to discard, or to pick."""
    asks_special: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """What lies on the table: the board, what the seats have, and what stands between them."""

    dice: int
    rolled: bool
    round: int
    robber: int | None
    pirate: int | None
    deck: int
    longest: int
    army: int
    to_win: int
    winners: tuple[int, ...]
    """Several where points are equal when a game ends that leads nowhere."""
    bank: tuple[int, ...] | None
    """What the bank has; None: enough."""
    board: BoardView
    villages: tuple[VillageView, ...]
    supply: int
    """The general supply of cloth."""
    seats: tuple[SeatView, ...]
    offers: tuple[OfferView, ...]


@dataclass(frozen=True, slots=True)
class View:
    """The table, as one seat or a spectator sees it, and what the reader may do."""

    game: str
    seq: int
    """The number of the first event that may be new."""
    state: int
    current: int
    waiting: tuple[int, ...]
    you: int | None
    """Whose view it is, if there are secrets."""
    table: TableView
    may: tuple[May, ...]
    """What the reader may do; where all see everything, what all may do."""
    events: tuple[tuple[int, Event], ...]
    """With their numbers."""
    no: tuple[str, ...] = ()
    """What the reader is not asked: its standing answer is no."""
    number: int | None = None
    """Names the state, where only changes are sent."""
    base: "View | None" = field(default=None, compare=False, repr=False)
    """What its reader has been shown before, if the state holds only what has changed since."""
    lost: bool = False
    """Whether it holds changes to a state that its reader does not know: then it has only events, and who has to
    move."""

    @property
    def asked(self) -> May:
        """What is asked of the reader; where all see everything, of the seat that is asked first. Raises IndexError if
        nothing is."""
        return self.may[0]

    def moves(self, what: May) -> list[Message]:
        """Return the moves that a seat may make."""
        table = self.table
        hand = table.seats[what.seat].hand
        return moves(what, hand if hand is not None else (0,) * 5, table.bank, len(table.seats))


def board_view(play: Play) -> BoardView:
    """Return the board of a game."""
    board = play.board
    areas: dict[int, list[int]] = {}
    for node, area in board.land_areas.of_node.items():
        areas.setdefault(area, []).append(node)
    return BoardView(
        6 if play.variant.six else 4,
        board.height,
        board.width,
        # Water, which has type 0, is not listed.
        tuple((hex, int(type), board.numbers.get(hex, 0)) for hex, type in sorted(board.types.items()) if type),
        tuple((int(type), edge, facing) for type, edge, facing in board.ports),
        tuple((area, tuple(sorted(nodes))) for area, nodes in sorted(areas.items())),
    )


def seat_view(play: Play, number: int, *, hand_known: bool, cards_known: bool) -> SeatView:
    """Return a seat, with hand and cards only where they are known."""
    one = play.seats[number]
    cards, scenario = one.inventory, one.scenario
    return SeatView(
        # Points from hidden cards would give the cards away.
        one.nick, one.sitter.value, play.points(number, public=not cards_known), one.total,
        tuple(one.hand) if hand_known else None, len(cards.old) + len(cards.fresh),
        tuple(sorted(cards.old)) if cards_known else None, tuple(sorted(cards.fresh)) if cards_known else None,
        cards.soldiers, pieces_view(one.pieces), scenario.cloth, scenario.special_points,
        # A seat never owes both: a 7, after which cards are discarded, yields no gold.
        tuple(sorted(scenario.start_areas)), one.discards or one.gold, one.asks_special,
    )  # fmt: skip


def pieces_view(pieces: Pieces) -> PiecesView:
    """Return the pieces of a seat, which all see."""
    return PiecesView(
        tuple(pieces.supply), tuple(sorted(pieces.roads)), tuple(sorted(pieces.ships)),
        tuple(sorted(pieces.settlements)), tuple(sorted(pieces.cities)),
    )  # fmt: skip
