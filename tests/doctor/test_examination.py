"""All checks together."""

from pathlib import Path

from ugs.doctor.diagnosis import Grade, bad, good, warning
from ugs.doctor.examination import examine, is_served, worst
from ugs.journal.database import connect
from ugs.journal.lock import DirectoryLock


def test_the_worst_counts() -> None:
    one, two, three = good("a", ""), warning("b", "", ""), bad("c", "", "")
    assert [worst(some) for some in ([], [one], [one, two], [three, two])] == [
        Grade.GOOD,
        Grade.GOOD,
        Grade.WARNING,
        Grade.BAD,
    ]


def test_where_a_server_runs_its_ports_are_left_alone(tmp_path: Path) -> None:
    connect(tmp_path).close()
    assert not is_served(tmp_path)
    lock = DirectoryLock(tmp_path)
    try:
        found = examine(None, {"data_dir": str(tmp_path)})
    finally:
        lock.release()
    assert [one.text for one in found if one.subject == "ports"] == ["not tried, since the server runs"]


def test_a_data_directory_that_cannot_be_is_bad_and_the_rest_is_judged(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    for name in ("file", "file/below", "circle", "x" * 300):
        found = examine(None, {"data_dir": str(tmp_path / name)})
        assert [one.grade for one in found if one.subject == "data directory"] == [Grade.BAD]
        assert len(found) > 4
