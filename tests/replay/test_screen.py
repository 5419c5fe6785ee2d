"""Frames of a recorded game on a terminal."""

import io
import os
import pty
import sys
import termios

import pytest
from rich.console import Console

from tests.record.samples import tic_tac_toe
from ugs.replay.screen import HELP, in_place, keyboard, one_by_one, step
from ugs.replay.show import ReplayFrame, frames

FRAMES = list(frames(tic_tac_toe(), None))
POSITIONS = sum(frame.picture is not None for frame in FRAMES)


def a_console(*, terminal: bool = False) -> tuple[Console, io.StringIO]:
    file = io.StringIO()
    return Console(file=file, width=80, height=50, force_terminal=terminal, color_system=None), file


def places(keys: list[bytes]) -> list[int]:
    """The numbers of the positions that are shown one after the other."""
    console, file = a_console(terminal=True)

    step(console, FRAMES, iter(keys))
    return [int(line.split(" of ")[0].split()[-1]) for line in file.getvalue().splitlines() if HELP in line]


def test_elsewhere_all_positions_are_printed() -> None:
    console, file = a_console()
    waits: list[float] = []
    one_by_one(console, FRAMES, 2, waits.append)
    assert file.getvalue().count("> X ann") + file.getvalue().count("> O bob") == POSITIONS - 1
    assert "ann puts X on 0,0" in file.getvalue()
    assert file.getvalue().endswith("result: finished; won: ann, lost: bob; no one's fault\n")
    assert sum(waits) == pytest.approx(sum(frame.wait_us for frame in FRAMES) / 2e6)


def test_on_a_terminal_the_game_goes_on_in_its_place() -> None:
    console, file = a_console(terminal=True)
    waits: list[float] = []
    in_place(console, FRAMES, 1, waits.append)
    assert sum(waits) == pytest.approx(sum(frame.wait_us for frame in FRAMES) / 1e6)
    assert "\x1b[2K" in file.getvalue()
    assert "result: finished" in file.getvalue()


def test_speed_0_does_not_wait() -> None:
    one_by_one(a_console()[0], FRAMES, 0, lambda seconds: pytest.fail("waits"))


def test_keys_lead_from_position_to_position() -> None:
    # A frame that is replaced is written twice: rich writes it again when the display ends.
    assert places([b" ", b"\x1b[C", b"b", b"x", b"q", b" "])[:5] == [1, 2, 3, 2, 2]
    assert places([b"G", b" ", b"g", b"p"])[:5] == [1, POSITIONS, POSITIONS, 1, 1]


def test_the_end_of_the_input_ends_it() -> None:
    assert places([b""])[0] == 1


def test_a_game_without_positions_can_be_stepped_through() -> None:
    console, file = a_console(terminal=True)
    step(console, [ReplayFrame(0, ("a",), None), ReplayFrame(0, ("", "b"), None)], iter(()))
    assert file.getvalue() == "a\nb\n"


def test_keys_come_one_by_one_and_the_terminal_is_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    controller, terminal = pty.openpty()
    with os.fdopen(terminal, "r", closefd=True) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        before = termios.tcgetattr(stdin)
        with keyboard() as keys:
            os.write(controller, b"n")
            assert next(keys) == b"n"
            os.write(controller, b"\x1b[D")
            assert next(keys) == b"\x1b[D"
        assert termios.tcgetattr(stdin) == before
    os.close(controller)
