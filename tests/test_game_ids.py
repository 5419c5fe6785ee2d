"""Ids and beginnings of ids."""

import pytest

from ugs.game_ids import NoSuchGame, id_meant, not_one

IDS = ("ab1", "ab2", "b", "bc")


@pytest.mark.parametrize(("word", "meant"), [("ab1", "ab1"), ("b", "b"), ("bc", "bc"), ("ab2", "ab2")])
def test_an_id_is_itself_even_if_others_begin_with_it(word: str, meant: str) -> None:
    assert id_meant(word, IDS) == meant


def test_a_beginning_is_the_one_id_that_begins_with_it() -> None:
    assert id_meant("a", ("ab1", "b")) == "ab1"


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("x", "game 'x': there is no such game here"),
        ("", "game '': there is no such game here"),
        ("a", "game 'a': that beginning fits 2 games here: ab1, ab2"),
    ],
)
def test_none_and_several_are_said(word: str, text: str) -> None:
    with pytest.raises(NoSuchGame) as caught:
        id_meant(word, IDS, " here")
    assert str(caught.value) == text


def test_of_many_some_are_named() -> None:
    many = [f"g{number}" for number in range(10)]
    assert not_one("g", many).endswith("fits 10 games: g0, g1, g2, g3, g4, g5, g6, g7, …")
    assert not_one("g", many, more=True).startswith("game 'g': that beginning fits more than 10 games")
