"""The process in which all copies of a bundled bot play, and who starts it."""

import json
from pathlib import Path

import trio
from trio.testing import memory_stream_pair, wait_all_tasks_blocked

from ugs.match.bundled_bots import Seeds, serve
from ugs.match.bundled_process import BundledProcess

FIRST = {"game": "tic-tac-toe", "bot": "threats", "options": {}, "address": ["127.0.0.1", 1]}


async def test_a_game_waits_for_its_chance() -> None:
    seeds, taken = Seeds(), []

    async def takes() -> None:
        taken.append(await seeds.take("ann"))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(takes)
        seeds.comes("bob", "2")
        await wait_all_tasks_blocked()
        assert taken == []
        seeds.comes("ann", "1")
    assert taken == ["1"]


async def test_a_copy_that_ends_is_named_and_says_why(tmp_path: Path) -> None:
    ours, theirs = memory_stream_pair()
    errors = tmp_path / "ann.log"
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve, theirs, theirs)
        for line in (FIRST, {"play": "ann", "errors": str(errors)}):
            await ours.send_all(json.dumps(line).encode() + b"\n")
        assert json.loads(bytes(await ours.receive_some())) == {"ended": "ann"}
        await ours.send_eof()
    assert "OSError: no server listens at 127.0.0.1 port 1" in errors.read_text(encoding="utf-8")


async def test_without_a_first_line_it_ends() -> None:
    ours, theirs = memory_stream_pair()
    await ours.send_eof()
    await serve(theirs, theirs)


async def test_its_process_is_started_again_and_its_copies_have_ended(tmp_path: Path) -> None:
    bots = BundledProcess("tic-tac-toe", "threats", {}, tmp_path / "threats.log")
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")

    async def keeps_playing() -> None:
        while True:
            await bots.play("ann", tmp_path / "ann.log")
            await trio.sleep(0.01)

    with trio.fail_after(120):
        async with listener, trio.open_nursery() as nursery:
            await nursery.start(bots.run, listener.socket.getsockname())
            nursery.start_soon(keeps_playing)
            async with await listener.accept() as line:
                assert b'nick="ann"' in bytes(await line.receive_some())
                assert bots.used_s > 0
                assert bots.process is not None
                bots.process.kill()
                assert not await line.receive_some()
            async with await listener.accept() as line:
                assert b'nick="ann"' in bytes(await line.receive_some())
            nursery.cancel_scope.cancel()
