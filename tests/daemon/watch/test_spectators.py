"""Spectators: who gets what is published, in which order, and that nobody has to wait for them."""

from collections.abc import Callable

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock, wait_all_tasks_blocked

from tests.daemon.shell import GO, Far, Pipe, Shell, move, over, turn
from tests.daemon.test_driver import Opens
from ugs.broker.effects import Effect, Publish, Send, Subscribe, Unsubscribe
from ugs.broker.events import Event, ShutdownAsked
from ugs.broker.values.recollection import Recollected, Wish
from ugs.daemon.watch.spectators import GATHER_S, SLICE
from ugs.wire.codec import DECLARATION, encode
from ugs.wire.extensions import (
    EventKind,
    Family,
    GameEvent,
    Hello,
    ListGames,
    Ok,
    RunningGames,
    Unwatch,
    Watch,
    WatchFrom,
    Watching,
)
from ugs.wire.messages import Error, Message, PlayerLogin, ServerShutdown

HELLO = Hello((Family.WATCH.value,))


async def spectator(shell: Shell, watch: Watch | None = None, *, declares: bool = True) -> Far:
    """A spectator that has been shown game g1, or what ``watch`` asks for."""
    far = shell.connects(declares=declares)
    await far.says(HELLO, watch or Watch("g1"))
    assert await far.hears() == HELLO
    assert isinstance(await far.hears(), Watching | Ok)
    return far


async def plays(master: Far, mover: Far, other: Far, nick: str, payload: bytes = b"<gameState/>") -> None:
    """One move and the state that answers it, told to both; ``nick`` is to move next."""
    await mover.says(move())
    await master.hears()
    await master.says(turn(nick, payload=payload))
    await mover.hears()
    await other.hears()


async def numbers(far: Far, count: int) -> list[int]:
    """Those of the next events."""
    heard = [await far.hears() for _ in range(count)]
    assert all(isinstance(one, GameEvent) for one in heard), heard
    return [one.number for one in heard if isinstance(one, GameEvent)]


async def test_every_spectator_is_told_every_event_in_order(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    master, ann, bob = await shell.table()
    everybody = [await spectator(shell) for _ in range(3 * SLICE + 1)]
    for _ in range(2):
        await plays(master, ann, bob, "bob")
        await plays(master, bob, ann, "ann")
    await master.says(over("ann", "bob"))
    for far in everybody:
        assert await numbers(far, 10) == list(range(3, 13))
        await far.hears_nothing_for(1)


async def test_the_players_have_it_before_the_spectators(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    master, ann, bob = await shell.table()
    sue = await spectator(shell)
    begin = trio.current_time()
    await plays(master, ann, bob, "bob")
    assert trio.current_time() == begin
    assert await numbers(sue, 2) == [3, 4]
    assert trio.current_time() - begin >= GATHER_S


async def test_the_declaration_is_mirrored_for_each(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    master, ann, bob = await shell.table()
    declaring, plain = await spectator(shell), await spectator(shell, declares=False)
    await plays(master, ann, bob, "bob")
    for _ in range(2):
        document, bare = await declaring.document(), await plain.document()
        assert document is not None
        assert bare is not None
        assert document == DECLARATION + bare


async def test_what_was_published_together_goes_out_in_one_piece(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    master, ann, bob = await shell.table()
    pipe = Pipe()
    shell.attaches(pipe)
    pipe.says(HELLO, Watch("g1"))
    await wait_all_tasks_blocked()
    before = len(pipe.writes)
    for nick, mover, other in (("bob", ann, bob), ("ann", bob, ann)):
        await plays(master, mover, other, nick)
    await trio.sleep(2 * GATHER_S)
    assert len(pipe.writes) == before + 1
    events = [one for one in pipe.messages() if isinstance(one, GameEvent)]
    assert [one.number for one in events] == [3, 4, 5, 6]


async def test_what_is_sent_directly_stands_where_it_belongs(opens: Opens, autojump_clock: MockClock) -> None:
    """Events that were published before an answer come before it, the others after it."""
    shell = opens()
    master, ann, bob = await shell.table()
    sue = await spectator(shell)
    await plays(master, ann, bob, "bob")
    await sue.says(ListGames())
    await wait_all_tasks_blocked()
    await plays(master, bob, ann, "ann")
    heard = [await sue.hears() for _ in range(5)]
    assert [one.number if isinstance(one, GameEvent) else type(one) for one in heard] == [3, 4, RunningGames, 5, 6]


async def test_after_the_answer_to_an_unwatch_nothing_comes(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    master, ann, bob = await shell.table()
    sue, tom = await spectator(shell), await spectator(shell)
    await plays(master, ann, bob, "bob")
    await sue.says(Unwatch("g1"))
    assert await sue.hears() == Ok()
    await plays(master, bob, ann, "ann")
    await sue.hears_nothing_for(1)
    assert await numbers(tom, 4) == [3, 4, 5, 6]


async def test_who_comes_later_gets_what_comes_later(opens: Opens, autojump_clock: MockClock) -> None:
    """The second comes while what the first is to get still waits."""
    shell = opens()
    master, ann, bob = await shell.table()
    early = await spectator(shell)
    await plays(master, ann, bob, "bob")
    late = shell.connects()
    await late.says(HELLO, Watch("g1"))
    assert await late.hears() == HELLO
    shown = await late.hears()
    assert isinstance(shown, Watching)
    assert shown.number == 4
    await plays(master, bob, ann, "ann")
    assert await numbers(early, 4) == [3, 4, 5, 6]
    assert await numbers(late, 2) == [5, 6]


async def test_from_the_begin_nothing_is_missing_and_nothing_twice(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    master, ann, bob = await shell.table()
    early = await spectator(shell)
    await plays(master, ann, bob, "bob")
    late = await spectator(shell, Watch("g1", begin=WatchFrom.BEGIN))
    await plays(master, bob, ann, "ann")
    assert await numbers(early, 4) == [3, 4, 5, 6]
    assert await numbers(late, 6) == [1, 2, 3, 4, 5, 6]


async def in_line(
    read: Callable[[Wish], Recollected | None], wish: Wish, *, abandon_on_cancel: bool
) -> Recollected | None:
    """Stands for a thread that reads the past: a clock that jumps would not wait for one."""
    await trio.lowlevel.checkpoint()
    return read(wish)


async def test_a_long_past_does_not_burst_the_outbox(
    opens: Opens, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A spectator that reads slowly but reads gets a past that is larger than what may wait for it."""
    monkeypatch.setattr(trio.to_thread, "run_sync", in_line)
    shell = opens(max_watch_backlog_bytes=65_536, max_outbox_bytes=1_048_576, move_timeout_s=1000)
    master, ann, bob = await shell.table()
    big = b"<gameState>" + b"x" * 100_000 + b"</gameState>"
    for nick, mover, other in 10 * (("bob", ann, bob), ("ann", bob, ann)):
        await plays(master, mover, other, nick, big)
    slow = Pipe(room=0)
    shell.attaches(slow)
    slow.says(HELLO, Watch("g1", begin=WatchFrom.BEGIN))
    for _ in range(60):
        await trio.sleep(1)
        slow.makes_room(100_000)
    events = [one.number for one in slow.messages() if isinstance(one, GameEvent)]
    assert events == list(range(1, 43))


async def test_a_game_is_watched_to_its_end_by_those_of_its_type(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    far = await spectator(shell, Watch(game_type=GO))
    master, *_ = await shell.table()
    await master.says(over("ann", "bob"))
    assert isinstance(await far.hears(), Watching)
    assert await numbers(far, 4) == [1, 2, 3, 4]


async def test_events_are_told_later_to_who_wants_it_so(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    master, ann, bob = await shell.table()
    far = await spectator(shell, Watch("g1", delay_s=5))
    await plays(master, ann, bob, "bob")
    await far.hears_nothing_for(4.9)
    assert await numbers(far, 4) == [1, 2, 3, 4]


async def test_who_does_not_read_is_dropped_and_nobody_else_notices(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(max_watch_backlog_bytes=65_536)
    master, ann, bob = await shell.table()
    sue, deaf = await spectator(shell), Pipe(room=2000)
    shell.attaches(deaf)
    deaf.says(HELLO, Watch("g1"))
    await wait_all_tasks_blocked()
    big = b"<gameState>" + b"x" * 30_000 + b"</gameState>"
    with capture_logs() as lines:
        for nick, mover, other in 3 * (("bob", ann, bob), ("ann", bob, ann)):
            begin = trio.current_time()
            await plays(master, mover, other, nick, big)
            assert trio.current_time() == begin
            await trio.sleep(2 * GATHER_S)
    assert deaf.is_closed()
    slow = [line for line in lines if line["event"] == "slow spectator"]
    assert [line["conn"] for line in slow] == [5]
    assert "65536 bytes" in slow[0]["reason"]
    assert isinstance(slow[0]["address"], str)
    assert await numbers(sue, 12) == list(range(3, 15))


async def test_a_single_large_event_drops_nobody(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(max_watch_backlog_bytes=65_536)
    master, ann, bob = await shell.table()
    slow = Pipe(room=2000)
    shell.attaches(slow)
    slow.says(HELLO, Watch("g1"))
    await wait_all_tasks_blocked()
    await plays(master, ann, bob, "bob", b"<gameState>" + b"x" * 200_000 + b"</gameState>")
    await trio.sleep(1)
    slow.makes_room()
    await plays(master, bob, ann, "ann")
    await trio.sleep(1)
    events = [one.number for one in slow.messages() if isinstance(one, GameEvent)]
    assert events == [3, 4, 5, 6]


@pytest.mark.parametrize("read", [True, False])
async def test_who_hangs_up_in_the_middle_disturbs_nobody(opens: Opens, autojump_clock: MockClock, read: bool) -> None:
    shell = opens()
    master, ann, bob = await shell.table()
    everybody = [await spectator(shell) for _ in range(2 * SLICE)]
    await plays(master, ann, bob, "bob")
    for far in everybody[::2]:
        await far.hangs_up()
    if read:
        await wait_all_tasks_blocked()
    await plays(master, bob, ann, "ann")
    for far in everybody[1::2]:
        assert await numbers(far, 4) == [3, 4, 5, 6]


async def test_at_the_end_of_the_server_the_last_event_comes_before_the_good_bye(
    opens: Opens, autojump_clock: MockClock
) -> None:
    shell = opens()
    await shell.table()
    sue = await spectator(shell)
    shell.driver.happens(ShutdownAsked())
    ended, bye = await sue.hears(), await sue.hears()
    assert isinstance(ended, GameEvent)
    assert ended.what is EventKind.ENDED
    assert bye == ServerShutdown()
    assert await sue.hears() is None


async def test_every_published_document_is_in_the_log_once_at_the_debug_level(
    opens: Opens, autojump_clock: MockClock
) -> None:
    with capture_logs() as lines:
        shell = opens(log_level="debug")
        master, ann, bob = await shell.table()
        for _ in range(3):
            await spectator(shell)
        await plays(master, ann, bob, "bob")
        await trio.sleep(1)
    assert len([line for line in lines if "x-event" in str(line)]) == 2


class Script:
    """A broker that wants what it is told to want."""

    def __init__(self) -> None:
        self.wants: list[Effect] = []

    def handle(self, event: Event, now: float) -> list[Effect]:
        wants, self.wants = self.wants, []
        return wants


def event(number: int) -> GameEvent:
    """Any event."""
    return GameEvent("g1", number, 0, EventKind.MOVE, "ann")


class TestEffects:
    """The door itself, without a game behind it."""

    async def opened(
        self, opens: Opens, monkeypatch: pytest.MonkeyPatch, peers: int
    ) -> tuple[Shell, Script, list[Far]]:
        """A server that does what the script says, and ``peers`` peers with the numbers 1, 2, …"""
        shell, script = opens(), Script()
        monkeypatch.setattr(shell.driver, "_broker", script)
        fars = [shell.connects() for _ in range(peers)]
        await wait_all_tasks_blocked()
        return shell, script, fars

    def want(self, shell: Shell, script: Script, *effects: Effect) -> None:
        script.wants = list(effects)
        shell.driver.happens(ShutdownAsked())

    async def heard(self, far: Far) -> list[Message]:
        """All that has come by now."""
        messages = []
        with trio.move_on_after(1):
            while (message := await far.hears(within=10)) is not None:
                messages.append(message)
        return messages

    async def test_each_subscriber_gets_what_was_published_after_it_had_subscribed(
        self, opens: Opens, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shell, script, (first, second, third) = await self.opened(opens, monkeypatch, 3)
        self.want(
            shell,
            script,
            Publish("c", event(1)),
            Subscribe(1, "c"),
            Publish("c", event(2)),
            Subscribe(2, "c"),
            Publish("c", event(3)),
            Subscribe(3, "d"),
            Unsubscribe("c"),
            Subscribe(3, "c"),
            Publish("c", event(4)),
        )
        assert await self.heard(first) == [event(2), event(3)]
        assert await self.heard(second) == [event(3)]
        assert await self.heard(third) == [event(4)]

    async def test_a_channel_that_is_left_by_all_begins_anew(
        self, opens: Opens, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shell, script, (far,) = await self.opened(opens, monkeypatch, 1)
        self.want(shell, script, Subscribe(1, "c"), Publish("c", event(1)), Unsubscribe("c", 1))
        self.want(shell, script, Unsubscribe("c", 1), Unsubscribe("d", 1), Unsubscribe("d"))
        self.want(shell, script, Subscribe(1, "c"), Publish("c", event(2)))
        assert await self.heard(far) == [event(2)]

    async def test_messages_and_publications_come_in_the_order_of_the_effects(
        self, opens: Opens, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shell, script, (far,) = await self.opened(opens, monkeypatch, 1)
        texts = [Error("a"), Error("b"), Error("c")]
        self.want(
            shell,
            script,
            Send((1,), texts[0]),
            Subscribe(1, "c"),
            Publish("c", event(1)),
            Send((1,), texts[1]),
            Publish("c", event(2)),
            Unsubscribe("c"),
            Send((1,), texts[2]),
        )
        assert await self.heard(far) == [texts[0], event(1), texts[1], event(2), texts[2]]

    async def test_what_was_sent_directly_waits_for_the_journal_even_if_its_peer_has_subscribed(
        self, opens: Opens, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A message and an event of one moment, while what was recorded has not been written yet."""
        shell, script, (far,) = await self.opened(opens, monkeypatch, 1)
        self.want(shell, script, Subscribe(1, "c"), Publish("c", event(1)))
        assert await self.heard(far) == [event(1)]
        connection, spectators = shell.peers._roster.connections[1], shell.deliveries._spectators
        self.want(shell, script, Send((1,), Error("a")), Publish("c", event(2)))
        waiting = list(connection.outbox.batch)
        (channel,) = spectators.subscriptions[1]
        spectators._hand(channel, 1, channel.count, trio.current_time())
        assert waiting
        assert connection.outbox.batch[:1] == waiting, "nothing has gone out past the journal"
        assert await self.heard(far) == [Error("a"), event(2)]

    async def test_a_connection_that_is_no_more_is_no_matter(
        self, opens: Opens, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        shell, script, (first, second) = await self.opened(opens, monkeypatch, 2)
        self.want(shell, script, Subscribe(1, "c"), Subscribe(2, "c"), Subscribe(9, "c"))
        await first.hangs_up()
        await wait_all_tasks_blocked()
        self.want(shell, script, Publish("c", event(1)), Unsubscribe("c", 1))
        assert await self.heard(second) == [event(1)]
        await second.hangs_up()
        await wait_all_tasks_blocked()
        self.want(shell, script, Publish("c", event(2)))
        assert shell.peers.count() == 0


async def test_players_come_first_between_two_slices(opens: Opens, autojump_clock: MockClock) -> None:
    """While the spectators of one game are told, a stranger logs in: it has its answer before the last of them."""
    shell = opens()
    master, ann, bob = await shell.table()
    pipes = [Pipe() for _ in range(20 * SLICE)]
    for pipe in pipes:
        shell.attaches(pipe)
        pipe.says(HELLO, Watch("g1"))
    await wait_all_tasks_blocked()
    before = [len(pipe.writes) for pipe in pipes]

    def told() -> int:
        return sum(len(pipe.writes) > had for pipe, had in zip(pipes, before, strict=True))

    await plays(master, ann, bob, "bob")
    stranger = Pipe()
    shell.attaches(stranger)
    await trio.sleep(GATHER_S)
    while told() == 0:
        await trio.lowlevel.checkpoint()
    stranger.says(PlayerLogin("cat", GO))
    while not stranger.writes:
        await trio.lowlevel.checkpoint()
    assert 0 < told() < len(pipes)
    assert stranger.written.startswith(encode(PlayerLogin("", ""))[:9])
    await trio.sleep(1)
    assert told() == len(pipes)
