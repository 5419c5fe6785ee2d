"""How what a master tells reaches the players: one state for all, or one for each (``x-views``).

Players always get an ordinary ``gameState``. It names one player to move; of several who may, each is named to itself
and the others are told the first of them.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from ugs.broker.desk import Desk
from ugs.broker.effects import RecordEntry, Send
from ugs.broker.game import Game, Shown
from ugs.broker.link import Link
from ugs.broker.record import movers_text
from ugs.broker.scribe import Scribe
from ugs.wire.extensions import Labels, SeatKind, Views
from ugs.wire.messages import GameState

NOTHING = b"<gameState/>"
"""What everybody sees for whom a master has no view."""


class Showing:
    """Writes down and sends what masters tell."""

    def __init__(self, desk: Desk, scribe: Scribe) -> None:
        self._desk = desk
        self._scribe = scribe

    def plain_turn(self, game: Game, message: GameState, seat: int) -> None:
        """Everybody gets the same state, in which the player of this seat may move."""
        self._scribe.state(game, seat, "", game.told, message.payload)
        game.latest = message
        if game.audience:
            self._desk.do(Send(game.audience, message))

    def turn(self, game: Game, message: Shown, named: Sequence[Link], spared: Collection[str] = ()) -> None:
        """Everybody gets the state in which these players may move, but for those who are spared: they have been
        asked before, and have not answered yet."""
        seats = [game.seat_of[link.name] for link in named]
        bodies, public = bodies_of(message)
        game.plain = False
        game.private = game.private or bool(bodies)
        shown = [nick for nick in game.present if nick not in spared]
        self._write_views(game, bodies, shown)
        told = sum(1 << game.seat_of[nick] for nick in shown if nick not in bodies)
        self._scribe.state(game, seats[0], movers_text(seats), told, public)
        self._pin(game, spared)
        names = {link.name for link in named}
        game.latest = GameState(game.id, named[0].name, None, public)
        for nick in shown:
            mover = nick if nick in names else named[0].name
            game.views[nick] = GameState(game.id, mover, None, bodies.get(nick, public))
        self._send(game, shown)

    def written_over(self, game: Game, message: Shown, *, by_server: bool) -> RecordEntry:
        """The result is written down and not told yet; the entry, to be released when it is."""
        bodies, public = bodies_of(message)
        self._write_views(game, bodies, list(game.present))
        told = sum(1 << game.seat_of[nick] for nick in game.present if nick not in bodies)
        assert message.game_over is not None
        return self._scribe.over(game, message.game_over, told, b"" if by_server else public)

    def over(self, game: Game, message: Shown) -> None:
        """Everybody who is still there is told the result."""
        bodies, public = bodies_of(message)
        game.latest = GameState(game.id, None, message.game_over, public)
        game.views = {
            nick: GameState(game.id, None, message.game_over, bodies[nick]) for nick in game.present if nick in bodies
        }
        self._send(game, list(game.present))

    def _write_views(self, game: Game, bodies: Mapping[str, bytes], shown: Sequence[str]) -> None:
        alike: dict[bytes, int] = {}
        for nick in shown:
            if nick in bodies:
                alike[bodies[nick]] = alike.get(bodies[nick], 0) | 1 << game.seat_of[nick]
        for body, told in alike.items():
            self._scribe.view(game, told, body)

    def _pin(self, game: Game, spared: Collection[str]) -> None:
        """What the spared were told last stays what they were told last."""
        for nick in spared:
            last = game.last_state(nick)
            assert last is not None
            game.views[nick] = last

    def _send(self, game: Game, nicks: Sequence[str]) -> None:
        if game.latest is not None and not game.views:
            self._desk.send_all([game.present[nick] for nick in nicks], game.latest)
            return
        alike: dict[GameState, list[Link]] = {}
        for nick in nicks:
            last = game.last_state(nick)
            assert last is not None
            alike.setdefault(last, []).append(game.present[nick])
        for state, links in alike.items():
            self._desk.send_all(links, state)


def bodies_of(message: Shown) -> tuple[dict[str, bytes], bytes]:
    """The payload of each player that is named with one, and that of everybody else."""
    if isinstance(message, GameState):
        return {}, message.payload
    bodies = {view.nick: view.payload for view in message.views}
    public = bodies.pop("", NOTHING)
    return bodies, public


def named_by(message: Shown) -> tuple[str, ...]:
    """The nicks of those who may move now; none when the game is over."""
    if isinstance(message, GameState):
        return () if message.next_player is None else (message.next_player,)
    return message.next_players


def without_leavers(game: Game, message: Views) -> Views:
    """A message that names several who may move, some of whom have just left: it names the others."""
    still_in = tuple([nick for nick in message.next_players if nick not in game.departures])
    return replace(message, next_players=still_in) if still_in else message


def wrong_views(game: Game, message: Views) -> Iterator[str]:
    """What is wrong with the views and the next players of a message, not with its results."""
    seen: set[str] = set()
    for view in message.views:
        if view.nick in seen:
            yield f"x-views: view nick {view.nick!r}: there twice"
        seen.add(view.nick)
        if view.nick and view.nick not in game.seat_of:
            yield f"x-views: view nick {view.nick!r}: not a player in game {game.id}"
    for place, nick in enumerate(message.next_players):
        if nick not in game.present:
            yield f"x-views: nextPlayer nick {nick!r}: not a player in game {game.id}"
        elif nick in message.next_players[:place]:
            yield f"x-views: nextPlayer nick {nick!r}: there twice"


def wrong_labels(game: Game, message: Labels) -> Iterator[str]:
    """What is wrong with the names that a master gives to seats."""
    nicks = [seat.nick for seat in message.seats]
    for place, seat in enumerate(message.seats):
        if seat.nick in nicks[:place]:
            yield f"x-labels: seat nick {seat.nick!r}: there twice"
        if seat.kind is SeatKind.HUMAN and seat.nick not in game.seat_of:
            yield f"x-labels: seat nick {seat.nick!r}: not a player in game {game.id}"
        if seat.kind is SeatKind.PROGRAM and seat.nick in game.present:
            yield f"x-labels: seat nick {seat.nick!r}: a player in game {game.id}, not a program"
