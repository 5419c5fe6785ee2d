"""Where a creature may go in a battle, and what a step costs."""

from collections.abc import Collection, Iterator

from game_masters.titan.battlelands import (
    BOG,
    BRAMBLE,
    CLIFF,
    DEFENDER,
    DRIFT,
    ENTRIES,
    NEIGHBOURS,
    SAND,
    SLOPE,
    TREE,
    VOLCANO,
    WALL,
    Battleland,
    Hex,
)
from game_masters.titan.creatures import KINDS, Kind
from game_masters.titan.position import Battle, Fighter, Position, Settings

SLOW = frozenset({BRAMBLE, DRIFT, SAND})
"""Surfaces that cost strangers on foot another point."""
SLOW_LANDING = frozenset({BRAMBLE, DRIFT})
CLOSED = frozenset({BOG, VOLCANO})
"""Surfaces that only natives may enter."""


def touching(position: Position, fighter: Fighter, *, dead: bool = False) -> list[Fighter]:
    """Return the living enemies that a creature is in contact with; with ``dead``, also those just killed."""
    battle = position.battle
    if battle is None or fighter.hex is None:
        return []
    # A cliff between them keeps neighbours out of contact.
    near = battle.land.touching[fighter.hex]
    return [
        other
        for other in battle.fighters
        if other.hex in near and other.side != fighter.side and (dead or position.alive(other))
    ]


def entries(battle: Battle, side: str) -> tuple[Hex, ...]:
    """Return the hexes where a side comes onto the map."""
    # A tower is entered from below, whatever way the legion took on the board.
    return ENTRIES["bottom" if battle.land.tower else battle.entry_side][side]


def destinations(position: Position, fighter: Fighter) -> list[Hex]:
    """Return the hexes that a creature may move to now."""
    battle = position.battle
    if battle is None or fighter.moved or touching(position, fighter):
        return []
    taken = {other.hex for other in battle.fighters if other.hex is not None}
    # In the first turn the defenders of a tower are placed, not moved in.
    if fighter.hex is None and fighter.side == DEFENDER and battle.land.tower and battle.turn == 1:
        return sorted(battle.land.stronghold - taken)
    kind = KINDS[fighter.creature]
    first = entries(battle, fighter.side) if fighter.hex is None else None
    find = _by_air if kind.flies else _on_foot
    return sorted(set(find(battle.land, kind, fighter.hex, first, taken, position.settings)) - taken)


def _nexts(hex: Hex | None, first: tuple[Hex, ...] | None) -> Iterator[tuple[Hex | None, Hex]]:
    """Yield the steps from a hex, or from off the board onto the first ones."""
    if hex is None:
        yield from ((None, one) for one in first or ())
    else:
        yield from ((hex, one) for one in NEIGHBOURS[hex].values())


def _on_foot(
    land: Battleland,
    kind: Kind,
    start: Hex | None,
    first: tuple[Hex, ...] | None,
    taken: Collection[Hex],
    settings: Settings,
) -> Iterator[Hex]:
    cheapest: dict[Hex | None, int] = {start: 0}
    edge = [start]
    while edge:
        here = edge.pop()
        for origin, hex in _nexts(here, first):
            cost = step_cost(land, kind, origin, hex, settings)
            if hex in taken or cost is None:
                continue
            spent = cheapest[here] + cost
            # The option oneHexAllowed: a first step may cost more than the skill.
            one_step = here == start and settings.one_hex_allowed
            if spent > kind.skill and not one_step:
                continue
            if spent < cheapest.get(hex, 99):
                cheapest[hex] = spent
                edge.append(hex)
                yield hex


def step_cost(land: Battleland, kind: Kind, origin: Hex | None, hex: Hex, settings: Settings) -> int | None:
    """Return the movement points of one step on foot; None if it cannot be made. ``origin`` None: from off the
    board."""
    surface = land.surface(hex)
    native = surface in kind.native
    if surface == TREE or (surface in CLOSED and not native):
        return None
    causes = int(surface in SLOW and not native)
    # From off the board no side is crossed, only the hex counts.
    if origin is not None:
        up = land.going_up(origin, hex)
        if CLIFF in (up, land.going_down(origin, hex)):
            return None
        # A wall slows everyone, a slope only strangers to slopes.
        causes += int((up == SLOPE and SLOPE not in kind.native) or up == WALL)
    return 1 + (causes if settings.cumulative_slow else min(causes, 1))


def _by_air(
    land: Battleland,
    kind: Kind,
    start: Hex | None,
    first: tuple[Hex, ...] | None,
    taken: Collection[Hex],
    settings: Settings,
) -> Iterator[Hex]:
    edge: set[Hex | None] = {start}
    flown: set[Hex | None] = {start}
    for steps in range(kind.skill):
        reached = {hex for here in edge for _, hex in _nexts(here, first)}
        for hex in reached:
            landing = landing_cost(land, kind, hex)
            # Each hex on the way costs one, only the last one its price for landing.
            if landing is not None and (steps + landing <= kind.skill or (steps == 0 and settings.one_hex_allowed)):
                yield hex
        # A volcano stops fliers that are not at home in it.
        edge = {hex for hex in reached if hex not in flown and may_fly_over(land, kind, hex)}
        flown |= edge


def landing_cost(land: Battleland, kind: Kind, hex: Hex) -> int | None:
    """Return the movement points of a step by air that ends on a hex; None if a flier cannot land there."""
    surface = land.surface(hex)
    native = surface in kind.native
    if surface == TREE or (surface in CLOSED and not native):
        return None
    return 2 if surface in SLOW_LANDING and not native else 1


def may_fly_over(land: Battleland, kind: Kind, hex: Hex) -> bool:
    """Return whether a flier may pass over a hex."""
    return land.surface(hex) != VOLCANO or VOLCANO in kind.native
