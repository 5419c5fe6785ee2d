"""Where commands draw."""

from pathlib import Path

import pytest

from tests.commands.line import ugs
from tests.record.samples import tic_tac_toe
from ugs.pictures import album
from ugs.pictures.contract import Follower, Scene
from ugs.record import ugsg


def test_a_renderer_that_fails_costs_one_line_on_standard_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def follow(scene: Scene) -> Follower:
        raise KeyError("\x1b[2J")

    monkeypatch.setattr(album, "installed", lambda: {"5-in-line-tic-tac-toe": follow})
    file = tmp_path / "game.ugsg"
    file.write_bytes(ugsg.write(tic_tac_toe()))
    result = ugs("replay", file, "--speed", "0")
    assert result.exit_code == 0
    assert "tac" in result.stdout
    assert "no picture" not in result.stdout
    assert result.stderr.count("no picture") == 1
    assert "\x1b[2J" not in result.stderr
