"""Batches: each game counts once, lost ones are given out again, and towards the end they are small."""

from collections import deque
from collections.abc import Iterable

import pytest

from ugs.broker.verdict import Outcome
from ugs.match.batches import FIRST_ROUNDS, MAX_BATCH, MAX_LOST, BatchBook, BatchUse, MatchBatch, PlayedBatch
from ugs.match.planner import GivenGame, GivenGames, PlannedGame
from ugs.match.score import ScoredGame


def game(number: int) -> GivenGame:
    return GivenGame(PlannedGame(number, ("a", "b"), number), "")


def book(games: int, at_once: int = 1) -> BatchBook:
    left = deque(map(game, range(1, games + 1)))
    return BatchBook(lambda: left.popleft() if left else None, at_once, lambda: len(left))


def result(given: GivenGame, game_id: str = "g") -> ScoredGame:
    return ScoredGame(given.planned, game_id, {"a": Outcome.WON, "b": Outcome.LOST})


def played(batch: MatchBatch, games: Iterable[GivenGame] | None = None, seconds: float = 0.0) -> PlayedBatch:
    results = tuple(map(result, batch.games if games is None else games))
    return PlayedBatch(batch.number, "w", results, use=BatchUse(seconds=seconds))


def numbers(results: Iterable[ScoredGame]) -> list[int]:
    return [one.planned.number for one in results]


def next_of(books: BatchBook, workers: int = 1) -> MatchBatch:
    batch = books.next(workers)
    assert batch is not None
    return batch


def test_a_batch_that_comes_twice_counts_once() -> None:
    books = book(100)
    batch = next_of(books)
    assert numbers(books.played(played(batch))) == [1, 2, 3, 4]
    assert books.played(played(batch)) == ()


def test_only_games_of_the_batch_count_with_their_players_and_each_once() -> None:
    books = book(100)
    batch = next_of(books)
    other = GivenGame(PlannedGame(1, ("b", "a"), 1), "")
    strangers = ScoredGame(batch.games[1].planned, "g", {"a": Outcome.WON, "x": Outcome.LOST})
    came = PlayedBatch(
        batch.number, "w", (result(other), strangers, result(game(77)), result(game(3)), result(game(3), "again"))
    )
    assert [(one.planned.number, one.game_id) for one in books.played(came)] == [(3, "g")]
    rest = next_of(books)
    assert [one.planned.number for one in rest.games] == [1, 2, 4]


def test_a_lost_batch_is_given_out_first_and_not_for_ever() -> None:
    books = book(100)
    batch = next_of(books)
    for _ in range(MAX_LOST - 1):
        assert books.lost(batch.number)
        assert books.next(1) == batch
    assert not books.lost(batch.number)


def test_what_is_lost_with_the_scheduler_is_no_fault_of_the_batch() -> None:
    books = book(100)
    batch = next_of(books)
    for _ in range(3 * MAX_LOST):
        books.back(batch.number)
        assert books.next(1) == batch
    assert books.games_out == len(batch.games)


def test_batches_follow_what_games_take_and_get_small_towards_the_end() -> None:
    books = book(20_000, at_once=2)
    first = next_of(books)
    assert len(first.games) == 2 * FIRST_ROUNDS
    books.played(played(first, seconds=4))  # half a second a game
    assert len(next_of(books).games) == 40
    quick = next_of(books)
    for _ in range(20):
        books.played(played(quick, seconds=0.001))
        quick = next_of(books)
    assert len(quick.games) == MAX_BATCH
    sizes = []
    while (batch := books.next(4)) is not None:
        sizes.append(len(batch.games))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-2:] == [2, 2] or sizes[-1] <= 2


def test_given_games_are_given_in_their_order_and_over_once_settled() -> None:
    games = GivenGames([game(7), game(3)])
    assert [planned.number for planned in iter(games.next, None)] == [7, 3]
    assert not games.finished
    for number in (3, 7):
        games.settle(number, {})
    assert games.finished


@pytest.mark.parametrize("workers", [0, 1, 1000])
def test_there_is_always_a_next_batch_while_there_are_games(workers: int) -> None:
    books, games = book(50), 0
    while (batch := books.next(workers)) is not None:
        games += len(batch.games)
    assert games == 50
