"""Where a legion may go on the masterboard: steps through gates, teleports, and when the moves may end."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from game_masters.titan.creatures import ANGEL, ARCHANGEL, TITAN, Creature
from game_masters.titan.lands import LANDS, NEAR, TOWERS, Exit, Label, opposite
from game_masters.titan.position import TITAN_TELEPORT, Legion, Position

TELEPORT_ROLL = 6
LORDS: Sequence[Creature] = (ANGEL, ARCHANGEL, TITAN)
"""The lords that a tower teleport may show, in the order of choice if the request names none."""
_PREFERRED = ("bottom", "left", "right")
"""Entry sides, in the order of choice if the request names none."""


@dataclass(frozen=True, slots=True)
class Way:
    """A land that a legion may go to. A teleport to an enemy shows the Titan, one from a tower a lord of choice."""

    hex: Label
    entry_side: str
    teleport: bool = False
    lord: Creature | None = None


def ways(position: Position, legion: Legion) -> list[Way]:
    """Return all ways of a legion with the present roll, the preferred ones of each land first."""
    found = [*steps(position, legion), *teleports(position, legion)]
    return sorted(found, key=_preference)


def _preference(way: Way) -> tuple[int, bool, int, int]:
    lord = LORDS.index(way.lord) if way.lord is not None else 0
    return int(way.hex), way.teleport, _PREFERRED.index(way.entry_side), lord


def steps(position: Position, legion: Legion) -> list[Way]:
    """Return the normal moves of a legion: exactly as many steps as the roll, fewer only into an enemy."""
    if legion.moved or position.roll is None:
        return []
    own = {one.hex for one in position.legions.values() if one.seat == legion.seat and one.marker != legion.marker}
    enemies = {one.hex for one in position.legions.values() if one.seat != legion.seat}
    found: dict[Way, None] = {}

    def walk(exits: Sequence[Exit], left: int, came_over: int | None) -> None:
        # Never straight back over the side it came in by.
        for exit in exits:
            if exit.side == came_over:
                continue
            land, side = LANDS[exit.to], opposite(exit.side)
            # An enemy ends the move, and the first own legion to get there has locked the land.
            if exit.to in enemies:
                if exit.to not in own:
                    found[Way(exit.to, land.entry_side(side))] = None
            # Lands with friends may be passed; only the last one must be free of them.
            elif left > 1:
                walk(land.onward, left - 1, side)
            elif exit.to not in own:
                found[Way(exit.to, land.entry_side(side))] = None

    # BLOCK and ARCH are for first steps only: later ones go through arrows.
    walk(LANDS[legion.hex].ways, position.roll, None)
    return list(found)


def can_step(position: Position, legion: Legion) -> bool:
    """Return whether a legion has a normal move left."""
    return bool(steps(position, legion))


def teleports(position: Position, legion: Legion) -> Iterator[Way]:
    """Yield the teleports of a legion."""
    settings = position.settings
    forbidden = settings.no_first_turn_teleport and position.turn == 1
    # One teleport a turn, and with a six only.
    if legion.moved or position.roll != TELEPORT_ROLL or forbidden or position.players[legion.seat].teleported:
        return
    yield from _tower_teleports(position, legion)
    yield from _titan_teleports(position, legion)


def _tower_teleports(position: Position, legion: Legion) -> Iterator[Way]:
    settings = position.settings
    lords = [lord for lord in LORDS if lord in legion.creatures]
    if settings.no_tower_teleport or not LANDS[legion.hex].tower or not lords:
        return
    taken = {one.hex for one in position.legions.values()}
    no_towers = settings.no_first_turn_t2t_teleport and position.turn == 1
    # Other towers are in reach however far they are.
    for label in NEAR[legion.hex] | set(TOWERS):
        land = LANDS[label]
        if label in taken or (land.tower and no_towers) or (not land.tower and settings.tower_to_tower_teleport_only):
            continue
        for side in land.entry_sides:
            for lord in lords:
                yield Way(label, side, True, lord)


def _titan_teleports(position: Position, legion: Legion) -> Iterator[Way]:
    if (
        position.settings.no_titan_teleport
        or TITAN not in legion.creatures
        or position.score_of(legion.seat) < TITAN_TELEPORT
    ):
        return
    own = {one.hex for one in position.legions_of(legion.seat)}
    # A Titan goes to any enemy of its choice, where no legion of its own stands.
    for label in {one.hex for one in position.legions.values() if one.seat != legion.seat} - own:
        for side in LANDS[label].entry_sides:
            yield Way(label, side, True, TITAN)


def why_not_done(position: Position) -> str:
    """Return why the moves may not end yet; empty if they may."""
    legions = position.legions_of(position.active)
    movable = [legion for legion in legions if can_step(position, legion)]
    # Teleports do not count: no legion has to teleport.
    if movable and not any(legion.moved for legion in legions):
        return f"at least one legion has to move, and {movable[0].marker} can"
    for legion in movable:
        if any(other.hex == legion.hex for other in legions if other is not legion):
            return f"legions that share a land have to part, and {legion.marker} in {legion.hex} can still move"
    return ""


def reunions(position: Position) -> list[tuple[str, str]]:
    """Return the legions that have to go together since they could not part: parent and child, in order."""
    found: list[tuple[str, str]] = []
    legions = position.legions_of(position.active)
    for hex in dict.fromkeys(legion.hex for legion in legions):
        here = {legion.marker: legion for legion in legions if legion.hex == hex}
        # Parts of parts first, so that each finds the legion that it was split from; of equals the lowest marker last,
        # since it is the one that stays where that legion is gone.
        descending = sorted(here.values(), key=lambda one: one.marker, reverse=True)
        for legion in sorted(descending, key=lambda one: -_generation(one, here)):
            if len(here) == 1:
                break
            del here[legion.marker]
            parent = legion.parent if legion.parent in here else min(here)
            found.append((parent, legion.marker))
    return found


def _generation(legion: Legion, here: Mapping[str, Legion]) -> int:
    """Return how many splits lie between a legion and one that was not split off in this land."""
    parent = here.get(legion.parent or "")
    return 1 + _generation(parent, here) if parent is not None else int(legion.parent is not None)
