"""What supervisors ask of a real server: does it live, is it ready? With a disk that fills up, and while it drains."""

import json
import resource
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from tests.end_to_end.processes import BOUND_S, Game, Server, until
from ugs.admin import ask
from ugs.journal.database import DATABASE

KEPT = ("--http-port", "0", "--data-dir")


def asked(server: Server, path: str) -> tuple[int, bytes]:
    """Status and body."""
    try:
        with urllib.request.urlopen(f"http://{server.ready['http']}{path}", timeout=BOUND_S) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def readiness(server: Server) -> tuple[int, list[str]]:
    """Whether it is ready, and what stands in the way."""
    status, body = asked(server, "/readyz")
    told: dict[str, Any] = json.loads(body)
    assert told["ready"] is (status == 200) is (not told["obstacles"])
    return status, told["obstacles"]


def test_a_full_disk_makes_a_server_unready_and_room_ready_again(tmp_path: Path) -> None:
    with Server(tmp_path, *KEPT, tmp_path / "data") as server:
        assert readiness(server) == (200, [])
        soft, hard = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        wal = tmp_path / "data" / f"{DATABASE}-wal"
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (wal.stat().st_size, hard))
        server.player("ann")
        until(lambda: "journal lost" in readiness(server)[1])
        assert readiness(server)[0] == 503
        assert asked(server, "/healthz") == (200, b"ok"), "it lives all the same"
        refused = ask(tmp_path / "data", {"ask": "act", "kind": "pause", "game_type": "go", "why": "x"})
        assert not refused["ok"]
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (soft, hard))
        until(lambda: readiness(server) == (200, []))
        assert ask(tmp_path / "data", {"ask": "act", "kind": "pause", "game_type": "go", "why": "x"})["ok"]


def test_a_server_that_drains_is_not_ready_and_lives(tmp_path: Path) -> None:
    with Server(tmp_path, *KEPT, tmp_path / "data") as server:
        game = Game(server)
        act = {"ask": "act", "kind": "drain", "seconds": 60, "why": "new version"}
        assert ask(tmp_path / "data", act) == {"ok": True, "running": 1}
        until(lambda: readiness(server) == (503, ["draining"]))
        assert asked(server, "/healthz") == (200, b"ok")
        void = {"ask": "act", "kind": "void", "subject": game.id, "why": "no time"}
        assert ask(tmp_path / "data", void)["ok"]
        assert server.ends() == 0


def test_its_figures_are_told_to_this_machine(tmp_path: Path) -> None:
    with Server(tmp_path, *KEPT, tmp_path / "data") as server:
        server.player("ann")
        status, body = asked(server, "/metrics")
        assert status == 200
        families = {family.name for family in text_string_to_metric_families(body.decode())}
        assert {"ugs_connections", "ugs_ready", "ugs_journal_lag_s", "ugs_logins"} <= families
