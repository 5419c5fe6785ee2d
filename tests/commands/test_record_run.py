"""What the commands ``ugs record`` do."""

import io
import json
import sqlite3
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import Result

from tests.commands.line import ugs
from tests.record.samples import Recorder, card_game, tic_tac_toe
from ugs.broker.effects import RecordBegin, RecordResult
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.journal.database import DATABASE
from ugs.journal.importing import store
from ugs.journal.journal import Journal
from ugs.journal.reader import Reader
from ugs.record import jsonl, ugsg
from ugs.record.game import GameRecord
from ugs.why.lookup import words_of_ends


def quarrel() -> GameRecord:
    """A game of another type, in a championship, which a player with a difficult name left."""
    recorder = Recorder("h1", ('c"\n<at>', "ann"), "nim")
    recorder.state(0, b"<gameState>\xff\r\n</gameState>")
    recorder.adds(EntryKind.LEFT, 1_000, 0, text="logout")
    recorder.over([(1, "winner"), (0, "loser")], audience=2)
    record = recorder.ends([Outcome.LOST, Outcome.WON], Verdict(Cause.LOGOUT, 'c"\n<at>'), {0: Cause.LOGOUT})
    assert record.result is not None
    result = replace(record.result, championship="cup", fixture=4)
    return replace(record, championship="cup", fixture=4, options={"heaps": "3"}, result=result)


GAMES = (tic_tac_toe(), tic_tac_toe(game_id="g10"), quarrel())


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A directory with a journal."""
    directory = tmp_path / "data"
    for record in GAMES:
        assert store(directory, record)
    return directory


def run(*arguments: str | Path) -> Result:
    return ugs("record", *arguments)


def ids(result: Result) -> list[str]:
    """The ids of the games in a JSON list."""
    assert result.exit_code == 0, result.output
    return [game["game"] for game in json.loads(result.stdout)["games"]]


def test_a_list_is_a_table_without_lines(data: Path) -> None:
    result = run("list", "--data-dir", data)
    assert result.exit_code == 0
    lines = [line.split("  ") for line in result.stdout.splitlines()]
    assert len(lines) == 4
    assert lines[0][0].startswith("began")
    text = result.stdout
    assert r'c"\n<at> lost, ann won' in text
    assert "2030-05-01 20:00:00" in text
    assert r'logout (c"\n<at>)' in text
    assert "cup 4" in text


@pytest.mark.parametrize("command", [("list",), ("export", "--all")])
def test_a_misspelt_type_championship_or_nick_is_told(data: Path, command: tuple[str, ...]) -> None:
    result = run(*command, "--data-dir", data, "--game-type", "nym")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "game type 'nym': unknown (did you mean 'nim'?); there are: " in result.stderr
    result = run(*command, "--data-dir", data, "--championship", "cap")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "championship 'cap': unknown; there are: none" in result.stderr
    result = run(*command, "--data-dir", data, "--nick", "bobb")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "nick 'bobb': unknown (did you mean 'bob'?); there are: " in result.stderr


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ((), ["h1", "g10", "g1"]),
        (("--limit", "1"), ["h1"]),
        (("--game-type", "nim"), ["h1"]),
        (("--nick", "bob"), ["g10", "g1"]),
        (("--championship", "cup"), ["h1"]),
        (("--championship", ""), ["g10", "g1"]),
        (("--nick", "bob", "--game-type", "nim"), []),
    ],
)
def test_a_list_can_be_filtered(data: Path, filters: tuple[str, ...], found: list[str]) -> None:
    assert ids(run("list", "--data-dir", data, "--format", "json", *filters)) == found


def test_a_list_as_json_says_all_that_the_journal_knows_of_a_game(data: Path) -> None:
    result = run("list", "--data-dir", data, "--format", "json", "--limit", "1")
    (game,) = json.loads(result.stdout)["games"]
    assert game == {
        "game": "h1",
        "type": "nim",
        "master": "m",
        "seats": [
            {"nick": 'c"\n<at>', "outcome": "lost", "left": "logout"},
            {"nick": "ann", "outcome": "won", "left": None},
        ],
        "began": "2030-05-01T20:00:00.123456Z",
        "ended": "2030-05-01T20:00:00.124656Z",
        "running": False,
        "verdict": "logout",
        "fault": "player",
        "culprit": 'c"\n<at>',
        "by_server": False,
        "reason": "",
        "moves": 0,
        "championship": "cup",
        "fixture": 4,
        "counts": True,
        "correction": None,
        "taken_out": None,
        "table": {},
    }


@pytest.mark.parametrize("states", [1, 40])
def test_a_list_has_what_the_game_master_gave_as_a_reason(tmp_path: Path, states: int) -> None:
    """Of a packed game all is read or nothing: only games of a few moves had one."""
    recorder = Recorder("r1", ("ann", "bob"), "nim")
    for _ in range(states):
        recorder.state(0, b"<gameState/>")
    recorder.adds(EntryKind.REASON, 500, text="heaps-empty: all heaps are empty")
    recorder.over([(1, "winner"), (0, "loser")], audience=2)
    assert store(tmp_path, recorder.ends([Outcome.LOST, Outcome.WON], Verdict(Cause.FINISHED)))
    assert "finished: all heaps are empty" in run("list", "--data-dir", tmp_path).stdout
    (game,) = json.loads(run("list", "--data-dir", tmp_path, "--format", "json").stdout)["games"]
    assert game["reason"] == "all heaps are empty"
    with Reader(tmp_path) as reader:
        games = list(reader.games())
        assert words_of_ends(reader, games * 2, most_bytes=0) == {}, "a list costs no more than it may"


def test_a_game_is_told_with_its_moves_and_their_times(data: Path) -> None:
    result = run("show", "g1", "--data-dir", data)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "game g1: 5-in-line-tic-tac-toe, led by m"
    assert '   1      0.100  ann moves (0.100 s) <move><tic x="0" y="0"/></move>' in lines
    assert '   9      0.901  ann moves (0.100 s) <move><tic x="4" y="0"/></move>' in lines
    assert not any("tells the state" in line for line in lines)
    assert "sends the state, ann is to move" in run("show", "g1", "--data-dir", data, "--full").stdout


def test_a_list_says_of_a_game_that_it_does_not_count(data: Path) -> None:
    store(data, card_game())
    (line,) = (line for line in run("list", "--data-dir", data).stdout.splitlines() if " c1 " in line)
    assert "finished, does not count" in line
    (game, *_) = json.loads(run("list", "--data-dir", data, "--format", "json").stdout)["games"]
    assert (game["game"], game["counts"], game["table"]["owner"]) == ("c1", False, "ann")


def test_what_is_shown_to_everybody_has_no_secret_in_it(data: Path) -> None:
    store(data, card_game())
    for arguments in (("export",), ("show", "--full"), ("export", "--format", "jsonl")):
        assert "<move>" in run(*arguments, "c1", "--data-dir", data).stdout
        shown = run(*arguments, "c1", "--data-dir", data, "--public").stdout
        assert "two cards" in shown
        for secret in ("ann: 7", "bob: ", "<move>", "you win", "s-1"):
            assert secret not in shown


def test_a_state_is_shown_once_as_the_viewer_saw_it(data: Path) -> None:
    store(data, card_game())
    assert "ann: 7" not in run("show", "c1", "--data-dir", data).stdout
    all_see = run("show", "c1", "--full", "--data-dir", data).stdout
    assert "two cards" in all_see
    assert "ann: 7" not in all_see
    assert "--viewer NICK shows them as this player saw them" in all_see
    ann_saw = run("show", "c1", "--full", "--viewer", "ann", "--data-dir", data).stdout
    assert "ann, bob are to move (0.000 s) <gameState>ann: 7" in ann_saw
    assert "--viewer NICK" not in ann_saw
    assert all(hidden not in ann_saw for hidden in ("two cards", "bob: 4"))
    assert "<gameState>one card" in ann_saw, "of what ann had no view of her own she saw what all saw"


def test_the_beginning_of_an_id_is_enough_where_it_fits_one_game(data: Path) -> None:
    assert run("show", "h", "--data-dir", data).exit_code == 0
    result = run("show", "g", "--data-dir", data)
    assert result.exit_code == 1
    assert result.stderr == "ugs record show: game 'g': that beginning fits 2 games in the journal: g1, g10\n"


@pytest.mark.parametrize("form", ["ugsg", "jsonl"])
def test_export_and_import_lose_nothing(data: Path, tmp_path: Path, form: str) -> None:
    files = [tmp_path / "first.txt", tmp_path / "second.txt"]
    other = tmp_path / "other"
    store(data, card_game())
    result = run("export", "--all", "--data-dir", data, "--output", files[0], "--format", form)
    assert (result.exit_code, result.output) == (0, "")
    result = run("import", files[0], "--data-dir", other)
    assert (result.exit_code, result.stdout) == (0, f"{files[0]}: 4 imported, 0 there already\n")
    assert run("export", "--all", "--data-dir", other, "--output", files[1], "--format", form).exit_code == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    with Reader(other) as reader:
        for record in (*GAMES, card_game()):
            assert reader.record(record.game_id) == record
    result = run("import", files[1], "--data-dir", other)
    assert result.stdout == f"{files[1]}: 0 imported, 4 there already\n"


def test_single_games_go_to_standard_output_in_the_order_in_which_they_were_named(data: Path) -> None:
    result = run("export", "h1", "g1", "--data-dir", data)
    assert result.exit_code == 0
    assert list(ugsg.read(io.BytesIO(result.stdout_bytes))) == [GAMES[2], GAMES[0]]


def test_the_name_of_the_file_says_in_which_format(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    assert run("export", "--all", "--nick", "bob", "--limit", "1", "--data-dir", data, "--output", file).exit_code == 0
    with file.open("rb") as lines:
        assert list(jsonl.read(lines)) == [GAMES[1]]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("show", "x"), "ugs record show: game 'x': there is no such game in the journal"),
        (("export", "x", "--output", "FILE"), "ugs record export: game 'x': there is no such game in the journal"),
        (("export", "--all", "--output", "no/such/place"), "no/such/place: cannot be written: No such file"),
        (("import", "no-such-file"), "ugs record import: no-such-file: cannot be read: No such file"),
    ],
)
def test_what_cannot_be_done_is_said(data: Path, tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    file = tmp_path / "out.ugsg"
    result = run(*(str(file) if argument == "FILE" else argument for argument in arguments), "--data-dir", data)
    assert result.exit_code == 1
    assert words in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data"], "nothing half written is left"


def test_of_a_broken_file_nothing_is_imported(tmp_path: Path) -> None:
    file = tmp_path / "broken.ugsg"
    file.write_bytes(ugsg.write(GAMES[0]) + b"\nbroken\n")
    result = run("import", file, "--data-dir", tmp_path / "new")
    assert result.exit_code == 1
    assert result.stderr == f"ugs record import: {file}: line 41: not a tag such as [Game \"x\"]: 'broken'\n"
    with Reader(tmp_path / "new") as reader:
        assert list(reader.games()) == []


def test_another_game_of_the_same_id_is_not_overwritten(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "other.ugsg"
    file.write_bytes(ugsg.write(replace(GAMES[0], server="9.9")))
    result = run("import", file, "--data-dir", data)
    assert result.exit_code == 1
    assert "ugs record import: game 'g1': the journal has another game of this id" in result.stderr


def test_a_game_that_has_not_ended_is_listed_and_left_out_of_an_export_of_all(tmp_path: Path) -> None:
    kept = threading.Event()
    journal = Journal(
        tmp_path, version="1", kept=lambda _games: kept.set(), lost=pytest.fail, back=lambda: pytest.fail("was lost")
    )
    try:
        for record in (GAMES[0], replace(GAMES[1], game_id="r1", result=None)):
            began = RecordBegin(record.game_id, record.game_type, record.master, record.seats)
            journal.record(began, record.began_us, record.entries[0].mono_us)
        assert GAMES[0].result is not None
        journal.record(RecordResult(GAMES[0].result), GAMES[0].began_us + 1, GAMES[0].entries[0].mono_us + 1)
        journal.flush()
        assert kept.wait(30)
        assert ids(run("list", "--data-dir", tmp_path, "--format", "json")) == ["r1", "g1"]
        assert "running" in run("list", "--data-dir", tmp_path).stdout
        result = run("export", "--all", "--data-dir", tmp_path)
        assert result.exit_code == 0
        assert [record.game_id for record in ugsg.read(io.BytesIO(result.stdout_bytes))] == ["g1"]
        assert result.stderr == "ugs record export: left out because they have not ended: 1\n"
        assert "it has not ended" in run("show", "r1", "--data-dir", tmp_path).stdout
    finally:
        journal.close()


def test_a_game_that_is_told_ends_with_a_picture_of_its_last_position(data: Path) -> None:
    result = run("show", "g10", "--data-dir", data)
    head, picture = result.stdout.split("\nlast position:\n")
    assert "result: finished" in head
    assert "X ann won" in picture
    assert run("show", "g10", "--public", "--data-dir", data).stdout.split("\nlast position:\n")[1] == picture


def test_the_picture_is_what_a_viewer_saw(tmp_path: Path) -> None:
    store(tmp_path, card_game())
    shown = [run("show", "c1", "--data-dir", tmp_path, *more).stdout for more in ((), ("--viewer", "ann"))]
    assert shown[0] != shown[1]
    assert run("show", "c1", "--data-dir", tmp_path, "--viewer", "zoe").exit_code == 1
    assert run("show", "c1", "--data-dir", tmp_path, "--viewer", "ann", "--public").exit_code == 2


def test_a_journal_is_rescued(data: Path, tmp_path: Path) -> None:
    result = run("rescue", tmp_path / "whole", "--data-dir", data)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0].startswith(f"{tmp_path / 'whole'}: 3 games, 3 results")
    assert result.stdout.splitlines()[-1] == "everything was saved"
    assert ids(run("list", "--data-dir", tmp_path / "whole", "--format", "json")) == ["h1", "g10", "g1"]
    with closing(sqlite3.connect(data / DATABASE)) as db, db:
        db.execute("UPDATE result SET cause = 'bored' WHERE game = 2")
    refused = run("import", "--data-dir", data, tmp_path / "none.ugsg")
    assert refused.exit_code == 1
    result = run("rescue", tmp_path / "new", "--data-dir", data)
    assert result.exit_code == 1
    assert "damaged: table result, row 2: its content fails its checksum" in result.stdout
    assert "lost: games without their seats or their result: g10" in result.stdout
    assert ids(run("list", "--data-dir", tmp_path / "new", "--format", "json")) == ["h1", "g1"]


def test_nothing_is_rescued_into_a_directory_that_is_in_use(data: Path) -> None:
    result = run("rescue", data, "--data-dir", data)
    assert result.exit_code == 1
    assert result.stderr == f"ugs record rescue: {data}: must be a new or an empty directory\n"
