"""``ugs serve`` as a process: how it begins, how it ends, and how it does not begin."""

import json
import signal
import socket
from pathlib import Path

import pytest

from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import Game, Program
from ugs.wire.messages import Error, ServerShutdown


def test_the_ready_file_says_where_it_listens(serves: Serves) -> None:
    server = serves()
    assert server.ready == {"game": server.address, "http": None, "pid": server.pid}
    host, _, port = server.address.rpartition(":")
    assert (host, int(port) > 0) == ("127.0.0.1", True)
    assert server.stops() == 0
    assert not server.ready_file.exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_tells_everybody_and_ends_with_exit_code_0(serves: Serves, number: signal.Signals) -> None:
    server = serves()
    game, waiting, stranger = Game(server), server.player("cat"), server.dials()
    server.logs("connected", times=5)
    server.signal(number)
    for player in (game.ann, game.bob):
        void = player.hears()
        assert isinstance(void, Error)
        assert "server shutdown" in void.text or "shutting down" in void.text
    for peer in (game.ann, game.bob, game.master, waiting):
        assert peer.hears() == ServerShutdown()
    for peer in (game.ann, game.bob, game.master, waiting, stranger):
        assert peer.hears() is None
        peer.closes()
    assert server.ends() == 0
    (ended,) = server.events("game ended")
    assert (ended["fault"], ended["verdict"]) == ("server", "server shutdown")


def test_a_running_game_may_end_first_and_a_second_signal_does_not_wait(serves: Serves) -> None:
    server = serves("drain_s = 1000")
    game = Game(server)
    server.signal(signal.SIGTERM)
    server.logs("draining")
    game.goes_on()
    server.signal(signal.SIGTERM)
    assert isinstance(game.ann.hears(), Error)
    assert game.ann.hears() == ServerShutdown()
    for peer in (game.ann, game.bob, game.master):
        peer.closes()
    assert server.ends() == 0


def test_the_log_is_json_and_says_nothing_of_payloads(serves: Serves) -> None:
    server = serves()
    game = Game(server)
    game.goes_on()
    game.ends()
    assert server.stops() == 0
    assert [json.loads(line) for line in server.lines] == server.logs_so_far()
    assert server.logs_so_far()[0]["event"] == "listening"
    assert server.complaints() == []
    (ended,) = server.events("game ended")
    assert (ended["game"], ended["verdict"], ended["outcomes"]) == (game.id, "finished", {"ann": "won", "bob": "lost"})
    assert "<move" not in server.output


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("max_deapth = 3", ["unknown key max_deapth", "allowed", "max_depth"]),
        ("max_depth = 3", ["max_depth = 3", "at least 4"]),
        ('[game_types."go"]\nquiet_master = 1', ["game_types.go.quiet_master = 1", "true or false"]),
    ],
)
def test_a_wrong_configuration_is_exit_code_2_before_anybody_listens(
    tmp_path: Path, config: str, words: list[str]
) -> None:
    file = tmp_path / "my.toml"
    file.write_text(config)
    ready = tmp_path / "ready.json"
    with Program.ugs("serve", "--config", file, "--port", "0", "--ready-file", ready) as program:
        assert program.ends() == 2
        assert program.output.startswith(f"ugs serve: {file}: ")
        for word in words:
            assert word in program.output
    assert not ready.exists()


def test_a_port_in_use_is_exit_code_1_and_one_line(tmp_path: Path) -> None:
    ready = tmp_path / "ready.json"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with Program.ugs("serve", "--port", str(port), "--ready-file", ready) as program:
            assert program.ends() == 1
            (line,) = program.lines
    assert line.startswith(f"ugs serve: cannot listen on 127.0.0.1 port {port}: ")
    assert "in use" in line
    assert not ready.exists()
