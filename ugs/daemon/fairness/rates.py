"""How much peers may send in a time: token buckets, one for each connection and for each address.

A bucket fills at the rate of its limit and holds what may come at once. What was sent is taken out afterwards, so a
bucket can be in debt; the peer is not read again until it is not. A peer that is in debt for long is closed.

Counting a message costs next to nothing: it is added up, and the buckets are asked when enough has come together.
Wrong messages are counted by ``ugs/broker/play/errors_per_minute.py``.
"""

import math

from ugs.config import Config
from ugs.value import value

COUNTED_TOGETHER = 256
COUNTED_TOGETHER_BYTES = 1_048_576
"""The buckets are asked after this many messages and bytes of one connection; sooner where the limits are small."""
FORGIVEN_S = 2.0
"""After this many seconds without an overrun, earlier overruns of a peer are forgotten."""
FEW_ORIGINS = 1000
"""Addresses that are remembered before any are checked for being forgotten."""


class Bucket:
    """Tokens for one limit: ``per_second``, and ``burst_s`` times as many at once. 0 per second is no limit."""

    __slots__ = ("_at", "_full", "_level", "per_second")

    def __init__(self, per_second: float, burst_s: float, now: float) -> None:
        self.per_second = per_second
        self._full = self._level = per_second * burst_s
        self._at = now

    def take(self, amount: float, now: float) -> float:
        """Take tokens out at ``now``, in seconds of a clock; returns the seconds until there is no debt."""
        if not self.per_second:
            return 0.0
        # Debt has no floor: all that was sent is paid for, however long that takes.
        self._level = min(self._full, self._level + (now - self._at) * self.per_second) - amount
        self._at = now
        return max(0.0, -self._level / self.per_second)

    def full(self, now: float) -> bool:
        """Whether it could be replaced by a new one without a difference."""
        return self._level + (now - self._at) * self.per_second >= self._full


@value
class Overrun:
    """A peer has sent more than a limit allows."""

    text: str
    """The limit, for the peer to read."""
    wait_s: float
    """Seconds before it may be read again."""
    first: bool
    """Whether it has not been warned before."""
    last: bool
    """Whether patience with it is at its end."""


class Origin:
    """What the connections from one address share."""

    __slots__ = ("connections", "handshakes", "logins", "messages", "received")

    def __init__(self, config: Config, now: float) -> None:
        burst = config.rate_burst_s
        self.connections = 0
        self.messages = Bucket(config.max_messages_per_second_per_ip, burst, now)
        self.received = Bucket(config.max_bytes_per_second_per_ip, burst, now)
        self.logins = Bucket(config.max_logins_per_second_per_ip, burst, now)
        self.handshakes = Bucket(config.tls.max_handshakes_per_second_per_ip, burst, now)

    def idle(self, now: float) -> bool:
        """Whether nothing would be lost if it were forgotten."""
        buckets = (self.messages, self.received, self.logins, self.handshakes)
        return not self.connections and all(bucket.full(now) for bucket in buckets)


class Meter:
    """Counts what one connection sends. Small amounts are added to ``messages`` and ``received`` first; :meth:`judge`
    judges all of them together."""

    __slots__ = (
        "_messages",
        "_over_at",
        "_over_since",
        "_patience_s",
        "_received",
        "_reported",
        "messages",
        "origin",
        "received",
    )

    def __init__(self, config: Config, origin: Origin, now: float) -> None:
        self.origin = origin
        self.messages = self.received = 0
        """Messages and bytes that it has sent and that are not judged yet."""
        self._messages = Bucket(config.max_messages_per_second, config.rate_burst_s, now)
        self._received = Bucket(config.max_bytes_per_second, config.rate_burst_s, now)
        self._patience_s = config.rate_patience_s
        self._reported = False
        self._over_since = self._over_at = -math.inf

    def logs_in(self, now: float) -> Overrun | None:
        """A new connection: it counts as a login. Returns the limit that it has overrun, or None."""
        wait = self.origin.logins.take(1, now)
        return self._overrun(wait, self.origin.logins, "logins", " from your address", now) if wait else None

    def add_sent(self, messages: int, received: int, now: float) -> Overrun | None:
        """It has sent this many messages and bytes since it was last asked. Returns the limit that it has overrun, or
        None; of several limits the one with the longest wait."""
        origin = self.origin
        # The numbers keep two buckets with the same wait from being compared.
        found = max(
            (self._messages.take(messages, now), 0, self._messages, "messages", ""),
            (self._received.take(received, now), 1, self._received, "bytes", ""),
            (origin.messages.take(messages, now), 2, origin.messages, "messages", " from your address"),
            (origin.received.take(received, now), 3, origin.received, "bytes", " from your address"),
        )
        wait, _, bucket, what, where = found
        return self._overrun(wait, bucket, what, where, now) if wait else None

    def judge(self, now: float) -> Overrun | None:
        """Count what was added since the last time, as :meth:`add_sent` does."""
        messages, received = self.messages, self.received
        self.messages = self.received = 0
        return self.add_sent(messages, received, now)

    def _overrun(self, wait: float, bucket: Bucket, what: str, where: str, now: float) -> Overrun:
        if now > self._over_at + FORGIVEN_S:
            self._over_since = now
        # From the end of the pause: until then the peer cannot show that it has changed.
        self._over_at = now + wait
        first, self._reported = not self._reported, True
        text = f"rate limit: at most {bucket.per_second:g} {what} per second{where}"
        return Overrun(text, wait, first, now - self._over_since > self._patience_s)


class Rates:
    """The meters of all connections of one server."""

    def __init__(self, config: Config) -> None:
        self.overruns = 0
        """How many times a peer has sent more than a limit allows."""
        self._config = config
        self._origins: dict[str, Origin] = {}
        self._look_at = FEW_ORIGINS
        bursts = [
            limit * config.rate_burst_s
            for limit in (config.max_messages_per_second, config.max_messages_per_second_per_ip)
            if limit
        ]
        bytes_at_once = [
            limit * config.rate_burst_s
            for limit in (config.max_bytes_per_second, config.max_bytes_per_second_per_ip)
            if limit
        ]
        # A quarter of what may come at once: counted in pieces of 256, a low limit would be noticed too late.
        self.messages_together = int(min([COUNTED_TOGETHER, *(burst / 4 for burst in bursts)]))
        self.bytes_together = int(min([COUNTED_TOGETHER_BYTES, *(burst / 4 for burst in bytes_at_once)]))
        """After how many of a connection's messages or bytes its meter is asked."""

    def meter(self, ip: str, now: float) -> Meter:
        """The meter of a new connection from this address."""
        origin = self._origin(ip, now)
        origin.connections += 1
        return Meter(self._config, origin, now)

    def handshake(self, ip: str, now: float) -> float:
        """Count one more TLS handshake with this address; returns the seconds that it has to wait."""
        wait = self._origin(ip, now).handshakes.take(1, now)
        self.overruns += wait > 0
        return wait

    def _origin(self, ip: str, now: float) -> Origin:
        origin = self._origins.get(ip)
        if origin is None:
            # Addresses are remembered until their buckets are full: reconnecting must not refill them.
            if len(self._origins) >= self._look_at:
                self._origins = {one: known for one, known in self._origins.items() if not known.idle(now)}
                self._look_at = max(FEW_ORIGINS, 2 * len(self._origins))
            origin = self._origins[ip] = Origin(self._config, now)
        return origin

    def forget(self, meter: Meter) -> None:
        """A connection has ended. What its address has sent is remembered until it does not matter any more."""
        meter.origin.connections -= 1
