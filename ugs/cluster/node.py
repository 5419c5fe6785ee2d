"""A server as a node: its place in the database, its door, its port for other nodes, its look at the table of homes."""

import socket
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import structlog
import trio

from ugs.address import read_listening
from ugs.broker.events import HomeMoved, NodesSeen
from ugs.broker.values.access import AccessRule
from ugs.broker.values.node_overview import NodeCounts
from ugs.cluster.games_elsewhere import GamesElsewhere
from ugs.cluster.home_socket import HomeSocket, hands_over
from ugs.cluster.homes_table import HomesTable
from ugs.cluster.known_homes import FRESH_S, Homes
from ugs.cluster.local_line import LocalLine, shared_path
from ugs.cluster.login_router import ClusterDoor, session_token
from ugs.cluster.nick_sharing import AllNicks, NickSharing
from ugs.cluster.nick_table import NickTable, SharedNick
from ugs.cluster.node_places import NodePlace, prepare
from ugs.cluster.node_port import NodePort
from ugs.cluster.overview_sharing import OverviewSharing, overview_of
from ugs.cluster.overview_table import OverviewRow
from ugs.cluster.shared_table import SharedTable
from ugs.config import Config, ConfigError
from ugs.daemon.network.listening import Doorkeeper, address_text, open_listeners
from ugs.daemon.random_ids import new_secret
from ugs.daemon.shell import Shell
from ugs.journal.journal_error import JournalError
from ugs.page.contract import Followed
from ugs.places import DatabaseUrl

LOOK_S: Final = 1.0
"""Seconds between two looks at the table of homes: within this time all doors know that a home has moved."""
LEAVE_S: Final = 2.0
"""Seconds that a node that ends waits for the database to note it."""
ANYWHERE: Final = frozenset({"0.0.0.0", "::", ""})


class ClusterNode:
    """This server as one of several on a database. ``place`` is what :func:`prepare` has made; the server's journal is
    there."""

    def __init__(
        self, config: Config, place: NodePlace, table: SharedTable | None = None, nicks: AllNicks | None = None
    ) -> None:
        self.router = ClusterDoor(
            place.name, lambda: self.homes, self._claim, config.write_timeout_s, hands_over=hands_over(config)
        )
        self.status = NodeStatus(self)
        self.port = NodePort(place.name, lambda: self.homes)
        self.socket = HomeSocket(place.name, lambda: self.homes)
        self.overviews = OverviewSharing()
        self.nicks = NickSharing(place.name, nicks or NickTable(place.shared))
        self.name = place.name
        self.homes = Homes()
        """The latest look."""
        self.looked_at = float("-inf")
        """When that was, in seconds of Trio's clock."""
        self._place = place
        self._table: SharedTable = table or HomesTable(place.shared)
        self._config = config
        self._fence = 0
        self._acts = 0
        """The latest acts of all nodes that are known here."""
        self.address = ""
        """Where other nodes connect to this one; empty until it listens."""
        self._wanted: dict[str, None] = dict.fromkeys(config.homes)
        """Game types that want a home here."""
        self._away: set[str] = set()
        """Game types of the broker's that are at home elsewhere."""
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    def new_secret(self) -> str:
        """Return a text that cannot be guessed, and as the token of a session leads here."""
        return session_token(self._place.number, new_secret())

    async def open(self, shell: Shell, doors: trio.Nursery, per_origin: Counter[str]) -> None:
        """Let the other nodes know of this one, and accept their peers. Raises OSError when it cannot listen, and
        JournalError."""
        self.router.server = shell.broker.server
        host, port = read_listening(self._config.node_address)
        listeners = await open_listeners(host, port)
        self.address = address_text(listeners[0].getsockname())
        turned_away = shell.status.parts.tally.turned_away
        # Counted with the addresses of the game port: limits hold at any door that a peer takes.
        keeper = partial(Doorkeeper, shell.config, shell.tasks, shell.peers, turned_away, per_origin=per_origin)
        if hands_over(self._config):
            local = keeper(handshakes=self.socket, wire_of=LocalLine)
            await doors.start(self.socket.serve, shell.config, local, shell.supervisor)
        self._fence = await trio.to_thread.run_sync(self._table.fence, self._place.journal)
        self.nicks.happens = shell.driver.happens_next
        await self.look(shell)
        doors.start_soon(shell.supervisor.run, "node port", partial(_welcome, keeper(handshakes=self.port), listeners))
        doors.start_soon(shell.supervisor.run, "relays", self.router.ways.run)
        doors.start_soon(shell.supervisor.run, "games of other nodes", self.status.games.run)
        doors.start_soon(shell.supervisor.run, "nicks", self.nicks.run)
        doors.start_soon(shell.supervisor.run, "homes", partial(self._keep_looking, shell))
        self._log.info("node", name=self.name, address=self.address, homes=", ".join(self.homes.types_at(self.name)))

    def _claim(self, game_type: str) -> None:
        """A master has brought a game type without a home."""
        self._wanted[game_type] = None

    async def _keep_looking(self, shell: Shell) -> None:
        """Look at the table from time to time, for ever; in the end let the others know that this node has gone."""
        silent = False
        try:
            while True:
                await trio.sleep(LOOK_S)
                try:
                    await self.look(shell)
                except JournalError as error:
                    if not silent:
                        self._log.warning("the table of homes cannot be read", reason=str(error))
                    silent = True
                else:
                    silent = False
        finally:
            with trio.move_on_after(LEAVE_S, shield=True):
                # A database that hangs must not hold up the end.
                await trio.to_thread.run_sync(self._leave, abandon_on_cancel=True)

    async def look(self, shell: Shell) -> None:
        """Show that this node is alive, claim the game types that want a home here, and read the table. Raises
        JournalError."""
        # A copy: masters may bring more types while the thread reads.
        wanted, server = list(self._wanted), shell.broker.server
        answering = sum(self.status.nodes().values())
        written = self.overviews.due(overview_of(server), trio.current_time(), answering)
        body = written[1] if written is not None else None
        self.homes, rules, rows = await trio.to_thread.run_sync(self._read, wanted, body)
        self.overviews.take(written[0] if written is not None else None, rows, trio.current_time())
        shell.driver.happens(NodesSeen(self.overviews.others(), FRESH_S))
        if rules is not None:
            self._acts, elsewhere = rules
            shell.access_file.heed(elsewhere)
        if trio.current_time() - self.looked_at > FRESH_S:
            # The first look, or the others may have thought that this node was gone.
            await self.nicks.begin(self._fence, partial(_nicks_in_use, shell))
        self.looked_at = trio.current_time()
        self.router.let_go()
        # Only now: a look that fails is made again with the same ones.
        for game_type in wanted:
            self._wanted.pop(game_type, None)
        for game_type in {*server.types, *self._away}:
            home = self.homes.node_of_type(game_type)
            if home and home != self.name:
                self._away.add(game_type)
                shell.driver.happens(HomeMoved(game_type, f"{game_type} is at home at node {home}: connect again"))
            elif game_type in self._away:
                self._away.discard(game_type)
                shell.driver.happens(HomeMoved(game_type))

    def _read(
        self, wanted: list[str], body: bytes | None
    ) -> tuple[Homes, tuple[int, Sequence[AccessRule]] | None, Sequence[OverviewRow]]:
        """In a thread: one look. Raises JournalError."""
        self._table.beat(self.name, self.address, self._fence, shared_path(self.socket.path))
        for game_type in wanted:
            self._table.claim(game_type, self.name)
        rows = self._table.overviews.exchange(self.name, self._fence, body, self.overviews.known)
        return self._table.read(), self._table.rules(self._place.number, self._acts), rows

    def _leave(self) -> None:
        """In a thread: the last word to the table."""
        try:
            self._table.leave(self.name, self._fence)
        except JournalError:
            return
        finally:
            self._table.close()
            self.nicks.close()


def _nicks_in_use(shell: Shell) -> list[SharedNick]:
    """Return the nicks of this node's players, absent ones too, and of its spectators."""
    names = shell.broker.server.names
    return [*map(SharedNick, names.players), *(SharedNick(form, watches=True) for form in names.spectators)]


async def _welcome(keeper: Doorkeeper, listeners: list[socket.socket]) -> None:
    """Accept from all of these until cancelled; closes them then."""
    try:
        async with trio.open_nursery() as each:
            for listener in listeners:
                each.start_soon(keeper.welcome, listener)
    finally:
        for listener in listeners:
            listener.close()


class NodeStatus:
    """What is known of nodes and homes, for figures and people."""

    def __init__(self, node: ClusterNode) -> None:
        self._node = node
        self.games = GamesElsewhere(node.router, lambda: node.address)
        """Those that the page follows."""

    def nodes(self) -> Mapping[str, int]:
        """By name: 1 for a node that answers."""
        return {name: int(node.answers) for name, node in sorted(self._node.homes.nodes.items())}

    def homes(self) -> Mapping[str, int]:
        """By node: how many game types are at home there."""
        counts = Counter(home.node for home in self._node.homes.homes.values())
        return {name: counts[name] for name in self.nodes()}

    def counts(self) -> Mapping[str, NodeCounts]:
        """By name: the other nodes that answer in numbers."""
        return {} if self.obstacle() else self._node.overviews.counts()

    def follow(self, game_id: str) -> Followed | None:
        """A running game of another node."""
        return self.games.follow(game_id)

    def relayed(self) -> Mapping[str, int]:
        """By node: how many peers are relayed to it."""
        return dict(self._node.router.relayed)

    def outcomes(self) -> Mapping[str, int]:
        """What became of peers for another node."""
        return dict(self._node.router.outcomes)

    def strangers(self) -> int:
        """How many lines were no node's."""
        return self._node.port.strangers + self._node.socket.doors.strangers

    def obstacle(self) -> str:
        """Whether the table of homes was read lately."""
        stale = trio.current_time() - self._node.looked_at > FRESH_S
        return "homes not read" if stale else ""

    def summary(self) -> Mapping[str, Any]:
        """The name of this node, and which nodes answer."""
        answering = [name for name, answers in self.nodes().items() if answers]
        return {"node": self._node.name, "nodes": answering, "homes": self._node.homes.types_at(self._node.name)}


def as_node(config: Config) -> tuple[Config, ClusterNode]:
    """Return the node that these settings name, and its settings: its journal is one of several in their database.
    Raises ConfigError and JournalError."""
    try:
        host, _ = read_listening(config.node_address)
    except ValueError as error:
        raise ConfigError(f"node_address = {config.node_address!r}: {error}") from None
    if host in ANYWHERE:
        raise ConfigError(f"node_address = {config.node_address!r}: other nodes need an address to connect to")
    place = prepare(DatabaseUrl(config.journal_url), config.node, new_secret())
    return config.but(journal_url=place.journal.text), ClusterNode(config, place)
