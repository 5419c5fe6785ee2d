"""What lies in ``conf/``: units without rights that they do not need, containers whose health is looked at."""

import subprocess
from pathlib import Path

import pytest

CONF = Path(__file__).parents[1] / "conf"
MOST_EXPOSED = 3.0


@pytest.mark.parametrize("unit", ["ugs.service", "ugs-master@.service"])
def test_a_unit_is_hardly_exposed(unit: str) -> None:
    command = ["systemd-analyze", "security", "--offline=yes", f"--threshold={MOST_EXPOSED * 10:.0f}", str(CONF / unit)]
    rated = subprocess.run(command, capture_output=True, text=True, check=False)
    assert rated.returncode == 0, rated.stdout[-200:] + rated.stderr
    assert "Overall exposure level" in rated.stdout


def test_units_run_as_nobody_special_and_what_they_write_is_private() -> None:
    broker = (CONF / "ugs.service").read_text(encoding="utf-8")
    assert {"User=ugs", "UMask=0077", "StateDirectoryMode=0700"} <= set(broker.splitlines())
    assert {"DynamicUser=yes", "UMask=0077"} <= set((CONF / "ugs-master@.service").read_text("utf-8").splitlines())


def test_containers_are_asked_for_their_health_and_keep_their_data_private() -> None:
    assert "http://127.0.0.1:8080/healthz" in (CONF / "compose.yaml").read_text(encoding="utf-8")
    container = (CONF / "Dockerfile.example").read_text(encoding="utf-8")
    assert "HEALTHCHECK" in container
    assert "chmod 700 /var/lib/ugs" in container
