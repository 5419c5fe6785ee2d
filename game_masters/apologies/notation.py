"""Apologies on the wire: each ``<gameState>`` shows the whole position, as far as its reader may see it.

    <gameState><apologies v="1" mode="STANDARD" rules="strict" play="37" turn="RED">
      <seat nick="ada" color="RED" kind="human" turns="16"><pawn id="0" at="32"/> ... <pawn id="3" at="H"/></seat> ...
      <drawn type="CARD_7"/>
      <legal><play id="c2f0..." card="CARD_7"><do color="RED" pawn="0" from="32" to="37"/> ...
        <also color="BLUE" pawn="2" from="37" to="S"/></play> ...</legal>
      <since><played color="YELLOW" card="CARD_8">...</played><forfeited color="GREEN" card="CARD_2"/></since>
      <history><played color="RED" card="CARD_5"/> ...</history>
    </apologies></gameState>

Places are ``0`` to ``59``, ``s0`` to ``s4``, ``H`` for home, ``S`` for start. ``legal`` has what may be played now, a
``forfeit`` where nothing else can be; ``since`` every play that may be new to the reader, with all that is needed to
follow it pawn by pawn; ``history`` the last ten. A move names a play, ``<move><play id="c2f0..."/></move>``, or leaves
the choice to the computer player, ``<move><optimal/></move>``. After a bad one the same state comes again, with a
``rejected`` in it.

In STANDARD nothing is hidden, and all readers get the same. In ADULT a view names its owner (``you``) and has the
cards of that seat in the order of the hand; ``legal`` is in the view of the player whose turn it is and in no other.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import TypeVar
from xml.etree.ElementTree import Element
from xml.sax.saxutils import quoteattr

from game_masters.apologies.board import COLOURS, PAWNS, PLACE_NAMES, Place
from game_masters.apologies.cards import Kind
from game_masters.apologies.plays import Change, Profile, Step
from game_masters.apologies.views import Made, Mode, Move, Offer, Optimal, Past, Pick, Rejection, SeatView, Sitter, View
from game_masters.kit import payload as xml
from game_masters.kit.rules import Follower, Options, Unreadable

VERSION = "1"
MAX_ID = 64

_SEATS: Mapping[str, int] = {str(colour): seat for seat, colour in enumerate(COLOURS)}
_PLACES: Mapping[str, Place] = {name: place for place, name in enumerate(PLACE_NAMES)}
_NUMBERS: Mapping[str, int] = {str(number): number for number in range(PAWNS)}
_KINDS: Mapping[str, Kind] = {str(kind): kind for kind in Kind}
_MODES: Mapping[str, Mode] = {str(mode): mode for mode in Mode}
_PROFILES: Mapping[str, Profile] = {str(profile): profile for profile in Profile}
_REJECTIONS: Mapping[str, Rejection] = {str(rejection): rejection for rejection in Rejection}
_SITTERS: Mapping[str, Sitter] = {str(sitter): sitter for sitter in Sitter}
_MADE: Mapping[str, bool] = {"played": True, "forfeited": False}

T = TypeVar("T")


# --- moves ------------------------------------------------------------------------------------------------------------


def write_move(move: Move) -> bytes:
    """Return a ``play`` with its id, or ``optimal``."""
    if isinstance(move, Optimal):
        return b"<move><optimal/></move>"
    return f"<move><play id={quoteattr(move.id)}/></move>".encode()


def read_move(payload: bytes) -> Move:
    """Return the move. Raises Unreadable. The rules decide whether the play is on offer now."""
    root = xml.parse(payload, "move")
    if [child.tag for child in root] == ["optimal"]:
        _check_empty(xml.only_child(root, "optimal"), frozenset())
        return Optimal()
    play = xml.only_child(root, "play")
    _check_empty(play, frozenset({"id"}))
    id = play.attrib["id"]
    if not id.isascii() or not id.isalnum() or len(id) > MAX_ID:
        raise Unreadable(f"element play: {id[:MAX_ID]!r} is not an id: 1 to {MAX_ID} letters and digits")
    return Pick(id)


def _check_empty(element: Element, attributes: frozenset[str]) -> None:
    xml.check_shape(element, attributes)
    if len(element) > 0:
        raise Unreadable(f"element {element.tag}: expected no elements inside")


# --- writing views ----------------------------------------------------------------------------------------------------


def write_view(view: View) -> bytes:
    """Return the whole view as XML."""
    you = "" if view.you is None else f" you={quoteattr(view.seats[view.you].nick)}"
    turn = "" if view.turn is None else f' turn="{COLOURS[view.turn]}"'
    drawn = "" if view.drawn is None else f'<drawn type="{view.drawn}"/>'
    rejected = "" if view.rejected is None else f'<rejected code="{view.rejected}"/>'
    return (
        f'<gameState><apologies v="{VERSION}" mode="{view.mode}" rules="{view.profile}" play="{view.plays}"{you}{turn}>'
        f"{''.join(_seat_text(number, seat) for number, seat in enumerate(view.seats))}{drawn}"
        f"{_list_text('legal', map(_offer_text, view.offers))}"
        f"{_list_text('since', map(_made_text, view.since))}"
        f"{_list_text('history', map(_past_text, view.history))}"
        f"{rejected}</apologies></gameState>"
    ).encode()


def _list_text(tag: str, items: Iterable[str]) -> str:
    text = "".join(items)
    return f"<{tag}>{text}</{tag}>" if text else ""


def _seat_text(number: int, seat: SeatView) -> str:
    cards = "".join(f'<card type="{kind}"/>' for kind in seat.hand)
    pawns = "".join([f'<pawn id="{pawn}" at="{PLACE_NAMES[place]}"/>' for pawn, place in enumerate(seat.pawns)])
    nick = quoteattr(seat.nick)
    return f'<seat nick={nick} color="{COLOURS[number]}" kind="{seat.kind}" turns="{seat.turns}">{cards}{pawns}</seat>'


def _offer_text(offer: Offer) -> str:
    id, kind, actions, effects = offer
    if not actions:
        return f'<forfeit id="{id}" card="{kind}"/>'
    return f'<play id="{id}" card="{kind}">{_steps_text(actions, effects)}</play>'


@lru_cache(maxsize=1024)  # every seat receives the same plays
def _made_text(made: Made) -> str:
    if not made.actions:
        return f'<forfeited color="{COLOURS[made.seat]}" card="{made.kind}"/>'
    steps = _steps_text(made.actions, made.effects)
    return f'<played color="{COLOURS[made.seat]}" card="{made.kind}">{steps}</played>'


@lru_cache(maxsize=128)
def _past_text(past: Past) -> str:
    return f'<{"forfeited" if past.forfeit else "played"} color="{COLOURS[past.seat]}" card="{past.kind}"/>'


def _steps_text(actions: tuple[Step, ...], effects: tuple[Step, ...]) -> str:
    done = "".join([_step_text("do", step) for step in actions])
    return done + "".join([_step_text("also", step) for step in effects]) if effects else done


@lru_cache(maxsize=16384)  # about as many as come up
def _step_text(tag: str, step: Step) -> str:
    pawn, origin, target = step
    seat, number = divmod(pawn, PAWNS)
    places = f'from="{PLACE_NAMES[origin]}" to="{PLACE_NAMES[target]}"'
    return f'<{tag} color="{COLOURS[seat]}" pawn="{number}" {places}/>'


# --- reading views ----------------------------------------------------------------------------------------------------


def follow(options: Options) -> Follower[View]:
    """Return a reader of states. Each state is complete and lists its options, so the reader remembers
    nothing."""
    return read_view


def read_view(payload: bytes) -> View:
    """Return the view in a state. Raises Unreadable."""
    game = xml.parse(payload, "gameState")
    game = xml.only_child(game, "apologies")
    if game.get("v") != VERSION:
        raise Unreadable(f"element apologies: version {game.get('v')!r}; this reads version {VERSION}")
    seats = tuple(_seat(number, element) for number, element in enumerate(_called(game, "seat")))
    nicks: dict[str | None, int | None] = {None: None} | {seat.nick: number for number, seat in enumerate(seats)}
    you, turn = game.get("you"), game.get("turn")
    if you not in nicks:
        raise Unreadable(f"element apologies, attribute you: no player is called {you!r}")
    drawn, rejected = game.find("drawn"), game.find("rejected")
    view = View(
        _word(game, "mode", _MODES),
        _word(game, "rules", _PROFILES),
        xml.integer(game, "play"),
        nicks[you],
        None if turn is None else _word(game, "turn", _SEATS),
        seats,
        None if drawn is None else _word(drawn, "type", _KINDS),
        tuple(map(_offer, _within(game, "legal"))),
        tuple(map(_made, _within(game, "since"))),
        tuple(map(_past, _within(game, "history"))),
        None if rejected is None else _word(rejected, "code", _REJECTIONS),
    )
    _check_persons(view)
    return view


def _check_persons(view: View) -> None:
    """Check that only seats which exist move pawns. Raises Unreadable."""
    seats = len(view.seats)
    named = {0 if view.turn is None else view.turn, *(past.seat for past in view.history)}
    named.update(made.seat for made in view.since)
    changes: list[Change] = [*view.offers, *view.since]
    named.update(pawn // PAWNS for change in changes for pawn, _, _ in change.actions + change.effects)
    if not max(named) < seats <= len(COLOURS):
        raise Unreadable(f"element apologies: {seats} seats, and something about {COLOURS[max(named)]}")


def _seat(number: int, element: Element) -> SeatView:
    pawns = _called(element, "pawn")
    numbers = [_word(pawn, "id", _NUMBERS) for pawn in pawns]
    if numbers != [*range(PAWNS)] or _word(element, "color", _SEATS) != number:
        raise Unreadable(f"element seat: {element.get('color')!r} with pawns {numbers} as number {number}")
    nick = element.get("nick")
    if nick is None:
        raise Unreadable("element seat: no nick")
    return SeatView(
        nick,
        _word(element, "kind", _SITTERS),
        xml.integer(element, "turns"),
        tuple(_word(card, "type", _KINDS) for card in _called(element, "card")),
        tuple(_word(pawn, "at", _PLACES) for pawn in pawns),
    )


def _offer(element: Element) -> Offer:
    id = element.get("id")
    if id is None or element.tag not in ("play", "forfeit"):
        raise Unreadable(f"element {element.tag} in legal, id {id!r}")
    return Offer(id, _word(element, "card", _KINDS), *_steps(element))


def _made(element: Element) -> Made:
    past = _past(element)
    return Made(past.seat, past.kind, *_steps(element))


def _past(element: Element) -> Past:
    if element.tag not in _MADE:
        raise Unreadable(f"element {element.tag} stands for no play that was made")
    return Past(_word(element, "color", _SEATS), _word(element, "card", _KINDS), not _MADE[element.tag])


def _steps(element: Element) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    return tuple(map(_step, _called(element, "do"))), tuple(map(_step, _called(element, "also")))


def _called(element: Element, tag: str) -> list[Element]:
    """The children of that name. A path would be understood again for each element."""
    return [child for child in element if child.tag == tag]


def _within(element: Element, tag: str) -> Iterator[Element]:
    """All that stands in the children of that name."""
    return chain.from_iterable(_called(element, tag))


def _step(element: Element) -> Step:
    pawn = _word(element, "color", _SEATS) * PAWNS + _word(element, "pawn", _NUMBERS)
    return pawn, _word(element, "from", _PLACES), _word(element, "to", _PLACES)


def _word(element: Element, attribute: str, meaning: Mapping[str, T]) -> T:
    """Return what an attribute stands for. Raises Unreadable if it stands for nothing."""
    text = element.get(attribute, "")
    try:
        return meaning[text]
    except KeyError:
        raise Unreadable(f"element {element.tag}, attribute {attribute}: {text!r} means nothing") from None
