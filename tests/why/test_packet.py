"""A packet holds all that is known of a game, and the command in it replays the game against a bot."""

import io
import json
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from tests.record.samples import card_game, tic_tac_toe
from tests.why.records import BEGAN_US
from tests.why.test_player_account import illegal
from ugs.broker.values.record import EntryKind
from ugs.record import jsonl, ugsg
from ugs.record.game import GameRecord
from ugs.why.answer import game_account
from ugs.why.packet import command, packet

TOP = Path(__file__).parents[2]


def unpacked(record: GameRecord) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(packet(record, game_account(record, 6, BEGAN_US)))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def test_it_holds_record_account_story_and_times() -> None:
    record = illegal()
    files = unpacked(record)
    assert set(files) == {
        *("README.txt", "account.txt", "account.json", "story.txt", "times.csv", "game.ugsg", "game.jsonl")
    }
    assert b"bob broke a rule of the game; ann won" in files["account.txt"]
    assert json.loads(files["account.json"])["verdict"]["cause"] == "illegal move"
    assert b"m reports that bob broke a rule: illegal-move" in files["story.txt"]
    assert files["times.csv"].splitlines()[3] == b"3,move,0,0.005000,0.003900"
    for read, name in ((ugsg.read, "game.ugsg"), (jsonl.read, "game.jsonl")):
        (same,) = read(io.BytesIO(files[name]))
        assert same.entries == record.entries


def test_the_same_game_gives_the_same_bytes() -> None:
    record = card_game()
    account = game_account(record, 6, BEGAN_US)
    assert packet(record, account) == packet(record, account)


@pytest.mark.parametrize("began_us", [0, 253_370_764_800_000_000])
def test_a_moment_that_no_zip_file_can_name_is_the_nearest(began_us: int) -> None:
    assert unpacked(replace(card_game(), began_us=began_us))


def test_names_are_quoted_and_nothing_in_it_is_obeyed_by_a_terminal() -> None:
    record = replace(card_game(), seats=("a; rm -rf ~", "bo\x9bb"))
    assert record.result is not None
    seats = tuple(replace(seat, nick=nick) for seat, nick in zip(record.result.seats, record.seats, strict=True))
    readme = unpacked(replace(record, result=replace(record.result, seats=seats)))["README.txt"].decode()
    assert "'a; rm -rf ~'" in readme
    assert readme.count("ugs replay") == 1
    assert all(line.isprintable() for line in readme.splitlines())


def test_the_command_replays_the_game_against_the_bot(tmp_path: Path) -> None:
    """As somebody would do it who was sent the packet: unpack it, put the bot beside it, run the command."""
    record = tic_tac_toe()
    for name, content in unpacked(record).items():
        (tmp_path / name).write_bytes(content)
    shutil.copy(TOP / "examples" / "session_player.py", tmp_path / "mybot.py")
    nick = record.seats[0]
    line = command(nick)
    assert line in (tmp_path / "README.txt").read_text()
    words = shlex.split(line.replace("python3", shlex.quote(sys.executable)))
    assert words[0] == "ugs"
    done = subprocess.run(
        [sys.executable, "-m", "ugs", *words[1:]],
        cwd=tmp_path,
        env={"PYTHONPATH": str(TOP), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    # The bot moves at random, so that its moves are others; all of them were asked for and compared.
    compared = re.search(r"same: (\d+), equal except for the writing: (\d+), differs: (\d+)", done.stdout)
    assert compared is not None, done.stderr
    own = [entry for entry in record.entries if entry.kind is EntryKind.MOVE and entry.seat == 0]
    assert sum(map(int, compared.groups())) == len(own) > 0
    assert done.returncode == 1
