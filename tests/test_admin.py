"""Asking a server through its socket, with every kind of other side: none, a dead one, a silent one."""

import json
import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ugs.admin import MAX_ADDRESS, SOCKET_NAME, NoAnswer, NoServer, ask, short_address, why_silent

BOUND_S = 120.0

Serves = Callable[[bytes | None], list[bytes]]


@pytest.fixture
def serves(tmp_path: Path) -> Iterator[Serves]:
    """Runs a server that takes one request line, gives this answer (None: stays silent), and closes."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        done = threading.Event()
        heard: list[bytes] = []
        threads: list[threading.Thread] = []

        def serve(answer: bytes | None) -> None:
            sock, _ = listener.accept()
            with sock, sock.makefile("rb") as lines:
                heard.append(lines.readline())
                if not heard[-1]:
                    return
                if answer is None:
                    done.wait(BOUND_S)
                else:
                    sock.sendall(answer)

        def start(answer: bytes | None) -> list[bytes]:
            with short_address(tmp_path / SOCKET_NAME) as address:
                listener.bind(address)
            listener.listen()
            threads.append(threading.Thread(target=serve, args=(answer,)))
            threads[-1].start()
            return heard

        yield start
        done.set()
        for thread in threads:
            thread.join(BOUND_S)


def test_a_server_that_was_killed_is_dead_and_one_that_never_ran_is_not_there(tmp_path: Path) -> None:
    assert why_silent(tmp_path) == "no server runs"
    with pytest.raises(NoServer, match="no server runs on"):
        ask(tmp_path, {})
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as killed, short_address(tmp_path / SOCKET_NAME) as address:
        killed.bind(address)
    assert why_silent(tmp_path) == "the server is dead"
    with pytest.raises(NoServer, match=r"the server on .* is dead"):
        ask(tmp_path, {})


def test_a_server_that_listens_is_not_silent(serves: Serves, tmp_path: Path) -> None:
    serves(b'{"ok": true}\n')
    assert why_silent(tmp_path) == ""


def test_the_answer_of_the_server_is_returned(serves: Serves, tmp_path: Path) -> None:
    heard = serves(b'{"ok": true, "pid": 1}\n')
    assert ask(tmp_path, {"ask": "ping", "note": "\u20ac\n"}) == {"ok": True, "pid": 1}
    assert json.loads(heard[0]) == {"ask": "ping", "note": "\u20ac\n"}


def test_an_answer_of_many_segments_is_read_to_its_end(serves: Serves, tmp_path: Path) -> None:
    text = "x" * 1_000_000
    serves(json.dumps({"ok": True, "text": text}).encode() + b"\n")
    assert ask(tmp_path, {})["text"] == text


@pytest.mark.parametrize("name", ["no-such-directory", "a-file", "."])
def test_where_nobody_listens_there_is_no_server(name: str, tmp_path: Path) -> None:
    (tmp_path / "a-file").touch()
    with pytest.raises(NoServer, match="no server runs on"):
        ask(tmp_path / name, {"ask": "ping"})


def test_a_socket_of_a_killed_server_is_no_server(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as left_behind, short_address(tmp_path / SOCKET_NAME) as at:
        left_behind.bind(at)
    with pytest.raises(NoServer, match=r"admin\.sock"):
        ask(tmp_path, {"ask": "ping"})


def test_what_is_no_socket_of_this_kind_cannot_be_asked(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other, short_address(tmp_path / SOCKET_NAME) as at:
        other.bind(at)
        with pytest.raises(NoAnswer, match="cannot be asked"):
            ask(tmp_path, {"ask": "ping"})


def test_a_server_that_is_silent_is_not_waited_for_longer_than_the_limit(serves: Serves, tmp_path: Path) -> None:
    serves(None)
    with pytest.raises(NoAnswer, match=r"does not answer within 0\.01 s"):
        ask(tmp_path, {"ask": "ping"}, timeout_s=0.01)


@pytest.mark.parametrize(
    ("answer", "words"),
    [(b"", "given no answer"), (b'{"ok": tr', "given half an answer"), (b"[1]\n", "no server"), (b"{}\n", "no server")],
)
def test_no_proper_answer_is_told_apart(serves: Serves, tmp_path: Path, answer: bytes, words: str) -> None:
    serves(answer)
    with pytest.raises(NoAnswer, match=words):
        ask(tmp_path, {"ask": "ping"})


@pytest.mark.parametrize("length", [1, 150])
def test_a_socket_can_be_reached_however_long_its_path_is(length: int, tmp_path: Path) -> None:
    path = tmp_path / ("d" * length) / SOCKET_NAME
    path.parent.mkdir()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        with short_address(path) as address:
            assert len(os.fsencode(address)) <= MAX_ADDRESS
            listener.bind(address)
        listener.listen()
        assert path.is_socket()
        with pytest.raises(NoAnswer, match="does not answer"):
            ask(path.parent, {"ask": "ping"}, timeout_s=0.01)


def test_a_long_path_without_its_directory_is_no_server(tmp_path: Path) -> None:
    with pytest.raises(NoServer):
        ask(tmp_path / ("d" * 150), {"ask": "ping"})
