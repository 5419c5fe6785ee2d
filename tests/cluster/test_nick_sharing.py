"""Nicks that are claimed and released, many at a time."""

from collections.abc import Callable, Iterable, Mapping
from threading import Event as Barrier

import trio
from trio.testing import MockClock

from tests.cluster.nodes import MemoryNicks, running
from tests.cluster.test_login_router import hears, logged_in
from tests.daemon.shell import GO
from ugs.broker.effects import ClaimNick, ReleaseNick
from ugs.broker.events import Event, NickClaimed, NickLost
from ugs.cluster.nick_sharing import ANSWER_S, IN_USE_S, ROUND_S, SILENT, NickSharing
from ugs.cluster.nick_table import SharedNick
from ugs.journal.journal_error import JournalError
from ugs.wire.extensions import Failed, Hello, RefusalReason, Watch
from ugs.wire.messages import LoginError, LoginResponse, PlayerLogin

ANN = SharedNick("ann")


class AwayNicks(MemoryNicks):
    """A database that is away, or hangs, when a test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.away = False
        self.hangs: Barrier | None = None
        self.transactions = 0

    def exchange(
        self, node: str, fence: int, free: Iterable[SharedNick], wanted: Iterable[SharedNick]
    ) -> Mapping[SharedNick, str]:
        self.transactions += 1
        if self.hangs is not None:
            self.hangs.wait()
        if self.away:
            raise JournalError("away")
        return super().exchange(node, fence, free, wanted)


class QuickSharing(NickSharing):
    """Asks at once: a clock that jumps does not wait for threads."""

    async def _in_thread(self, ask: Callable[[], Mapping[SharedNick, str]]) -> Mapping[SharedNick, str]:
        await trio.lowlevel.checkpoint()
        return ask()


class Shared:
    """One node's share."""

    def __init__(self, name: str, table: AwayNicks, kind: type[NickSharing] = QuickSharing) -> None:
        self.sharing = kind(name, table)
        send, self._receive = trio.open_memory_channel[Event](100)
        self.sharing.happens = send.send_nowait

    def claims(self, form: str) -> None:
        self.sharing.claim(ClaimNick(form, watches=False), 0.0)

    def releases(self, form: str) -> None:
        self.sharing.release(ReleaseNick(form, watches=False), 0.0)

    async def hears(self) -> Event:
        return await self._receive.receive()


async def test_peers_that_log_in_and_out_again_and_again_cost_a_few_transactions(autojump_clock: MockClock) -> None:
    table = AwayNicks()
    node = Shared("a", table)
    logins = 0

    def happens(event: Event) -> None:
        nonlocal logins
        assert isinstance(event, NickClaimed)
        logins += 1
        node.releases(event.form)
        if trio.current_time() < until:
            node.claims(event.form)

    node.sharing.happens = happens
    async with trio.open_nursery() as nursery:
        until = trio.current_time() + 1
        for number in range(100):
            node.claims(f"bot{number}")
        nursery.start_soon(node.sharing.run)
        await trio.sleep(2)
        assert logins > 1000
        assert table.transactions <= 1 / ROUND_S + 3
        assert not table.node_of
        nursery.cancel_scope.cancel()


async def test_a_nick_that_is_released_a_moment_later_is_not_refused(autojump_clock: MockClock) -> None:
    table = AwayNicks()
    a, b = Shared("a", table), Shared("b", table)
    async with trio.open_nursery() as nursery:
        for node in (a, b):
            nursery.start_soon(node.sharing.run)
        a.claims("ann")
        assert await a.hears() == NickClaimed("ann", False)
        b.claims("ann")
        await trio.sleep(IN_USE_S / 2)
        a.releases("ann")
        assert await b.hears() == NickClaimed("ann", False)
        a.claims("ann")
        assert await a.hears() == NickClaimed("ann", False, "b")
        nursery.cancel_scope.cancel()


async def test_a_database_that_is_away_or_hangs_lets_logins_wait_for_a_bounded_time(autojump_clock: MockClock) -> None:
    table = AwayNicks()
    node = Shared("a", table)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(node.sharing.run)
        node.claims("bob")
        assert await node.hears() == NickClaimed("bob", False)
        table.away = True
        node.releases("bob")
        node.claims("ann")
        began = trio.current_time()
        assert await node.hears() == NickClaimed("ann", False, failure=SILENT)
        assert trio.current_time() - began < 2 * ANSWER_S
        table.away = False
        await trio.sleep(1)
        assert not table.node_of, "what was free while the database was away"
        nursery.cancel_scope.cancel()


async def test_a_claim_that_was_good_too_late_is_taken_back() -> None:
    table, gate = AwayNicks(), Barrier()
    table.hangs = gate
    node = Shared("a", table, NickSharing)
    async with trio.open_nursery() as nursery:
        node.claims("ann")
        nursery.start_soon(node.sharing._round)
        await trio.testing.wait_all_tasks_blocked()
        node.sharing._answer(ANN, failure=SILENT)
        gate.set()
    await node.sharing._round()
    assert not table.node_of


async def test_what_another_node_has_after_a_silence_is_lost(autojump_clock: MockClock) -> None:
    table = AwayNicks()
    node = Shared("a", table)
    table.node_of |= {ANN: "b", SharedNick("old"): "a"}
    await node.sharing.begin(2, lambda: [ANN, SharedNick("bob")])
    assert await node.hears() == NickLost("ann", "b")
    assert table.node_of == {ANN: "b", SharedNick("bob"): "a"}


async def test_a_nick_in_use_at_one_node_is_in_use_at_all() -> None:
    async with running("a", "b") as (table, nodes):
        table.move(GO, "a")
        table.move("chess", "b")
        for node in nodes.values():
            await node.look()
        ann = await logged_in(await nodes["a"].dials(), PlayerLogin("ann", GO))
        other = await nodes["a"].dials()
        await other.says(Hello(()), PlayerLogin("ANN", "chess"))
        await hears(other)
        assert await hears(other) == Failed(RefusalReason.DUPLICATE_USER, "playerLogin: nick is in use")
        assert await hears(other) == LoginResponse(LoginError.WRONG_NICK)
        spectator = await nodes["b"].dials()
        await spectator.says(Hello(("watch",)), Watch(game_type="chess", nick="ann", ref="1"))
        await hears(spectator)
        assert await hears(spectator) == Failed(RefusalReason.DUPLICATE_USER, "x-watch: nick is in use", ref="1")
        await ann.hangs_up()
        await other.says(PlayerLogin("ann", "chess"))  # at once: the word that the nick is free comes a moment later
        assert await hears(other) == LoginResponse()
        assert nodes["b"].names() >= {"ann"}
