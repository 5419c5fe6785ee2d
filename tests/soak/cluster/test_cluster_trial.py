"""A whole cluster, each part of it killed while games run. Its pauses are printed: `pytest -s`."""

import pytest
import trio

from tests.profile import ONLY_DEEP
from ugs.soak.cluster.cluster_trial import ClusterTrial, short_folder
from ugs.soak.cluster.database_process import PROGRAMS
from ugs.soak.cluster.kill_table import table

GENEROUS_S = 60.0
"""A server that stands by takes over in seconds; this is a net for one that does not."""


@ONLY_DEEP
@pytest.mark.skipif(not PROGRAMS, reason="no PostgreSQL here: make postgresql")
def test_no_part_of_a_cluster_costs_a_game_when_it_dies() -> None:
    with short_folder() as folder:
        summary = trio.run(ClusterTrial(folder, 5, games=4).run, 0.0, lambda _: None, 1)
    print(table(summary))
    assert summary.good, table(summary)
    assert not any(kill.void for kill in summary.kills)
    assert max(kill.pause_s for kill in summary.kills) < GENEROUS_S
