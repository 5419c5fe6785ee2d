"""Reading another process's processor clock and memory."""

import os
import resource
import subprocess
import sys
import time

import pytest

from ugs.bench.process import allow_open_files, cpu_nanoseconds, parse_resident, resident_bytes

STATUS = "Name:\tpython\nVmPeak:\t  300 kB\nVmHWM:\t  200 kB\nVmRSS:\t  1234 kB\nThreads:\t1\n"


def test_the_resident_set_is_read_from_its_own_line() -> None:
    assert parse_resident(STATUS) == 1234 * 1024


def test_an_ended_process_has_no_resident_set() -> None:
    with pytest.raises(ValueError, match="has ended"):
        parse_resident("Name:\tpython\nState:\tZ (zombie)\n")


def test_another_unit_is_not_guessed() -> None:
    with pytest.raises(ValueError, match="unit"):
        parse_resident("VmRSS:\t 12 MB\n")


def test_the_clock_of_a_process_is_the_one_it_sees_itself() -> None:
    before = time.process_time_ns()
    read = cpu_nanoseconds(os.getpid())
    after = time.process_time_ns()
    assert before <= read <= after


def test_the_memory_of_this_process_is_found() -> None:
    assert 1024**2 < resident_bytes(os.getpid()) <= resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 * 2


def test_a_process_that_is_gone_has_neither() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    with pytest.raises(ProcessLookupError, match=f"{process.pid}"):
        cpu_nanoseconds(process.pid)
    with pytest.raises(ProcessLookupError, match=f"{process.pid}"):
        resident_bytes(process.pid)


def test_an_open_file_limit_that_suffices_is_left_alone() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    allow_open_files(3)
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == before


def test_a_lower_open_file_limit_is_raised_as_far_as_needed() -> None:
    program = (
        "import resource; from ugs.bench.process import allow_open_files;"
        "hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1];"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (50, hard));"
        "allow_open_files(70);"
        "print(resource.getrlimit(resource.RLIMIT_NOFILE) == (70, hard))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
