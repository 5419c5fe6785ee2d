"""TLS handshakes: peers that are on their way in, before anything else of the server knows of them.

A handshake costs the server as much as fifty messages, and its peer next to nothing. So each address has a limit per
second and a limit at a time; each handshake has a time limit; and all its steps wait for turns among the peers that
have sent something, at the same price. Where there are too many, the one that has lasted longest goes: a peer that
answers at once is through before that, even if others fill the line.
"""

from collections import Counter
from collections.abc import Callable, Hashable
from time import perf_counter, thread_time
from typing import Final
from weakref import WeakSet

import structlog
import trio

from ugs.address import origin_of
from ugs.daemon.fairness.rates import Rates
from ugs.daemon.fairness.service_turns import Guest
from ugs.daemon.fairness.watchdog import HOLD_S, Watchdog
from ugs.daemon.network.certificates import Certificates
from ugs.daemon.network.tls import HANDSHAKE, TlsTransport, TlsWire
from ugs.daemon.network.transport import Gone
from ugs.tls_settings import TlsSettings

FIRST_COST_S: Final = 0.001
"""Seconds that a step is expected to take before any has been measured."""
REPORT_S: Final = 1.0
"""Seconds between two lines about handshakes that failed; the next one counts those that had none."""


class NoTls(Exception):
    """The peer speaks something else; what it has sent was not read."""


class Handshakes:
    """All handshakes of one server. ``guest_of`` gives what waits for turns, for an address."""

    def __init__(
        self,
        settings: TlsSettings,
        certificates: Certificates | None,
        guest_of: Callable[[Hashable], Guest],
        rates: Rates,
        watchdog: Watchdog,
    ) -> None:
        self.certificates = certificates
        """None: no port speaks TLS."""
        self.counts: Counter[str] = Counter({"done": 0, "failed": 0, "no TLS": 0})
        """How handshakes ended."""
        self._settings = settings
        self._guest_of = guest_of
        self._rates = rates
        self._watchdog = watchdog
        self._going: dict[trio.CancelScope, str] = {}
        """Those that go on, the oldest first, with their addresses."""
        self._per_origin: Counter[str] = Counter()
        self._lines: WeakSet[TlsTransport] = WeakSet()
        """All that have come of handshakes and are still there."""
        self._cost_s = FIRST_COST_S
        self._quiet_until = 0.0
        self._unreported = 0
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    def __len__(self) -> int:
        """How many go on."""
        return len(self._going)

    @property
    def lines(self) -> int:
        """How many lines speak TLS, or are about to: on all ports."""
        return len(self._lines) + len(self._going)

    async def shake(self, wire: TlsWire) -> TlsTransport:
        """Shake hands with a peer. Raises NoTls, and Gone when it fails; the caller has to close the wire then."""
        origin = origin_of(wire.address)
        self._make_room(origin)
        scope = trio.CancelScope(deadline=trio.current_time() + self._settings.handshake_timeout_s)
        self._going[scope] = origin
        self._per_origin[origin] += 1
        try:
            with scope:
                transport = await self._shaken(wire, origin)
                self.counts["done"] += 1
                self._lines.add(transport)
                return transport
            late = trio.current_time() >= scope.deadline
            raise Gone(f"not done within {self._settings.handshake_timeout_s:g} s" if late else "too many at a time")
        except NoTls:
            self.counts["no TLS"] += 1
            raise
        except Gone as gone:
            self.counts["failed"] += 1
            self._report(wire.address, str(gone))
            raise
        finally:
            self._going.pop(scope, None)
            self._per_origin[origin] -= 1
            # Or every address that ever came would stay in memory.
            if not self._per_origin[origin]:
                del self._per_origin[origin]

    async def _shaken(self, wire: TlsWire, origin: str) -> TlsTransport:
        certificates = self.certificates
        assert certificates is not None
        await trio.sleep(self._rates.handshake(origin, trio.current_time()))
        # No turn before the first byte: a client that is silent costs its place, and nothing else.
        await wire.readable()
        first = wire.first_byte()
        while first is None:
            await wire.readable()
            first = wire.first_byte()
        if first not in (b"", HANDSHAKE):
            raise NoTls
        transport = TlsTransport(wire, certificates.context)
        guest = self._guest_of(origin)
        done = False
        while not done:
            await wire.readable()
            guest.spent_s = self._cost_s  # paid before it is used: who goes after the first step has paid for it
            await guest.next_turn()
            done = self._step(transport)
        await transport.send_owed()
        return transport

    def _step(self, transport: TlsTransport) -> bool:
        self._watchdog.begin()
        begun, processor_s = perf_counter(), thread_time()
        try:
            return transport.shake_hands()
        finally:
            cost_s = thread_time() - processor_s
            # The expensive steps count: each step is charged as if it were one of them.
            self._cost_s = max(cost_s, self._cost_s + (cost_s - self._cost_s) / 64)
            if perf_counter() - begun > HOLD_S:
                self._watchdog.held(0, transport.address, "TLS handshake", perf_counter() - begun)

    def _make_room(self, origin: str) -> None:
        """Let the oldest give way, if need be."""
        # The oldest of its own address: no address pushes out a handshake of another.
        if self._per_origin[origin] >= self._settings.max_handshakes_per_ip:
            self._give_way(next(scope for scope, own in self._going.items() if own == origin))
        elif len(self._going) >= self._settings.max_handshakes:
            self._give_way(next(iter(self._going)))

    def _give_way(self, scope: trio.CancelScope) -> None:
        del self._going[scope]
        scope.cancel()

    def _report(self, address: str, reason: str) -> None:
        self._unreported += 1
        now = trio.current_time()
        if now < self._quiet_until:
            return
        self._log.warning("no TLS handshake", address=address, reason=reason, failures=self._unreported)
        self._unreported = 0
        self._quiet_until = now + REPORT_S
