"""A bot whose moves are timed on their way: processor time is what the test says it is."""

from collections.abc import Awaitable, Callable

import trio
from trio.testing import wait_all_tasks_blocked

from ugs.match.clocked_line import ClockedLine
from ugs.match.time_limits import TimeLimits
from ugs.peer import Peer
from ugs.processor_time import ProcessorUse
from ugs.wire.messages import Error, GameState, Message, Move, PlayerResult, Result

BOUND_S = 300.0
STATE = GameState("g1", "ann", None)
MOVE = Move("g1", b"<move/>")
OVER = GameState("g1", None, (PlayerResult("ann", Result.WINNER),))


class Used:
    """What the bot has used."""

    now = ProcessorUse()

    def __call__(self) -> ProcessorUse:
        return self.now


def between(limits: TimeLimits, used: Used, talk: Callable[[Peer, Peer], Awaitable[None]]) -> ClockedLine:
    """Join a bot and a server by a line that is clocked, and let them talk."""
    lines: list[ClockedLine] = []

    async def all_of_it() -> None:
        with trio.fail_after(BOUND_S):
            (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
            async with listener, trio.open_nursery() as nursery:
                line = ClockedLine(listener.socket.getsockname()[:2], "ann", limits, used)
                lines.append(line)
                address = await nursery.start(line.serve)
                bot = Peer(await trio.open_tcp_stream(*address))
                server = Peer(await listener.accept())
                async with bot, server:
                    await talk(bot, server)
                nursery.cancel_scope.cancel()

    trio.run(all_of_it)
    return lines[0]


async def passes(sender: Peer, receiver: Peer, message: Message) -> None:
    """A message comes out as it went in."""
    await sender.send(message)
    assert await receiver.receive() == message


def test_a_move_in_time_passes_and_waiting_is_added_up() -> None:
    used = Used()

    async def talk(bot: Peer, server: Peer) -> None:
        for number in range(3):
            await passes(server, bot, STATE)
            used.now = ProcessorUse(number + 0.5, number + 0.25)
            await passes(bot, server, MOVE)
        await passes(server, bot, OVER)

    line = between(TimeLimits("cpu", hard_s=1.0), used, talk)
    assert line.overtime == ""
    assert line.waited_s > 0


def test_a_move_that_is_too_slow_does_not_pass() -> None:
    used = Used()

    async def talk(bot: Peer, server: Peer) -> None:
        await passes(server, bot, STATE)
        used.now = ProcessorUse(1.84, 0.31)
        await bot.send(MOVE)
        assert await server.receive() is None
        told = await bot.receive()
        assert isinstance(told, Error)
        assert told.text.startswith("thought 1,840 ms of 1,000 allowed")
        assert told.text.endswith(f"game {STATE.game_id} is lost")

    line = between(TimeLimits("cpu", hard_s=1.0), used, talk)
    text = "thought 1,840 ms of 1,000 allowed (processor time); waited 310 ms for a processor: not counted"
    assert line.overtime == text


def test_a_bot_that_thinks_for_ever_is_ended() -> None:
    used = Used()

    async def talk(bot: Peer, server: Peer) -> None:
        await server.send(STATE)
        assert await bot.receive() == STATE
        used.now = ProcessorUse(5.0)
        assert await server.receive() is None
        assert isinstance(await bot.receive(), Error)

    assert between(TimeLimits("cpu", hard_s=0.001), used, talk).overtime.startswith("thought 5,000 ms of 1 allowed")


async def test_a_move_may_be_there_before_anybody_looks_at_the_clock() -> None:
    line = ClockedLine(("127.0.0.1", 1), "ann", TimeLimits("cpu", hard_s=1.0), Used())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(line._watch, nursery.cancel_scope)
        await wait_all_tasks_blocked()
        assert line._to_bot(STATE)
        assert line._from_bot(MOVE)
        await wait_all_tasks_blocked()
        assert not nursery.cancel_scope.cancel_called
        nursery.cancel_scope.cancel()


def test_strikes_are_of_one_game() -> None:
    used = Used()

    async def talk(bot: Peer, server: Peer) -> None:
        for game in ("g1", "g2"):
            await passes(server, bot, GameState(game, "ann", None))
            used.now = ProcessorUse(used.now.used_s + 0.2)
            await passes(bot, server, Move(game, b"<move/>"))

    assert between(TimeLimits("cpu", soft_s=0.1, strikes=1), used, talk).overtime == ""


def test_bytes_that_are_no_documents_are_handed_on() -> None:
    async def talk(bot: Peer, server: Peer) -> None:
        await bot._stream.send_all(b"\x00nonsense")
        assert bytes(await server._stream.receive_some()) == b"\x00nonsense"

    assert between(TimeLimits(hard_s=1000.0), Used(), talk).overtime == ""
