"""What each player was shown, and what everybody may see."""

from dataclasses import replace

from hypothesis import given

from tests.record.samples import Recorder, card_game, tic_tac_toe
from tests.record.strategies import records
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Outcome
from ugs.record import jsonl, ugsg
from ugs.record.game import Entry, GameRecord
from ugs.record.views import CONCERNING, PRIVATE, SHOWN, own, public, shown_to, sketches_of, views_of

SECRET = "the-queen-of-spades"


def test_views_belong_to_the_state_or_result_that_follows() -> None:
    entries = card_game().entries
    found = {place: [view.body for view in views] for place, views in views_of(entries).items()}
    assert found == {
        5: [b"<gameState>ann: 7</gameState>", b"<gameState>bob: 4</gameState>"],
        8: [b"<gameState>bob: none</gameState>"],
        15: [b"<gameState>you win</gameState>"],
    }
    assert [entries[place].kind for place in found] == [EntryKind.STATE, EntryKind.STATE, EntryKind.OVER]
    assert views_of(tic_tac_toe().entries) == {}


def test_a_player_is_shown_its_view_or_what_all_see_or_nothing() -> None:
    entries = card_game().entries
    views = views_of(entries)
    assert shown_to(0, entries[5], views[5]) == b"<gameState>ann: 7</gameState>"
    assert shown_to(0, entries[8], views[8]) == b"<gameState>one card</gameState>"
    assert shown_to(1, entries[8], views[8]) == b"<gameState>bob: none</gameState>"
    assert shown_to(1, entries[8]) is None


def test_a_player_with_a_view_is_shown_it_even_if_it_is_in_the_audience_of_the_state() -> None:
    recorder = Recorder()
    recorder.view(0b01, b"")
    recorder.state(0, b"<gameState/>")
    view, state = recorder.so_far().entries[1:]
    assert (shown_to(0, state, [view]), shown_to(1, state, [view])) == (b"", b"<gameState/>")


def test_everybody_may_see_how_an_open_game_went() -> None:
    game = tic_tac_toe()
    seen = public(game)
    assert [entry.kind for entry in seen.entries] == [entry.kind for entry in game.entries]
    assert replace(seen, entries=()) == replace(game, entries=())
    states = [entry for entry in game.entries if entry.kind is EntryKind.STATE]
    assert [entry for entry in seen.entries if entry.kind is EntryKind.STATE] == states


def with_secret(entry: Entry) -> Entry:
    """The entry with a secret in the places that only some may see."""
    if entry.kind in PRIVATE:
        return replace(entry, text=SECRET, body=SECRET.encode())
    return replace(entry, body=SECRET.encode()) if entry.kind is EntryKind.MOVE else entry


@given(records())
def test_no_secret_that_is_planted_where_only_some_may_look_is_public(record: GameRecord) -> None:
    entries = tuple(with_secret(entry) for entry in record.entries)
    seed = SECRET if record.result is not None else ""
    seen = public(replace(record, entries=entries, seed=seed))
    for form in (ugsg, jsonl):
        text = form.write(seen)
        assert SECRET.encode() not in text
        assert list(form.read(text.splitlines(keepends=True))) == [seen]
    assert public(seen) == seen


def test_a_player_may_see_its_own_views_and_moves() -> None:
    game = card_game()
    seen = own(game, 0)
    bodies = {entry.body for entry in seen.entries}
    assert {b"<gameState>ann: 7</gameState>", b"<gameState>you win</gameState>", b"<move>7</move>"} <= bodies
    assert bodies.isdisjoint({b"<gameState>bob: 4</gameState>", b"<gameState>bob: none</gameState>", b"<move>4</move>"})
    assert EntryKind.SETUP not in {entry.kind for entry in seen.entries}
    assert (seen.seed, seen.seats, seen.result) == ("", game.seats, game.result)


def test_what_was_shown_to_a_player_is_the_same_in_its_own_record() -> None:
    game = card_game()
    for seat in (0, 1):
        seen = own(game, seat)

        def shown(record: GameRecord, seat: int = seat) -> list[bytes]:
            views = views_of(record.entries)
            states = [(place, entry) for place, entry in enumerate(record.entries) if entry.kind in SHOWN]
            return [shown_to(seat, entry, views.get(place, ())) or b"" for place, entry in states]

        assert shown(seen) == shown(game)


def test_of_a_private_game_it_sees_nothing_that_was_shown_after_it_had_left() -> None:
    recorder = Recorder()
    recorder.state(1, b"<gameState>later</gameState>", audience=0b10)
    game = recorder.so_far()
    assert own(game, 0).entries[-1].body == b"<gameState>later</gameState>", "as spectators saw it"
    private = replace(game, table={"visibility": "PRIVATE"})
    assert own(private, 0).entries[-1].body == b""
    assert own(private, 1).entries[-1].body == b"<gameState>later</gameState>"


@given(records())
def test_nothing_that_concerns_others_is_in_it(record: GameRecord) -> None:
    seats = len(record.seats)
    for seat in range(seats):
        seen = own(record, seat)
        for entry in seen.entries:
            if entry.kind is EntryKind.VIEW:
                assert entry.audience == 1 << seat
            if entry.kind in CONCERNING:
                assert entry.seat == seat
            if entry.kind is EntryKind.MOVE and entry.seat != seat:
                assert entry.body == b""
        assert list(ugsg.read(ugsg.write(seen).splitlines(keepends=True))) == [seen]


def drawn(visibility: str = "PUBLIC") -> GameRecord:
    """A game that was drawn for ann, and for all others; bob was not shown its last state."""
    recorder = Recorder()
    recorder.adds(EntryKind.OWNSKETCH, 0, None, 0b01, body=b"<sketch>ann: 7</sketch>")
    recorder.adds(EntryKind.SKETCH, 0, body=b"<sketch>two cards</sketch>")
    recorder.state(0, b"<gameState>1</gameState>")
    recorder.adds(EntryKind.SKETCH, 0, body=b"<sketch>none</sketch>")
    recorder.view(0b01, b"<gameState>mine</gameState>")
    recorder.state(0, b"<gameState>2</gameState>", audience=0b01)
    recorder.state(0, b"<gameState>3</gameState>")
    return replace(recorder.so_far(), table={"name": "t", "owner": "ann", "visibility": visibility})


def test_a_sketch_is_seen_by_those_for_whom_it_was_drawn() -> None:
    entries = drawn().entries
    common = {3: b"<sketch>two cards</sketch>", 6: b"<sketch>none</sketch>"}
    assert sketches_of(entries, None) == sketches_of(entries, 1) == common
    assert sketches_of(entries, 0) == {**common, 3: b"<sketch>ann: 7</sketch>"}


def test_the_sketch_of_one_player_is_neither_public_nor_another_ones() -> None:
    assert b"ann: 7" not in jsonl.write(public(drawn()))
    assert b"ann: 7" not in jsonl.write(own(drawn(), 1))
    assert b"ann: 7" in jsonl.write(own(drawn(), 0))
    assert b"two cards" in jsonl.write(public(drawn()))


def test_of_a_private_table_a_player_has_no_sketch_of_what_it_was_not_shown() -> None:
    seen = own(drawn("PRIVATE"), 1)
    assert [entry.body for entry in seen.entries if entry.kind is EntryKind.SKETCH] == [b"<sketch>two cards</sketch>"]
    assert len([entry for entry in own(drawn("PRIVATE"), 0).entries if entry.kind is EntryKind.SKETCH]) == 2


def test_of_a_running_game_remarks_are_seen_by_their_sender_alone_unless_they_are_open() -> None:
    recorder = Recorder()
    recorder.adds(EntryKind.REMARK, 0, 0, body=b'{"plan":"a"}')
    recorder.adds(EntryKind.OPENREMARK, 0, 0, body=b'{"plan":"b"}')
    game = recorder.so_far()
    bodies = [
        [entry.body for entry in seen.entries if entry.body] for seen in (public(game), own(game, 0), own(game, 1))
    ]
    assert bodies == [[b'{"plan":"b"}'], [b'{"plan":"a"}', b'{"plan":"b"}'], []]
    ended = recorder.ends([Outcome.WON, Outcome.LOST])
    for seen in (public(ended), own(ended, 0), own(ended, 1)):
        assert [entry.body for entry in seen.entries if entry.body] == [b'{"plan":"a"}', b'{"plan":"b"}']
        assert list(ugsg.read(ugsg.write(seen).splitlines(keepends=True))) == [seen]
