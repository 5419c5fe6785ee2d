"""Acts of organisers in the journal: what holds in the next life of the server."""

from pathlib import Path

import pytest

from tests.journal.servers import TYPE, JournalServer
from ugs.broker.effects import RecordAct, RecordLogin, RecordLogout
from ugs.broker.values.access import AccessRule
from ugs.broker.values.identity import Role
from ugs.championship.ledger import LedgerEntry, What
from ugs.journal.acts import BannedName, written_subject
from ugs.journal.done import done_lines
from ugs.journal.reader import LoggedAct, Reader
from ugs.journal.repair.checking import check
from ugs.journal.tokens import NewRow, add


def act(kind: str, subject: str = "", game_type: str = "", seconds: float | None = None) -> RecordAct:
    return RecordAct(kind, subject, game_type, "root", "burnt", seconds)


def does(server: JournalServer, *acts: RecordAct) -> None:
    for one in acts:
        server.now_us += 1000
        server.journal.record(one, server.now_us, server.now_us)
        server.journal.flush()


def holding(directory: Path) -> tuple[dict[str, str], dict[tuple[str, bool], bool]]:
    """The types that are paused; the bans, each with whether it is for good."""
    with JournalServer(directory) as server:
        past = server.journal.past
        return dict(past.paused), {(ban.subject, ban.is_address): ban.left_s is None for ban in past.bans}


def test_pauses_and_bans_hold_until_they_are_lifted(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        does(
            server,
            act("pause", game_type=TYPE),
            act("pause", game_type="go"),
            act("resume", game_type="go"),
            act("ban", "ann until lifted"),
            act("ban", "ben"),
            act("ban", "10.0.0.0/8"),
            act("ban address", "10.0.0.0/8", seconds=1e8),
            act("ban address", "192.0.2.0/24"),
            act("unban", "ben"),
            act("unban", "never banned"),
            act("unban address", "192.0.2.0/24"),
            act("broadcast", "text until whenever"),
        )
    assert holding(tmp_path) == (
        {TYPE: "burnt"},
        {("ann until lifted", False): True, ("10.0.0.0/8", False): True, ("10.0.0.0/8", True): False},
    )


def test_what_is_allowed_holds_as_long_and_is_no_ban(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        does(
            server,
            act("allow", "ann"),
            act("ban", "ann"),
            act("allow", "ben"),
            act("disallow", "ben"),
            act("unban", "ann"),
            act("allow address", "10.0.0.0/8"),
            act("allow address", "192.0.2.0/24"),
            act("disallow address", "192.0.2.0/24"),
        )
    with JournalServer(tmp_path) as server:
        assert list(server.journal.past.bans) == [
            AccessRule("ann", False, "burnt", allows=True),
            AccessRule("10.0.0.0/8", True, "burnt", allows=True),
        ]


def test_a_ban_that_is_over_does_not_come_back(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.now_us = 1_000_000
        does(server, act("ban", "ann", seconds=10), act("ban", "ben", seconds=1e10))
    with JournalServer(tmp_path) as server:
        (ban,) = server.journal.past.bans
    assert (ban.subject, ban.is_address, ban.why) == ("ben", False, "burnt")
    assert ban.left_s is not None
    assert 0 < ban.left_s < 1e10
    assert ban == AccessRule("ben", False, "burnt", ban.left_s)


def test_a_ban_of_a_name_has_who_ordered_it_and_since_when(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.now_us = 1_000_000
        does(server, act("ban", "ann"), act("ban", "ben", seconds=10), act("ban", "cat"), act("unban", "Cat"))
        does(server, act("ban", "eve"), act("ban", "EVE", seconds=10))
    with Reader(tmp_path) as reader:
        assert reader.ban("Ann", 2_000_000) == BannedName("ann", 1_001_000, None, "root", "burnt")
        assert reader.ban("ben", 2_000_000) == BannedName("ben", 1_002_000, 11_000_000, "root", "burnt")
        assert reader.ban("ben", 11_000_000) is None
        assert reader.ban("cat", 2_000_000) is None
        assert reader.ban("eve", 12_000_000) is None, "the last ban of a name has replaced the one before"
        assert reader.ban("ann until lifted", 2_000_000) is None


def test_orders_to_championships_are_among_what_was_done(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.now_us = 1_000_000
        server.ledger("cup", LedgerEntry(What.PLANNED, {"plan": {"name": "cup", "game_type": TYPE}}, "eve"))
        does(server, act("ban", "ann", seconds=3600))
        server.now_us = 2_000_000
        server.ledger("cup", LedgerEntry(What.WITHDRAWN, {"nick": "ann", "struck": False}, "eve", "ill"))
        server.ledger("cup", LedgerEntry(What.WITHDRAWN, {"nick": "ben", "struck": False}, "", "logout"))
        server.ledger("cup", LedgerEntry(What.OVER, {"placing": [], "corrected": True}, "eve", "ill"))
    with Reader(tmp_path) as reader:
        assert [one.wall_us for one in reader.done(2)] == [1_002_000, 2_001_000]
    *_, ban, order = lines = done_lines(tmp_path)
    assert ban.startswith("1970-01-01 00:00:01 UTC  root: ban ann until 1970-01-01T01:00:01Z")
    assert order == "1970-01-01 00:00:02 UTC  eve: championship cup: ann is out; its results stand (ill)"
    assert "eve: championship cup: announced" in lines[0]
    assert len(lines) == 3, "not what nobody has ordered, nor what follows from an order"
    assert done_lines(tmp_path, 2) == [ban, order]
    add(tmp_path, [NewRow(Role.PLAYER, "ann", "digest", key="key")], "root", 1_500_000)
    token = "1970-01-01 00:00:01 UTC  root: token of player ann made"
    assert done_lines(tmp_path, 2) == [token, order]


def test_people_can_read_what_was_done(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.now_us = 1_000_000
        does(server, act("ban", "ann", seconds=3600), act("ban address", "10.0.0.0/8"), act("drain"))
    with Reader(tmp_path) as reader:
        assert [(one.kind, one.subject, one.who) for one in reader.acts()] == [
            ("ban", "ann until 1970-01-01T01:00:01Z", "root"),
            ("ban address", "10.0.0.0/8 until lifted", "root"),
            ("drain", "", "root"),
        ]
        assert reader.game_types() == [], "an act without a game type makes none"


def test_what_a_plan_wants_is_done_by_the_server() -> None:
    pause = LoggedAct(1_000_000, "pause", "", TYPE, "", "championship cup is over")
    assert pause.line == f"1970-01-01 00:00:01 UTC  the server: pause {TYPE} (championship cup is over)"


@pytest.mark.parametrize("kind", ["pause", "resume", "drain", "void", "remove", "forget", "broadcast", "unban"])
def test_subjects_of_other_acts_are_written_as_they_are(kind: str) -> None:
    assert written_subject(act(kind, "ann", seconds=5), 0) == "ann"


def test_an_address_is_erased_from_logins_that_are_over(tmp_path: Path) -> None:
    addresses = [
        "203.0.113.7:1",
        "203.0.113.200:65000",
        "[::ffff:203.0.113.7]:2",
        "203.0.114.7:1",
        "[2001:db8::1]:3",
        "1.203.0.113:5",
        "",
    ]
    with JournalServer(tmp_path) as server:
        for number, address in enumerate(addresses, 1):
            server.journal.record(RecordLogin(number, "player", f"nick {number}", TYPE, address), 5, 5)
            server.journal.record(RecordLogout(number, "logout"), 6, 6)
        server.journal.record(RecordLogin(99, "player", "here", TYPE, "203.0.113.9:1"), 5, 5)
        server.journal.flush()
        does(server, act("forget address", "203.0.113.0/24"))
    names = [f"nick {number}" for number in range(1, len(addresses) + 1)] + ["here"]
    check(tmp_path)
    with Reader(tmp_path) as reader:
        kept = [login.address for name in names for login in reader.logins(name)]
        assert kept == ["", "", "", *addresses[3:], "203.0.113.9:1"]
        assert [(one.kind, one.subject) for one in reader.acts()] == [("forget address", "")]
    assert b"203.0.113.200" not in (tmp_path / "journal.sqlite").read_bytes()


@pytest.mark.parametrize("wanted", ["2001:db8::/32", "203.0.113.7/32", "203.0.0.0/13"])
def test_ranges_of_all_kinds(tmp_path: Path, wanted: str) -> None:
    with JournalServer(tmp_path) as server:
        for number, address in enumerate(("203.0.113.7:1", "203.0.113.77:1", "[2001:db8::1]:3"), 1):
            server.journal.record(RecordLogin(number, "player", f"nick {number}", TYPE, address), 5, 5)
            server.journal.record(RecordLogout(number, "logout"), 6, 6)
        does(server, act("forget address", wanted))
    with Reader(tmp_path) as reader:
        erased = [number for number in (1, 2, 3) if not reader.logins(f"nick {number}")[0].address]
    assert erased == {"2001:db8::/32": [3], "203.0.113.7/32": [1], "203.0.0.0/13": [1, 2]}[wanted]
