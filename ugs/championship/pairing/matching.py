"""The largest number of pairs that can be made at the same time when not every two partners fit."""

from collections.abc import Sequence

UNSET = -1


def most_pairs(partners: Sequence[Sequence[int]], begun: Sequence[int] = ()) -> list[int]:
    """Return for each node the one it is paired with, or -1: as many pairs as possible.

    ``partners[one]`` are those that ``one`` may be paired with, the preferred ones first. ``begun`` is a pairing to
    begin with, in the form of the result. Edmonds' method: alternating trees grow from the nodes without a partner, and
    an odd circle is treated as one node from then on. The work grows with the cube of the number of nodes.
    """
    pair = list(begun) or [UNSET] * len(partners)
    for one in range(len(partners)):
        if pair[one] == UNSET:
            _augment(partners, pair, one)
    return pair


def _augment(partners: Sequence[Sequence[int]], pair: list[int], root: int) -> None:
    """Find a partner for ``root`` by exchanging along an alternating path, if there is one."""
    size = len(partners)
    parent = [UNSET] * size
    base = list(range(size))
    outer = [False] * size
    outer[root] = True
    queue = [root]
    # The list grows while it is read.
    for one in queue:
        for other in partners[one]:
            # Within one odd circle, or its own partner: such an edge leads nowhere new.
            if base[one] == base[other] or pair[one] == other:
                continue
            # Two outer nodes: the edge closes an odd circle, which is one node from now on.
            if outer[other]:
                meeting = _common_base(one, other, base, pair, parent)
                circle = {*_bases(one, meeting, base, pair, parent), *_bases(other, meeting, base, pair, parent)}
                _turn(one, meeting, other, base, pair, parent)
                _turn(other, meeting, one, base, pair, parent)
                for member in range(size):
                    if base[member] in circle:
                        base[member] = meeting
                        if not outer[member]:
                            outer[member] = True
                            queue.append(member)
            elif parent[other] == UNSET:
                parent[other] = one
                # A free node: the path ends here, and has one pair more when it is exchanged.
                if pair[other] == UNSET:
                    _exchange(other, pair, parent)
                    return
                outer[pair[other]] = True
                queue.append(pair[other])


def _common_base(one: int, other: int, base: list[int], pair: list[int], parent: list[int]) -> int:
    """Return where the paths of two outer nodes to the root meet."""
    seen = set()
    at = one
    while True:
        at = base[at]
        seen.add(at)
        if pair[at] == UNSET:
            break
        at = parent[pair[at]]
    at = base[other]
    while at not in seen:
        at = base[parent[pair[at]]]
    return at


def _bases(at: int, meeting: int, base: list[int], pair: list[int], parent: list[int]) -> list[int]:
    """The bases on the path from an outer node to the meeting point."""
    found = []
    while base[at] != meeting:
        found += [base[at], base[pair[at]]]
        at = parent[pair[at]]
    return found


def _turn(at: int, meeting: int, child: int, base: list[int], pair: list[int], parent: list[int]) -> None:
    """Make the path from an outer node to the meeting point usable from the other side too."""
    while base[at] != meeting:
        parent[at] = child
        child = pair[at]
        at = parent[child]


def _exchange(at: int, pair: list[int], parent: list[int]) -> None:
    """Exchange the pairs along the path that ends here."""
    while at != UNSET:
        before = parent[at]
        following = pair[before]
        pair[at], pair[before] = before, at
        at = following
