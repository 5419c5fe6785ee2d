"""What players ask for on the masterboard: colours, splits, moves, musters. Each function checks and carries out one
request; a refusal changes nothing."""

from game_masters.titan import messages as msg
from game_masters.titan import requests as ask
from game_masters.titan.creatures import KINDS, ORDER, Creature, without
from game_masters.titan.endings import next_turn
from game_masters.titan.lands import ENTRY_SIDES, LANDS
from game_masters.titan.movement import can_step, reunions, ways, why_not_done
from game_masters.titan.mustering import Muster, musters
from game_masters.titan.play import Play, legion_of, listed, refuse
from game_masters.titan.position import COLOURS, HIGHEST, START_HEIGHT, Legion, Phase, Position, markers_of

MIN_SPLIT = 2
"""Creatures in each part of a split."""
HALF = START_HEIGHT // 2


# --- colours ----------------------------------------------------------------------------------------------------------


def color(play: Play, seat: int, request: ask.Color) -> None:
    """Give a player a colour."""
    position = play.position
    if request.color not in COLOURS:
        refuse(request, f"there is no colour {request.color!r}; there are {listed(list(COLOURS))}")
    taken = {player.color: player.name for player in position.players if player.color and player.alive}
    if request.color in taken:
        refuse(request, f"{request.color} is the colour of {taken[request.color]}")
    markers = markers_of(request.color)
    marker = request.first_marker or markers[0]
    if marker not in markers:
        refuse(request, f"firstMarker {marker!r} is not of {request.color}: {markers[0]} to {markers[-1]}")
    play.add(msg.Color(play.name(seat), request.color, marker))


# --- splitting --------------------------------------------------------------------------------------------------------


def split(play: Play, seat: int, request: ask.Split) -> None:
    """Split a legion."""
    parent = legion_of(play, seat, request, request.parent)
    reason = why_no_split(play.position, parent, request.creatures)
    if reason:
        refuse(request, reason)
    markers = play.position.players[seat].markers
    if request.child not in markers:
        refuse(request, f"child {request.child!r} is no free marker; free are {listed(markers)}")
    creatures = tuple(sorted(request.creatures, key=ORDER.__getitem__))
    play.add(msg.Split(parent.marker, request.child, len(creatures), creatures))


def why_no_split(position: Position, parent: Legion, gone: tuple[Creature, ...]) -> str:
    """Return why these creatures cannot leave a legion; empty if they can."""
    unknown = [creature for creature in gone if creature not in KINDS]
    if unknown:
        return f"there is no creature {unknown[0]!r}"
    try:
        kept = without(parent.creatures, gone)
    except ValueError:
        return f"{listed(gone)} are not all in {parent.marker}, which has {listed(parent.creatures)}"
    # The first turn has a rule of its own: four and four, a lord in each.
    if position.turn == 1:
        if parent.height != START_HEIGHT:
            return "on the first turn the legion is split once"
        lords = [sum(KINDS[creature].lord for creature in part) for part in (kept, gone)]
        if len(gone) != HALF or lords != [1, 1]:
            return "on the first turn each half has four creatures and one lord"
    elif len(gone) < MIN_SPLIT or len(kept) < MIN_SPLIT:
        return f"each part needs at least {MIN_SPLIT} creatures, not {len(kept)} and {len(gone)}"
    return ""


def merge(play: Play, seat: int, request: ask.Merge) -> None:
    """Put a legion back into another one in the same land."""
    parent, child = (legion_of(play, seat, request, marker) for marker in (request.parent, request.child))
    reason = why_no_merge(play.position, parent, child)
    if reason:
        refuse(request, reason)
    play.add(msg.Merge(parent.marker, child.marker))


def why_no_merge(position: Position, parent: Legion, child: Legion) -> str:
    """Return why two legions cannot go together; empty if they can."""
    if parent.marker == child.marker:
        return f"{parent.marker} cannot go into itself"
    if parent.hex != child.hex:
        return f"{parent.marker} is in {parent.hex}, {child.marker} in {child.hex}"
    if position.phase is Phase.SPLIT:
        # In the split phase only what was split in it comes together again.
        if child.parent is None and parent.parent is None:
            return f"neither {parent.marker} nor {child.marker} was split off this turn"
        return ""
    # In the move phase only those that cannot part.
    for legion in (parent, child):
        if legion.moved:
            return f"{legion.marker} has moved"
        if can_step(position, legion):
            return f"{legion.marker} can still move"
    return ""


def roll(play: Play, seat: int, request: ask.Roll) -> None:
    """End the splitting and throw the movement roll."""
    for legion in play.position.legions_of(seat):
        if legion.height > HIGHEST:
            refuse(request, f"{legion.marker} has {legion.height} creatures and has to be split first")
    play.add(msg.Roll(play.throw()))


# --- moving -----------------------------------------------------------------------------------------------------------


def mulligan(play: Play, seat: int, request: ask.Mulligan) -> None:
    """Take all moves back and throw the roll again."""
    if play.position.turn != 1:
        refuse(request, f"only on turn 1, and this is turn {play.position.turn}")
    if not play.position.players[seat].mulligan:
        refuse(request, "it has been taken")
    # What was moved with the first roll goes back.
    for legion in play.position.legions_of(seat):
        if legion.moved:
            play.add(msg.UndoMove(legion.marker))
    play.add(msg.Mulligan())
    play.add(msg.Roll(play.throw()))


def move(play: Play, seat: int, request: ask.Move) -> None:
    """Move a legion."""
    legion = legion_of(play, seat, request, request.legion)
    if request.hex not in LANDS:
        refuse(request, f"there is no land {request.hex!r}")
    if request.entry_side not in (None, *ENTRY_SIDES):
        refuse(request, f"entrySide {request.entry_side!r} is none of {listed(ENTRY_SIDES)}")
    if legion.moved:
        refuse(request, f"{legion.marker} has moved; undoMove takes that back")
    found = [way for way in ways(play.position, legion) if way.hex == request.hex]
    if not found:
        refuse(request, f"{legion.marker} cannot get from {legion.hex} to {request.hex} with a {play.position.roll}")
    # If nothing is asked for: on foot where that is possible.
    teleport = request.teleport if request.teleport is not None else all(way.teleport for way in found)
    found = [way for way in found if way.teleport == teleport]
    if not found:
        how = "teleport" if teleport else "move without teleporting"
        refuse(request, f"{legion.marker} cannot {how} from {legion.hex} to {request.hex}")
    if request.entry_side is not None:
        sides = list(dict.fromkeys(way.entry_side for way in found))
        found = [way for way in found if way.entry_side == request.entry_side]
        if not found:
            refuse(request, f"{request.hex} can only be entered from {listed(sides)}, not from {request.entry_side}")
    if request.lord is not None:
        found = [way for way in found if way.lord == request.lord]
        if not found:
            refuse(request, f"this move cannot show lord {request.lord!r}")
    way = found[0]
    play.add(msg.Move(legion.marker, way.hex, way.entry_side, way.teleport, way.lord))


def undo_move(play: Play, seat: int, request: ask.UndoMove) -> None:
    """Take a move back."""
    legion = legion_of(play, seat, request, request.legion)
    reason = why_no_undo(play.position, legion)
    if reason:
        refuse(request, reason)
    play.add(msg.UndoMove(legion.marker))


def why_no_undo(position: Position, legion: Legion) -> str:
    """Return why a legion cannot go back to where it was; empty if it can."""
    if not legion.moved:
        return f"{legion.marker} has not moved"
    # Only legions that began there, too, may be in the land that it goes back to.
    for other in position.in_land(legion.origin):
        if other.origin != legion.origin:
            return f"{other.marker} has moved to {legion.origin} meanwhile"
    return ""


def done_moving(play: Play, seat: int, request: ask.Request) -> None:
    """End the moves, which other requests do as well. Legions that could not part go together."""
    reason = why_not_done(play.position)
    if reason:
        refuse(request, reason)
    for parent, child in reunions(play.position):
        play.add(msg.Merge(parent, child))
    play.add(msg.DoneMoving())


# --- mustering --------------------------------------------------------------------------------------------------------


def recruit(play: Play, seat: int, request: ask.Recruit) -> None:
    """Muster a creature."""
    if play.position.phase is Phase.MOVE:
        # On a trial, since a recruit that is refused must not end the moves.
        trial = Play(play.position, play.public, play.dice)
        done_moving(trial, seat, request)
        if trial.position.engagements:
            refuse(request, f"there are engagements: {listed(trial.position.engagements)}")
        _recruit(trial, seat, request)
        for message in trial.msg:
            play.add(message)
        return
    _recruit(play, seat, request)


def _recruit(play: Play, seat: int, request: ask.Recruit) -> None:
    legion = legion_of(play, seat, request, request.legion)
    reason = why_no_muster(legion)
    if reason:
        refuse(request, reason)
    if request.recruit is None:
        refuse(request, "recruit is missing; only a reinforcement can be declined")
    chosen = chosen_muster(play.position, legion, request)
    play.add(msg.Recruit(legion.marker, chosen.recruit, chosen.recruiter, chosen.number or None))


def why_no_muster(legion: Legion) -> str:
    """Return why a legion cannot muster at all this turn; empty if it can."""
    if not legion.moved:
        # A legion that only stood may not muster.
        return f"{legion.marker} has not moved this turn"
    if legion.recruit is not None:
        return f"{legion.marker} has mustered a {legion.recruit} this turn"
    if legion.height >= HIGHEST:
        return f"{legion.marker} has {legion.height} creatures"
    return ""


def chosen_muster(position: Position, legion: Legion, request: ask.Recruit) -> Muster:
    """Return the muster that a request names; the one that shows least if it names no recruiter. Refuses it if there is
    none."""
    terrain = LANDS[legion.hex].terrain
    if request.recruit is None or request.recruit not in KINDS:
        refuse(request, f"there is no creature {request.recruit!r}")
    found = [one for one in musters(terrain, legion.creatures, position.stock) if one.recruit == request.recruit]
    if not found:
        none_left = position.stock[request.recruit] == 0
        why = f"no {request.recruit} is left" if none_left else f"{legion.marker} has no recruiters for it"
        refuse(request, f"a {request.recruit} cannot be mustered in {legion.hex}, {terrain}: {why}")
    if request.recruiter is not None:
        found = [one for one in found if one.recruiter == request.recruiter]
        if not found:
            refuse(request, f"recruiter {request.recruiter!r} does not bring a {request.recruit} to {legion.marker}")
    # The first one shows least.
    return found[0]


def undo_recruit(play: Play, seat: int, request: ask.UndoRecruit) -> None:
    """Give a recruit back."""
    legion = legion_of(play, seat, request, request.legion)
    if legion.recruit is None:
        refuse(request, f"{legion.marker} has mustered nothing this turn")
    play.add(msg.UndoRecruit(legion.marker))


def next_player(play: Play, seat: int, request: ask.NextTurn) -> None:
    """End the turn."""
    if play.position.phase is Phase.MOVE:
        if play.position.engagements:
            refuse(request, f"there are engagements: {listed(play.position.engagements)}")
        done_moving(play, seat, request)
    next_turn(play)
