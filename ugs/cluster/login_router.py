"""Every node is a door: it knows which logins are for another node, and hands those peers over or relays them.

A peer sends hello, is answered, and logs in or comes back, all with the broker of the node that it has found. With the
login the peer is passed on, a spectator with the first game or game type that it follows, and this node keeps nothing
of it: all that it has sent goes to the home of its game type, and the home's answer to the greeting, which the peer has
had, is left out. A home on this machine gets the peer's socket (hand_over.py), any other one its bytes (relay.py).
"""

import re
import secrets
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from ipaddress import ip_address
from typing import Final

import structlog
import trio

from ugs.address import read_address
from ugs.broker.state.connection import Newcomer
from ugs.broker.state.server_state import ServerState
from ugs.broker.views.whole import others
from ugs.cluster.hand_over import NotHandedOver, PeersLeaving
from ugs.cluster.home_turns import HomeTurns
from ugs.cluster.introduction import DoorIntroduction, NoNode
from ugs.cluster.known_homes import Homes, SeenNode
from ugs.cluster.local_line import path_here
from ugs.cluster.node_lines import read_line, receive_some, send_whole
from ugs.cluster.relay import RelayWays
from ugs.cluster.relayed_transport import RelayedTransport
from ugs.daemon.connections.connection import Connection, Heir
from ugs.daemon.network.transport import Gone, SocketTransport, Transport, linger
from ugs.wire.codec import DECLARATION, WrongMessage, decode, encode
from ugs.wire.errors import WireError
from ugs.wire.extensions import Hello, Resume, Watch
from ugs.wire.framing import Framer
from ugs.wire.messages import Error, GameMasterLogin, Message, PlayerLogin

CONNECT_S: Final = 5.0
"""Seconds that a home may take until it has answered the introduction."""
MAX_GREETING: Final = 4096
"""Bytes of the longest greeting that is kept until the login: all families and a token take a quarter of it."""
_SESSION: Final = re.compile(r"(\d{1,3})~")
"""How the token of a session begins: with the number of its node."""


def session_token(number: int, secret: str) -> str:
    """Return a token that names the node with this number."""
    return f"{number}~{secret}"


class ClusterDoor:
    """The :class:`ugs.daemon.intake.LoginRouter` of the node ``name``. ``look`` returns the latest look at the table of
    homes, ``claimed`` is called for a game type without a home that a master brings. Unless it ``hands_over``, all
    peers are relayed."""

    def __init__(
        self,
        name: str,
        look: Callable[[], Homes],
        claimed: Callable[[str], None],
        patience_s: float,
        *,
        hands_over: bool = True,
    ) -> None:
        self.ways = RelayWays()
        self.relayed: Counter[str] = Counter()
        """Peers that are being relayed, by node."""
        self.outcomes: Counter[str] = Counter(
            {"handed over": 0, "relayed": 0, "no answer": 0, "no node": 0, "moved": 0}
        )
        """How many peers were for another node, and what became of them."""
        self.server: ServerState | None = None
        """The broker's; None before there is one."""
        self._name = name
        self._look = look
        self._claimed = claimed
        self._patience_s = patience_s
        self._turns = HomeTurns()
        """Of those that are relayed, until they are."""
        self._leaving = PeersLeaving() if hands_over else None
        self._obstacles: dict[str, str] = {}
        """Why the latest peer was not handed over, by node."""
        self._lines: dict[tuple[str, str], set[trio.CancelScope]] = {}
        """Those that relay, by node and address."""
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    def let_go(self) -> None:
        """Let those peers go whose home has another address by now: a standby has taken over. The server that they are
        relayed to may hang and never close its lines."""
        nodes = self._look().nodes
        for (name, address), lines in self._lines.items():
            if name in nodes and nodes[name].address != address:
                for line in lines:
                    line.cancel()

    def takes(self, connection: Connection, message: Message, raw: bytes, rest: Callable[[], bytes]) -> bool:
        """Pass a peer on if its message is for another node. Returns whether it is."""
        if not self._is_new(connection.number):
            return False
        if isinstance(message, Hello):
            connection.succession.greeting = raw if len(raw) <= MAX_GREETING else b""
            return False
        homes = self._look()
        home, what = self._home(homes, message)
        if not home or home == self._name:
            return False
        # One hop at most, of whichever kind: a door whose table is old must not send peers in a circle.
        if isinstance(connection.transport, RelayedTransport):
            moved = f"{what} is at home at node {home} by now"
            self._pass_on(connection, partial(self._turn_away, "moved", moved), home)
            return True
        node = homes.nodes.get(home)
        if node is None or not node.answers:
            self._pass_on(connection, partial(self._turn_away, "no answer", silent(what, home)), home)
            return True
        sent = connection.succession.greeting, raw + rest()
        self._pass_on(connection, partial(self._send_home, node, homes.secret, what, *sent), home)
        return True

    def _is_new(self, number: int) -> bool:
        server = self.server
        if server is None or server.condition.draining or number not in server.connections:
            return False
        return isinstance(server.connections[number].peer, Newcomer)

    def _home(self, homes: Homes, message: Message) -> tuple[str, str]:
        """Return the node that a peer is for, empty if any is as good, and what is at home there, for people."""
        if isinstance(message, Resume):
            found = _SESSION.match(message.token)
            return homes.node_numbered(int(found[1])) if found else "", "this session"
        if isinstance(message, Watch) and message.game_id:
            return self._leader(message.game_id), "this game"
        assert isinstance(message, PlayerLogin | GameMasterLogin | Watch)
        game_type = message.game_type or ""
        home = homes.node_of_type(game_type)
        # Masters alone: a player may misspell a game type, and would give that a home.
        if not home and game_type and isinstance(message, GameMasterLogin):
            self._claimed(game_type)
        return home, game_type

    def _leader(self, game_id: str) -> str:
        """Return the node that has shown this game; empty if it runs here, or none has."""
        if self.server is None or self.server.running_game(game_id) is not None:
            return ""
        for node in others(self.server):
            if any(game.game == game_id for game in node.overview.public.games):
                return node.name
        return ""

    async def line_to(self, name: str, address: str, sent: bytes) -> tuple[Transport, bytes]:
        """Connect to another node as a peer from ``address`` that greets it and sends more. Returns the line, and what
        has come after the answer to the greeting. Raises OSError, Gone, NoNode and trio.TooSlowError."""
        homes = self._look()
        node = homes.nodes.get(name)
        if node is None or not node.answers:
            raise NoNode(f"node {name} does not answer")
        return await self._introduced(node, homes.secret, address, sent, greeted=True)

    def _pass_on(self, connection: Connection, heir: Heir, home: str) -> None:
        connection.pass_on(heir, f"for node {home}")

    async def _send_home(
        self, node: SeenNode, secret: str, what: str, greeting: bytes, sent: bytes, peer: Transport
    ) -> None:
        """Hand a peer over to its home, or else relay it there until either of them closes."""
        if not await self._handed_over(node, secret, greeting, sent, peer):
            await self._relay(node, secret, what, greeting, sent, peer)

    async def _handed_over(self, node: SeenNode, secret: str, greeting: bytes, sent: bytes, peer: Transport) -> bool:
        """Hand a peer over, if that can be; whether the home has it by now."""
        # One with TLS cannot leave: its keys are here.
        if self._leaving is None or not path_here(node.socket) or not isinstance(peer, SocketTransport):
            return False
        try:
            await self._leaving.hand_over(node, secret, peer, greeting, sent)
        except NotHandedOver as error:
            if self._obstacles.get(node.name) != str(error):  # mostly that it runs on another machine
                self._obstacles[node.name] = str(error)
                self._log.info("relayed, not handed over", node=node.name, reason=str(error))
            return False
        except BaseException:
            await peer.aclose()
            raise
        self.outcomes["handed over"] += 1
        self._obstacles.pop(node.name, None)
        await peer.aclose()
        return True

    async def _relay(
        self, node: SeenNode, secret: str, what: str, greeting: bytes, sent: bytes, peer: Transport
    ) -> None:
        """Relay a peer to its home until either of them closes."""
        try:
            line, first = await self._introduced(node, secret, peer.address, greeting + sent, bool(greeting))
        except (OSError, Gone, NoNode, trio.TooSlowError) as error:
            reason = str(error)
            if of_this_machine(node.address) and not path_here(node.socket):
                reason += f"; other machines do not reach that address: set node_address at node {node.name}"
            self._log.warning("cannot relay", node=node.name, address=node.address, reason=reason)
            outcome = "no node" if isinstance(error, NoNode) else "no answer"
            await self._turn_away(outcome, silent(what, node.name), peer)
            return
        except BaseException:
            await peer.aclose()
            raise
        self.outcomes["relayed"] += 1
        self.relayed[node.name] += 1
        place = node.name, node.address
        scope = trio.CancelScope()
        self._lines.setdefault(place, set()).add(scope)
        try:
            with scope:
                await self.ways.relay(peer, line, self._patience_s, first)
        finally:
            self.relayed[node.name] -= 1
            self._lines[place].discard(scope)
            if not self._lines[place]:
                del self._lines[place]

    async def _introduced(
        self, node: SeenNode, secret: str, address: str, sent: bytes, greeted: bool
    ) -> tuple[SocketTransport, bytes]:
        """Connect to a node for a peer from ``address`` that has ``sent`` this. Returns the line, and what goes to the
        peer. Raises OSError, Gone, NoNode and trio.TooSlowError."""
        async with self._turns.turn(node.name, CONNECT_S):
            stream = await trio.open_tcp_stream(*read_address(node.address))
            # Out of Trio's stream: relays have an epoll set of their own (relay.py).
            line = SocketTransport(keep_alive(socket.socket(fileno=stream.socket.detach())), node.address)
            try:
                introduction = DoorIntroduction(node.name, secret, secrets.token_hex(16), address)
                await send_whole(line, introduction.greeting(), CONNECT_S)
                answer, more = await read_line(line)
                # In one piece with what the peer has sent, which saves a round trip.
                await send_whole(line, introduction.proof(answer) + sent, CONNECT_S)
                return line, await self._without_greeting(line, more) if greeted else more
            except BaseException:
                await line.aclose()
                raise

    async def _without_greeting(self, line: Transport, received: bytes) -> bytes:
        """Receive the first document of the home, and return what was received besides: the peer has had the answer to
        its greeting. Raises Gone."""
        framer, data = Framer(), received
        try:
            while (document := next(framer.feed(data), None)) is None:
                data = await receive_some(line)
            rest = framer.take_rest()
            return rest if isinstance(decode(document.raw), Hello) else document.raw + rest
        except (WireError, WrongMessage) as error:
            raise Gone(str(error)) from error

    async def _turn_away(self, outcome: str, why: str, peer: Transport) -> None:
        """Send the reason, and wait a moment for the peer to read it."""
        self.outcomes[outcome] += 1
        self._log.warning("turned away", address=peer.address, reason=why)
        try:
            await send_whole(peer, DECLARATION + encode(Error(f"{why}: connect again")), self._patience_s)
            await linger(peer)
        except Gone:
            pass
        finally:
            await peer.aclose()


def of_this_machine(address: str) -> bool:
    """Whether only this machine reaches that address, as those of ``node_address`` that were never set."""
    with suppress(ValueError):
        return ip_address(read_address(address)[0]).is_loopback
    return False


def silent(what: str, home: str) -> str:
    """Return the reason for a peer whose home does not answer."""
    return f"{what} is at home at node {home}, which does not answer"


def keep_alive(sock: socket.socket) -> socket.socket:
    """Let the system notice within some seconds that the machine at the other end has gone."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    # The last one is in ms, and as long as the keepalives before it.
    for option, number in (("TCP_KEEPIDLE", 3), ("TCP_KEEPINTVL", 1), ("TCP_KEEPCNT", 3), ("TCP_USER_TIMEOUT", 6000)):
        if hasattr(socket, option):
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), number)
    return sock
