"""Pictures of games as they are played: on a terminal in their place, elsewhere one after the other."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from ugs.pictures.terminal import drawn, show, width_of
from ugs.terminal import safe
from ugs.watch.pictures import GamesShown, WatchFrame
from ugs.wire.extensions import EventKind, GameEvent, Watching
from ugs.wire.messages import Message

PER_SECOND: Final = 12
"""How often a picture in its place is drawn again, at most."""
PASSED: Final = "positions that came too fast to be drawn: {}"


class InPlace:
    """One game on a terminal: its picture stays where it is. What came before the end of a game stays above it."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._games = GamesShown()
        self._live = Live(
            console=console, refresh_per_second=PER_SECOND, vertical_overflow="crop", get_renderable=self.look
        )

    def __enter__(self) -> "InPlace":
        self._live.__enter__()
        return self

    def __exit__(self, *cause: object) -> None:
        self._live.__exit__(None, None, None)

    def report(self, message: Watching | GameEvent) -> None:
        """Take the next message. The picture is updated on its own."""
        self._games.take_in(message)

    def past(self, message: Watching | GameEvent, last: bool) -> None:
        """Take a message from before now."""
        self.report(message)

    def ahead(self, messages: Sequence[Message]) -> None:
        """Take what comes at once; the picture is drawn from time to time, however much that is."""

    def look(self) -> RenderableType:
        """What is visible now."""
        return in_front(self._games, width_of(self._console), self._console.height)


class OneByOne:
    """Every picture below the one before. Of positions that have come at once only the newest one is drawn: who draws
    more slowly than bots play would be let go. What has happened stands there in words for all."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._games = GamesShown()
        self._past: dict[str, WatchFrame] = {}
        """The last position from before now of each game, until it is printed."""
        self._newest: dict[str, Watching | GameEvent] = {}
        """The newest position of each game among what has come at once."""
        self._passed: Counter[str] = Counter()
        """Positions of each game that were not drawn since the last one that was."""

    def __enter__(self) -> "OneByOne":
        return self

    def __exit__(self, *cause: object) -> None:
        pass

    def ahead(self, messages: Sequence[Message]) -> None:
        """Take what comes at once, before it is reported one by one."""
        self._newest = {one.game_id: one for one in messages if isinstance(one, Watching | GameEvent) and one.state}

    def past(self, message: Watching | GameEvent, last: bool) -> None:
        """Take a message from before now; of these only the last position is shown."""
        frame = self._games.take_in(message)
        if frame.picture is not None or frame.missing:
            self._past[message.game_id] = frame
        if last:
            self._catch_up(message.game_id)

    def report(self, message: Watching | GameEvent) -> None:
        """Take the next message, and print it."""
        # The last thing before now may have been for other spectators only.
        self._catch_up(message.game_id)
        frame = self._games.take_in(message)
        if not (isinstance(message, GameEvent) and message.what is EventKind.MOVE):  # the next state shows it
            self._print(frame, drawn=self._newest.get(message.game_id, message) is message)

    def _catch_up(self, game_id: str) -> None:
        if game_id in self._past:
            self._print(self._past.pop(game_id))

    def _print(self, frame: WatchFrame, *, drawn: bool = True) -> None:
        self._write(Text(frame.line))
        for line in frame.news:
            self._write(Text(f"  {line}"))
        if frame.missing:
            self._write(Text(f"  {safe(frame.missing)}"))
        if frame.picture is None:
            return
        if not drawn:
            self._passed[frame.game_id] += 1
            return
        if passed := self._passed.pop(frame.game_id, 0):
            self._write(Text(f"  {PASSED.format(passed)}", style="dim"))
        show(self._console, frame.picture, indent=2)
        self._write(Text(""))

    def _write(self, text: Text) -> None:
        self._console.print(text, soft_wrap=True, highlight=False)
        # A pipe gets each picture at once.
        self._console.file.flush()


def in_front(games: GamesShown, width: int, height: int) -> RenderableType:
    """The game in front, in at most ``height`` lines: what has happened gives way to the picture."""
    game = games.game
    if game is None or games.front is None:
        return Text("waiting for a game", style="dim")
    head = f"game {games.front}" + (f", one of {games.running}" if games.running > 1 else "")
    parts: list[Text] = [Text(safe(head), style="bold", no_wrap=True, overflow="ellipsis")]
    if game.picture is not None:
        parts += [Text(""), drawn(game.picture, width)]
    if game.missing:
        parts += [Text(""), Text(safe(game.missing).replace(": ", ":\n", 1), style="dim")]
    room = height - sum(1 + part.plain.count("\n") for part in parts) - 2
    if room > 0:
        parts += [Text(""), *(Text(line, no_wrap=True, overflow="ellipsis") for line in [*game.lines][-room:])]
    return Group(*parts)
