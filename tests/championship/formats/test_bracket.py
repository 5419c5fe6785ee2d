"""The tree of a knock-out."""

import pytest

from ugs.championship.formats.bracket import From, Seed, bracket


def seeds(entrants: int, seats: int = 2) -> list[list[int]]:
    """The first matches, by seeds counted from 1."""
    first = [one for one in bracket(entrants, seats, False) if one.round == 1]
    return [[source.place + 1 for source in one.sources if isinstance(source, Seed)] for one in first]


def test_the_highest_meets_the_lowest() -> None:
    assert seeds(16) == [[1, 16], [2, 15], [3, 14], [4, 13], [5, 12], [6, 11], [7, 10], [8, 9]]


def test_the_winner_of_one_and_sixteen_meets_the_winner_of_eight_and_nine() -> None:
    tree = bracket(16, 2, False)
    assert tree[8].sources == (From(0, 0), From(7, 0))
    assert tree[-1].sources == (From(12, 0), From(13, 0))


def test_where_the_field_is_no_power_of_two_the_top_seeds_wait() -> None:
    assert seeds(5) == [[4, 5]]
    assert seeds(12) == [[5, 12], [6, 11], [7, 10], [8, 9]]
    assert bracket(5, 2, False)[1].sources == (Seed(0), From(0, 0))


def test_matches_have_the_names_people_use() -> None:
    labels = [one.label for one in bracket(12, 2, True)]
    assert labels == ["round of 16"] * 4 + ["quarter-final"] * 4 + ["semi-final"] * 2 + ["final", "third place"]
    assert [one.label for one in bracket(27, 3, False)] == ["round of 27"] * 9 + ["semi-final"] * 3 + ["final"]


def test_the_losers_of_the_semi_finals_meet_for_the_third_place() -> None:
    assert bracket(4, 2, True)[-1].sources == (From(0, 1), From(1, 1))
    assert bracket(9, 3, True)[-1].sources == (From(0, 1), From(1, 1), From(2, 1))


@pytest.mark.parametrize(("entrants", "seats"), [(2, 2), (3, 2), (4, 3), (3, 3)])
def test_there_is_no_third_place_where_too_few_have_lost_a_semi_final(entrants: int, seats: int) -> None:
    assert all(one.label != "third place" for one in bracket(entrants, seats, True))


@pytest.mark.parametrize("seats", range(2, 8))
@pytest.mark.parametrize("entrants", [*range(2, 41), 100, 333])
def test_everybody_is_in_it_all_groups_are_full_and_one_is_left(entrants: int, seats: int) -> None:
    if seats > entrants:
        return
    tree = bracket(entrants, seats, False)
    sources = [source for one in tree for source in one.sources]
    assert len(set(sources)) == len(sources)
    assert {source.place for source in sources if isinstance(source, Seed)} == set(range(entrants))
    assert all(len(one.sources) == seats for one in tree)
    going_on = {From(match, place) for match, one in enumerate(tree) for place in range(one.go_on)}
    assert going_on - set(sources) == {From(len(tree) - 1, 0)}
    assert all(source.match < at for at, one in enumerate(tree) for source in one.sources if isinstance(source, From))
    assert sum(one.go_on - 1 for one in tree) <= seats * tree[-1].round


def test_for_games_of_two_there_is_one_match_less_than_entrants() -> None:
    assert all(len(bracket(entrants, 2, False)) == entrants - 1 for entrants in range(2, 70))
