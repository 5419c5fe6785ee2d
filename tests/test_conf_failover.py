"""What lies in ``conf/failover``: settings that keep each result on two machines, scripts that play them through."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.journal.postgresql.database_server import PROGRAMS
from tests.profile import ONLY_DEEP

FAILOVER = Path(__file__).parents[1] / "conf" / "failover"
PATRONI: dict[str, Any] = yaml.safe_load((FAILOVER / "patroni.yml").read_text(encoding="utf-8"))
SERVERS_WAIT_S = 60
"""How long a server tries to reach its database again (docs/cluster.md)."""
TAKES_OVER_S = 20
"""Seconds that promoting and connecting may take."""


def settings_of(name: str) -> dict[str, str]:
    """The lines ``key = value`` of a file, without quotes and comments."""
    lines = (FAILOVER / name).read_text(encoding="utf-8").splitlines()
    found = (re.match(r"(\w+) ?= ?('?)(.*?)\2(  #.*)?$", line) for line in lines if not line.startswith("#"))
    return {one[1]: one[3] for one in found if one}


def test_patroni_keeps_each_result_on_two_members_and_replaces_a_primary_while_servers_wait() -> None:
    dcs = PATRONI["bootstrap"]["dcs"]
    assert dcs["synchronous_mode"] is True
    assert dcs["loop_wait"] + 2 * dcs["retry_timeout"] <= dcs["ttl"], "as Patroni demands"
    assert dcs["ttl"] + dcs["loop_wait"] + TAKES_OVER_S < SERVERS_WAIT_S
    assert {"encoding": "UTF8"} in PATRONI["bootstrap"]["initdb"], "a server refuses any other one"


def test_a_member_of_patroni_is_reached_where_it_says() -> None:
    for part in ("restapi", "postgresql"):
        port = PATRONI[part]["listen"].rpartition(":")[2]
        assert PATRONI[part]["connect_address"] == f"{PATRONI['name']}.example:{port}"
    users = {who["username"] for who in PATRONI["postgresql"]["authentication"].values()}
    let_in = {line.split()[2] for line in PATRONI["postgresql"]["pg_hba"] if line.startswith("hostssl")}
    assert let_in == users | {"ugs"}


def test_repmgr_keeps_each_result_on_two_members_and_replaces_a_primary_while_servers_wait() -> None:
    repmgr, database = settings_of("repmgr.conf"), settings_of("repmgr.postgresql.conf")
    assert repmgr["failover"] == "automatic"
    assert int(repmgr["reconnect_attempts"]) * int(repmgr["reconnect_interval"]) + TAKES_OVER_S < SERVERS_WAIT_S
    assert f"host={repmgr['node_name']}.example " in repmgr["conninfo"]
    for command in ("promote_command", "follow_command"):
        assert repmgr[command].startswith(f"{repmgr['pg_bindir']}/repmgr standby ")
    assert database["synchronous_standby_names"] == "ANY 1 (*)"
    assert database["shared_preload_libraries"] == "repmgr"
    assert database["wal_log_hints"] == "on", "for pg_rewind"


@pytest.mark.parametrize("name", ["play.sh", "patroni.sh", "repmgr.sh"])
def test_a_script_can_be_read_by_any_shell(name: str) -> None:
    checked = subprocess.run(["sh", "-n", str(FAILOVER / name)], capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")


def plays_through(*words: str) -> None:
    """Run a script; what bots received must be in the journal."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    script = [shutil.which("sh") or "sh", str(FAILOVER / words[0]), *words[1:]]
    shown = subprocess.run(script, capture_output=True, text=True, check=False, env={**os.environ, "PATH": path})
    print(shown.stdout, shown.stderr)
    assert shown.returncode == 0
    assert "moves are relayed again" in shown.stdout
    assert "is back as a replica" in shown.stdout
    assert shown.stdout.splitlines()[-1].startswith("results lost or doubled: 0 of ")
    assert shown.stdout.rstrip().endswith("games void: 0")


@ONLY_DEEP
@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("patroni") is None, reason="needs root and Patroni: make failover"
)
@pytest.mark.parametrize("how", ["machine", "database", "switchover"])
def test_a_failover_by_patroni_costs_no_result(how: str) -> None:
    plays_through("patroni.sh", how)


@ONLY_DEEP
@pytest.mark.skipif(
    os.geteuid() != 0 or not PROGRAMS or not (PROGRAMS[-1] / "repmgrd").exists(),
    reason="needs root and repmgr: make failover",
)
def test_a_failover_by_repmgr_costs_no_result_and_the_old_primary_confirms_none() -> None:
    plays_through("repmgr.sh")
