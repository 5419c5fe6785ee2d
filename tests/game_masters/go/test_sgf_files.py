"""Finished games of Go as SGF files, written and read again."""

import random
from pathlib import Path

import pytest
from sgfmill.sgf import Sgf_game

from game_masters.go import GAME, notation
from game_masters.go.rules import Beginning, GoMove, Match
from game_masters.go.sgf_files import SGF, read
from game_masters.kit.rules import Table
from tests.commands.line import ugs
from ugs.game_files import GameFileError, WrittenGame, WrittenMove, WrittenRemark
from ugs.record.written_games import record_of, written_game


def a_game(*moves: str, outcomes: tuple[str, ...] = ("won", "lost"), black: tuple[str, ...] = ()) -> WrittenGame:
    options = GAME.choose_options({"komi2": "13"})
    match = Match(Table("g", ("ann", "bob"), options, fixture=Beginning((black, ()))), random.Random(0))
    played, shown = list[WrittenMove](), 0
    for move in map(GoMove, moves):
        (seat,) = match.movers
        state = notation.write_view(match.view(None, shown))
        shown = len(match.record)
        match.apply(seat, move)
        remark = WrittenRemark(0.5, "the corner", "D4 E5")
        played.append(WrittenMove(seat, state, notation.write_move(move), None, remark))
    last = notation.write_view(match.view(None, shown))
    names = {"size": "9", "komi2": "13"}
    return WrittenGame(
        game_id="Zr7kQ2mXw9",
        game_type="go",
        seats=("ann", "bob"),
        moves=tuple(played),
        last=last,
        outcomes=outcomes,
        ended_by="finished",
        options=names,
    )


@pytest.mark.parametrize(
    "game",
    [a_game("E5", "D4", "pass", "pass"), a_game("C3", "pass", "pass", black=("D4", "F6"), outcomes=("lost", "won"))],
)
def test_a_file_is_read_as_the_game_that_was_written(game: WrittenGame) -> None:
    text = SGF.write(game)
    (again,) = read(text.splitlines(keepends=True))
    assert again.moves == game.moves
    assert (again.seats, again.outcomes, again.game_id, again.options) == (
        game.seats,
        game.outcomes,
        game.game_id,
        game.options,
    )
    assert written_game(record_of(again)).moves == again.moves
    found = Sgf_game.from_bytes(text)
    assert (found.get_komi(), found.get_winner()) == (6.5, "b" if game.outcomes[0] == "won" else "w")
    values = [node.get("V") for node in found.get_main_sequence()[1:]]
    assert values[:2] == ([0.5, -0.5] if not any(notation.read_state(game.moves[0].state).setup) else [-0.5, 0.5])


def test_who_gave_up_is_in_the_result() -> None:
    assert b"RE[B+R]" in SGF.write(a_game("E5", "resign"))
    assert b"RE[0]" in SGF.write(a_game("E5", outcomes=("drawn", "drawn")))
    assert b"RE[Void]" in SGF.write(a_game("E5", outcomes=("void", "void")))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nonsense", "not SGF"),
        ("(;SZ[9];B[ee])", "only games that have ended"),
        ("(;SZ[5]RE[B+]KM[7.5];B[aa])", "option size"),
        ("(;SZ[9]RE[B+]KM[0.3];B[aa])", "komi 0.3"),
        ("(;SZ[9]RE[B+]KM[7.5];B[ee];W[ee])", "E5 is taken"),
        ("(;SZ[9]RE[B+]KM[7.5];B[ee];B[dd])", "not the turn of black"),
        ("(;SZ[9]RE[B+]KM[7.5];B[ee])(;SZ[9]RE[?];B[ee])", "game 2"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, why: str) -> None:
    with pytest.raises(GameFileError, match=why):
        list(read([text.encode()]))


def test_the_commands_read_and_write_it(tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "game.sgf"
    file.write_bytes(SGF.write(a_game("E5", "D4", "pass", "pass")))
    assert "1 imported" in ugs("record", "import", file, "--data-dir", data).stdout
    assert "1 there already" in ugs("record", "import", file, "--data-dir", data).stdout
    exported = ugs("record", "export", "Zr7k", "--data-dir", data, "--format", "sgf")
    assert exported.stdout.split() == file.read_text(encoding="utf-8").split()
    refused = ugs("record", "export", "Zr7k", "--data-dir", data, "--format", "pgn")
    assert refused.exit_code == 1
    assert "game Zr7kQ2mXw9 is go; pgn is for: chess" in refused.stderr
    unknown = ugs("record", "export", "Zr7k", "--data-dir", data, "--format", "doc")
    assert unknown.exit_code == 2
    left_out = ugs("record", "export", "--all", "--data-dir", data, "--output", tmp_path / "all.pgn")
    assert "left out because pgn is not for their games: 1" in left_out.stderr
    broken = tmp_path / "broken.sgf"
    broken.write_text("(;", encoding="utf-8")
    assert "broken.sgf: not SGF" in ugs("record", "import", broken, "--data-dir", data).stderr
