"""Titan on the wire: requests in ``<move>``, messages and a status in ``<gameState>``.

    <move><split parent="Rd01" child="Rd02"><creatures><creature name="Titan"/>...</creatures></split><roll/></move>

    <gameState><split parent="Rd01" child="Rd02" numsplit="4"/><roll die="3"/>
      <status event="31" turn="1" player="ann" phase="Move" awaiting="move" roll="3" mulligan="true">
        <score player="ann" points="0" titanPower="6" legions="2" creatures="8" markers="Rd03 Rd04"/>...
        <stock creature="Ogre" left="21" dead="0"/>...</status></gameState>

A state has what has happened since the last one; ``event`` is the number of its last message, so that readers
recognise what they received before. ``<nak>`` gives the reason why a request was refused, ``<replay>`` has earlier
messages once more. When a reader is asked after a long time, at the end, and for spectators at the beginning of a turn,
``<board>`` has the whole position, for those who have missed messages.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final
from xml.etree.ElementTree import Element
from xml.sax.saxutils import quoteattr

from game_masters.kit import payload as xml
from game_masters.kit.rules import Follower, Options, Unreadable
from game_masters.titan import forms, snapshots
from game_masters.titan.creatures import KINDS
from game_masters.titan.history import Inconsistent, after
from game_masters.titan.messages import MESSAGES, Message
from game_masters.titan.position import Awaiting, Phase, Position
from game_masters.titan.requests import REQUESTS, Request, Requests
from game_masters.titan.views import Nak, Replayed, Score, Status, Stock, View, seen_with

MAX_STOCK_DIGITS: Final = 8
"""Of both numbers of a kind together, where they are remembered."""
MAX_REQUESTS: Final = 64
"""Requests in one move."""


# --- moves ------------------------------------------------------------------------------------------------------------


def write_move(move: Requests) -> bytes:
    """Return the requests in a ``move``."""
    return f"<move>{''.join(map(forms.write, move))}</move>".encode()


def read_move(payload: bytes) -> Requests:
    """Return the requests in a ``move``. Raises Unreadable. The rules decide whether they are allowed."""
    root = xml.parse(payload, "move")
    xml.check_shape(root)
    if not 1 <= len(root) <= MAX_REQUESTS:
        raise Unreadable(f"{len(root)} requests; a move has 1 to {MAX_REQUESTS}")
    return tuple(_request(element) for element in root)


def _request(element: Element) -> Request:
    return forms.read(element, REQUESTS, strict=True)


# --- writing views ----------------------------------------------------------------------------------------------------


def write_view(view: View) -> bytes:
    """Return a view as XML. The position is not written: it follows from the messages."""
    parts = [message_text(message) for message in view.news]
    if view.nak is not None:
        request = f" request={quoteattr(view.nak.request)}" if view.nak.request is not None else ""
        parts.append(f"<nak reason={quoteattr(_printable(view.nak.reason))}{request}/>")
    if view.replay is not None:
        again = "".join(map(message_text, view.replay.messages))
        parts.append(f'<replay after="{view.replay.after}" upTo="{view.replay.up_to}">{again}</replay>')
    if view.board:
        parts.append(snapshots.write(view.position))
    parts.append(_status_text(view.status))
    return f"<gameState>{''.join(parts)}</gameState>".encode()


@lru_cache(maxsize=4096)  # every reader receives the same messages
def message_text(message: Message) -> str:
    """Return a message as an element."""
    return forms.write(message)


def _printable(text: str) -> str:
    """Return a text without characters that XML cannot hold."""
    return "".join(one if one.isprintable() else "?" for one in text)


@lru_cache(maxsize=64)  # and the same status
def _status_text(status: Status) -> str:
    attributes = {
        "event": status.event,
        "turn": status.turn,
        "player": status.player,
        "phase": status.phase,
        "awaiting": status.awaiting,
        "roll": status.roll,
        "mulligan": "true" if status.mulligan else None,
        "hex": status.hex,
        "attacker": status.attacker,
        "defender": status.defender,
        "battleTurn": status.battle_turn,
        "battlePhase": status.battle_phase,
        "legion": status.legion,
        "carries": status.carries,
        "kept": status.kept,
    }
    written = "".join(f" {name}={quoteattr(str(value))}" for name, value in attributes.items() if value is not None)
    scores = "".join(map(_score_text, status.scores))
    stock = "".join(f'<stock creature="{one.creature}" left="{one.left}" dead="{one.dead}"/>' for one in status.stock)
    willing = "".join(f"<willing player={quoteattr(name)}/>" for name in status.willing)
    return f"<status{written}>{scores}{stock}{willing}</status>"


def _score_text(score: Score) -> str:
    return (
        f'<score player={quoteattr(score.player)} points="{score.points}" titanPower="{score.titan_power}" '
        f'legions="{score.legions}" creatures="{score.creatures}" markers="{" ".join(score.markers)}"/>'
    )


# --- reading views ----------------------------------------------------------------------------------------------------


def follow(options: Options) -> Follower[View]:
    """Return a reader of one game's states."""
    return Reader()


class Reader:
    """Takes the states of one game in, and keeps the position as far as it is known."""

    def __init__(self) -> None:
        self._received = 0
        """The number of messages taken in."""
        self._position = Position()

    def __call__(self, payload: bytes) -> View:
        """Return the view in a state. Raises Unreadable, and then has taken nothing in."""
        news, replay, nak, status, board = read_state(payload)
        received, position = self._received, self._position
        # The board is taken only by those who have missed messages: it would be the same for all others.
        if board is not None and received < status.event - len(news):
            received, position = status.event, board
        if replay is not None:
            received, position = _taken_in(received, position, replay.after, replay.messages)
        received, position = _taken_in(received, position, status.event - len(news), news)
        self._received, self._position = received, position
        if (
            received < status.event
        ):  # messages are missing: there is no result for the position until replays bring them
            position = Position()
        return View(news, status, _asked(status, position), nak, replay, board is not None)


def _taken_in(received: int, position: Position, first: int, messages: Sequence[Message]) -> tuple[int, Position]:
    """Return what is known after messages, without those received before. The first has the number ``first
    + 1``."""
    if first < 0:
        raise Unreadable(f"element status: {-first} more messages than its event has")
    if first > received:
        # There is a gap: without a replay or a board the position stays as it was.
        return received, position
    try:
        for message in messages[received - first :]:
            position = after(position, message)
            received += 1
    except Inconsistent as error:
        raise Unreadable(f"a message that cannot come now: {error}") from error
    return received, position


def _asked(status: Status, position: Position) -> Position:
    try:
        return seen_with(status, position)
    except (IndexError, ValueError) as error:
        raise Unreadable(f"element status: {error}") from error


def read_state(
    payload: bytes,
) -> tuple[tuple[Message, ...], Replayed | None, Nak | None, Status, Position | None]:
    """Return the content of a state: news, replay, refusal, status, and the board if it is written out. Raises
    Unreadable."""
    root = xml.parse(payload, "gameState")
    news: list[Message] = []
    others: dict[str, Element] = {}
    for element in root:
        if element.tag in ("nak", "replay", "status", snapshots.TAG):
            others[element.tag] = element
        else:
            news.append(read_message(element))
    if "status" not in others:
        raise Unreadable("element gameState: no status")
    nak = others.get("nak")
    replay = others.get("replay")
    board = others.get(snapshots.TAG)
    return (
        tuple(news),
        _read_replay(replay) if replay is not None else None,
        Nak(nak.get("request"), nak.get("reason", "")) if nak is not None else None,
        _read_status(others["status"]),
        snapshots.read(board) if board is not None else None,
    )


def read_message(element: Element) -> Message:
    """Return the message in an element. Raises Unreadable."""
    # Not strict: newer masters may write more.
    return forms.read(element, MESSAGES, strict=False)


def _read_replay(element: Element) -> Replayed:
    return Replayed(_count(element, "after"), _count(element, "upTo"), tuple(map(read_message, element)))


def _count(element: Element, attribute: str) -> int:
    return xml.integer(element, attribute)


def _read_status(element: Element) -> Status:
    def number(attribute: str) -> int | None:
        return _count(element, attribute) if attribute in element.attrib else None

    awaiting = element.get("awaiting")
    try:
        phase, asked = Phase(element.get("phase", "")), Awaiting(awaiting) if awaiting is not None else None
    except ValueError as error:
        raise Unreadable(f"element status: {error}") from error
    return Status(
        _count(element, "event"),
        _count(element, "turn"),
        element.get("player"),
        phase,
        asked,
        number("roll"),
        True if element.get("mulligan") == "true" else None,
        element.get("hex"),
        element.get("attacker"),
        element.get("defender"),
        number("battleTurn"),
        element.get("battlePhase"),
        element.get("legion"),
        number("carries"),
        tuple(map(_read_score, element.iterfind("score"))),
        tuple(map(_read_stock, element.iterfind("stock"))),
        tuple(one.get("player", "") for one in element.iterfind("willing")),
        element.get("kept"),
    )


def _read_stock(element: Element) -> Stock:
    creature, left, dead = element.get("creature", ""), element.get("left"), element.get("dead")
    # Others may write anything; only what a game can have is remembered.
    if creature in KINDS and left and dead and len(left) + len(dead) <= MAX_STOCK_DIGITS:
        return _stock(creature, left, dead)
    return Stock(creature, _count(element, "left"), _count(element, "dead"))


@lru_cache(maxsize=1024)  # a status has dozens, and most are those of the status before
def _stock(creature: str, left: str, dead: str) -> Stock:
    element = Element("stock", left=left, dead=dead)
    return Stock(creature, _count(element, "left"), _count(element, "dead"))


def _read_score(element: Element) -> Score:
    return Score(
        element.get("player", ""),
        _count(element, "points"),
        _count(element, "titanPower"),
        _count(element, "legions"),
        _count(element, "creatures"),
        tuple(element.get("markers", "").split()),
    )
