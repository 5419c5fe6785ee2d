"""Who holds memory: connections, games, clients of gateways; and what a look at each of them finds.

:meth:`Holders.parts` lists all places where the server keeps something for peers. What is not in it has bounds of its
own: what the library for HTTP holds (few connections, short requests), requests of people at this machine (at most 32
of 1 MiB), and what every address has sent recently (forgotten when it does not matter any more).
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import TypeAlias

from ugs.address import origin_of
from ugs.broker.events import Event, Flooded, RoomNeeded
from ugs.broker.state.model import Game, GameType, Player, Table
from ugs.broker.state.server_state import ServerState
from ugs.broker.views.overview import kind_of, state_of
from ugs.daemon.connections.connection import Connection
from ugs.daemon.memory.memory_account import Holder, MemoryLook, MemoryPlace, Part
from ugs.wire.framing import Framer

Happens: TypeAlias = Callable[[Event], None]

TABLE_BYTES = 2048
"""What a table takes, roughly, without its options and invitations."""
TEXT_BYTES = 512
"""What each of these takes at most, roughly."""


class PeerHolder:
    """A connection. It gives back by being closed; a peer that reads is sent the reason."""

    __slots__ = ("_connection", "_happens", "_server")

    def __init__(self, connection: Connection, server: ServerState, happens: Happens) -> None:
        self._connection = connection
        self._server = server
        self._happens = happens

    @property
    def origin(self) -> str:
        """The address that it counts for, without the port."""
        return self._connection.origin

    def describe(self) -> dict[str, object]:
        """Who it is, for the log and for people."""
        connection = self._connection
        known = self._server.connections.get(connection.number)
        return {
            "kind": kind_of(known) if known is not None else "closing",
            "conn": connection.number,
            "name": known.peer.name if known is not None else "",
            "address": connection.transport.address,
            "documents": connection.framer.pending,
            "outbox": connection.outbox.held_bytes,
        }

    def held_bytes(self) -> int:
        """What it holds now; 0 when it is gone."""
        return self._connection.held_bytes

    def give_back(self, held: int, why: str, limit: str) -> None:
        """Close the connection; a peer that reads is sent ``why``."""
        connection = self._connection
        documents = connection.framer.pending
        if connection.closing:
            # It has had its last words.
            connection.drop()
        elif documents > connection.outbox.held_bytes:
            connection.framer = Framer(connection.framer.limits)  # what has come is given back now, not after the end
            connection.leftover = False
            self._happens(Flooded(connection.number, why))
        else:
            connection.lose(f"does not read: {why}", unread=True)


class GameHolder:
    """A game. It forgets what only spectators may miss, or ends; the broker decides."""

    __slots__ = ("_game", "_happens", "origin")

    def __init__(self, game: Game, happens: Happens) -> None:
        self._game = game
        self._happens = happens
        # The master decides how large its states are, so its address answers for them.
        self.origin = origin_of(game.master.connection.address)
        """That of its master."""

    def describe(self) -> dict[str, object]:
        """Who it is, for the log and for people."""
        game = self._game
        return {"kind": "game", "game": game.id, "game_type": game.type.name, "master": game.master.name}

    def held_bytes(self) -> int:
        """What it holds now; 0 when it is gone."""
        return self._game.held_bytes

    def give_back(self, held: int, why: str, limit: str) -> None:
        """Put the past of the game away, or end the game over ``limit``."""
        self._happens(RoomNeeded(self._game.id, why, limit))


class Holders:
    """Lists what to look at, and adds each thing to a look.

    ``weight_of`` gives the weight of a connection. ``journal_bytes`` are those that are not on disk, ``channel_bytes``
    those that have not reached all spectators, ``tls_lines`` is the number of lines that speak TLS.
    """

    def __init__(
        self,
        server: ServerState,
        happens: Happens,
        connections: Callable[[], Iterable[Connection]],
        weight_of: Callable[[Connection], float],
        journal_bytes: Callable[[], int],
        channel_bytes: Callable[[], Iterable[int]],
        tls_lines: Callable[[], int],
    ) -> None:
        self.clients: list[Callable[[], Iterable[Holder]]] = []
        """For each gateway what lists its clients."""
        self._server = server
        self._happens = happens
        self._connections = connections
        self._weight_of = weight_of
        self._journal_bytes = journal_bytes
        self._channel_bytes = channel_bytes
        self._tls_lines = tls_lines

    @property
    def has_clients(self) -> bool:
        """Whether any gateway has a client."""
        return any(True for clients in self.clients for _ in clients())

    def parts(self) -> Sequence[Part]:
        """All parts of a look."""
        server = self._server
        return (
            (self._connections, self._held_by_connections),
            (lambda: chain.from_iterable(clients() for clients in self.clients), self._of_gateways),
            (lambda: server.games.values(), self._games),
            (lambda: server.connections, self._far_ends),
            (lambda: server.names.players.values(), _players),
            (lambda: server.tables.values(), _tables),
            (lambda: server.types.values(), _rows),
            (self._channel_bytes, _channels),
            (lambda: (self._journal_bytes(),), _journal),
            (lambda: (self._tls_lines(),), _tls),
        )

    def _held_by_connections(self, connections: Sequence[Connection], look: MemoryLook) -> None:
        look.put(MemoryPlace.CONNECTIONS, len(connections))
        look.connections.update([connection.origin for connection in connections])
        for connection in connections:
            documents, outbox = connection.framer.pending, connection.outbox.held_bytes
            # Most connections hold nothing, and get no object.
            if documents or outbox:
                look.put(MemoryPlace.DOCUMENTS, documents > 0, documents)
                look.put(MemoryPlace.OUTBOXES, outbox > 0, outbox)
                peer = PeerHolder(connection, self._server, self._happens)
                look.hold(peer, documents + outbox, self._weight_of(connection))

    def _of_gateways(self, clients: Sequence[Holder], look: MemoryLook) -> None:
        look.kinds["gateway client"] += len(clients)
        look.connections.update([client.origin for client in clients])
        for client in clients:
            held = client.held_bytes()
            look.put(MemoryPlace.CLIENTS, 1, held)
            if held:
                look.hold(client, held)

    def _far_ends(self, numbers: Sequence[int], look: MemoryLook) -> None:
        there = [one for number in numbers if (one := self._server.connections.get(number)) is not None]
        look.kinds.update(["player of a gateway" if one.by_gateway else kind_of(one) for one in there])

    def _games(self, games: Sequence[Game], look: MemoryLook) -> None:
        total = 0
        for game in games:
            held = game.held_bytes
            total += held
            # By seats: a game for eight may hold more than one for two.
            look.hold(GameHolder(game, self._happens), held, len(game.seats))
        look.put(MemoryPlace.GAMES, len(games), total)


def _players(players: Sequence[Player], look: MemoryLook) -> None:
    look.put(MemoryPlace.PLAYERS, len(players))
    look.states.update([state_of(player) for player in players])


def _tables(tables: Sequence[Table], look: MemoryLook) -> None:
    texts = sum([len(table.options) + len(table.invited) for table in tables])
    look.put(MemoryPlace.TABLES, len(tables), TABLE_BYTES * len(tables) + TEXT_BYTES * texts)


def _rows(types: Sequence[GameType], look: MemoryLook) -> None:
    look.put(MemoryPlace.ROWS, sum([len(game_type.standings) for game_type in types]))


def _channels(sizes: Sequence[int], look: MemoryLook) -> None:
    look.put(MemoryPlace.CHANNELS, len(sizes), sum(sizes))


def _journal(sizes: Sequence[int], look: MemoryLook) -> None:
    look.put(MemoryPlace.JOURNAL, len(sizes), sum(sizes))


def _tls(lines: Sequence[int], look: MemoryLook) -> None:
    look.put(MemoryPlace.TLS, sum(lines))
