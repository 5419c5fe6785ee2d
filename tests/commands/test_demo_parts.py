"""The processes of ``ugs demo``."""

import os
import signal
import subprocess
import sys
from contextlib import aclosing

import pytest
import trio
import trio.testing

from ugs.commands.demo_parts import LINES_KEPT, DemoPart, how_it_ended, stop

STARTS = """
import trio
from ugs.commands.demo_parts import BROKER, DemoPart

async def main():
    part = await DemoPart.start(BROKER, "serve", "--port", "0")
    print("started", flush=True)
    await trio.sleep_forever()

trio.run(main)
"""


def test_parts_end_with_a_demonstration_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", STARTS], stdout=subprocess.PIPE) as showing:
        assert showing.stdout is not None
        assert showing.stdout.readline() == b"started\n"
        showing.kill()
        assert showing.stdout.read() == b""  # the end: the part does not hold our pipe any more


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (1, "ended with exit code 1"),
        (-9, "was killed (SIGKILL): by a person, or by the system, which may be out of memory"),
        (-200, "was killed (signal 200): by a person, or by the system, which may be out of memory"),
    ],
)
def test_the_end_of_a_process_is_told_in_words(code: int, said: str) -> None:
    assert how_it_ended(code) == said


async def test_of_a_part_that_fails_its_last_lines_are_kept() -> None:
    script = "import sys; [print(number, file=sys.stderr) for number in range(100)]; sys.exit(3)"
    part = DemoPart("bot ann", await trio.lowlevel.open_process([sys.executable, "-c", script], stderr=subprocess.PIPE))
    await part.drain()
    await part.process.wait()
    assert list(part.lines) == [str(number) for number in range(100 - LINES_KEPT, 100)]
    assert "ended with exit code 3" in part.failure()


async def test_ctrl_c_while_all_stop_kills_what_is_left() -> None:
    script = (
        "import signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
        "print('ready', file=sys.stderr, flush=True); signal.pause()"
    )
    part = DemoPart("broker", await trio.lowlevel.open_process([sys.executable, "-c", script], stderr=subprocess.PIPE))
    async with aclosing(part.log()) as lines:
        assert await anext(lines) == "ready"
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stop, [part])
        await trio.testing.wait_all_tasks_blocked()
        os.kill(os.getpid(), signal.SIGINT)
    assert part.process.returncode == -signal.SIGKILL
