"""Pictures of states: what can be seen, drawn; and the follower that reads one state after another."""

from collections import Counter
from collections.abc import Sequence

from game_masters.bang.messages.events import ChatMessage, Entry, Event, record
from game_masters.bang.parser.reading import read_view
from game_masters.bang.pictures import drawing, lines
from game_masters.bang.pictures.seen import NAME, Seen
from game_masters.bang.views.view import View
from game_masters.kit.rules import Unreadable
from ugs.pictures.contract import CannotDraw, Line, Picture, Scene, Shown
from ugs.pictures.lettering import clipped


class Position(Seen):
    """One state."""

    def svg(self, prefix: str, seat: int | None = None) -> str:
        """Return the table, the viewer's hand below, and the last events."""
        return drawing.draw(self, prefix, self.moves(seat) if seat is not None else ())

    def text(self, width: int) -> Sequence[Line]:
        """Return the table, the viewer's hand below, and the last events."""
        return lines.write(self, width)


def follow(scene: Scene) -> "PositionFollower":
    """Return a follower for one game: the renderer."""
    return PositionFollower()


class PositionFollower:
    """Reads the states, and knows which events it has shown already."""

    RECENT = 4

    def __init__(self) -> None:
        self._event = 0
        self._server: Counter[Entry] = Counter()
        self._recent: tuple[str, ...] = ()

    def __call__(self, shown: Shown) -> Picture:
        """Take a state. Raises CannotDraw if it is not one of this game."""
        try:
            view = read_view(shown.payload)
        except Unreadable as error:
            raise CannotDraw(str(error)) from error
        fresh = tuple(self._fresh(view))
        self._recent = (*self._recent, *fresh)[-self.RECENT :]
        return Position(view, fresh, self._recent)

    def _fresh(self, view: View) -> list[str]:
        names = {player.id: clipped(player.name, NAME) for player in view.known.players}
        words: list[str] = []
        # Server events have no ids: those that came with the state before are counted off.
        server: Counter[Entry] = Counter([entry for entry in view.news if not isinstance(entry, Event)])
        new = server - self._server
        self._server = server
        for entry in view.news:
            if isinstance(entry, Event):
                if entry.id > self._event:
                    words.append(_safe(record(entry, lambda id: names.get(id, f"player {id}"))))
            elif new[entry]:
                new[entry] -= 1
                words.append(
                    _safe(
                        f"{clipped(entry.name, NAME)}: {entry.text}" if isinstance(entry, ChatMessage) else str(entry)
                    )
                )
        self._event = max(self._event, view.known.event)
        return words


def _safe(text: str) -> str:
    return clipped(text, 300)
