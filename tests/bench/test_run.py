"""Tiny measurements with real processes: every message is counted, every game finishes, every failure is named."""

import json
import textwrap
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.profile import sized
from ugs.bench.load import Load, Timing
from ugs.bench.run import BenchFailed, WindowStep, begin_play, measure, measure_window, profile, window_seconds
from ugs.bench.targets import TARGETS, Target, started

DIES_IN_PLAY = """
    import pathlib, socket, sys
    from ugs.ready import ready_file
    listener = socket.create_server(("127.0.0.1", 0))
    with ready_file(pathlib.Path(sys.argv[-1]), "%s:%d" % listener.getsockname(), None):
        peer, _ = listener.accept()
        peer.recv(1)
        sys.exit("out of luck")
"""

HANGS_UP = """
    import pathlib, socket, sys
    from ugs.ready import ready_file
    listener = socket.create_server(("127.0.0.1", 0))
    with ready_file(pathlib.Path(sys.argv[-1]), "%s:%d" % listener.getsockname(), None):
        while True:
            peer, _ = listener.accept()
            peer.close()
"""


def program(name: str, text: str) -> Target:
    return Target(name, "made for a test", lambda directory, load: ["-c", textwrap.dedent(text)])


def play_to_the_end(load: Load, target: Target, processes: int, games_per_player: int = 1) -> Counter[str]:
    """Let every player play so many games and say good-bye; returns what was received, by kind."""
    with started(target, load) as broker, ExitStack() as stack:
        total: Counter[str] = Counter()
        for generator in begin_play(stack, load, broker, processes, games_per_player):
            if not generator.plan.players:
                generator.send_order("end")
            total.update(json.loads(generator.line()))
        broker.check()
        return total


SMALL, LARGE = (1, 0), (2, 100_000)
PLAYED = sized(
    quick=[*((name, *SMALL) for name in TARGETS if name != "tls"), ("ugs", *LARGE)],
    deep=[(name, *load) for name in TARGETS for load in (SMALL, LARGE)],
)


@pytest.mark.parametrize(("name", "processes", "payload_bytes"), PLAYED)
def test_every_message_is_delivered_and_counted_and_every_game_finishes(
    name: str, processes: int, payload_bytes: int
) -> None:
    """Each of 2 games: 1 begin, 3 moves, 4 states to each of 2 players; a move's mover hears the state after it."""
    answer_to = play_to_the_end(Load(games=2, moves=3, payload_bytes=payload_bytes), TARGETS[name], processes)
    champions_lists = answer_to.pop("champions_lists")
    assert answer_to == {"logins": 5, "begins": 2, "moves": 6, "states": 16, "games_over": 2, "round_trips": 6}
    assert (champions_lists > 0) == (name in ("ugs", "journal", "tls"))


@pytest.mark.parametrize("name", ["bare", "naive"])
def test_games_are_shared_by_several_masters_and_follow_each_other(name: str) -> None:
    answer_to = play_to_the_end(Load(games=1, moves=2, masters=2), TARGETS[name], 2, games_per_player=5)
    assert (answer_to["begins"], answer_to["moves"], answer_to["states"], answer_to["games_over"]) == (5, 10, 30, 5)


def test_targets_take_turns_within_each_round() -> None:
    steps: list[WindowStep] = []
    loads = [Load(games=1, moves=2), Load(games=2, moves=2)]
    windows = measure(
        loads,
        [TARGETS["bare"], TARGETS["naive"]],
        Timing(seconds=0.2, warm_up_seconds=0.05, rounds=2),
        processes=1,
        on_step=steps.append,
    )
    turns = [(turn, load, name) for turn in (0, 1) for load in loads for name in ("bare", "naive")]
    assert [(window.turn, window.load, window.target) for window in windows] == turns
    assert [(step.number, step.of, step.load, step.target.name) for step in steps] == [
        (number, 8, load, name) for number, (_, load, name) in enumerate(turns, 1)
    ]
    assert all(window.deliveries > 0 < window.broker_cpu_seconds for window in windows)
    assert all(window.round_trip_ms.keys() == {50, 95, 99, 100} for window in windows)


def test_a_target_that_dies_in_play_is_reported_with_its_last_words() -> None:
    with pytest.raises(BenchFailed, match=r"(?s)mortal with 1 game, empty: ended with exit code 1.*out of luck"):
        measure_window(0, Load(games=1), program("mortal", DIES_IN_PLAY), Timing(0.1, 0.1, 1), processes=2)


def test_a_target_that_closes_connections_is_reported() -> None:
    with pytest.raises(BenchFailed, match=r"hasty with 1 game, empty: the load generator gave up: the broker"):
        measure_window(0, Load(games=1), program("hasty", HANGS_UP), Timing(0.1, 0.1, 1), processes=1)


def test_a_target_can_be_profiled_under_load() -> None:
    """The longer it lasts, the less is its beginning, which comes first on a slow machine."""
    profiles = (
        profile(Load(games=1, moves=2), TARGETS["bare"], Timing(seconds, 0.05, 1), processes=1)
        for seconds in (0.2, 2, 20)
    )
    assert any("of '_socket.socket' objects" in text for text in profiles)


@pytest.mark.parametrize(
    ("rate", "seconds"),
    [(1e6, 2.0), (450, 2.0), (300, 3.0), (100, 9.0), (1, 10.0), (0, 10.0)],
)
def test_a_window_is_longer_for_a_target_that_hardly_moves(rate: float, seconds: float) -> None:
    """100 games: 900 deliveries are three steps of all games."""
    assert window_seconds(Load(games=100), Timing(seconds=2), rate) == pytest.approx(seconds)


def test_a_load_beyond_the_limit_of_open_files_is_refused_with_advice(tmp_path: Path) -> None:
    with pytest.raises(BenchFailed, match=r"open files are needed .* fewer games"):
        measure_window(0, Load(games=10**9), TARGETS["bare"], Timing(0.1, 0.1, 1), processes=1)
