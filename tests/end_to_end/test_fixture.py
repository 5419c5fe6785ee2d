"""A game that begins from a fixture is played again as it was, by a master that has never seen the file."""

import sys
from pathlib import Path

from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import Program, client, output
from ugs.journal.reader import Reader

FIXTURE = """\
players = 2
begins = "YELLOW"
pile = ["2", "A", "A"]      # three cards, then chance
[options]
mode = "ADULT"
[hands]
RED = ["1", "1", "1", "1", "1"]
[pawns]
RED = ["H", "H", "H", "s3"]
"""


def test_the_record_keeps_the_fixture_and_a_replay_uses_it(serves: Serves, tmp_path: Path) -> None:
    data, fixture = tmp_path / "data", tmp_path / "puzzle.toml"
    fixture.write_text(FIXTURE, encoding="utf-8")
    server = serves("", "--data-dir", str(data))
    with client("master", server, "apologies", "--fixture", str(fixture)):
        server.logs("master logged in")
        bots = [client("bot", server, "apologies", "--nick", nick, "--games", "1") for nick in ("ann", "bob")]
        with bots[0] as ann, bots[1] as bob:
            assert (ann.ends(), bob.ends()) == (0, 0), ann.output + bob.output
        server.logs("game ended", fault="nobody")
        server.stops()
    with Reader(data) as reader:
        (result,) = reader.results()
    assert [seat.outcome for seat in result.seats] == ["won", "lost"], "RED needs one step"
    shown = output("record", "show", result.game_id, "--data-dir", data)
    assert "begins from a set-up of its own: players = 2\\nbegins" in shown
    exported = tmp_path / "game.ugsg"
    output("record", "export", result.game_id, "--data-dir", data, "--public", "--output", exported)
    assert b"begins" not in exported.read_bytes()
    again = f"{sys.executable} -m ugs master apologies --connect {{address}} --once"
    with Program.ugs("replay", result.game_id, "--data-dir", data, "--master", again) as replay:
        assert replay.ends() == 0, replay.output
    assert "states are equal" in replay.output
