"""All that a player may ask for now, from what that player knows: each request with all its attributes."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Final

from game_masters.titan import battles, turns
from game_masters.titan import requests as ask
from game_masters.titan.battlelands import DEFENDER
from game_masters.titan.creatures import TITAN, Creature, ordered
from game_masters.titan.history import after
from game_masters.titan.lands import LANDS
from game_masters.titan.maneuvers import destinations
from game_masters.titan.messages import Merge
from game_masters.titan.movement import reunions, ways, why_not_done
from game_masters.titan.mustering import musters
from game_masters.titan.position import (
    COLOURS,
    HIGHEST,
    MAX_UNDONE,
    START_HEIGHT,
    Awaiting,
    Legion,
    Position,
    markers_of,
)
from game_masters.titan.referee import UNDOING
from game_masters.titan.requests import Request
from game_masters.titan.strikes import blows, compulsory


def legal_requests(position: Position) -> list[Request]:
    """Return everything that the player who is asked may ask for, except ``withdraw`` and ``replay``, which are always
    possible; in the same order for the same position. Of splits that differ in the marker only, one is there: a player
    who has inherited markers would have to choose among thousands. Empty if no player is asked."""
    if position.asked is None:
        return []
    found = _LISTS[position.asked.awaiting](position, position.asked.seat)
    # Taking back has an end, or a turn would have none.
    if position.undone >= MAX_UNDONE:
        return [request for request in found if not isinstance(request, UNDOING)]
    return list(found)


@lru_cache(maxsize=4096)
def parts(creatures: tuple[Creature, ...]) -> tuple[tuple[Creature, ...], ...]:
    """Return all different parts of a stack, the empty one and the whole among them."""
    counts = sorted(Counter(creatures).items())
    choices = product(*(range(number + 1) for _, number in counts))
    kinds = [creature for creature, _ in counts]
    return tuple(
        ordered(creature for creature, number in zip(kinds, choice, strict=True) for _ in range(number))
        for choice in choices
    )


def _colors(position: Position, seat: int) -> Iterator[Request]:
    taken = {player.color for player in position.players if player.alive}
    for colour in COLOURS:
        if colour not in taken:
            yield from (ask.Color(colour, marker) for marker in markers_of(colour))


def _splits(position: Position, seat: int) -> Iterator[Request]:
    legions = position.legions_of(seat)
    if all(legion.height <= HIGHEST for legion in legions):
        yield ask.Roll()
    marker = next(iter(position.players[seat].markers), None)
    for legion in legions if marker is not None else ():
        yield from (ask.Split(legion.marker, marker or "", gone) for gone in possible_splits(position, legion))
    yield from _merges(position, legions)


def possible_splits(position: Position, legion: Legion) -> list[tuple[Creature, ...]]:
    """Return what may leave a legion."""
    if legion.height < 2 * turns.MIN_SPLIT or (position.turn == 1 and legion.height < START_HEIGHT):
        return []
    return [gone for gone in parts(legion.creatures) if not turns.why_no_split(position, legion, gone)]


def _merges(position: Position, legions: Sequence[Legion]) -> Iterator[Request]:
    for parent in legions:
        for child in legions:
            if parent.hex == child.hex and not turns.why_no_merge(position, parent, child):
                yield ask.Merge(parent.marker, child.marker)


def _moves(position: Position, seat: int) -> Iterator[Request]:
    legions = position.legions_of(seat)
    for legion in legions:
        for way in ways(position, legion):
            yield ask.Move(legion.marker, way.hex, way.entry_side, way.teleport, way.lord)
    yield from (ask.UndoMove(legion.marker) for legion in legions if not turns.why_no_undo(position, legion))
    yield from _merges(position, legions)
    if position.turn == 1 and position.players[seat].mulligan:
        yield ask.Mulligan()
    if why_not_done(position):
        return
    yield ask.DoneMoving()
    # What follows the moves may be asked for at once, and ends them.
    if position.engagements:
        yield from map(ask.Engage, position.engagements)
        return
    # NextTurn would first put together what could not part, and recruits follow from that.
    for parent, child in reunions(position):
        position = after(position, Merge(parent, child))
    yield from _recruits(position, seat)
    yield ask.NextTurn()


def _recruits(position: Position, seat: int) -> Iterator[Request]:
    for legion in position.legions_of(seat):
        if not turns.why_no_muster(legion):
            for one in musters(LANDS[legion.hex].terrain, legion.creatures, position.stock):
                yield ask.Recruit(legion.marker, one.recruit, one.recruiter)


def _musters(position: Position, seat: int) -> Iterator[Request]:
    yield ask.NextTurn()
    yield from _recruits(position, seat)
    yield from (ask.UndoRecruit(legion.marker) for legion in position.legions_of(seat) if legion.recruit is not None)


def _engagements(position: Position, seat: int) -> Iterator[Request]:
    yield from map(ask.Engage, position.engagements)


# --- engagements ------------------------------------------------------------------------------------------------------


def _own(position: Position, seat: int) -> Legion:
    engagement = position.engagement
    assert engagement is not None
    return position.legions[engagement.marker(engagement.side_of(seat) or DEFENDER)]


def _hex(position: Position) -> str:
    return position.engagement.hex if position.engagement is not None else ""


def _flights(position: Position, seat: int) -> Iterator[Request]:
    yield ask.DoNotFlee(_own(position, seat).marker)
    # Only the owner sees the lord; others see that the question was asked.
    if not _own(position, seat).lord:
        yield ask.Flee(_own(position, seat).marker)
    yield ask.Fight(_hex(position))
    yield from _offers(position)


def _concessions(position: Position, seat: int) -> Iterator[Request]:
    yield ask.DoNotConcede(_own(position, seat).marker)
    yield from _talks(position, seat)


def _talks(position: Position, seat: int) -> Iterator[Request]:
    yield ask.Fight(_hex(position))
    yield ask.Concede(_own(position, seat).marker)
    engagement = position.engagement
    offer = engagement.talks.offer if engagement is not None else None
    if engagement is not None and offer is not None and offer.side != engagement.side_of(seat):
        yield ask.Accept(engagement.hex, offer.survivor)
    yield from _offers(position)


def _offers(position: Position) -> Iterator[Request]:
    engagement = position.engagement
    assert engagement is not None
    yield ask.Negotiate(engagement.hex)
    for marker in (engagement.attacker, engagement.defender):
        whole = position.legions[marker].creatures
        for kept in parts(whole):
            if kept and (TITAN not in whole or TITAN in kept):
                yield ask.Negotiate(engagement.hex, marker, kept)


def _acquisitions(position: Position, seat: int) -> Iterator[Request]:
    winner = position.engagement.winner if position.engagement is not None else None
    assert winner is not None
    yield from (ask.Acquire(winner, creature) for creature in position.acquirable(position.open_chances[0]))
    yield ask.Acquire(winner)


def _summons(position: Position, seat: int) -> Iterator[Request]:
    own = _own(position, seat).marker
    yield ask.Summon(own)
    yield from (ask.Summon(own, donor.marker, creature) for donor, creature in position.donors(seat))


def _reinforcements(position: Position, seat: int) -> Iterator[Request]:
    own = _own(position, seat)
    yield ask.Recruit(own.marker)
    for one in musters(position.terrain(own.hex), own.creatures, position.stock):
        yield ask.Recruit(own.marker, one.recruit, one.recruiter)


# --- battles ----------------------------------------------------------------------------------------------------------


def _maneuvers(position: Position, seat: int) -> Iterator[Request]:
    battle, own = position.battle, _own(position, seat)
    assert battle is not None
    yield ask.DoneManeuvering()
    waiting = {fighter.creature: fighter for fighter in battle.off_board(battle.side)}
    for creature, fighter in waiting.items():
        yield from (ask.Enter(creature, hex) for hex in destinations(position, fighter))
    for fighter in battle.fighters:
        if fighter.side == battle.side and fighter.hex is not None:
            for hex in destinations(position, fighter):
                yield ask.Maneuver(fighter.hex, hex)
            if not battles.why_no_undo(battle, fighter):
                yield ask.UndoManeuver(fighter.hex)
    if battles.may_call(position, own):
        for donor, creature in position.donors(seat):
            yield ask.Summon(own.marker, donor.marker, creature)
    if not battles.why_no_reinforcement(position) and own.height < HIGHEST:
        for one in musters(position.terrain(own.hex), own.creatures, position.stock):
            yield ask.Recruit(own.marker, one.recruit, one.recruiter)
    if battles.off_board_recruit(battle):
        yield ask.UndoRecruit(own.marker)
    yield ask.Concede(own.marker)


def _strikes(position: Position, seat: int) -> Iterator[Request]:
    if not compulsory(position):
        yield ask.DoneStriking()
    for blow in blows(position):
        for terms in blow.terms:
            yield ask.Strike(blow.striker.hex or "", blow.target.hex or "", terms.dice, terms.number)
    yield ask.Concede(_own(position, seat).marker)


def _carries(position: Position, seat: int) -> Iterator[Request]:
    carry = position.battle.carry if position.battle is not None else None
    assert carry is not None
    for hex in carry.hexes:
        yield from (ask.Carry(hex, hits) for hits in range(carry.left, -1, -1))
    yield from _strikes(position, seat)


_LISTS: Final[Mapping[Awaiting, Callable[[Position, int], Iterator[Request]]]] = {
    Awaiting.COLOR: _colors,
    Awaiting.SPLIT: _splits,
    Awaiting.MOVE: _moves,
    Awaiting.ENGAGE: _engagements,
    Awaiting.FLEE: _flights,
    Awaiting.CONCEDE: _concessions,
    Awaiting.NEGOTIATE: _talks,
    Awaiting.MANEUVER: _maneuvers,
    Awaiting.STRIKE: _strikes,
    Awaiting.CARRY: _carries,
    Awaiting.ACQUIRE: _acquisitions,
    Awaiting.SUMMON: _summons,
    Awaiting.REINFORCE: _reinforcements,
    Awaiting.MUSTER: _musters,
}
