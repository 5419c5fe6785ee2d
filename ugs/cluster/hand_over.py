"""A door hands a peer over to a home on the same machine: it sends the peer's socket, and keeps nothing of it.

The home listens at a Unix socket, whose path is in the table of nodes. Door and home introduce themselves there as they
do from machine to machine (introduction.py). With the door's last line go the peer's socket and all that the peer has
sent. The home answers that it has both, and the door, which has sent the peer nothing meanwhile, gives its word. Until
then the peer is the door's, from then on the home's: never are both serving it. Where anything goes wrong before, the
door still has the peer, and relays it.
"""

import secrets
import struct
from typing import Final

import trio

from ugs.cluster.home_turns import HomeTurns
from ugs.cluster.introduction import DoorIntroduction, NoNode
from ugs.cluster.known_homes import SeenNode
from ugs.cluster.local_line import LocalLine, connected, path_here
from ugs.cluster.node_lines import read_line, send_whole
from ugs.daemon.network.transport import Gone, SocketTransport

HAND_OVER_S: Final = 2.0
"""Seconds that a home may take until it has the peer, which is relayed then."""
MAX_SENT: Final = 1_048_576
"""Bytes that a peer may have sent; with the usual limits it is a third of this at most."""
HEAD: Final = struct.Struct("!I?")
"""What follows the door's last line: how many bytes of the peer come, and whether the answer to its greeting has been
sent."""
TAKEN: Final = b"taken\n"
"""The home has all of it."""
YOURS: Final = b"yours\n"
"""From now on the peer is the home's."""


class NotHandedOver(Exception):
    """The peer is still the door's; the text gives the reason."""


class PeersLeaving:
    """Those that one door hands over."""

    def __init__(self) -> None:
        self._turns = HomeTurns()

    async def hand_over(self, node: SeenNode, secret: str, peer: SocketTransport, greeting: bytes, sent: bytes) -> None:
        """Hand a peer over that has sent a ``greeting``, which was answered, or none, and more. The caller closes
        ``peer`` then. Raises NotHandedOver."""
        try:
            async with self._turns.turn(node.name, HAND_OVER_S):
                await _introduce_and_give(node, secret, peer, greeting, sent)
        except (OSError, Gone, NoNode, trio.TooSlowError) as error:
            raise NotHandedOver(str(error)) from error


async def _introduce_and_give(node: SeenNode, secret: str, peer: SocketTransport, greeting: bytes, sent: bytes) -> None:
    """Raises OSError, Gone and NoNode."""
    line = connected(path_here(node.socket))
    try:
        line.check_user()
        introduction = DoorIntroduction(node.name, secret, secrets.token_hex(16), peer.address)
        await _give(line, introduction, peer, greeting, sent)
    finally:
        await line.aclose()


async def _give(
    line: LocalLine, introduction: DoorIntroduction, peer: SocketTransport, greeting: bytes, sent: bytes
) -> None:
    """Raises Gone and NoNode."""
    first = greeting + sent
    if len(first) > MAX_SENT:
        raise NoNode("the peer has sent too much")
    await send_whole(line, introduction.greeting(), HAND_OVER_S)
    answer, _ = await read_line(line)
    with_it = introduction.proof(answer) + HEAD.pack(len(first), bool(greeting)) + first
    await line.send_with(peer, with_it, HAND_OVER_S)
    answer, _ = await read_line(line)
    if answer != TAKEN:
        raise NoNode("what it answers is not that it has the peer")
    # The last thing that may fail, and nothing is awaited after it.
    if line.send_now(YOURS) < len(YOURS):
        raise Gone("it takes no word")
    peer.copied = False
