"""Bang! among processes: the example player of plain v4, a fixture, the record and its replay; computer players."""

import re
import sys
from pathlib import Path

from defusedxml import ElementTree

from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import TOP, Program, Server, client
from tests.profile import ONLY_DEEP
from ugs.broker.values.record import EntryKind
from ugs.journal.reader import Reader

FIXTURE = """\
players = 4
seed = "high noon"
[player.1]
role = "sheriff"
character = "willy-the-kid"
hand = ["bang", "bang", "bang", "gatling"]
[player.2]
role = "outlaw"
character = "bart-cassidy"
life = 1
hand = ["missed 8 spades"]
[player.3]
role = "outlaw"
character = "jesse-jones"
life = 1
hand = ["panic"]
[player.4]
role = "renegade"
character = "kit-carlson"
life = 1
hand = []
"""


def example(server: Server, nick: str) -> Program:
    """The player in examples/, which knows plain v4 and reasons."""
    host, _, port = server.address.rpartition(":")
    return Program(sys.executable, "-I", "-u", TOP / "examples" / "bang_player.py", host, port, nick, "--games", "1")


def hands_in(payload: bytes) -> set[str | None]:
    """Whose hands a state shows."""
    return {private.get("id") for private in ElementTree.fromstring(payload).iter("private-player")}


@ONLY_DEEP
def test_players_of_plain_v4_play_to_the_end_and_the_game_plays_again(serves: Serves, tmp_path: Path) -> None:
    data, fixture = tmp_path / "data", tmp_path / "noon.toml"
    fixture.write_text(FIXTURE, encoding="utf-8")
    server = serves("", "--data-dir", str(data))
    nicks = ("Ann", "Ben", "Cleo", "Dan")
    with client("master", server, "bang", "--check", "--fixture", str(fixture)) as master:
        server.logs("master logged in")
        players = [example(server, nick) for nick in nicks]
        with players[0], players[1], players[2], players[3]:
            assert [player.ends() for player in players] == [0] * 4, "\n".join(player.output for player in players)
            assert all(re.search(r"^why: .*, as judged by", player.output, re.MULTILINE) for player in players)
        (game,) = server.logs("game ended", fault="nobody")
        assert sorted(game["outcomes"]) == sorted(nicks)
        server.stops()
        assert master.ends() == 0
        assert not master.events("own payload does not fit the schema")
        assert not master.events("illegal move")
        assert not master.events("unreadable move")
    with Reader(data) as reader:
        (result,) = reader.results()
        record = reader.record(result.game_id)
    views = [(entry.audience, entry.body) for entry in record.entries if entry.kind is EntryKind.VIEW]
    for seat in range(4):
        assert {one for audience, body in views if audience == 1 << seat for one in hands_in(body)} == {str(seat + 1)}
    public = [entry for entry in record.entries if entry.kind in (EntryKind.STATE, EntryKind.OVER)]
    assert not any(hands_in(entry.body) for entry in public)
    again = f"{sys.executable} -m ugs master bang --connect {{address}} --once"
    with Program.ugs("replay", record.game_id, "--data-dir", data, "--master", again) as replay:
        assert replay.ends() == 0, replay.output
    assert f"all {len(public)} states are equal" in replay.output


def test_a_player_plays_with_six_computer_players(serves: Serves) -> None:
    server = serves()
    table = ("--advertise", "Noon", "--computers", "6", "--seats", "7", "--games", "1")
    with client("master", server, "bang") as master:
        server.logs("master logged in")
        with client("bot", server, "bang", "--nick", "ada", "--bot", "random-legal", "--seed", "1", *table) as ada:
            assert ada.ends() == 0, ada.output
        server.logs("game ended", fault="nobody")
        assert master.running
