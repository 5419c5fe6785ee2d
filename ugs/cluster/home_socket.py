"""Where doors on the same machine hand peers over: a Unix socket of this node, for processes of its user alone."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import structlog
import trio

from ugs.cluster.hand_over import HEAD, MAX_SENT, TAKEN, YOURS
from ugs.cluster.handed_transport import HandedTransport
from ugs.cluster.introduction import NoNode
from ugs.cluster.known_homes import Homes
from ugs.cluster.local_line import CAN_BE, LocalLine
from ugs.cluster.node_lines import read_line, receive_some, send_whole
from ugs.cluster.node_port import PATIENCE_S, NodePort
from ugs.config import Config
from ugs.daemon.network.listening import Doorkeeper
from ugs.daemon.network.transport import Gone, SocketTransport
from ugs.daemon.network.unix_sockets import listening_at
from ugs.daemon.processes.supervision import Supervisor
from ugs.unkept_folders import unkept_folder

SOCKET_NAME: Final = "node.sock"


def hands_over(config: Config) -> bool:
    """Whether a node with these settings hands peers over, and takes them."""
    return config.hand_over and CAN_BE


class HomeSocket:
    """That of the node ``name``; the :class:`ugs.daemon.network.listening.Shakes` of those who come there."""

    def __init__(self, name: str, look: Callable[[], Homes]) -> None:
        self.path = ""
        """Where it is; empty as long as there is none."""
        self.doors = NodePort(name, look)
        """Who introduces itself there."""
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    async def serve(
        self,
        config: Config,
        keeper: Doorkeeper,
        supervisor: Supervisor,
        task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Let peers that are handed over in through ``keeper`` until cancelled. Returns at once where there can be no
        socket: doors relay then."""
        with ExitStack() as stack:
            try:
                path = stack.enter_context(_socket_folder(config)) / SOCKET_NAME
                listener = stack.enter_context(listening_at(path))
            except OSError as error:
                self._log.warning("no peers are handed over here", reason=str(error))
                task_status.started()
                return
            self.path = str(path)
            task_status.started()
            await supervisor.run("node port", partial(keeper.welcome, listener))

    async def shake(self, wire: SocketTransport) -> HandedTransport:
        """Take one peer over. Returns its transport. Raises Gone when none comes; the caller has to close the line
        then."""
        assert isinstance(wire, LocalLine)
        try:
            wire.check_user()
            address, more = await self.doors.introduced(wire)
            with trio.fail_after(PATIENCE_S):
                transport = await _taken(wire, address, more)
        except (NoNode, OSError) as error:
            raise Gone(str(error)) from error
        except trio.TooSlowError:
            raise Gone("it has not handed the peer over in time") from None
        await wire.aclose()
        return transport


async def _taken(line: LocalLine, address: str, more: bytes) -> HandedTransport:
    """Take the peer of a door that has introduced itself. Raises Gone, NoNode and OSError."""
    while len(more) < HEAD.size:
        more += await receive_some(line)
    size, greeted = HEAD.unpack_from(more)
    if size > MAX_SENT:
        raise NoNode("it hands over more than a peer may have sent")
    first = bytearray(more[HEAD.size :])
    while len(first) < size:
        first += await receive_some(line)
    peer = line.take_socket()
    if peer is None:
        raise NoNode("no socket has come")
    try:
        await send_whole(line, TAKEN, PATIENCE_S)
        word, _ = await read_line(line)
        if word != YOURS or len(first) > size:
            raise NoNode("it does not give its word")
        return HandedTransport(SocketTransport(peer, address), address, bytes(first), greeted=greeted)
    except BaseException:
        # The door still has it.
        peer.close()
        raise


@contextmanager
def _socket_folder(config: Config) -> Iterator[Path]:
    """The folder of the socket: that of the socket for organisers, or one that is removed at the end. Raises
    OSError."""
    if directory := config.admin_dir or config.data_dir:
        yield Path(directory).absolute()
        return
    with unkept_folder("ugs-node") as folder:
        yield folder
