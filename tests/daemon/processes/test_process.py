"""What a server asks the system about its own process."""

import os
import sys
from pathlib import Path

from ugs.daemon.processes.process import (
    SWITCH_S,
    memory_bytes,
    open_files,
    peak_bytes,
    resident_bytes,
    share_the_interpreter,
)


def test_a_control_group_may_allow_less_memory_than_the_machine_has(tmp_path: Path) -> None:
    machine = memory_bytes([])
    assert machine > 100_000_000
    limits = {"none": "max\n", "little": "50000000\n", "much": f"{2 * machine}\n"}
    for name, text in limits.items():
        (tmp_path / name).write_text(text)
    files = [tmp_path / name for name in (*limits, "missing")]
    assert memory_bytes([files[0], files[2], files[3]]) == machine
    assert memory_bytes(files) == 50_000_000


def test_the_process_has_some_memory_and_some_files() -> None:
    assert resident_bytes() > 1_000_000
    assert resident_bytes() // 2 < peak_bytes()
    before, limit = open_files()
    with Path(os.devnull).open():
        assert open_files() == (before + 1, limit)


def test_other_threads_get_the_interpreter_within_a_millisecond() -> None:
    before = sys.getswitchinterval()
    try:
        share_the_interpreter()
        assert sys.getswitchinterval() == SWITCH_S < before
    finally:
        sys.setswitchinterval(before)
