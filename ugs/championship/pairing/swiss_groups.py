"""One round of a Swiss tournament of games of three and more: who plays with whom, and where each sits.

Seats come first: each player gets one that it had least. As all play every round, each seat is wanted by as many
players as there are games, so that this comes out even unless a player sits out or leaves. Then the first players of
each seat form a group, the second ones of each, and so on. Finally, players of the same seat are exchanged as long as
that means fewer rematches or closer points.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, product
from typing import TypeAlias

from ugs.championship.seats import SeatCounts

Group: TypeAlias = list[str]
"""The nicks by seat."""
Fault: TypeAlias = tuple[int, float]
"""How often two players of a group met before, and their squared differences in points."""

NEIGHBOURS = 6
"""How many groups up and down are considered for an exchange."""
PASSES = 6
EXCHANGES = 40_000
"""The most exchanges that are tried."""


def swiss_groups(
    order: Sequence[str],
    points: Mapping[str, float],
    met: Mapping[str, Mapping[str, int]],
    seats: SeatCounts,
    size: int,
) -> list[tuple[str, ...]]:
    """Return the groups of a round by seat, the best ones first.

    ``order``: as many players as fill the groups, best first. ``met[one][other]``: how often they met; a missing entry
    means never.
    """
    spread = _spread(order, points, size)
    seated = _seat_all(spread, seats, size)
    groups = [list(group) for group in zip(*seated, strict=True)]
    _mend(groups, points, met, seats)
    rank = {nick: place for place, nick in enumerate(order)}
    return sorted((tuple(group) for group in groups), key=lambda group: min(rank[nick] for nick in group))


def _spread(order: Sequence[str], points: Mapping[str, float], size: int) -> list[str]:
    """Order players with equal points so that the strong ones among them come to different groups."""
    spread = []
    for _, alike in groupby(order, key=points.__getitem__):
        nicks = list(alike)
        rows = max(1, len(nicks) // size)
        spread += [nick for row in range(rows) for nick in nicks[row::rows]]
    return spread


def _seat_all(nicks: Sequence[str], seats: SeatCounts, size: int) -> list[list[str]]:
    """Return equally many players for each seat, in the given order. As many players as possible sit in a seat that
    they had least."""
    room = len(nicks) // size
    wanted = {nick: seats.wanted(nick) for nick in nicks}
    in_seat: list[dict[str, None]] = [{} for _ in range(size)]
    for nick in nicks:
        way = _way_to_a_free_seat(nick, wanted, in_seat, room)
        if way is None:
            open_seats = [seat for seat in range(size) if len(in_seat[seat]) < room]
            way = [(nick, min(open_seats, key=seats.had[nick].__getitem__))]
        for mover, seat in way:
            for held in in_seat:
                held.pop(mover, None)
            in_seat[seat][mover] = None
    place = {nick: at for at, nick in enumerate(nicks)}
    return [sorted(held, key=place.__getitem__) for held in in_seat]


def _way_to_a_free_seat(
    nick: str, wanted: Mapping[str, Sequence[int]], in_seat: Sequence[Mapping[str, None]], room: int
) -> list[tuple[str, int]] | None:
    """Return the fewest moves, each to a seat that the mover wants, that give ``nick`` a seat; None when there are
    none."""
    came: dict[int, tuple[str, int | None]] = {}
    for seat in sorted(wanted[nick], key=lambda seat: len(in_seat[seat])):
        came[seat] = nick, None
    queue = list(came)
    for seat in queue:
        if len(in_seat[seat]) < room:
            way = []
            at: int | None = seat
            while at is not None:
                mover, before = came[at]
                way.append((mover, at))
                at = before
            return way
        # The last ones first, so that the best players keep their seats.
        for holder in list(in_seat[seat])[::-1]:
            for other in wanted[holder]:
                if other not in came:
                    came[other] = holder, seat
                    queue.append(other)
    return None


def _mend(
    groups: list[Group], points: Mapping[str, float], met: Mapping[str, Mapping[str, int]], seats: SeatCounts
) -> None:
    """Exchange players of neighbouring groups as long as that improves something.

    They take each other's seat, which must be the same one or one that both want.
    """

    def fault(group: Sequence[str]) -> Fault:
        again, apart = 0, 0.0
        for at, one in enumerate(group):
            met_one, points_one = met[one], points[one]
            for other in group[:at]:
                again += met_one.get(other, 0)
                apart += (points_one - points[other]) ** 2
        return again, apart

    wanted = {nick: {*seats.wanted(nick)} for group in groups for nick in group}
    faults = [fault(group) for group in groups]
    tried = 0
    for _ in range(PASSES):
        changed = False
        for at, other in _neighbours(len(groups)):
            for here, there in product(range(len(groups[at])), repeat=2):
                one, two = groups[at][:], groups[other][:]
                # Seats come first: no exchange for points may cost a player the seat that it wants.
                if here != there and (there not in wanted[one[here]] or here not in wanted[two[there]]):
                    continue
                # Equal points and no rematch: nothing can get better.
                if faults[at] == faults[other] == (0, 0):
                    break
                tried += 1
                if tried > EXCHANGES:
                    return
                one[here], two[there] = two[there], one[here]
                new, new_other = fault(one), fault(two)
                # Compared as pairs: one rematch less outweighs any difference in points.
                if _sum(new, new_other) < _sum(faults[at], faults[other]):
                    groups[at], groups[other], faults[at], faults[other] = one, two, new, new_other
                    changed = True
        if not changed:
            return


def _neighbours(groups: int) -> Iterator[tuple[int, int]]:
    for at in range(groups):
        for other in range(at + 1, min(at + 1 + NEIGHBOURS, groups)):
            yield at, other


def _sum(one: Fault, other: Fault) -> Fault:
    return one[0] + other[0], one[1] + other[1]
