"""Each extension can be taken away: the server runs without its folder, and nothing else of the broker imports it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.broker.extensions import plain_game
from tests.broker.house import House, move, over, turn
from ugs.broker import extensions
from ugs.broker.broker import Broker
from ugs.broker.extensions.switchboard import installed
from ugs.wire.messages import ThankYou

UGS = Path(extensions.__path__[0]).parents[1]
NOT_EXTENSIONS = {"__init__.py", "__pycache__", "request.py", "switchboard.py"}
FILES = sorted(path.name for path in (UGS / "broker" / "extensions").iterdir() if path.name not in NOT_EXTENSIONS)


def test_every_file_here_is_an_extension() -> None:
    assert len(installed()) == len(FILES)


def test_with_all_of_them_the_game_is_played() -> None:
    plain_game.play()


@pytest.mark.parametrize("name", FILES)
def test_without_one_of_them_the_game_is_played(name: str, tmp_path: Path) -> None:
    copy = tmp_path / "ugs"
    shutil.copytree(UGS, copy, copy_function=os.symlink)  # with what is compiled, so that nothing is again
    gone = copy / "broker" / "extensions" / name
    if gone.is_dir():
        shutil.rmtree(gone)
    else:
        gone.unlink()
    program = "import runpy, sys; sys.path.insert(0, sys.argv[1]); runpy.run_path(sys.argv[2], run_name='__main__')"
    arguments = [sys.executable, "-c", program, str(tmp_path), plain_game.__file__]
    done = subprocess.run(arguments, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr


def test_without_any_of_them_v4_is_played() -> None:
    house = House()
    house.broker = Broker(house.config, lambda: "g1", lambda: "s" * 36, extensions=[])
    master, ann, ben = house.table("ann", "ben")
    ann.says(move("g1"))
    assert master.hears() == [move("g1")]
    master.says(turn("g1", "ben"))
    assert ann.hears() == ben.hears() == [turn("g1", "ben")]
    master.says(over("g1", "ben", losers=("ann",)))
    assert ann.hears() == ben.hears() == [over("g1", "ben", losers=("ann",))]
    ann.says(ThankYou("g1"))
