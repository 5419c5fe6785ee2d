"""How many creatures of a kind are left, as a status has it: numbers that occur again are read once."""

import pytest

from game_masters.kit.rules import Unreadable
from game_masters.titan.notation import read_state
from game_masters.titan.views import Stock

STATUS = '<gameState><status event="0" turn="1" phase="Setup">{}</status></gameState>'


def read(stock: str) -> tuple[Stock, ...]:
    return read_state(STATUS.format(stock).encode())[3].stock


def test_the_same_numbers_are_read_once() -> None:
    text = '<stock creature="Ogre" left="21" dead="0"/>'
    (once,), (again,) = read(text), read(text)
    assert once == Stock("Ogre", 21, 0)
    assert once is again


def test_kinds_that_the_game_does_not_have_are_read_and_not_remembered() -> None:
    text = '<stock creature="Dodo" left="21" dead="0"/>'
    (once,), (again,) = read(text), read(text)
    assert once == again == Stock("Dodo", 21, 0)
    assert once is not again


@pytest.mark.parametrize(
    "wrong", ['creature="Ogre" left="x" dead="0"', 'creature="Ogre" left="21"', 'creature="Ogre" left="" dead="0"']
)
def test_what_is_no_number_is_refused_each_time(wrong: str) -> None:
    for _ in range(2):
        with pytest.raises(Unreadable, match="element stock"):
            read(f"<stock {wrong}/>")
