"""What ``ugs bench`` measures and prints."""

import json
import subprocess
import sys


def program(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run it in a process of its own, as it measures processes."""
    return subprocess.run([sys.executable, "-m", "ugs", *arguments], capture_output=True, text=True, timeout=300)


SMALL = ["--games", "2", "--moves", "3", "--seconds", "0.3", "--warm-up", "0.1", "--rounds", "1"]


def test_all_targets_play_and_are_printed_as_one_json_object() -> None:
    done = program("bench", *SMALL, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    figures = json.loads(done.stdout)["figures"]
    assert [each["target"] for each in figures] == ["ugs", "journal", "bare", "naive"]
    load = {"games": 2, "moves": 3, "payload_bytes": 0, "masters": 1, "uneven": False}
    assert all(each["load"] == load for each in figures)
    assert all(each["deliveries_per_second"] > 0 for each in figures)


def test_the_table_goes_to_stdout_and_nothing_to_a_stderr_that_is_no_terminal() -> None:
    done = program("bench", *SMALL, "--against", "bare")
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 games, empty" in done.stdout


def test_spectators_are_measured_instead_of_traffic() -> None:
    quick = ["--seconds", "0.5", "--warm-up", "0.1", "--rounds", "1", "--think-ms", "1"]
    done = program("bench", "--spectators", "3", *quick, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    said = json.loads(done.stdout)
    assert (said["spectators"], said["met"]) == (3, None)
    assert said["watched"]["moves"] > 0
    done = program("bench", "--spectators", "3", *quick)
    assert "3 spectators:" in done.stdout


def test_latency_is_measured_instead_of_traffic() -> None:
    quick = ["--games", "2", "--seconds", "0.2", "--warm-up", "0.1", "--rounds", "1"]
    done = program("bench", "--latency", "300", *quick, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    said = json.loads(done.stdout)
    assert said["met"] is None
    assert all(said[name]["moves"] > 0 for name in ("timer", "bare", "ugs"))
    assert said["ugs"]["ms"]["worst"] >= said["ugs"]["ms"]["p50"] > 0


def test_a_failure_is_one_line_and_exit_code_1() -> None:
    done = program("bench", "--games", "1000000000", "--against", "")
    assert done.returncode == 1
    assert done.stderr.startswith("ugs bench: ugs with 1000000000 games, empty: 2000000")
    assert done.stdout == ""
