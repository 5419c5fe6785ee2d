"""What a process has started does not outlive it, however it ends."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import trio

from ugs.group_guard import GroupGuard

STARTS = """
import sys, trio
from ugs.replay.program import Program

async def main():
    await Program.start(["sh", "-c", "trap '' TERM HUP; exec > {pipe}; sleep 600 & echo here; wait"], {{}})
    print("guarded", flush=True)
    await trio.sleep_forever()

trio.run(main)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_program_that_is_tried_ends_with_who_tries_it(how: signal.Signals, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    trying = subprocess.Popen([sys.executable, "-c", STARTS.format(pipe=pipe)], stdout=subprocess.PIPE)
    with trying as trier, pipe.open("rb") as heard:
        assert heard.readline() == b"here\n"
        assert trier.stdout is not None
        assert trier.stdout.readline() == b"guarded\n"
        trier.send_signal(how)
        assert heard.read() == b""  # the end: neither the program nor what it has started holds the pipe any more


async def test_a_group_that_is_released_lives_on() -> None:
    process = await trio.lowlevel.open_process(("cat",), stdin=subprocess.PIPE, start_new_session=True)
    guard = await GroupGuard.over(process.pid)
    await guard.release()
    await guard.release()
    assert process.poll() is None
    assert process.stdin is not None
    await process.stdin.aclose()
    assert await process.wait() == 0


async def test_without_a_shell_nothing_is_guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    guard = await GroupGuard.over(os.getpid())
    await guard.release()
