"""What a position is in words, for its picture and beside it: worked out once for both."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

Sight = TypeVar("Sight")


def words_once(words: Callable[[Sight], str]) -> Callable[[Sight], str]:
    """Decorate the method ``words`` of pictures that do not change: the text of the picture that was asked last is
    remembered, since who draws it asks for the text twice."""
    last: tuple[object, str] = None, ""

    @wraps(words)
    def remembered(sight: Sight) -> str:
        nonlocal last
        known = last  # one that other threads leave as it is
        if known[0] is not sight:
            known = last = sight, words(sight)
        return known[1]

    return remembered
