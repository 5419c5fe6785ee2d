"""What the messages about points and new creatures do to the position."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from game_masters.titan import messages as msg
from game_masters.titan.battlelands import ATTACKER, DEFENDER
from game_masters.titan.clash import changed, engaged, fought
from game_masters.titan.creatures import Creature, ordered, seen, without
from game_masters.titan.messages import Message
from game_masters.titan.position import (
    POINTS_PER_ANGEL,
    Fighter,
    Position,
)
from game_masters.titan.replacing import replace


def _points(position: Position, message: msg.Points) -> Position:
    seat = position.seat_of(message.player)
    old = position.score_of(seat)
    new = old + message.points
    position = _without_risen(position.with_player(seat, score=new), position)
    if message.kind is None and position.engagement is not None:
        # Each multiple of a hundred that is reached or passed is a chance; half points bring none.
        first = (old // POINTS_PER_ANGEL + 1) * POINTS_PER_ANGEL
        position = changed(position, owed=False, chances=tuple(range(first, new + 1, POINTS_PER_ANGEL)))
    return position


def _without_risen(position: Position, before: Position) -> Position:
    """Keep those dead who were: a Titan that has been killed stays on the map for a while, and may grow there when
    another player leaves the game and half of a legion falls to its owner."""
    battle = position.battle
    if battle is None:
        return position
    fighters = tuple(
        fighter if before.alive(fighter) else replace(fighter, hits=position.power(fighter))
        for fighter in battle.fighters
    )
    return replace(position, battle=replace(battle, fighters=fighters))


def _acquire(position: Position, message: msg.Acquire) -> Position:
    chances = engaged(position).chances
    used = position.open_chances[0]
    # Those before it brought nothing, since no angel was left to acquire.
    position = changed(position, chances=chances[chances.index(used) + 1 :])
    if message.creature is None:
        return position
    return _joins(taken(position, message.creature), message.legion, message.creature)


def _joins(position: Position, marker: str, creature: Creature, **changes: Any) -> Position:
    legion = position.legions[marker]
    return position.with_legions(replace(legion, creatures=ordered((*legion.creatures, creature)), **changes))


def _leaves(position: Position, marker: str, creature: Creature, **changes: Any) -> Position:
    legion = position.legions[marker]
    return position.with_legions(replace(legion, creatures=without(legion.creatures, (creature,)), **changes))


def taken(position: Position, creature: Creature, number: int = 1) -> Position:
    """Return the position with creatures taken from the stock (a negative number puts some back)."""
    return replace(position, stock={**position.stock, creature: position.stock[creature] - number})


def _summon(position: Position, message: msg.Summon) -> Position:
    if message.donor is None or message.creature is None:
        return changed(position, may_summon=False)
    position = _leaves(position, message.donor, message.creature)
    position = _joins(position, message.summoner, message.creature)
    # One summons a turn, taken back only if the creature does not come onto the map.
    position = position.with_player(position.legions[message.summoner].seat, summoned=True)
    if position.battle is not None:
        return _off_board(position, Fighter(message.creature, ATTACKER, joined="summon", donor=message.donor))
    return changed(position, may_summon=False)


def _off_board(position: Position, fighter: Fighter) -> Position:
    battle = fought(position)
    return replace(position, battle=replace(battle, fighters=(*battle.fighters, fighter)))


def _unsummon(position: Position, message: msg.Unsummon) -> Position:
    position = _goes_back(position, "summon")
    position = _leaves(position, message.summoner, message.creature)
    position = _joins(position, message.donor, message.creature)
    # It did not fight, so the right to summon is not used up.
    return position.with_player(position.legions[message.summoner].seat, summoned=False)


def _goes_back(position: Position, how: str) -> Position:
    battle = fought(position)
    left = tuple(fighter for fighter in battle.fighters if fighter.joined != how or fighter.hex is not None)
    return replace(position, battle=replace(battle, fighters=left))


def _recruit(position: Position, message: msg.Recruit) -> Position:
    if message.recruit is None:
        return changed(position, may_reinforce=False)
    if message.recruiter is not None:
        legion = position.legions[message.legion]
        # The recruiters that were shown are known to all.
        shown = seen(legion.creatures, (message.recruiter,) * (message.number or 1))
        position = position.with_legions(replace(legion, creatures=shown))
    position = taken(position, message.recruit)
    if position.engagement is None:
        return _joins(position, message.legion, message.recruit, recruit=message.recruit)
    position = _joins(position, message.legion, message.recruit)
    if position.battle is None:
        return changed(position, may_reinforce=False)
    return _off_board(changed(position, reinforced=True), Fighter(message.recruit, DEFENDER, joined="recruit"))


def _undo_recruit(position: Position, message: msg.UndoRecruit) -> Position:
    battle = position.battle
    if battle is None:
        recruit = position.legions[message.legion].recruit
        if recruit is None:
            raise ValueError("nothing was mustered")
        return taken(_leaves(position, message.legion, recruit, recruit=None), recruit, -1)
    (recruit,) = (fighter.creature for fighter in battle.off_board(DEFENDER) if fighter.joined == "recruit")
    position = taken(_leaves(_goes_back(position, "recruit"), message.legion, recruit), recruit, -1)
    return changed(position, reinforced=False)


OF_NEWCOMERS: Final[Mapping[type[Message], Callable[[Position, Any], Position]]] = {
    msg.Points: _points,
    msg.Acquire: _acquire,
    msg.Summon: _summon,
    msg.Unsummon: _unsummon,
    msg.Recruit: _recruit,
    msg.UndoRecruit: _undo_recruit,
}
"""What each of these messages does."""
