"""The data directory."""

from contextlib import closing
from pathlib import Path

from ugs.doctor.diagnosis import Grade
from ugs.doctor.folder_checks import (
    examine_folder,
    examine_journal,
    free_in,
    kind_of,
    may_write,
    written_s,
)
from ugs.journal.database import DATABASE, connect
from ugs.journal.lock import DirectoryLock

PLENTY = 1 << 40


def test_a_folder_that_is_private_and_has_room_is_good(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    (found,) = examine_folder(tmp_path, PLENTY, "ext4", True)
    assert found.grade is Grade.GOOD
    assert may_write(tmp_path / "not" / "yet")
    assert free_in(tmp_path / "not" / "yet") > 0


def test_what_is_wrong_with_a_folder_is_said_with_what_to_do(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    found = examine_folder(tmp_path, 1 << 29, "nfs4", True)
    assert [one.grade for one in found] == [Grade.BAD, Grade.WARNING, Grade.WARNING]
    assert [one.advice.split()[0] for one in found] == ["take", "chmod", "make"]
    (alone,) = examine_folder(tmp_path, PLENTY, "ext4", False)
    assert alone.grade is Grade.BAD


def test_a_full_disk_is_bad_since_no_server_starts_there(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    (found,) = examine_folder(tmp_path, 72 << 10, "tmpfs", True)
    assert (found.grade, "72 KiB are free" in found.text) == (Grade.BAD, True)


def test_the_file_system_is_that_of_the_nearest_mount(tmp_path: Path) -> None:
    place = tmp_path.resolve()
    mounts = f"/dev/a / ext4 rw 0 0\nserver:/x {place.parent} nfs4 rw 0 0\nother:/y {place}x cifs rw 0 0\n"
    assert kind_of(tmp_path / "data", mounts) == "nfs4"
    assert kind_of(Path("/"), mounts) == "ext4"
    assert kind_of(tmp_path, "") == ""


def test_a_journal_is_opened_and_left_as_it_is(tmp_path: Path) -> None:
    assert examine_journal(tmp_path) == []
    assert written_s(tmp_path) is None
    connect(tmp_path).close()
    before = (tmp_path / DATABASE).read_bytes()
    (found,) = examine_journal(tmp_path)
    assert found.grade is Grade.GOOD
    assert (tmp_path / DATABASE).read_bytes() == before
    assert written_s(tmp_path) is not None


def test_a_journal_in_use_belongs_to_a_server_that_runs(tmp_path: Path) -> None:
    connect(tmp_path).close()
    lock = DirectoryLock(tmp_path)
    try:
        (found,) = examine_journal(tmp_path)
    finally:
        lock.release()
    assert (found.grade, "the server runs" in found.text) == (Grade.GOOD, True)


def test_a_journal_that_cannot_be_read_is_bad(tmp_path: Path) -> None:
    with closing((tmp_path / DATABASE).open("wb")) as file:
        file.write(b"x" * 4096)
    (found,) = examine_journal(tmp_path)
    assert (found.grade, "ugs record rescue" in found.advice) == (Grade.BAD, True)
