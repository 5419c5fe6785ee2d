"""The pictures of a recorded game."""

from dataclasses import replace

import pytest

from tests.record.samples import tic_tac_toe
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Outcome
from ugs.pictures.recorded import UnknownViewer, last_picture, pictures, scene_of, seat_called, shown_states
from ugs.record.game import Entry


def test_each_state_has_a_picture_and_the_last_one_says_who_won() -> None:
    record = tic_tac_toe()
    shown = list(pictures(record))
    kinds = [record.entries[place].kind for place, _ in shown]
    assert kinds == [EntryKind.STATE] * (len(kinds) - 1) + [EntryKind.OVER]
    last = last_picture(record)
    assert last is not None
    assert "Won by ann." in last.words()


def test_a_player_sees_its_own_views_and_moves_and_no_others() -> None:
    entries = (
        Entry(EntryKind.VIEW, 0, 0, audience=1, body=b"<gameState><hand/></gameState>"),
        Entry(EntryKind.STATE, 0, 0, seat=0, audience=2, body=b"<gameState/>"),
        Entry(EntryKind.MOVE, 0, 0, seat=0, body=b"<move/>"),
        Entry(EntryKind.STATE, 0, 0, seat=1, audience=3, body=b"<gameState><a/></gameState>"),
        Entry(EntryKind.OVER, 0, 0, text="0:winner 1:loser", audience=3, body=b"<gameState><b/></gameState>"),
        Entry(EntryKind.OVER, 0, 0, text="0:loser 1:loser", audience=3),
    )
    record = replace(tic_tac_toe(), entries=entries)
    ann = [shown for _, shown in shown_states(record, 0)]
    assert [shown.payload for shown in ann] == [entries[0].body, entries[3].body, entries[4].body]
    assert [shown.own_move for shown in ann] == [b"", b"<move/>", b""]
    assert [shown.movers for shown in ann] == [(0,), (1,), ()]
    assert [shown.winners for shown in ann] == [None, None, frozenset({0})]
    for viewer in (1, None):
        seen = [shown for _, shown in shown_states(record, viewer)]
        assert [shown.payload for shown in seen] == [entries[1].body, entries[3].body, entries[4].body]
        assert not any(shown.own_move for shown in seen)


def test_what_all_players_lose_the_one_program_has_won_unless_it_was_a_draw() -> None:
    entry = Entry(EntryKind.OVER, 0, 0, text="0:loser", body=b"<gameState/>")
    record = tic_tac_toe()
    assert record.result is not None
    alone = replace(record, seats=record.seats[:1], seats_total=2, entries=(entry,))
    result = replace(record.result, seats=record.result.seats[:1])
    won = {}
    for outcome in Outcome:
        seats = (replace(result.seats[0], outcome=outcome),)
        ended = replace(alone, result=replace(result, seats=seats))
        won[outcome] = [shown.winners for _, shown in shown_states(ended, None)]
    assert won[Outcome.LOST] == [frozenset({1})]
    assert won[Outcome.DRAWN] == [frozenset()]
    of_three = replace(alone, seats_total=3)
    assert [shown.winners for _, shown in shown_states(of_three, None)] == [frozenset()]
    own = replace(alone, entries=(replace(entry, text="0:winner"),))
    assert [shown.winners for _, shown in shown_states(own, None)] == [frozenset({0})]


@pytest.mark.parametrize(
    ("text", "outcomes", "won"),
    [
        ("0:winner", (Outcome.WON, Outcome.LOST), frozenset({0})),  # the leaver need not be listed
        ("0:winner 1:winner", (Outcome.DRAWN, Outcome.DRAWN), frozenset()),
        ("0:winner 1:winner", (Outcome.WON, Outcome.WON), frozenset({0, 1})),
        ("0:winner 1:winner", (Outcome.VOID, Outcome.VOID), frozenset()),
    ],
)
def test_the_verdict_decides_whether_equal_results_are_a_draw(
    text: str, outcomes: tuple[Outcome, Outcome], won: frozenset[int]
) -> None:
    record = tic_tac_toe()
    assert record.result is not None
    seats = tuple(replace(seat, outcome=one) for seat, one in zip(record.result.seats, outcomes, strict=True))
    over = Entry(EntryKind.OVER, 0, 0, text=text, body=b"<gameState/>")
    ended = replace(record, entries=(over,), result=replace(record.result, seats=seats))
    assert [shown.winners for _, shown in shown_states(ended, None)] == [won]
    assert [shown.winners for _, shown in shown_states(replace(ended, result=None), None)] == [
        frozenset() if "1:" in text else frozenset({0})
    ]


def test_all_players_may_lose_without_a_draw() -> None:
    record = tic_tac_toe()
    assert record.result is not None
    entry = Entry(EntryKind.OVER, 0, 0, text="0:loser", body=b"<gameState/>")
    for outcome in (Outcome.LOST, Outcome.DRAWN):
        seats = tuple([replace(seat, outcome=outcome) for seat in record.result.seats])
        ended = replace(record, entries=(entry,), result=replace(record.result, seats=seats))
        ((_, shown),) = shown_states(ended, None)
        assert (shown.winners, shown.all_lost) == (frozenset(), outcome is Outcome.LOST)


def test_a_game_of_which_no_state_was_told_has_no_picture() -> None:
    assert last_picture(replace(tic_tac_toe(), entries=())) is None


def test_seats_have_their_labels_and_programs_their_seats() -> None:
    labels = '[{"nick": "x"}]'
    record = tic_tac_toe()
    assert [seat.nick for seat in scene_of(record, 1).seats] == list(record.seats)
    assert scene_of(record, 1).viewer == 1
    broken = replace(record, entries=(Entry(EntryKind.LABELS, 0, 0, text=labels), *record.entries))
    assert [seat.nick for seat in scene_of(broken).seats] == list(record.seats)


def test_a_viewer_is_a_player_of_the_game() -> None:
    record = tic_tac_toe()
    assert seat_called(record, None) is None
    assert seat_called(record, record.seats[1]) == 1
    with pytest.raises(UnknownViewer, match="'zoe' did not play in this game; players: ann, bob"):
        seat_called(record, "zoe")


def test_each_viewer_is_shown_the_sketch_that_was_drawn_for_it() -> None:
    entries = (
        Entry(EntryKind.OWNSKETCH, 0, 0, audience=1, body=b"<sketch>ann</sketch>"),
        Entry(EntryKind.SKETCH, 0, 0, body=b"<sketch>all</sketch>"),
        Entry(EntryKind.STATE, 0, 0, seat=0, audience=3, body=b"<gameState/>"),
        Entry(EntryKind.STATE, 0, 0, seat=1, audience=3, body=b"<gameState/>"),
    )
    record = replace(tic_tac_toe(), entries=entries)
    seen = {viewer: [shown.sketch for _, shown in shown_states(record, viewer)] for viewer in (0, 1, None)}
    assert seen == {
        0: [b"<sketch>ann</sketch>", b""],
        1: [b"<sketch>all</sketch>", b""],
        None: [b"<sketch>all</sketch>", b""],
    }
