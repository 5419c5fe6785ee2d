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
for the events, which have numbers; a player who asks for it gets states that hold only what has changed.
"""

from collections.abc import Sequence
from functools import lru_cache
from xml.etree.ElementTree import Element
from xml.sax.saxutils import quoteattr

from game_masters.catan.game.may import May, Places, Trades
from game_masters.catan.message.coding import from_xml, to_xml
from game_masters.catan.message.events import Event, event_to_xml, from_attributes
from game_masters.catan.message.forms import Malformed, Resources, decimal, hexadecimal
from game_masters.catan.message.message import Message
from game_masters.catan.message.messages import CLIENT_MESSAGES
from game_masters.catan.message.standing import Standing, Subject
from game_masters.catan.views.changes import changes_of, merge
from game_masters.catan.views.view import BoardView, OfferView, PiecesView, SeatView, TableView, View, VillageView
from game_masters.catan.views.writing import numbers_of, table_of
from game_masters.kit import payload as xml
from game_masters.kit.rules import Follower, Options, Unreadable

_BUNDLE = Resources()
_STATES = {True: "changes", False: "whole"}
"""Words for what states hold."""


# --- moves ------------------------------------------------------------------------------------------------------------


def write_move(move: Message) -> bytes:
    """Return the element of a message of a client, with what it wants from now on."""
    if not isinstance(move, Standing):
        return f"<move>{to_xml(move)}</move>".encode()
    wants = "" if move.no is None else f' no="{" ".join(sorted(move.no))}"'
    wants += "" if move.brief is None else f' states="{_STATES[move.brief]}"'
    return f"<move{wants}>{to_xml(move.request) if move.request is not None else ''}</move>".encode()


def read_move(payload: bytes) -> Message:
    """Return the message in a move. Raises Unreadable."""
    root = xml.parse(payload, "move")
    xml.check_shape(root, frozenset(root.attrib.keys() & {"no", "states"}))
    if root.attrib:
        return _read_standing(root)
    return _read_request(root)


def _read_standing(root: Element) -> Standing:
    no, states = root.get("no"), root.get("states")
    if states is not None and states not in _STATES.values():
        raise Unreadable(f"element move, attribute states: {states[:40]!r} is none of {', '.join(_STATES.values())}")
    try:
        subjects = None if no is None else frozenset(map(Subject, no.split()))
    except ValueError as why:
        raise Unreadable(f"element move, attribute no: {str(why)[:60]}; expected {' '.join(Subject)}") from why
    request = _read_request(root) if len(root) else None
    return Standing(request, subjects, None if states is None else states == _STATES[True])


def _read_request(root: Element) -> Message:
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
    own = "" if view.you is None else f' you="{view.you}"'
    own += f' no="{" ".join(view.no)}"' if view.no else ""
    own += "" if view.number is None else f' number="{view.number}"'
    own += "" if view.base is None else f' base="{view.base.number}"'
    events = "".join([event_to_xml(event, f' n="{number}"') for number, event in view.events])
    return (
        f'<gameState><settlers game={quoteattr(view.game)} seq="{view.seq}" state="{view.state}" '
        f'current="{view.current}" waiting="{numbers_of(view.waiting)}"{own}><events>{events}</events>'
        f"{table_of(view) if view.base is None else changes_of(view, view.base)}</settlers></gameState>"
    ).encode()


# --- reading views ----------------------------------------------------------------------------------------------------


def follow(options: Options) -> Follower[View]:
    """Return a reader of states. It remembers the last one in case the next holds only what has changed."""
    return _Reader()


class _Reader:
    """Reads the states of one player."""

    def __init__(self) -> None:
        self._known: tuple[str, Element] | None = None
        """The number of the last state that had one, and its content."""

    def __call__(self, payload: bytes) -> View:
        """Return the view in a state. Raises Unreadable."""
        # Looked for in front of the events only: texts of players, which might have it too, follow later.
        if b" number=" not in payload.partition(b"<events")[0]:
            return read_view(payload)
        game = xml.only_child(xml.parse(payload, "gameState"), "settlers")
        try:
            if self._known is not None and self._known[0] == game.get("number"):
                game = self._known[1]  # once more
            elif "base" in game.attrib:
                if self._known is None or self._known[0] != game.attrib["base"]:
                    return self._lost(game)
                merge(self._known[1], game)
                game = self._known[1]
            view = _view(game)
        except (ValueError, TypeError) as why:
            # It may be half merged: changes must not be put into that.
            self._known = None
            raise Unreadable(f"element settlers: {why}") from why
        self._known = _text(game, "number"), game
        return view

    def _lost(self, game: Element) -> View:
        """The view for a state with changes to one that is not known."""
        board = BoardView(4, 0, 0, (), (), ())
        number = _int(game, "number")
        table = TableView(0, False, 0, None, None, 0, -1, -1, 0, (), None, board, (), 0, (), ())
        return View(
            _text(game, "game"), _int(game, "seq"), _int(game, "state"), _int(game, "current"), _ints(game, "waiting"),
            _int(game, "you"), table, (), (), number=number, lost=True,
        )  # fmt: skip


@lru_cache(maxsize=8)  # where all see everything, all get the same
def read_view(payload: bytes) -> View:
    """Return the view in a state. Raises Unreadable."""
    game = xml.only_child(xml.parse(payload, "gameState"), "settlers")
    try:
        return _view(game)
    except (ValueError, TypeError) as why:
        raise Unreadable(f"element settlers: {why}") from why


def read_events(payload: bytes) -> Sequence[tuple[int, Event]]:
    """Return the events in a state, whether it holds everything or only what has changed. Raises Unreadable."""
    game = xml.only_child(xml.parse(payload, "gameState"), "settlers")
    try:
        return tuple(_read_event(event) for event in game.iterfind("events/event"))
    except (ValueError, TypeError) as why:
        raise Unreadable(f"element settlers: {why}") from why


def _view(game: Element) -> View:
    table, events = game.find("table"), game.find("events")
    if table is None or events is None:
        raise Malformed("there is no table, or there are no events")
    you = game.get("you")
    seats = tuple(map(_read_seat, table.iterfind("seat")))
    view = View(
        _text(game, "game"), _int(game, "seq"), _int(game, "state"), _int(game, "current"), _ints(game, "waiting"),
        None if you is None else decimal(you), _read_table(table, seats), tuple(map(_read_may, table.iterfind("may"))),
        tuple(map(_read_event, events)), tuple(game.get("no", "").split()),
        _int(game, "number") if "number" in game.attrib else None,
    )  # fmt: skip
    bank = view.table.bank
    # Readers use these numbers as indexes; a state with wrong ones must fail here and not inside a bot.
    named = {view.current, *view.waiting, *(may.seat for may in view.may), 0 if view.you is None else view.you}
    if not 2 <= len(seats) <= 6 or not named <= set(range(len(seats))) or (bank and len(bank) != 5):
        raise Malformed(f"{len(seats)} seats, and something about {sorted(named)}")
    return view


def _read_table(table: Element, seats: tuple[SeatView, ...]) -> TableView:
    board = table.find("board")
    if board is None:
        raise Malformed("there is no board")
    return TableView(
        _int(table, "dice"), _int(table, "rolled") == 1, _int(table, "round"),
        _maybe_place(table, "robber"), _maybe_place(table, "pirate"), _int(table, "devCardsLeft"),
        _int(table, "longestRoute"), _int(table, "largestArmy"), _int(table, "toWin"),
        _ints(table, "winner") if "winner" in table.attrib else (),
        _ints(table, "bank") if "bank" in table.attrib else None,
        _read_board(
            _text(board, "seats"), board.get("height", "0"), board.get("width", "0"), _text(board, "hexes"),
            _text(board, "ports"), _text(board, "areas"),
        ),
        tuple(map(_read_village, table.iterfind("village"))), _int(table, "cloth") if "cloth" in table.attrib else 0,
        seats, tuple(map(_read_offer, table.iterfind("offer"))),
    )  # fmt: skip


@lru_cache(maxsize=64)
def _read_board(seats: str, height: str, width: str, hexes: str, ports: str, areas: str) -> BoardView:
    # The places of a board are worked out from its size, which must not be of any height.
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
        _ints(seat, "fresh") if "fresh" in seat.attrib else None, _int(seat, "knights"), _read_pieces(seat),
        _int(seat, "cloth"), _int(seat, "svp"), _ints(seat, "startAreas"), _int(seat, "owes"), _int(seat, "asks") == 1,
    )  # fmt: skip


def _read_pieces(seat: Element) -> PiecesView:
    return PiecesView(
        (_int(seat, "roads"), _int(seat, "settlements"), _int(seat, "cities"), _int(seat, "ships")),
        # In the order of the view, where ships follow roads; the attributes have the numbers of pieces.
        _read_places(seat, "at0"), _read_places(seat, "at3"), _read_places(seat, "at1"), _read_places(seat, "at2"),
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
        Places(*[_listed_places(may, name) for name in ("put0", "put1", "put2", "put3")]),
        _listed(may, "request"), _listed(may, "cancel"),
        tuple((hexadecimal(origin), hexadecimal(target)) for origin, target in _split(may.get("move", ""), 2)),
        _listed_places(may, "robber"), _listed(may, "choose"), decimal(may.get("discard", "0")),
        decimal(may.get("pick", "0")), flag("monopoly") == "1",
        Trades(
            flag("bank") == "1", _listed(may, "ports"), taken, _listed(may, "offer"), _listed(may, "accept"),
            flag("reject") == "1", flag("clear") == "1",
        ),
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
