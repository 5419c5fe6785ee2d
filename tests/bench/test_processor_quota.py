"""A part of a processor for each process: where groups are made, and what is written there."""

import os
from pathlib import Path

import pytest

from ugs.bench.processor_quota import NoQuota, quota


class Machine:
    """Files as the kernel shows them."""

    def __init__(self, folder: Path) -> None:
        self.groups = folder / "groups"
        self.groups.mkdir()
        self.mounts = folder / "mounts"
        self.own = folder / "own"

    def has(self, *mounts: str, own: str) -> None:
        """It has these groups mounted."""
        self.mounts.write_text("".join(f"{one}\n" for one in ("proc /proc proc rw 0 0", *mounts)))
        self.own.write_text(own)

    def limited(self, percent: int) -> dict[str, str]:
        """Limit this process; what was written, by file."""
        with quota(percent, self.mounts, self.own) as limits:
            assert limits is not None
            limits.limit(os.getpid())
            return {
                str(path.relative_to(self.groups)): path.read_text()
                for path in self.groups.rglob("*")
                if path.is_file()
            }


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


GROUP = f"ugs-bench-{os.getpid()}-{os.getpid()}"


def test_in_version_1_a_group_is_made_below_our_own(machine: Machine) -> None:
    (machine.groups / "session").mkdir()
    machine.has(f"cgroup {machine.groups} cgroup rw,cpu,cpuacct 0 0", own="3:cpu,cpuacct:/session\n1:memory:/other\n")
    assert machine.limited(25) == {
        f"session/{GROUP}/cpu.cfs_period_us": "10000",
        f"session/{GROUP}/cpu.cfs_quota_us": "2500",
        f"session/{GROUP}/cpu.shares": "262144",
        f"session/{GROUP}/cgroup.procs": str(os.getpid()),
    }


@pytest.mark.parametrize(("own", "parent"), [("/slice/session", "slice"), ("/", ".")])
def test_in_version_2_a_group_is_made_beside_our_own(machine: Machine, own: str, parent: str) -> None:
    folder = machine.groups / parent
    folder.mkdir(exist_ok=True)
    (folder / "cgroup.subtree_control").write_text("memory cpu\n")
    machine.has(f"cgroup2 {machine.groups} cgroup2 rw,nsdelegate 0 0", own=f"0::{own}\n")
    written = machine.limited(50)
    prefix = "" if parent == "." else f"{parent}/"
    assert written.pop(f"{prefix}cgroup.subtree_control")
    assert written == {
        f"{prefix}{GROUP}/cpu.max": "5000 10000",
        f"{prefix}{GROUP}/cpu.weight": "10000",
        f"{prefix}{GROUP}/cgroup.procs": str(os.getpid()),
    }


def test_without_groups_for_processors_the_reason_is_given(machine: Machine) -> None:
    (machine.groups / "cgroup.subtree_control").write_text("memory\n")
    for mounts in ((), (f"cgroup2 {machine.groups} cgroup2 rw 0 0",), (f"cgroup {machine.groups} cgroup rw,pids 0 0",)):
        machine.has(*mounts, own="0::/\n")
        with pytest.raises(NoQuota, match="no control groups for processors"):
            machine.limited(25)


def test_where_none_can_be_made_the_reason_is_given(machine: Machine) -> None:
    machine.has(f"cgroup {machine.groups}/nowhere cgroup rw,cpu 0 0", own="1:cpu:/\n")
    with pytest.raises(NoQuota, match="No such file"):
        machine.limited(25)


def test_no_quota_needs_no_groups(machine: Machine) -> None:
    with quota(0, machine.mounts, machine.own) as limits:
        assert limits is None
