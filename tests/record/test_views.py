"""What each player was shown, and what everybody may see."""

from dataclasses import replace

from hypothesis import given

from tests.record.samples import Recorder, card_game, tic_tac_toe
from tests.record.strategies import records
from ugs.broker.record import EntryKind
from ugs.record import jsonl, ugsg
from ugs.record.game import Entry, GameRecord
from ugs.record.views import PRIVATE, public, shown_to, views_of

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
