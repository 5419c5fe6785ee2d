"""How a node introduces itself and a peer to the node where the peer's game type is at home.

Three lines before the first byte of the peer: the door names itself a door with a number that is never used twice, the
home answers with one of its own and proves that it knows the cluster's secret, and the door proves the same and sends
the address of the peer. So a recorded introduction cannot be used again, a stranger at a node's port learns nothing,
and a stranger at the address of a dead node gets no token of a peer. No I/O.
"""

import hmac
import re
from hashlib import sha256
from typing import Final

MAX_LINE: Final = 256
"""Bytes of the longest line."""
_GREETING: Final = re.compile(rb"ugs-node 1 ([0-9a-f]{32}) ([a-z][a-z0-9]{0,15})\n")
_ANSWER: Final = re.compile(rb"([0-9a-f]{32}) ([0-9a-f]{64})\n")
# Printable and without blanks: the address goes into the log.
_PROOF: Final = re.compile(rb"([0-9a-f]{64}) ([\x21-\x7e]{1,120})\n")


class NoNode(Exception):
    """The other end is not a node of this cluster, or not the one that was wanted. The text gives the reason."""


class HomeIntroduction:
    """The side of the home, ``name``. ``nonce`` are 32 hexadecimal digits that are never used twice."""

    def __init__(self, name: str, secret: str, nonce: str) -> None:
        self._name = name
        self._secret = secret
        self._nonce = nonce
        self._theirs = ""

    def answer(self, line: bytes) -> bytes:
        """Return what a door is answered that has sent this line. Raises NoNode."""
        # With an empty secret any stranger could prove to know it.
        if not self._secret:
            raise NoNode("the secret of this cluster is not known here")
        found = _GREETING.fullmatch(line)
        if found is None:
            raise NoNode("not the first line of a node")
        if found[2].decode() != self._name:
            raise NoNode(f"it looks for node {found[2].decode()!r}, this is {self._name!r}")
        self._theirs = found[1].decode()
        # The role is part of what is proven: a home's answer cannot be sent back as a door's.
        proof = _proof(self._secret, "home", self._name, self._theirs, self._nonce, "")
        return f"{self._nonce} {proof}\n".encode()

    def address(self, line: bytes) -> str:
        """Return where the peer comes from, when the door has proven in this line that it is one. Raises NoNode."""
        found = _PROOF.fullmatch(line)
        if found is None:
            raise NoNode("not the second line of a node")
        address = found[2].decode("ascii")
        proof = _proof(self._secret, "door", self._name, self._theirs, self._nonce, address)
        if not hmac.compare_digest(proof, found[1].decode()):
            raise NoNode("it does not know the secret of this cluster")
        return address


class DoorIntroduction:
    """The side of the door, for a peer from ``address`` that wants to the node ``home``. ``nonce`` as above."""

    def __init__(self, home: str, secret: str, nonce: str, address: str) -> None:
        self._home = home
        self._secret = secret
        self._nonce = nonce
        self._address = address

    def greeting(self) -> bytes:
        """Return the first line."""
        return f"ugs-node 1 {self._nonce} {self._home}\n".encode()

    def proof(self, line: bytes) -> bytes:
        """Return the line that follows the home's answer; the bytes of the peer follow that. Raises NoNode."""
        found = _ANSWER.fullmatch(line)
        if found is None:
            raise NoNode("what listens there is no node")
        theirs = found[1].decode()
        # The home proves itself first: a stranger at the address of a dead node gets no peer's token.
        proof = _proof(self._secret, "home", self._home, self._nonce, theirs, "")
        if not hmac.compare_digest(proof, found[2].decode()):
            raise NoNode("what listens there does not know the secret of this cluster")
        proof = _proof(self._secret, "door", self._home, self._nonce, theirs, self._address)
        return f"{proof} {self._address}\n".encode()


def _proof(secret: str, *parts: str) -> str:
    return hmac.new(secret.encode(), "\n".join(parts).encode(), sha256).hexdigest()
