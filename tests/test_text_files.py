"""Files of text that arguments name."""

from pathlib import Path

import pytest

from tests.commands.line import ugs
from ugs import text_files
from ugs.text_files import TextFileError, read_text


def test_a_text_is_read(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("é\n", encoding="utf-8")
    assert read_text(tmp_path / "text") == "é\n"


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/dev/zero", r"^/dev/zero: longer than 1000 bytes$"),
        ("/", r"^/: cannot be read: Is a directory$"),
        ("/no/such", r"^/no/such: cannot be read: No such file or directory$"),
    ],
)
def test_what_cannot_be_read_is_named(path: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_files, "MAX_BYTES", 1000)
    with pytest.raises(TextFileError, match=why):
        read_text(Path(path))


def test_what_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"a\xff")
    with pytest.raises(TextFileError, match="bytes: not UTF-8: invalid start byte at byte 1"):
        read_text(tmp_path / "bytes")


@pytest.mark.parametrize(
    "line",
    [
        "token add --data-dir data --from /dev/zero",
        "admin pair a b --game-type t --why w --data-dir data --fixture /dev/zero",
        "master tic-tac-toe --fixture /dev/zero",
    ],
)
def test_no_command_reads_without_end(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_files, "MAX_BYTES", 1000)
    done = ugs(*line.split())
    assert done.exit_code == 2
    assert "/dev/zero: longer than 1000 bytes" in " ".join(done.stderr.replace("│", " ").split())
