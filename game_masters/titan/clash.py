"""What the messages of a battle do to the position."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from game_masters.titan import messages as msg
from game_masters.titan.battlelands import ATTACKER, DEFENDER
from game_masters.titan.creatures import KINDS, TITAN, Creature, without
from game_masters.titan.messages import Message
from game_masters.titan.position import (
    OTHER,
    Battle,
    BattlePhase,
    CarryOver,
    Engagement,
    Fighter,
    Position,
    Window,
)
from game_masters.titan.replacing import replace


def engaged(position: Position) -> Engagement:
    """The engagement that is being settled. Raises ValueError when there is none."""
    if position.engagement is None:
        raise ValueError("there is no engagement")
    return position.engagement


def changed(position: Position, **changes: Any) -> Position:
    """Return the position with the engagement changed."""
    return replace(position, engagement=replace(engaged(position), **changes))


def slain(position: Position, marker: str, creatures: Iterable[Creature]) -> Position:
    """Return the position after creatures of a legion in the engagement have died."""
    creatures = tuple(creatures)
    engagement, legion = engaged(position), position.legions[marker]
    position = position.with_legions(replace(legion, creatures=without(legion.creatures, creatures)))
    dead = dict(position.dead)
    lords = list(engagement.lords)
    for creature in creatures:
        # Lords and demi-lords go back into the stock, but not before the engagement is over.
        if KINDS[creature].returns:
            lords.append(creature)
        else:
            dead[creature] += 1
    titans = (*engagement.dead_titans, legion.seat) if TITAN in creatures else engagement.dead_titans
    return changed(replace(position, dead=dead), lords=tuple(lords), dead_titans=titans)


def fought(position: Position) -> Battle:
    """The battle that is being fought. Raises ValueError when there is none."""
    if position.battle is None:
        raise ValueError("there is no battle")
    return position.battle


def _with_fighter(position: Position, old: Fighter, **changes: Any) -> Position:
    battle = fought(position)
    fighters = list(battle.fighters)
    fighters[fighters.index(old)] = replace(old, **changes)
    # Any deed drops the hits that could still have been carried.
    return replace(position, battle=replace(battle, fighters=tuple(fighters), carry=None))


def _at(battle: Battle, hex: str) -> Fighter:
    fighter = battle.at(hex)
    if fighter is None:
        raise ValueError(f"no creature is on {hex}")
    return fighter


def _enter(position: Position, message: msg.Enter) -> Position:
    battle = fought(position)
    waiting = (fighter for fighter in battle.off_board(battle.side) if fighter.creature == message.creature)
    # One that has just joined goes back if it stays off the map, so those of the first turn come on before it.
    fighter = min(waiting, key=lambda fighter: fighter.joined is not None)
    return _with_fighter(position, fighter, hex=message.hex)


def _maneuver(position: Position, message: msg.Maneuver) -> Position:
    return _with_fighter(position, _at(fought(position), message.start_hex), hex=message.end_hex)


def _undo_maneuver(position: Position, message: msg.UndoManeuver) -> Position:
    fighter = _at(fought(position), message.hex)
    return _with_fighter(position, fighter, hex=fighter.start)


def _done_maneuvering(position: Position, message: msg.DoneManeuvering) -> Position:
    battle, engagement = fought(position), engaged(position)
    side = battle.side
    lost = [fighter.creature for fighter in battle.off_board(side) if fighter.joined is None]
    position = slain(position, engagement.marker(side), lost)
    fighters = tuple(
        replace(fighter, start=fighter.hex, struck=False, joined=None if fighter.hex is not None else fighter.joined)
        for fighter in battle.fighters
        if fighter.side != side or fighter.hex is not None or fighter.joined is not None
    )
    fallen = (*battle.fallen, *((side, creature) for creature in lost))
    # Passed up, the chance to summon in the battle is gone; after a victory it comes again.
    window = Window.GONE if side == ATTACKER and battle.window is Window.OPEN else battle.window
    battle = replace(battle, fighters=fighters, fallen=fallen, window=window, phase=BattlePhase.STRIKE)
    if side == ATTACKER:
        # From here on a defender who wins by the attacker's conceding may be reinforced.
        position = changed(position, attacker_entered=True)
    return replace(position, battle=battle)


def _drift(position: Position, message: msg.Drift) -> Position:
    fighter = _at(fought(position), message.hex)
    return _with_fighter(position, fighter, hits=fighter.hits + 1)


def _strike(position: Position, message: msg.Strike) -> Position:
    position = _hit(position, message.target_hex, message.hits)
    position = _with_fighter(position, _at(fought(position), message.striker_hex), struck=True)
    carry = CarryOver(message.carries, message.carry_hexes) if message.carries else None
    battle = replace(fought(position), carry=carry)
    return replace(position, battle=battle, dice=position.dice + len(message.rolls))


def _carry(position: Position, message: msg.Carry) -> Position:
    position = _hit(position, message.target_hex, message.hits)
    carry = CarryOver(message.carries, message.carry_hexes) if message.carries else None
    return replace(position, battle=replace(fought(position), carry=carry))


def _hit(position: Position, hex: str, hits: int) -> Position:
    fighter = _at(fought(position), hex)
    # Never more hits than it can take: the rest may be carried.
    return _with_fighter(position, fighter, hits=min(position.power(fighter), fighter.hits + hits))


def _done_striking(position: Position, message: msg.DoneStriking) -> Position:
    battle = replace(fought(position), carry=None)
    if battle.phase is BattlePhase.STRIKE:
        fighters = tuple(replace(fighter, struck=False) for fighter in battle.fighters)
        return replace(position, battle=replace(battle, phase=BattlePhase.STRIKEBACK, fighters=fighters))
    dead = [fighter for fighter in battle.fighters if not position.alive(fighter)]
    fighters = tuple(replace(fighter, struck=False) for fighter in battle.fighters if position.alive(fighter))
    for side in (ATTACKER, DEFENDER):
        gone = [fighter.creature for fighter in dead if fighter.side == side]
        position = slain(position, engaged(position).marker(side), gone)
    # Creatures that never came onto the map open no window; they are not among these.
    killed = battle.defender_killed or any(fighter.side == DEFENDER for fighter in dead)
    attackers_next = battle.side == DEFENDER
    opens = attackers_next and killed and battle.window is Window.SHUT
    battle = replace(
        battle,
        fighters=fighters,
        fallen=(*battle.fallen, *((fighter.side, fighter.creature) for fighter in dead)),
        defender_killed=killed,
        window=Window.OPEN if opens else battle.window,
        side=OTHER[battle.side],
        # A turn of the battle is over after the attacker's part.
        turn=battle.turn if attackers_next else battle.turn + 1,
        phase=BattlePhase.MANEUVER,
    )
    return replace(position, battle=battle)


IN_BATTLE: Final[Mapping[type[Message], Callable[[Position, Any], Position]]] = {
    msg.Enter: _enter,
    msg.Maneuver: _maneuver,
    msg.UndoManeuver: _undo_maneuver,
    msg.DoneManeuvering: _done_maneuvering,
    msg.Drift: _drift,
    msg.Strike: _strike,
    msg.Carry: _carry,
    msg.DoneStriking: _done_striking,
}
"""What each message of a battle does."""
