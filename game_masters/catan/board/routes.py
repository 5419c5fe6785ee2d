"""Routes: the longest one of a player, and ships that are closed in."""

from collections.abc import Collection, Iterator, Mapping

from game_masters.catan.board.geometry import Net


def longest(
    net: Net, roads: Collection[int], ships: Collection[int], own: Collection[int], foreign: Collection[int]
) -> int:
    """Return the length of the longest route of roads and ships.

    Each edge counts once; nodes may be passed again. No route goes through a ``foreign`` building, and roads and ships
    join only at an ``own`` one.
    """
    beside: dict[int, list[int]] = {}
    for edge in (*roads, *ships):
        for node in net.edge_nodes[edge]:
            beside.setdefault(node, []).append(edge)
    at_sea = frozenset(ships)
    used: set[int] = set()

    def onward(edge: int, node: int) -> int:
        # A route may begin or end at another player's building, but not go through.
        if node in foreign:
            return 0
        best = 0
        joins = node in own
        for other in beside[node]:
            if other not in used and (joins or (other in at_sea) == (edge in at_sea)):
                used.add(other)
                best = max(best, 1 + onward(other, net.beyond(other, node)))
                used.remove(other)
        return best

    length = 0
    for edge in (*roads, *ships):
        for node in net.edge_nodes[edge]:
            used.add(edge)
            length = max(length, 1 + onward(edge, node))
            used.remove(edge)
    return length


def chains(
    net: Net, ships: Collection[int], own: Collection[int], villages: Collection[int], foreign: Collection[int]
) -> Iterator[tuple[int, frozenset[int]]]:
    """Yield the chains of ships that link an ``own`` building to another one or to a village, as last end and ships.

    A chain ends at the next own building, and may go on behind a village. It passes no node twice and no ``foreign``
    building. Those between two own buildings are found from both sides.
    """
    beside: dict[int, list[int]] = {}
    for edge in ships:
        for node in net.edge_nodes[edge]:
            beside.setdefault(node, []).append(edge)

    def onward(node: int, path: tuple[int, ...], seen: frozenset[int]) -> Iterator[tuple[int, frozenset[int]]]:
        for edge in beside.get(node, ()):
            beyond = net.beyond(edge, node)
            if beyond in seen:
                continue
            if beyond in own or beyond in villages:
                yield beyond, frozenset((*path, edge))
            if beyond not in own and beyond not in foreign:
                yield from onward(beyond, (*path, edge), seen | {beyond})

    for start in sorted(own):
        yield from onward(start, (), frozenset({start}))


def holder(lengths: Mapping[int, int], present: int, least: int) -> int:
    """Return who holds the longest route: the only one with the greatest length of ``least`` or more; among several
    the present holder, or none (-1)."""
    greatest = max(lengths.values(), default=0)
    if greatest < least:
        return -1
    leaders = [seat for seat, length in lengths.items() if length == greatest]
    if len(leaders) == 1:
        return leaders[0]
    return present if present in leaders else -1
