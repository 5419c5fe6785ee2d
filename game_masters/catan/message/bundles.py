"""Resources by the handful: tuples of six counts, clay, ore, sheep, wheat, wood and unknown."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from game_masters.catan.message.vocabulary import RESOURCE_NAMES, Piece

Bundle: TypeAlias = tuple[int, int, int, int, int, int]

NOTHING: Final[Bundle] = (0, 0, 0, 0, 0, 0)
TYPES: Final = range(5)
"""The places of the known resources in a bundle; a resource's number is one more."""
COSTS: Final[dict[Piece, Bundle]] = {
    Piece.ROAD: (1, 0, 0, 0, 1, 0),
    Piece.SHIP: (0, 0, 1, 0, 1, 0),
    Piece.SETTLEMENT: (1, 0, 1, 1, 1, 0),
    Piece.CITY: (0, 3, 0, 2, 0, 0),
}
CARD_COST: Final[Bundle] = (0, 1, 1, 1, 0, 0)


def bundle(counts: Sequence[int], unknown: int = 0) -> Bundle:
    """Return a bundle of five counts."""
    clay, ore, sheep, wheat, wood = counts
    return clay, ore, sheep, wheat, wood, unknown


def single(resource: int, amount: int = 1) -> Bundle:
    """Return ``amount`` of one resource, 1 to 6."""
    counts = [0] * 6
    counts[resource - 1] = amount
    return counts[0], counts[1], counts[2], counts[3], counts[4], counts[5]


def covers(hand: Sequence[int], wanted: Sequence[int]) -> bool:
    """Whether a hand of known resources holds all that is wanted."""
    return (
        hand[0] >= wanted[0]
        and hand[1] >= wanted[1]
        and hand[2] >= wanted[2]
        and hand[3] >= wanted[3]
        and hand[4] >= wanted[4]
    )


def take(hand: list[int], what: Sequence[int]) -> None:
    """Take the known resources of ``what`` out of a hand."""
    for type in TYPES:
        hand[type] -= what[type]


def give(hand: list[int], what: Sequence[int]) -> None:
    """Put the known resources of ``what`` into a hand."""
    for type in TYPES:
        hand[type] += what[type]


def elements(what: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return what there is, as pairs of resource and amount."""
    return tuple((type + 1, what[type]) for type in TYPES if what[type])


def choices(available: Sequence[int], amount: int) -> Iterator[Bundle]:
    """Yield all bundles of ``amount`` resources out of those available, always in the same order."""

    def of(type: int, left: int) -> Iterator[tuple[int, ...]]:
        if type == len(TYPES) - 1:
            if left <= available[type]:
                yield (left,)
            return
        for count in range(min(left, available[type]), -1, -1):
            for rest in of(type + 1, left - count):
                yield (count, *rest)

    for counts in of(0, amount):
        yield bundle(counts)


def in_words(what: Sequence[int]) -> str:
    """Return a bundle for people: ``2 clay, 1 ore``."""
    parts = [f"{what[type]} {RESOURCE_NAMES[type]}" for type in TYPES if what[type]]
    if len(what) > len(TYPES) and what[5]:
        parts.append(f"{what[5]} cards")
    return ", ".join(parts) or "nothing"
