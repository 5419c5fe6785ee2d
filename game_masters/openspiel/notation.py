"""Games of OpenSpiel on the wire.

```xml
<gameState game="connect_four()" seats="2" turn="1">
  <board>.......…</board>
  <play id="0" text="o0"/><play id="1" text="o1"/>
  <event kind="play" seat="0" text="x3"/>
</gameState>
<move><play id="1" text="o1"/></move>
```

A state is complete. ``turn`` is missing when the game is over, and then there are ``points``, one for each seat, unless
a seat was taken out. In a game that hides something, ``seat`` is the viewer, and ``information`` what this seat
knows of the whole game. A move is one of the listed ``play`` elements; its ``text`` may be left out.
"""

from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

from game_masters.kit import payload as xml
from game_masters.kit.rules import Follower, Options, Unreadable
from game_masters.openspiel.view import Event, EventKind, Play, View

MAX_TEXT = 1000
"""Characters of the text of a move."""
_MOVE = (frozenset({"id"}), frozenset({"id", "text"}))


def write_move(move: Play) -> bytes:
    """Return a ``play``."""
    return f"<move>{_play(move)}</move>".encode()


def read_move(payload: bytes) -> Play:
    """Return the one ``play``. Raises Unreadable. The rules decide whether it is legal."""
    return _read_play(xml.only_child(xml.parse(payload, "move"), "play"))


def write_view(view: View) -> bytes:
    """Return a whole state."""
    seats = (("seat", view.seat), ("turn", view.turn))
    numbers = "".join(f' {name}="{value}"' for name, value in seats if value is not None)
    texts = (("board", view.board), ("information", view.information))
    return "".join(
        [
            f'<gameState game={quoteattr(view.game)} seats="{view.seats}"{numbers}>',
            *(f"<{name}>{escape(text)}</{name}>" for name, text in texts if text),
            *map(_play, view.plays),
            *map(_event, view.events),
            # As Python writes numbers, which it reads back as the same.
            *(f'<points seat="{seat}" of="{points!r}"/>' for seat, points in enumerate(view.points)),
            "</gameState>",
        ]
    ).encode()


def follow(options: Options) -> Follower[View]:
    """Return a reader of states: each is complete."""
    return read_view


def read_view(payload: bytes) -> View:
    """Return what a state shows. Raises Unreadable."""
    root = xml.parse(payload, "gameState")
    game = root.get("game")
    if game is None or (root.text or "").strip():
        raise Unreadable("element gameState: expected the attribute game and elements")
    texts = {"board": "", "information": ""}
    plays: list[Play] = []
    events: list[Event] = []
    points: list[float] = []
    for child in root:
        if child.tag in texts and not child.attrib and not len(child):
            texts[child.tag] = child.text or ""
        elif child.tag == "play":
            plays.append(_read_play(child))
        elif child.tag == "event":
            events.append(_read_event(child))
        elif child.tag == "points":
            points.append(_read_points(child))
        else:
            raise Unreadable(f"element gameState: unexpected {child.tag[: xml.MAX_SHOWN]}")
    seat, turn = _number(root, "seat"), _number(root, "turn")
    return View(
        game,
        xml.integer(root, "seats"),
        seat,
        turn,
        texts["board"],
        texts["information"],
        tuple(plays),
        tuple(events),
        tuple(points),
    )


def _play(play: Play) -> str:
    return f'<play id="{play.id}" text={quoteattr(play.text)}/>' if play.text else f'<play id="{play.id}"/>'


def _event(event: Event) -> str:
    seat = "" if event.seat is None else f' seat="{event.seat}"'
    text = f" text={quoteattr(event.text)}" if event.text else ""
    return f'<event kind="{event.kind.value}"{seat}{text}/>'


def _number(element: Element, name: str) -> int | None:
    return None if element.get(name) is None else xml.integer(element, name)


def _read_play(element: Element) -> Play:
    if set(element.attrib) not in _MOVE or len(element) or (element.text or "").strip():
        raise Unreadable(f"element {element.tag}: expected the attribute id, and perhaps text, and nothing inside")
    text = element.get("text", "")
    if len(text) > MAX_TEXT:
        raise Unreadable(f"element play: a text of more than {MAX_TEXT} characters")
    return Play(xml.integer(element, "id"), text)


def _read_event(element: Element) -> Event:
    kind = element.get("kind", "")
    if kind not in list(EventKind):
        raise Unreadable(f"element event: the kind {kind[: xml.MAX_SHOWN]!r} does not exist")
    return Event(EventKind(kind), _number(element, "seat"), element.get("text", ""))


def _read_points(element: Element) -> float:
    try:
        return float(element.get("of", ""))
    except ValueError:
        raise Unreadable("element points: the attribute of is no number") from None
