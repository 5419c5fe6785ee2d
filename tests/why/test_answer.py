"""What is known of a game, a player or a master, as values."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.why.records import BEGAN_US, BEGIN, MOVE, OVER, RUNNING, STATE, TIMED_OUT, VERDICT, entry, over
from ugs.broker.state.phases import Phase
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import CAUSES, Cause, Fault, Outcome, Verdict
from ugs.broker.verdict_sentences import WHOSE
from ugs.journal.continuing_games import SERVER_LOST
from ugs.journal.reader import Login
from ugs.journal.row_reader import GameSummary, SeatRow
from ugs.record.game import Correction
from ugs.record.views import public
from ugs.why.answer import SINCE, game_account, live_account, person_account, why_ended
from ugs.why.text import as_text

NOW_US = BEGAN_US + 10_000_000
TURN: dict[str, Any] = {
    "kind": "game",
    "game": "g1",
    "phase": "turn",
    "limit_s": 30.0,
    "why": ["game g1: it is the turn of bob within 30 s"],
    "peers": [
        {"role": "master", "name": "m", "conn": 1, "address": "", "round_trip_us": 100},
        {"role": "player", "name": "ann", "conn": 2, "address": "", "round_trip_us": 250},
    ],
}
WAITING: dict[str, Any] = {"kind": "player", "name": "ann", "why": ["1 player waits"], "peers": [], "waiting_s": 1.0}
HERE = Login("ann", "player", "chess", "192.0.2.1:9", "", "", BEGAN_US, None, None)
GONE = replace(HERE, ended_us=BEGAN_US + 5_000_000, reason="connection lost")
PLAYED = GameSummary(
    "g1",
    "chess",
    "m",
    (SeatRow("ann", Outcome.WON), SeatRow("bob", Outcome.LOST)),
    Verdict(Cause.FINISHED),
    9,
    BEGAN_US,
    NOW_US,
)


LEADS = Login("m", "master", "chess", "192.0.2.1:1", "", "2 players", BEGAN_US - 9, None, None)
CLOSED = replace(LEADS, ended_us=BEGAN_US + 20_000_000, reason="closed by the server: silent 3 times in a row")
VOID = (Outcome.VOID, Outcome.VOID)

# Games.


def test_of_a_game_that_ended_with_the_line_of_its_master_it_is_told_why_that_ended() -> None:
    ended = over(Verdict(Cause.MASTER_LOST, "m"), VOID, None)
    before = replace(LEADS, ended_us=BEGAN_US - 1, reason="logout")
    account = game_account(ended, 6, NOW_US, logins=[before, CLOSED, LEADS])
    assert account["why"][:2] == [
        "the connection of the game master m was lost, and no other one took the game over in time",
        "the line of m ended at 2030-03-17 17:47:00 UTC: closed by the server: silent 3 times in a row",
    ]


def test_the_master_that_took_a_game_over_said_how_it_ended() -> None:
    taken = [entry(EntryKind.RESTORED, after, text=name) for after, name in ((9_000, "m"), (9_500, "n"), (9_600, "n"))]
    ended = over(Verdict(Cause.FINISHED), (Outcome.WON, Outcome.LOST), None, *taken, OVER, VERDICT)
    account = game_account(ended, 6, NOW_US)
    assert account["masters"] == ["m", "n"]
    assert account["why"][0] == "ann won, as judged by the game master 'n'"
    assert not [line for line in account["why"][1:] if "judged by" in line], "once is enough"
    assert "; master m, then n" in as_text(account)


@pytest.mark.parametrize(
    "login",
    [
        replace(CLOSED, ended_us=BEGAN_US - 1),
        replace(CLOSED, ended_us=NOW_US + 60_000_000),
        replace(CLOSED, role="player"),
        replace(CLOSED, game_type="go"),
        LEADS,
    ],
    ids=["before the game", "after it", "a player of this name", "another game type", "still here"],
)
def test_other_lines_have_nothing_to_do_with_it(login: Login) -> None:
    ended = over(Verdict(Cause.MASTER_LOST, "m"), VOID, None)
    assert game_account(ended, 6, NOW_US, logins=[login])["why"] == game_account(ended, 6, NOW_US)["why"]


def test_where_the_game_did_not_end_with_a_line_none_is_told() -> None:
    assert game_account(over(), 6, NOW_US, logins=[CLOSED]) == game_account(over(), 6, NOW_US)


def test_a_finished_game_is_told_with_cause_fault_and_judge() -> None:
    account = game_account(over(), 6, NOW_US)
    assert account["why"] == [
        "bob did not move in time; ann won",
        "the fault of the player bob: it counts as lost for it",
        "judged by the game master 'm'",
    ]
    assert account["verdict"] == {
        "cause": "timeout",
        "fault": "player",
        "culprit": "bob",
        "by_server": False,
        "void": False,
    }
    assert account["seats"] == [
        {"seat": 0, "nick": "ann", "outcome": "won", "departure": None},
        {"seat": 1, "nick": "bob", "outcome": "lost", "departure": "timeout"},
    ]
    assert (account["began"], account["ended"]) == ("2030-03-17T17:46:40.000000Z", "2030-03-17T17:47:10.010000Z")


@pytest.mark.parametrize(
    ("verdict", "judge"),
    [
        (Verdict(Cause.DRAW), "judged by the game master 'm'"),
        (Verdict(Cause.LEFT, "bob", by_server=True), "judged by the server, since the game master did not"),
        (Verdict(Cause.ADJUDICATED, by_server=True), "judged by the organiser"),
        (Verdict(Cause.MASTER_LOST, "m"), "judged by the server"),
        (Verdict(Cause.SERVER_LOST), "judged by the server"),
    ],
)
def test_it_is_told_who_said_how_the_game_ended(verdict: Verdict, judge: str) -> None:
    assert game_account(over(verdict), 6, NOW_US)["why"][-1] == judge


@pytest.mark.parametrize(
    ("verdict", "told"), [(f"{SERVER_LOST}: ann had no session", ": ann had no session"), (SERVER_LOST, "")]
)
def test_a_game_of_a_lost_server_is_told_why_it_did_not_go_on(verdict: str, told: str) -> None:
    last = entry(EntryKind.VERDICT, 9_000, text=verdict)
    assert game_account(over(Verdict(Cause.SERVER_LOST), VOID, None, last), 6, NOW_US)["why"][1] == (
        f"it could not go on{told} (a game does where `master_grace_s` is set, its master has restore, and all its "
        "players have session)"
    )


@pytest.mark.parametrize("cause", Cause)
def test_every_cause_and_every_fault_has_a_sentence(cause: Cause) -> None:
    sentences = game_account(over(Verdict(cause, "bob")), 6, NOW_US)["why"]
    judge = "the server" if Verdict(cause, "bob").void else "the game master 'm'"
    judge = "the organiser" if cause is Cause.ADJUDICATED else judge
    assert len([sentence for sentence in sentences if f"judged by {judge}" in sentence]) == 1
    assert len(sentences) == {Cause.FINISHED: 2, Cause.SERVER_LOST: 4}.get(cause, 3)
    assert not any("{" in sentence for sentence in sentences)
    assert set(WHOSE) == set(Fault)
    if CAUSES[cause].fault in (Fault.MASTER, Fault.SERVER):
        assert "counts for no player" in sentences[-2]


def test_of_a_game_that_does_not_count_that_is_told() -> None:
    account = game_account(replace(over(), counts=False, table={"owner": "ann"}, options={"a": "b"}), 6, NOW_US)
    assert account["why"][-1] == "it does not count for standings or ratings"
    assert (account["counts"], account["table"], account["options"]) == (False, {"owner": "ann"}, {"a": "b"})
    assert game_account(over(), 6, NOW_US)["counts"] is True


def test_a_phase_that_is_not_known_here_is_told_without_its_beginning() -> None:
    assert len(game_account(RUNNING, 6, NOW_US, {**TURN, "phase": "thinking"})["why"]) == 1


def test_the_account_has_the_exchanges_and_the_timing_of_the_last_move() -> None:
    account = game_account(over(), 2, NOW_US)
    assert [one["entry"] for one in account["exchanges"]] == [5, 6]
    assert account["exchanges"][1]["document"].startswith('<message type="gameState">')
    assert account["last_move"]["bot_us"] == 3_500
    assert json.loads(json.dumps(account)) == account


def test_a_document_that_is_no_utf8_is_told_in_hex() -> None:
    broken = replace(RUNNING, entries=(entry(EntryKind.MOVE, 1, seat=0, body=b"\xff<"),))
    (exchange,) = game_account(broken, 6, NOW_US)["exchanges"]
    assert exchange["document_hex"] == "ff3c"


def test_a_game_of_which_only_the_result_was_kept_is_told_without_exchanges() -> None:
    account = game_account(replace(over(), entries=()), 6, NOW_US)
    assert (account["exchanges"], account["last_move"], account["moves"]) == ([], None, 1)
    assert account["ended"] == "2030-03-17T17:47:10.010000Z", "from its length"


def test_a_game_without_a_verdict_and_without_a_server_was_cut_off() -> None:
    account = game_account(RUNNING, 6, NOW_US)
    assert "the server was lost" in account["why"][0]
    assert (account["verdict"], account["ended"], account["moves"]) == (None, None, 1)


def test_a_running_game_is_told_since_when_and_how_long_still() -> None:
    account = game_account(RUNNING, 6, NOW_US, TURN)
    assert account["why"] == [
        "game g1: it is the turn of bob within 30 s",
        "since 2030-03-17 17:46:40 UTC, 10.0 s ago; 20.0 s are left",
    ]
    assert account["now"] == TURN


def test_the_clock_of_a_running_game_does_not_run_below_zero() -> None:
    long_after = game_account(RUNNING, 6, NOW_US + 10**9, TURN)
    assert long_after["why"][1].endswith("; 0.0 s are left")
    just_before = game_account(RUNNING, 6, BEGAN_US, TURN)
    assert "0.0 s ago; 30.0 s are left" in just_before["why"][1]


@pytest.mark.parametrize(
    ("phase", "entries", "after_us"),
    [
        ("begun", (BEGIN,), 0),
        ("turn", (BEGIN, STATE, entry(EntryKind.ERROR, 3_000, seat=1, text="?")), 1_000),
        ("answer", (BEGIN, STATE, MOVE), 5_000),
        ("answer", (BEGIN, STATE, MOVE, TIMED_OUT), 30_008_000),
        ("alone", (BEGIN, STATE, TIMED_OUT), 30_008_000),
        ("away", (BEGIN, STATE, entry(EntryKind.AWAY, 2_000)), 2_000),
        ("taking", (BEGIN, STATE, entry(EntryKind.AWAY, 2_000), entry(EntryKind.RESTORED, 3_000)), 3_000),
        ("closing", (BEGIN, VERDICT), 30_010_000),
    ],
)
def test_each_phase_began_with_its_entry(phase: str, entries: tuple[Any, ...], after_us: int) -> None:
    live = {**TURN, "phase": phase, "limit_s": None}
    account = game_account(replace(RUNNING, entries=entries), 6, BEGAN_US + after_us + 2_000_000, live)
    assert account["why"][1].endswith(", 2.0 s ago")


def test_every_phase_is_known() -> None:
    assert set(SINCE) == set(Phase)


def test_a_moment_that_was_not_written_down_yet_is_left_out() -> None:
    assert len(game_account(replace(RUNNING, entries=(BEGIN,)), 6, NOW_US, TURN)["why"]) == 1


def test_what_a_game_with_a_verdict_still_waits_for_is_told_too() -> None:
    live = {**TURN, "phase": "over", "why": ["game g1: it is over; a thank you is owed by ann within 10 s"]}
    assert game_account(over(), 6, NOW_US, live)["why"][-1] == live["why"][0]


def test_the_timing_of_a_running_game_uses_the_present_round_trips() -> None:
    account = game_account(RUNNING, 6, NOW_US, TURN)
    assert account["last_move"]["network_us"] == 250
    not_asked = {**TURN, "peers": [{"role": "player", "name": "bob", "conn": 3, "address": ""}]}
    assert game_account(RUNNING, 6, NOW_US, not_asked)["last_move"]["network_us"] is None


# People.


def test_the_server_tells_about_the_present_and_the_journal_about_the_past() -> None:
    account = person_account("player", "ann", [GONE, HERE], [PLAYED], 6, NOW_US, WAITING)
    assert (account["kind"], account["why"]) == ("player", ["1 player waits"])
    assert [login["reason"] for login in account["logins"]] == [None, "connection lost"], "the newest first"
    assert account["games"][0]["seats"] == [{"nick": "ann", "outcome": "won"}, {"nick": "bob", "outcome": "lost"}]
    assert json.loads(json.dumps(account)) == account


def test_the_account_of_an_absent_player_says_until_when_it_was_there_and_why_it_left() -> None:
    account = person_account("player", "ann", [GONE], [], 6, NOW_US)
    assert account["why"] == ["ann is not here; it was until 2030-03-17 17:46:45 UTC: connection lost"]
    assert person_account("player", "ann", [], [PLAYED], 6, NOW_US)["why"] == ["ann is not here"]


def test_a_login_without_end_is_told_as_the_journal_has_it() -> None:
    (sentence,) = person_account("master", "m", [HERE], [], 6, NOW_US)["why"]
    assert sentence.endswith("as far as the journal knows")


def test_at_most_last_logins_and_games_are_listed() -> None:
    account = person_account("player", "ann", [GONE] * 9, [PLAYED] * 9, 2, NOW_US)
    assert (len(account["logins"]), len(account["games"])) == (2, 2)


def test_the_running_game_of_a_player_is_named() -> None:
    running = replace(PLAYED, game_id="g2", verdict=None, ended_us=None, seats=(SeatRow("ann"), SeatRow("bob")))
    account = person_account("player", "ann", [], [running, PLAYED], 6, NOW_US)
    assert account["running"] == ["g2"]
    assert account["games"][0]["verdict"] is None


def test_the_account_of_a_player_that_owes_thanks_says_since_when() -> None:
    live = {**WAITING, "game": "g1", "why": ["ann owes a thank you for game g1"]}
    account = person_account("player", "ann", [], [PLAYED], 6, NOW_US + 3_000_000, live)
    assert account["why"][1] == "that game ended at 2030-03-17 17:46:50 UTC, 3.0 s ago"


def test_what_the_journal_does_not_know_is_told_by_the_server_alone() -> None:
    assert live_account(TURN) == {"kind": "game", "game": "g1", "why": TURN["why"], "now": TURN}
    assert live_account(WAITING)["name"] == "ann"


def test_what_the_master_said_of_the_end_is_told_of_a_public_record_too() -> None:
    said = "finished, fault: nobody; row-completed: row completed"
    record = over(
        Verdict(Cause.FINISHED),
        (Outcome.WON, Outcome.LOST),
        None,
        entry(EntryKind.REASON, 9_100, text="row-completed: row completed"),
        entry(EntryKind.VERDICT, 9_200, text=said),
    )
    for seen in (record, public(record)):
        assert "the game master said: row completed" in game_account(seen, 0, 0)["why"]


def test_why_a_player_is_out_stands_before_what_the_master_gave_for_the_end() -> None:
    record = over(
        Verdict(Cause.ILLEGAL_MOVE, "bob"),
        (Outcome.WON, Outcome.LOST),
        Cause.ILLEGAL_MOVE,
        entry(EntryKind.REASON, 9_100, seat=1, text='no-field: there is no field "Z9"'),
        entry(EntryKind.FAULT, 9_100, seat=1),
        entry(EntryKind.LEFT, 9_100, seat=1, text="illegal move"),
        entry(EntryKind.REASON, 9_200, text="left: bob has left"),
        entry(EntryKind.VERDICT, 9_300, text='illegal move, fault: player of bob; no-field: there is no field "Z9"'),
    )
    for shown in (record, public(record)):
        why = game_account(shown, 0, 0)["why"]
        assert 'the game master said: there is no field "Z9"' in why
        assert not any("bob has left" in line for line in why)


def test_what_a_game_master_played_and_won_is_told_so() -> None:
    lost = over(Verdict(Cause.FINISHED))
    assert lost.result is not None
    seats = tuple([replace(seat, outcome=Outcome.LOST) for seat in lost.result.seats])
    record = replace(lost, seats_total=len(seats) + 1, result=replace(lost.result, seats=seats))
    assert game_account(record, 6, NOW_US)["why"][0] == "the computer won, as judged by the game master 'm'"


def test_what_counts_after_a_correction_stands_before_who_had_won() -> None:
    won = (Outcome.WON, Outcome.LOST)
    finished = over(Verdict(Cause.FINISHED), won, None)
    record = replace(finished, correction=Correction("ina", "wrong clock", won[::-1], won))
    told = game_account(record, 0, NOW_US)["why"]
    assert told[0] == "corrected by ina: wrong clock; what counts: ann lost, bob won; it was: ann won, bob lost"
    assert told[1].startswith("ann won, as judged by")
    assert len(told) == len(game_account(finished, 0, NOW_US)["why"]) + 1


CUT, BACK = EntryKind.CUT, EntryKind.BACK
ILLEGAL = Cause.ILLEGAL_MOVE


@pytest.mark.parametrize(
    ("cause", "lines", "told"),
    [
        (Cause.TIMEOUT, [CUT], ["the line of bob had been lost 20.0 s before, and it did not come back"]),
        (Cause.TIMEOUT, [CUT, BACK], ["bob's line was lost once in this game; it came back"]),
        (Cause.TIMEOUT, [], []),
        (ILLEGAL, [CUT, BACK, CUT, BACK], ["bob's line was lost twice in this game; it came back"]),
        (ILLEGAL, [CUT, BACK, EntryKind.REJOINED], ["bob's line was lost once in this game; it came back"]),
        (
            Cause.TIMEOUT,
            [CUT, BACK, CUT, BACK, CUT],
            ["bob's line was lost 3 times in this game, at last 20.0 s before, and it did not come back"],
        ),
        (Cause.DISCONNECTED, [CUT, EntryKind.LEFT], []),
        (Cause.DISCONNECTED, [EntryKind.LEFT], []),
        (
            Cause.DISCONNECTED,
            [EntryKind.LEFT, EntryKind.REJOINED, CUT, EntryKind.LEFT],
            ["bob's line was lost once in this game; it came back"],
        ),
    ],
)
def test_a_program_that_has_crashed_is_not_called_slow(
    cause: Cause, lines: Sequence[EntryKind], told: Sequence[str]
) -> None:
    """Nothing but the raw exchanges showed that it was gone, or was started again and did not know the position."""
    cut = [entry(kind, 10_010_000 + number, seat=1, text="connection lost") for number, kind in enumerate(lines)]
    won = Outcome.WON, Outcome.LOST
    found = why_ended(over(Verdict(cause, "bob"), won, cause, *cut, OVER, VERDICT))
    assert [line for line in found if "line" in line] == told


def test_of_the_line_of_a_player_who_is_not_at_fault_nothing_is_said() -> None:
    cut = entry(EntryKind.CUT, 10_010_000, seat=1)
    for verdict in (Verdict(Cause.FINISHED), Verdict(Cause.TIMEOUT, "ann")):
        why = why_ended(over(verdict, (Outcome.WON, Outcome.LOST), None, cut, OVER, VERDICT))
        assert not any("line" in line for line in why)
