"""The file in which a bot keeps what it has to remember."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import structlog
from structlog.testing import capture_logs

from game_masters.kit import memory_file
from game_masters.kit.memory import NOTHING, KeepGame, KeepStep, KeepToken, Memory, Whose, head
from game_masters.kit.memory_file import Keeping
from ugs.wire.messages import GameState, Move

WHOSE = Whose("127.0.0.1:4747", "ann", "chess")
STATE, MOVE = GameState("g1", "ann", None, b"<gameState/>"), Move("g1", b"<move/>")


@contextmanager
def kept(path: Path, whose: Whose = WHOSE) -> Iterator[tuple[Keeping, Memory]]:
    with closing(Keeping(path, whose, structlog.get_logger())) as one:
        yield one, one.open()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "state.jsonl"


def test_what_was_kept_is_there_at_the_next_start(path: Path) -> None:
    with kept(path) as (one, memory):
        assert memory == NOTHING
        for news in (KeepToken("token"), KeepGame("g1"), KeepStep(STATE), KeepStep(MOVE), KeepToken("token")):
            one.keep(news)
    with kept(path) as (one, memory):
        assert memory == Memory("token", game_id="g1", received=(STATE, MOVE))
        one.keep(KeepStep(STATE))
        one.keep(KeepToken("another"))
    with kept(path) as (one, memory):
        assert memory == Memory("another", game_id="g1", received=(STATE, MOVE, STATE))
        one.keep(KeepGame("g2"))
        one.keep(KeepToken("another", over=True))
    with kept(path) as (_, memory):
        assert memory == Memory("another", over=True, game_id="g2")


def test_only_its_owner_may_read_it(path: Path) -> None:
    before = os.umask(0)
    try:
        with kept(path) as (one, _):
            one.keep(KeepToken("token"))
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}


def test_a_second_bot_of_this_nick_goes_without(path: Path) -> None:
    with kept(path) as (first, _), capture_logs() as lines:
        first.keep(KeepToken("token"))
        with kept(path) as (second, memory):
            assert memory == NOTHING
            second.keep(KeepToken("stolen"))
        first.keep(KeepGame("g1"))
    assert [line["event"] for line in lines] == ["another bot uses this state file, so this one goes without"]
    with kept(path) as (_, memory):
        assert memory == Memory("token", game_id="g1")


def test_what_another_bot_kept_is_not_used(path: Path) -> None:
    path.parent.mkdir()
    path.write_text(head(Whose("127.0.0.1:4747", "bob", "chess"), Memory("token")))
    with kept(path) as (_, memory):
        assert memory == NOTHING


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_a_full_disk_costs_the_memory_and_nothing_else(
    path: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    with kept(path) as (one, _), capture_logs() as lines:
        one.keep(KeepToken("token"))
        monkeypatch.setattr(os, "fsync", fails)
        for game in ("g1", "g2"):
            one.keep(KeepGame(game))
    assert [line["event"] for line in lines] == ["nothing can be kept for a new start of this bot"]
    assert lines[0]["reason"] == os.strerror(number)
    assert sorted(file.name for file in path.parent.iterdir()) == ["state.jsonl", "state.jsonl.lock"]
    with kept(path) as (_, memory):
        assert memory == Memory("token")


def test_a_home_that_cannot_be_written_costs_the_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with kept(tmp_path / "file" / "state.jsonl") as (one, memory), capture_logs():
        assert memory == NOTHING
        one.keep(KeepToken("token"))


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "other").write_text(head(WHOSE, Memory("token")))
    (tmp_path / "state.jsonl").symlink_to(tmp_path / "other")
    with capture_logs() as lines, kept(tmp_path / "state.jsonl") as (one, memory):
        assert memory == NOTHING
        one.keep(KeepToken("mine"))
    assert len(lines) == 1
    assert "mine" not in (tmp_path / "other").read_text()


def test_a_game_without_end_does_not_fill_the_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_file, "MAX_BYTES", 1000)
    with kept(path) as (one, _):
        one.keep(KeepToken("token"))
        one.keep(KeepGame("g1"))
        for _ in range(1000):
            one.keep(KeepStep(STATE))
        assert path.stat().st_size <= 1000
        one.keep(KeepGame("g2"))
        one.keep(KeepStep(MOVE))
    with kept(path) as (_, memory):
        assert memory == Memory("token", game_id="g2", received=(Move("g2", b"<move/>"),))
