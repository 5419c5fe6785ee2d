"""Long random sessions: clients and peers of UGS send anything, right or wrong.

``agreement.py`` and, for the broker, the ``invariants.py`` of its own tests check the state after every step. These
tests check that the original clients can read every event, and that only requests are refused.
"""

import json
import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from game_masters.apologies.notation import write_move
from game_masters.apologies.views import Optimal
from tests.broker.house import Peer
from tests.game_masters.apologies.gateway.client import UpstreamClient
from tests.game_masters.apologies.gateway.stage import Client, Stage
from ugs.wire import extensions as x
from ugs.wire.messages import Choice, GameState, LeaveGame, Logout, Message, Move, ThankYou

STEPS = 250
MAX_CLIENTS, MAX_PEERS = 5, 4
HANDLES = ("ada", "Ada", "ben", "cyd", "dan", "eve", "fay", "gus", "hal")
SETTINGS: Mapping[str, Any] = {
    "first_idle_check_s": 30,
    "idle_check_s": 12,
    "gateway": {
        "max_connections": 4,
        "max_players": 6,
        "connection_idle_s": 12,
        "connection_inactive_s": 30,
        "finished_keep_s": 60,
    },
    "max_tables": 3,
    "max_table_games": 2,
    "player_idle_s": 90,
    "player_inactive_s": 180,
    "game_idle_s": 60,
    "game_inactive_s": 120,
    "session_grace_s": 20,
    "chat_per_minute": 3,
}


class Session:
    """One such session."""

    def __init__(self, seed: int, **settings: Any) -> None:
        self.dice = random.Random(seed)
        self.stage = Stage(luck=seed, **{**SETTINGS, **settings})
        self.clients: list[Client] = []
        self.guests: list[Peer] = []
        self.ids: dict[str, Client] = {}
        """Every id there ever was, with the last client that used it."""
        self.games = ["nowhere"]
        self.moves: dict[str, list[str]] = {}
        self.read = 0
        """How many of the sent events have been checked."""
        self.texts: dict[str, str] = {}
        """One event of each shape, by shape."""
        self.asker: Client | None = None
        self.steps: list[tuple[Callable[[], None], int]] = [
            (self.somebody_asks, 50),
            (self.somebody_plays, 60),
            (self.a_client_comes, 4),
            (self.a_client_registers, 8),
            (self.a_client_goes, 2),
            (self.a_client_talks_nonsense, 2),
            (self.a_peer_comes, 3),
            (self.a_peer_does_something, 20),
            (self.a_peer_goes, 2),
            (self.time_passes, 4),
            (self.the_master_pauses, 4),
            (self.the_master_goes, 1),
        ]

    def goes_on(self) -> None:
        """Make one random step."""
        (step,) = self.dice.choices([step for step, _ in self.steps], [weight for _, weight in self.steps])
        self.asker = None
        step()
        for peer in self.guests:
            self.thanks(peer)
        self.stage.settle()
        self.looks()

    def looks(self) -> None:
        """Check what has been sent since the last time."""
        for client, text in self.stage.post[self.read :]:
            event = json.loads(text)
            name, context = event["message"], event.get("context", {})
            self.texts.setdefault(f"{name} {context.get('reason')} {context.get('comment')}", text)
            if name == "PLAYER_REGISTERED":
                self.ids[event["player_id"]] = client
            if "game_id" in context:
                self.games.append(context["game_id"])
            if name == "GAME_PLAYER_TURN":
                self.moves[context["handle"]] = [*context["moves"]]
            if name == "REQUEST_FAILED" and not self.held and context["reason"] != "WEBSOCKET_LIMIT":
                assert client is self.asker, "a refusal without a request"
        self.read = len(self.stage.post)
        self.held = any(client.held for client in self.stage.gateway._registry.clients.values())

    held = False
    """Whether requests were waiting at the end of the previous step."""

    # Clients.

    def open_clients(self) -> list[Client]:
        self.clients = [one for one in self.clients if one.closed_with is None and not one.gone]
        return self.clients

    def a_client_comes(self) -> None:
        if len(self.open_clients()) < MAX_CLIENTS:
            self.clients.append(self.stage.client())

    def a_client_registers(self) -> None:
        if self.open_clients():
            self.asker = self.dice.choice(self.clients)
            self.asker.asks("REGISTER_PLAYER", handle=self.dice.choice(HANDLES))

    def a_client_goes(self) -> None:
        if self.open_clients():
            self.clients.pop(self.dice.randrange(len(self.clients))).goes()

    def a_client_talks_nonsense(self) -> None:
        if self.open_clients():
            self.asker = self.dice.choice(self.clients)
            if self.dice.random() < 0.5:
                self.asker.says('{"message": "DANCE"}')
            else:
                self.asker.says_bytes()

    def somebody_asks(self) -> None:
        """Send a request of a player, mostly from the player's client."""
        if not self.open_clients() or not self.ids:
            return
        id = self.dice.choice([*self.ids])
        client = self.ids[id] if self.dice.random() < 0.95 else self.dice.choice(self.clients)
        if client not in self.clients:
            if self.dice.random() < 0.7:
                return
            client = self.dice.choice(self.clients)
        self.asker = client
        requests: list[tuple[int, str, dict[str, object]]] = [
            (1, "UNREGISTER_PLAYER", {}),
            (3, "REREGISTER_PLAYER", {"handle": self.dice.choice(HANDLES)}),
            (2, "LIST_PLAYERS", {}),
            (
                8,
                "ADVERTISE_GAME",
                {
                    "name": "a table",
                    "mode": self.dice.choice(("STANDARD", "ADULT")),
                    "players": self.dice.choice((2, 2, 3, 4)),
                    "visibility": self.dice.choice(("PUBLIC", "PUBLIC", "PRIVATE")),
                    "invited_handles": self.dice.sample(HANDLES, self.dice.randrange(4)),
                },
            ),
            (2, "LIST_AVAILABLE_GAMES", {}),
            (12, "JOIN_GAME", {"game_id": self.dice.choice(self.games[-3:])}),
            (2, "QUIT_GAME", {}),
            (5, "START_GAME", {}),
            (1, "CANCEL_GAME", {}),
            (4, "EXECUTE_MOVE", {"move_id": "0" * 32}),
            (2, "RETRIEVE_GAME_STATE", {}),
            (3, "SEND_MESSAGE", {"message": "ho", "recipient_handles": self.dice.sample(HANDLES, 3)}),
        ]
        ((_, name, context),) = self.dice.choices(requests, [weight for weight, _, _ in requests])
        client.asks(name, id, **context)

    def somebody_plays(self) -> None:
        """Let a player or a peer of UGS move whose turn it is."""
        for player in self.stage.gateway._registry.players.values():
            if player.offers and player.client is not None:
                self.asker = self.stage.clients[player.client.number]
                if self.dice.random() < 0.5:
                    self.asker.asks("OPTIMAL_MOVE", player.id)
                else:
                    self.asker.asks("EXECUTE_MOVE", player.id, move_id=self.dice.choice(self.moves[player.handle]))
                return
        for peer in self.guests:
            game = peer.player.game
            if game is not None and peer.player in game.turn.movers:
                peer.says(Move(game.id, write_move(Optimal())))
                return

    # Peers of UGS.

    def a_peer_comes(self) -> None:
        handle = self.dice.choice(HANDLES) + self.dice.choice(("", "UGS"))
        taken = {nick.casefold() for nick in self.stage.broker.server.names.players}
        if len(self.guests) < MAX_PEERS and handle.casefold() not in taken:
            if self.dice.random() < 0.3:
                self.guests.append(self.stage.player(handle, game_type="apologies"))
            else:
                families = (x.Family.SESSION, x.Family.LOBBY, x.Family.CHAT)[self.dice.randrange(2) :]
                self.guests.append(self.stage.guest(handle, *families, game_type="apologies"))

    def a_peer_does_something(self) -> None:
        if not self.guests:
            return
        peer = self.dice.choice(self.guests)
        link = peer.player
        if not link.may(x.Family.LOBBY):
            if link.game is not None and self.dice.random() < 0.1:
                peer.says(LeaveGame(link.game.id))
            return
        options = (Choice("mode", "ADULT"),) if self.dice.random() < 0.5 else ()
        requests: list[tuple[int, Message]] = [
            (5, x.Advertise(x.NewTable("theirs", self.dice.choice((2, 3)), x.Visibility.PUBLIC, options=options))),
            (10, x.Join(self.dice.choice(self.games[-3:]))),
            (4, x.Start()),
            (1, x.Cancel()),
            (1, x.Quit()),
            (1, x.ListPlayers()),
            (2, x.Say(tuple(self.dice.choices(HANDLES, k=2)), "", "hi")),
        ]
        ((_, message),) = self.dice.choices(requests, [weight for weight, _ in requests])
        peer.says(message)
        tables = self.stage.broker.server.tables
        self.games += [table.id for table in tables.values() if table.owner is link]

    def a_peer_goes(self) -> None:
        if self.guests:
            peer = self.guests.pop(self.dice.randrange(len(self.guests)))
            if self.dice.random() < 0.5:
                peer.says(Logout())
            else:
                peer.is_lost()

    def thanks(self, peer: Peer) -> None:
        for message in peer.hears():
            if isinstance(message, GameState) and message.game_over is not None:
                peer.says(ThankYou(message.game_id))

    # Time, and the game master.

    def time_passes(self) -> None:
        self.stage.passes(self.dice.choice((0.5, 5, 25, 60)))
        self.guests = [peer for peer in self.guests if not peer.is_closed()]

    def the_master_pauses(self) -> None:
        self.stage.master_waits = not self.stage.master_waits and self.dice.random() < 0.5

    def the_master_goes(self) -> None:
        if self.stage.led_by is None:
            self.stage.master_comes()
        elif self.dice.random() < 0.5:
            self.stage.master_goes()


@pytest.mark.parametrize("seed", range(12))
def test_whatever_happens_all_agree(seed: int) -> None:
    session = Session(seed, master_grace_s=(seed % 3) * 10)
    for _ in range(STEPS):
        session.goes_on()


def test_every_event_of_such_a_session_can_be_read_by_the_original_clients() -> None:
    session, upstream = Session(99), UpstreamClient()
    for _ in range(2 * STEPS):
        session.goes_on()
    for text in session.texts.values():
        assert upstream.understood(text)["message"] == json.loads(text)["message"]
