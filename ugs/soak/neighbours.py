"""Others at the doors beside an attack: what they wait for, and how long.

They come from an address of their own, so an attacker uses up no budget of theirs.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

import trio
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, Event, Ping, Pong, Request, TextMessage

from ugs.soak import traffic
from ugs.soak.target import AttackLine, AttackSite, Dealt

SOURCE: Final = "127.0.0.3"
"""Their address."""
BOUND_S: Final = 1.0
"""Seconds that none of them may wait, on a machine that does other things, too."""
LOGIN_BOUND_S: Final = 5.0
"""The same for a login whose secret has to be checked: behind one guess of each attacker."""


@dataclass(slots=True)
class Waits:
    """How long one neighbour has waited each time, in seconds."""

    dealt: Dealt
    what: str
    bound_s: float = BOUND_S
    seconds: list[float] = field(default_factory=list)

    @contextmanager
    def one(self) -> Iterator[None]:
        """Wait for something in the block. What was still waited for when the attack ended counts, too."""
        begun = trio.current_time()
        try:
            yield
        finally:
            self.seconds.append(trio.current_time() - begun)

    @contextmanager
    def judged(self) -> Iterator["Waits"]:
        """When the block is left, the attacker has done harm if one wait was above the bound, or nothing was had."""
        try:
            yield self
        finally:
            longest = max(self.seconds, default=0.0)
            if not self.seconds or longest > self.bound_s:
                data = f"{self.what}: waited {longest * 1000:.0f} ms, bound {self.bound_s * 1000:.0f}"
                self.dealt.harm.append(data if self.seconds else f"{self.what}: was never there")
            self.dealt.waited[self.what] = round(longest, 3)


class Browser:
    """A person's WebSocket to the page, as a program. All methods raise Gone when the server has ended it."""

    def __init__(self, line: AttackLine) -> None:
        self._line = line
        self._speaks = WSConnection(ConnectionType.CLIENT)
        self._come: list[Event] = []

    @classmethod
    async def opens(cls, site: AttackSite) -> "Browser":
        """Open ``/play/line`` of a server."""
        assert site.place.http is not None
        host, port = site.place.http
        browser = cls(await site.line((host, port), source=SOURCE))
        await browser._send(Request(host=f"{host}:{port}", target="/play/line"))
        while not isinstance(await browser._next(), AcceptConnection):
            pass
        return browser

    async def asks(self, request: str) -> None:
        """Send a request as the page would send it, as JSON."""
        await self._send(TextMessage(request))

    async def sees(self, text: str) -> None:
        """Wait until the page shows something."""
        received = ""
        while text not in received:
            event = await self._next()
            if isinstance(event, TextMessage):
                received = event.data if event.message_finished and not received else received + event.data
                # Only the end is of interest, and such a line may stay open for long.
                received = received[-1_000_000:]

    async def trip(self) -> None:
        """Wait for the answer to a ping: as long as a move waits to be read."""
        await self._send(Ping(b"trip"))
        while not isinstance(await self._next(), Pong):
            pass

    async def _next(self) -> Event:
        while not self._come:
            self._speaks.receive_data(await self._line.read())
            self._come += self._speaks.events()
        event = self._come.pop(0)
        if isinstance(event, Ping):
            await self._send(event.response())
        return event

    async def _send(self, event: Event) -> None:
        await self._line.send(self._speaks.send(event))


async def play(site: AttackSite) -> tuple[Browser, Browser]:
    """Two people at browsers, in a game of a master of their own type that lets them think."""
    master = await site.line(source=SOURCE)
    await master.send(traffic.master_login("m", game_type="neighbours"))
    await master.receive("loginResponse")
    browsers = await Browser.opens(site), await Browser.opens(site)
    for number, browser in enumerate(browsers):
        await browser.asks(f'{{"do": "login", "nick": "n{number}", "game_type": "neighbours"}}')
        await browser.sees('"phase":"lobby"')
        await browser.asks('{"do": "wait"}')
    begin = await master.receive("beginGame")
    game = begin.partition('<gameId id="')[2].partition('"')[0]
    await master.send(traffic.state(game, "n0"))
    site.listens(master)
    for browser in browsers:
        await browser.sees('"phase":"playing"')
    return browsers
