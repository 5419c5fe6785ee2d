"""Lines that fail, in memory: what arrives is what was sent, and nobody loses by a line that comes back in time."""

import random
from collections.abc import Sequence

import pytest
import trio
import trio.testing

from tests.daemon.shell import GO, Far, Shell, move, over, turn
from tests.soak.scene import Opens
from ugs.soak.line_faults import FaultyStream, LineFault, Odds
from ugs.wire.extensions import Hello, Resume, Session
from ugs.wire.messages import GameState, Message, Move, PlayerLogin, ThankYou

STREAM = bytes(range(256)) * 8


def pair(odds: Odds, seed: int = 0) -> tuple[FaultyStream, trio.abc.HalfCloseableStream, list[LineFault]]:
    """A stream with these faults, its other end, and what happens."""
    near, far = trio.testing.memory_stream_pair()
    faults: list[LineFault] = []
    return FaultyStream(near, odds, random.Random(seed), faults.append), far, faults


async def test_delays_and_pieces_change_no_byte_and_no_order(autojump_clock: object) -> None:
    stream, far, faults = pair(Odds(delayed=0.5, in_pieces=1.0))
    got: list[bytes] = []
    for start in range(0, len(STREAM), 64):
        await stream.send_all(STREAM[start : start + 64])
    await stream.send_eof()
    async for data in far:
        got.append(bytes(data))
    assert b"".join(got) == STREAM
    await far.send_all(STREAM)
    await far.aclose()
    back = [bytes(data) async for data in stream]
    assert b"".join(back) == STREAM
    assert len(back) > len(STREAM) // 100
    assert set(faults) == {LineFault.DELAYED, LineFault.IN_PIECES}


async def test_what_was_sent_first_on_another_line_or_in_the_other_direction_may_come_later(
    autojump_clock: object,
) -> None:
    """All the disorder that TCP allows."""
    slow, far, _ = pair(Odds(delayed=1.0, delay_s=10.0), seed=1)
    quick, other, _ = pair(Odds())
    came: list[str] = []

    async def hears(stream: trio.abc.ReceiveStream, what: str) -> None:
        await stream.receive_some()
        came.append(what)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(hears, far, "first")
        nursery.start_soon(hears, other, "second")
        nursery.start_soon(slow.send_all, b"first")
        await trio.testing.wait_all_tasks_blocked()
        await quick.send_all(b"second")
        await far.send_all(b"back")
        nursery.start_soon(hears, slow, "back")
    assert came[0] == "second"
    assert sorted(came[1:]) == ["back", "first"]


async def test_a_cut_line_has_sent_a_part_and_is_gone_for_both(autojump_clock: object) -> None:
    stream, far, faults = pair(Odds(cut=1.0), seed=2)
    with pytest.raises(trio.BrokenResourceError):
        await stream.send_all(STREAM)
    got = b"".join([bytes(data) async for data in far])
    assert 0 < len(got) < len(STREAM)
    assert STREAM.startswith(got)
    for _ in range(2):
        with pytest.raises(trio.BrokenResourceError):
            await stream.receive_some()
    assert faults[0] is LineFault.CUT


async def test_a_half_open_line_tells_nobody_and_then_is_gone(autojump_clock: object) -> None:
    stream, far, faults = pair(Odds(half_open=1.0, half_open_s=1000), seed=1)
    await far.send_all(b"is anybody there?")
    begun = trio.current_time()
    with pytest.raises(trio.BrokenResourceError):
        await stream.send_all(b"nobody hears this")
    assert trio.current_time() - begun > 10
    assert await far.receive_some() == b""
    assert faults == [LineFault.HALF_OPEN]


async def test_who_waits_on_a_line_that_falls_half_open_gets_nothing_more(autojump_clock: object) -> None:
    near, _ = trio.testing.memory_stream_pair()
    stream = FaultyStream(near, Odds(), random.Random(1))
    failed: list[str] = []

    async def listens() -> None:
        with pytest.raises(trio.BrokenResourceError):
            await stream.receive_some()
        failed.append("listens")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(listens)
        await trio.testing.wait_all_tasks_blocked()
        stream._odds = Odds(half_open=1.0)
        with pytest.raises(trio.BrokenResourceError):
            await stream.send_all(b"x")
    assert failed == ["listens"]


async def test_a_call_that_is_cancelled_loses_nothing(autojump_clock: object) -> None:
    stream, far, _ = pair(Odds(delayed=0.5, in_pieces=0.5), seed=4)
    got = b""
    await far.send_all(STREAM)
    while len(got) < len(STREAM):
        with trio.move_on_after(0.01):
            got += bytes(await stream.receive_some())
    assert got == STREAM


# A game on such lines.


class Persistent:
    """A player with a session who comes back whenever its line fails, and moves whenever it is its turn."""

    def __init__(self, shell: Shell, nick: str, odds: Odds) -> None:
        self._shell, self.nick, self._odds = shell, nick, odds
        self._chance = random.Random(nick)
        self._token = ""
        self._calm_until = 0.0
        self._answered: bytes | None = None
        self.faults: list[LineFault] = []
        self.results: list[str] = []

    async def plays(self, games: int) -> None:
        """Play until so many games are over."""
        while len(self.results) < games:
            far = self._connects()
            try:
                await far.says(Hello(("session",)), Resume(self._token) if self._token else PlayerLogin(self.nick, GO))
                while len(self.results) < games and (message := await far.hears(1000)) is not None:
                    await self._heeds(far, message)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                await trio.sleep(0.1)

    def _connects(self) -> Far:
        """A new line. Sessions outlast one fault, not any number in a row."""
        far = self._shell.connects()
        calm = trio.current_time() < self._calm_until
        odds = Odds(self._odds.delayed, self._odds.in_pieces) if calm else self._odds
        return Far(FaultyStream(far.stream, odds, self._chance, self._suffers), declares=False)

    def _suffers(self, fault: LineFault) -> None:
        self.faults.append(fault)
        if fault in (LineFault.CUT, LineFault.HALF_OPEN):
            self._calm_until = trio.current_time() + 30

    async def _heeds(self, far: Far, message: Message) -> None:
        match message:
            case Session(token=token):
                self._token = token
            case GameState(game_id=game_id, game_over=game_over) if game_over is not None:
                self.results.append(game_id)
                await far.says(ThankYou(game_id))
            case GameState(game_id=game_id, next_player=self.nick):
                await far.says(Move(game_id, b"<move/>"))
            case _:
                pass


@pytest.mark.parametrize("seed", range(3))
async def test_nobody_loses_by_a_line_that_fails_and_comes_back(
    opens: Opens, autojump_clock: object, seed: int
) -> None:
    """Whatever happens to lines, each game ends as its master says."""
    shell = opens(session_grace_s=20, move_timeout_s=60)
    master = await shell.master()
    odds = Odds(delayed=0.1, in_pieces=0.1, cut=0.02, half_open=0.02, delay_s=1.0 + seed, half_open_s=5.0)
    players = [Persistent(shell, nick, odds) for nick in ("ann", "bob")]
    async with trio.open_nursery() as nursery:
        for player in players:
            nursery.start_soon(player.plays, 6)
        told = await _leads(master, games=6, moves=8)
    assert [player.results for player in players] == [told, told]
    assert {LineFault.CUT, LineFault.HALF_OPEN} & {fault for player in players for fault in player.faults}


async def _leads(master: Far, games: int, moves: int) -> Sequence[str]:
    """Let each game go on for so many moves; all are won by the first seat."""
    told: list[str] = []
    while len(told) < games:
        begun = await master.hears(1000)
        assert begun is not None
        game_id, seats = begun.game_id, begun.players  # type: ignore[union-attr]
        for number in range(moves):
            await master.says(turn(seats[number % 2], game_id, b'<gameState n="%d"/>' % number))
            assert await master.hears(1000) == move(game_id)
        told.append(game_id)
        await master.says(over(seats[0], seats[1], game_id=game_id))
    return told
