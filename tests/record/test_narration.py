"""Records in words."""

from dataclasses import replace

import pytest

from tests.record.samples import Recorder, card_game, tic_tac_toe
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.record.narration import account, heading, narrate, seat_words, shortened


def test_a_round_trip_that_nothing_can_measure_is_below_a_tenth() -> None:
    lines = heading(replace(tic_tac_toe(), round_trips_us=(2, 2, 310)))
    assert lines[2:4] == [
        "first seat   ann  won  round trip below 0.1 ms",
        "second seat  bob  lost  round trip 0.31 ms",
    ]


def test_the_heading_names_players_time_and_result() -> None:
    assert heading(tic_tac_toe()) == [
        "game g1: 5-in-line-tic-tac-toe, led by m",
        "began 2030-05-01 20:00:00 UTC, lasted 0.9 s, 9 moves",
        "first seat   ann  won  round trip 0.24 ms",
        "second seat  bob  lost  round trip 0.31 ms",
        "result: finished; won: ann, lost: bob; no one's fault",
    ]


def test_the_heading_of_a_game_that_timed_out() -> None:
    recorder = Recorder()
    recorder.adds(EntryKind.LEFT, 30_000_000, 1, text="timeout")
    record = recorder.ends([Outcome.WON, Outcome.LOST], Verdict(Cause.TIMEOUT, "bob", True), {1: Cause.TIMEOUT})
    lines = heading(replace(record, round_trips_us=(), championship="cup", fixture=7, options={"width": "9"}))
    assert lines[2:] == [
        "championship cup, fixture 7",
        "options width=9",
        "first seat   ann  won",
        "second seat  bob  lost (out: timeout)",
        "result: timeout, by the server; won: ann, lost: bob; fault of the player bob",
    ]


def test_the_heading_of_a_game_that_goes_on_and_of_one_of_which_little_is_left() -> None:
    assert heading(Recorder().so_far())[-1] == "it has not ended"
    assert heading(replace(tic_tac_toe(), entries=()))[-1] == "only the result has been kept"


def test_the_heading_of_a_game_at_a_table() -> None:
    assert heading(card_game())[2:-1] == [
        'table name=for "friends" owner=ann visibility=PRIVATE',
        "options deck=small",
        "3 seats, 1 of them played by the master",
        "seed s-1",
        "first seat   ann  plays red  won  round trip 0.24 ms",
        "second seat  bob  lost  round trip 0.31 ms",
        "it does not count for standings or ratings",
    ]


@pytest.mark.parametrize(
    ("seat", "words"), [(0, "first seat"), (9, "tenth seat"), (10, "11th seat"), (21, "22nd seat"), (110, "111th seat")]
)
def test_seats_are_counted_as_people_do(seat: int, words: str) -> None:
    assert seat_words(seat) == words


def test_every_kind_of_event_has_its_words() -> None:
    recorder = Recorder()
    recorder.state(0, b"<gameState/>")
    recorder.move(0, b"<move/>")
    recorder.adds(EntryKind.ERROR, 10, 1, text='what\n"?"')
    recorder.adds(EntryKind.REFUSED, 10, text="no such game")
    recorder.adds(EntryKind.REASON, 10, 0, text="illegal-move: no\x9b field")
    recorder.adds(EntryKind.REASON, 10, text="error: a moment please")
    recorder.adds(EntryKind.REMARK, 10, 0, body=b'{"value":1}')
    recorder.adds(EntryKind.OPENREMARK, 10, 1, body=b'{"plan":"x"}')
    recorder.adds(EntryKind.FAULT, 10, 0)
    recorder.adds(EntryKind.AWAY, 10)
    recorder.adds(EntryKind.LEFT, 10, 1, text="logout")
    recorder.adds(EntryKind.REJOINED, 10, 1)
    recorder.adds(EntryKind.OVER, 10, None, 1, "0:winner 1:loser")
    told = list(narrate(recorder.ends([Outcome.WON, Outcome.LOST])))
    assert [f"{one.who} {one.what}" for one in told] == [
        "m is asked to begin",
        "m sends the state, ann is to move",
        "ann moves",
        r'bob reports an error: what\n"?"',
        "m is refused: no such game",
        r"m reports that ann broke a rule: illegal-move: no\u{9b} field",
        "m gives a reason: error: a moment please",
        "ann remarks",
        "bob remarks",
        "m refuses the move of ann, which does not count",
        "m has lost its connection",
        "bob is out: logout",
        "bob has its seat again",
        "the server sends the result: ann winner, bob loser",
        "the server gives the verdict: finished",
    ]
    assert [(one.took_us, one.body) for one in told[:3]] == [(None, ""), (80, "<gameState/>"), (99_980, "<move/>")]
    cards = list(narrate(card_game()))
    assert {one.kind for one in (*told, *cards)} == set(EntryKind) - {EntryKind.SKETCH, EntryKind.OWNSKETCH}
    assert [f"{one.who} {one.what}" for one in cards] == [
        "m is asked to begin",
        'm begins from a set-up of its own: players = 3\\nhands = ["7", "4"]',
        "m names the seats: ann red, Robot 1 (program) blue, bob",
        "m shows ann what only they may see",
        "m shows bob what only they may see",
        "m sends the state, ann, bob are to move",
        "bob moves",
        "m shows bob what only they may see",
        "m sends the state, ann is to move",
        "bob is cut off, the seat waits",
        "m has lost its connection",
        "successor takes the game over",
        "bob is back",
        "ann moves",
        "successor shows ann what only they may see",
        "successor sends the result: ann winner, bob loser",
        "the server gives the verdict: finished",
    ]
    assert [one.took_us for one in cards if one.kind is EntryKind.VIEW] == [None] * 4


@pytest.mark.parametrize(
    "text", ["", "nonsense", "[5]", "5", '[["ann", "red"]]', '[[1, 2, "human"]]', '[[[], "", "human"]]']
)
def test_labels_that_cannot_be_read_are_shown_as_they_are(text: str) -> None:
    recorder = Recorder()
    recorder.adds(EntryKind.LABELS, 10, text=text)
    assert list(narrate(recorder.so_far()))[-1].what == f"names the seats: {text}"
    assert heading(recorder.so_far())[2:4] == ["first seat   ann", "second seat  bob"]


@pytest.mark.parametrize(("text", "shown"), [("0 7", "ann, 7 are"), ("-1 0", "-1, ann are"), ("all", " are")])
def test_unknown_movers_are_shown_as_they_are(text: str, shown: str) -> None:
    recorder = Recorder()
    recorder.adds(EntryKind.STATE, 10, 0, text=text)
    assert list(narrate(recorder.so_far()))[-1].what == f"sends the state, {shown} to move"


def test_results_that_cannot_be_read_are_shown_as_they_are() -> None:
    recorder = Recorder()
    recorder.adds(EntryKind.OVER, 10, text="5:winner nonsense")
    assert list(narrate(recorder.so_far()))[-1].what == "sends the result: 5:winner nonsense"


@pytest.mark.parametrize(("width", "text"), [(9, "abcdefgh"), (8, "abcdefgh"), (7, "abcdef…"), (1, "…")])
def test_a_long_line_is_cut(width: int, text: str) -> None:
    assert shortened("abcdefgh", width) == text


def test_an_account_is_heading_and_moves_in_lines_of_a_width() -> None:
    lines = list(account(tic_tac_toe(), 40, states=False))
    assert lines[0] == "game g1: 5-in-line-tic-tac-toe, led by m"
    moves = [line for line in lines if " moves (" in line]
    assert [line.split()[0] for line in moves] == [str(number) for number in range(1, 10)]
    assert moves[0].split()[2:4] == ["ann", "moves"]
    assert not any("sends the state" in line for line in lines)
    assert max(map(len, lines[5:])) <= 40


def test_an_account_with_states_has_their_payloads_too() -> None:
    lines = list(account(tic_tac_toe(), 1000, states=True))
    assert any("sends the state" in line and "<gameState>" in line for line in lines)


def test_sketches_have_their_words_and_take_no_time() -> None:
    recorder = Recorder()
    recorder.adds(EntryKind.OWNSKETCH, 0, None, 0b01, body=b"<sketch>secret</sketch>")
    recorder.adds(EntryKind.SKETCH, 0, body=b"<sketch/>")
    recorder.state(0, b"<gameState/>")
    told = list(narrate(recorder.so_far()))
    assert [(one.what, one.took_us) for one in told[1:3]] == [
        ("draws the position for ann", None),
        ("draws the position", None),
    ]
