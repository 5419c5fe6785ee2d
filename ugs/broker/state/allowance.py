"""How many long answers a peer may have, and all peers of one address together.

The unit is a list: an answer of ``list_rows`` rows is one, a shorter one counts in proportion, and a message to several
peers counts for each of them. An answer is subtracted when its length is known, so an allowance can be in debt by one
answer; its peer has to wait until it is not.
"""

import math
from dataclasses import dataclass, field

from ugs.broker.state.connection import Peer
from ugs.broker.state.extras import Key
from ugs.config import Config
from ugs.value import state

MIN_LISTS: float = 0.05
"""Lists that any request counts, however short its answer."""
ENOUGH = MIN_LISTS - 1e-6
"""What must be left for one more request; sums of times are not exact."""
BYTES = 2048
"""Bytes that are passed on as they are cost as much as a row."""
CHARACTERS = 256
"""Characters of options, which have to be encoded, that cost as much as a row."""
COPIES = 20
"""Rows that cost as much to send once more, when they are written already, as to write one."""
FEW_ORIGINS = 1000
"""Up to this many hosts are remembered without checking which could be forgotten."""


def spread(rows: float, hearers: int) -> float:
    """Return the cost in rows of a message of ``rows`` that is written once and goes to ``hearers`` peers."""
    return rows + hearers * (1 + rows / COPIES) if hearers else 0.0


def texts(characters: int) -> float:
    """Return the cost in rows of texts with this many characters."""
    return characters / CHARACTERS


@dataclass(slots=True)
class Allowance:
    """Lists that may be had at once, as of a moment."""

    # Cut to the burst by the first refill: the settings are not known here.
    lists: float = math.inf
    at: float = 0.0

    def refilled(self, now: float, burst: float, per_s: float) -> float:
        """Make it that of ``now``; returns the lists that may be had."""
        self.lists = min(burst, self.lists + (now - self.at) * per_s)
        self.at = now
        return self.lists


OWN: Key[Allowance] = Key("lists", Allowance)
"""With a peer."""


@state(eq=True)
class Allowances:
    """Those of all peers and origins. A peer for whom a gateway speaks has none: the gateway knows what it may ask."""

    config: Config
    origins: dict[str, Allowance] = field(default_factory=dict)
    """By the origin of the connection."""
    look_at: int = FEW_ORIGINS

    def refusal(self, peer: Peer, now: float) -> str | None:
        """Why this peer may not have a long answer now, and when it may; None when it may."""
        if peer.connection.by_gateway:
            return None
        config = self.config
        own = OWN.of(peer).refilled(now, config.list_burst, config.lists_per_s)
        if own < ENOUGH:
            wait = (MIN_LISTS - own) / config.lists_per_s
            return _text("", config.list_burst, config.lists_per_s, wait)
        theirs = self._of_origin(peer.connection.origin, now)
        if theirs < ENOUGH:
            wait = (MIN_LISTS - theirs) / config.lists_per_s_per_ip
            return _text(" from your address", config.list_burst_per_ip, config.lists_per_s_per_ip, wait)
        return None

    def take(self, peer: Peer, rows: float, now: float) -> None:
        """Subtract the cost, in rows, of messages that a peer has caused."""
        if peer.connection.by_gateway:
            return
        config = self.config
        # At least a twentieth: an answer without rows costs its request all the same.
        lists = max(MIN_LISTS, rows / config.list_rows)
        own = OWN.of(peer)
        own.lists = own.refilled(now, config.list_burst, config.lists_per_s) - lists
        if origin := peer.connection.origin:
            self._of_origin(origin, now)
            self.origins[origin].lists -= lists

    def _of_origin(self, origin: str, now: float) -> float:
        """The lists that the peers of an origin may have; there is no limit where it is not known."""
        if not origin:
            return math.inf
        burst, per_s = self.config.list_burst_per_ip, self.config.lists_per_s_per_ip
        known = self.origins.get(origin)
        if known is None:
            if len(self.origins) >= self.look_at:
                origins = self.origins.items()
                # One that is full again says no more than a new one.
                self.origins = {one: theirs for one, theirs in origins if theirs.refilled(now, burst, per_s) < burst}
                # Doubled: the cost of looking stays constant per new origin.
                self.look_at = max(FEW_ORIGINS, 2 * len(self.origins))
            known = self.origins[origin] = Allowance()
        return known.refilled(now, burst, per_s)


def _text(whose: str, burst: float, per_s: float, wait_s: float) -> str:
    wait_s = math.ceil(wait_s * 10) / 10  # after that time it may, so that it is not rounded down
    return f"too many lists{whose}; allowed are {burst:g} at once and {per_s:g} a second; ask again in {wait_s:g} s"
