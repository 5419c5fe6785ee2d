"""Computer players for Nim."""

import random
from functools import reduce
from operator import xor

from game_masters.kit.rules import Bot
from ugs_nim.rules import Take, View


def choose_random(view: View, rng: random.Random) -> Take:
    """Any heap, any number."""
    heap = rng.choice([heap for heap, size in enumerate(view.heaps) if size])
    return Take(heap, rng.randint(1, view.heaps[heap]))


def choose_by_sum(view: View, rng: random.Random) -> Take:
    """Leave heaps whose binary sum without carry is zero, from which two players cannot win; else take one."""
    nim_sum = reduce(xor, view.heaps)
    for heap, size in enumerate(view.heaps):
        if size ^ nim_sum < size:
            return Take(heap, size - (size ^ nim_sum))
    return Take(next(heap for heap, size in enumerate(view.heaps) if size), 1)


BOTS = (
    Bot("sum", "never loses a won game between two", choose_by_sum),
    Bot("random", "takes anything", choose_random),
)
