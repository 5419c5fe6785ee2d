"""Which options and numbers of players the contract tests try out."""

from dataclasses import replace

import pytest

from game_masters.kit import contract
from game_masters.kit.contract import MAX_COMBINATIONS, all_numbers_of_players, combinations
from game_masters.kit.rules import Option, Players
from tests.game_masters.high_card import HIGH_CARD


def test_few_options_are_tried_in_all_combinations() -> None:
    game = replace(HIGH_CARD, options=(Option("one", True, "."), Option("size", 5, ".", range(3, 9))))
    tried = [tuple(texts.values()) for texts in combinations(game)]
    assert tried == [(flag, size) for flag in ("yes", "no") for size in ("3", "5", "8")]


def test_of_many_options_each_is_tried_with_each_value_while_the_others_have_their_defaults() -> None:
    names = [f"option-{number}" for number in range(11)]
    game = replace(HIGH_CARD, options=tuple(Option(name, number % 2 == 0, ".") for number, name in enumerate(names)))
    tried = list(combinations(game))
    assert len(tried) == MAX_COMBINATIONS
    usual = {name: "yes" if number % 2 == 0 else "no" for number, name in enumerate(names)}
    for name in names:
        for value in ("yes", "no"):
            assert {**usual, name: value} in tried
    assert list(combinations(game)) == tried


@pytest.mark.parametrize(("most", "tried"), [(12, [2, 3, 4, 5, 6, 7, 8]), (3, [2, 5, 8]), (2, [2, 8]), (1, [2, 8])])
def test_the_fewest_and_the_most_players_are_always_tried(
    monkeypatch: pytest.MonkeyPatch, most: int, tried: list[int]
) -> None:
    monkeypatch.setattr(contract, "MAX_NUMBERS", most)
    assert list(all_numbers_of_players(replace(HIGH_CARD, players=Players(2, 8)))) == tried
