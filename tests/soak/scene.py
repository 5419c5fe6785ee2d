"""A calm game on memory streams, and attackers beside it whose documents are counted."""

from collections.abc import Callable
from typing import Protocol

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from tests.daemon.shell import Far, Pipe, Shell, move, turn
from ugs.broker.effects import Effect
from ugs.broker.events import Event, Garbled, Misread, Received
from ugs.daemon.fairness.fair_queue import SHARE
from ugs.soak import traffic
from ugs.wire.codec import encode
from ugs.wire.framing import Framer
from ugs.wire.messages import LoginResponse

Opens = Callable[..., Shell]


class Speaks(Protocol):
    """An attacker, as far as it says something."""

    async def says(self, said: bytes, /) -> None:
        """Send this."""
        ...


class ByPipe:
    """An attacker at the other end of a pipe."""

    def __init__(self, pipe: Pipe) -> None:
        self.pipe = pipe

    async def says(self, said: bytes, /) -> None:
        """Send this."""
        await trio.lowlevel.checkpoint()
        self.pipe.says(said)


class HangsUp:
    """An attacker that is gone as soon as it has said something."""

    def __init__(self, far: Far) -> None:
        self._far = far

    async def says(self, said: bytes, /) -> None:
        """Send this, and close the line."""
        await self._far.says(said)
        await self._far.hangs_up()


class Scene:
    """A master, ann and bob in game g1, where it is ann's turn; and a count of what the server hears of the others."""

    def __init__(self, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
        self.shell = shell
        self.handled: dict[int, int] = {}
        """Documents of each connection that the broker has been told of."""
        self.before_move = -1
        """How many these were in all when the broker heard of ann's move."""
        self.seats: tuple[Far, Far, Far]
        handle = shell.broker.handle

        def counted(event: Event, now: float) -> list[Effect]:
            if isinstance(event, Received | Misread | Garbled):
                if isinstance(event, Received) and event.message == move():
                    self.before_move = sum(self.handled.values())
                self.handled[event.conn] = self.handled.get(event.conn, 0) + 1
            return list(handle(event, now))

        monkeypatch.setattr(shell.broker, "handle", counted)
        # One turn in each pass: how many there are must not depend on the time that they take here.
        monkeypatch.setattr("ugs.daemon.fairness.service_turns.PASS_S", 1e-9)

    @classmethod
    async def opens(cls, opens: Opens, monkeypatch: pytest.MonkeyPatch, **settings: object) -> "Scene":
        """A scene on a new server."""
        scene = cls(opens(**settings), monkeypatch)
        scene.seats = await scene.shell.table()
        return scene

    async def enters(self, *said: bytes) -> Far:
        """An attacker that has said this and read the answer to its login."""
        far = self.shell.connects(declares=False)
        await far.says(*said)
        while await far.hears() != LoginResponse():
            pass
        return far

    async def player(self, nick: str, *families: str) -> Far:
        """An attacker who is logged in as a player."""
        return await self.enters(*([traffic.hello(*families)] if families else []), traffic.player_login(nick))

    async def master(self, *families: str) -> Far:
        """An attacker who is logged in as a master, and offers its games as they are."""
        hello, offers = ([traffic.hello(*families)], [traffic.offers()]) if families else ([], [])
        return await self.enters(*hello, traffic.master_login("evil"), *offers)

    async def game(self, *families: str) -> tuple[Far, list[Far], str]:
        """An attacker's own game: its master, its players p0 and p1, and the id."""
        master = await self.master("table")
        players = [await self.player(f"p{number}", *families) for number in range(2)]
        begun = await master.document()
        assert begun is not None
        return master, players, begun.partition(b'gameId id="')[2].partition(b'"')[0].decode()

    async def meets(self, *attacks: tuple[Speaks, bytes], most_each: int = SHARE.documents) -> None:
        """All say this, and ann makes her move at the same moment: before she is served, there is at most one turn for
        each attacker, and one more.

        At the end all of it has been heard, or refused.
        """
        master, ann, _ = self.seats
        before = sum(self.handled.values())
        async with trio.open_nursery() as nursery:
            for far, said in (*attacks, (ann, encode(move()))):
                nursery.start_soon(far.says, said)
        assert await master.hears() == move()
        assert self.before_move <= before + (len(attacks) + 1) * most_each
        await wait_all_tasks_blocked()

    async def goes_on(self) -> None:
        """The calm game takes its next step."""
        master, ann, bob = self.seats
        await master.says(turn("bob"))
        assert await ann.hears() == turn("bob")
        assert await bob.hears() == turn("bob")


def documents_in(said: bytes) -> int:
    """How many documents these bytes hold."""
    return sum(1 for _ in Framer().feed(said))
