"""Friends at tables: a server, a master, and bots who choose whom they play, each a process of its own."""

import json
import signal
import sys
from pathlib import Path

import pytest
from defusedxml import ElementTree

from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import GAME_TYPE, Program, Server, client, until
from ugs.broker.record import EntryKind
from ugs.journal.reader import Reader

GAME = "tic-tac-toe"
SMALL = ("--option", "width=4", "--option", "height=4", "--option", "row=3")


def bot(server: Server, nick: str, *arguments: str) -> Program:
    """A bot that plays quickly and always alike."""
    return client("bot", server, GAME, "--nick", nick, "--bot", "random", "--seed", "1", *arguments)


def lobby(server: Server, what: str, nick: str) -> list[dict[str, object]]:
    """What ``ugs lobby`` shows to this nick."""
    who = ("--nick", nick, "--type", GAME_TYPE)
    with Program.ugs("lobby", what, *who, "--connect", server.address, "--json") as asked:
        assert asked.ends() == 0, asked.output
    found: list[dict[str, object]] = json.loads(asked.output)[what]
    return found


def test_friends_meet_at_a_private_table(serves: Serves) -> None:
    server = serves()
    table = ("--advertise", "Friday table", "--private", "--invite", "bob", "--games", "2", *SMALL)
    with (
        client("master", server, GAME, "--check") as master,
        bot(server, "pat") as pool,
        bot(server, "ada", *table) as ada,
    ):
        ada.logs("sits at a table")
        pool.logs("logged in")
        assert lobby(server, "tables", "eve") == []
        (found,) = lobby(server, "tables", "bob")
        assert (found["name"], found["owner"], found["free"]) == ("Friday table", "ada", 1)
        doing = {str(player["nick"]): player["play"] for player in lobby(server, "players", "eve")}
        assert doing == {"pat": "WAITING", "ada": "JOINED"}
        with bot(server, "bob", "--join", "Friday table", "--games", "2") as bob:
            assert (ada.ends(), bob.ends()) == (0, 0), ada.output + bob.output
        games = server.logs("game ended", times=2, fault="nobody")
        assert [sorted(game["outcomes"]) for game in games] == [["ada", "bob"]] * 2
        assert pool.events("game over") == [], "who waits in the pool is never seated at a table"
        server.stops()
        for program in (master, pool):
            assert program.ends() == 0
    assert server.events("wrong message") == []
    assert not ada.events("unreadable state") + bob.events("unreadable state"), "bob knows the board without being told"


def test_a_table_for_one_and_a_computer(serves: Serves) -> None:
    server = serves()
    with (
        client("master", server, GAME, "--check", *SMALL) as master,
        bot(server, "ada", "--advertise", "Me and it", "--computers", "1") as ada,
    ):
        assert ada.ends() == 0, ada.output
        (game,) = server.logs("game ended", fault="nobody")
        assert list(game["outcomes"]) == ["ada"]
        assert ada.events("unreadable state") == [], "it has asked how the master plays"
        server.stops()
        assert master.ends() == 0


@pytest.fixture
def high_card(tmp_path: Path) -> dict[str, str]:
    """An environment in which a game for two to four is installed."""
    facts = tmp_path / "site" / "high_card-1.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: high-card\nVersion: 1\n", encoding="utf-8")
    point = "[ugs.games]\nhigh-card = tests.game_masters.high_card:HIGH_CARD\n"
    (facts / "entry_points.txt").write_text(point, encoding="utf-8")
    return {"PYTHONPATH": str(facts.parent)}


def test_two_friends_and_a_computer_begin_when_the_host_likes(serves: Serves, high_card: dict[str, str]) -> None:
    server = serves()

    def plays(nick: str, *arguments: str) -> Program:
        return client("bot", server, "high-card", "--nick", nick, *arguments, environment=high_card)

    cards = ("--advertise", "Cards", "--seats", "4", "--computers", "1", "--private", "--invite", "bob")
    with (
        client("master", server, "high-card", "--check", environment=high_card) as master,
        plays("bob", "--join", "Cards") as bob,
    ):
        bob.logs("no such table yet, will look again")
        server.logs("master logged in")
        with plays("ada", *cards, "--start-with", "2", "--log-level", "debug") as ada:
            assert (ada.ends(), bob.ends()) == (0, 0), ada.output + bob.output
        (game,) = server.logs("game ended", fault="nobody")
        assert sorted(game["outcomes"]) == ["ada", "bob"]
        seats = [event["there"] for event in ada.events("at the table")]
        assert [len(there) for there in seats] == [1, 2, 2, 4], "set up, joined, begun, named by the master"
        server.stops()
        assert master.ends() == 0


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
    assert dict(record.options) == {"mode": "ADULT", "rules": "strict"}
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


def test_who_is_refused_a_table_is_told_why(serves: Serves) -> None:
    server = serves()
    with bot(server, "ada", "--advertise", "x" * 41) as ada:
        assert ada.ends() == 1
    (event,) = ada.events("the server cannot seat it so")
    assert event["reason"] == "x-advertise: table name: has 41 characters; allowed are 1 to 40"


def test_a_table_stands_as_long_as_its_host_is_there(serves: Serves) -> None:
    server = serves()
    with bot(server, "ada", "--advertise", "Open") as ada:
        ada.logs("sits at a table")
        (found,) = lobby(server, "tables", "bob")
        assert found["name"] == "Open"
        ada.signal(signal.SIGTERM)
        assert ada.ends() == 0
    until(lambda: lobby(server, "tables", "bob") == [])
