"""What a message costs beside few and beside many."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.bench.test_latency import sample
from tests.profile import sized
from ugs.bench import flat as bench_flat
from ugs.bench.flat import Flat, Scaled, cost_us, measure_flat, sizes_up_to
from ugs.bench.load import Load, Timing
from ugs.bench.paced import PacedSample
from ugs.bench.paced_report import flat_as_dict, flat_text
from ugs.bench.run import BenchFailed


def flat(costs: Mapping[int, tuple[float, ...]], left_out: str = "") -> Flat:
    """A measurement of pools, with the cost of a message in microseconds by their number, round for round."""
    windows = {
        (Scaled.POOLS, size): [sample(1, deliveries=100, cpu_s=cost / 10_000) for cost in rounds]
        for size, rounds in costs.items()
    }
    return Flat(4000, windows, left_out)


def test_a_table_is_a_message_too() -> None:
    assert cost_us(sample(deliveries=300, tables=100, cpu_s=0.02)) == pytest.approx(50)


def test_the_ratio_is_the_median_of_those_within_a_round() -> None:
    one = flat({10: (20, 40, 30), 1000: (21, 60, 33)})
    assert one.cost_us(Scaled.POOLS, 1000) == pytest.approx(33)
    assert one.ratio(Scaled.POOLS, 1000) == pytest.approx(1.1)
    assert one.ratio(Scaled.POOLS, 10) == 1


@pytest.mark.parametrize(("cost", "met", "word"), [(21.9, True, "met"), (23, False, "1.15 MISSED")])
def test_the_goal_is_that_a_message_costs_at_most_a_tenth_more(cost: float, met: bool, word: str) -> None:
    one = flat({10: (20,), 5000: (cost,)})
    assert one.met(Scaled.POOLS, 5000) is met
    assert one.met(Scaled.POOLS, 10) is None
    assert word in flat_text(one)
    figures = flat_as_dict(one, {"processors": 2}, Timing())["figures"]
    assert isinstance(figures, list)
    assert [(each["of"], each["number"], each["met"]) for each in figures] == [
        ("pools", 10, None),
        ("pools", 5000, met),
    ]


def test_other_numbers_than_those_of_the_goal_are_not_judged() -> None:
    one = flat({10: (20,), 77: (90,)}, left_out="1000: too few files")
    assert one.met(Scaled.POOLS, 77) is None
    assert "4.50" in flat_text(one)
    assert "not measured: 1000: too few files" in flat_text(one)


@pytest.mark.parametrize(
    ("largest", "sizes"), [(5, [5]), (10, [10]), (200, [10, 100, 200]), (5000, [10, 100, 1000, 5000])]
)
def test_the_numbers_of_the_goal_come_first(largest: int, sizes: list[int]) -> None:
    assert sizes_up_to(largest) == sizes


@pytest.mark.parametrize("kinds", sized(quick=[(Scaled.ROWS,)], deep=[(many,) for many in Scaled]))
def test_a_server_plays_beside_many(kinds: tuple[Scaled, ...]) -> None:
    steps: list[str] = []
    (largest,) = sized(quick=[4], deep=[12])
    one = measure_flat(largest, 300, Timing(0.3, 0.1, 1), steps.append, kinds)
    assert one.kinds == list(kinds)
    assert one.sizes == sizes_up_to(largest)
    samples: list[PacedSample] = [sample for windows in one.windows.values() for sample in windows]
    assert all(sample.trips_ns and cost_us(sample) > 0 for sample in samples)
    assert steps[-1] == f"{kinds[0]}: round 1 of 1"


def test_what_the_machine_has_no_files_for_is_left_out() -> None:
    one = measure_flat(1_000_000_000, 300, Timing(0.1, 0.1, 1), lambda _: None, ())
    assert one.left_out.startswith("1000000000: ")


def test_a_failure_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def luckless(settings: str) -> Callable[[Path, Load], list[str]]:
        return lambda directory, load: ["-c", "import sys; sys.exit('no luck')"]

    monkeypatch.setattr(bench_flat, "serving", luckless)
    with pytest.raises(BenchFailed, match=r"(?s)5 pools: .*no luck"):
        measure_flat(5, 300, Timing(0.1, 0.1, 1), lambda _: None, (Scaled.POOLS,))
