"""Files of a site are whole, and lead nowhere else."""

from pathlib import Path

import pytest

from ugs.page.worker.site_files import write_file


def test_a_file_is_written_and_written_again(tmp_path: Path) -> None:
    for content in (b"a", b"bcd"):
        write_file(tmp_path / "x.html", content)
        assert (tmp_path / "x.html").read_bytes() == content
    assert [path.name for path in tmp_path.iterdir()] == ["x.html"]


@pytest.mark.parametrize("name", ["x.html", ".x.html.new"])
def test_what_a_link_leads_to_stays_as_it_is(tmp_path: Path, name: str) -> None:
    (tmp_path / "other").write_bytes(b"of others")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / name).symlink_to(tmp_path / "other")
    write_file(tmp_path / "site" / "x.html", b"a")
    assert (tmp_path / "other").read_bytes() == b"of others"
    assert [(path.name, path.is_symlink()) for path in (tmp_path / "site").iterdir()] == [("x.html", False)]


def test_nothing_is_left_of_one_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "x.html").mkdir()
    with pytest.raises(IsADirectoryError):
        write_file(tmp_path / "x.html", b"a")
    assert [path.name for path in tmp_path.iterdir()] == ["x.html"]
