"""What a process has started does not outlive it, however it ends."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import trio

from ugs.group_guard import GroupGuard, start_guarded

BOUND_S = 10.0
STARTS = """
import trio
from ugs.replay.program import Program

async def main():
    kept = await Program.start(["sh", "-c", "trap '' TERM HUP; exec > {pipe}; sleep 600 & echo here; wait"], {{}})
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


async def test_a_program_does_not_begin_before_it_is_guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else one would live on whose starter is killed within these milliseconds."""
    what_waits = list[bytes]()

    async def killed(group: int) -> GroupGuard:
        # The system shows nothing for a moment: a program that has just begun has no words yet.
        with trio.move_on_after(BOUND_S):
            while not (words := Path(f"/proc/{group}/cmdline").read_bytes()):  # noqa: ASYNC240  (no disk)
                await trio.lowlevel.checkpoint()
            what_waits.append(words)
        raise InterruptedError("as if we were killed: the system closes our pipes")

    monkeypatch.setattr(GroupGuard, "over", killed)
    heard, written = os.pipe()
    with pytest.raises(InterruptedError):
        await start_guarded(("echo", "here"), written, subprocess.DEVNULL)
    os.close(written)
    assert os.read(heard, 10) == b""
    os.close(heard)
    assert len(what_waits) == 1
    assert what_waits[0].startswith(b"sh\0-c\0read ")


async def test_a_guarded_program_is_what_was_asked_for_and_reads_nothing(tmp_path: Path) -> None:
    with (tmp_path / "log").open("wb") as log:
        process, guard = await start_guarded(
            ("sh", "-c", 'cat; echo "$0 $1 $MORE"', "a b", "c"), log, log, {"MORE": "d"}
        )
    assert await process.wait() == 0
    await guard.release()
    assert (tmp_path / "log").read_text() == "a b c d\n"


async def test_a_program_that_is_not_there_is_named_as_the_system_does(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    with pytest.raises(FileNotFoundError, match="No such file or directory"):
        await start_guarded((str(tmp_path / "none"),), subprocess.DEVNULL, subprocess.DEVNULL)
    with pytest.raises(PermissionError, match="Permission denied"):
        await start_guarded((str(tmp_path / "plain"),), subprocess.DEVNULL, subprocess.DEVNULL)


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
    process, guard = await start_guarded((sys.executable, "-c", "print()"), subprocess.DEVNULL, subprocess.DEVNULL)
    assert await process.wait() == 0
    await guard.release()
