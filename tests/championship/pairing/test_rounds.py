"""Games as numbers."""

import pickle

import pytest

from ugs.championship.pairing.rounds import GauntletGames, RoundRobinGames, Rounds, in_rounds


def test_games_are_put_into_the_first_round_that_has_room() -> None:
    assert in_rounds([(0, 1), (0, 2), (2, 3), (1, 3), (1, 2)]) == [[0, 2], [1, 3], [4]]


def test_games_have_rounds_and_players_have_games() -> None:
    rounds = Rounds.of(2, [[(0, 1), (2, 3)], [(2, 0)]])
    assert [(rounds.game(game), rounds.round_of(game)) for game in range(len(rounds))] == [
        ((0, 1), 1),
        ((2, 3), 1),
        ((2, 0), 2),
    ]
    assert [list(rounds.games_of(place)) for place in range(5)] == [[0, 2], [0], [1, 2], [1], []]
    assert [list(rounds.mates_of(place)) for place in range(5)] == [[1, 2], [0], [3, 0], [2], []]


@pytest.mark.parametrize("games", [RoundRobinGames(6, 2, 2), RoundRobinGames(7, 3, 1), GauntletGames(6, 3, 1)])
def test_they_are_compared_by_content_and_the_same_after_a_journey(games: RoundRobinGames | GauntletGames) -> None:
    rounds = games.draw()
    there = pickle.loads(pickle.dumps(rounds))
    assert rounds == there == pickle.loads(pickle.dumps(games)).draw()
    assert hash(rounds) == hash(there)
    assert rounds != Rounds(2)
    assert [there.game(at) for at in range(len(there))] == [rounds.game(at) for at in range(len(rounds))]
