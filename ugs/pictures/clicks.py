"""How moves are clicked: a part of the picture that stands for all of a move, or several parts one after the other."""

from collections import Counter
from collections.abc import Collection, Iterable
from itertools import chain


def are_in_turn(places: Iterable[Collection[int]]) -> bool:
    """Whether moves are clicked part by part, such as a piece and where it goes. ``places`` are the numbers of the
    offers that each place of a picture stands for.

    Where each place stands for one move only, any of its places is enough: the fields of a column into which a disc is
    dropped, for instance. Offers that name the order of their clicks themselves are none of these.
    """
    places = list(places)
    parts = Counter(chain.from_iterable(places))
    return any(sum(parts[number] > 1 for number in numbers) > 1 for numbers in places)
