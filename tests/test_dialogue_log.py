"""The dialogue of a peer as a file: readable, and without secrets."""

import stat
from pathlib import Path

import pytest
import trio
import trio.testing

from ugs import dialogue_log
from ugs.dialogue_log import DialogueLog, without_tokens


def lines_of(path: Path) -> list[str]:
    """The lines without their times."""
    return [line.partition(" ")[2] for line in path.read_text(encoding="utf-8").splitlines()]


def test_each_document_is_a_line_whatever_pieces_it_comes_in(tmp_path: Path) -> None:
    file = tmp_path / "dialogue.log"

    async def talk() -> None:
        ours, theirs = trio.testing.memory_stream_pair()
        stream = DialogueLog(file, ("s3cret",)).follow(ours)
        await stream.send_all(b'<message type="playerLogin"><playerLogin nick="ann#s3cret" gameType="go"/></message>')
        for piece in (
            b'<message type="x-sess',
            b'ion"><session token="abc"/></message><message type="error">a\nb</message>',
        ):
            await theirs.send_all(piece)
            await stream.receive_some(1000)
        await theirs.send_all(b"\x1bnonsense")
        await stream.receive_some(1000)
        await theirs.aclose()
        assert await stream.receive_some(1000) == b""
        await stream.wait_send_all_might_not_block()
        await stream.aclose()

    trio.run(talk)
    connected, login, session, error, wrong, bytes_, closed = lines_of(file)
    assert connected == "- connected"
    assert login == '> <message type="playerLogin"><playerLogin nick="ann#..." gameType="go"/></message>'
    assert session == '< <message type="x-session"><session token="..."/></message>'
    assert error.startswith('< <message type="error">a')
    assert wrong.startswith("- what follows are no documents")
    assert bytes_.isprintable()
    assert closed == "- the server has closed the connection"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("data", "shown"),
    [(b"token='a' b=\"c\"", b"token='...' b=\"c\""), (b'x token="a', b"x token=..."), (b"token=", b"token=...")],
)
def test_tokens_are_left_out(data: bytes, shown: bytes) -> None:
    assert without_tokens(data) == shown


def test_a_file_that_is_full_takes_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialogue_log, "MAX_BYTES", 10)
    log = DialogueLog(tmp_path / "x.log")
    log.write(">", b"one")
    log.write(">", b"two")
    assert lines_of(tmp_path / "x.log") == ["> one"]
