"""Writes down what happens in games: each method asks the shell to record one entry.

It is called before anything is sent, so what anybody is told is on its way to the journal already. What everybody may
know is also kept in the game's history, for spectators and for a master that takes the game over; the end of a game
only when it has been announced (:meth:`Scribe.released`).
"""

from collections.abc import Sequence

from ugs.broker.desk import Desk
from ugs.broker.effects import RecordBegin, RecordEntry
from ugs.broker.game import Game
from ugs.broker.link import Link
from ugs.broker.onlookers import Onlookers
from ugs.broker.record import EntryKind, labels_text, results_text
from ugs.broker.verdict import Cause, Verdict
from ugs.wire.extensions import Label
from ugs.wire.messages import Move, PlayerResult

PUBLIC = frozenset(
    {EntryKind.BEGIN, EntryKind.STATE, EntryKind.MOVE, EntryKind.LEFT, EntryKind.OVER, EntryKind.VERDICT}
)
"""What spectators hear of."""

STATE, MOVE = EntryKind.STATE, EntryKind.MOVE
"""The kinds of nearly all entries, by names of their own, as those are found faster."""


class Scribe:
    """The scribe of all games of one broker."""

    def __init__(self, desk: Desk, onlookers: Onlookers) -> None:
        self._desk = desk
        self._onlookers = onlookers
        self._most_bytes = desk.config.watch_history_bytes

    def begin(self, game: Game) -> None:
        """The master is asked to lead this game."""
        fixture, setting = game.fixture, game.setting
        self._desk.do(
            RecordBegin(
                game.id,
                game.type.name,
                game.master.name,
                game.seats,
                setting.options,
                championship=game.championship.name if game.championship is not None else "",
                fixture=fixture.number if fixture is not None else 0,
                seats_total=setting.total,
                seed=setting.seed,
                counts=len(game.seats) > 1,
                table=setting.table.facts if setting.table is not None else {},
            )
        )
        self._public(game, RecordEntry(game.id, EntryKind.BEGIN))

    def state(self, game: Game, seat: int, movers: str, told: int, body: bytes) -> None:
        """The master names who may move (several: all of them in ``movers``); ``told`` get this body."""
        game.history_bytes += len(body)
        if game.history_bytes > self._most_bytes:
            forget_states(game, self._most_bytes)
        self._public(game, RecordEntry(game.id, STATE, seat, told, movers, body))

    def view(self, game: Game, told: int, body: bytes) -> None:
        """The players on these seats get a body of their own."""
        self._desk.do(RecordEntry(game.id, EntryKind.VIEW, None, told, "", body))

    def over(self, game: Game, results: Sequence[PlayerResult], told: int, body: bytes) -> RecordEntry:
        """The master tells the result (or the server in its place, without a body); the entry, to be released."""
        seats = [(game.seat_of[one.nick], one.result.value) for one in results if one.nick in game.seat_of]
        entry = RecordEntry(game.id, EntryKind.OVER, None, told, results_text(seats), body)
        self._desk.do(entry)
        return entry

    def move(self, game: Game, player: Link, message: Move) -> None:
        """A player moves."""
        self._public(game, RecordEntry(game.id, MOVE, game.seat_of[player.name], 0, "", message.payload))

    def left(self, game: Game, player: Link, cause: Cause) -> None:
        """A player is out of the game."""
        self._public(game, RecordEntry(game.id, EntryKind.LEFT, game.seat_of[player.name], text=str(cause)))

    def cut(self, game: Game, player: Link) -> None:
        """The line of a player is cut, and its seat waits."""
        self._desk.do(RecordEntry(game.id, EntryKind.CUT, game.seat_of[player.name]))

    def back(self, game: Game, player: Link) -> None:
        """That player is there again."""
        self._desk.do(RecordEntry(game.id, EntryKind.BACK, game.seat_of[player.name]))

    def labels(self, game: Game, labels: Sequence[Label]) -> None:
        """The master names the seats."""
        self._desk.do(RecordEntry(game.id, EntryKind.LABELS, text=labels_text(labels)))

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
        """The connection of the master is lost, and the game waits for another one."""
        self._desk.do(RecordEntry(game.id, EntryKind.AWAY))

    def restored(self, game: Game) -> None:
        """A master has taken the game over."""
        self._desk.do(RecordEntry(game.id, EntryKind.RESTORED, text=game.master.name))

    def verdict(self, game: Game, verdict: Verdict) -> RecordEntry:
        """The game has ended; the entry, to be released."""
        culprit = f" of {verdict.culprit}" if verdict.culprit is not None else ""
        said = ", said the server" if verdict.by_server else ""
        text = f"{verdict.cause}, fault: {verdict.fault}{culprit}{said}"
        entry = RecordEntry(game.id, EntryKind.VERDICT, text=text)
        self._desk.do(entry)
        return entry

    def released(self, game: Game, *entries: RecordEntry) -> None:
        """These entries, recorded before, may be known to everybody from now on."""
        for entry in entries:
            game.history.append((self._desk.now, entry))
            if game.watched:
                self._tell(game, entry)

    def _public(self, game: Game, entry: RecordEntry) -> None:
        desk = self._desk
        desk.do(entry)
        game.history.append((desk.now, entry))
        if game.watched:
            self._tell(game, entry)

    def _tell(self, game: Game, entry: RecordEntry) -> None:
        for tell in self._onlookers.entry:
            tell(game, entry)

    def _said(self, kind: EntryKind, link: Link, text: str) -> None:
        game = link.game
        if game is not None and not game.ended:
            self._desk.do(RecordEntry(game.id, kind, game.seat_of[link.name], text=text))


def forget_states(game: Game, most_bytes: int) -> None:
    """Take the bodies out of the oldest states in the history until they have no more than so many bytes."""
    history = game.history
    while game.history_bytes > most_bytes and game.forgotten < len(history):
        moment, entry = history[game.forgotten]
        if entry.kind is EntryKind.STATE:
            game.history_bytes -= len(entry.body)
            history[game.forgotten] = moment, RecordEntry(entry.game_id, entry.kind, entry.seat, 0, entry.text)
        game.forgotten += 1
