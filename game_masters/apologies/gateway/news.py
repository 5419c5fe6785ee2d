"""What each message of the broker means for the players to whom it goes."""

from collections.abc import Callable, Sequence
from typing import Any

from game_masters.apologies.board import COLOURS
from game_masters.apologies.gateway import boards, events
from game_masters.apologies.gateway.boards import Board
from game_masters.apologies.gateway.events import CancelReason, GamePlayer, HistoryItem, PlayerType, Reason
from game_masters.apologies.gateway.hall import GAME_TYPE, Hall, Match, Player
from game_masters.apologies.gateway.tables import advertised
from game_masters.apologies.notation import read_view
from game_masters.apologies.views import View
from game_masters.kit.rules import Unreadable
from ugs.wire import extensions as x
from ugs.wire.messages import Error, GameState, LoginResponse, Message, PlayerResult, Result, ThankYou

STILL_THERE = "still there?"
"""The reference of our own question whether a player is still in its game."""

CANCELLED_BECAUSE = {reason.value: reason for reason in CancelReason}


class News:
    """Takes in what the broker delivers."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
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
            x.Said: self._said,
            x.Warn: self._warned,
            GameState: self._state,
            Error: self._error,
        }

    def delivered(self, conns: Sequence[int], message: Message) -> None:
        """The broker has this for these players. What means nothing to the clients is dropped."""
        hall = self._hall
        if isinstance(message, LoginResponse):  # to somebody who is no player yet
            hall.answer = message
            return
        meaning = self._meaning.get(type(message))
        if meaning is not None:
            meaning([hall.by_conn[conn] for conn in conns if conn in hall.by_conn], message)

    # Answers to requests. What comes besides is told in the order in which it comes.

    def _answer(self, _players: Sequence[Player], message: Message) -> None:
        self._hall.answer = message
        if isinstance(message, x.Advertised):
            self._sits(_players, message.table)

    def _joined(self, players: Sequence[Player], message: x.Joined) -> None:
        self._hall.answer = message
        self._sits(players, message.table)

    def _failed(self, players: Sequence[Player], message: x.Failed) -> None:
        if message.ref != STILL_THERE:
            self._hall.answer = message
            return
        for player in players:
            if player.match is not None:
                text = events.game_cancelled(player.match.id, CancelReason.NOT_VIABLE, "you have been taken out of it")
                self._hall.tell([player], text)
                self._hall.leaves(player)

    def _sits(self, players: Sequence[Player], table: x.TableInfo) -> None:
        for player in players:
            match = self._hall.sits(player, table)
            told = events.game_joined(player.handle, match.id, match.name, match.mode, match.advertiser)
            self._hall.tell([player], told)

    # Lobby.

    def _invitation(self, players: Sequence[Player], message: x.Invitation) -> None:
        if message.table.game_type == GAME_TYPE:
            self._hall.tell(players, events.game_invitation(advertised(message.table)))

    def _said(self, players: Sequence[Player], message: x.Said) -> None:
        to = message.to or tuple(player.handle for player in players)
        self._hall.tell(players, events.player_message_received(message.sender, to, message.text))

    def _seats(self, players: Sequence[Player], message: x.Seats) -> None:
        match = self._hall.matches.get(message.game_id)
        if match is None:
            return
        match.seats = message.seats
        there = [player for player in players if player.match is match]
        if any(seat.nick == match.mover and seat.state is x.SeatState.QUIT for seat in message.seats):
            match.busy = True  # the game master plays for who was to move
        if not match.playing and any(seat.state is x.SeatState.PLAYING for seat in message.seats):
            match.playing = match.busy = True
            self._hall.tell(there, events.game_started(match.id))
        if (not match.playing or match.introduced) and not self._is_given_up(match):
            self._hall.tell(there, player_change(match, message.comment))

    def _is_given_up(self, match: Match) -> bool:
        """Whether its advertiser has left a game, which is cancelled then. One of ours who is disconnected has left;
        others may come back."""
        seat = next((seat for seat in match.seats if seat.nick == match.advertiser), None)
        if not match.playing or seat is None:
            return False
        is_ours = any(player.handle == seat.nick for player in self._hall.players.values())
        return seat.state is x.SeatState.QUIT or (seat.state is x.SeatState.DISCONNECTED and is_ours)

    def _warned(self, players: Sequence[Player], message: x.Warn) -> None:
        match = self._hall.matches.get(message.game_id)
        if match is None:
            return
        idle = message.state is x.WarningState.IDLE
        self._hall.tell(players, (events.game_idle if idle else events.game_inactive)(match.id))

    def _ended(self, players: Sequence[Player], message: x.GameEnded) -> None:
        match = self._hall.matches.get(message.game_id)
        if match is None or message.result is x.EndResult.COMPLETED:
            return  # the last state says who has won
        if message.reason != CancelReason.SHUTDOWN:
            reason = CANCELLED_BECAUSE.get(message.reason, CancelReason.NOT_VIABLE)
            comment = None if match.unmade else match.farewell or message.comment
            match.told_end |= self._hall.tell(players, events.game_cancelled(match.id, reason, comment))
        self._hall.over(match)

    # Play.

    def _state(self, players: Sequence[Player], message: GameState) -> None:
        """Where each has a state of its own they come one by one: they are shown when all are here."""
        hall, over = self._hall, message.game_over is not None
        if over:
            for player in players:
                hall.server.say(player.conn, ThankYou(message.game_id))
        match = hall.matches.get(message.game_id)
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
        """The view in a state; None when it is none of this game. At the end the server may have nothing to show."""
        try:
            return read_view(message.payload)
        except Unreadable as error:
            if message.game_over is None or message.payload != NOTHING:
                note, game = self._hall.server.note, message.game_id
                note("state cannot be told in JSON", warning=True, game=game, why=str(error))
            return None

    def _cannot_be_shown(self, player: Player, match: Match) -> None:
        """Who cannot be shown its game cannot play it."""
        hall, text = self._hall, "its game master says something that cannot be told here"
        hall.tell([player], events.game_cancelled(match.id, CancelReason.NOT_VIABLE, text))
        hall.leaves(player)
        hall.server.say(player.conn, x.Quit())
        hall.server.say(player.conn, x.Cancel())  # one of the two is right

    def _show(self, match: Match, message: GameState) -> None:
        """What has come, play by play to everybody; then whose turn it is, or who has won."""
        hall, coming = self._hall, match.coming
        match.coming = {}
        shown = {player: (view, self._new_boards(player, view)) for player, view in coming.items() if view is not None}
        if shown and not match.introduced:
            match.introduced = True
            hall.tell(match.players, player_change(match, "the game has begun"))
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
            player.history.append(HistoryItem(boards.action_text(board.play), color, card, self._hall.server.date()))
        if last and (winner := boards.winner(view)) is not None:
            self._remember(player, f"game over, {COLOURS[winner]} wins after {view.seats[winner].turns} turns")
        seat = seat_of(player, view)
        if seat is not None:
            self._hall.tell([player], boards.state_event(match.id, view, board, seat, tuple(player.history)))

    def _show_turn(self, player: Player, match: Match, view: View, *, asked: bool, news: bool) -> None:
        if not asked:
            player.offers = None
            return
        if view.rejected is not None:
            text = events.request_failed(Reason.ILLEGAL_MOVE, "this move cannot be made", player.handle)
            self._hall.tell([player], text)
        if news or player.offers is None:
            player.offers = {offer.id: offer for offer in view.offers}
            self._hall.tell([player], boards.turn_event(match.id, player.handle, view))

    def _remember(self, player: Player, action: str) -> None:
        player.history.append(HistoryItem(action, None, None, self._hall.server.date()))

    def _completed(self, match: Match, results: Sequence[PlayerResult]) -> None:
        """The game is over for all who were there."""
        view = next((player.view for player in match.players if player.view is not None), None)
        self._hall.tell(match.players, completed(match, view, results))
        self._hall.over(match)

    def _error(self, players: Sequence[Player], message: Error) -> None:
        """Something has gone wrong for a player: it may be out of its game."""
        for player in players:
            if player.match is not None and player.match.playing:
                self._hall.server.note("error from the server", nick=player.handle, text=message.text)
                player.match.busy = False
                self._hall.server.say(player.conn, x.Resend(player.match.id, STILL_THERE))


NOTHING = GameState("", None, None).payload
"""What the broker itself shows at the end of a game."""


def seat_of(player: Player, view: View) -> int | None:
    """Where a player sits; None when it does not."""
    return next((number for number, seat in enumerate(view.seats) if seat.nick == player.handle), None)


def is_complete(match: Match, *, over: bool) -> bool:
    """Whether everybody of ours has been told as much as those who have been told most."""
    plays = max((view.plays for view in match.coming.values() if view is not None), default=0)
    return all(
        player in match.coming or (not over and player.view is not None and player.view.plays >= plays)
        for player in match.players
    )


def player_change(match: Match, comment: str) -> str:
    """Who sits at a table or in a game."""
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
    """Who has won: whose pawns are all at home, or whom the game master names."""
    seat = boards.winner(view) if view is not None else None
    if view is not None and seat is not None:
        winner = view.seats[seat]
        return events.game_completed(match.id, winner.nick, f"{winner.nick} won after {winner.turns} turns")
    nick = next((one.nick for one in results if one.result is Result.WINNER), None)
    if nick is None:
        return events.game_cancelled(match.id, CancelReason.NOT_VIABLE, "nobody has won")
    return events.game_completed(match.id, nick, f"{nick} has won")
