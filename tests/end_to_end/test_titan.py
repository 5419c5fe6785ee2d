"""Titan among processes: the example player of plain v4, a fixture, the record and its replay; computer players."""

import sys
from pathlib import Path

from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import TOP, Program, Server, client
from tests.profile import ONLY_DEEP
from ugs.broker.values.record import EntryKind
from ugs.journal.reader import Reader

FIXTURE = """\
players = 2
seed = "slugs"
towers = ["600", "300"]
colors = ["Red", "Blue"]
turn = 3
dice = [1]

[[legions]]
player = 0
marker = "Rd01"
hex = "2"
creatures = ["Titan", "Ogre", "Ogre"]

[[legions]]
player = 1
marker = "Bu01"
hex = "3"
creatures = ["Titan", "Centaur"]
"""


def example(server: Server, nick: str) -> Program:
    """The player in examples/, which knows plain v4 and nothing else."""
    host, _, port = server.address.rpartition(":")
    return Program(sys.executable, "-I", "-u", TOP / "examples" / "titan_player.py", host, port, nick, "--games", "1")


@ONLY_DEEP
def test_players_of_plain_v4_play_to_the_end_and_the_game_plays_again(serves: Serves, tmp_path: Path) -> None:
    data, fixture = tmp_path / "data", tmp_path / "slugs.toml"
    fixture.write_text(FIXTURE, encoding="utf-8")
    server = serves("", "--data-dir", str(data))
    with client("master", server, "titan", "--check", "--fixture", str(fixture)) as master:
        server.logs("master logged in")
        with example(server, "ann") as ann, example(server, "bob") as bob:
            assert [player.ends() for player in (ann, bob)] == [0, 0], ann.output + bob.output
        (game,) = server.logs("game ended", fault="nobody")
        assert sorted(game["outcomes"]) == ["ann", "bob"]
        server.stops()
        assert master.ends() == 0
        assert not master.events("own payload does not fit the schema")
        assert not master.events("unreadable move")
    with Reader(data) as reader:
        (result,) = reader.results()
        record = reader.record(result.game_id)
    placed = [entry.body for entry in record.entries if entry.kind is EntryKind.STATE and b"<place" in entry.body]
    assert placed
    assert not any(b"<creature " in body for body in placed), "nobody is told what others hold"
    again = f"{sys.executable} -m ugs master titan --connect {{address}} --once"
    with Program.ugs("replay", record.game_id, "--data-dir", data, "--master", again) as replay:
        assert replay.ends() == 0, replay.output
    assert "states are equal" in replay.output


def test_the_example_plays_against_a_computer_player(serves: Serves) -> None:
    server = serves()
    with client("master", server, "titan") as master:
        server.logs("master logged in")
        with example(server, "ann") as ann, client("bot", server, "titan", "--nick", "bob", "--games", "1") as bob:
            assert (ann.ends(), bob.ends()) == (0, 0), ann.output + bob.output
        server.logs("game ended", fault="nobody")
        assert master.running
