"""A game on the terminal."""

import pytest

from tests.record.samples import Recorder, card_game, tic_tac_toe
from ugs.record.game import GameRecord
from ugs.replay.show import frames, show


def shown(
    record: GameRecord, *, speed: float = 1, width: int = 80, full: bool = False
) -> tuple[list[str], list[float]]:
    """What is printed, and how long the command waits in between."""
    lines: list[str] = []
    waits: list[float] = []
    show(record, speed=speed, width=width, full=full, write=lines.append, sleep=waits.append)
    return lines, waits


def test_a_game_is_printed_with_times_and_payloads() -> None:
    lines, _ = shown(tic_tac_toe())
    assert lines[0] == "game g1: 5-in-line-tic-tac-toe, led by m"
    place = lines.index("     0.100  ann moves (0.100 s)")
    assert lines[place + 1] == '            <move><tic x="0" y="0"/></move>'
    assert lines[-1] == "result: finished; won: ann, lost: bob; no one's fault"


@pytest.mark.parametrize(("speed", "seconds"), [(1, 0.901), (10, 0.0901), (0.5, 1.802)])
def test_the_rhythm_is_the_recorded_one(speed: float, seconds: float) -> None:
    _, waits = shown(tic_tac_toe(), speed=speed)
    assert sum(waits) == pytest.approx(seconds)
    assert max(waits) == pytest.approx(0.1 / speed)


def test_speed_0_does_not_wait() -> None:
    assert shown(tic_tac_toe(), speed=0)[1] == []


def test_payloads_are_shortened_to_the_width_unless_they_are_wanted_in_full() -> None:
    recorder = Recorder()
    recorder.state(0, b"<gameState>" + b"\n" * 50 + b"</gameState>")
    record = recorder.so_far()
    lines, _ = shown(record, width=30)
    assert max(map(len, lines[5:])) == 30
    assert lines[-3] == r"            <gameState>\n\n\n…"
    assert shown(record, width=30, full=True)[0][-3].endswith("</gameState>")


def test_every_position_is_a_picture_with_the_moves_in_words() -> None:
    heading, first, second, *_, last, end = frames(tic_tac_toe(), None)
    assert heading.lines[0] == "game g1: 5-in-line-tic-tac-toe, led by m"
    assert heading.picture is None
    assert first.picture is not None
    assert second.lines[-1].strip() == "ann puts X on 0,0"
    assert any("ann moves (0.100 s)" in line for line in second.lines)
    assert last.picture is not None
    assert "Won by ann." in last.picture.words()
    assert end.lines[-1] == "result: finished; won: ann, lost: bob; no one's fault"
    assert sum(frame.wait_us for frame in (first, second)) == 100_200


def test_a_viewer_sees_what_it_was_shown() -> None:
    record = card_game()
    seen = [frame.picture.words() for frame in frames(record, 0) if frame.picture is not None]
    public = [frame.picture.words() for frame in frames(record, None) if frame.picture is not None]
    assert seen != public
    assert not any(
        "who shows" in line or "what only they may see" in line for frame in frames(record, 0) for line in frame.lines
    )
