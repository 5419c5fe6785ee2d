"""Processor time of a program, read off files that look as those of Linux."""

import os
import time
from pathlib import Path

import pytest

from ugs.processor_time import ControlGroup, ProcessorTime, ProcessorUse, processors_left_s, program_use, thread_s


def thread(proc: Path, pid: int, tid: int, used: int, waited: int, children: str = "") -> Path:
    """A thread as Linux shows it."""
    folder = proc / str(pid) / "task" / str(tid)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "schedstat").write_text(f"{used} {waited} 7\n")
    (folder / "children").write_text(children)
    return folder


def test_threads_and_children_count(tmp_path: Path) -> None:
    thread(tmp_path, 10, 10, 1_000_000_000, 500_000_000, "20 ")
    thread(tmp_path, 10, 11, 250_000_000, 0)
    thread(tmp_path, 20, 20, 2_000_000_000, 250_000_000)
    assert ProcessorTime(10, tmp_path, tmp_path / "none").read() == ProcessorUse(3.25, 0.75)


def test_what_has_ended_stays_as_it_was_seen_last(tmp_path: Path) -> None:
    thread(tmp_path, 10, 10, 1_000_000_000, 0)
    folder = thread(tmp_path, 10, 11, 1_000_000_000, 0)
    meter = ProcessorTime(10, tmp_path, tmp_path / "none")
    assert meter.read() == ProcessorUse(2.0, 0.0)
    (folder / "schedstat").unlink()
    assert meter.read() == ProcessorUse(2.0, 0.0)


def test_where_the_system_says_nothing_both_are_0(tmp_path: Path) -> None:
    assert ProcessorTime(10, tmp_path, tmp_path).read() == ProcessorUse()
    (tmp_path / "10" / "task" / "10").mkdir(parents=True)
    (tmp_path / "10" / "task" / "10" / "schedstat").write_text("nonsense")
    assert ProcessorTime(10, tmp_path, tmp_path).read() == ProcessorUse()


def test_a_process_that_is_its_own_child_is_looked_at_only_so_often(tmp_path: Path) -> None:
    thread(tmp_path, 10, 10, 1_000_000_000, 0, "10 10")
    assert ProcessorTime(10, tmp_path, tmp_path / "none").read() == ProcessorUse(1.0, 0.0)


def test_a_control_group_knows_more(tmp_path: Path) -> None:
    """Linux makes the files as soon as the folder is there; here the test has."""
    (tmp_path / "cgroup.procs").touch()
    folder = tmp_path / f"ugs-match-{os.getpid()}-10"
    assert ControlGroup.of(10, tmp_path) is None
    group = ControlGroup(folder, "cpu.stat", 1e-6)
    (folder / "cpu.stat").write_text("usage_usec 1500000\nuser_usec 1\n")
    assert group.used_s() == 1.5
    (folder / "cpuacct.usage").write_text("2000000000\n")
    assert ControlGroup(folder, "cpuacct.usage", 1e-9).used_s() == 2.0
    assert ControlGroup(tmp_path / "gone", "cpu.stat", 1e-6).used_s() == 0.0
    group.remove()


def test_our_own_process_has_used_something() -> None:
    """On a system that says so."""
    use = ProcessorTime(os.getpid(), cgroups=Path("/nowhere")).read()
    assert use.used_s > 0 or not Path("/proc/self/schedstat").exists()


def test_time_between_two_moments() -> None:
    assert ProcessorUse(3.0, 2.0).since(ProcessorUse(1.0, 0.5)) == ProcessorUse(2.0, 1.5)
    assert ProcessorUse(1.0, 0.0).since(ProcessorUse(2.0, 1.0)) == ProcessorUse()


def test_the_first_thread_of_a_process_is_one_of_many(tmp_path: Path) -> None:
    thread(tmp_path, 10, 10, 1_500_000_000, 0, "")
    thread(tmp_path, 10, 11, 9_000_000_000, 0, "")
    assert (thread_s(10, tmp_path), thread_s(11, tmp_path)) == (1.5, 0.0)


def test_a_program_is_all_threads_of_it_and_of_what_it_has_started(tmp_path: Path) -> None:
    thread(tmp_path, 10, 10, 1_000_000_000, 0, "20 ")
    thread(tmp_path, 10, 11, 250_000_000, 500_000_000)
    thread(tmp_path, 20, 20, 2_000_000_000, 0)
    assert (program_use(10, tmp_path), program_use(30, tmp_path)) == (ProcessorUse(3.25, 0.5), ProcessorUse())


def test_what_is_left_of_processors_is_what_we_and_our_programs_have_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 2})
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    assert processors_left_s(tmp_path) == 200
    thread(tmp_path, os.getpid(), os.getpid(), 1_000_000_000, 0, "10")
    thread(tmp_path, 10, 10, 2_000_000_000, 0, "")
    thread(tmp_path, 10, 11, 3_000_000_000, 0, "")
    assert processors_left_s(tmp_path) == 194
