"""Telling others that the server listens: the file and the datagram."""

import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from ugs.ready import notify_systemd, ready_file


def test_the_file_says_where_and_who_and_is_gone_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "ready.json"
    path.write_text("left by an earlier run")
    with ready_file(path, "127.0.0.1:4747", None):
        assert json.loads(path.read_text()) == {"game": "127.0.0.1:4747", "http": None, "pid": os.getpid()}
        assert path.stat().st_mode & 0o777 == 0o644, "others may read it"
        assert list(tmp_path.iterdir()) == [path]
    assert list(tmp_path.iterdir()) == []


def test_the_file_names_the_gateways_where_there_are_some(tmp_path: Path) -> None:
    path = tmp_path / "ready.json"
    urls = {"one": "ws://127.0.0.1:9000/", "other": "ws://127.0.0.1:9001/"}
    with ready_file(path, "127.0.0.1:4747", None, {"gateways": urls, "plain": {}}):
        assert json.loads(path.read_text())["gateways"] == urls


def test_the_file_is_never_seen_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is complete when it is renamed into place."""
    path = tmp_path / "ready.json"
    whole: list[str] = []
    replace = Path.replace

    def watched(source: Path, target: Path) -> Path:
        assert not path.exists()
        whole.append(source.read_text())
        return replace(source, target)

    monkeypatch.setattr(Path, "replace", watched)
    with ready_file(path, "[::1]:4747", "[::1]:80"):
        assert whole == [path.read_text()]


def test_no_file_is_wanted() -> None:
    with ready_file(None, "127.0.0.1:4747", None):
        pass


def test_somebody_else_may_remove_it_first(tmp_path: Path) -> None:
    path = tmp_path / "ready.json"
    with ready_file(path, "127.0.0.1:4747", None):
        path.unlink()
    assert not path.exists()


def test_it_is_removed_after_a_failure_too(tmp_path: Path) -> None:
    path = tmp_path / "ready.json"
    with pytest.raises(ZeroDivisionError), ready_file(path, "127.0.0.1:4747", None):
        _ = 1 / 0
    assert not path.exists()


def test_what_cannot_be_written_is_named_and_nothing_is_left(tmp_path: Path) -> None:
    path = tmp_path / "ready.json"
    path.mkdir()
    with (
        pytest.raises(OSError, match=rf"cannot write the ready file {path}: Is a directory"),
        ready_file(path, "127.0.0.1:4747", None),
    ):
        pytest.fail("not ready")
    assert list(tmp_path.iterdir()) == [path]


@pytest.fixture
def manager() -> Iterator[socket.socket]:
    """The socket of a service manager."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.settimeout(5)
        yield manager


def test_the_service_manager_is_told(tmp_path: Path, manager: socket.socket) -> None:
    path = tmp_path / "notify"
    manager.bind(str(path))
    notify_systemd("READY=1", {"NOTIFY_SOCKET": str(path)})
    assert manager.recv(100) == b"READY=1"


def test_the_service_manager_may_listen_in_the_abstract_namespace(manager: socket.socket) -> None:
    name = f"ugs-test-{os.getpid()}"
    manager.bind(f"\0{name}")
    notify_systemd("STOPPING=1", {"NOTIFY_SOCKET": f"@{name}"})
    assert manager.recv(100) == b"STOPPING=1"


@pytest.mark.parametrize(
    "environment",
    [{}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": "vsock:2:1"}, {"NOTIFY_SOCKET": "/no/such/place/" + "x" * 200}],
)
def test_without_a_service_manager_nothing_happens(environment: dict[str, str]) -> None:
    notify_systemd("READY=1", environment)
