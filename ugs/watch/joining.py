"""Games of a type that run already when they are first watched: a picture of some needs what was before.

Asked for are only games whose pictures may need it, and few enough that a server with many games hardly notices.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, TypeAlias

from ugs.pictures.installed_renderers import is_drawn
from ugs.wire.extensions import EventKind, Failed, GameEvent, Watch, WatchFrom, Watching
from ugs.wire.messages import Message

MAX_PASTS: Final = 16
"""Running games of a type whose past is asked for; the others are shown without their boards."""
MAX_PAST_EVENTS: Final = 10_000
"""Events of all these together, when they are asked for."""

_EARLIER: Final = "earlier "

OnMessage: TypeAlias = Callable[[Watching | GameEvent], None]
Past: TypeAlias = Callable[[Watching | GameEvent, bool], None]
"""Takes what was before now; the second argument is whether it is the last of it."""


class Since:
    """Separates the past of one game, up to event ``number``, from the present."""

    def __init__(self, number: int, past: Past, report: OnMessage) -> None:
        self._number = number
        self._past = past
        self._report = report

    def __call__(self, message: Watching | GameEvent) -> None:
        if message.number > self._number:
            self._report(message)
        else:
            self._past(message, message.number == self._number)


class JoinedGames:
    """Takes the messages about all games of a type: what was before goes to ``past``, the rest to ``report``."""

    def __init__(self, watch: Watch, past: Past, report: OnMessage) -> None:
        self._watch = watch
        self._past = past
        self._report = report
        self._drawn = is_drawn(watch.game_type)
        self._wishes: list[Watch] = []
        self._held: dict[str, list[Watching | GameEvent]] = {}
        """Of games whose past has not come yet: what was sent until then, which is sent again with it."""
        self._since: dict[str, Since] = {}
        self._asked = self._events = 0

    def report(self, message: Watching | GameEvent) -> None:
        """Take the next message about a game."""
        game_id = message.game_id
        if isinstance(message, Watching):
            if message.ref == _EARLIER + game_id:
                now = self._held.pop(game_id, [message])[-1].number
                self._since[game_id] = Since(now, self._past, self._report)
            elif self._needs_past(message):
                self._held[game_id] = []
                self._wishes.append(
                    replace(self._watch, game_id=game_id, game_type="", begin=WatchFrom.BEGIN, ref=_EARLIER + game_id)
                )
        if game_id in self._held:
            self._held[game_id].append(message)
        else:
            self._since.get(game_id, self._report)(message)
            if isinstance(message, GameEvent) and message.what is EventKind.ENDED:
                self._since.pop(game_id, None)

    def wishes(self) -> Iterator[Watch]:
        """Yield what is to be asked of the server now, each once."""
        while self._wishes:
            yield self._wishes.pop(0)

    def takes(self, message: Message) -> bool:
        """Whether this is a refusal of a wish. Then the game, which may be over, is shown without its past."""
        if not isinstance(message, Failed) or not message.ref.startswith(_EARLIER):
            return False
        for held in self._held.pop(message.ref.removeprefix(_EARLIER), []):
            self._report(held)
        return True

    def _needs_past(self, first: Watching) -> bool:
        """Whether the past of a game is to be asked for; if so, it is counted."""
        # A sketch shows the whole position.
        if not self._drawn or not first.number or first.sketch:
            return False
        if self._asked == MAX_PASTS or self._events + first.number > MAX_PAST_EVENTS:
            return False
        self._asked, self._events = self._asked + 1, self._events + first.number
        return True
