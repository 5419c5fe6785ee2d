"""What ``ugs replay`` shows, and whom it lets play again."""

import random
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import Result

from game_masters.kit.rules import Table
from game_masters.registry import find_games
from game_masters.tic_tac_toe.rules import Cell
from tests.commands.line import ugs
from tests.record.samples import card_game, tic_tac_toe
from ugs.journal.importing import store
from ugs.record import ugsg

UGS = (sys.executable, "-m", "ugs")
MASTER = (*UGS, "master", "tic-tac-toe", "--connect", "{address}", "--once")
BOT = (*UGS, "bot", "tic-tac-toe", "--connect", "{address}", "--once", "--nick")
BOUND = ("--timeout", "30")
DIES = """
import os, socket, sys
sys.path.insert(0, sys.argv[1])
from ugs.wire.codec import encode
from ugs.wire.messages import GameMasterLogin
connection = socket.create_connection((os.environ["UGS_HOST"], int(os.environ["UGS_PORT"])))
connection.sendall(encode(GameMasterLogin("m", "5-in-line-tic-tac-toe", "2", "2")))
while b"beginGame" not in connection.recv(65536):
    pass
sys.exit("master: out of cards")
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A file with a recorded game."""
    file = tmp_path / "game.ugsg"
    file.write_bytes(ugsg.write(tic_tac_toe()))
    return file


def run(*arguments: str | Path) -> Result:
    return ugs("replay", *arguments)


def test_a_game_is_shown(game: Path) -> None:
    result = run(game, "--speed", "0")
    assert result.exit_code == 0
    assert "ann moves (0.100 s)" in result.stdout
    assert result.stdout.splitlines()[-1] == "result: finished; won: ann, lost: bob; no one's fault"


def test_every_position_is_drawn_or_the_payloads_are_shown(game: Path) -> None:
    drawn = run(game, "--speed", "0").stdout
    assert drawn.count("X ann") == drawn.count("O bob") == 10
    assert "ann puts X on 0,0" in drawn
    assert "<move>" not in drawn
    for option in ("--raw", "--full"):
        raw = run(game, "--speed", "0", option).stdout
        assert '<move><tic x="0" y="0"/></move>' in raw
        assert "X ann" not in raw


def test_moves_are_told_in_words_alone(game: Path) -> None:
    result = run(game, "--words")
    assert result.exit_code == 0
    assert "ann puts X on 0,0" in result.stdout
    assert "X ann" not in result.stdout
    assert "sends the state" not in result.stdout.split("ann puts X on 0,0")[1]
    assert result.stdout.splitlines()[-1] == "result: finished; won: ann, lost: bob; no one's fault"


def test_without_a_terminal_there_are_no_keys(game: Path) -> None:
    assert run(game, "--speed", "0", "--step").stdout == run(game, "--speed", "0").stdout


def test_a_viewer_is_shown_its_own_hand(tmp_path: Path) -> None:
    store(tmp_path, card_game())
    shown = [run("c1", "--data-dir", tmp_path, "--speed", "0", *more).stdout for more in ((), ("--viewer", "ann"))]
    assert shown[0] != shown[1]
    result = run("c1", "--data-dir", tmp_path, "--viewer", "zoe")
    assert result.exit_code == 1
    assert "'zoe' did not play in this game" in result.stderr


def test_a_game_of_a_journal_is_shown(tmp_path: Path) -> None:
    store(tmp_path, tic_tac_toe())
    assert run("g", "--data-dir", tmp_path, "--speed", "1000").exit_code == 0


def test_the_master_of_this_project_tells_the_same_states_again(game: Path) -> None:
    result = run(game, *BOUND, "--master", shlex.join(MASTER))
    assert (result.exit_code, result.stdout) == (0, "all 10 states are equal\n"), result.output


def test_of_a_game_that_still_runs_it_is_said_first_that_its_seed_is_not_known(tmp_path: Path) -> None:
    file = tmp_path / "game.ugsg"
    file.write_bytes(ugsg.write(replace(tic_tac_toe(), result=None)))
    result = run(file, *BOUND, "--master", shlex.join(MASTER))
    assert result.stderr.startswith("this game still runs: its seed is not known yet")


def test_a_master_with_other_rules_is_found_out(game: Path) -> None:
    result = run(game, *BOUND, "--master", shlex.join([*MASTER, "--option", "row=4"]))
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "0 of 10 states are equal, then:",
        "event 2: state 1 differs",
        "recorded: <gameState/>",
        'now:      <gameState width="20" height="20" row="4"/>',
        "                    ^ byte 11",
    ]


def test_a_master_that_dies_is_reported_with_its_last_words(game: Path) -> None:
    command = [sys.executable, "-c", DIES, str(Path(__file__).parents[2])]
    result = run(game, *BOUND, "--master", shlex.join(command))
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "0 of 10 states are equal, then:",
        "event 2: state 1 is missing: the master closed the connection",
        "the process ended with exit code 1; its last lines:",
        "  master: out of cards",
    ]


def test_a_master_that_does_not_come_is_reported(game: Path) -> None:
    result = run(
        game, "--timeout", "0.2", "--master", shlex.join([sys.executable, "-c", "import time; time.sleep(99)"])
    )
    assert result.exit_code == 1
    assert result.stderr.startswith("ugs replay: no program connected to 127.0.0.1:")
    assert "the process was still running" in result.stderr


def fields_of_bots(seed: int) -> list[tuple[int, int]]:
    """A game of two bots that move at random, the first with this seed."""
    game = find_games().game("tic-tac-toe")
    state = game.start(Table("g1", ("ann", "bob"), game.choose_options({})), random.Random(0))
    brain = game.bot("random")
    chances = [random.Random(seed), random.Random(seed + 1)]
    fields: list[tuple[int, int]] = []
    while state.outcome is None:
        seat = state.movers[0]
        move = brain.choose(state.view(None), chances[seat])
        assert isinstance(move, Cell)
        state.apply(seat, move)
        fields.append((move.x, move.y))
    return fields


def test_a_bot_with_the_same_seed_makes_the_same_moves(tmp_path: Path) -> None:
    file = tmp_path / "random.ugsg"
    file.write_bytes(ugsg.write(tic_tac_toe(fields_of_bots(5))))
    result = run(file, *BOUND, "--as", "ann", "--", *BOT, "ann", "--bot", "random", "--seed", "5")
    assert result.exit_code == 0, result.output
    assert "differs: 0" in result.stdout
    assert "same: 0" not in result.stdout


def test_another_bot_under_another_nick_makes_other_moves(game: Path) -> None:
    result = run(game, *BOUND, "--as", "bob", "--", *BOT, "eve", "--bot", "random", "--seed", "5")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0] == "note: it logs in as 'eve' and plays for 'bob'"
    assert lines[-3] == "same: 0, equal except for the writing: 0, differs: 4"
    assert lines[-2].startswith("a program that chooses by chance answers otherwise each time")
    assert sum(line.endswith("differs") for line in lines) == 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("no-such-game",), "no-such-game: there is no such file, and a game of a journal needs --data-dir"),
        (("no-such-game.ugsg",), "no-such-game.ugsg: cannot be read: No such file or directory"),
        (("g1", "--data-dir", "."), ".: there is no journal here"),
        (("GAME", "--as", "cat", "--", "x"), "game 'g1': no player 'cat'; there are ann, bob"),
        (("GAME", "--master", "no-such-program"), "cannot start 'no-such-program': No such file or directory"),
    ],
)
def test_what_cannot_be_replayed_is_one_line(game: Path, arguments: tuple[str, ...], words: str) -> None:
    result = run(*(game if argument == "GAME" else argument for argument in arguments))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"ugs replay: {words}")
    assert result.stderr.count("\n") == 1
