"""Bytes of several peers into one broker: what a shell does between both, without sockets, clocks and disks."""

from typing import Any, Final

from tests.broker.house import House, Peer
from ugs.broker.effects import Effect, Publish, Send
from ugs.broker.events import Event, Garbled, JournalBack, JournalLost, Misread, Received
from ugs.wire.codec import WrongMessage, decode, decode_sent, encode
from ugs.wire.fragment_cache import Familiar
from ugs.wire.framing import Framer, Limits, WireError

MAX_LINES: Final = 80
SECONDS: Final = (0.1, 1, 2, 3, 5, 8, 13, 35, 0, 100)
"""What time a digit stands for."""
LIMITS: Final = Limits()
SETTINGS: Final[dict[str, Any]] = {
    "game_types": {"go": {}, "cup": {"mode": "championship", "championship_players": 2}},
    "master_grace_s": 20,
    "session_grace_s": 15,
    "masters_per_game": 2,
    "max_errors_per_minute": 12,
}


class WireHouse(House):
    """A house whose peers send bytes, and in which all that the broker sends is written as bytes and read again."""

    def __init__(self, **settings: Any) -> None:
        self.framers: dict[int, Framer] = {}
        self.familiar = Familiar(LIMITS.max_attributes)
        """What the documents of all peers have in common, as in a server."""
        super().__init__(**settings)

    def hears_bytes(self, peer: Peer, data: bytes) -> None:
        """A peer has sent these bytes. Nothing more is read of one that the broker has closed."""
        framer = self.framers.setdefault(peer.conn, Framer(LIMITS, self.familiar))
        try:
            for document in framer.feed(data):
                if self.stopped or peer.is_closed():
                    return
                try:
                    event: Event = Received(peer.conn, document.message or decode_sent(document.raw))
                except WrongMessage as wrong:
                    event = Misread(peer.conn, str(wrong), wrong.kind, wrong.ref)
                self.happens(event)
        except WireError as error:
            if not self.stopped and not peer.is_closed():
                self.happens(Garbled(peer.conn, str(error), error.excerpt))

    def _carry_out(self, effect: Effect) -> None:
        super()._carry_out(effect)
        if isinstance(effect, Send | Publish):
            raw = encode(effect.message)
            assert encode(decode(raw)) == raw
            assert [document.raw for document in Framer().feed(raw)] == [raw], "who keeps the rules can read it"


def talk_target(data: bytes) -> None:
    """Lines of a conversation; the first character says whose line it is, or what happens. The invariants of the house
    hold after every single event.

    ``0`` to ``9``: this peer sends the rest of the line, and connects first if it is not there. ``-``: the line of the
    peer named next is cut. ``~``: time passes. ``!``: the server is killed and comes back. ``*``: the journal is lost,
    or back. ``s``: the disk is slow from now on, or catches up.
    """
    house = WireHouse(**SETTINGS)
    peers: dict[int, Peer] = {}
    for line in data.split(b"\n")[:MAX_LINES]:
        what, digit = line[:1], line[1] % 10 if len(line) > 1 else 0
        if what.isdigit():
            number = int(what)
            if number not in peers or peers[number].is_closed():
                peers[number] = house.connects()
            house.hears_bytes(peers[number], line[1:])
        elif what == b"-" and digit in peers:
            gone = peers.pop(digit)
            if not gone.is_closed():
                gone.is_lost()
        elif what == b"~":
            house.passes(SECONDS[digit])
        elif what == b"!":
            house, peers = house.again(house.steps_kept if digit else None), {}
        elif what == b"*":
            house.happens(JournalBack() if house.broker.server.condition.journal_lost else JournalLost("disk full"))
        elif what == b"s":
            house.disk_is_slow = not house.disk_is_slow
            house.disk_catches_up()
