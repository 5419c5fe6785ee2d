"""A server with a data directory, and the commands that look into it while it runs and afterwards."""

import json
import signal
from pathlib import Path

from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import GAME_TYPE, Game, Program, Server, answer_of, client, output, until
from ugs.journal.reader import Reader
from ugs.record.files import read_file

GAME = "tic-tac-toe"
HTTP = ("--http-port", "0")


def played(serves: Serves, data: Path) -> tuple[Server, Game]:
    """A server and a game of which three moves are played."""
    server = serves("", "--data-dir", str(data), *HTTP)
    game = Game(server)
    for _ in range(3):
        game.goes_on()
    return server, game


def until_on_file(data: Path, game_id: str) -> None:
    """Wait until a game that runs is in the journal: moves do not wait for the disk."""
    with Reader(data) as reader:
        until(lambda: game_id in [game.game_id for game in reader.games()])


def login_is_on_file(data: Path, nick: str) -> bool:
    """Whether the journal knows of a login: they do not wait for the disk."""
    with Reader(data) as reader:
        return bool(reader.logins(nick))


def test_a_finished_game_is_listed_shown_explained_and_exported_exactly(serves: Serves, tmp_path: Path) -> None:
    data = tmp_path / "data"
    server, game = played(serves, data)
    game.ends()
    winner = game.seats[0]
    assert game.id in output("record", "list", "--data-dir", data)
    assert f"won: {winner}" in output("record", "show", game.id, "--data-dir", data)
    why = output("why", game.id, "--data-dir", data)
    assert "no one was at fault" in why
    assert "<move><!-- 2 --></move>" in why
    assert "broker" in why
    first, second = tmp_path / "one.ugsg", tmp_path / "two.ugsg"
    output("record", "export", game.id, "--data-dir", data, "--output", first)
    output("record", "import", first, "--data-dir", tmp_path / "copy")
    output("record", "export", game.id, "--data-dir", tmp_path / "copy", "--output", second)
    assert first.read_bytes() == second.read_bytes()
    (record,) = read_file(first)
    assert [entry.body for entry in record.entries if entry.kind == "move"] == [
        b"<move><!-- %d --></move>" % number for number in range(3)
    ]
    assert server.stops() == 0


def test_a_waiting_player_is_told_why_by_the_running_server(serves: Serves, tmp_path: Path) -> None:
    server = serves("", "--data-dir", str(tmp_path / "data"), *HTTP)
    ann = server.player("ann")
    assert "no game master" in output("why", "ann", "--data-dir", tmp_path / "data")
    ann.closes()
    server.logs("disconnected")
    until(lambda: login_is_on_file(tmp_path / "data", "ann"))
    assert "127.0.0.1" in output("why", "ann", "--data-dir", tmp_path / "data"), "its login is remembered"


def test_after_a_kill_the_game_is_void_and_the_table_is_what_it_was(serves: Serves, tmp_path: Path) -> None:
    data = tmp_path / "data"
    first, game = played(serves, data)
    game.ends()
    before = json.loads(output("standings", "--data-dir", data, "--format", "json"))
    half = Game(first)
    half.goes_on()
    until_on_file(data, half.id)
    first.signal(signal.SIGKILL)
    assert first.ends() == -signal.SIGKILL
    second = serves("", "--data-dir", str(data), *HTTP)
    assert "the server was gone" in output("why", half.id, "--data-dir", data)
    after = json.loads(answer_of(f"http://{second.ready['http']}/standings.json"))
    for told in (before, after):
        rows = {player["nick"]: (player["won"], player["lost"]) for player in told["players"]}
        assert rows == {game.seats[0]: (1, 0), game.seats[1]: (0, 1)}
    table = output("standings", "--connect", f"http://{second.ready['http']}", "--game-type", GAME_TYPE)
    assert game.seats[0] in table
    assert second.stops() == 0


def test_a_directory_serves_one_server_at_a_time(serves: Serves, tmp_path: Path) -> None:
    server = serves("", "--data-dir", str(tmp_path / "data"), *HTTP)
    with Program.ugs("serve", "--port", "0", *HTTP, "--data-dir", tmp_path / "data") as second:
        assert second.ends() == 1
        assert str(server.pid) in second.output
        assert "Traceback" not in second.output
    assert server.running


def test_a_championship_is_paused_with_a_reason_and_goes_on(serves: Serves, tmp_path: Path) -> None:
    data = tmp_path / "data"
    plan = tmp_path / "cup.toml"
    plan.write_text(f'name = "cup"\ngame_type = "{GAME_TYPE}"\nentrants = ["ann", "bob"]\nrepeats = 2\n')
    assert "2" in output("championship", "plan", plan, "--dry-run")
    server = serves("", "--data-dir", str(data), *HTTP)
    output("championship", "plan", plan, "--data-dir", data)
    output("championship", "pause", "cup", "--why", "lunch", "--data-dir", data)
    with (
        client("master", server, GAME),
        client("bot", server, GAME, "--nick", "ann"),
        client("bot", server, GAME, "--nick", "bob"),
    ):
        server.logs("championship begun")
        assert server.events("game begun") == []
        assert "paused" in output("why", "ann", "--data-dir", data)
        output("championship", "resume", "cup", "--data-dir", data)
        server.logs("championship over")
    shown = output("championship", "show", "cup", "--data-dir", data)
    assert "lunch" in shown
    told = json.loads(output("standings", "--data-dir", data, "--championship", "cup", "--format", "json"))
    assert sum(player["games"] for player in told["players"]) == 4
