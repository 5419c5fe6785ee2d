"""The table that people read, and the JSON for programs."""

import json
import platform
import re
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from tests.bench.test_figures import EMPTY, LARGE, window
from ugs.bench import report
from ugs.bench.figures import MeasuredWindows
from ugs.bench.load import Load, Timing

MACHINE = {"processors": 2, "processor": "Abacus", "python": "CPython 3.11"}


def printed(measured: MeasuredWindows) -> list[str]:
    """Return the table's lines as a file would hold them."""
    stream = StringIO()
    Console(file=stream, width=report.TABLE_WIDTH).print(report.table(measured, MACHINE))
    return stream.getvalue().splitlines()


def row(lines: list[str], target: str) -> list[str]:
    """Return the words of the only row of this target: the row where a figure follows its name."""
    (words,) = (line.split() for line in lines if re.search(rf"(^|\s){target}\s+\d", line))
    return words


def test_the_table_has_goal_and_verdict_beside_each_figure() -> None:
    lines = printed(MeasuredWindows([window("ugs", 50), window("bare", 20), window("naive", 170)]))
    assert " ".join(row(lines, "ugs")).startswith(
        "100 games, empty ugs 50.0 45.0 MISSED 50.0-50.0 500 1.00 / 2.00 / 3.00"
    )
    assert " ".join(row(lines, "bare")).startswith("bare 20.0 2.50 x 2.20 x MISSED")
    assert " ".join(row(lines, "naive")).startswith("naive 170 0.29 x 0.30 x met")


def test_the_table_names_the_machine_and_explains_itself() -> None:
    text = " ".join(printed(MeasuredWindows([window("ugs", 50)])))
    assert "2 x Abacus, CPython 3.11" in text
    assert "processor time of the broker per delivery" in text


def test_a_load_is_named_once_for_all_its_targets() -> None:
    windows = [window(target, 10, load=load) for load in (EMPTY, LARGE) for target in ("ugs", "bare")]
    text = "\n".join(printed(MeasuredWindows(windows)))
    assert text.count(EMPTY.name) == 1
    assert text.count(LARGE.name) == 1


@pytest.mark.parametrize("load", [Load(games=1000, payload_bytes=60 * 1024)])
def test_the_widest_row_fits_on_one_line(load: Load) -> None:
    assert " ".join(row(printed(MeasuredWindows([window("naive", 123_456, load=load)])), "naive")).startswith(
        "1000 games, 60 KiB naive 123,456 123,456-123,456 500 1.00 / 2.00 / 3.00"
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.333, "0.33"), (4.5, "4.50"), (45, "45.0"), (120.4, "120"), (10_250, "10,250")],
)
def test_figures_are_written_with_the_digits_that_count(value: float, text: str) -> None:
    assert report.short(value) == text


def test_json_holds_machine_timing_figures_and_comparisons() -> None:
    measured = MeasuredWindows([window("ugs", 50), window("bare", 20)])
    content = json.loads(json.dumps(report.as_dict(measured, MACHINE, Timing(2, 1, 1))))
    assert content["machine"] == MACHINE
    assert content["timing"] == {"seconds": 2, "warm_up_seconds": 1, "rounds": 1}
    assert [(each["target"], each["load"]["games"]) for each in content["figures"]] == [("ugs", 100), ("bare", 100)]
    assert content["figures"][0]["cpu_us_per_delivery"] == pytest.approx(50)
    assert content["figures"][0]["round_trip_ms"] == {"50": 1.0, "95": 2.0, "99": 3.0}
    ratio = content["comparisons"][-1]
    assert ratio["text"] == "ugs to bare, 100 games, empty"
    assert (ratio["value"], ratio["limit"], ratio["met"]) == (pytest.approx(2.5), 2.2, False)


def test_the_processor_is_named_by_its_model() -> None:
    assert report.processor_name("processor\t: 0\nmodel name\t: Abacus 2000\nprocessor\t: 1\n") == "Abacus 2000"


def test_a_processor_without_a_model_has_its_architecture() -> None:
    assert report.processor_name("processor\t: 0\n") == platform.machine()


def test_this_machine_is_described() -> None:
    assert report.machine().keys() == {"processors", "processor", "system", "python", "load_average"}


def test_the_share_of_the_throughput_stands_below_the_deliveries() -> None:
    load = Load(games=200)
    text = " ".join(printed(MeasuredWindows([window("ugs", 30, load=load), window("journal", 38, load=load)])))
    assert "100% of ugs's" in text
    assert "(goal 85% met)" in text


@pytest.mark.parametrize(("worst", "verdict"), [(499.0, "met"), (501.0, "MISSED")])
def test_the_worst_round_trip_of_a_thousand_games_has_a_goal(worst: float, verdict: str) -> None:
    one = replace(window("ugs", 14, load=Load(games=1000)), round_trip_ms={50: 40.0, 99: 90.0, 100: worst})
    text = " ".join(printed(MeasuredWindows([one])))
    assert f"40.0 / 90.0 / {worst:.0f}" in text
    assert f"(goal 500 {verdict})" in text


def test_the_p99_with_a_journal_stands_below_the_round_trips() -> None:
    text = " ".join(printed(MeasuredWindows([window("ugs", 30), window("journal", 38)])))
    assert "p99 1.00 x ugs's" in text
    assert "(goal 1.50 met)" in text
