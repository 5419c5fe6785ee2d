"""What each request does.

For tables and games the service asks the broker, in the words of UGS. The broker checks in the order of this protocol,
so its refusals need only be put into JSON. When a method returns, everything that the request causes has been sent,
except the answer of the game master: until that comes, the game is ``busy``, and requests of its players wait.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from game_masters.apologies.gateway import boards, events, requests
from game_masters.apologies.gateway.deliveries import seat_of
from game_masters.apologies.gateway.events import CancelReason, Reason, RegisteredPlayer
from game_masters.apologies.gateway.registry import GAME_TYPE, Client, Entering, Player, Registry, advertised
from game_masters.apologies.gateway.requests import FromPlayer, Request
from game_masters.apologies.notation import write_move
from game_masters.apologies.views import Move, Optimal, Pick
from ugs.wire import extensions as x
from ugs.wire import messages as v4
from ugs.wire.messages import Choice, LoginError, LoginResponse, Message, PlayerLogin

FAMILIES = (x.Family.SESSION, x.Family.STATE, x.Family.LOBBY, x.Family.CHAT)

REFUSED_LOGIN = {LoginError.WRONG_NICK: Reason.DUPLICATE_USER}
"""Any other refusal means that there is no room."""

REASON_OF = {
    **{
        x.RefusalReason(reason.value): reason
        for reason in Reason
        if reason.value in [known.value for known in x.RefusalReason]
    },
    x.RefusalReason.NO_MASTER: Reason.GAME_LIMIT,
    x.RefusalReason.RATE_LIMIT: Reason.INVALID_REQUEST,
}
"""This protocol has no words for the last two: no game can begin now, and too many messages in the chat."""

NAMELESS = frozenset({Reason.INVALID_REQUEST, Reason.INVALID_PLAYER, Reason.INTERNAL_ERROR})
"""Refusals that do not name the player who sent the request."""


class Service:
    """Answers well-formed requests."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._of: dict[type[Request], Callable[[Player, Any], None]] = {
            requests.UnregisterPlayer: self._unregister,
            requests.ListPlayers: self._list_players,
            requests.AdvertiseGame: self._advertise,
            requests.ListAvailableGames: self._list_games,
            requests.JoinGame: self._join,
            requests.QuitGame: self._quit,
            requests.StartGame: self._start,
            requests.CancelGame: self._cancel,
            requests.ExecuteMove: self._execute,
            requests.OptimalMove: self._optimal,
            requests.RetrieveGameState: self._retrieve,
            requests.SendMessage: self._send_message,
        }

    def serve(self, client: Client, request: Request) -> None:
        """Do what a client asks for, or refuse it."""
        if not isinstance(request, FromPlayer):
            self._register(client, request.handle, request.token)
            return
        player = self._registry.players.get(request.player_id)
        if isinstance(request, requests.ReregisterPlayer):
            if player is None:
                self._register(client, request.handle, request.token)
            else:
                self._reregister(client, player)
        elif player is None:
            self._registry.refuse(client, Reason.INVALID_PLAYER, "no player has this id")
        # Upstream carries it out and answers on the other connection, where there may be none.
        elif player.client is not client:
            text = "this player is on another connection; register again here first"
            self._registry.refuse(client, Reason.INVALID_PLAYER, text)
        else:
            self._registry.active(player)
            self._of[type(request)](player, request)

    def remove(self, player: Player, why: str) -> None:
        """Remove a player for good: it leaves its game, and its id and handle are free."""
        registry, match, client = self._registry, player.match, player.client
        comment, advertised_it = f"{player.handle} {why}", match is not None and match.advertiser == player.handle
        if match is not None and advertised_it:
            match.farewell = comment
        registry.forget(player)
        registry.server.send_message(player.conn, v4.Logout())
        if client is None:
            return
        if match is not None and advertised_it and client.number not in match.ends_sent:
            registry.server.send(client.number, events.game_cancelled(match.id, CancelReason.CANCELLED, comment))
        registry.server.send(client.number, events.player_unregistered(player.handle))

    # Coming and going.

    def _register(self, client: Client, handle: str, token: str) -> None:
        registry, server = self._registry, self._registry.server
        # Before the handle is looked at: the order in which upstream refuses.
        if len(registry.players) >= registry.settings.max_players:
            registry.refuse(client, Reason.USER_LIMIT, "as many players are registered as there may be", handle)
            return
        conn = server.connect(client.address)
        server.send_message(conn, x.Hello(tuple(FAMILIES), "apologies gateway", token=token))
        client.entering = Entering(conn, handle)
        registry.entering[conn] = client
        answer = registry.ask(conn, PlayerLogin(handle, GAME_TYPE))
        if isinstance(answer, LoginResponse):
            self.answered(client, answer)
        elif registry.turned_away == conn:
            self.answered(client, None)

    def answered(self, client: Client, answer: LoginResponse | None) -> None:
        """The broker has answered the login of the player that a client registers; None: it has hung up instead."""
        registry, server, entering = self._registry, self._registry.server, client.entering
        assert entering is not None
        conn, handle = entering.conn, entering.handle
        client.entering = None
        del registry.entering[conn]
        if answer is None or answer.error is not None:
            server.disconnect(conn)
            error = answer.error if answer is not None else None
            reason = Reason.USER_LIMIT if error is None else REFUSED_LOGIN.get(error, Reason.USER_LIMIT)
            taken = reason is Reason.DUPLICATE_USER
            what = "is taken" if registry.config.auth == "none" else "is taken, or needs its token: HANDLE#TOKEN"
            comment = f"the handle {handle} {what}" if taken else "the server takes no more players now"
            registry.refuse(client, reason, comment, handle)
            return
        now = server.now()
        player = Player(server.new_id(), handle, conn, client, server.date(), now, server.date())
        registry.players[player.id] = registry.by_conn[conn] = player
        client.players.append(player)
        client.active_at = now
        server.send(client.number, events.player_registered(player.id, handle))

    def _reregister(self, client: Client, player: Player) -> None:
        old = player.client
        if old is not client:
            if old is not None:
                # Upstream leaves it on the old connection's list: when that closes, the player is lost in the middle of
                # a game.
                old.players.remove(player)
            player.client = client
            client.players.append(player)
            if old is None:
                self._registry.server.reachable(player.conn, there=True)
        self._registry.active(player)
        self._registry.send([player], events.player_registered(player.id, player.handle))
        # The game goes on where it is, so its state comes once more, and the turn.
        if old is not client:
            self._show_game(player)

    def _unregister(self, player: Player, _request: requests.UnregisterPlayer) -> None:
        self.remove(player, "has unregistered")

    def _list_players(self, player: Player, _request: requests.ListPlayers) -> None:
        """List all players who could sit at the tables of this game type. Others do not matter to the clients."""
        answer = self._ask(player, x.ListPlayers())
        if isinstance(answer, x.Players):
            own = {one.handle: one for one in self._registry.players.values()}
            # Players of other nodes sit at tables there.
            node = self._registry.config.node
            here = [info for info in answer.players if (info.game_type, info.node) == (GAME_TYPE, node)]
            listed = [self._registered(info, own.get(info.nick)) for info in here]
            listed.sort(key=lambda one: one.registration_date)
            self._registry.send([player], events.registered_players(listed))

    def _registered(self, info: x.PlayerInfo, own: Player | None) -> RegisteredPlayer:
        """Return what is known of a player. For a player of this gateway (``own``), only requests count as activity."""
        date = self._registry.server.date()
        since, active = date - timedelta(seconds=info.since_s), date - timedelta(seconds=info.active_s)
        connection, activity = info.connection, info.activity
        if own is not None:
            since, active = own.registered, own.active_date
            idle = own.client is None or own.warned_of == own.active_at
            connection, activity = "DISCONNECTED" if own.client is None else "CONNECTED", "IDLE" if idle else "ACTIVE"
        return RegisteredPlayer(info.nick, since, active, connection, activity, info.play, info.game_id or None)

    # Tables.

    def _advertise(self, player: Player, request: requests.AdvertiseGame) -> None:
        new_table = x.NewTable(
            request.name,
            request.players,
            request.visibility,
            options=(Choice("mode", str(request.mode)),),
            # A handle that is named twice is invited once.
            invited=tuple(dict.fromkeys(request.invited_handles)),
        )
        answer = self._ask(player, x.Advertise(new_table))
        if isinstance(answer, x.Advertised):
            self._registry.send([player], events.game_advertised(advertised(answer.table)))

    def _list_games(self, player: Player, _request: requests.ListAvailableGames) -> None:
        answer = self._ask(player, x.ListTables())
        if isinstance(answer, x.Tables):
            self._registry.send([player], events.available_games([advertised(table) for table in answer.tables]))

    def _join(self, player: Player, request: requests.JoinGame) -> None:
        over = player.match is None and request.game_id in self._registry.finished
        self._ask(player, x.Join(request.game_id), "this game is over" if over else "")

    def _quit(self, player: Player, _request: requests.QuitGame) -> None:
        """Take the player out of its game. It is informed first; those who stay then see the seat change."""
        registry, match = self._registry, player.match
        # An advertiser may not quit: the broker's refusal goes to the client.
        if match is not None and match.advertiser != player.handle:
            registry.leaves(player)
            registry.send([player], events.game_player_quit(player.handle, match.id))
        self._ask(player, x.Quit())

    def _start(self, player: Player, _request: requests.StartGame) -> None:
        self._ask(player, x.Start())

    def _cancel(self, player: Player, _request: requests.CancelGame) -> None:
        if player.match is not None and player.match.advertiser == player.handle:
            player.match.unmade = True
        self._ask(player, x.Cancel())

    # Play.

    def _execute(self, player: Player, request: requests.ExecuteMove) -> None:
        if self._may_move(player):
            if player.offers is None or request.move_id not in player.offers:
                self._refuse(player, Reason.ILLEGAL_MOVE, "this is none of the moves that can be made now")
            else:
                self._move(player, Pick(request.move_id))

    def _optimal(self, player: Player, _request: requests.OptimalMove) -> None:
        if self._may_move(player):
            self._move(player, Optimal())

    def _may_move(self, player: Player) -> bool:
        if self._plays(player):
            if player.offers is not None:
                return True
            self._refuse(player, Reason.NO_MOVE_PENDING, "it is not your turn")
        return False

    def _plays(self, player: Player) -> bool:
        if player.match is None:
            self._refuse(player, Reason.NOT_PLAYING, "you are in no game")
        elif not player.match.playing:
            self._refuse(player, Reason.INVALID_GAME, "this game has not begun")
        else:
            return True
        return False

    def _move(self, player: Player, move: Move) -> None:
        assert player.match is not None
        player.offers, player.match.busy = None, True
        self._registry.server.send_message(player.conn, v4.Move(player.match.id, write_move(move)))

    def _retrieve(self, player: Player, _request: requests.RetrieveGameState) -> None:
        if self._plays(player):
            assert player.match is not None
            self._registry.server.send_message(player.conn, x.Resend(player.match.id))  # counts as activity in the game
            self._show_game(player)

    def _show_game(self, player: Player) -> None:
        """Send a player the state of its game, and its turn if it has it."""
        match, view = player.match, player.view
        if match is None or view is None:
            return
        board, seat = boards.last_board(view), seat_of(player, view)
        if seat is not None:
            self._registry.send([player], boards.state_event(match.id, view, board, seat, tuple(player.history)))
        if player.offers is not None:
            self._registry.send([player], boards.turn_event(match.id, player.handle, view))

    def _send_message(self, player: Player, request: requests.SendMessage) -> None:
        self._ask(player, x.Say(request.recipient_handles, "", request.message))

    # Asking and refusing.

    def _ask(self, player: Player, question: Message, comment: str = "") -> Message | None:
        """Ask the broker, and pass on a refusal, with ``comment`` instead of the broker's text if it is given."""
        answer = self._registry.ask(player.conn, question)
        if isinstance(answer, x.Failed):
            # The broker's texts begin with the name of its own message, which clients do not know.
            self._refuse(player, REASON_OF[answer.code], comment or answer.text.partition(": ")[2])
        return answer

    def _refuse(self, player: Player, reason: Reason, comment: str) -> None:
        assert player.client is not None
        self._registry.refuse(player.client, reason, comment, None if reason in NAMELESS else player.handle)
