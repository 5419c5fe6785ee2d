"""News for the lobby: who sits where, at tables and in games of all kinds, and why a game has ended."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from ugs.broker.desk import Desk
from ugs.broker.ending import VOID_TEXT
from ugs.broker.game import Game, Phase
from ugs.broker.link import Link
from ugs.broker.onlookers import Onlookers
from ugs.broker.verdict import Cause, GameResult, Verdict
from ugs.wire.extensions import EndResult, Family, GameEnded, SeatInfo, SeatKind, Seats, SeatState

if TYPE_CHECKING:
    from ugs.broker.extensions.tables import GameTable

GONE: Final[dict[Cause, str]] = {
    Cause.LEFT: "{nick} has left",
    Cause.LOGOUT: "{nick} has logged out",
    Cause.DISCONNECTED: "the line of {nick} is lost",
    Cause.TIMEOUT: "{nick} has not moved in time",
    Cause.REMOVED: "the game master has removed {nick}",
}
ENDED: Final[dict[Cause, str]] = {
    Cause.FINISHED: "the game master has said who won",
    Cause.DRAW: "nobody has won",
    Cause.INACTIVE: "nothing has happened for long",
    Cause.DECLINED: "the game master cannot lead this game",
}


class News:
    """Tells everybody who has a lobby; the others never notice."""

    def __init__(self, desk: Desk, onlookers: Onlookers) -> None:
        self._desk = desk
        onlookers.begun.append(self._begun)
        onlookers.seats.append(self._seats)
        onlookers.ending.append(self._ending)

    def seats(self, table: "GameTable", comment: str) -> None:
        """Who sits at a table has changed; the comment says how."""
        self._desk.tell(table.members, Seats(table.id, comment, seats_of_table(table)))

    def cancelled(self, table: "GameTable", members: Iterable[Link], cause: Cause, comment: str) -> None:
        """A table has been put away before a game began there; these sat at it."""
        self._desk.tell(members, GameEnded(table.id, EndResult.CANCELLED, cause.name, comment))

    def _begun(self, game: Game) -> None:
        self._seats(game, "the game has begun")

    def _seats(self, game: Game, comment: str) -> None:
        hearers = [link for link in game.present.values() if link.may(Family.LOBBY) and link.game is game]
        if hearers:
            self._desk.tell(hearers, Seats(game.id, comment, seats_of_game(game)))

    def _ending(self, game: Game, result: GameResult, players: Sequence[Link]) -> None:
        if any(link.may(Family.LOBBY) for link in players):
            verdict = result.verdict
            end = EndResult.CANCELLED if verdict.void else EndResult.COMPLETED
            self._desk.tell(players, GameEnded(game.id, end, verdict.cause.name, why_ended(game, verdict)))


def seats_of_table(table: "GameTable") -> tuple[SeatInfo, ...]:
    """Who sits at a table at which no game has begun, in the order in which they sat down."""
    return tuple(
        [
            SeatInfo(link.name, SeatKind.HUMAN, SeatState.DISCONNECTED if link.away else SeatState.JOINED)
            for link in table.members
        ]
    )


def seats_of_game(game: Game) -> tuple[SeatInfo, ...]:
    """Who sits where in a game: its players in the order of their seats, then the seats that the master plays, as far
    as it has named them."""
    label_of = {label.nick: label.label for label in game.labels}
    still_there = SeatState.FINISHED if game.phase is Phase.OVER else SeatState.PLAYING
    humans = [
        SeatInfo(nick, SeatKind.HUMAN, _state(game, nick, still_there), label_of.get(nick, "")) for nick in game.seats
    ]
    programs = [
        SeatInfo(label.nick, SeatKind.PROGRAM, still_there, label.label)
        for label in game.labels
        if label.kind is SeatKind.PROGRAM and label.nick not in game.seat_of
    ]
    return (*humans, *programs)


def why_gone(nick: str, cause: Cause) -> str:
    """What has become of a player, for people."""
    return GONE[cause].format(nick=nick)


def why_ended(game: Game, verdict: Verdict) -> str:
    """Why a game has ended, for people."""
    departures, cause, culprit = game.departures, verdict.cause, verdict.culprit
    if cause is Cause.NOT_VIABLE:
        return f"{why_gone(*next(reversed(departures.items())))}, and too few are left"
    if culprit is not None and culprit in departures:
        return why_gone(culprit, departures[culprit])
    if cause is Cause.CANCELLED:
        return f"{culprit} has cancelled it"
    return ENDED.get(cause) or VOID_TEXT[cause]


def _state(game: Game, nick: str, still_there: SeatState) -> SeatState:
    player = game.present.get(nick)
    if player is not None:
        return SeatState.DISCONNECTED if player.away else still_there
    return SeatState.DISCONNECTED if game.departures.get(nick) is Cause.DISCONNECTED else SeatState.QUIT
