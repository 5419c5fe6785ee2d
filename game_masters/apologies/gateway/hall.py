"""Who is here: clients, the players for whom they speak, and the games in which those sit."""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from game_masters.apologies.gateway import events
from game_masters.apologies.gateway.events import HistoryItem, Reason
from game_masters.apologies.gateway.requests import Malformed, Request
from game_masters.apologies.gateway.settings import ApologiesSettings
from game_masters.apologies.views import Mode, Offer, View
from ugs.config import Config
from ugs.gateway import Server
from ugs.wire import extensions as x
from ugs.wire.messages import Message

GAME_TYPE = "apologies"
MODES = tuple(str(mode) for mode in Mode)
"""The first of them unless another one is chosen."""
Said: TypeAlias = Request | Malformed
"""What a client has said: a request, or something that is none."""
MINUTE = 60.0
HISTORY = 10
"""Entries of the history that a state tells."""


@dataclass(slots=True, eq=False)
class Client:
    """One WebSocket."""

    number: int
    address: str
    active_at: float
    players: list["Player"] = field(default_factory=list)
    """Those for whom it speaks, in the order in which they came."""
    held: deque[Said] = field(default_factory=deque)
    """What it has said that waits for something to be done first."""
    warned_of: float | None = None
    """Since when nothing had happened when it was warned; with the next thing that happens it is void."""
    wrong: deque[float] = field(default_factory=deque)
    """When its latest wrong requests came that are in the log."""

    def is_news(self, now: float, most: int) -> bool:
        """Whether one more wrong request goes into the log: no more than so many within a minute."""
        while self.wrong and self.wrong[0] <= now - MINUTE:
            self.wrong.popleft()
        if len(self.wrong) >= most:
            return False
        self.wrong.append(now)
        return True


@dataclass(slots=True, eq=False)
class Match:
    """A table, and the game there, as far as players of ours sit at it."""

    id: str
    name: str
    mode: str
    advertiser: str
    players: list["Player"] = field(default_factory=list)
    """Ours who still belong to it."""
    seats: tuple[x.SeatInfo, ...] = ()
    """Everybody, as last told."""
    playing: bool = False
    introduced: bool = False
    """Whether the players know the colours."""
    busy: bool = False
    """Whether the game master owes an answer; requests of its players wait for it."""
    mover: str = ""
    """Who was to move, as last told."""
    coming: dict["Player", View | None] = field(default_factory=dict)
    """States that have come, to be shown when all have; None for what cannot be shown."""
    unmade: bool = False
    """Whether its advertiser has asked to cancel it."""
    farewell: str = ""
    """With which words its advertiser has gone; empty when they are for the server to find."""
    told_end: set[int] = field(default_factory=set)
    """Clients that know of its end."""


@dataclass(slots=True, eq=False)
class Player:
    """Somebody who has registered. Whoever knows ``id`` is that player: it goes into no log."""

    id: str
    handle: str
    conn: int
    """What the broker knows it by."""
    client: Client | None
    """Who speaks for it; None while it is disconnected."""
    registered: datetime
    active_at: float
    active_date: datetime
    warned_of: float | None = None
    """Since when nothing had happened when it was warned."""
    match: Match | None = None
    view: View | None = None
    """What it was shown last of its game."""
    history: deque[HistoryItem] = field(default_factory=lambda: deque(maxlen=HISTORY))
    offers: Mapping[str, Offer] | None = None
    """What it may play; None when it is not its turn."""

    def leaves(self) -> None:
        """It belongs to no game any more."""
        match = self.match
        if match is not None:
            match.players.remove(self)
            match.coming.pop(self, None)
            # Whose turn it was, for that one the game master moves.
            match.busy = match.busy or self.offers is not None
        self.match = self.view = self.offers = None
        self.history.clear()


class Hall:
    """The registries, and the ways to speak to clients and to the broker."""

    def __init__(self, config: Config, settings: ApologiesSettings, server: Server) -> None:
        self.config = config
        self.settings = settings
        self.server = server
        self.clients: dict[int, Client] = {}
        self.players: dict[str, Player] = {}
        """By id, in the order in which they registered."""
        self.by_conn: dict[int, Player] = {}
        self.matches: dict[str, Match] = {}
        self.finished: dict[str, float] = {}
        """When games have ended that are still remembered."""
        self.answer: Message | None = None
        """What the broker has answered to the question that is being asked."""

    # To the broker.

    def ask(self, conn: int, question: Message) -> Message | None:
        """Say something for a player, and wait for the answer: everything that follows from it has happened when this
        returns. None if there was no answer. Only while nothing is being delivered."""
        self.answer = None
        self.server.say(conn, question)
        answer, self.answer = self.answer, None
        return answer

    # To the clients.

    def tell(self, players: Iterable[Player], text: str) -> set[int]:
        """The same event for several players: once to each client. The clients told."""
        told = {player.client.number: None for player in players if player.client is not None}
        for number in told:
            self.server.send(number, text)
        return set(told)

    def refuse(self, client: Client, reason: Reason, comment: str, handle: str | None = None) -> None:
        """A request cannot be granted."""
        self.server.send(client.number, events.request_failed(reason, comment, handle))

    # Registries.

    def active(self, player: Player) -> None:
        """A request of this player has come: nobody takes it for silent, nor its client."""
        player.active_at, player.active_date = self.server.now(), self.server.date()
        if player.client is not None:
            player.client.active_at = player.active_at

    def sits(self, player: Player, table: x.TableInfo) -> Match:
        """A player has sat down at a table."""
        match = self.matches.get(table.id)
        if match is None:
            match = self.matches[table.id] = Match(table.id, table.name, mode_of(table), table.owner)
        match.players.append(player)
        player.match = match
        return match

    def over(self, match: Match) -> None:
        """A game has ended, or its table is gone: everybody there is free."""
        for player in list(match.players):
            player.leaves()
        self.matches.pop(match.id, None)
        self.finished[match.id] = self.server.now()
        while len(self.finished) > self.config.max_tables:
            del self.finished[next(iter(self.finished))]

    def leaves(self, player: Player) -> None:
        """A player belongs to its game no longer; the game is forgotten with the last of ours."""
        match = player.match
        player.leaves()
        if match is not None and not match.players:
            self.matches.pop(match.id, None)

    def forget(self, player: Player) -> None:
        """A player is gone: its id and handle mean nothing any more."""
        self.leaves(player)
        del self.players[player.id], self.by_conn[player.conn]
        if player.client is not None:
            player.client.players.remove(player)


def mode_of(table: x.TableInfo) -> str:
    """How the cards are played at a table. A mode that the clients do not know is not told."""
    chosen = (choice.value for choice in table.options if choice.name == "mode")
    return next((mode for mode in chosen if mode in MODES), MODES[0])
