"""What ``ugs watch`` shows."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.line import ugs
from tests.end_to_end.processes import GAME_TYPE, Game, Program, Server


def watching(server: Server, *arguments: str) -> Program:
    """Run it in a process of its own."""
    return Program(sys.executable, "-m", "ugs", "watch", "--connect", server.address, *arguments)


def test_where_nobody_listens_one_line_says_so() -> None:
    result = ugs("watch", "--game", "g1", "--connect", "127.0.0.1:1")
    assert result.exit_code == 1
    assert result.stderr.startswith("ugs watch: no server answers at 127.0.0.1:1")
    assert result.stderr.count("\n") == 1


def test_a_game_is_told_to_its_end(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        game = Game(server)
        game.goes_on()
        with watching(server, "--game", game.id, "--from", "begin", "--lines") as program:
            program.waits_for(f"{game.id} 4 ")
            game.goes_on()
            game.ends()
            assert program.ends() == 0
    assert [line.split(" ")[1] for line in program.lines[1:]] == ["1", "2", "3", "4", "5", "6", "7", "8"]
    assert program.lines[-1].endswith("ended: finished, fault: nobody")


def test_a_game_is_drawn_from_now_on_with_all_that_was_before(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        game = Game(server)
        game.goes_on()
        game.goes_on()
        with watching(server, "--game", game.id) as program:
            server.logs("watches")
            program.waits_for("to move")
            game.ends()
            assert program.ends() == 0
    assert not any(" 1 " in line and "begins" in line for line in program.lines)
    assert program.lines[-1].endswith("ended: finished, fault: nobody")
    assert any("X " in line or "O " in line for line in program.lines)


def test_a_game_type_is_told_as_json_until_it_is_interrupted(tmp_path: Path) -> None:
    with Server(tmp_path) as server, watching(server, GAME_TYPE, "--json") as program:
        server.logs("watches")
        game = Game(server)
        program.waits_for('"what": "state"')
        game.ends()
        program.waits_for('"what": "ended"')
        program.signal(signal.SIGINT)
        assert program.ends() == 0
    lines = [json.loads(line) for line in program.lines]
    assert [line["what"] for line in lines] == ["watching", "begin", "state", "over", "ended"]


def test_a_game_type_is_watched_no_longer_than_its_lines_are_read(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ugs", "watch", "--type", GAME_TYPE, "--lines"]
    with Server(tmp_path) as server:
        command += ["--connect", server.address]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            server.logs("watches")
            game = Game(server)
            assert GAME_TYPE in process.stdout.readline()
            process.stdout.close()
            game.goes_on()
            game.goes_on()
            game.ends()
            assert process.wait(300) == 0
            assert process.stderr.read() == ""


def port_of(server: Server) -> str:
    return server.address.rpartition(":")[2]


@pytest.mark.parametrize("killed", [False, True])
def test_a_game_type_is_watched_again_when_the_server_is_back(tmp_path: Path, killed: bool) -> None:
    with Server(tmp_path) as server, watching(server, "--type", GAME_TYPE, "--lines") as program:
        server.logs("watches")
        server.signal(signal.SIGKILL if killed else signal.SIGTERM)
        server.ends()
        program.waits_for("it is watched again when the server is back")
        with Server(tmp_path, "--port", port_of(server)) as again:
            again.logs("watches")
            game = Game(again)
            program.waits_for(f"{game.id} ")
            program.signal(signal.SIGINT)
            assert program.ends() == 0


def test_a_game_type_is_watched_no_longer_than_the_server_runs_if_wanted(tmp_path: Path) -> None:
    with Server(tmp_path) as server, watching(server, "--type", GAME_TYPE, "--lines", "--once") as program:
        server.logs("watches")
        assert server.stops() == 0
        assert program.ends() == 0


def test_a_game_that_is_not_there_is_one_line_and_exit_code_1(tmp_path: Path) -> None:
    with Server(tmp_path) as server, watching(server, "--game", "g7") as program:
        assert program.ends() == 1
    (line,) = program.lines
    assert line.startswith("ugs watch: x-watch: gameId 'g7': no such game is running; `ugs watch` without --game lists")


def test_the_name_of_a_game_in_place_of_its_type_ends_with_2_and_the_type(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        server.master()
        with watching(server, "--type", "tic-tac-toe", "--lines") as program:
            assert program.ends() == 2
    (line,) = program.lines
    assert line.startswith("ugs watch: there is no game master for tic-tac-toe; ")
    assert line.endswith("('tic-tac-toe' is a game whose type is '5-in-line-tic-tac-toe')")


@pytest.mark.parametrize(("typed", "meant"), [("5-in-line-tic-tac-to", "5-in-line-tic-tac-toe"), ("titn", "titan")])
def test_a_mistyped_type_ends_with_2_and_the_one_that_is_meant(tmp_path: Path, typed: str, meant: str) -> None:
    with Server(tmp_path) as server:
        server.master()
        with watching(server, "--type", typed, "--lines") as program:
            assert program.ends() == 2
    (line,) = program.lines
    assert line.startswith(f"ugs watch: there is no game master for {typed}; games of ")
    assert line.endswith(f" (did you mean {meant!r}?)")


def test_a_type_that_is_like_no_other_is_waited_for(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        server.master()
        with watching(server, "--type", "zzz", "--lines") as program:
            program.waits_for("no game yet: there is no game master for zzz")
            program.signal(signal.SIGTERM)
            program.ends()


def test_a_type_that_is_called_as_another_game_is_watched(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        server.master(game_type="tic-tac-toe")
        with watching(server, "--type", "tic-tac-toe", "--lines") as program:
            program.waits_for("no game yet: tic-tac-toe ('tic-tac-toe' is a game whose type is")
            server.logs("watches", 2)
            assert server.stops() == 0
            program.waits_for("it is watched again when the server is back")
            program.signal(signal.SIGTERM)
            program.ends()


def test_the_beginning_of_an_id_is_enough_where_it_fits_one_game(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        game = Game(server)
        with watching(server, "--game", game.id[:6], "--lines") as program:
            server.logs("watches")
            game.ends()
            assert program.ends() == 0
    assert program.lines[-1].endswith("ended: finished, fault: nobody")


def test_without_arguments_the_games_that_run_are_listed(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        with watching(server) as program:
            assert program.ends() == 0
        assert program.lines == ["no game is running that may be watched"]
        game = Game(server)
        with watching(server) as program:
            assert program.ends() == 0
        assert any(game.id in line and GAME_TYPE in line for line in program.lines)
        with watching(server, "--json") as program:
            assert program.ends() == 0
        assert [one["game_id"] for one in json.loads("\n".join(program.lines))["games"]] == [game.id]
        game.ends()


@pytest.mark.parametrize("form", ["", "--lines"])
def test_a_closed_pipe_ends_it_silently(tmp_path: Path, form: str) -> None:
    command = f"{sys.executable} -m ugs watch --connect $0 --game $1 --from begin {form} | head -n 1"
    with Server(tmp_path) as server:
        game = Game(server)
        with Program("sh", "-c", command, server.address, game.id) as program:
            program.waits_for(game.id)
            game.goes_on()
            game.ends()
            assert program.ends() == 0
    # The game of the test is no tic-tac-toe, which is logged: it cannot be drawn.
    assert len([line for line in program.lines if '"no picture"' not in line]) == 1
