"""Who is here: clients, their players, and the games of the players."""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from game_masters.apologies.gateway import events
from game_masters.apologies.gateway.events import AdvertisedGame, HistoryItem, Reason
from game_masters.apologies.gateway.requests import Malformed, Request
from game_masters.apologies.gateway.settings import ApologiesSettings
from game_masters.apologies.views import Mode, Offer, View
from ugs.config import Config
from ugs.gateway import GatewayHost
from ugs.wire import extensions as x
from ugs.wire.messages import Message

GAME_TYPE = "apologies"
MODES = tuple(str(mode) for mode in Mode)
"""The first one is the default."""
Incoming: TypeAlias = Request | Malformed
"""What a client has sent: a request, or a text that is none."""
MINUTE = 60.0
HISTORY = 10
"""The number of entries of the history in a state."""


@dataclass(slots=True, eq=False)
class Client:
    """One WebSocket."""

    number: int
    address: str
    active_at: float
    players: list["Player"] = field(default_factory=list)
    """Its players, in the order of their arrival."""
    held: deque[Incoming] = field(default_factory=deque)
    """Its requests that have to wait."""
    warned_of: float | None = None
    """Its ``active_at`` when it was warned. The warning is void after later activity."""
    entering: "Entering | None" = None
    """The player that it registers while the broker proves the nick: all its requests wait."""
    wrong: deque[float] = field(default_factory=deque)
    """When its latest wrong requests came."""

    def within_errors(self, now: float, most: int) -> bool:
        """Count one wrong request; return False when it is one more than ``most`` within a minute."""
        while self.wrong and self.wrong[0] <= now - MINUTE:
            self.wrong.popleft()
        self.wrong.append(now)
        return len(self.wrong) <= most


@dataclass(frozen=True, slots=True)
class Entering:
    """A player whose login has not been answered yet."""

    conn: int
    """The broker's number of its connection."""
    handle: str


@dataclass(slots=True, eq=False)
class Match:
    """A table, and the game there, as far as players of this gateway sit at it."""

    id: str
    name: str
    mode: str
    advertiser: str
    players: list["Player"] = field(default_factory=list)
    """The players of this gateway who still belong to it."""
    seats: tuple[x.SeatInfo, ...] = ()
    """All seats, as last received."""
    playing: bool = False
    introduced: bool = False
    """Whether the players know the colours."""
    busy: bool = False
    """Whether the game master owes an answer; requests of its players wait for it."""
    mover: str = ""
    """The player whose turn it was, as last sent."""
    coming: dict["Player", View | None] = field(default_factory=dict)
    """States that have come, to be shown when all have; None for a state that cannot be shown."""
    unmade: bool = False
    """Whether its advertiser has asked to cancel it."""
    farewell: str = ""
    """The comment of its advertiser on leaving; empty when the server's comment is used."""
    ends_sent: set[int] = field(default_factory=set)
    """Clients that were sent its end."""


@dataclass(slots=True, eq=False)
class Player:
    """A registered player. Knowing ``id`` is being that player, so it never goes into a log."""

    id: str
    handle: str
    conn: int
    """The broker's number of its connection."""
    client: Client | None
    """The client that speaks for it; None while it is disconnected."""
    registered: datetime
    active_at: float
    active_date: datetime
    warned_of: float | None = None
    """Its ``active_at`` when it was warned."""
    match: Match | None = None
    view: View | None = None
    """The last view that it was shown of its game."""
    history: deque[HistoryItem] = field(default_factory=lambda: deque(maxlen=HISTORY))
    offers: Mapping[str, Offer] | None = None
    """What it may play; None when it is not its turn."""

    def leaves(self) -> None:
        """Take the player out of its game."""
        match = self.match
        if match is not None:
            match.players.remove(self)
            match.coming.pop(self, None)
            # If it was the player's turn, the game master now moves for it.
            match.busy = match.busy or self.offers is not None
        self.match = self.view = self.offers = None
        self.history.clear()


class Registry:
    """The registries of clients, players and games, and the ways to speak to clients and to the broker."""

    def __init__(self, config: Config, settings: ApologiesSettings, server: GatewayHost) -> None:
        self.config = config
        self.settings = settings
        self.server = server
        self.clients: dict[int, Client] = {}
        self.players: dict[str, Player] = {}
        """By id, in the order of registration."""
        self.by_conn: dict[int, Player] = {}
        self.entering: dict[int, Client] = {}
        """The clients whose players wait to be let in, by the broker's numbers of these players."""
        self.matches: dict[str, Match] = {}
        self.finished: dict[str, float] = {}
        """When each remembered game has ended."""
        self.answer: Message | None = None
        """The broker's answer to the question that is being asked."""
        self.asking = False
        """Whether one is being asked."""
        self.turned_away = 0
        """The last connection that the broker has closed, or answered with an error, before it was that of a
        player."""

    # To the broker.

    def ask(self, conn: int, question: Message) -> Message | None:
        """Send ``question`` for a player and return the answer, or None if there was none. Everything that follows from
        the question has happened when this returns. Must not be called while a message is being delivered."""
        self.answer, self.asking = None, True
        self.server.send_message(conn, question)
        answer, self.answer, self.asking = self.answer, None, False
        return answer

    # To the clients.

    def send(self, players: Iterable[Player], text: str) -> set[int]:
        """Send an event to the clients of these players, once to each client. Return the numbers of the clients."""
        recipients = {player.client.number: None for player in players if player.client is not None}
        for number in recipients:
            self.server.send(number, text)
        return set(recipients)

    def refuse(self, client: Client, reason: Reason, comment: str, handle: str | None = None) -> None:
        """Send a client the refusal of its request."""
        self.server.send(client.number, events.request_failed(reason, comment, handle))

    # Registries.

    def active(self, player: Player) -> None:
        """Record that a request of this player has come: neither the player nor its client counts as silent."""
        player.active_at, player.active_date = self.server.now(), self.server.date()
        if player.client is not None:
            player.client.active_at = player.active_at

    def sits(self, player: Player, table: x.TableInfo) -> Match:
        """Record that a player has sat down at a table."""
        match = self.matches.get(table.id)
        if match is None:
            match = self.matches[table.id] = Match(table.id, table.name, mode_of(table), table.owner)
        match.players.append(player)
        player.match = match
        return match

    def over(self, match: Match) -> None:
        """Record that a game has ended, or its table is gone: all its players are free."""
        for player in list(match.players):
            player.leaves()
        self.matches.pop(match.id, None)
        self.finished[match.id] = self.server.now()
        # The first one in the order of their ends is forgotten first.
        while len(self.finished) > self.config.max_tables:
            del self.finished[next(iter(self.finished))]

    def leaves(self, player: Player) -> None:
        """Take a player out of its game. The game is forgotten with its last player of this gateway."""
        match = player.match
        player.leaves()
        if match is not None and not match.players:
            self.matches.pop(match.id, None)

    def forget(self, player: Player) -> None:
        """Forget a player: its id and handle become invalid."""
        self.leaves(player)
        del self.players[player.id], self.by_conn[player.conn]
        if player.client is not None:
            player.client.players.remove(player)


def mode_of(table: x.TableInfo) -> str:
    """Return the mode of a table. A mode that the clients do not know is reported as the default one."""
    chosen = (choice.value for choice in table.options if choice.name == "mode")
    return next((mode for mode in chosen if mode in MODES), MODES[0])


def advertised(table: x.TableInfo) -> AdvertisedGame:
    """Return a table in the terms of the clients: an advertised game."""
    return AdvertisedGame(
        table.id,
        table.name,
        mode_of(table),
        table.owner,
        table.seats,
        table.free,
        str(table.visibility),
        table.invited,
    )
