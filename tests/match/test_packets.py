"""Which games of a match are worth a look, and the commands that make their packets."""

from pathlib import Path

from ugs.broker.verdict import Cause, Outcome
from ugs.match.packets import as_text, packets_of
from ugs.match.planner import PlannedGame
from ugs.match.score import ScoredGame

WON, LOST, DRAWN, VOID = Outcome.WON, Outcome.LOST, Outcome.DRAWN, Outcome.VOID


def result(number: int, new: Outcome, old: Outcome, **more: object) -> ScoredGame:
    return ScoredGame(PlannedGame(number, ("old", "new"), number), f"g{number}", {"old": old, "new": new}, **more)  # type: ignore[arg-type]


RESULTS = [
    result(1, WON, LOST),
    result(2, DRAWN, DRAWN),
    result(3, LOST, WON),
    result(4, WON, LOST, cause=Cause.DISCONNECTED, culprit="old", faults={"old": "crashes"}),
    result(5, VOID, VOID),
]


def test_faults_come_first_then_games_that_the_first_bot_lost_and_drawn_ones_at_the_end() -> None:
    found = packets_of(RESULTS, ("new", "old"), Path("data"))
    assert [(one.number, one.bot, one.why) for one in found] == [
        (4, "old", "crashes"),
        (3, "new", "lost"),
        (1, "old", "lost"),
        (2, "new", "drawn"),
    ]


def test_each_has_its_command() -> None:
    (first, *_) = as_text(packets_of(RESULTS, ("new", "old"), Path("my data"))).splitlines()
    assert first == ("game 4, old: crashes: ugs why g4 --data-dir 'my data/server' --nick old --packet game-4-old.zip")
