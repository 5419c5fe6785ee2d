"""Loads: their names and their numbers of connections."""

import pytest

from ugs.bench.goals import (
    COST_US,
    FEW,
    JOURNAL_P99_TO_PLAIN,
    JOURNAL_TO_PLAIN,
    MANY,
    RATIO_TO,
    SHARE_OF_THROUGHPUT,
)
from ugs.bench.load import MATRIX, Load


@pytest.mark.parametrize(
    ("load", "name"),
    [
        (Load(games=1), "1 game, empty"),
        (Load(games=100, payload_bytes=300), "100 games, 300 B"),
        (Load(games=1000, payload_bytes=60 * 1024), "1000 games, 60 KiB"),
    ],
)
def test_a_load_is_named_for_people(load: Load, name: str) -> None:
    assert load.name == name


def test_every_game_is_two_connections_and_every_master_one() -> None:
    assert Load(games=10, masters=3).connections == 23


def test_every_goal_has_its_load_in_the_matrix() -> None:
    sizes = {(load.games, load.payload_bytes) for load in MATRIX}
    of_others = ((games, size) for games, size, _ in (*RATIO_TO, *SHARE_OF_THROUGHPUT))
    assert sizes == {*COST_US, *of_others, *JOURNAL_TO_PLAIN, *JOURNAL_P99_TO_PLAIN, MANY, FEW}
