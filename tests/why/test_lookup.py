"""What a server and its journal know of a name, put together."""

import random
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.answering import answering
from tests.why.records import BEGAN_US, BOBS_TIMEOUT, OVER, RUNNING, TIMED_OUT, VERDICT, entry, over
from tests.why.test_answer import TURN, WAITING
from ugs.broker.effects import RecordAct, RecordBegin, RecordChampionship, RecordEntry, RecordLogin, RecordLogout
from ugs.broker.values.identity import Role
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.championship.ledger import LedgerEntry, What
from ugs.journal.database import DATABASE
from ugs.journal.importing import store
from ugs.journal.journal import Journal
from ugs.journal.journal_error import JournalError
from ugs.journal.token_file import FILE
from ugs.journal.tokens import NewRow, add
from ugs.why.answer import game_account, words_of_end
from ugs.why.lookup import MAX_READ_BYTES, UnknownName, look_up
from ugs.why.text import as_text

WON, LOST = Outcome.WON, Outcome.LOST
NOW_US = BEGAN_US + 60_000_000
ALONE = ["no server runs on this data directory: this is what its journal knows"]


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """A journal: ann, bob and m were online and played g1; m and ann are online again and play g22."""
    assert store(tmp_path, over())
    journal = Journal(tmp_path, version="0.1.0", kept=lambda _: None, lost=lambda _: None, back=lambda: None)
    journal.record(RecordLogin(1, "master", "m", "chess", "192.0.2.1:1", "2 players"), BEGAN_US, 0)
    journal.record(RecordLogin(2, "player", "ann", "chess", "192.0.2.1:2"), BEGAN_US, 0)
    journal.record(RecordLogout(2, "connection lost"), BEGAN_US + 1, 0)
    journal.record(RecordBegin("g22", "chess", "m", ("bob", "ann")), BEGAN_US + 2, 0)
    for one in RUNNING.entries:
        effect = RecordEntry("g22", one.kind, one.seat, one.audience, one.text, one.body)
        journal.record(effect, one.wall_us, one.mono_us, one.handed_us)
    journal.flush()
    journal.close()
    return tmp_path


def looked_up(name: str, data_dir: Path) -> list[dict[str, Any]]:
    """What is known without a server."""
    accounts, notes = look_up(name, data_dir, 6, NOW_US)
    assert notes == ALONE
    return accounts


def test_a_player_is_known_with_its_logins_and_games(data_dir: Path) -> None:
    (account,) = looked_up("ann", data_dir)
    assert (account["kind"], account["running"]) == ("player", ["g22"])
    assert [game["game"] for game in account["games"]] == ["g22", "g1"], "the newest first"
    assert account["logins"][0]["reason"] == "connection lost"


def test_of_a_game_lost_by_a_fault_it_is_told_what_was_said_of_it(tmp_path: Path) -> None:
    taken = entry(EntryKind.REASON, 9_000, seat=1, text="illegal-move: 1,7 is taken")
    verdict = entry(EntryKind.VERDICT, 9_100, text="illegal move, fault: player of bob; illegal-move: 1,7 is taken")
    assert store(tmp_path, over(Verdict(Cause.ILLEGAL_MOVE, "bob"), (WON, LOST), None, taken, OVER, verdict))
    (account,) = looked_up("bob", tmp_path)
    assert "; illegal move: 1,7 is taken, 1 move" in as_text(account)


def test_of_a_game_that_ended_by_the_rules_the_list_has_what_the_master_said(tmp_path: Path) -> None:
    reason = entry(EntryKind.REASON, 9_100, text="row-completed: row completed")
    verdict = entry(EntryKind.VERDICT, 9_200, text="finished, fault: nobody; row-completed: row completed")
    assert store(
        tmp_path,
        over(Verdict(Cause.FINISHED), (WON, LOST), None, reason, OVER, verdict),
    )
    (account,) = looked_up("bob", tmp_path)
    assert "; finished: row completed, 1 move" in as_text(account)


def test_a_master_that_repeats_that_a_player_left_is_passed_over(tmp_path: Path) -> None:
    left = entry(EntryKind.REASON, 30_009_000, text="player-left: player left")
    verdict = entry(EntryKind.VERDICT, 30_010_000, text="timeout, fault: player of bob; player-left: player left")
    late = over(Verdict(Cause.TIMEOUT, "bob"), (WON, LOST), Cause.TIMEOUT, TIMED_OUT, left, OVER, verdict)
    assert store(tmp_path, late)
    assert "; timeout: no move for 30.0 s, 1 move" in as_text(*looked_up("bob", tmp_path))
    why = as_text(*looked_up("g1", tmp_path))
    assert "bob did not move in time; ann won" in why
    assert "player left" not in why.split("last exchanges")[0]


def test_of_a_bot_that_crashed_the_list_names_its_lost_line(tmp_path: Path) -> None:
    cut = entry(EntryKind.CUT, 9_000, seat=1)
    back = entry(EntryKind.BACK, 9_500, seat=1)
    crashed = over(BOBS_TIMEOUT, (WON, LOST), Cause.TIMEOUT, cut, TIMED_OUT, OVER, VERDICT)
    assert store(tmp_path, crashed)
    assert "; timeout: no move for 30.0 s, line lost, 1 move" in as_text(*looked_up("bob", tmp_path))
    came_back = over(BOBS_TIMEOUT, (WON, LOST), Cause.TIMEOUT, cut, back, TIMED_OUT, OVER, VERDICT)
    assert words_of_end(came_back) == "no move for 30.0 s"


def test_a_record_without_the_last_state_does_not_show_how_long_it_took() -> None:
    late = over()
    assert words_of_end(late) == "no move for 30.0 s"
    assert words_of_end(replace(late, entries=late.entries[-3:])) == ""
    assert words_of_end(replace(late, entries=late.entries[-2:])) == ""


def test_of_a_line_that_the_server_closed_it_is_told_why(tmp_path: Path) -> None:
    words = "31 wrong messages: move: it is not your turn (it is ann's) (at most 30 in a minute)"
    told = entry(EntryKind.REFUSED, 9_000, seat=1, text=words)
    left = entry(EntryKind.LEFT, 9_001, seat=1, text="wrong messages")
    verdict = entry(EntryKind.VERDICT, 9_100, text=f"wrong messages, fault: player of bob; wrong-messages: {words}")
    closed = over(Verdict(Cause.WRONG_MESSAGES, "bob"), (WON, LOST), Cause.WRONG_MESSAGES, told, left, OVER, verdict)
    assert store(tmp_path, closed)
    assert f"; wrong messages: {words}, 1 move" in as_text(*looked_up("bob", tmp_path))
    why = as_text(*looked_up("g1", tmp_path))
    assert "the server closed the connection of bob for too many wrong messages; ann won" in why
    assert f"the server said: {words}" in why


def test_a_player_whose_game_went_on_without_it_is_explained_too() -> None:
    told = entry(EntryKind.REFUSED, 9_000, seat=1, text="document refused at byte 112: no XML")
    left = entry(EntryKind.LEFT, 9_001, seat=1, text="document refused")
    went_on = over(Verdict(Cause.FINISHED), (WON, LOST), Cause.DOCUMENT_REFUSED, told, left, OVER)
    sentences = game_account(went_on, 0, NOW_US)["why"]
    assert "the server closed the connection of bob: document refused at byte 112: no XML" in sentences


def test_a_very_long_game_is_listed_without_its_words(tmp_path: Path) -> None:
    large = entry(EntryKind.ERROR, 9_000, seat=0, text=random.Random(7).randbytes(MAX_READ_BYTES).hex())
    verdict = entry(EntryKind.VERDICT, 9_100, text="illegal move, fault: player of bob; illegal-move: 1,7 is taken")
    assert store(tmp_path, over(Verdict(Cause.ILLEGAL_MOVE, "bob"), (WON, LOST), None, large, OVER, verdict))
    assert "; illegal move, 1 move" in as_text(*looked_up("bob", tmp_path))


def test_a_player_that_only_played_is_known(data_dir: Path) -> None:
    (account,) = looked_up("bob", data_dir)
    assert (account["kind"], len(account["games"]), account["logins"]) == ("player", 2, [])


def test_why_the_line_of_a_lost_master_ended_is_in_the_account_of_its_game(tmp_path: Path) -> None:
    assert store(tmp_path, over(Verdict(Cause.MASTER_LOST, "m"), (Outcome.VOID, Outcome.VOID), None))
    journal = Journal(tmp_path, version="0.1.0", kept=lambda _: None, lost=lambda _: None, back=lambda: None)
    journal.record(RecordLogin(1, "master", "m", "chess", "192.0.2.1:1", "2 players"), BEGAN_US, 0)
    journal.record(RecordLogout(1, "logout"), BEGAN_US + 1_000_000, 0)
    journal.flush()
    journal.close()
    (account,) = looked_up("g1", tmp_path)
    assert account["why"][1] == "the line of m ended at 2030-03-17 17:46:41 UTC: logout"


def test_a_master_is_known(data_dir: Path) -> None:
    (account,) = looked_up("m", data_dir)
    assert (account["kind"], account["games"]) == ("master", [])


@pytest.mark.parametrize("name", ["g1", "g2", "g22"])
def test_a_game_is_known_by_its_id_or_the_beginning_of_it(data_dir: Path, name: str) -> None:
    (account,) = looked_up(name, data_dir)
    assert account["kind"] == "game"
    assert account["game"].startswith(name)


@pytest.mark.parametrize(
    ("name", "near"),
    [("anne", "ann"), ("g", "g22, g1"), ("", "no player"), ("zzz", "of this name"), ("\udcff", "no player")],
)
def test_an_unknown_name_is_told_with_those_that_are_near(data_dir: Path, name: str, near: str) -> None:
    with pytest.raises(UnknownName, match=near):
        look_up(name, data_dir, 6, NOW_US)


def test_of_a_banned_name_it_is_told_who_banned_it_since_when_and_why(data_dir: Path) -> None:
    journal = Journal(data_dir, version="0.1.0", kept=lambda _: None, lost=lambda _: None, back=lambda: None)
    for name, seconds in (("ann", None), ("nobody", 3600.0)):
        journal.record(RecordAct("ban", name, "", "Olga", "plays for two", seconds), BEGAN_US + 5_000_000, 0)
    journal.flush()
    journal.close()
    (account,) = looked_up("ann", data_dir)
    banned, absent = account["why"]
    assert banned == "banned by Olga since 2030-03-17 17:46:45 UTC: plays for two"
    assert absent.startswith("ann is not here")
    (account,) = looked_up("Nobody", data_dir)
    until = "until 2030-03-17 18:46:45 UTC"
    assert account["why"][0] == f"banned by Olga since 2030-03-17 17:46:45 UTC, {until}: plays for two"
    with answering(data_dir, {"ok": True, "found": [WAITING]}):
        (account,), _ = look_up("ann", data_dir, 6, NOW_US)
    assert account["why"] == [banned, *WAITING["why"]]


def test_a_championship_is_told_with_what_it_waits_for_and_the_command_that_shows_it(data_dir: Path) -> None:
    plan = LedgerEntry(What.PLANNED, {"plan": {"name": "Friday cup", "game_type": "chess"}}, "eve")
    journal = Journal(data_dir, version="0.1.0", kept=lambda _: None, lost=lambda _: None, back=lambda: None)
    journal.record(RecordChampionship("Friday cup", "chess", plan), BEGAN_US, 0)
    journal.flush()
    journal.close()
    (account,) = looked_up("Friday cup", data_dir)
    command = f"`ugs championship show 'Friday cup' --data-dir {data_dir}` shows all about it"
    assert as_text(account) == f"championship Friday cup\n  {command}"
    fixtures = [
        {"fixture": 5, "nicks": ["ann", "bob"], "why": ["ann plays game g9", "bob is away"]},
        {"fixture": 6, "nicks": ["cem", "dan"], "why": []},
    ]
    live = {"kind": "championship", "name": "Friday cup", "state": "running", "why": ["it is paused"], "peers": []}
    with answering(data_dir, {"ok": True, "found": [{**live, "fixtures": fixtures}]}):
        (account,), _ = look_up("Friday cup", data_dir, 6, NOW_US)
    assert as_text(account).splitlines() == [
        "championship Friday cup: running",
        "  it is paused",
        "  fixture 5, ann, bob: ann plays game g9; bob is away",
        "  fixture 6, cem, dan: it begins soon",
        f"  {command}",
    ]


def test_who_has_never_played_is_near_too(data_dir: Path) -> None:
    add(data_dir, [NewRow(Role.PLAYER, "gertrude", "digest")], "eve", 1)
    with pytest.raises(UnknownName, match=r"of this name; there is gertrude$"):
        look_up("gertrud", data_dir, 6, NOW_US)
    with answering(data_dir, {"ok": False, "error": "unknown", "near": ["zora"]}), pytest.raises(UnknownName) as told:
        look_up("zorra", data_dir, 6, NOW_US)
    assert str(told.value).endswith("there is zora")
    (data_dir / FILE).write_bytes(b"x" * 5000)
    with pytest.raises(UnknownName, match=r"of this name$"):
        look_up("gertrud", data_dir, 6, NOW_US)


def test_a_running_server_says_why_and_the_journal_the_rest(data_dir: Path) -> None:
    with answering(data_dir, {"ok": True, "found": [WAITING]}):
        (account,), notes = look_up("Ann", data_dir, 6, NOW_US)
    assert notes == []
    assert (account["name"], account["why"]) == ("ann", WAITING["why"]), "under the name that the server knows"
    assert len(account["games"]) == 2


def test_the_timing_of_a_running_game_uses_what_the_server_measured(data_dir: Path) -> None:
    live = {**TURN, "game": "g22", "peers": [{"role": "player", "name": "bob", "conn": 7, "address": ""}]}
    with answering(data_dir, {"ok": True, "found": [live]}):
        (account,), _ = look_up("g22", data_dir, 6, NOW_US)
    assert account["last_move"]["network_us"] == 700
    assert account["why"][1].startswith("since ")


def test_what_is_not_in_the_journal_yet_is_told_by_the_server(data_dir: Path) -> None:
    with answering(data_dir, {"ok": True, "found": [{**TURN, "game": "new"}]}):
        (account,), _ = look_up("new", data_dir, 6, NOW_US)
    assert account["why"] == TURN["why"]


def test_a_name_that_the_server_does_not_know_may_be_in_the_journal(data_dir: Path) -> None:
    with answering(data_dir, {"ok": False, "error": "unknown", "near": []}):
        accounts, notes = look_up("g1", data_dir, 6, NOW_US)
    assert (len(accounts), notes) == (1, [])


def test_a_server_whose_journal_cannot_be_read_still_answers(tmp_path: Path) -> None:
    with answering(tmp_path, {"ok": True, "found": [WAITING]}):
        (account,), (note,) = look_up("ann", tmp_path, 6, NOW_US)
    assert account["why"] == WAITING["why"]
    assert str(tmp_path) in note


def test_a_server_that_cannot_be_asked_is_noted(data_dir: Path) -> None:
    (data_dir / "admin.sock").mkdir()
    accounts, (note,) = look_up("ann", data_dir, 6, NOW_US)
    assert accounts[0]["kind"] == "player"
    assert note.endswith("this is what its journal knows")


def test_without_journal_and_server_there_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(JournalError):
        look_up("ann", tmp_path, 6, NOW_US)


def test_a_damaged_journal_is_not_taken_for_an_unknown_game(data_dir: Path) -> None:
    db = sqlite3.connect(data_dir / DATABASE)
    db.execute("DROP TABLE result")
    db.close()
    with pytest.raises(JournalError):
        look_up("g1", data_dir, 6, NOW_US)


def test_a_withdrawal_from_a_championship_is_part_of_the_account(data_dir: Path) -> None:
    journal = Journal(data_dir, version="0.1.0", kept=lambda _: None, lost=lambda _: None, back=lambda: None)
    for nick, who, why in (("ann", "ada", "she was ill"), ("bob", "", "")):
        entry = LedgerEntry(What.WITHDRAWN, {"nick": nick, "struck": False}, who, why)
        journal.record(RecordChampionship("cup", "chess", entry), BEGAN_US, 0)
    journal.flush()
    journal.close()
    (account,) = looked_up("ann", data_dir)
    at = "2030-03-17T17:46:40.000000Z"
    said = {"championship": "cup", "at": at, "who": "ada", "why": "she was ill", "disqualified": False}
    assert account["withdrawals"] == [said]
    assert "  left championship cup for good at 2030-03-17 17:46:40 UTC, by ada: she was ill" in as_text(account)
    (account,) = looked_up("bob", data_dir)
    assert "UTC: no reason given" in as_text(account)


def test_who_was_disqualified_after_it_had_left_is_told_that(data_dir: Path) -> None:
    journal = Journal(data_dir, version="0.1.0", kept=lambda _: None, lost=lambda _: None, back=lambda: None)
    left = LedgerEntry(What.WITHDRAWN, {"nick": "ann", "struck": False}, "", "logout")
    for written in (left, LedgerEntry(What.DISQUALIFIED, {"nick": "ann"}, "ada", "cheated")):
        journal.record(RecordChampionship("cup", "chess", written), BEGAN_US, 0)
    journal.flush()
    journal.close()
    (account,) = looked_up("ann", data_dir)
    assert [one["disqualified"] for one in account["withdrawals"]] == [True]
    assert "  disqualified in championship cup for good at 2030-03-17 17:46:40 UTC, by ada: cheated" in as_text(account)


@pytest.mark.parametrize(("plays", "out"), [(True, []), (False, ["logout"])])
def test_who_was_taken_back_is_out_only_as_it_was_before(plays: bool, out: list[str], data_dir: Path) -> None:
    journal = Journal(data_dir, version="0.1.0", kept=lambda _: None, lost=lambda _: None, back=lambda: None)
    left = LedgerEntry(What.WITHDRAWN, {"nick": "ann", "struck": False}, "", "logout")
    cheated = LedgerEntry(What.DISQUALIFIED, {"nick": "ann"}, "ada", "cheated")
    back = LedgerEntry(What.ENTERED, {"nick": "ann", "back": plays}, "ada", "her brother")
    for written in (
        left,
        cheated,
        back,
        cheated,
        LedgerEntry(What.ENTERED, {"nick": "ann", "back": False}, "ada", "no"),
    ):
        journal.record(RecordChampionship("cup", "chess", written), BEGAN_US, 0)
    journal.flush()
    journal.close()
    (account,) = looked_up("ann", data_dir)
    assert [one["why"] for one in account.get("withdrawals", ())] == out
