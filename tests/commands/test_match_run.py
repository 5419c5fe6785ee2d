"""What ``ugs match`` prints, and how it fails."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ugs.commands.match_run import run_match
from ugs.match.match_settings import WrongMatch

BOTS = ("--bot", "one=builtin:random", "--bot", "two=builtin:random")


def program(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run it in a process of its own, as it starts and ends processes."""
    return subprocess.run([sys.executable, "-m", "ugs", *arguments], capture_output=True, text=True, timeout=300)


def test_a_match_for_programs_is_json_on_stdout_and_the_command_on_stderr() -> None:
    done = program("match", "tic-tac-toe", *BOTS, "--games", "2", "--seed", "5", "--output", "json")
    assert done.returncode == 0, done.stderr
    assert "one" in json.dumps(json.loads(done.stdout))
    assert done.stderr.startswith("ugs match tic-tac-toe --bot one=builtin:random")
    assert "--seed 5" in done.stderr.splitlines()[0]


def test_a_bot_that_cannot_be_started_is_named_without_a_table_of_zeros(capfd: pytest.CaptureFixture[str]) -> None:
    bots = {"a": "./nosuch {address} {nick}", "b": "builtin:random"}
    assert run_match({"game": "tic-tac-toe", "bots": bots}, None, resume=False) == 1
    written = capfd.readouterr()
    assert (len(written.out.splitlines()), "./nosuch cannot be started: No such file" in written.err) == (1, True)


PEER = """\
import socket, sys
host, port, role, name = sys.argv[1:]
facts = {"player": f'nick="{name}"', "gameMaster": f'id="{name}" playersMin="2" playersMax="2"'}[role]
line = socket.create_connection((host, int(port)))
line.sendall(f'<message type="{role}Login"><{role}Login {facts} gameType="wood"/></message>'.encode())
while (read := line.recv(65536)) and b"beginGame" not in read:
    pass
print("out of wood", file=sys.stderr)
sys.exit(3 if read else 0)
"""
"""A program that logs in, and fails when it gets a game to lead."""


def test_a_match_whose_games_are_all_void_has_failed_and_says_why(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It ended with exit code 0 and a table of zeros."""
    peer = tmp_path / "peer.py"
    peer.write_text(PEER)
    here = f"{sys.executable} {peer} {{host}} {{port}}"
    bots = dict.fromkeys(("one", "two"), f"{here} player {{nick}}")
    wanted = {"game": "wood", "master": f"{here} gameMaster m", "bots": bots, "games": 2}
    assert run_match(wanted, None, resume=False) == 1
    written = capfd.readouterr()
    assert "two" not in written.out.partition("\n")[2], "no table of zeros"
    said = written.err[written.err.index("ugs match: all games were void") :]
    assert said.startswith(
        "ugs match: all games were void (2), the last one by: master lost; the game master ended with exit code 3\n"
    )
    assert "out of wood" in said
    assert run_match({**wanted, "data_dir": str(tmp_path / "kept")}, None, resume=False) == 1
    assert f"exit code 3; see {tmp_path}/kept/master.log" in capfd.readouterr().err


def test_where_lost_games_are_listed_is_the_last_word_of_a_match_that_is_kept(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    bots = {"one": "builtin:random", "two": "builtin:threats"}
    wanted = {"game": "tic-tac-toe", "bots": bots, "games": 2, "data_dir": str(tmp_path)}
    assert run_match(wanted, None, resume=False) == 0
    out = capfd.readouterr().out
    said = next(line for line in out.splitlines() if line.startswith("games that one has lost (2): "))
    assert f"{tmp_path}/packets.txt; look: ugs replay " in said
    _, _, command = said.partition("look: ugs ")
    assert program(*command.split(), "--words").stdout.startswith("game ")
    assert "one and two cannot be distinguished yet: about 8 more games would do, if all end like these" in out


def test_a_match_that_is_not_kept_shows_why_a_bot_crashed_and_how_games_are_kept(
    capfd: pytest.CaptureFixture[str],
) -> None:
    crash = f"{sys.executable} -m tests.match.crashing crash {{host}} {{port}} {{nick}}"
    wanted = {"game": "tic-tac-toe", "bots": {"bad": crash, "two": "builtin:random"}, "games": 2}
    assert run_match(wanted, None, resume=False) == 0
    *_, first, words, second, last = capfd.readouterr().out.splitlines()
    assert first.startswith("game 1 (")
    assert first.endswith("): bad: crashes; its last lines:")
    assert words == "  bad is going to crash"
    assert (second[:8], second[-15:]) == ("game 2 (", "): bad: crashes")
    assert last == "with --data-dir DIR these games are kept, with what bots wrote, for ugs replay and ugs why"


def test_who_has_won_a_knock_out_is_written_whatever_the_points_are(capfd: pytest.CaptureFixture[str]) -> None:
    bots = {"a": "builtin:threats", "b": "builtin:random", "c": "builtin:random"}
    wanted = {"game": "tic-tac-toe", "bots": bots, "games": 2, "format": "knock-out"}
    assert run_match(wanted, None, resume=False) == 0
    assert "\na has won the knock-out; then 2. " in capfd.readouterr().out
    assert run_match({**wanted, "output": "json"}, None, resume=False) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["places"][0] == "a"
    assert found["games"][0]["faults"] == {}


def test_ctrl_backslash_ends_a_match_and_nothing_is_left(tmp_path: Path) -> None:
    (tmp_path / "ugs-match-abcdefgh-unkept").mkdir()  # of one that was killed
    command = [sys.executable, "-m", "ugs", "match", "tic-tac-toe", *BOTS, "--games", "1000000"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    playing = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with playing as process:
        assert process.stdout is not None
        process.stdout.readline()
        (folder,) = tmp_path.iterdir()
        while not (folder / "match.jsonl").exists() or (folder / "match.jsonl").stat().st_size < 1000:
            with suppress(subprocess.TimeoutExpired):
                pytest.fail(f"it has ended with {process.wait(0.05)}")
        process.send_signal(signal.SIGQUIT)
        _, said = process.communicate(timeout=300)
    assert process.returncode == 130, said
    assert said.endswith("stopped\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "GAME is missing"),
        ({"game": "tic-tac-toe"}, "--bot NAME=HOW: at least 2 are needed; there is none"),
        ({"game": "tic-tac-toe", "bots": {"a": "builtin:random"}}, "there is --bot a=builtin:random"),
    ],
)
def test_what_a_command_line_lacks_is_named_as_one_types_it(options: dict[str, Any], words: str) -> None:
    with pytest.raises(WrongMatch, match=words):
        run_match(options, None, resume=False)


def test_a_plan_that_lacks_bots_is_named(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text('[bots]\na = "builtin:random"\n')
    with pytest.raises(WrongMatch, match=r"plan\.toml: bots = .*at least 2 keys"):
        run_match({"game": "tic-tac-toe"}, tmp_path / "plan.toml", resume=False)
    with pytest.raises(WrongMatch, match="--bot NAME=HOW"):
        run_match({"game": "tic-tac-toe", "bots": {"a": "connect"}}, tmp_path / "plan.toml", resume=False)


def test_without_a_folder_there_is_nothing_to_resume() -> None:
    with pytest.raises(WrongMatch, match="--resume: --data-dir is missing"):
        run_match({}, None, resume=True)


def test_what_is_not_there_cannot_go_on(tmp_path: Path) -> None:
    with pytest.raises(WrongMatch, match="holds no match"):
        run_match({"data_dir": str(tmp_path)}, None, resume=True)


def test_a_match_whose_server_is_killed_says_so_and_how_it_goes_on(tmp_path: Path) -> None:
    data = tmp_path / "data"
    command = [
        sys.executable,
        "-m",
        "ugs",
        "match",
        "tic-tac-toe",
        *BOTS,
        "--games",
        "1000000",
        "--data-dir",
        str(data),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not (data / "match.jsonl").exists() or "result" not in (data / "match.jsonl").read_text():
            with suppress(subprocess.TimeoutExpired):
                pytest.fail(f"it has ended with {process.wait(0.05)}")
        second = program("match", "--resume", "--data-dir", str(data))
        assert (second.returncode, second.stdout) == (1, "")
        assert second.stderr == f"ugs match: {data}: this match is being played, by another process\n"
        os.kill(int((data / "server" / "lock").read_text()), signal.SIGKILL)
        _, said = process.communicate(timeout=300)
    assert process.returncode == 1
    why, kept = said.splitlines()[-2:]
    assert why == "ugs match: the server has ended, killed by signal 9"
    assert kept.endswith("games are kept; go on with --resume")
    assert "{" not in said
