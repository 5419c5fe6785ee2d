"""Two nodes, measured: what is reported, and (deep) a measurement on a real database."""

import json
from dataclasses import replace

import pytest

from tests.journal.postgresql.database_server import JournalUrl
from tests.profile import DEEP, chosen
from ugs.bench.generator import GeneratorPlan
from ugs.bench.load import Load, Timing
from ugs.bench.message_counts import MessageTally
from ugs.bench.nodes import WAYS, NodesMeasured, NodesWindow, _Sample, _window, measure_nodes, nodes_as_dict, nodes_text

MEASURED = NodesMeasured(
    alone=(NodesWindow(1000, 20.0), NodesWindow(1000, 10.0), NodesWindow(1000, 10.0)),
    handed=(NodesWindow(900, 22.0), NodesWindow(900, 10.5), NodesWindow(900, 10.0)),
    relayed=(NodesWindow(900, 30.0), NodesWindow(900, 14.0), NodesWindow(900, 13.0)),
    both=(NodesWindow(1800, 20.0), NodesWindow(1700, 11.0), NodesWindow(1900, 12.0)),
    processors=2,
)


def test_ratios_are_taken_within_a_round() -> None:
    assert MEASURED.cost(MEASURED.handed) == 1.05
    assert MEASURED.cost(MEASURED.relayed) == 1.4
    assert MEASURED.cost(MEASURED.both) == 1.1
    assert MEASURED.pace == 1.8


@pytest.mark.parametrize(
    ("quota", "processors", "how"),
    [
        (
            0,
            2,
            "2 processors are too few for nodes and generators (--quota 25); by their processor time it would be 1.82",
        ),
        (0, 4, "each node and each generator had a processor"),
        (
            25,
            2,
            "each node and each generator had 25 % of a processor; a node used 24 at least, a generator 20 at most "
            "(3 of 3 rounds)",
        ),
    ],
)
def test_it_is_said_how_much_each_process_had(quota: int, processors: int, how: str) -> None:
    alone, both = (
        [replace(window, busiest_generator=0.2, least_home=0.24) for window in windows]
        for windows in (MEASURED.alone, MEASURED.both)
    )
    lines = nodes_text(replace(MEASURED, alone=alone, both=both, quota=quota, processors=processors)).splitlines()
    assert lines[-2:] == [
        f"two nodes deliver 1.80 times as much as one: {how}",
        "goals: 1.15 times with two nodes, 1.40 through another door, 1.7 times the deliveries",
    ]


def test_what_a_door_uses_without_peers_is_left_out() -> None:
    alone = _Sample(1000, 2.0, {"a": 20_000, "b": 500, "c": 500}, 0.1, {"a": 201, "b": 0, "c": 0})
    relayed = _Sample(1000, 4.0, {"a": 21_000, "b": 900, "c": 12_000}, 0.2, {"a": 201, "b": 0, "c": 402})
    assert _window(WAYS[0], alone, alone) == NodesWindow(500, 20.0, 0.1, 0.01, 0)
    assert _window(WAYS[2], relayed, alone) == NodesWindow(250, 32.0, 0.2, 0.00525, 402)


def test_rounds_in_which_a_node_could_not_use_its_quota_do_not_show_how_much_it_delivers() -> None:
    alone = [replace(window, least_home=0.2) for window in MEASURED.alone]
    both = [replace(window, least_home=used) for window, used in zip(MEASURED.both, (0.19, 0.17, 0.2), strict=True)]
    measured = replace(MEASURED, alone=alone, both=both, quota=20)
    assert len(measured.full) == 2
    assert measured.pace == pytest.approx(1.85)
    starved = replace(measured, quota=50)
    assert (len(starved.full), starved.pace) == (3, 1.8)


def test_it_is_said_when_not_all_were_handed_over() -> None:
    assert nodes_text(MEASURED).splitlines()[1].endswith(": 1.05 times")
    measured = replace(MEASURED, handed=[replace(window, held=8) for window in MEASURED.handed])
    assert (
        nodes_text(measured)
        .splitlines()[1]
        .endswith(": 1.05 times, but 8 files were open at the door: some were relayed")
    )


def test_programs_get_all_figures() -> None:
    found = json.loads(json.dumps(nodes_as_dict(MEASURED, {})))
    assert (found["cost_handed"], found["cost_relayed"], found["pace"]) == (1.05, 1.4, 1.8)


@pytest.mark.skipif(chosen() != DEEP, reason="starts two nodes and their generators")
def test_two_nodes_are_measured(url: JournalUrl) -> None:
    measured = measure_nodes(url.text, Load(4), Timing(0.5, 0.2, 1), lambda done: None)
    windows = (*measured.alone, *measured.handed, *measured.relayed, *measured.both)
    assert all(window.cpu_us > 0 for window in windows)


def test_players_of_two_generators_have_nicks_of_their_own() -> None:
    load, nicks = Load(2), set[bytes]()
    for name in ("a", "b"):
        plan = GeneratorPlan("host", 1, 1, load, masters=False, players=True, nicks=f"player-{name}")
        nicks |= {script.login() for script in plan.scripts(MessageTally())}
    assert len(nicks) == 2 * load.players
