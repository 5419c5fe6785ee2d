"""News for players with a lobby: who sits where at tables and in all games, and why a game ended."""

from collections.abc import Iterable

from ugs.broker import facts
from ugs.broker.state.model import MAX_LISTED_SEATS, Game, Player, Table
from ugs.broker.state.phases import Phase
from ugs.broker.state.server_state import ServerState
from ugs.broker.verdict import CAUSES, LINE_LOST, Cause, Verdict
from ugs.broker.views.seat_infos import seat_infos
from ugs.wire.extensions import EndResult, Family, GameEnded, SeatInfo, SeatKind, Seats, SeatState

# Tables.


def table_seats(server: ServerState, table: Table, comment: str) -> None:
    """Send who sits at a table now; the comment explains the change. In a large one, only the last players to sit down
    are listed."""
    many = len(table.members) > MAX_LISTED_SEATS
    server.send_extension(
        table.members, Seats(table.id, comment, seats_of_table(table), len(table.members) if many else 0)
    )


def line_changed(server: ServerState, fact: facts.LineChanged) -> None:
    """The line of a player at a table is cut, or there again."""
    if fact.player.table is not None:
        table_seats(server, fact.player.table, fact.comment)


def cancelled(server: ServerState, table: Table, members: Iterable[Player], cause: Cause, comment: str) -> None:
    """A table was removed before a game began there; these players sat at it."""
    server.send_extension(members, GameEnded(table.id, EndResult.CANCELLED, cause.name, comment))


# Games.


def begun(server: ServerState, fact: facts.GameBegun) -> None:
    """Send the players who sits where."""
    _send_seats(server, fact.game, "the game has begun")


def seats_changed(server: ServerState, fact: facts.SeatsChanged) -> None:
    """Send the players who sits where now."""
    _send_seats(server, fact.game, fact.comment, fact.nick)


def ending(server: ServerState, fact: facts.GameEnding) -> None:
    """Send the players why their game has ended."""
    if any(player.may(Family.LOBBY) for player in fact.players):
        game, verdict = fact.game, fact.result.verdict
        end = EndResult.CANCELLED if verdict.void else EndResult.COMPLETED
        why = why_ended(game, verdict)
        # Only the master's own words show what it cannot do of what the table asked for.
        if verdict.cause is Cause.DECLINED and game.reasons.latest is not None and game.reasons.latest.text:
            why = f"{why}: {game.reasons.latest.text}"
        server.send_extension(fact.players, GameEnded(game.id, end, verdict.cause.name, why))


def _send_seats(server: ServerState, game: Game, comment: str, changed: str = "") -> None:
    # Their game is compared, since one that has thanked may sit elsewhere by now.
    hearers = [player for player in game.present.values() if player.may(Family.LOBBY) and player.game is game]
    if hearers:
        total = len(game.seats) if len(game.seats) > MAX_LISTED_SEATS else 0
        server.send_extension(hearers, Seats(game.id, comment, seats_of_game(game, changed), total))


# The content of the news.


def seats_of_table(table: Table) -> tuple[SeatInfo, ...]:
    """Return the seats of a table without a game, in the order of sitting down."""
    return tuple(
        [
            SeatInfo(player.name, SeatKind.HUMAN, SeatState.DISCONNECTED if player.away else SeatState.JOINED)
            for player in table.members[-MAX_LISTED_SEATS:]
        ]
    )


def seats_of_game(game: Game, changed: str = "") -> tuple[SeatInfo, ...]:
    """Return the seats of a game; in a large one, only the seat that has ``changed``, or the first ones."""
    still_there = SeatState.FINISHED if game.phase is Phase.OVER else SeatState.PLAYING
    return seat_infos(game, lambda nick: _state(game, nick, still_there), still_there, changed)


def why_gone(nick: str, cause: Cause) -> str:
    """Return why a player has left, for people."""
    return CAUSES[cause].notice.format(culprit=nick)


def why_ended(game: Game, verdict: Verdict) -> str:
    """Return why a game has ended, for people."""
    departures, cause, culprit = game.departures, verdict.cause, verdict.culprit
    if cause is Cause.NOT_VIABLE:
        return f"{why_gone(*next(reversed(departures.items())))}, and {CAUSES[cause].notice}"
    if culprit is not None and culprit in departures:
        return why_gone(culprit, departures[culprit])
    return CAUSES[cause].notice.format(culprit=culprit)


def _state(game: Game, nick: str, still_there: SeatState) -> SeatState:
    player = game.present.get(nick)
    if player is not None:
        return SeatState.DISCONNECTED if player.away else still_there
    return SeatState.DISCONNECTED if game.departures.get(nick) in LINE_LOST else SeatState.QUIT
