"""Signs of life for the service manager."""

import os
import socket
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from ugs.daemon.processes.life_signs import show_life


async def test_signs_of_life_come_three_times_as_often_as_wanted(tmp_path: Path, autojump_clock: MockClock) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.setblocking(False)
        with trio.move_on_after(20.5):
            await show_life({"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "30000000"})
        assert [manager.recv(100) for _ in range(3)] == [b"WATCHDOG=1"] * 3
        with pytest.raises(BlockingIOError):
            manager.recv(100)


@pytest.mark.parametrize("wanted", [{}, {"WATCHDOG_USEC": "x"}, {"WATCHDOG_USEC": "9", "WATCHDOG_PID": "1"}])
async def test_none_are_sent_that_are_not_wanted(wanted: dict[str, str]) -> None:
    assert os.getpid() != 1
    await show_life(wanted)
