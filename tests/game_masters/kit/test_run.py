"""The loop of masters and bots, over memory streams and with a clock that jumps."""

import os
import random
import signal
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import pytest
import structlog
import trio
import trio.testing
from structlog.testing import capture_logs
from structlog.typing import FilteringBoundLogger

from game_masters.kit.client import Client, Effect, Finish, Level, Note, Pause, Reconnect, Send
from game_masters.kit.master import Master
from game_masters.kit.player import Player
from game_masters.kit.run import (
    CEILING_S,
    DIAL_LIMIT_S,
    MAX_DELAY_S,
    MAX_UNANSWERED,
    PATIENCE_S,
    SEND_LIMIT_S,
    delays,
    run,
    run_until_signal,
)
from game_masters.tic_tac_toe import GAME
from ugs.peer import NotTrusted, Peer
from ugs.wire.extensions import GameVerdict, Hello
from ugs.wire.messages import (
    BeginGame,
    Error,
    GameState,
    LoginError,
    LoginResponse,
    Logout,
    Message,
    Move,
    PlayerLogin,
    PlayerResult,
    Result,
    ServerShutdown,
    ThankYou,
)

Script = Callable[[Peer], Awaitable[None]]
"""What the server does on one connection."""


class Server:
    """Answers connections one after another with the given scripts; an OSError instead of a script is a refused
    connection."""

    def __init__(self, nursery: trio.Nursery, *scripts: Script | OSError) -> None:
        self._nursery = nursery
        self._scripts = list(scripts)
        self.calls: list[float] = []

    async def dial(self) -> Peer:
        await trio.lowlevel.checkpoint()
        self.calls.append(trio.current_time())
        script = self._scripts.pop(0)
        if isinstance(script, OSError):
            raise script
        here, there = trio.testing.memory_stream_pair()
        self._nursery.start_soon(self._answer, script, Peer(there))
        return Peer(here)

    @staticmethod
    async def _answer(script: Script, peer: Peer) -> None:
        async with peer:
            await script(peer)


class Puppet:
    """A client that does what it was told beforehand."""

    def __init__(self, *answers: Sequence[Effect], accepted: bool = True, satisfied: bool = False) -> None:
        self._answers = list(answers)
        self.accepted = accepted
        self.satisfied = satisfied
        self.heard: list[Message] = []
        self.awaiting = False

    def overdue(self) -> list[Effect]:
        self.awaiting = False
        return [Reconnect(0)]

    def nudged(self) -> list[Effect]:
        return [Note("nudged")]

    def connected(self) -> list[Effect]:
        return [Send(PlayerLogin("ann", "nim"))]

    def received(self, message: Message) -> list[Effect]:
        self.heard.append(message)
        return list(self._answers.pop(0)) if self._answers else []

    def interrupted(self) -> list[Effect]:
        return [Send(Logout()), Finish(0, 1.0)]


async def hangs_up(peer: Peer) -> None:
    await peer.receive()


async def speaks_tls(peer: Peer) -> None:
    """A TLS alert, as a port for TLS sends it."""
    await peer.receive()
    await peer._stream.send_all(b"\x15\x03\x01\x00\x02\x02\x0a")


class TestGivingUp:
    """What cannot succeed is not tried for ever."""

    async def test_a_server_that_is_not_trusted(self, nursery: trio.Nursery, autojump_clock: object) -> None:
        server = Server(nursery, NotTrusted("no TLS with host port 1: the certificate is not trusted"))
        with capture_logs() as lines:
            assert await run(Puppet(), server.dial, once=False, rng=seeded(), log=log()) == 1
        assert lines[-1]["event"] == "giving up"
        assert "not trusted" in lines[-1]["reason"]

    async def test_a_port_that_speaks_tls(self, nursery: trio.Nursery, autojump_clock: object) -> None:
        puppet = Puppet(accepted=False)
        puppet.awaiting = True
        with capture_logs() as lines:
            assert await run(puppet, Server(nursery, speaks_tls).dial, once=False, rng=seeded(), log=log()) == 1
        assert "TLS" in lines[-1]["advice"]

    async def test_a_port_that_closes_one_connection_after_the_other(
        self, nursery: trio.Nursery, autojump_clock: object
    ) -> None:
        puppet = Puppet(accepted=False)
        puppet.awaiting = True
        server = Server(nursery, *[hangs_up] * MAX_UNANSWERED)
        assert await run(puppet, server.dial, once=False, rng=seeded(), log=log()) == 1
        assert len(server.calls) == MAX_UNANSWERED

    async def test_a_server_that_restarts_is_none_of_these(self, nursery: trio.Nursery, autojump_clock: object) -> None:
        """Between its closed connections there is a time in which nobody listens."""
        puppet = Puppet([Finish(0)], accepted=False)
        puppet.awaiting = True

        async def welcomes(peer: Peer) -> None:
            puppet.awaiting = False
            await peer.send(LoginResponse())
            await peer.receive()

        half = [hangs_up] * (MAX_UNANSWERED - 1)
        server = Server(nursery, *half, OSError("nobody listens"), *half, welcomes)
        assert await run(puppet, server.dial, once=False, rng=seeded(), log=log()) == 0

    async def test_a_server_that_asks_to_connect_again_is_none_of_these(
        self, nursery: trio.Nursery, autojump_clock: object
    ) -> None:
        """So a door of a cluster does while the home of a game type is away."""
        puppet = Puppet(*[[]] * (MAX_UNANSWERED + 1), [Finish(0)], accepted=False)
        puppet.awaiting = True

        async def explains(peer: Peer) -> None:
            await peer.receive()
            await peer.send(Error("nim is at home at node b, which does not answer: connect again"))

        async def welcomes(peer: Peer) -> None:
            puppet.awaiting = False
            await peer.send(LoginResponse())
            await peer.receive()

        server = Server(nursery, *[explains] * (MAX_UNANSWERED + 1), welcomes)
        with capture_logs() as lines:
            assert await run(puppet, server.dial, once=False, rng=seeded(), log=log()) == 0
        assert not [line for line in lines if "advice" in line]

    async def test_a_server_that_says_why_it_never_will_is_one_of_these(
        self, nursery: trio.Nursery, autojump_clock: object
    ) -> None:
        puppet = Puppet(*[[]] * MAX_UNANSWERED, accepted=False)
        puppet.awaiting = True

        async def explains(peer: Peer) -> None:
            await peer.receive()
            await peer.send(Error("this port speaks TLS only"))

        server = Server(nursery, *[explains] * MAX_UNANSWERED)
        with capture_logs() as lines:
            assert await run(puppet, server.dial, once=False, rng=seeded(), log=log()) != 0
        assert [line for line in lines if "advice" in line]
        closed = [line["reason"] for line in lines if line["event"] == "connection closed by the server"]
        assert closed == ["this port speaks TLS only"] * MAX_UNANSWERED

    async def test_who_was_let_in_before_comes_back(self, nursery: trio.Nursery, autojump_clock: object) -> None:
        puppet = Puppet([Reconnect(0)], [Finish(0)])

        async def welcomes(peer: Peer) -> None:
            await peer.send(LoginResponse())
            await peer.receive()

        server = Server(nursery, welcomes, NotTrusted("the certificate has run out"), welcomes)
        assert await run(puppet, server.dial, once=False, rng=seeded(), log=log()) == 0


async def test_the_verdict_of_the_last_game_is_told_after_the_good_bye(
    nursery: trio.Nursery, autojump_clock: object
) -> None:
    async def ends_a_game(peer: Peer) -> None:
        await peer.receive()
        await peer.send(
            Hello(("reason",)),
            LoginResponse(),
            GameState("g1", None, (PlayerResult("ann", Result.LOSER), PlayerResult("bob", Result.WINNER))),
            GameVerdict("g1", "illegal move", "player", "ann broke a rule", (), culprit="ann", words="1,7 is taken"),
        )
        while not isinstance(await peer.receive(), Logout):
            pass

    options = GAME.choose_options({"width": "9", "height": "9"})
    bot = Player(GAME, options, GAME.bot("random"), nick="ann", rng=seeded(), games=1)
    with capture_logs() as lines:
        assert await run(bot, Server(nursery, ends_a_game).dial, once=False, rng=seeded(), log=log()) == 0
    (line,) = (line for line in lines if line["event"] == "verdict")
    assert line["said"] == "1,7 is taken"


def log() -> FilteringBoundLogger:
    logger: FilteringBoundLogger = structlog.get_logger()
    return logger


def seeded() -> random.Random:
    return random.Random(7)


async def greets_and_closes(peer: Peer) -> None:
    await peer.receive()
    await peer.send(LoginResponse())


async def run_with(client: Client, *scripts: Script | OSError, once: bool = False) -> tuple[int, Server]:
    async with trio.open_nursery() as nursery:
        server = Server(nursery, *scripts)
        exit_code = await run(client, server.dial, once=once, rng=seeded(), log=log())
    return exit_code, server


def test_waits_double_up_to_a_second_and_after_a_minute_up_to_half_a_minute() -> None:
    waits = delays(random.Random(1))
    assert 0.125 <= next(waits) <= 0.5
    waited = 0.5
    while waited < PATIENCE_S:
        wait = next(waits)
        assert 0.25 <= wait <= CEILING_S == 1, "so that it is back within a second"
        waited += wait
    for longest in [2, 4, 8, 16, 30, 30, 30]:
        assert next(waits) <= longest
    assert MAX_DELAY_S == 30


def test_thousands_do_not_come_at_once() -> None:
    arrivals = [sum(next(waits) for _ in range(3)) for waits in (delays(random.Random(n)) for n in range(1000))]
    busiest = max(sum(begin <= arrival < begin + 0.1 for arrival in arrivals) for begin in (0.1 * n for n in range(30)))
    assert busiest < 150


async def test_it_connects_again_with_growing_waits_until_a_server_answers(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async def refuses(peer: Peer) -> None:
        await peer.receive()
        await peer.send(LoginResponse(LoginError.WRONG_NICK))

    client = Puppet([Finish(1)], accepted=False)
    exit_code, server = await run_with(client, *(OSError("nobody"),) * 8, refuses)
    assert exit_code == 1
    expected = delays(seeded())
    waits = [later - earlier for earlier, later in zip(server.calls, server.calls[1:], strict=False)]
    assert waits == pytest.approx([next(expected) for _ in range(8)])


async def test_after_an_accepted_login_the_waits_begin_anew(autojump_clock: trio.testing.MockClock) -> None:
    client = Puppet([], [Finish(0)])
    nobody = OSError("nobody")
    with capture_logs() as lines:
        exit_code, server = await run_with(client, nobody, nobody, nobody, greets_and_closes, greets_and_closes)
    assert exit_code == 0
    assert server.calls[4] - server.calls[3] <= 0.5
    assert [line["event"] for line in lines if line["log_level"] != "debug"] == [
        *["cannot connect", "trying again"],  # said once for all three
        "connection closed by the server",
        "trying again",
    ]


async def test_a_reconnect_asked_for_waits_as_well(autojump_clock: trio.testing.MockClock) -> None:
    client = Puppet([Reconnect()], [Finish(0)], accepted=False)
    exit_code, server = await run_with(client, greets_and_closes, greets_and_closes)
    assert exit_code == 0
    assert server.calls[1] > server.calls[0]


async def test_a_second_after_the_server_all_bots_are_back_and_not_at_once(
    autojump_clock: trio.testing.MockClock,
) -> None:
    returns = trio.current_time() + 30
    came: list[float] = []

    async def keep(seed: int) -> None:
        async def dial() -> Peer:
            await trio.lowlevel.checkpoint()
            if trio.current_time() < returns:
                raise OSError("nobody")
            came.append(trio.current_time() - returns)
            here, there = trio.testing.memory_stream_pair()
            await Peer(there).send(LoginResponse())
            return Peer(here)

        assert await run(Puppet([Finish(0)]), dial, once=False, rng=random.Random(seed), log=log()) == 0

    async with trio.open_nursery() as nursery:
        for seed in range(200):
            nursery.start_soon(keep, seed)
    assert len(came) == 200
    assert max(came) <= CEILING_S
    assert max(sum(begin <= moment < begin + 0.1 for moment in came) for begin in (0.1 * n for n in range(10))) < 60


async def test_the_same_reason_is_told_once_and_a_new_one_again(autojump_clock: trio.testing.MockClock) -> None:
    failures = [OSError("no server"), OSError("no server"), OSError("no host"), OSError("no server")]
    with capture_logs() as lines:
        await run_with(Puppet([Finish(0)]), *failures, greets_and_closes)
    told = [line["reason"] for line in lines if line["event"] == "cannot connect" and line["log_level"] == "warning"]
    assert told == ["no server", "no host", "no server"]


async def test_a_machine_that_is_away_is_called_again_soon(autojump_clock: trio.testing.MockClock) -> None:
    calls = []

    async def dial() -> Peer:
        calls.append(trio.current_time())
        if len(calls) == 1:
            await trio.sleep_forever()
        raise OSError("nobody")

    with capture_logs() as lines, trio.move_on_after(DIAL_LIMIT_S + CEILING_S):
        await run(Puppet(), dial, once=False, rng=seeded(), log=log())
    assert DIAL_LIMIT_S < calls[1] - calls[0] <= DIAL_LIMIT_S + CEILING_S
    assert lines[0]["reason"] == "no answer within 8 s: check address, network and firewall"


async def test_a_login_that_is_not_answered_is_given_up_after_ten_seconds(
    autojump_clock: trio.testing.MockClock,
) -> None:
    class Waiting(Puppet):
        def nudged(self) -> list[Effect]:
            return []

        def connected(self) -> list[Effect]:
            self.awaiting = True
            return super().connected()

        def received(self, message: Message) -> list[Effect]:
            self.awaiting = False
            return super().received(message)

    async def is_deaf(peer: Peer) -> None:
        while await peer.receive() is not None:
            pass

    async def answers_late(peer: Peer) -> None:
        await trio.sleep(9.9)
        await peer.send(LoginResponse())
        await trio.sleep(60)
        await peer.send(ServerShutdown())

    for once in (False, True):
        began = trio.current_time()
        exit_code, server = await run_with(Waiting([], [Finish(0)]), is_deaf, answers_late, once=once)
        assert exit_code == 0
        assert server.calls[1] - began == pytest.approx(10), "at once, since nothing was said on the first connection"


async def test_what_hangs_up_or_babbles_before_the_login_may_be_the_wrong_port() -> None:
    async def hangs_up(peer: Peer) -> None:
        await peer.receive()

    here, there = trio.testing.memory_stream_pair()
    await there.send_all(b"HTTP/1.1 400 Bad Request")

    async def dial() -> Peer:
        await trio.lowlevel.checkpoint()
        return Peer(here)

    client = Puppet()
    client.awaiting = True
    with capture_logs() as lines:
        await run(client, dial, once=True, rng=seeded(), log=log())
        client.awaiting = True
        await run_with(client, hangs_up, once=True)
    assert [line["event"] for line in lines if "port" in line.get("advice", "")] == [
        "the server sent bytes that are no messages",
        "connection closed by the server",
    ]


async def test_once_means_once(autojump_clock: trio.testing.MockClock) -> None:
    assert (await run_with(Puppet(), OSError("nobody"), once=True))[0] == 1
    assert (await run_with(Puppet(), greets_and_closes, once=True))[0] == 1
    assert (await run_with(Puppet(satisfied=True), greets_and_closes, once=True))[0] == 0
    assert (await run_with(Puppet([Reconnect()]), greets_and_closes, once=True))[0] == 1


async def test_effects_happen_in_order_and_neighbouring_sends_are_one_write(
    autojump_clock: trio.testing.MockClock,
) -> None:
    arrived: list[tuple[float, Message | None]] = []

    async def listens(peer: Peer) -> None:
        await greets_and_closes(peer)
        begin = trio.current_time()
        while (message := await peer.receive()) is not None:
            arrived.append((trio.current_time() - begin, message))

    first, second, third = ThankYou("g1"), ThankYou("g2"), ThankYou("g3")
    client = Puppet(
        [Send(first), Note("hello", {"x": 1}, Level.WARNING), Send(second), Pause(3), Send(third), Finish(5)]
    )
    with capture_logs() as lines:
        exit_code, _ = await run_with(client, listens)
    assert exit_code == 5
    assert arrived == [(0, first), (0, second), (3, third)]
    assert {"event": "hello", "x": 1, "log_level": "warning"} in lines


async def test_a_note_about_a_bug_shows_it() -> None:
    bug = ZeroDivisionError("oops")
    with capture_logs() as lines:
        await run_with(Puppet([Note("failed", level=Level.ERROR, bug=bug), Finish(1)]), greets_and_closes)
    assert {"event": "failed", "exc_info": bug, "log_level": "error"} in lines


async def test_a_message_it_does_not_understand_is_passed_over() -> None:
    class Newer:
        TYPE = "x-news"

    here, there = trio.testing.memory_stream_pair()

    async def dial() -> Peer:
        await trio.lowlevel.checkpoint()
        return Peer(here)

    client = Puppet([Finish(0)])
    await there.send_all(b'<message type="x-news"/><message type="serverShutdown"/>')
    with capture_logs() as lines:
        assert await run(client, dial, once=True, rng=seeded(), log=log()) == 0
    assert client.heard == [ServerShutdown()]
    assert "message not understood" in [line["event"] for line in lines]


async def test_bytes_that_are_no_messages_end_the_connection() -> None:
    here, there = trio.testing.memory_stream_pair()

    async def dial() -> Peer:
        await trio.lowlevel.checkpoint()
        return Peer(here)

    await there.send_all(b"Server shutdown")
    with capture_logs() as lines:
        assert await run(Puppet(), dial, once=True, rng=seeded(), log=log()) == 1
    assert "the server sent bytes that are no messages" in [line["event"] for line in lines]


async def test_a_broken_connection_is_a_lost_one() -> None:
    async def breaks(peer: Peer) -> None:
        await peer.receive()
        await peer.send(LoginResponse(), ServerShutdown())

    class Slow(Puppet):
        def received(self, message: Message) -> list[Effect]:
            return [Pause(0.01), Send(ThankYou("g1"))]

    with capture_logs() as lines:
        assert (await run_with(Slow(), breaks, once=True))[0] == 1
    assert "connection lost" in [line["event"] for line in lines]


async def test_a_server_that_does_not_read_is_given_up(autojump_clock: trio.testing.MockClock) -> None:
    class Full(trio.abc.Stream):
        async def send_all(self, data: bytes | bytearray | memoryview) -> None:
            await trio.sleep_forever()

        async def wait_send_all_might_not_block(self) -> None:
            await trio.sleep_forever()

        async def receive_some(self, max_bytes: int | None = None) -> bytes:
            await trio.lowlevel.checkpoint()
            return b""

        async def aclose(self) -> None:
            await trio.lowlevel.checkpoint()

    async def dial() -> Peer:
        await trio.lowlevel.checkpoint()
        return Peer(Full())

    began = trio.current_time()
    assert await run(Puppet(), dial, once=True, rng=seeded(), log=log()) == 1
    assert trio.current_time() - began == SEND_LIMIT_S


async def test_after_logout_it_waits_until_the_server_closes_but_not_for_ever(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async def closes_after(peer: Peer, seconds: float) -> None:
        await greets_and_closes(peer)
        assert await peer.receive() == Logout()
        await peer.send(Error("the table has changed, by the way"))
        await trio.sleep(seconds)

    for seconds, expected in [(0.5, 0.5), (60, 2)]:
        began = trio.current_time()
        client = Puppet([Send(Logout()), Finish(0, linger_s=2)])
        async with trio.open_nursery() as nursery:
            server = Server(nursery, partial(closes_after, seconds=seconds))
            assert await run(client, server.dial, once=False, rng=seeded(), log=log()) == 0
            assert trio.current_time() - began == pytest.approx(expected)
            nursery.cancel_scope.cancel()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_in_good_order(number: signal.Signals) -> None:
    words: list[Message | None] = []

    async def listens(peer: Peer) -> None:
        await greets_and_closes(peer)
        os.kill(os.getpid(), number)
        words.append(await peer.receive())

    async with trio.open_nursery() as nursery:
        server = Server(nursery, listens)
        assert await run_until_signal(Puppet(), server.dial, once=False, rng=seeded(), log=log()) == 0
    assert words == [Logout()]


async def test_a_signal_ends_the_waiting_for_a_server() -> None:
    async def dial() -> Peer:
        await trio.lowlevel.checkpoint()
        os.kill(os.getpid(), signal.SIGTERM)
        raise OSError("nobody")

    assert await run_until_signal(Puppet(), dial, once=False, rng=seeded(), log=log()) == 0


async def test_without_a_signal_the_exit_code_is_the_clients() -> None:
    async with trio.open_nursery() as nursery:
        server = Server(nursery, greets_and_closes)
        client = Puppet([Finish(1)])
        assert await run_until_signal(client, server.dial, once=False, rng=seeded(), log=log()) == 1


async def test_a_master_and_two_bots_play_a_game_through_a_minimal_broker() -> None:
    """The real clients in the real loop; the broker between them can only do one game."""
    options = GAME.choose_options({"width": "9", "height": "9"})
    master = Master(GAME, options, id="m1", chance=random.Random)
    bots = {
        nick: Player(GAME, options, GAME.bot(bot), nick=nick, rng=random.Random(1), games=1)
        for nick, bot in [("ann", "threats"), ("bob", "random")]
    }
    clients: dict[str, Client] = {"m1": master, **bots}
    peers: dict[str, Peer] = {}
    exit_codes: dict[str, int] = {}

    async def connect(name: str) -> Peer:
        await trio.lowlevel.checkpoint()
        here, there = trio.testing.memory_stream_pair()
        peers[name] = Peer(there)
        return Peer(here)

    async def keep(name: str) -> None:
        dial = partial(connect, name)
        exit_codes[name] = await run(clients[name], dial, once=True, rng=seeded(), log=log())

    async def next_from(name: str) -> Message:
        message = await peers[name].receive()
        assert message is not None
        return message

    async with trio.open_nursery() as nursery:
        for name in clients:
            nursery.start_soon(keep, name)
        await trio.testing.wait_all_tasks_blocked()
        for name in clients:
            assert isinstance(await next_from(name), Hello)
            await next_from(name)
            await peers[name].send(Error("x-hello is nothing that this broker knows"), LoginResponse())
        await peers["m1"].send(BeginGame("g1", ("ann", "bob")))
        state = await next_from("m1")
        while True:
            assert isinstance(state, GameState)
            for nick in bots:
                await peers[nick].send(state)
            if state.next_player is None:
                break
            move = await next_from(state.next_player)
            assert isinstance(move, Move)
            await peers["m1"].send(move)
            state = await next_from("m1")
        for nick in bots:
            assert await next_from(nick) == Logout()
        await peers["m1"].send(ServerShutdown())
        for peer in peers.values():
            await peer.aclose()
    assert state.game_over is not None
    assert [entry.nick for entry in state.game_over if entry.result.value == "winner"] == ["ann"]
    assert exit_codes == {"m1": 0, "ann": 0, "bob": 0}
