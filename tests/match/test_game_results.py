"""What has come of a game, read off the log of the server."""

import pytest

from ugs.match.game_log import GameEnd
from ugs.match.game_results import of_log
from ugs.match.planner import PlannedGame


@pytest.mark.parametrize(
    ("verdict", "reason", "shown"),
    [
        ("timeout", "player-left: player left", ""),
        ("timeout", "player-left: slow was 3 points behind", "player-left: slow was 3 points behind"),
        ("illegal move", "player-left: player left", "player-left: player left"),
        ("timeout", "", ""),
    ],
)
def test_a_master_that_repeats_that_a_player_left_is_no_reason(verdict: str, reason: str, shown: str) -> None:
    outcomes = {"quick.1": "won", "slow.1": "lost"}
    ended = {"verdict": verdict, "culprit": "slow.1", "fault": "player", "outcomes": outcomes, "moves": 3}
    planned = PlannedGame(1, ("quick", "slow"), 1)
    assert of_log(planned, GameEnd("g1", {**ended, "reason": reason}, {}), {}).reason == shown
