"""Catan on the wire: ``<settlers>`` with the events of a delta and a snapshot of the table.

    <gameState><settlers game="g1" seq="118" state="20" current="3" waiting="3" you="3">
      <events><event n="118" from="3"><SOCRollDice/></event> <event n="119" to="all">...</event> ...</events>
      <table dice="8" rolled="1" round="4" robber="57" devCardsLeft="21" longestRoute="-1" largestArmy="-1" toWin="10">
        <board seats="4" hexes="33:5:8 ..." ports="0:27:3 ..." areas="1:23,25,..."/>
        <seat pn="0" nick="ann" kind="human" vp="3" resources="4" .../> ...
        <offer pn="3" .../> <village .../>
        <may pn="3" end="1" put0="22 23" .../>
      </table></settlers></gameState>

A move is one message of a client: ``<move><SOCPutPiece pieceType="1" coord="67"/></move>``. Each state is complete but
for the events, which have numbers.
"""

from collections.abc import Iterable
from functools import lru_cache
from xml.etree.ElementTree import Element
from xml.sax.saxutils import quoteattr

from game_masters.catan.coding import from_xml, to_xml
from game_masters.catan.events import Event, event_to_xml, from_attributes
from game_masters.catan.forms import Malformed, Resources, decimal, hexadecimal
from game_masters.catan.legal import May
from game_masters.catan.message import Message
from game_masters.catan.messages import CLIENT_MESSAGES
from game_masters.catan.views import BoardView, OfferView, SeatView, View, VillageView
from game_masters.kit import payload as xml
from game_masters.kit.rules import Follower, Options, Unreadable

_BUNDLE = Resources()
_PLACES = ("put0", "put1", "put2", "put3")


# --- moves ------------------------------------------------------------------------------------------------------------


def write_move(move: Message) -> bytes:
    """Return the element of a message of a client."""
    return f"<move>{to_xml(move)}</move>".encode()


def read_move(payload: bytes) -> Message:
    """Return the message in a move. Raises Unreadable."""
    root = xml.parse(payload, "move")
    xml.check_shape(root)
    if len(root) != 1:
        raise Unreadable(f"element move: {len(root)} elements inside; expected one message")
    try:
        message = from_xml(root[0])
    except Malformed as why:
        raise Unreadable(str(why)) from why
    if not isinstance(message, CLIENT_MESSAGES):
        raise Unreadable(f"element {root[0].tag[:60]} is no message of a client")
    return message


# --- writing views ----------------------------------------------------------------------------------------------------


def write_view(view: View) -> bytes:
    """Return the state as XML."""
    you = "" if view.you is None else f' you="{view.you}"'
    events = "".join([event_to_xml(event, f' n="{number}"') for number, event in view.events])
    return (
        f'<gameState><settlers game={quoteattr(view.game)} seq="{view.seq}" state="{view.state}" '
        f'current="{view.current}" waiting="{_numbers(view.waiting)}"{you}><events>{events}</events>'
        f"{_table(view)}</settlers></gameState>"
    ).encode()


def _table(view: View) -> str:
    attributes = (
        f'dice="{view.dice}" rolled="{view.rolled:d}" round="{view.round}" robber="{_hex(view.robber)}" '
        f'pirate="{_hex(view.pirate)}" devCardsLeft="{view.deck}" longestRoute="{view.longest}" '
        f'largestArmy="{view.army}" toWin="{view.to_win}"'
    )
    if view.winners:
        attributes += f' winner="{_numbers(view.winners)}"'
    if view.bank is not None:
        attributes += f' bank="{_numbers(view.bank)}"'
    if view.supply:
        attributes += f' cloth="{view.supply}"'
    return (
        f"<table {attributes}>{_board(view.board)}"
        f"{''.join([_seat(number, seat) for number, seat in enumerate(view.seats)])}"
        f"{''.join(map(_village, view.villages))}{''.join(map(_offer, view.offers))}{''.join(map(_may, view.may))}"
        "</table>"
    )


@lru_cache(maxsize=64)
def _board(board: BoardView) -> str:
    hexes = " ".join(f"{hex:x}:{type}:{number}" for hex, type, number in board.hexes)
    ports = " ".join(f"{type}:{edge:x}:{facing}" for type, edge, facing in board.ports)
    areas = " ".join(f"{area}:{','.join(f'{node:x}' for node in nodes)}" for area, nodes in board.areas)
    size = f' height="{board.height}" width="{board.width}"' if board.sea else ""
    return f'<board seats="{board.seats}"{size} hexes="{hexes}" ports="{ports}" areas="{areas}"/>'


def _seat(number: int, seat: SeatView) -> str:
    known = ""
    if seat.hand is not None:
        known += f' hand="{_numbers(seat.hand)}"'
    if seat.old is not None:
        known += f' old="{_numbers(seat.old)}"'
    if seat.fresh is not None:
        known += f' fresh="{_numbers(seat.fresh)}"'
    roads, settlements, cities, ships = seat.supply
    return (
        f'<seat pn="{number}" nick={quoteattr(seat.nick)} kind="{seat.sitter}" vp="{seat.points}" '
        f'resources="{seat.resources}" devCards="{seat.cards}" knights="{seat.soldiers}" roads="{roads}" '
        f'settlements="{settlements}" cities="{cities}" ships="{ships}" cloth="{seat.cloth}" '
        f'svp="{seat.special_points}" owes="{seat.owes}" asks="{seat.asks_special:d}" '
        f'startAreas="{_numbers(seat.start_areas)}"{known} at0="{_places(seat.roads)}" '
        f'at1="{_places(seat.settlements)}" at2="{_places(seat.cities)}" at3="{_places(seat.ships)}"/>'
    )


def _village(one: VillageView) -> str:
    return f'<village coord="{one.node:x}" dice="{one.number}" cloth="{one.cloth}" traders="{_numbers(one.traders)}"/>'


def _offer(offer: OfferView) -> str:
    inside = _BUNDLE.xml("give", offer.give)[1] + _BUNDLE.xml("get", offer.get)[1]
    to = _numbers(int(flag) for flag in offer.to)
    return f'<offer from="{offer.seat}" to="{to}" open="{_numbers(offer.open)}">{inside}</offer>'


def _may(may: May) -> str:
    text = f'<may pn="{may.seat}"'
    for name, flag in (
        ("roll", may.roll), ("end", may.end), ("buy", may.buy), ("monopoly", may.monopoly), ("bank", may.bank),
        ("reject", may.reject), ("clear", may.clear),
    ):  # fmt: skip
        text += f' {name}="1"' if flag else ""
    for name, numbers in (
        ("cards", may.plays), ("request", may.requests), ("cancel", may.cancels), ("choose", may.choices),
        ("ports", may.ports), ("offer", may.offer), ("accept", may.accept),
    ):  # fmt: skip
        text += f' {name}="{_numbers(numbers)}"' if numbers else ""
    for name, amount in (("discard", may.discard), ("pick", may.pick)):
        text += f' {name}="{amount}"' if amount else ""
    for name, places in zip(
        (*_PLACES, "robber"), (may.roads, may.settlements, may.cities, may.ships, may.robber), strict=True
    ):
        text += f' {name}="{_places(places)}"' if places else ""
    if may.moves:
        text += f' move="{" ".join(f"{origin:x}:{target:x}" for origin, target in may.moves)}"'
    if may.undo is None:
        return f"{text}/>"
    give, get = may.undo
    return f"{text}><undo>{_BUNDLE.xml('give', give)[1]}{_BUNDLE.xml('get', get)[1]}</undo></may>"


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, map(int, numbers)))


def _places(places: Iterable[int]) -> str:
    return " ".join([f"{place:x}" for place in places])


def _hex(hex: int | None) -> str:
    return "" if hex is None else f"{hex:x}"


# --- reading views ----------------------------------------------------------------------------------------------------


def follow(options: Options) -> Follower[View]:
    """Return a reader of states. Each state is complete, so the reader remembers nothing."""
    return read_view


@lru_cache(maxsize=8)  # where all see everything, all get the same
def read_view(payload: bytes) -> View:
    """Return the view in a state. Raises Unreadable."""
    game = xml.only_child(xml.parse(payload, "gameState"), "settlers")
    try:
        return _view(game)
    except (ValueError, TypeError) as why:
        raise Unreadable(f"element settlers: {why}") from why


def _view(game: Element) -> View:
    table, events = game.find("table"), game.find("events")
    if table is None or events is None:
        raise Malformed("there is no table, or there are no events")
    board = table.find("board")
    if board is None:
        raise Malformed("there is no board")
    you = game.get("you")
    seats = tuple(map(_read_seat, table.iterfind("seat")))
    view = View(
        _text(game, "game"), _int(game, "seq"), _int(game, "state"), _int(game, "current"), _ints(game, "waiting"),
        None if you is None else decimal(you), _int(table, "dice"), _int(table, "rolled") == 1, _int(table, "round"),
        _maybe_place(table, "robber"), _maybe_place(table, "pirate"), _int(table, "devCardsLeft"),
        _int(table, "longestRoute"), _int(table, "largestArmy"), _int(table, "toWin"),
        _ints(table, "winner") if "winner" in table.attrib else (),
        _ints(table, "bank") if "bank" in table.attrib else None,
        _read_board(
            _text(board, "seats"), board.get("height", "0"), board.get("width", "0"), _text(board, "hexes"),
            _text(board, "ports"), _text(board, "areas"),
        ),
        tuple(map(_read_village, table.iterfind("village"))), _int(table, "cloth") if "cloth" in table.attrib else 0,
        seats, tuple(map(_read_offer, table.iterfind("offer"))), tuple(map(_read_may, table.iterfind("may"))),
        tuple(map(_read_event, events)),
    )  # fmt: skip
    named = {view.current, *view.waiting, *(may.seat for may in view.may), 0 if view.you is None else view.you}
    if not 2 <= len(seats) <= 6 or not named <= set(range(len(seats))) or (view.bank and len(view.bank) != 5):
        raise Malformed(f"{len(seats)} seats, and something about {sorted(named)}")
    return view


@lru_cache(maxsize=64)
def _read_board(seats: str, height: str, width: str, hexes: str, ports: str, areas: str) -> BoardView:
    if decimal(height) > 64 or decimal(width) > 64 or seats not in ("4", "6"):
        raise Malformed(f"a board for {seats[:9]} seats of {height[:9]} by {width[:9]}")
    return BoardView(
        int(seats),
        decimal(height),
        decimal(width),
        tuple((hexadecimal(hex), decimal(type), decimal(number)) for hex, type, number in _split(hexes, 3)),
        tuple((decimal(type), hexadecimal(edge), decimal(facing)) for type, edge, facing in _split(ports, 3)),
        tuple((decimal(area), tuple(map(hexadecimal, nodes.split(",")))) for area, nodes in _split(areas, 2)),
    )


def _split(text: str, parts: int) -> list[list[str]]:
    found = [one.split(":") for one in text.split()]
    if any(len(one) != parts for one in found):
        raise Malformed(f"{text[:40]!r} is not a list with {parts} parts each")
    return found


def _read_seat(seat: Element) -> SeatView:
    hand = _ints(seat, "hand") if "hand" in seat.attrib else None
    if hand is not None and len(hand) != 5:
        raise Malformed(f"a hand of {len(hand)} resources")
    return SeatView(
        _text(seat, "nick"), _text(seat, "kind"), _int(seat, "vp"), _int(seat, "resources"), hand,
        _int(seat, "devCards"), _ints(seat, "old") if "old" in seat.attrib else None,
        _ints(seat, "fresh") if "fresh" in seat.attrib else None, _int(seat, "knights"),
        (_int(seat, "roads"), _int(seat, "settlements"), _int(seat, "cities"), _int(seat, "ships")),
        _read_places(seat, "at0"), _read_places(seat, "at3"), _read_places(seat, "at1"), _read_places(seat, "at2"),
        _int(seat, "cloth"), _int(seat, "svp"), _ints(seat, "startAreas"), _int(seat, "owes"), _int(seat, "asks") == 1,
    )  # fmt: skip


def _read_village(one: Element) -> VillageView:
    return VillageView(hexadecimal(_text(one, "coord")), _int(one, "dice"), _int(one, "cloth"), _ints(one, "traders"))


def _read_offer(offer: Element) -> OfferView:
    to = tuple(flag == 1 for flag in _ints(offer, "to"))
    give, get = _BUNDLE.read("give", offer), _BUNDLE.read("get", offer)
    assert give is not None
    assert get is not None
    return OfferView(_int(offer, "from"), to, _ints(offer, "open"), give, get)


def _read_may(may: Element) -> May:
    undo = may.find("undo")
    taken = None
    if undo is not None:
        give, get = _BUNDLE.read("give", undo), _BUNDLE.read("get", undo)
        assert give is not None
        assert get is not None
        taken = give, get
    flag = may.attrib.get
    return May(
        _int(may, "pn"), flag("roll") == "1", flag("end") == "1", flag("buy") == "1", _listed(may, "cards"),
        _listed_places(may, "put0"), _listed_places(may, "put1"), _listed_places(may, "put2"),
        _listed_places(may, "put3"), _listed(may, "request"), _listed(may, "cancel"),
        tuple((hexadecimal(origin), hexadecimal(target)) for origin, target in _split(may.get("move", ""), 2)),
        _listed_places(may, "robber"), _listed(may, "choose"), decimal(may.get("discard", "0")),
        decimal(may.get("pick", "0")), flag("monopoly") == "1", flag("bank") == "1", _listed(may, "ports"), taken,
        _listed(may, "offer"), _listed(may, "accept"), flag("reject") == "1", flag("clear") == "1",
    )  # fmt: skip


def _read_event(event: Element) -> tuple[int, Event]:
    if event.tag != "event" or len(event) != 1:
        raise Malformed(f"element {event.tag[:60]}: expected an event with one message")
    return _int(event, "n"), Event(from_attributes(event.get("from"), event.get("to")), from_xml(event[0]))


def _text(element: Element, attribute: str) -> str:
    text = element.get(attribute)
    if text is None:
        raise Malformed(f"element {element.tag}: attribute {attribute} is missing")
    return text


def _int(element: Element, attribute: str) -> int:
    return decimal(_text(element, attribute))


def _ints(element: Element, attribute: str) -> tuple[int, ...]:
    return tuple(map(decimal, _text(element, attribute).split()))


def _listed(element: Element, attribute: str) -> tuple[int, ...]:
    text = element.get(attribute)
    return tuple(map(decimal, text.split())) if text else ()


def _listed_places(element: Element, attribute: str) -> tuple[int, ...]:
    text = element.get(attribute)
    return tuple(map(hexadecimal, text.split())) if text else ()


def _read_places(element: Element, attribute: str) -> tuple[int, ...]:
    return tuple(map(hexadecimal, _text(element, attribute).split()))


def _maybe_place(element: Element, attribute: str) -> int | None:
    text = _text(element, attribute)
    return hexadecimal(text) if text else None
