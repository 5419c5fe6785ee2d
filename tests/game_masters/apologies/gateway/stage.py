"""A stage for the gateway: a real broker, a real game master, and clients whose every text the tests choose.

Below it is the house of the broker's tests with its invariant checks; peers of UGS come as they do there. A client says
something and hears what comes, as Python values:

    ada = stage.registered("ada")
    ada.asks("LIST_PLAYERS")
    assert ada.hears() == [...]

The master leads at once, unless ``stage.master_waits``. Time stands still until ``stage.passes(seconds)``. Whenever
nothing is under way, ``agreement.py`` checks that the gateway and the broker agree, and that no text and no line of the
log holds the id of a player, except the answers to those who have registered, and what repeats to a client that it has
said an id in the wrong place.
"""

import json
import random
import re
from collections import deque
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from game_masters.apologies import STANDARD
from game_masters.apologies.gateway.gateway import ApologiesGateway
from game_masters.apologies.gateway.registry import Player
from game_masters.apologies.gateway.settings import ApologiesSettings
from game_masters.kit.client import Send as Says
from game_masters.kit.master import Master
from tests.broker.house import House, Peer
from tests.game_masters.apologies.gateway.agreement import check_agreement
from ugs.broker.effects import Close, Effect, Send, Stopped
from ugs.broker.events import Connected, Disconnected, Event, Presence, Received
from ugs.wire.messages import Message

ID = re.compile(r"secret\d{6}")
"""The id of a player."""
NOON = datetime(2030, 5, 1, 12, tzinfo=UTC)
Heard = dict[str, Any]


class Client:
    """One WebSocket as its far end sees it."""

    def __init__(self, stage: "Stage", number: int) -> None:
        self._stage = stage
        self.number = number
        self.texts: list[str] = []
        self.closed_with: int | None = None
        self.gone = False
        """Whether it was closed from its far end."""
        self.id = ""
        """The id of the player that registered last."""
        self.name = str(number)
        """The stage's name for it: the first handle that it has registered."""
        self.said: set[str] = set()
        """The ids that it has sent, in whatever place."""

    def says(self, text: str) -> None:
        """Send a text."""
        self.said |= set(ID.findall(text))
        self._stage.gateway.text(self.number, text)
        self._stage.settle()

    def says_bytes(self) -> None:
        """Send bytes, which are no text."""
        self._stage.gateway.binary(self.number)
        self._stage.settle()

    def asks(self, message: str, player_id: str | None = None, /, **context: object) -> None:
        """Send a request for the player that registered last, or for the one with ``player_id``."""
        request: dict[str, object] = {"message": message}
        if message != "REGISTER_PLAYER":
            request["player_id"] = player_id or self.id
        self.says(json.dumps(request | ({"context": context} if context else {})))

    def receives(self) -> list[Heard]:
        """Return the events that have come since the last time."""
        texts, self.texts = self.texts, []
        return [json.loads(text) for text in texts]

    def hears_words(self) -> list[str]:
        """Return the names of the events that have come since the last time."""
        return [event["message"] for event in self.receives()]

    def registers(self, handle: str) -> str:
        """Register a player, and read the answer; return its id."""
        self.asks("REGISTER_PLAYER", handle=handle)
        (answer,) = self.receives()
        assert answer["message"] == "PLAYER_REGISTERED", answer
        self.id = str(answer["player_id"])
        self.name = handle if self.name == str(self.number) else self.name
        return self.id

    def advertises(
        self,
        seats: int = 4,
        *,
        mode: str = "STANDARD",
        private: bool = False,
        invited: Sequence[str] = (),
        player_id: str | None = None,
    ) -> str:
        """Set up a table; return its id. The events about it stay unread."""
        self.asks(
            "ADVERTISE_GAME",
            player_id,
            name="Friday",
            mode=mode,
            players=seats,
            visibility="PRIVATE" if private else "PUBLIC",
            invited_handles=[*invited],
        )
        return [*self._stage.broker.server.tables][-1]

    def joins(self, game_id: str, player_id: str | None = None) -> None:
        """Sit down at a table."""
        self.asks("JOIN_GAME", player_id, game_id=game_id)

    def told(self, name: str) -> Any:
        """Read all that has come; return the context of the one event of this name."""
        (found,) = [event["context"] for event in self.receives() if event["message"] == name]
        return found

    def refused(self) -> tuple[str, str | None]:
        """Return reason and handle of the one refusal that has come; fail if anything else has come."""
        (event,) = self.receives()
        assert event["message"] == "REQUEST_FAILED", event
        return event["context"]["reason"], event["context"]["handle"]

    def goes(self) -> None:
        """Close the WebSocket from its far end."""
        self.gone = True
        self._stage.gateway.closed(self.number)
        self._stage.settle()

    def turn(self) -> Heard | None:
        """Read all that has come; return what it says of this player's turn, if it has the turn."""
        turns = [event for event in self.receives() if event["message"] == "GAME_PLAYER_TURN"]
        return turns[-1]["context"] if turns else None


class Port:
    """The server as the gateway sees it."""

    def __init__(self, stage: "Stage") -> None:
        self._stage = stage
        self._ids = count(1)

    def now(self) -> float:
        """See ugs.gateway.Server."""
        return self._stage.now

    def date(self) -> datetime:
        """See ugs.gateway.Server."""
        return NOON + timedelta(seconds=self._stage.now - 1000)

    def new_id(self) -> str:
        """See ugs.gateway.Server."""
        return f"secret{next(self._ids):06}"

    def connect(self, address: str) -> int:
        """See ugs.gateway.Server."""
        peer = Peer(self._stage, len(self._stage.peers) + 1)
        self._stage.peers[peer.conn] = peer
        self._stage.gateway_conns.add(peer.conn)
        self._stage.happens(Connected(peer.conn, address, True))
        return peer.conn

    def send_message(self, conn: int, message: Message) -> None:
        """See ugs.gateway.Server."""
        self._stage.or_later(Received(conn, message))

    def disconnect(self, conn: int) -> None:
        """See ugs.gateway.Server."""
        self._stage.gateway_conns.discard(conn)
        self._stage.or_later(Disconnected(conn))

    def reachable(self, conn: int, there: bool) -> None:
        """See ugs.gateway.Server."""
        self._stage.or_later(Presence(conn, there))

    def send(self, socket: int, text: str) -> None:
        """See ugs.gateway.Server."""
        client = self._stage.clients[socket]
        assert client.closed_with is None, f"{text} for a client that was closed"
        assert '"PLAYER_REGISTERED"' in text or set(ID.findall(text)) <= client.said
        if not client.gone:
            client.texts.append(text)
            self._stage.post.append((client, text))

    def close(self, socket: int, code: int, reason: str) -> None:
        """See ugs.gateway.Server."""
        assert self._stage.clients[socket].closed_with is None
        self._stage.clients[socket].closed_with = code

    def note(self, event: str, *, warning: bool = False, **fields: object) -> None:
        """See ugs.gateway.Server."""
        assert not ID.search(f"{event} {fields}")
        self._stage.noted_by_gateway.append(event)

    def start(self, timer: str, seconds: float) -> None:
        """See ugs.gateway.Server."""
        self._stage.due[timer] = self._stage.now + seconds


class Stage(House):
    """A house with a gateway in front of it and a game master inside."""

    def __init__(
        self, *, master: bool = True, luck: int = 1, gateway: Mapping[str, Any] | None = None, **settings: Any
    ) -> None:
        """``luck`` is the source of all chance in games; ``gateway`` are settings of the gateway."""
        self.gateway_conns: set[int] = set()
        self.clients: dict[int, Client] = {}
        self._numbers_of_clients = count(1)
        self._delivering = False
        self._later: deque[Event] = deque()
        self.due: dict[str, float] = {}
        """When each timer of the gateway fires."""
        self.post: list[tuple[Client, str]] = []
        """Everything that was sent to clients, in order."""
        self.noted_by_gateway: list[str] = []
        self.master_waits = False
        self.led_by: Peer | None = None
        """The game master that is here."""
        super().__init__(**settings)
        self._secrets = count(luck)
        self.gateway = ApologiesGateway(self.config, ApologiesSettings.read(gateway or {}), Port(self))
        self.gateway.started()
        if master:
            self.master_comes()

    # Events of the house.

    def happens(self, event: Event) -> list[Effect]:
        """Let something happen; return the effects, including those of what the gateway says to it."""
        effects = super().happens(event)
        while self._later and not self._delivering:
            effects += super().happens(self._later.popleft())
        return effects

    def or_later(self, event: Event) -> None:
        """Run now, or after the current delivery: what a gateway says while it is delivered something happens after
        that."""
        if self._delivering:
            self._later.append(event)
        else:
            self.happens(event)

    def _carry_out(self, effect: Effect) -> None:
        super()._carry_out(effect)
        match effect:
            case Send(to=to, message=message):
                ours = tuple(conn for conn in to if conn in self.gateway_conns)
                if ours:
                    self._deliver(ours, message)
            case Close(conn=conn) if conn in self.gateway_conns:
                self.gateway_conns.discard(conn)
                self.gateway.hung_up(conn)
            case Stopped():
                self.gateway.shutdown()

    def _deliver(self, conns: Sequence[int], message: Message) -> None:
        for conn in conns:
            self.peers[conn].hears()
        self._delivering = True
        try:
            self.gateway.delivered(conns, message)
        finally:
            self._delivering = False

    # The game master.

    def master_comes(self, **options: str) -> None:
        """Let a real game master of apologies log in."""
        self._kit = Master(
            STANDARD, STANDARD.choose_options(options), id="m", chance=lambda words: random.Random(words)
        )
        self.led_by = self.connects()
        for effect in self._kit.connected():
            if isinstance(effect, Says):
                self.led_by.says(effect.message)
        self.settle()

    def master_goes(self) -> None:
        """Disconnect the game master."""
        assert self.led_by is not None
        lost, self.led_by = self.led_by, None
        lost.is_lost()
        self.settle()

    def settle(self) -> None:
        """Let the game master answer, and timers fire that are due, until nothing more follows."""
        while True:
            mail = self.led_by.hears() if self.led_by is not None and not self.master_waits else []
            due = [name for name, moment in self.due.items() if moment <= self.now]
            if not mail and not due:
                check_agreement(self.gateway, self.broker, self.gateway_conns)
                return
            for message in mail:
                for effect in self._kit.received(message):
                    if isinstance(effect, Says) and self.led_by is not None:
                        self.led_by.says(effect.message)
            for name in due:
                del self.due[name]
                self.gateway.timer(name)

    # Time and clients.

    def passes(self, seconds: float) -> None:
        """Let time pass; the timers of the broker and of the gateway fire each at its own moment."""
        end = self.now + seconds
        while (moment := min([end, *self.due.values(), *self.timers.values()])) < end:
            super().passes(moment - self.now)
            self.settle()
        super().passes(end - self.now)
        self.settle()

    def received(self) -> list[str]:
        """Return who was told what since the last time, in order: ``ada GAME_JOINED``. All events are then read."""
        post, self.post = self.post, []
        for client in self.clients.values():
            client.texts.clear()
        return [f"{client.name} {json.loads(text)['message']}" for client, text in post]

    def client(self) -> Client:
        """Open a WebSocket."""
        client = Client(self, next(self._numbers_of_clients))
        self.clients[client.number] = client
        self.gateway.opened(client.number, "192.0.2.9")
        return client

    def registered(self, handle: str) -> Client:
        """Return a client with one player."""
        client = self.client()
        client.registers(handle)
        return client

    def clients_of(self, *handles: str) -> list[Client]:
        """Return several clients with one player each."""
        return [self.registered(handle) for handle in handles]

    def game_of(self, *clients: Client, seats: int | None = None, mode: str = "STANDARD") -> str:
        """Let the first client set up a table and the others join, so that the game begins; return its id. All events
        about it have been read. With more seats than clients the master plays the others."""
        owner, *others = clients
        self.received()
        game_id = owner.advertises(seats or len(clients), mode=mode)
        for client in others:
            client.joins(game_id)
        if seats is not None and seats > len(clients):
            owner.asks("START_GAME")
        return game_id

    def to_move(self, *clients: Client) -> tuple[Client, list[Client]]:
        """Return the client whose turn it is among these, and the others."""
        moving = [one for one in clients if self.kept(one.id).offers is not None]
        assert len(moving) == 1
        return moving[0], [one for one in clients if one is not moving[0]]

    def kept(self, player_id: str) -> Player:
        """Return what the gateway keeps of a player."""
        return self.gateway._registry.players[player_id]

    def players_of(self, client: Client) -> list[Player]:
        """Return the players for whom a client speaks."""
        return self.gateway._registry.clients[client.number].players

    def stops(self) -> None:
        """Ask the server to stop."""
        self.is_asked_to_stop()
        self.settle()
