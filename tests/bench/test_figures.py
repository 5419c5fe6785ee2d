"""Medians over rounds, ratios within a round, and the goals for both."""

import dataclasses

import pytest

from ugs.bench.figures import MeasuredWindows, NothingMeasured, Window, summarise
from ugs.bench.goals import FigureKind, compare
from ugs.bench.load import KIB, Load

EMPTY, LARGE = Load(games=100), Load(games=100, payload_bytes=4 * KIB)
MACHINE = {"processors": 2, "processor": "Abacus", "python": "CPython 3.11"}


def window(target: str, cost_us: float, turn: int = 0, load: Load = EMPTY) -> Window:
    """Return a window of 2 s with 1000 deliveries that cost ``cpu_us`` each."""
    return Window(
        turn=turn,
        load=load,
        target=target,
        seconds=2,
        deliveries=1000,
        champions_lists=10,
        games_over=4,
        broker_cpu_seconds=cost_us / 1000,
        generator_cpu_seconds=1,
        bytes_per_connection=2048 * (turn + 1),
        round_trip_ms={50: 1.0 + turn, 95: 2.0, 99: 3.0},
    )


def test_figures_are_medians_of_the_rounds() -> None:
    figures = summarise([window("ugs", 30, 0), window("ugs", 900, 1), window("ugs", 40, 2)])
    assert figures.cpu_us_per_delivery == pytest.approx(40)
    assert figures.cpu_us_lowest == pytest.approx(30)
    assert figures.cpu_us_highest == pytest.approx(900)
    assert figures.deliveries_per_second == 500
    assert figures.round_trip_ms == {50: 2.0, 95: 2.0, 99: 3.0}
    assert figures.kib_per_connection == 4
    assert figures.broker_busy == pytest.approx(0.02)
    assert figures.generator_busy == 0.5
    assert (figures.champions_lists_per_second, figures.games_per_second) == (5, 2)
    assert figures.rounds == 3


def test_a_ratio_is_taken_within_each_round() -> None:
    """The machine is ten times slower in the second round: a ratio of medians across rounds would be wrong."""
    costs = [(20, 10), (220, 100), (25, 10)]
    of_broker = [window("ugs", cost, turn) for turn, (cost, _) in enumerate(costs)]
    of_relay = [window("bare", cost, turn) for turn, (_, cost) in enumerate(costs)]
    measured = MeasuredWindows([*of_broker, *of_relay])
    assert measured.ratio(EMPTY, "ugs", EMPTY, "bare") == pytest.approx(2.2)


def test_there_is_no_ratio_to_what_was_not_measured() -> None:
    measured = MeasuredWindows([window("ugs", 20)])
    assert measured.ratio(EMPTY, "ugs", EMPTY, "bare") is None
    assert measured.cost(LARGE, "ugs") is None


def test_a_load_that_stood_still_is_no_figure() -> None:
    with pytest.raises(NothingMeasured, match="ugs delivered nothing"):
        MeasuredWindows([dataclasses.replace(window("ugs", 1), deliveries=0)])


def test_goals_stand_beside_the_figures_they_are_about() -> None:
    comparisons = compare(MeasuredWindows([window("ugs", 46), window("bare", 21), window("naive", 160)]))
    assert [(each.target, each.kind, each.limit, each.met) for each in comparisons] == [
        ("ugs", FigureKind.COST, 45, False),
        ("bare", FigureKind.COST, None, None),
        ("bare", FigureKind.RATIO, 2.2, True),
        ("naive", FigureKind.COST, None, None),
        ("naive", FigureKind.RATIO, 0.3, True),
    ]


@pytest.mark.parametrize(("games", "limit"), [(1000, 1.2), (100, 1.25), (200, None)])
def test_what_a_journal_costs_has_a_goal(games: int, limit: float | None) -> None:
    load = Load(games=games)
    found = compare(MeasuredWindows([window("ugs", 20, load=load), window("journal", 23, load=load)]))
    times = [each for each in found if each.kind is FigureKind.TIMES]
    assert [each.limit for each in times] == [most for most in (limit,) if most is not None]
    assert [each.value for each in times] == pytest.approx([1.15] * len(times))


@pytest.mark.parametrize(("payload_bytes", "limit"), [(4 * KIB, 80), (60 * KIB, 900), (5, None)])
def test_larger_payloads_have_goals_of_their_own(payload_bytes: int, limit: float | None) -> None:
    load = Load(games=100, payload_bytes=payload_bytes)
    costs = [each for each in compare(MeasuredWindows([window("ugs", 1, load=load)])) if each.kind is FigureKind.COST]
    assert [each.limit for each in costs] == [limit]


@pytest.mark.parametrize(("cost", "met"), [(39.0, True), (40.0, False)])
def test_many_games_are_compared_with_few(cost: float, met: bool) -> None:
    few, many = Load(games=10, moves=7), Load(games=1000, moves=7)
    windows = [window("ugs", 30, load=few), window("ugs", cost, load=many), window("bare", 9, load=many)]
    ratios = [
        each for each in compare(MeasuredWindows(windows)) if each.kind is FigureKind.RATIO and each.target == "ugs"
    ]
    assert [(each.load, each.met) for each in ratios] == [(many, met)]
    assert ratios[0].value == pytest.approx(cost / 30)


@pytest.mark.parametrize(("deliveries", "met"), [(85, True), (84, False)])
def test_with_its_journal_the_broker_delivers_nearly_as_much(deliveries: int, met: bool) -> None:
    load = Load(games=200)
    plain = dataclasses.replace(window("ugs", 30, load=load), deliveries=100)
    kept = dataclasses.replace(window("journal", 38, load=load), deliveries=deliveries)
    (share,) = [each for each in compare(MeasuredWindows([plain, kept])) if each.kind is FigureKind.SHARE]
    assert (share.target, share.value, share.met) == ("journal", deliveries / 100, met)


@pytest.mark.parametrize(("p99_ms", "met"), [(4.5, True), (4.6, False)])
def test_with_its_journal_the_broker_is_nearly_as_fast(p99_ms: float, met: bool) -> None:
    plain, kept = window("ugs", 30), dataclasses.replace(window("journal", 33), round_trip_ms={50: 1.0, 99: p99_ms})
    (p99,) = [each for each in compare(MeasuredWindows([plain, kept])) if each.kind is FigureKind.P99]
    assert (p99.target, p99.value, p99.met) == ("journal", p99_ms / 3, met)


def test_round_trips_that_were_not_seen_are_not_compared() -> None:
    plain, kept = window("ugs", 30), dataclasses.replace(window("journal", 33), round_trip_ms={})
    assert [each for each in compare(MeasuredWindows([plain, kept])) if each.kind is FigureKind.P99] == []


def test_a_share_is_of_windows_of_the_same_round() -> None:
    load = Load(games=200)
    measured = MeasuredWindows([window("ugs", 30, load=load)])
    assert measured.share(load, "journal", "ugs") is None
