"""Nodes in one process, with real sockets and a table of homes in memory."""

from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace

import trio

from tests.daemon.shell import Far
from ugs.broker.values.access import AccessRule
from ugs.cluster.known_homes import Home, Homes, SeenNode
from ugs.cluster.nick_table import SharedNick
from ugs.cluster.node import ClusterNode
from ugs.cluster.node_places import NodePlace
from ugs.cluster.overview_table import OverviewRow
from ugs.config import parse
from ugs.daemon.journal.bridge import JournalBridge
from ugs.daemon.network.certificates import Certificates
from ugs.daemon.network.ports import listen
from ugs.daemon.serve import open_doors, start_shell
from ugs.daemon.shell import Shell
from ugs.gateway import settings_of
from ugs.places import DatabaseUrl

BOUND_S = 60.0
NOWHERE = DatabaseUrl("postgresql://nowhere/nothing")


class MemoryOverviews:
    """See :class:`ugs.cluster.shared_table.AllOverviews`: all nodes answer."""

    def __init__(self) -> None:
        self.rows: dict[str, OverviewRow] = {}

    def exchange(self, node: str, _fence: int, body: bytes | None, known: Mapping[str, int]) -> Sequence[OverviewRow]:
        if body is not None:
            number = self.rows[node].number + 1 if node in self.rows else 1
            self.rows[node] = OverviewRow(node, number, 0.0, body)
        others = [row for name, row in sorted(self.rows.items()) if name != node]
        return [replace(row, body=None) if known.get(row.node) == row.number else row for row in others]


class MemoryTable:
    """See :class:`ugs.cluster.shared_table.SharedTable`: what all nodes of a test share."""

    def __init__(self) -> None:
        self.homes = Homes(secret="the secret of all")
        self.overviews = MemoryOverviews()
        self.acts = 0
        self.banned: list[AccessRule] = []
        self._fences: dict[str, int] = {}

    def read(self) -> Homes:
        return self.homes

    def rules(self, _number: int, since: int) -> tuple[int, Sequence[AccessRule]] | None:
        return None if since == self.acts else (self.acts, self.banned)

    def fence(self, _journal: DatabaseUrl) -> int:
        return 1

    def beat(self, name: str, address: str, fence: int, socket: str = "") -> bool:
        if fence < self._fences.get(name, 0):
            return False
        self._fences[name] = fence
        number = ord(name) - ord("a") + 1
        seen = SeenNode(name, number, address, 0.0, socket)
        self.homes = replace(self.homes, nodes={**self.homes.nodes, name: seen})
        return True

    def leave(self, name: str, _fence: int) -> None:
        self.homes = replace(self.homes, nodes={key: one for key, one in self.homes.nodes.items() if key != name})

    def claim(self, game_type: str, node: str) -> str:
        if game_type not in self.homes.homes:
            self.move(game_type, node)
        return self.homes.node_of_type(game_type)

    def move(self, game_type: str, node: str) -> None:
        self.homes = replace(self.homes, homes={**self.homes.homes, game_type: Home(node, 1)})

    def close(self) -> None:
        pass


class MemoryNicks:
    """See :class:`ugs.cluster.nick_sharing.AllNicks`: all nodes answer."""

    def __init__(self) -> None:
        self.node_of: dict[SharedNick, str] = {}

    def exchange(
        self, node: str, _fence: int, free: Iterable[SharedNick], wanted: Iterable[SharedNick]
    ) -> Mapping[SharedNick, str]:
        for nick in free:
            if self.node_of.get(nick) == node:
                del self.node_of[nick]
        found = {}
        for nick in wanted:
            player = self.node_of.get(SharedNick(nick.form), node)
            found[nick] = player if player != node else self.node_of.setdefault(nick, node)
        return found

    def begin(self, node: str, fence: int, kept: Iterable[SharedNick]) -> Mapping[SharedNick, str]:
        return self.exchange(node, fence, [nick for nick, by in self.node_of.items() if by == node], kept)

    def close(self) -> None:
        pass


class RunningNode:
    """A node that listens."""

    def __init__(self, shell: Shell, node: ClusterNode, address: str) -> None:
        self.shell = shell
        self.node = node
        self.host, _, port = address.rpartition(":")
        self.port = int(port)
        self._dialled: list[trio.SocketStream] = []

    async def look(self) -> None:
        """Look at the table of homes now."""
        await self.node.look(self.shell)

    async def dials(self) -> Far:
        """A peer connects."""
        stream = await trio.open_tcp_stream(self.host, self.port)
        self._dialled.append(stream)
        return Far(stream, address="{}:{}".format(*stream.socket.getsockname()))

    async def aclose(self) -> None:
        """Let all peers hang up."""
        for stream in self._dialled:
            await stream.aclose()

    def names(self) -> set[str]:
        """Who has logged in here."""
        return {one.peer.name for one in self.shell.broker.server.connections.values()}


@asynccontextmanager
async def running(*names: str, **settings: object) -> AsyncIterator[tuple[MemoryTable, dict[str, RunningNode]]]:
    """Run nodes until the block ends."""
    table, nicks = MemoryTable(), MemoryNicks()
    found: dict[str, RunningNode] = {}
    with trio.fail_after(BOUND_S), ExitStack() as stack:
        async with trio.open_nursery() as connections:
            for number, name in enumerate(names, 1):
                config = parse(
                    {"port": 0, "node": name, "node_address": "127.0.0.1:0", **settings}, "test", settings_of
                )
                node = ClusterNode(config, NodePlace(name, number, NOWHERE, NOWHERE), table, nicks)
                ports = await listen(config, stack)
                certificates = Certificates(config.tls) if config.tls.certificate else None
                shell = await start_shell(config, connections, JournalBridge(config), certificates, (), node)
                per_origin: Counter[str] = Counter()
                await node.open(shell, connections, per_origin)
                open_doors(shell, connections, ports, {}, per_origin)
                found[name] = RunningNode(shell, node, ports.address)
            for one in found.values():
                await one.look()
            yield table, found
            for one in found.values():
                await one.aclose()
            connections.cancel_scope.cancel()
