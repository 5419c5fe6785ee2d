"""Friends at tables: a server, a master, and bots who choose whom they play, each a process of its own.

What needs no processes is in ``tests/game_masters/test_programs.py``.
"""

import json
import signal
import sys
from pathlib import Path

from defusedxml import ElementTree

from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import GAME_TYPE, Program, Server, client, output, until
from ugs.broker.values.record import EntryKind
from ugs.journal.reader import Reader

GAME = "tic-tac-toe"


def bot(server: Server, nick: str, *arguments: str) -> Program:
    """A bot that plays quickly and always alike."""
    return client("bot", server, GAME, "--nick", nick, "--bot", "random", "--seed", "1", *arguments)


def lobby(server: Server, what: str, nick: str) -> list[dict[str, object]]:
    """What ``ugs lobby`` shows to this nick."""
    who = ("--nick", nick, "--type", GAME_TYPE)
    told = output("lobby", what, *who, "--connect", server.address, "--json")
    found: list[dict[str, object]] = json.loads(told)[what]
    return found


def test_hands_are_hidden_at_a_table_whose_options_say_so(serves: Serves, tmp_path: Path) -> None:
    """Its master leads open games unless asked; two friends and two computers play one that is not."""
    data = tmp_path / "data"
    server = serves("", "--data-dir", str(data))
    hands = ("--advertise", "Hands", "--computers", "2", "--seats", "4", "--option", "mode=ADULT")

    def plays(nick: str, *arguments: str) -> Program:
        return client("bot", server, "apologies", "--nick", nick, *arguments)

    with (
        client("master", server, "apologies", "--check") as master,
        plays("bob", "--join", "Hands", "--bot", "reward") as bob,
    ):
        server.logs("master logged in")
        with plays("ada", *hands) as ada:
            assert (ada.ends(), bob.ends()) == (0, 0), ada.output + bob.output
        (game,) = server.logs("game ended", fault="nobody")
        assert sorted(game["outcomes"]) == ["ada", "bob"]
        server.stops()
        assert master.ends() == 0
        assert not master.events("own payload does not fit the schema")
    with Reader(data) as reader:
        (result,) = reader.results()
        record = reader.record(result.game_id)
    assert dict(record.options) == {"mode": "ADULT", "rules": "strict", "puzzle": "0"}
    views = [(entry.audience, entry.body) for entry in record.entries if entry.kind is EntryKind.VIEW]
    for seat, nick in enumerate(record.seats):
        own = [hands_in(body) for audience, body in views if audience == 1 << seat]
        assert own
        assert all(hands == {nick} for hands in own), "a player sees its own hand and no other"
    assert {audience for audience, _ in views} == {1, 2}
    public = [entry for entry in record.entries if entry.kind in (EntryKind.STATE, EntryKind.OVER)]
    assert len(views) == 2 * len(public)
    assert not any(entry.audience or hands_in(entry.body) for entry in public), "what all may see goes to no player"
    again = f"{sys.executable} -m ugs master apologies --connect {{address}} --once"
    with Program.ugs("replay", record.game_id, "--data-dir", data, "--master", again) as replay:
        assert replay.ends() == 0, replay.output
    assert f"all {len(public)} states are equal" in replay.output


def hands_in(payload: bytes) -> set[str | None]:
    """Whose cards a state of apologies shows."""
    seats = ElementTree.fromstring(payload).iter("seat")
    return {seat.get("nick") for seat in seats if seat.find("card") is not None}


def test_a_table_stands_as_long_as_its_host_is_there(serves: Serves) -> None:
    server = serves()
    with bot(server, "ada", "--advertise", "Open") as ada:
        ada.logs("sits at a table")
        (found,) = lobby(server, "tables", "bob")
        assert found["name"] == "Open"
        ada.signal(signal.SIGTERM)
        assert ada.ends() == 0
    until(lambda: lobby(server, "tables", "bob") == [])
