"""Boards between two states, compared with games in which every board was recorded."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from game_masters.apologies import ADULT, STANDARD
from game_masters.apologies.board import HOME, START, Pawns
from game_masters.apologies.cards import Kind
from game_masters.apologies.gateway.boards import (
    Board,
    action_text,
    before,
    boards,
    color_of,
    last_board,
    state_event,
    turn_event,
    winner,
)
from game_masters.apologies.gateway.events import HistoryItem
from game_masters.apologies.notation import read_view, write_view
from game_masters.apologies.plays import Profile, after
from game_masters.apologies.rules import Position
from game_masters.apologies.views import Made, Mode, Move, Offer, Optimal, SeatView, Sitter, View
from game_masters.kit.rules import Table
from tests.game_masters.apologies.gateway.client import UpstreamClient
from tests.profile import sized

GAMES = {Mode.STANDARD: STANDARD, Mode.ADULT: ADULT}
NAMES = ("ann", "bob", "cyd", "dee")
WHEN = datetime(2026, 11, 21, 1, 44, 43, 471_000, UTC)


@dataclass(frozen=True, slots=True)
class Moment:
    """The state of a game after a number of plays, and the length of its record then."""

    pawns: Pawns
    turns: tuple[int, ...]
    entries: int


def begin(mode: Mode, rules: str, seats: int, seed: int) -> Position:
    options = GAMES[mode].choose_options({"rules": rules})
    return Position(mode, Table("g1", NAMES[:seats], options), random.Random(seed))


def choose(position: Position, rng: random.Random) -> Move:
    moves = position.legal_moves(position.movers[0])
    return rng.choice(moves[:-1]) if rng.random() < 0.6 else Optimal()


def play(position: Position, rng: random.Random) -> Iterator[Moment]:
    """Yield a whole game, play by play."""
    while True:
        yield Moment(position.pawns, tuple(position.turns), len(position.record))
        if position.outcome is not None:
            return
        position.apply(position.movers[0], choose(position, rng))


def sent(position: Position, seat: int | None, since: int) -> View:
    """Return what a player reads of what is written."""
    return read_view(write_view(position.view(seat, since)))


def made(position: Position) -> list[Made]:
    return [entry for entry in position.record if isinstance(entry, Made)]


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("rules", ["strict", "upstream"])
@pytest.mark.parametrize("mode", Mode)
def test_boards_are_what_was_on_the_table(mode: Mode, rules: str, seats: int) -> None:
    """Views come after one play or several, and some tell of plays that their reader knows already."""
    rng = random.Random(f"{mode} {rules} {seats}")
    several = 0
    for seed in range(sized(quick=2, deep=8)):
        position = begin(mode, rules, seats, seed)
        moments: list[Moment] = []
        known = 0
        for moment in play(position, rng):
            moments.append(moment)
            plays = len(moments) - 1
            if plays == 0 or (rng.random() < 0.6 and position.outcome is None):
                continue
            told_from = moments[max(0, known - rng.choice((0, 0, 1, 5)))].entries
            seat = rng.choice((*range(seats), None))
            found = boards(sent(position, seat, told_from), known)
            expected = zip(made(position)[known:], moments[known + 1 :], strict=True)
            assert found == [Board(entry, there.pawns, there.turns) for entry, there in expected]
            assert found[-1] == replace(last_board(position.view(seat)), play=found[-1].play)
            several += len(found) > 3
            known = plays
        assert known == len(moments) - 1 == len(made(position))
        assert position.outcome is not None
        assert {winner(sent(position, None, 0))} == position.outcome.winners
    assert several > 10


@pytest.mark.parametrize("rules", ["strict", "upstream"])
@pytest.mark.parametrize("mode", Mode)
def test_who_knows_nothing_is_told_from_the_board_before_the_first_play(mode: Mode, rules: str) -> None:
    position = begin(mode, rules, 3, 1)
    moments = list(play(position, random.Random(1)))
    for plays in (0, 7, len(moments) - 1):
        view = sent(position, 0, moments[plays].entries)
        first, *rest = boards(view, None)
        assert first == Board(None, moments[plays].pawns, moments[plays].turns)
        assert rest == boards(view, plays)
        assert len(rest) == len(moments) - 1 - plays


@pytest.mark.parametrize("mode", Mode)
def test_plays_of_the_computer_for_a_seat_that_was_left_are_boards_as_well(mode: Mode) -> None:
    position = begin(mode, "strict", 4, 3)
    rng = random.Random(3)
    position.leave(1)
    position.leave(3)
    board = boards(sent(position, 0, 0), None)[0]
    known = entries = 0
    most = 0
    while position.outcome is None:
        position.apply(position.movers[0], choose(position, rng))
        found = boards(sent(position, 0, entries), known)
        for step in found:
            assert step.play is not None
            assert step.pawns == after(board.pawns, step.play)
            assert sum(step.turns) == sum(board.turns) + 1
            board = step
        known, entries = len(made(position)), len(position.record)
        most = max(most, len(found))
    assert (board.pawns, board.turns) == (position.pawns, tuple(position.turns))
    assert most > 2


def view_of(*plays: Made, count: int = 10, pawns: Pawns = (4, START, START, START, 34, START, START, START)) -> View:
    seats = (
        SeatView("ann", Sitter.HUMAN, 5, (Kind.TWO, Kind.TEN), pawns[:4]),
        SeatView("bob", Sitter.HUMAN, 5, (), pawns[4:]),
    )
    return View(Mode.ADULT, Profile.STRICT, count, 0, 0, seats, None, (), plays)


def test_a_state_that_comes_again_brings_no_board() -> None:
    view = view_of(Made(0, Kind.TWO), Made(1, Kind.TEN))
    assert boards(view, 10) == []
    assert boards(view, 11) == []
    assert [board.play for board in boards(view, 9)] == [Made(1, Kind.TEN)]


def test_plays_that_a_view_does_not_tell_of_are_left_out() -> None:
    view = view_of(Made(0, Kind.TWO), Made(1, Kind.TEN))
    for known in (0, 7, 8):
        assert [board.play for board in boards(view, known)] == [Made(0, Kind.TWO), Made(1, Kind.TEN)]
    assert boards(view_of(), 3) == []


def test_a_play_that_names_a_pawn_more_than_once_is_taken_back() -> None:
    itself = Made(0, Kind.FOUR, ((0, 13, 13),), ((0, 13, START), (4, 12, START), (4, 12, START)))
    was = (13, START, START, START, 12, START, START, START)
    now = after(was, itself)
    assert now == (START,) * 8
    assert before(now, itself) == was
    first, second = boards(view_of(itself, pawns=now), None)
    assert first == Board(None, was, (4, 5))
    assert second == Board(itself, now, (5, 5))


def test_nobody_has_won_before_four_pawns_are_home() -> None:
    assert winner(view_of()) is None
    assert winner(view_of(pawns=(HOME, HOME, HOME, START, HOME, HOME, HOME, HOME))) == 1
    position = begin(Mode.STANDARD, "strict", 2, 1)
    position.leave(0)
    assert position.outcome is not None
    assert winner(sent(position, None, 0)) is None


@pytest.mark.parametrize(
    ("play", "text"),
    [
        (Made(1, Kind.EIGHT, ((5, 22, 30),), ((0, 30, START),)), "plays 8: YELLOW1 to 30, RED0 to start"),
        (Made(0, Kind.APOLOGIES, ((0, START, 60), (4, 9, HOME))), "plays A: RED0 to safe 0, YELLOW0 to home"),
        (Made(0, Kind.TWELVE), "forfeits, discards 12"),
    ],
)
def test_the_history_tells_what_was_done(play: Made, text: str) -> None:
    assert action_text(play) == text
    assert color_of(play) == ("RED", "YELLOW")[play.seat]


def context(event: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(event)["context"]
    return told


def test_a_state_shows_the_own_hand_and_the_others_in_the_order_of_the_seats() -> None:
    position = begin(Mode.ADULT, "strict", 4, 5)
    view = sent(position, 2, 0)
    hand = [str(kind) for kind in position.view(2).seats[2].hand]
    item = HistoryItem("game started (ADULT)", None, None, WHEN)
    told = context(state_event("g1", view, boards(view, None)[0], 2, [item]))
    assert told["game_id"] == "g1"
    assert [line["action"] for line in told["recent_history"]] == ["game started (ADULT)"]
    assert (told["player"]["color"], told["player"]["hand"]) == ("GREEN", hand)
    assert len(hand) == 5
    assert [other["color"] for other in told["opponents"]] == ["RED", "YELLOW", "BLUE"]
    assert [other["hand"] for other in told["opponents"]] == [[], [], []]
    assert [other["pawns"][0]["square"] for other in told["opponents"]] == [4, 34, 19]


def test_no_hand_but_the_own_is_ever_told() -> None:
    view = view_of()
    told = context(state_event("g1", view, last_board(view), 1, []))
    assert (told["player"]["hand"], told["opponents"][0]["hand"]) == ([], [])


def test_each_board_of_a_view_is_told_with_its_own_pawns_and_turns() -> None:
    walk = Made(1, Kind.TEN, ((4, 24, 34),))
    view = view_of(walk)
    first, second = (context(state_event("g1", view, board, 0, [])) for board in boards(view, None))
    assert first["player"] == second["player"]
    assert first["player"]["hand"] == ["CARD_2", "CARD_10"]
    told = [(state["opponents"][0]["turns"], state["opponents"][0]["pawns"][0]["square"]) for state in (first, second)]
    assert told == [(4, 24), (5, 34)]


def test_a_turn_has_all_plays_on_offer_and_in_standard_the_card() -> None:
    position = begin(Mode.STANDARD, "strict", 2, 2)
    view = sent(position, None, 0)
    told = context(turn_event("g1", "ann", view))
    assert (told["handle"], told["game_id"], told["drawn_card"]) == ("ann", "g1", str(view.drawn))
    assert [*told["moves"]] == [offer.id for offer in view.offers]
    assert all(move["move_id"] == id for id, move in told["moves"].items())


def test_in_adult_no_card_is_drawn_even_if_all_are_alike() -> None:
    view = replace(view_of(), offers=(Offer("c2f0", Kind.TWO, (), ()),), drawn=Kind.TWO)
    told = context(turn_event("g1", "ann", view))
    assert told["drawn_card"] is None
    assert told["moves"] == {"c2f0": {"move_id": "c2f0", "card": "CARD_2", "actions": [], "side_effects": []}}


@pytest.mark.parametrize("mode", Mode)
def test_the_clients_read_a_whole_game(mode: Mode) -> None:
    """The clients read every board and every turn as it was told."""
    client = UpstreamClient()
    position = begin(mode, "upstream", 4, 7)
    rng = random.Random(7)
    for moment in play(position, rng):
        movers = position.movers or (0,)
        view = sent(position, movers[0], max(0, moment.entries - 8))
        events = [state_event("g1", view, board, movers[0], []) for board in boards(view, None)]
        events += [turn_event("g1", "ann", view)] if position.outcome is None else []
        assert [client.understood(event) for event in events] == [json.loads(event) for event in events]
    assert position.outcome is not None
