"""Starting targets: what they are given, and the messages when they do not start."""

import sys
from pathlib import Path

import pytest

from ugs.bench.load import Load
from ugs.bench.targets import TARGETS, Target, TargetFailed, serve_config, started
from ugs.config import load


def test_the_server_is_configured_to_admit_the_whole_load(tmp_path: Path) -> None:
    file = tmp_path / "ugs.toml"
    file.write_text(serve_config(Load(games=20_000, masters=3)))
    config = load(file)
    assert config.max_connections > 40_003
    assert config.max_connections_per_ip > 40_003
    assert config.max_logins > 40_003
    assert config.max_pool > 40_000
    assert config.max_logins_per_second_per_ip == 0, "9,000 players may come at once"
    assert config.masters_per_game == 3


def test_targets_are_found_by_their_own_names() -> None:
    assert [(name, target.name) for name, target in TARGETS.items()] == [(name, name) for name in TARGETS]
    assert next(iter(TARGETS)) == "ugs"


def test_a_target_that_ends_at_once_is_reported_with_its_last_words() -> None:
    target = Target("luckless", "ends at once", lambda directory, load: ["-c", "import sys; sys.exit('no luck')"])
    with pytest.raises(TargetFailed, match=r"(?s)did not start: exit code 1.*no luck"), started(target, Load()):
        pytest.fail("nothing was started")


@pytest.mark.parametrize("name", ["bare", "naive"])
def test_a_yardstick_obeys_sigterm_and_leaves_nothing_behind(name: str) -> None:
    with started(TARGETS[name], Load()) as running:
        running.check()
        assert running.idle_bytes > 0
        running.stop()
        with pytest.raises(TargetFailed, match="exit code 0"):
            running.check()
    assert not Path(f"/proc/{running.ready.pid}").exists()


def test_a_profiled_target_tells_where_its_time_went() -> None:
    with started(TARGETS["naive"], Load(), profiled=True) as running:
        running.stop()
        assert "tottime" in running.profile()


def test_targets_run_under_the_interpreter_of_the_bench() -> None:
    report = Target(
        "report", "says who runs it", lambda directory, load: ["-c", "import sys; sys.exit(sys.executable)"]
    )
    with pytest.raises(TargetFailed, match=sys.executable), started(report, Load()):
        pytest.fail("nothing was started")
