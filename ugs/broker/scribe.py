"""Writes down what happens in games: each method asks the shell to record one entry.

It is called before anything is sent, so what anybody is told is on its way to the journal already.
"""

from ugs.broker.desk import Desk
from ugs.broker.effects import RecordBegin, RecordEntry
from ugs.broker.game import Game
from ugs.broker.link import Link
from ugs.broker.record import EntryKind, results_text
from ugs.broker.verdict import Cause, Verdict
from ugs.wire.messages import GameState, Move


class Scribe:
    """The scribe of all games of one broker."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def begin(self, game: Game) -> None:
        """The master is asked to lead this game."""
        fixture = game.fixture
        self._desk.do(
            RecordBegin(
                game.id,
                game.type.name,
                game.master.name,
                game.seats,
                championship=game.championship.name if game.championship is not None else "",
                fixture=fixture.number if fixture is not None else 0,
            )
        )
        self._desk.do(RecordEntry(game.id, EntryKind.BEGIN))

    def state(self, game: Game, message: GameState) -> None:
        """The master names the next player."""
        assert message.next_player is not None
        seat = game.seat_of[message.next_player]
        self._desk.do(RecordEntry(game.id, EntryKind.STATE, seat, game.told, "", message.payload))

    def over(self, game: Game, message: GameState, *, by_server: bool) -> None:
        """The master tells the result, or the server does in its place."""
        assert message.game_over is not None
        text = results_text([(game.seat_of[entry.nick], entry.result.value) for entry in message.game_over])
        body = b"" if by_server else message.payload
        self._desk.do(RecordEntry(game.id, EntryKind.OVER, None, game.told, text, body))

    def move(self, game: Game, player: Link, message: Move) -> None:
        """A player moves."""
        self._desk.do(RecordEntry(game.id, EntryKind.MOVE, game.seat_of[player.name], 0, "", message.payload))

    def left(self, game: Game, player: Link, cause: Cause) -> None:
        """A player is out of the game."""
        self._desk.do(RecordEntry(game.id, EntryKind.LEFT, game.seat_of[player.name], text=str(cause)))

    def error(self, link: Link, text: str) -> None:
        """A player in a running game reports an error."""
        self._said(EntryKind.ERROR, link, text)

    def refused(self, link: Link, text: str, about: str) -> None:
        """A player in a running game, or a master about a running game of its, said something wrong and is told so."""
        if link.master is None:
            self._said(EntryKind.REFUSED, link, text)
        elif about in link.master.games:
            self._desk.do(RecordEntry(about, EntryKind.REFUSED, text=text))

    def away(self, game: Game) -> None:
        """The connection of the master is lost, and the game waits for it."""
        self._desk.do(RecordEntry(game.id, EntryKind.AWAY))

    def verdict(self, game: Game, verdict: Verdict) -> None:
        """The game has ended."""
        culprit = f" of {verdict.culprit}" if verdict.culprit is not None else ""
        said = ", said the server" if verdict.by_server else ""
        text = f"{verdict.cause}, fault: {verdict.fault}{culprit}{said}"
        self._desk.do(RecordEntry(game.id, EntryKind.VERDICT, text=text))

    def _said(self, kind: EntryKind, link: Link, text: str) -> None:
        game = link.game
        if game is not None and game.ending is None:
            self._desk.do(RecordEntry(game.id, kind, game.seat_of[link.name], text=text))
