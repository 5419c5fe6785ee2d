"""The parts of a table as XML."""

from collections.abc import Iterable
from functools import lru_cache
from xml.sax.saxutils import quoteattr

from game_masters.catan.game.may import May
from game_masters.catan.message.forms import Resources
from game_masters.catan.views.view import BoardView, OfferView, SeatView, TableView, View, VillageView

_BUNDLE = Resources()
_PLACES = ("put0", "put1", "put2", "put3")


def table_of(view: View) -> str:
    """Return the whole table."""
    table = view.table
    return (
        f"<table{attributes_of(table)}>{board_of(table.board)}"
        f"{''.join([f'<seat{seat_attributes(number, seat)}/>' for number, seat in enumerate(table.seats)])}"
        f"{''.join(map(village_of, table.villages))}{''.join(map(offer_of, table.offers))}"
        f"{''.join(map(may_of, view.may))}</table>"
    )


def attributes_of(table: TableView) -> str:
    """Return what holds for the table, as attributes, each with a blank before it."""
    attributes = (
        f' dice="{table.dice}" rolled="{table.rolled:d}" round="{table.round}" robber="{_hex(table.robber)}" '
        f'pirate="{_hex(table.pirate)}" devCardsLeft="{table.deck}" longestRoute="{table.longest}" '
        f'largestArmy="{table.army}" toWin="{table.to_win}"'
    )
    if table.winners:
        attributes += f' winner="{numbers_of(table.winners)}"'
    if table.bank is not None:
        attributes += f' bank="{numbers_of(table.bank)}"'
    if table.supply or table.villages:
        attributes += f' cloth="{table.supply}"'
    return attributes


# The longest part, and it changes only with fog: for most states it has been written before.
@lru_cache(maxsize=64)
def board_of(board: BoardView) -> str:
    """Return the board."""
    hexes = " ".join(f"{hex:x}:{type}:{number}" for hex, type, number in board.hexes)
    ports = " ".join(f"{type}:{edge:x}:{facing}" for type, edge, facing in board.ports)
    areas = " ".join(f"{area}:{','.join(f'{node:x}' for node in nodes)}" for area, nodes in board.areas)
    size = f' height="{board.height}" width="{board.width}"' if board.sea else ""
    return f'<board seats="{board.seats}"{size} hexes="{hexes}" ports="{ports}" areas="{areas}"/>'


def seat_attributes(number: int, seat: SeatView) -> str:
    """Return a seat as attributes, each with a blank before it."""
    known = ""
    if seat.hand is not None:
        known += f' hand="{numbers_of(seat.hand)}"'
    if seat.old is not None:
        known += f' old="{numbers_of(seat.old)}"'
    if seat.fresh is not None:
        known += f' fresh="{numbers_of(seat.fresh)}"'
    pieces = seat.pieces
    roads, settlements, cities, ships = pieces.supply
    return (
        # The only text that a player has chosen.
        f' pn="{number}" nick={quoteattr(seat.nick)} kind="{seat.sitter}" vp="{seat.points}" '
        f'resources="{seat.resources}" devCards="{seat.cards}" knights="{seat.soldiers}" roads="{roads}" '
        f'settlements="{settlements}" cities="{cities}" ships="{ships}" cloth="{seat.cloth}" '
        f'svp="{seat.special_points}" owes="{seat.owes}" asks="{seat.asks_special:d}" '
        f'startAreas="{numbers_of(seat.start_areas)}"{known} at0="{_places(pieces.roads)}" '
        f'at1="{_places(pieces.settlements)}" at2="{_places(pieces.cities)}" at3="{_places(pieces.ships)}"'
    )


def village_of(one: VillageView) -> str:
    """Return a village."""
    return (
        f'<village coord="{one.node:x}" dice="{one.number}" cloth="{one.cloth}" traders="{numbers_of(one.traders)}"/>'
    )


def offer_of(offer: OfferView) -> str:
    """Return an offer."""
    inside = _BUNDLE.xml("give", offer.give)[1] + _BUNDLE.xml("get", offer.get)[1]
    to = numbers_of(int(flag) for flag in offer.to)
    return f'<offer from="{offer.seat}" to="{to}" open="{numbers_of(offer.open)}">{inside}</offer>'


def may_of(may: May) -> str:
    """Return what a seat may do."""
    text = f'<may pn="{may.seat}"'
    for name, flag in (
        ("roll", may.roll), ("end", may.end), ("buy", may.buy), ("monopoly", may.monopoly), ("bank", may.trades.bank),
        ("reject", may.trades.reject), ("clear", may.trades.clear),
    ):  # fmt: skip
        text += f' {name}="1"' if flag else ""
    for name, numbers in (
        ("cards", may.plays), ("request", may.requests), ("cancel", may.cancels), ("choose", may.choices),
        ("ports", may.trades.ports), ("offer", may.trades.offer), ("accept", may.trades.accept),
    ):  # fmt: skip
        text += f' {name}="{numbers_of(numbers)}"' if numbers else ""
    for name, amount in (("discard", may.discard), ("pick", may.pick)):
        text += f' {name}="{amount}"' if amount else ""
    for name, places in zip((*_PLACES, "robber"), (*may.places, may.robber), strict=True):
        text += f' {name}="{_places(places)}"' if places else ""
    if may.moves:
        text += f' move="{" ".join(f"{origin:x}:{target:x}" for origin, target in may.moves)}"'
    if may.trades.undo is None:
        return f"{text}/>"
    give, get = may.trades.undo
    return f"{text}><undo>{_BUNDLE.xml('give', give)[1]}{_BUNDLE.xml('get', get)[1]}</undo></may>"


def numbers_of(numbers: Iterable[int]) -> str:
    """Return numbers with blanks between them."""
    return " ".join(map(str, map(int, numbers)))


def _places(places: Iterable[int]) -> str:
    return " ".join([f"{place:x}" for place in places])


def _hex(hex: int | None) -> str:
    return "" if hex is None else f"{hex:x}"
