"""Games of PettingZoo on the wire.

```xml
<gameState game="tictactoe_v3" seats="2" seat="0" turn="0">
  <observation name="observation" shape="3 3 2">0 0 1 0 ...</observation>
  <play id="0"/><play id="4"/>
  <event kind="play" seat="1"/>
</gameState>
<move><play id="4"/></move>
```

A state is complete. ``turn`` is missing when the game is over, and then there are ``points``, one for each seat, unless
a seat was taken out. ``seat`` says whose view it is; a game that is played openly has one for all, and perhaps a
``board`` as text.
"""

import math
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

from game_masters.kit import payload as xml
from game_masters.kit.rules import Follower, Options, Unreadable
from game_masters.pettingzoo.view import Event, EventKind, Numbers, Play, View

MAX_DIMENSIONS = 8


def write_move(move: Play) -> bytes:
    """Return a ``play``."""
    return f'<move><play id="{move.id}"/></move>'.encode()


def read_move(payload: bytes) -> Play:
    """Return the one ``play``. Raises Unreadable. The rules decide whether it is legal."""
    return _read_play(xml.only_child(xml.parse(payload, "move"), "play"))


def write_view(view: View) -> bytes:
    """Return a whole state."""
    seats = (("seat", view.seat), ("turn", view.turn))
    numbers = "".join(f' {name}="{value}"' for name, value in seats if value is not None)
    return "".join(
        [
            f'<gameState game={quoteattr(view.game)} seats="{view.seats}"{numbers}>',
            f"<board>{escape(view.board)}</board>" if view.board else "",
            *map(_observation, view.observation),
            *(f'<play id="{play.id}"/>' for play in view.plays),
            *map(_event, view.events),
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
    board = ""
    observation: list[Numbers] = []
    plays: list[Play] = []
    events: list[Event] = []
    points: list[float] = []
    for child in root:
        if child.tag == "board" and not child.attrib and not len(child):
            board = child.text or ""
        elif child.tag == "observation":
            observation.append(_read_observation(child))
        elif child.tag == "play":
            plays.append(_read_play(child))
        elif child.tag == "event":
            events.append(_read_event(child))
        elif child.tag == "points":
            points.append(_float(child, child.get("of", "")))
        else:
            raise Unreadable(f"element gameState: unexpected {child.tag[: xml.MAX_SHOWN]}")
    return View(
        game,
        xml.integer(root, "seats"),
        _number(root, "seat"),
        _number(root, "turn"),
        board,
        tuple(observation),
        tuple(plays),
        tuple(events),
        tuple(points),
    )


def _observation(seen: Numbers) -> str:
    shape = " ".join(map(str, seen.shape))
    return f'<observation name={quoteattr(seen.name)} shape="{shape}">{seen.text}</observation>'


def _event(event: Event) -> str:
    play = "" if event.play is None else f' id="{event.play}"'
    return f'<event kind="{event.kind.value}" seat="{event.seat}"{play}/>'


def _read_play(element: Element) -> Play:
    if set(element.attrib) != {"id"} or len(element) or (element.text or "").strip():
        raise Unreadable(f"element {element.tag}: expected the attribute id and nothing inside")
    return Play(xml.integer(element, "id"))


def _read_observation(element: Element) -> Numbers:
    sizes = element.get("shape", "").split()
    if len(sizes) > MAX_DIMENSIONS or not all(size.isascii() and size.isdigit() and len(size) < 7 for size in sizes):
        raise Unreadable("element observation: the attribute shape is no list of sizes")
    shape = tuple(map(int, sizes))
    words = (element.text or "").split()
    if len(words) != math.prod(shape):
        raise Unreadable(f"element observation: {len(words)} numbers; the shape has {math.prod(shape)}")
    for word in words:
        _float(element, word)
    return Numbers(element.get("name", ""), shape, " ".join(words))


def _read_event(element: Element) -> Event:
    kind = element.get("kind", "")
    if kind not in list(EventKind):
        raise Unreadable(f"element event: the kind {kind[: xml.MAX_SHOWN]!r} does not exist")
    return Event(EventKind(kind), xml.integer(element, "seat"), _number(element, "id"))


def _number(element: Element, name: str) -> int | None:
    return None if element.get(name) is None else xml.integer(element, name)


def _float(element: Element, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Unreadable(f"element {element.tag}: {text[: xml.MAX_SHOWN]!r} is no number") from None
