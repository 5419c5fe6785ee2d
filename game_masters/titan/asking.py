"""Who is asked what, and whether anything of an engagement is left to decide: from what all know.

Every function here takes the position as spectators know it. A question that is asked because of what is hidden in a
legion, or skipped because of it, would reveal what is in there. So one that might have an answer is asked; a player
who has none declines. Readers do not decide this again: the status of a state holds the question.
"""

from game_masters.titan.battlelands import ATTACKER, DEFENDER
from game_masters.titan.clash import engaged
from game_masters.titan.creatures import CHAINS, UNKNOWN
from game_masters.titan.lands import TOWER
from game_masters.titan.mustering import musters
from game_masters.titan.position import (
    HIGHEST,
    Awaiting,
    BattlePhase,
    Engagement,
    Phase,
    Position,
    Question,
    Stage,
)


def question(public: Position) -> Question | None:
    """Return who is asked what; None when the game is over."""
    if public.phase is Phase.OVER:
        return None
    if public.phase is Phase.SETUP:
        # Colours are chosen from the lowest tower up, against the order of turns.
        waiting = [seat for seat in reversed(public.order) if seat in public.living]
        return next((Question(Awaiting.COLOR, seat) for seat in waiting if not public.players[seat].color), None)
    if public.engagement is not None:
        return _about_engagement(public, public.engagement)
    return Question(Awaiting(public.phase.lower()), public.active)


def _about_engagement(public: Position, engagement: Engagement) -> Question | None:
    attacker, defender = engagement.seats[ATTACKER], engagement.seats[DEFENDER]
    # Only the public knowledge counts: a defender with a hidden lord is asked, too, and has to decline.
    if engagement.stage is Stage.OPENED and not public.legions[engagement.defender].lord:
        return Question(Awaiting.FLEE, defender)
    if engagement.stage in (Stage.OPENED, Stage.STAYED):
        return Question(Awaiting.CONCEDE, attacker)
    if engagement.stage is Stage.TALKS:
        return Question(Awaiting.NEGOTIATE, engagement.seats[engagement.talks.speaker])
    battle = public.battle
    if battle is not None:
        awaiting = Awaiting.MANEUVER if battle.phase is BattlePhase.MANEUVER else Awaiting.STRIKE
        awaiting = Awaiting.CARRY if battle.carry is not None else awaiting
        return Question(awaiting, engagement.seats[battle.acting])
    # Points and angels come before summoning and reinforcing.
    if public.open_chances and engagement.winner is not None:
        return Question(Awaiting.ACQUIRE, public.legions[engagement.winner].seat)
    if may_have_to_summon(public):
        return Question(Awaiting.SUMMON, attacker)
    if may_have_recruiters(public):
        return Question(Awaiting.REINFORCE, defender)
    return None


def is_settled(public: Position) -> bool:
    """Return whether there is an engagement with nothing left to decide or to do."""
    engagement = public.engagement
    if engagement is None or engagement.stage is not Stage.OVER:
        return False
    pending = engagement.owed or engagement.falls or public.open_chances
    return not (pending or may_have_to_summon(public) or may_have_recruiters(public))


def may_have_to_summon(public: Position) -> bool:
    """Return whether the winner of the engagement may summon, and might have something to summon."""
    engagement = engaged(public)
    legion = public.legions.get(engagement.attacker)
    # A full legion can take nothing in.
    if not engagement.may_summon or legion is None or legion.height >= HIGHEST:
        return False
    return any(True for _ in public.donors(legion.seat))


def may_have_recruiters(public: Position) -> bool:
    """Return whether the winner of the engagement may be reinforced, and might have recruiters for something that is
    left."""
    engagement = engaged(public)
    legion = public.legions.get(engagement.defender)
    if not engagement.may_reinforce or legion is None or legion.height >= HIGHEST:
        return False
    terrain = public.terrain(engagement.hex)
    if UNKNOWN in legion.creatures and terrain != TOWER:
        # An unknown creature may be any recruiter, so the defender is asked while anything of the chain is left.
        return any(public.stock[link.creature] > 0 for link in CHAINS[terrain])
    return UNKNOWN in legion.creatures or bool(musters(terrain, legion.creatures, public.stock))
