"""What each message of the broker means for the players it goes to."""

from collections.abc import Callable, Sequence
from typing import Any

from game_masters.apologies.board import COLOURS
from game_masters.apologies.gateway import boards, events
from game_masters.apologies.gateway.boards import Board
from game_masters.apologies.gateway.events import CancelReason, GamePlayer, HistoryItem, PlayerType, Reason
from game_masters.apologies.gateway.registry import GAME_TYPE, Match, Player, Registry, advertised
from game_masters.apologies.notation import read_view
from game_masters.apologies.views import View
from game_masters.kit.rules import Unreadable
from ugs.wire import extensions as x
from ugs.wire.messages import Error, GameState, LoginResponse, Message, PlayerResult, Result, ThankYou

STILL_THERE = "still there?"
"""The reference of the gateway's own question whether a player is still in its game."""

CANCELLED_BECAUSE = {reason.value: reason for reason in CancelReason}


class Deliveries:
    """Handles what the broker delivers."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        answer = self._answer
        self._meaning: dict[type[Message], Callable[[Sequence[Player], Any], None]] = {
            x.Ok: answer,
            x.Players: answer,
            x.Tables: answer,
            x.Advertised: answer,
            x.Joined: self._joined,
            x.Failed: self._failed,
            x.Invitation: self._invitation,
            x.Seats: self._seats,
            x.GameEnded: self._ended,
            x.Said: self._chat,
            x.Warn: self._warned,
            GameState: self._state,
            Error: self._error,
        }

    def delivered(self, conns: Sequence[int], message: Message) -> None:
        """Handle a message of the broker for these players. Messages that mean nothing to the clients are dropped."""
        registry = self._registry
        if isinstance(message, LoginResponse):  # to a player who is not registered yet
            registry.answer = message
            return
        meaning = self._meaning.get(type(message))
        if meaning is not None:
            meaning([registry.by_conn[conn] for conn in conns if conn in registry.by_conn], message)

    # Answers to requests. Other messages are passed on in the order of their arrival.

    def _answer(self, _players: Sequence[Player], message: Message) -> None:
        self._registry.answer = message
        if isinstance(message, x.Advertised):
            self._sits(_players, message.table)

    def _joined(self, players: Sequence[Player], message: x.Joined) -> None:
        self._registry.answer = message
        self._sits(players, message.table)

    def _failed(self, players: Sequence[Player], message: x.Failed) -> None:
        if message.ref != STILL_THERE:
            self._registry.answer = message
            return
        for player in players:
            if player.match is not None:
                text = events.game_cancelled(player.match.id, CancelReason.NOT_VIABLE, "you have been taken out of it")
                self._registry.send([player], text)
                self._registry.leaves(player)

    def _sits(self, players: Sequence[Player], table: x.TableInfo) -> None:
        for player in players:
            match = self._registry.sits(player, table)
            event = events.game_joined(player.handle, match.id, match.name, match.mode, match.advertiser)
            self._registry.send([player], event)

    # Lobby.

    def _invitation(self, players: Sequence[Player], message: x.Invitation) -> None:
        if message.table.game_type == GAME_TYPE:
            self._registry.send(players, events.game_invitation(advertised(message.table)))

    def _chat(self, players: Sequence[Player], message: x.Said) -> None:
        to = message.to or tuple(player.handle for player in players)
        self._registry.send(players, events.player_message_received(message.sender, to, message.text))

    def _seats(self, players: Sequence[Player], message: x.Seats) -> None:
        match = self._registry.matches.get(message.game_id)
        if match is None:
            return
        match.seats = message.seats
        there = [player for player in players if player.match is match]
        if any(seat.nick == match.mover and seat.state is x.SeatState.QUIT for seat in message.seats):
            match.busy = True  # the game master plays for the player who was to move
        if not match.playing and any(seat.state is x.SeatState.PLAYING for seat in message.seats):
            match.playing = match.busy = True
            self._registry.send(there, events.game_started(match.id))
        # A game that has begun is introduced with its first state, when the colours are known.
        if (not match.playing or match.introduced) and not self._is_given_up(match):
            self._registry.send(there, player_change(match, message.comment))

    def _is_given_up(self, match: Match) -> bool:
        """Return whether the advertiser has left a running game, which is cancelled then. A player of this gateway who
        is disconnected has left; others may come back."""
        seat = next((seat for seat in match.seats if seat.nick == match.advertiser), None)
        if not match.playing or seat is None:
            return False
        is_ours = any(player.handle == seat.nick for player in self._registry.players.values())
        return seat.state is x.SeatState.QUIT or (seat.state is x.SeatState.DISCONNECTED and is_ours)

    def _warned(self, players: Sequence[Player], message: x.Warn) -> None:
        match = self._registry.matches.get(message.game_id)
        if match is None:
            return
        idle = message.state is x.WarningState.IDLE
        self._registry.send(players, (events.game_idle if idle else events.game_inactive)(match.id))

    def _ended(self, players: Sequence[Player], message: x.GameEnded) -> None:
        match = self._registry.matches.get(message.game_id)
        if match is None or message.result is x.EndResult.COMPLETED:
            return  # the last state names the winners
        # At a shutdown SERVER_SHUTDOWN is all that clients receive.
        if message.reason != CancelReason.SHUTDOWN:
            reason = CANCELLED_BECAUSE.get(message.reason, CancelReason.NOT_VIABLE)
            # An advertiser who cancels gives no comment in this protocol.
            comment = None if match.unmade else match.farewell or message.comment
            match.ends_sent |= self._registry.send(players, events.game_cancelled(match.id, reason, comment))
        self._registry.over(match)

    # Play.

    def _state(self, players: Sequence[Player], message: GameState) -> None:
        """Keep the state for each player. Players with a state of their own get them one by one; they are shown when
        all are here."""
        registry, over = self._registry, message.game_over is not None
        if over:
            # v4 waits for each player's thanks; clients have no word for it.
            for player in players:
                registry.server.send_message(player.conn, ThankYou(message.game_id))
        match = registry.matches.get(message.game_id)
        if match is None:
            return
        match.busy, match.mover = False, message.next_player or ""
        view = self._read(message)
        for player in [one for one in players if one.match is match]:
            if over or (view is not None and seat_of(player, view) is not None):
                match.coming[player] = view
            else:
                self._cannot_be_shown(player, match)
        if match.coming and is_complete(match, over=over):
            self._show(match, message)

    def _read(self, message: GameState) -> View | None:
        """Return the view in a state; None if it is not one of this game. At the end the server may have nothing to
        show."""
        try:
            return read_view(message.payload)
        except Unreadable as error:
            if message.game_over is None or message.payload != NOTHING:
                note, game = self._registry.server.note, message.game_id
                note("state cannot be written as JSON", warning=True, game=game, why=str(error))
            return None

    def _cannot_be_shown(self, player: Player, match: Match) -> None:
        """Take a player out of a game that it cannot be shown, since it cannot play it."""
        registry, text = self._registry, "its game master sends something that this protocol cannot express"
        registry.send([player], events.game_cancelled(match.id, CancelReason.NOT_VIABLE, text))
        registry.leaves(player)
        registry.server.send_message(player.conn, x.Quit())
        registry.server.send_message(player.conn, x.Cancel())  # one of the two applies

    def _show(self, match: Match, message: GameState) -> None:
        """Show the states that have come, play by play to all players; then whose turn it is, or who has won."""
        registry, coming = self._registry, match.coming
        match.coming = {}
        shown = {player: (view, self._new_boards(player, view)) for player, view in coming.items() if view is not None}
        if shown and not match.introduced:
            match.introduced = True
            registry.send(match.players, player_change(match, "the game has begun"))
        for number in range(max((len(news) for _, news in shown.values()), default=0)):
            for player, (view, news) in shown.items():
                if number < len(news):
                    self._show_board(player, match, view, news[number], last=number == len(news) - 1)
        if message.game_over is not None:
            self._completed(match, message.game_over)
            return
        for player, (view, news) in shown.items():
            self._show_turn(player, match, view, asked=message.next_player == player.handle, news=bool(news))

    def _new_boards(self, player: Player, view: View) -> list[Board]:
        known, player.view = player.view, view
        if known is None:
            self._remember(player, f"game started ({view.mode})")
        return boards.boards(view, known.plays if known is not None else None)

    def _show_board(self, player: Player, match: Match, view: View, board: Board, *, last: bool) -> None:
        if board.play is not None:
            color, card = boards.color_of(board.play), str(board.play.kind)
            now = self._registry.server.date()
            player.history.append(HistoryItem(boards.action_text(board.play), color, card, now))
        if last and (winner := boards.winner(view)) is not None:
            self._remember(player, f"game over, {COLOURS[winner]} wins after {view.seats[winner].turns} turns")
        seat = seat_of(player, view)
        if seat is not None:
            self._registry.send([player], boards.state_event(match.id, view, board, seat, tuple(player.history)))

    def _show_turn(self, player: Player, match: Match, view: View, *, asked: bool, news: bool) -> None:
        if not asked:
            player.offers = None
            return
        if view.rejected is not None:
            text = events.request_failed(Reason.ILLEGAL_MOVE, "this move cannot be made", player.handle)
            self._registry.send([player], text)
        if news or player.offers is None:
            player.offers = {offer.id: offer for offer in view.offers}
            self._registry.send([player], boards.turn_event(match.id, player.handle, view))

    def _remember(self, player: Player, action: str) -> None:
        player.history.append(HistoryItem(action, None, None, self._registry.server.date()))

    def _completed(self, match: Match, results: Sequence[PlayerResult]) -> None:
        """Send to all in the game that it is over."""
        view = next((player.view for player in match.players if player.view is not None), None)
        self._registry.send(match.players, completed(match, view, results))
        self._registry.over(match)

    def _error(self, players: Sequence[Player], message: Error) -> None:
        """Handle an error that a player was sent: the player may be out of its game."""
        for player in players:
            if player.match is not None and player.match.playing:
                self._registry.server.note("error from the server", nick=player.handle, text=message.text)
                player.match.busy = False
                # An error names no game: whether the player is still in it shows when the state is asked for.
                self._registry.server.send_message(player.conn, x.Resend(player.match.id, STILL_THERE))


NOTHING = GameState("", None, None).payload
"""What the broker itself shows at the end of a game."""


def seat_of(player: Player, view: View) -> int | None:
    """Return the seat of a player; None if it has none."""
    return next((number for number, seat in enumerate(view.seats) if seat.nick == player.handle), None)


def is_complete(match: Match, *, over: bool) -> bool:
    """Return whether all players of this gateway have received as many plays as the furthest of them."""
    plays = max((view.plays for view in match.coming.values() if view is not None), default=0)
    return all(
        player in match.coming or (not over and player.view is not None and player.view.plays >= plays)
        for player in match.players
    )


def player_change(match: Match, comment: str) -> str:
    """Return the event with the players at a table or in a game."""
    seats = [
        GamePlayer(
            seat.nick,
            seat.label if seat.label in COLOURS else None,
            PlayerType.HUMAN if seat.kind is x.SeatKind.HUMAN else PlayerType.PROGRAMMATIC,
            str(seat.state),
        )
        for seat in match.seats
    ]
    return events.game_player_change(match.id, comment, seats)


def completed(match: Match, view: View | None, results: Sequence[PlayerResult]) -> str:
    """Return the event with the winner: the player whose pawns are all at home, or the one that the game master
    names."""
    seat = boards.winner(view) if view is not None else None
    if view is not None and seat is not None:
        winner = view.seats[seat]
        return events.game_completed(match.id, winner.nick, f"{winner.nick} won after {winner.turns} turns")
    nick = next((one.nick for one in results if one.result is Result.WINNER), None)
    # This protocol has no draws.
    if nick is None:
        return events.game_cancelled(match.id, CancelReason.NOT_VIABLE, "no player has won")
    return events.game_completed(match.id, nick, f"{nick} has won")
