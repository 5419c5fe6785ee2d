"""A clock that is set for one process alone."""

import mmap
import random
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from ugs.soak import machine_faults, set_clock
from ugs.soak.churn_settings import FAULTS
from ugs.soak.line_faults import LineFault
from ugs.soak.server_process import ServerProcess
from ugs.soak.set_clock import HOUR_US, HOURS, OFFSET, SetClock

NOON_US = 1_900_000_000_000_000
MINUTE_US = 60_000_000


def test_a_process_sees_the_clock_of_its_environment_and_others_do_not(tmp_path: Path) -> None:
    wall = SetClock(tmp_path)
    wall.set(-31)
    code = "import time; print(time.time_ns(), time.time())"
    before = time.time()
    command = [sys.executable, "-P", "-c", code]
    told = subprocess.run(command, env=wall.environment(), capture_output=True, text=True, check=True).stdout.split()
    after = time.time()
    for shown in (int(told[0]) / 1e9, float(told[1])):
        assert before - 1 <= shown + 31 * 3600 <= after + 1


def test_a_process_follows_it_while_it_is_set(tmp_path: Path) -> None:
    wall = SetClock(tmp_path)
    with (tmp_path / "clock" / "offset").open("rb") as file:
        shown, shown_ns = set_clock.shown_by(
            mmap.mmap(file.fileno(), OFFSET.size, access=mmap.ACCESS_READ), lambda: NOON_US * 1000
        )
    assert shown_ns() == NOON_US * 1000
    wall.set(6)
    assert shown_ns() == (NOON_US + 6 * HOUR_US) * 1000
    wall.set(-7)
    assert shown() == NOON_US / 1e6 - 7 * 3600


def test_without_a_clock_of_its_own_a_process_sees_that_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(set_clock.VARIABLE, raising=False)
    before = time.time
    set_clock.follow()
    assert time.time is before


def test_whoever_sets_it_knows_when_something_really_happened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now_us = NOON_US
    monkeypatch.setattr(time, "time_ns", lambda: now_us * 1000)
    wall = SetClock(tmp_path)
    chance = random.Random(1)
    off_us, seen = 0, []
    for _ in range(20):
        for _ in range(3):
            now_us += MINUTE_US
            seen.append((now_us, now_us + off_us))
        wall.jumps(chance)
        off_us = OFFSET.unpack((tmp_path / "clock" / "offset").read_bytes())[0] // 1000
        # For a moment a server still shows what its clock showed before.
        seen.append((now_us + 900_000, seen[-1][1] + 900_000))
    assert [wall.really_us(shown) for _, shown in seen] == [really for really, _ in seen]
    assert off_us // HOUR_US in HOURS


def test_it_jumps_as_a_fault_of_the_machine(tmp_path: Path) -> None:
    assert LineFault.CLOCK_SET in FAULTS.machine
    wall = SetClock(tmp_path)
    for server in (SimpleNamespace(clock=None), SimpleNamespace(clock=wall)):
        machine_faults.OF_THE_SERVER[LineFault.CLOCK_SET](cast(ServerProcess, server), 1.5)
    assert OFFSET.unpack((tmp_path / "clock" / "offset").read_bytes())[0] != 0
