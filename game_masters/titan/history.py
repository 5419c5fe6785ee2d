"""What each message of a game does to the position: :func:`after`.

The messages alone determine the position. Nothing here decides, rolls a die, or asks whether a message is allowed, or
what is left to decide. A reader who sees less has a position with unknown creatures in it, made by the same function.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from game_masters.titan import messages as msg
from game_masters.titan.battlelands import ATTACKER, DEFENDER
from game_masters.titan.clash import IN_BATTLE, changed, engaged, slain
from game_masters.titan.creatures import KINDS, START, TITAN, UNKNOWN, ordered, seen, without
from game_masters.titan.messages import Message
from game_masters.titan.newcomers import OF_NEWCOMERS, taken
from game_masters.titan.position import (
    OTHER,
    Battle,
    Engagement,
    Fall,
    Fighter,
    Legion,
    Method,
    Offer,
    Phase,
    Player,
    Position,
    Settings,
    Stage,
    markers_of,
)
from game_masters.titan.replacing import replace


class Inconsistent(Exception):
    """A message that cannot come in this position. The text gives the reason."""


def after(position: Position, message: Message) -> Position:
    """Return the position after a message. Raises :class:`Inconsistent`."""
    try:
        if position.asked is not None:
            position = replace(position, asked=None)
        # Readers get no word when an engagement is closed: the first message that cannot belong to it shows it.
        if _is_over(position) and not _belongs(position, message):
            position = closed(position)
        position = _counted(position, message)
        return _without_engagements(_EFFECTS[type(message)](position, message))
    except (KeyError, ValueError, IndexError, AttributeError, TypeError) as error:
        raise Inconsistent(f"{message}: {type(error).__name__}: {error}") from error


def _counted(position: Position, message: Message) -> Position:
    """Count what is taken back in one phase."""
    if isinstance(message, _UNDOING):
        return replace(position, undone=position.undone + 1)
    # The count begins again with each phase.
    if position.undone and isinstance(message, _NEW_PHASE):
        return replace(position, undone=0)
    return position


_UNDOING: Final = (msg.Merge, msg.UndoMove, msg.UndoManeuver, msg.UndoRecruit)
_NEW_PHASE: Final = (
    msg.Turn, msg.Roll, msg.DoneMoving, msg.Fight, msg.DoneManeuvering, msg.DoneStriking, msg.EndEngage,
)  # fmt: skip


# --- the beginning ----------------------------------------------------------------------------------------------------

SETTINGS: Final[Mapping[str, str]] = {
    "balancedTowers": "balanced_towers",
    "allStacksVisible": "all_stacks_visible",
    "cumulativeSlow": "cumulative_slow",
    "oneHexAllowed": "one_hex_allowed",
    "nonRandomBattleDice": "non_random_battle_dice",
    "noFirstTurnT2TTeleport": "no_first_turn_t2t_teleport",
    "noFirstTurnTeleport": "no_first_turn_teleport",
    "towerToTowerTeleportOnly": "tower_to_tower_teleport_only",
    "noTowerTeleport": "no_tower_teleport",
    "noTitanTeleport": "no_titan_teleport",
}
"""The options that are true or false: their names in the format, and ours."""


def _form_game(position: Position, message: msg.FormGame) -> Position:
    values = {SETTINGS[name]: value == "true" for name, value in message.options if name in SETTINGS}
    # Titans come with the players: as many as there are.
    stock = {name: 0 if name == TITAN else kind.count for name, kind in KINDS.items()}
    return replace(position, settings=Settings(**values), stock=stock, dead=dict.fromkeys(KINDS, 0))


def _join(position: Position, message: msg.Join) -> Position:
    stock = {**position.stock, TITAN: position.stock[TITAN] + 1}
    return replace(position, players=(*position.players, Player(message.name)), stock=stock)


def _tower(position: Position, message: msg.Tower) -> Position:
    return position.with_player(position.seat_of(message.name), tower=message.hex)


def _place(position: Position, message: msg.Place) -> Position:
    creatures = ordered(message.creatures) if message.creatures is not None else (UNKNOWN,) * message.height
    stock = dict(position.stock)
    for creature in message.creatures or ():
        stock[creature] -= 1
    legion = Legion(message.legion, position.seat_of(message.player), message.hex, creatures, message.hex)
    return replace(position.with_legions(legion), stock=stock)


def _lost(position: Position, message: msg.Lost) -> Position:
    dead = {**position.dead, message.creature: position.dead[message.creature] + message.number}
    return taken(replace(position, dead=dead), message.creature, message.number)


def _color(position: Position, message: msg.Color) -> Position:
    # A fixture places legions before colours are chosen: their markers are not free.
    placed = position.legions or (message.first_marker,)
    free = tuple(marker for marker in markers_of(message.color) if marker not in placed)
    seat = position.seat_of(message.name)
    return _started(position.with_player(seat, color=message.color, first=message.first_marker, markers=free))


def _started(position: Position) -> Position:
    """Put up the first legions as soon as all players have a colour."""
    living = [(seat, position.players[seat]) for seat in position.living]
    if position.legions or not all(player.color for _, player in living):
        return position
    first = (Legion(player.first, seat, player.tower, START, player.tower) for seat, player in living)
    stock = {name: number - START.count(name) * len(living) for name, number in position.stock.items()}
    return replace(position.with_legions(*first), stock=stock)


def _turn(position: Position, message: msg.Turn) -> Position:
    seat = position.seat_of(message.player)
    fresh = (
        replace(one, origin=one.hex, moved=False, entry_side="", teleported=False, recruit=None, parent=None, family=())
        for one in position.legions_of(seat)
    )
    position = position.with_legions(*fresh).with_player(seat, teleported=False, summoned=False)
    return replace(position, phase=Phase.SPLIT, turn=message.number, active=seat, roll=None)


# --- splitting and moving ---------------------------------------------------------------------------------------------


def _split(position: Position, message: msg.Split) -> Position:
    parent = position.legions[message.parent]
    player = position.players[parent.seat]
    whole, number = parent.creatures, message.numsplit
    if message.creatures is not None:
        gone = ordered(message.creatures)
        kept = without(whole, gone)
    # If all are of one kind, everyone knows who left.
    elif len(set(whole)) == 1:
        gone, kept = whole[:number], whole[number:]
    else:
        gone, kept = (UNKNOWN,) * number, (UNKNOWN,) * (len(whole) - number)
    # Remembered so that the parts, put together again, are known as before.
    family = parent.family or whole
    child = Legion(
        message.child, parent.seat, parent.hex, gone, parent.hex, parent=parent.marker, family=family
    )  # fmt: skip
    markers = list(player.markers)
    markers.remove(message.child)
    position = position.with_player(parent.seat, markers=tuple(markers))
    return position.with_legions(replace(parent, creatures=kept, family=family), child)


def _merge(position: Position, message: msg.Merge) -> Position:
    parent, child = position.legions[message.parent], position.legions[message.child]
    whole = ordered((*parent.creatures, *child.creatures))
    family = parent.family or child.family
    if len(whole) == len(family) and whole.count(UNKNOWN) > family.count(UNKNOWN):
        whole = family  # all parts are together again, so that is known again which was known of them before
    # A legion that takes in the one it was split from takes its place in the line.
    came_from = child.parent if _comes_from(position, parent, child) else parent.parent
    position = position.with_legions(replace(parent, creatures=whole, family=family, parent=came_from))
    orphans = (one for one in position.legions_of(parent.seat) if one.parent == child.marker)
    orphans_now = (replace(one, parent=parent.marker) for one in orphans if one.marker != parent.marker)
    return position.with_legions(*orphans_now).without_legion(child.marker)


def _comes_from(position: Position, part: Legion, whole: Legion) -> bool:
    """Return whether one legion was split from another one, or from a part of it."""
    above = position.legions.get(part.parent or "")
    return above is not None and (above.marker == whole.marker or _comes_from(position, above, whole))


def _roll(position: Position, message: msg.Roll) -> Position:
    return replace(position, phase=Phase.MOVE, roll=message.die)


def _mulligan(position: Position, message: msg.Mulligan) -> Position:
    return replace(position.with_player(position.active, mulligan=False), roll=None)


def _move(position: Position, message: msg.Move) -> Position:
    legion = position.legions[message.legion]
    # A teleport shows a lord, which all know from then on.
    shown = seen(legion.creatures, (message.lord,)) if message.lord is not None else legion.creatures
    legion = replace(
        legion,
        hex=message.hex,
        creatures=shown,
        moved=True,
        entry_side=message.entry_side,
        teleported=message.teleport,
    )
    if message.teleport:
        position = position.with_player(legion.seat, teleported=True)
    return position.with_legions(legion)


def _undo_move(position: Position, message: msg.UndoMove) -> Position:
    legion = position.legions[message.legion]
    if legion.teleported:
        position = position.with_player(legion.seat, teleported=False)
    return position.with_legions(replace(legion, hex=legion.origin, moved=False, entry_side="", teleported=False))


def _done_moving(position: Position, message: msg.DoneMoving) -> Position:
    return replace(position, phase=Phase.ENGAGE)


# --- engagements ------------------------------------------------------------------------------------------------------


def _engage(position: Position, message: msg.Engage) -> Position:
    here = position.in_land(message.hex)
    (attacker,) = (legion for legion in here if legion.seat == position.active)
    (defender,) = (legion for legion in here if legion.seat != position.active)
    contents = {stack.name: stack.creatures for stack in (message.attacker, message.defender) if stack is not None}
    if message.creatures is not None:
        # A reader who learns of one legion knows its own, so the other one is the one with unknown creatures.
        contents = {one.marker: message.creatures for one in (attacker, defender) if UNKNOWN in one.creatures}
    shown = (replace(position.legions[marker], creatures=ordered(inside)) for marker, inside in contents.items())
    engagement = Engagement(
        message.hex, attacker.marker, defender.marker, {ATTACKER: attacker.seat, DEFENDER: defender.seat}
    )
    return replace(position.with_legions(*shown), engagement=engagement)


def _flee(position: Position, message: msg.Flee) -> Position:
    return slain(position, message.legion, message.creatures)


def _do_not_flee(position: Position, message: msg.DoNotFlee) -> Position:
    return changed(position, stage=Stage.STAYED)


def _concede(position: Position, message: msg.Concede) -> Position:
    side = engaged(position).side(message.legion)
    position = slain(position, message.legion, message.creatures)
    if message.withdraws:
        position = changed(position, withdrawn=engaged(position).seats[side])
    battle = position.battle
    if battle is None:
        return position
    # What the other side has lost so far, it has lost.
    dead = [fighter for fighter in battle.fighters if fighter.side != side and not position.alive(fighter)]
    position = slain(position, engaged(position).marker(OTHER[side]), (fighter.creature for fighter in dead))
    fallen = (
        *battle.fallen,
        *((side, creature) for creature in message.creatures),
        *((fighter.side, fighter.creature) for fighter in dead),
    )
    left = tuple(fighter for fighter in battle.fighters if fighter.side != side and position.alive(fighter))
    return replace(position, battle=replace(battle, fallen=fallen, fighters=left, carry=None))


def _do_not_concede(position: Position, message: msg.DoNotConcede) -> Position:
    return changed(position, stage=Stage.TALKS, talks=engaged(position).talks.begun())


def _negotiate(position: Position, message: msg.Negotiate) -> Position:
    engagement = engaged(position)
    offer = Offer(engagement.side(message.legion), message.survivor, message.creatures)
    return changed(position, talks=engagement.talks.after(offer))


def _accept(position: Position, message: msg.Accept) -> Position:
    for losses in message.losses:
        position = slain(position, losses.legion, losses.creatures)
    return position


def _fight(position: Position, message: msg.Fight) -> Position:
    engagement = engaged(position)
    stacks = {ATTACKER: message.attacker, DEFENDER: message.defender}
    legions = [replace(position.legions[one.name], creatures=ordered(one.creatures)) for one in stacks.values()]
    fighters = tuple(Fighter(creature, side) for side, stack in stacks.items() for creature in ordered(stack.creatures))
    # Only a legion that a fixture has put beside its opponent has entered over no side.
    entry_side = position.legions[engagement.attacker].entry_side or "bottom"
    battle = Battle(position.terrain(engagement.hex), entry_side, fighters)
    return replace(changed(position.with_legions(*legions), stage=Stage.BATTLE), battle=battle)


def _end_engage(position: Position, message: msg.EndEngage) -> Position:
    engagement = engaged(position)
    method = Method(message.method)
    # Time loss: the attacker is destroyed, and no one scores.
    if method is Method.TIME_LOSS:
        attacker = position.legions[engagement.attacker]
        position = slain(position, attacker.marker, attacker.creatures)
    if message.winner is not None and message.creatures is not None:
        survivors = replace(position.legions[message.winner], creatures=ordered(message.creatures))
        position = position.with_legions(survivors)
    for marker in (engagement.attacker, engagement.defender):
        if not position.legions[marker].creatures:
            position = position.without_legion(marker)
    engagement = engaged(position)
    attacked = message.winner == engagement.attacker
    wins = message.winner is not None and method is not Method.FLEE
    # An attacker who concedes before the end of the first maneuvers gives the defender no time to muster.
    fled_early = method is Method.CONCEDE and not engagement.attacker_entered
    position = replace(position, battle=None)
    return changed(
        position,
        stage=Stage.OVER,
        method=method,
        winner=message.winner,
        owed=message.winner is not None and method is not Method.TIME_LOSS,
        falls=_falls(engagement),
        may_summon=wins and attacked and not position.players[position.active].summoned,
        may_reinforce=wins and not attacked and not engagement.reinforced and not fled_early,
    )


def _falls(engagement: Engagement) -> tuple[Fall, ...]:
    """Return who is to be eliminated after an engagement."""
    titans = engagement.dead_titans
    found = [
        # Titans that die together slay each other, and no one gains by it.
        Fall(seat, None if len(titans) > 1 else engagement.seats[OTHER[side]])
        for side, seat in engagement.seats.items()
        if seat in titans
    ]
    if engagement.withdrawn is not None and engagement.withdrawn not in titans:
        found.append(Fall(engagement.withdrawn, None))
    return tuple(found)


# --- battles ----------------------------------------------------------------------------------------------------------


# --- gains and losses -------------------------------------------------------------------------------------------------


def _reveal(position: Position, message: msg.Reveal) -> Position:
    legion = position.legions[message.legion]
    return position.with_legions(replace(legion, creatures=ordered(message.creatures)))


def _eliminate_player(position: Position, message: msg.EliminatePlayer) -> Position:
    loser = position.seat_of(message.loser)
    stock, dead = dict(position.stock), dict(position.dead)
    for legion in position.legions_of(loser):
        for creature in legion.creatures:
            # Demi-lords and lords go into the stock, a Titan and all others out of the game.
            place = stock if KINDS[creature].returns else dead
            place[creature] += 1
        position = position.without_legion(legion.marker)
    markers = position.players[loser].markers
    position = replace(position.with_player(loser, alive=False, markers=()), stock=stock, dead=dead)
    if message.slayer:
        # Markers are inherited, so a prefix does not show the owner.
        slayer = position.seat_of(message.slayer)
        own = position.players[slayer].markers
        position = position.with_player(slayer, markers=tuple(sorted((*own, *markers))))
    engagement = position.engagement
    if engagement is not None:
        falls = tuple(fall for fall in engagement.falls if fall.seat != loser)
        position = changed(position, falls=falls)
        if engagement.winner not in position.legions:
            position = changed(position, chances=(), may_summon=False, may_reinforce=False)
    return _started(position) if position.phase is Phase.SETUP else position


def _game_over(position: Position, message: msg.GameOver) -> Position:
    winner = position.seat_of(message.winner) if message.winner else None
    return replace(position, phase=Phase.OVER, winner=winner)


# --- the end of an engagement -----------------------------------------------------------------------------------------

_OF_THE_END: Final = (msg.Points, msg.Acquire, msg.Reveal, msg.EliminatePlayer, msg.Summon, msg.GameOver)
"""The messages that belong to an engagement that is over."""


def _belongs(position: Position, message: Message) -> bool:
    """Return whether a message belongs to the engagement that is over, and does not show that it is closed."""
    if isinstance(message, msg.Recruit):
        return engaged(position).may_reinforce and message.legion == engaged(position).defender
    return isinstance(message, _OF_THE_END)


def _is_over(position: Position) -> bool:
    """Return whether there is an engagement that is over, and has not been closed."""
    return position.engagement is not None and position.engagement.stage is Stage.OVER


def _without_engagements(position: Position) -> Position:
    """Return the position in the muster phase if it is in that of engagements and has none."""
    if position.phase is Phase.ENGAGE and position.engagement is None and not position.engagements:
        return replace(position, phase=Phase.MUSTER)
    return position


def closed(position: Position) -> Position:
    """Return the position without the engagement: dead lords are in the stock, legions without creatures are gone.

    The game master closes an engagement when nothing is left to decide (:mod:`game_masters.titan.asking`). Readers
    learn of it by the status, or by a message that does not belong to the engagement any more.
    """
    stock = dict(position.stock)
    for lord in engaged(position).lords:
        stock[lord] += 1
    for marker in [marker for marker, legion in position.legions.items() if not legion.creatures]:
        position = position.without_legion(marker)
    return _without_engagements(replace(position, stock=stock, engagement=None, battle=None))


_EFFECTS: Final[Mapping[type[Message], Callable[[Position, Any], Position]]] = {
    msg.FormGame: _form_game,
    msg.Join: _join,
    msg.Tower: _tower,
    msg.Place: _place,
    msg.Lost: _lost,
    msg.Color: _color,
    msg.Turn: _turn,
    msg.Split: _split,
    msg.Merge: _merge,
    msg.Roll: _roll,
    msg.Mulligan: _mulligan,
    msg.Move: _move,
    msg.UndoMove: _undo_move,
    msg.DoneMoving: _done_moving,
    msg.Engage: _engage,
    msg.Flee: _flee,
    msg.DoNotFlee: _do_not_flee,
    msg.Concede: _concede,
    msg.DoNotConcede: _do_not_concede,
    msg.Negotiate: _negotiate,
    msg.Accept: _accept,
    msg.Fight: _fight,
    msg.EndEngage: _end_engage,
    **IN_BATTLE,
    **OF_NEWCOMERS,
    msg.Reveal: _reveal,
    msg.EliminatePlayer: _eliminate_player,
    msg.GameOver: _game_over,
}
