"""What ``ugs why`` tells."""

import errno
import json
import os
import stat
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from tests.answering import answering
from tests.commands.line import ugs
from tests.record.samples import tic_tac_toe
from tests.why.records import over
from tests.why.test_answer import WAITING
from tests.why.test_server_status import told
from ugs.commands import why_run
from ugs.journal.importing import store


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """A journal that knows one game, g1 of ann and bob."""
    assert store(tmp_path, over())
    return tmp_path


def test_a_game_is_explained_for_people(data_dir: Path) -> None:
    result = ugs("why", "g1", "--data-dir", data_dir)
    assert result.exit_code == 0
    assert result.stdout.startswith("game g1 (chess)\n  bob did not move in time; ann won\n")
    assert "no server runs" in result.stderr


def test_as_json_nothing_else_is_on_the_output(data_dir: Path) -> None:
    result = ugs("why", "g1", "--data-dir", data_dir, "--format", "json", "--last", "1")
    found = json.loads(result.stdout)
    assert [one["game"] for one in found["found"]] == ["g1"]
    assert len(found["found"][0]["exchanges"]) == 1
    assert result.stderr == ""


def test_a_running_server_is_asked(data_dir: Path) -> None:
    with answering(data_dir, {"ok": True, "found": [{**WAITING, "state": "waiting for a game"}]}):
        result = ugs("why", "ann", "--data-dir", data_dir)
    assert result.stdout.startswith("player ann: waiting for a game\n  1 player waits\n")
    assert result.stderr == ""


def test_the_server_itself_is_asked_instead_of_a_name(data_dir: Path) -> None:
    with answering(data_dir, told()):
        result = ugs("why", "--server", "--data-dir", data_dir)
        as_json = ugs("why", "--server", "--data-dir", data_dir, "--format", "json")
    assert result.stdout.startswith("server 1.2, process 7, since 2030")
    assert json.loads(as_json.stdout) == told()


def test_without_a_server_there_is_nothing_to_tell_of_it(data_dir: Path) -> None:
    result = ugs("why", "--server", "--data-dir", data_dir)
    assert result.exit_code == 1
    assert result.stderr.startswith("ugs why: no server runs on ")


def test_the_last_position_of_a_game_is_drawn(tmp_path: Path) -> None:
    assert store(tmp_path, tic_tac_toe())
    assert "  last position:\n      X ann won\n" in ugs("why", "g1", "--data-dir", tmp_path).stdout
    assert "last position" not in ugs("why", "ann", "--data-dir", tmp_path).stdout


def test_a_game_without_a_fault_names_how_its_moves_are_shown(tmp_path: Path) -> None:
    place = tmp_path / "my data"
    place.mkdir()
    assert store(place, tic_tac_toe())
    told = ugs("why", "g", "--data-dir", place).stdout
    assert told.endswith(f"\n  move by move: ugs replay g1 --data-dir '{place}' (--words: without pictures)\n")
    assert "move by move" not in ugs("why", "ann", "--data-dir", place).stdout


def test_a_fault_explains_the_end_by_itself(data_dir: Path) -> None:
    assert "move by move" not in ugs("why", "g1", "--data-dir", data_dir).stdout


class TestPackets:
    """All that is known of a game, in one file."""

    def test_it_is_written_for_its_owner(self, data_dir: Path, tmp_path: Path) -> None:
        file = tmp_path / "game.zip"
        result = ugs("why", "g1", "--data-dir", data_dir, "--packet", file, "--whole")
        assert result.exit_code == 0, result.output
        assert "README.txt in it explains how to replay it" in result.stdout
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        with zipfile.ZipFile(file) as archive:
            assert b"bob did not move in time; ann won" in archive.read("account.txt")
            assert "story.txt" in archive.namelist()

    @pytest.mark.parametrize(("nick", "player"), [((), "bob"), (("--nick", "ann"), "ann")])
    def test_it_is_that_of_the_player_at_fault_or_of_the_one_that_is_named(
        self, data_dir: Path, tmp_path: Path, nick: tuple[str, ...], player: str
    ) -> None:
        file = tmp_path / "game.zip"
        assert ugs("why", "g1", "--data-dir", data_dir, "--packet", file, *nick).exit_code == 0
        with zipfile.ZipFile(file) as archive:
            assert f"as {player} saw it".encode() in archive.read("README.txt")
            assert "story.txt" not in archive.namelist()

    def test_in_a_match_the_bot_is_enough_whichever_copy_played(self, tmp_path: Path) -> None:
        played = tic_tac_toe()
        assert played.result is not None
        seats = tuple(replace(seat, nick="ann~2" if seat.nick == "ann" else seat.nick) for seat in played.result.seats)
        assert store(tmp_path, replace(played, seats=("ann~2", "bob"), result=replace(played.result, seats=seats)))
        file = tmp_path / "game.zip"
        assert ugs("why", "g1", "--data-dir", tmp_path, "--packet", file, "--nick", "ann").exit_code == 0
        with zipfile.ZipFile(file) as archive:
            assert b"as ann~2 saw it" in archive.read("README.txt")

    def test_a_stranger_has_none(self, data_dir: Path, tmp_path: Path) -> None:
        result = ugs("why", "g1", "--data-dir", data_dir, "--packet", tmp_path / "x.zip", "--nick", "eve")
        assert result.exit_code == 2
        assert "eve does not play in it: name one with --nick (ann, bob), or --whole" in result.stderr

    def test_nothing_is_overwritten(self, data_dir: Path, tmp_path: Path) -> None:
        file = tmp_path / "thesis.zip"
        file.write_text("mine")
        result = ugs("why", "g1", "--data-dir", data_dir, "--packet", file)
        assert result.exit_code == 1
        assert f"{file}: there is a file already" in result.stderr
        assert file.read_text() == "mine"

    def test_one_that_cannot_be_written_is_not_left(
        self, data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def full(handle: int, _mode: str) -> None:
            os.close(handle)
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(why_run, "open", full, raising=False)
        result = ugs("why", "g1", "--data-dir", data_dir, "--packet", tmp_path / "x.zip")
        assert (result.exit_code, "No space left on device" in result.stderr) == (1, True)
        assert not (tmp_path / "x.zip").exists()

    @pytest.mark.parametrize("name", ["zzz", None])
    def test_it_is_of_a_game(self, data_dir: Path, tmp_path: Path, name: str | None) -> None:
        result = ugs("why", *([name] if name else ["--server"]), "--data-dir", data_dir, "--packet", tmp_path / "x.zip")
        assert result.exit_code == 2
        assert not (tmp_path / "x.zip").exists()


class TestFarAway:
    """What is missing is said before anybody is asked."""

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            (("g1",), "give --data-dir DIR, or --connect HOST:PORT with --nick"),
            (("g1", "--connect", "a:1"), "--connect needs --nick, --session-file, --token-file, or --token"),
            (
                ("stepper", "--connect", "a:1"),
                "if stepper is your bot: ugs why --connect a:1 --nick stepper; if it is a",
            ),
            (("--connect", "a:1"), "for example: ugs why --connect a:1 --nick NICK"),
            (("g1", "--connect", "a"), "is not HOST:PORT"),
            (("--server", "--connect", "a:1", "--nick", "ann"), "are for --data-dir"),
            (("g1", "--connect", "a:1", "--packet", "p"), "My games on the page of the server has the packet"),
            (("g1", "--data-dir", "x", "--nick", "ann"), "--nick goes with --connect or --packet"),
            (("g1", "--data-dir", "x", "--state", "s"), "--state and --tls go with --connect"),
            (("g1", "--data-dir", "x", "--nick", "a", "--packet", "p", "--whole"), "--whole and --nick do not go"),
            (
                ("g1", "--connect", "a:1", "--nick", "nobody"),
                "jsonl: No such file or directory; `ugs bot` keeps one there; a bot of your own",
            ),
        ],
    )
    def test_wrong_usage(self, arguments: tuple[str, ...], says: str) -> None:
        result = ugs("why", *arguments)
        assert result.exit_code == 2
        assert says in " ".join(result.stderr.split())

    def test_a_file_without_a_token(self, tmp_path: Path) -> None:
        (tmp_path / "state").write_text("{}")
        result = ugs("why", "g1", "--connect", "a:1", "--nick", "ann", "--state", tmp_path / "state")
        assert result.exit_code == 2
        assert "holds no token of ann for a:1" in result.stderr

    @pytest.mark.parametrize(
        "token",
        [("--session-file", "session"), ("--token-file", "session"), ("--token-file", "session", "--nick", "a")],
    )
    def test_a_token_in_a_file(self, tmp_path: Path, token: tuple[str, ...]) -> None:
        (tmp_path / "session").write_text("t-0\n")
        option, file, *more = token
        result = ugs("why", "g1", "--connect", "127.0.0.1:1", option, tmp_path / file, *more)
        assert (result.exit_code, "no server listens" in result.stderr) == (1, True)
        result = ugs("why", "g1", "--connect", "127.0.0.1:1", option, tmp_path / "none", *more)
        assert (result.exit_code, f"Invalid value for {option}" in result.stderr) == (2, True)

    def test_a_token_in_the_environment(self) -> None:
        result = ugs("why", "g1", "--connect", "127.0.0.1:1", environment={"UGS_TOKEN": "nick"})
        assert (result.exit_code, "no server listens" in result.stderr) == (1, True)

    def test_a_server_that_is_not_there(self) -> None:
        result = ugs("why", "g1", "--connect", "127.0.0.1:1", "--token", "t")
        assert result.exit_code == 1
        assert "no server listens at 127.0.0.1 port 1" in result.stderr
