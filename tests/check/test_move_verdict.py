"""Whether an answer is legal, by the rules: the moves of others are found again from what the player was shown."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from game_masters.catan import FOUR
from game_masters.chess import GAME as CHESS
from game_masters.kit.rules import AnyGame
from game_masters.tic_tac_toe import GAME as FIVE
from ugs.broker.values.record import EntryKind
from ugs.check import move_verdict
from ugs.check.move_verdict import NotJudged, first_illegal, verdict_on
from ugs.record.game import Entry, GameRecord
from ugs.record.views import own

NICKS = ("ann", "bob")


def played(game: AnyGame, moves: int, *, back: int = 1, **options: str) -> tuple[GameRecord, Sequence[Any]]:
    """The record of a game with this many moves by chance, and what the next player may do. Each state shows the last
    entries of the game's record, ``back`` of them."""
    state = game.begin("g", NICKS, game.choose_options(options))
    entries: list[Entry] = []
    write, rng = game.notation, Random(3)

    def shows() -> None:
        view = write.write_view(state.view(None, max(0, len(state.record) - back)))
        entries.append(Entry(EntryKind.STATE, 0, 0, seat=next(iter(state.movers), 0), audience=3, body=view))

    entries.append(Entry(EntryKind.BEGIN, 0, 0))
    shows()
    for _ in range(moves):
        seat = state.movers[0]
        move = rng.choice(state.legal_moves(seat))
        entries.append(Entry(EntryKind.MOVE, 0, 0, seat=seat, body=write.write_move(move)))
        state.apply(seat, move)
        shows()
    legal = list(map(write.write_move, state.legal_moves(state.movers[0])))
    seat = state.movers[0]
    entries.append(Entry(EntryKind.LEFT, 0, 0, seat=seat, text="timeout"))
    return GameRecord("g", game.game_type, "m", NICKS, 0, options, entries=tuple(entries)), legal


@pytest.mark.parametrize("back", [1, 2])
@pytest.mark.parametrize(("game", "moves"), [(FIVE, 5), (CHESS, 12)])
def test_a_record_of_one_seat_is_enough_where_all_is_open(game: AnyGame, moves: int, back: int) -> None:
    """Also where a state repeats what its player has not surely read, as those of OpenSpiel's games do."""
    record, legal = played(game, moves, back=back)
    nick = NICKS[moves % 2]
    mine = own(record, moves % 2)
    assert [entry.body for entry in mine.entries if entry.kind is EntryKind.MOVE and entry.seat != moves % 2] == [
        b""
    ] * ((moves + 1) // 2)
    for move in (legal[0], legal[-1]):
        assert verdict_on(game, mine, nick, 0, move) == ""


def test_a_taken_field_is_not_legal_even_where_it_was_not_tried_before() -> None:
    record, _legal = played(FIVE, 5, width="7", height="7", row="5")
    taken = [entry.body for entry in record.entries if entry.kind is EntryKind.MOVE and entry.seat == 0]
    mine = own(record, 1)
    assert all("is taken" in verdict_on(FIVE, mine, "bob", 0, move) for move in taken)
    outside = b'<move><tic x="7" y="0"/></move>'
    assert "outside the board of 7 x 7" in verdict_on(FIVE, mine, "bob", 0, outside)
    assert verdict_on(FIVE, mine, "bob", 0, b"<move><tac/></move>").startswith("it cannot be read: ")
    mixed = {2: taken[1], 4: outside}
    assert first_illegal(FIVE, mine, "bob", {2: taken[1]}) is None
    number, why = first_illegal(FIVE, mine, "bob", mixed) or (0, "")
    assert (number, "outside the board" in why) == (4, True)
    with pytest.raises(NotJudged, match="move 3 of this player is not in the record"):
        first_illegal(FIVE, mine, "bob", {3: outside})
    # in an earlier position the same field was free
    assert verdict_on(FIVE, mine, "bob", 2, taken[1]) == ""


@pytest.mark.parametrize(
    ("game", "change", "why"),
    [
        (FOUR, {}, "the others have what this player cannot see"),
        (FIVE, {"seats_total": 3}, "the game master has played seats"),
        (FIVE, {"options": {"width": "2"}}, "its options are others here: option width"),
        (FIVE, {"options": {"width": "9", "height": "9"}}, "it goes another way"),
    ],
)
def test_where_the_rules_cannot_be_asked_the_reason_is_given(game: AnyGame, change: dict[str, Any], why: str) -> None:
    record, legal = played(FIVE, 5)
    with pytest.raises(NotJudged, match=why):
        verdict_on(game, replace(own(record, 1), **change), "bob", 0, legal[0])


def test_looking_for_moves_of_others_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    record, legal = played(FIVE, 5)
    monkeypatch.setattr(move_verdict, "MAX_TRIED", 5)
    with pytest.raises(NotJudged, match="too many moves to try"):
        verdict_on(FIVE, own(record, 1), "bob", 0, legal[0])


def test_moves_of_others_that_were_not_shown_leave_it_open() -> None:
    record, legal = played(FIVE, 5)
    entries = own(record, 1).entries
    hidden = replace(own(record, 1), entries=(*entries[:-2], entries[-1]))
    with pytest.raises(NotJudged, match="not certain"):
        verdict_on(FIVE, hidden, "bob", 0, legal[0])
    with pytest.raises(NotJudged, match="move 9 of this player is not in the record"):
        verdict_on(FIVE, own(record, 1), "bob", 9, legal[0])
