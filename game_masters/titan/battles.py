"""What players ask for in a battle. Each function checks and carries out one request; a refusal changes nothing."""

from game_masters.titan import messages as msg
from game_masters.titan import requests as ask
from game_masters.titan.battlelands import ATTACKER, DEFENDER, NEIGHBOURS, Hex
from game_masters.titan.engaging import summon, why_no_summon
from game_masters.titan.maneuvers import destinations, touching
from game_masters.titan.messages import Losses
from game_masters.titan.play import Play, battle_in, engagement_of, legion_of, listed, refuse
from game_masters.titan.position import (
    HIGHEST,
    REINFORCED_IN,
    Battle,
    BattlePhase,
    Fighter,
    Legion,
    Position,
    Window,
)
from game_masters.titan.strikes import (
    Blow,
    Terms,
    blows_of,
    carry_targets,
    compulsory,
    drifting,
    strikers,
)
from game_masters.titan.turns import chosen_muster


def _hex(request: ask.Request, name: str, hex: Hex) -> None:
    if hex not in NEIGHBOURS:
        refuse(request, f"{name} {hex!r} is no hex of a battleland")


# --- maneuvers --------------------------------------------------------------------------------------------------------


def enter(play: Play, seat: int, request: ask.Enter) -> None:
    """Bring a creature onto the map."""
    battle = battle_in(play)
    _hex(request, "hex", request.hex)
    waiting = [one for one in battle.off_board(battle.side) if one.creature == request.creature]
    if not waiting:
        there = listed([one.creature for one in battle.off_board(battle.side)])
        refuse(request, f"no {request.creature!r} is off the board; there are {there}")
    _may_go(play, request, waiting[0], request.hex)
    play.add(msg.Enter(request.creature, request.hex))


def maneuver(play: Play, seat: int, request: ask.Maneuver) -> None:
    """Move a creature on the map."""
    _hex(request, "startHex", request.start_hex)
    _hex(request, "endHex", request.end_hex)
    fighter = _own(play, request, request.start_hex)
    if fighter.moved:
        refuse(request, f"the {fighter.creature} on {fighter.hex} has moved; undoManeuver takes that back")
    # Contact holds a creature where it is, whether it has moved or not.
    if touching(play.position, fighter):
        refuse(request, f"the {fighter.creature} on {fighter.hex} is in contact with an enemy")
    _may_go(play, request, fighter, request.end_hex)
    play.add(msg.Maneuver(request.start_hex, request.end_hex))


def _own(play: Play, request: ask.Request, hex: Hex) -> Fighter:
    battle = battle_in(play)
    fighter = battle.at(hex)
    if fighter is None:
        refuse(request, f"no creature is on {hex}")
    if fighter.side != battle.acting:
        refuse(request, f"the {fighter.creature} on {hex} belongs to the other side")
    return fighter


def _may_go(play: Play, request: ask.Request, fighter: Fighter, hex: Hex) -> None:
    battle = battle_in(play)
    other = battle.at(hex)
    if other is not None:
        refuse(request, f"a {other.creature} is on {hex}")
    if hex not in destinations(play.position, fighter):
        where = f"on {fighter.hex}" if fighter.hex is not None else "off the board"
        refuse(request, f"the {fighter.creature} {where} cannot get to {hex}, {battle.land.surface(hex)}")


def undo_maneuver(play: Play, seat: int, request: ask.UndoManeuver) -> None:
    """Take a creature's move back."""
    _hex(request, "hex", request.hex)
    fighter = _own(play, request, request.hex)
    reason = why_no_undo(battle_in(play), fighter)
    if reason:
        refuse(request, reason)
    play.add(msg.UndoManeuver(request.hex))


def why_no_undo(battle: Battle, fighter: Fighter) -> str:
    """Return why a creature cannot go back to where it was; empty if it can."""
    if not fighter.moved:
        return f"the {fighter.creature} on {fighter.hex} has not moved in this phase"
    if fighter.start is not None and battle.at(fighter.start) is not None:
        return f"{fighter.start} is taken"
    return ""


def done_maneuvering(play: Play, seat: int, request: ask.DoneManeuvering) -> None:
    """End the maneuvers. Who is off the board is lost, or goes back; then the drift hurts."""
    battle, engagement = battle_in(play), engagement_of(play)
    marker = engagement.marker(battle.side)
    waiting = battle.off_board(battle.side)
    # Off the board at the end of the first maneuvers is dead; a newcomer only goes back where it came from.
    dead = tuple(fighter.creature for fighter in waiting if fighter.joined is None)
    back = [fighter for fighter in waiting if fighter.joined is not None]
    losses = [Losses(marker, dead)] if dead else []
    losses += [Losses(marker, (fighter.creature,), True) for fighter in back]
    play.add(msg.DoneManeuvering(tuple(losses)))
    for fighter in back:
        if fighter.donor is not None:
            play.add(msg.Unsummon(marker, fighter.donor, fighter.creature))
        else:
            play.add(msg.UndoRecruit(marker))
    # Drift hurts both sides at the beginning of each strike phase, which begins here.
    for hex in drifting(play.position):
        play.add(msg.Drift(hex))


# --- those who come in the middle of a battle -------------------------------------------------------------------------


def call(play: Play, seat: int, request: ask.Summon) -> None:
    """Summon in the middle of a battle."""
    reason = why_no_call(battle_in(play))
    if reason:
        refuse(request, reason)
    summon(play, seat, request)


def why_no_call(battle: Battle) -> str:
    """Return why nothing can be summoned into a battle now; empty if it can."""
    if battle.side != ATTACKER:
        return "only the attacker summons"
    if battle.window is Window.GONE:
        return "the time to summon in this battle is over"
    if battle.window is Window.SHUT:
        return "no creature of the defender has been killed on the map"
    return ""


def may_call(position: Position, legion: Legion) -> bool:
    """Return whether a legion may summon in the middle of the battle."""
    return position.battle is not None and not why_no_call(position.battle) and not why_no_summon(position, legion)


def reinforce(play: Play, seat: int, request: ask.Recruit) -> None:
    """Reinforce the defender in the middle of a battle."""
    legion = legion_of(play, seat, request, request.legion)
    reason = why_no_reinforcement(play.position)
    if reason:
        refuse(request, reason)
    if legion.marker != engagement_of(play).defender:
        refuse(request, f"legion {legion.marker} does not fight here")
    # Only living creatures count, so losses make room.
    if legion.height >= HIGHEST:
        refuse(request, f"{legion.marker} has {legion.height} creatures")
    if request.recruit is None:
        refuse(request, "recruit is missing; in a battle nothing has to be declined")
    chosen = chosen_muster(play.position, legion, request)
    play.add(msg.Recruit(legion.marker, chosen.recruit, chosen.recruiter, chosen.number or None))


def why_no_reinforcement(position: Position) -> str:
    """Return why the defender cannot be reinforced in the battle now; empty if nothing but recruiters may be
    missing."""
    battle, engagement = position.battle, position.engagement
    if battle is None or engagement is None or battle.side != DEFENDER:
        return "only the defender is reinforced"
    if battle.turn != REINFORCED_IN:
        return f"only in battle turn {REINFORCED_IN}, and this is {battle.turn}"
    if engagement.reinforced:
        return "the defender has been reinforced"
    return ""


def undo_reinforcement(play: Play, seat: int, request: ask.UndoRecruit) -> None:
    """Send a reinforcement back that has not come onto the map."""
    legion = legion_of(play, seat, request, request.legion)
    battle = battle_in(play)
    if legion.marker != engagement_of(play).defender or not off_board_recruit(battle):
        refuse(request, "no reinforcement of this phase is off the board")
    play.add(msg.UndoRecruit(legion.marker))


def off_board_recruit(battle: Battle) -> bool:
    """Return whether a reinforcement of this phase is off the board."""
    return battle.side == DEFENDER and any(one.joined == "recruit" for one in battle.off_board(DEFENDER))


# --- strikes ----------------------------------------------------------------------------------------------------------


def strike(play: Play, seat: int, request: ask.Strike) -> None:
    """Let a creature strike."""
    _hex(request, "strikerHex", request.striker_hex)
    _hex(request, "targetHex", request.target_hex)
    striker = _own(play, request, request.striker_hex)
    blow = _blow(play, request, striker)
    terms = _terms(request, blow)
    rolls = play.throw_for_battle(terms.dice)
    hits = sum(die >= terms.number for die in rolls)
    target = blow.target
    # Surplus is what the target could not take: none, no carry.
    surplus = max(0, hits - (play.position.power(target) - target.hits))
    # Rangestrikes never carry over.
    carries = () if blow.ranged or not surplus else carry_targets(play.position, striker, target, terms)
    play.add(
        msg.Strike(
            request.striker_hex,
            request.target_hex,
            terms.dice,
            terms.number,
            hits,
            surplus if carries else 0,
            rolls,
            carries,
        )
    )


def _blow(play: Play, request: ask.Strike, striker: Fighter) -> Blow:
    name = f"the {striker.creature} on {striker.hex}"
    if striker.struck:
        refuse(request, f"{name} has struck in this phase")
    target = battle_in(play).at(request.target_hex)
    if target is None:
        refuse(request, f"no creature is on {request.target_hex}")
    if target.side == striker.side:
        refuse(request, f"the {target.creature} on {request.target_hex} is on the same side")
    if not play.position.alive(target):
        refuse(request, f"the {target.creature} on {request.target_hex} is dead")
    found = {blow.target.hex: blow for blow in blows_of(play.position, striker)}
    if request.target_hex not in found:
        targets = listed(list(found))
        refuse(request, f"{name} cannot strike the {target.creature} on {request.target_hex}; its targets: {targets}")
    return found[request.target_hex]


def _terms(request: ask.Strike, blow: Blow) -> Terms:
    """Return the terms that a request means: both numbers, one of them, or neither."""
    found = [
        terms for terms in blow.terms if request.dice in (None, terms.dice) and request.strike in (None, terms.number)
    ]
    if not found:
        choice = listed([f"dice {terms.dice} strike {terms.number}" for terms in blow.terms])
        refuse(request, f"dice {request.dice}, strike {request.strike}: possible are {choice}")
    # With one of the two given: the best terms that have it.
    if request.dice is None and request.strike is None:
        return blow.terms[0]
    return max(found, key=lambda terms: (terms.dice, -terms.number))


def carry(play: Play, seat: int, request: ask.Carry) -> None:
    """Carry surplus hits over."""
    battle = battle_in(play)
    open_carry = battle.carry
    if open_carry is None:
        refuse(request, "there is nothing to carry")
    _hex(request, "targetHex", request.target_hex)
    if request.target_hex not in open_carry.hexes:
        refuse(request, f"targetHex {request.target_hex}: hits can be carried to {listed(open_carry.hexes)}")
    if not 0 <= request.hits <= open_carry.left:
        refuse(request, f"hits {request.hits}: 1 to {open_carry.left} can be carried, or 0 to stop")
    target = battle.at(request.target_hex)
    room = play.position.power(target) - target.hits if target is not None else 0
    hits = min(request.hits, room)
    # No hits means that the player wants to carry no more.
    left = open_carry.left - hits if hits else 0
    full = hits == room
    # A target that can still take hits may be chosen once more.
    hexes = tuple(hex for hex in open_carry.hexes if hex != request.target_hex or not full) if left else ()
    play.add(msg.Carry(request.target_hex, hits, left if hexes else 0, hexes))


def done_striking(play: Play, seat: int, request: ask.DoneStriking) -> None:
    """End the strikes of this phase."""
    waiting = compulsory(play.position)
    if waiting:
        refuse(request, f"these still have to strike: {listed([f'{one.creature} on {one.hex}' for one in waiting])}")
    end_strikes(play)


def end_strikes(play: Play) -> None:
    """End the strikes of this phase. Who is dead after the strikes back leaves the map."""
    battle, engagement = battle_in(play), engagement_of(play)
    losses = []
    # The dead leave the map only after the strikes back, in which they strike themselves.
    for side in (ATTACKER, DEFENDER) if battle.phase is BattlePhase.STRIKEBACK else ():
        dead = [one for one in battle.fighters if one.side == side and not play.position.alive(one)]
        if dead:
            creatures, hexes = (tuple(one.creature for one in dead), tuple(one.hex or "" for one in dead))
            losses.append(Losses(engagement.marker(side), creatures, None, hexes))
    play.add(msg.DoneStriking(tuple(losses)))


def idle(position: Position) -> bool:
    """Return whether no creature of the acting side can strike, so that its phase ends by itself."""
    battle = position.battle
    if battle is None or battle.phase is BattlePhase.MANEUVER or battle.carry is not None:
        return False
    return not any(True for striker in strikers(position) for _ in blows_of(position, striker))
