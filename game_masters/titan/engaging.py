"""What players ask for about engagements, except for the battle itself: flight, talks, and what the winner gains. Each
function checks and carries out one request; a refusal changes nothing."""

from collections import Counter

from game_masters.titan import messages as msg
from game_masters.titan import requests as ask
from game_masters.titan.battlelands import ATTACKER, DEFENDER
from game_masters.titan.creatures import KINDS, TITAN, Creature, ordered, value, without
from game_masters.titan.endings import destroy
from game_masters.titan.lands import Label
from game_masters.titan.messages import Losses, Stack
from game_masters.titan.play import Play, engagement_of, legion_of, listed, refuse
from game_masters.titan.position import HIGHEST, OTHER, Awaiting, Legion, Method, Offer, Phase, Position, Stage
from game_masters.titan.turns import chosen_muster, done_moving

MAX_OFFERS = 10
"""The battle begins after this number of offers of one side."""


def engage(play: Play, seat: int, request: ask.Engage) -> None:
    """Open an engagement."""
    position = play.position
    if request.hex not in position.engagements:
        refuse(request, f"there is no engagement in {request.hex!r}; there are {listed(position.engagements)}")
    if position.phase is Phase.MOVE:
        # Opening an engagement ends the moves.
        done_moving(play, seat, request)
    here = {legion.seat == seat: legion for legion in play.position.in_land(request.hex)}
    own, other = (Stack(here[mine].marker, here[mine].creatures) for mine in (True, False))
    play.add(msg.Engage(request.hex, None, own, other))


def _own(play: Play, seat: int, request: ask.Request, marker: str) -> Legion:
    """Return the legion of the player who asks, which takes part in the engagement."""
    legion = legion_of(play, seat, request, marker)
    engagement = engagement_of(play)
    if legion.marker not in (engagement.attacker, engagement.defender):
        refuse(request, f"legion {marker} is not in the engagement in {engagement.hex}")
    return legion


def _here(play: Play, request: ask.Request, hex: Label) -> None:
    engagement = engagement_of(play)
    if hex != engagement.hex:
        refuse(request, f"hex {hex!r}: the engagement is in {engagement.hex}")


# --- flight and concession --------------------------------------------------------------------------------------------


def flee(play: Play, seat: int, request: ask.Flee) -> None:
    """Let the defender flee."""
    legion = _own(play, seat, request, request.legion)
    if legion.lord:
        refuse(request, f"{legion.marker} has a lord, and does not flee")
    destroy(play, DEFENDER, Method.FLEE)


def do_not_flee(play: Play, seat: int, request: ask.DoNotFlee) -> None:
    """Let the defender stay."""
    play.add(msg.DoNotFlee(_own(play, seat, request, request.legion).marker))


def concede(play: Play, seat: int, request: ask.Concede) -> None:
    """Give the engagement up, before or in the battle."""
    legion = _own(play, seat, request, request.legion)
    destroy(play, engagement_of(play).side(legion.marker), Method.CONCEDE)


def do_not_concede(play: Play, seat: int, request: ask.DoNotConcede) -> None:
    """Let the attacker go on."""
    play.add(msg.DoNotConcede(_own(play, seat, request, request.legion).marker))


def _goes_on(play: Play) -> None:
    """Record what an offer, an acceptance or a fight implies where the player was asked something else."""
    asked = play.position.asked
    if asked is None or asked.awaiting not in (Awaiting.FLEE, Awaiting.CONCEDE):
        return
    engagement = engagement_of(play)
    if asked.awaiting is Awaiting.FLEE:
        play.add(msg.DoNotFlee(engagement.defender))
    else:
        play.add(msg.DoNotConcede(engagement.attacker))


# --- talks ------------------------------------------------------------------------------------------------------------


def negotiate(play: Play, seat: int, request: ask.Negotiate) -> None:
    """Make an offer."""
    _here(play, request, request.hex)
    reason = why_no_offer(play.position, request.survivor, request.creatures)
    if reason:
        refuse(request, reason)
    engagement = engagement_of(play)
    side = engagement.side_of(seat) or DEFENDER
    _goes_on(play)
    # Without a survivor, or with none of its creatures, nothing survives.
    survivor = request.survivor if request.survivor and request.creatures else None
    kept = ordered(request.creatures) if survivor else None
    play.add(msg.Negotiate(engagement.hex, engagement.marker(side), survivor, kept))
    engagement = engagement_of(play)
    # Talks need an end: a side that only makes offers would hold up all others.
    if engagement.stage is Stage.TALKS and max(engagement.talks.offers) >= MAX_OFFERS:
        begin_battle(play)


def why_no_offer(position: Position, survivor: str | None, kept: tuple[Creature, ...]) -> str:
    """Return why an offer cannot be made; empty if it can."""
    engagement = position.engagement
    if not survivor or not kept or engagement is None:
        return ""
    if survivor not in (engagement.attacker, engagement.defender):
        return f"survivor {survivor!r} is neither {engagement.attacker} nor {engagement.defender}"
    unknown = [creature for creature in kept if creature not in KINDS]
    if unknown:
        return f"there is no creature {unknown[0]!r}"
    whole = position.legions[survivor].creatures
    try:
        without(whole, kept)
    except ValueError:
        return f"{listed(kept)} are not all in {survivor}, which has {listed(whole)}"
    # A Titan cannot be bargained away: its owner would lose the game by it.
    if TITAN in whole and TITAN not in kept:
        return f"{survivor} has to keep its Titan"
    return ""


def accept(play: Play, seat: int, request: ask.Accept) -> None:
    """Carry the opponent's offer out."""
    _here(play, request, request.hex)
    engagement, position = engagement_of(play), play.position
    # Only the last offer stands, and not one's own.
    offer = engagement.talks.offer
    if offer is None or offer.side == engagement.side_of(seat):
        refuse(request, "no offer of the other side stands")
    if (request.survivor or None) != offer.survivor:
        refuse(request, f"survivor {request.survivor!r}: the offer is {offer.survivor or 'that none survives'}")
    losses = losses_of(position, offer)
    if request.losses is not None and not _same(request.losses, losses):
        refuse(request, f"losses: the offer means {listed(losses)}")
    _goes_on(play)
    winner = offer.survivor
    points = 0
    if winner is not None:
        loser = position.legions[engagement.marker(OTHER[engagement.side(winner)])]
        # The full value of the loser's legion; what the survivor gives up scores nothing.
        points = value(loser.creatures, position.score_of(loser.seat))
    play.add(msg.Accept(engagement.hex, winner, losses))
    play.add(msg.EndEngage(engagement.hex, Method.NEGOTIATE, winner, None))
    if winner is not None:
        play.add(msg.Points(play.name(position.legions[winner].seat), points, None))


def losses_of(position: Position, offer: Offer) -> tuple[Losses, ...]:
    """Return what both sides lose by an offer, the attacker first."""
    engagement = position.engagement
    if engagement is None:
        return ()
    found = []
    for side in (ATTACKER, DEFENDER):
        legion = position.legions[engagement.marker(side)]
        kept = offer.creatures or () if legion.marker == offer.survivor else ()
        found.append(Losses(legion.marker, without(legion.creatures, kept)))
    return tuple(found)


def _same(given: tuple[Losses, ...], right: tuple[Losses, ...]) -> bool:
    counted = [sorted((one.legion, sorted(Counter(one.creatures).items())) for one in some) for some in (given, right)]
    return counted[0] == counted[1]


def fight(play: Play, seat: int, request: ask.Fight) -> None:
    """Stop talking. A defender who is asked whether to flee only declines to."""
    _here(play, request, request.hex)
    asked = play.position.asked
    _goes_on(play)
    if asked is None or asked.awaiting is not Awaiting.FLEE:
        begin_battle(play)


def begin_battle(play: Play) -> None:
    """Show both legions to all and begin the battle."""
    engagement, legions = engagement_of(play), play.position.legions
    attacker, defender = (legions[marker] for marker in (engagement.attacker, engagement.defender))
    # From now on both legions are public.
    stacks = [Stack(legion.marker, legion.creatures) for legion in (attacker, defender)]
    play.add(msg.Fight(engagement.hex, *stacks))


# --- what the winner gains --------------------------------------------------------------------------------------------


def acquire(play: Play, seat: int, request: ask.Acquire) -> None:
    """Take an angel, or none."""
    legion = legion_of(play, seat, request, request.legion)
    engagement, position = engagement_of(play), play.position
    if legion.marker != engagement.winner:
        refuse(request, f"legion {legion.marker} has not won the engagement; {engagement.winner} has")
    # One choice for each hundred that was reached, the lowest first.
    score = position.open_chances[0]
    if request.creature is not None and request.creature not in position.acquirable(score):
        choice = listed(position.acquirable(score))
        refuse(request, f"creature {request.creature!r}: for reaching {score} points there are {choice}")
    play.add(msg.Acquire(legion.marker, request.creature))


def summon(play: Play, seat: int, request: ask.Summon) -> None:
    """Call an angel out of another legion, or none."""
    legion = legion_of(play, seat, request, request.summoner)
    engagement = engagement_of(play)
    if legion.marker != engagement.attacker:
        refuse(request, f"summoner {legion.marker} is not the attacker of the engagement; {engagement.attacker} is")
    if request.donor is None and request.creature is None:
        if play.position.battle is not None:
            refuse(request, "donor and creature are missing; in a battle nothing has to be declined")
        play.add(msg.Summon(legion.marker, None, None))
        return
    reason = why_no_summon(play.position, legion)
    if reason:
        refuse(request, reason)
    if request.donor is None or request.creature is None:
        refuse(request, "donor and creature go together")
    donor = legion_of(play, seat, request, request.donor)
    found = [(one.marker, creature) for one, creature in play.position.donors(seat)]
    if (donor.marker, request.creature) not in found:
        choice = listed([f"{creature} of {marker}" for marker, creature in found])
        refuse(request, f"{request.creature!r} of {donor.marker} cannot be summoned; possible are {choice}")
    play.add(msg.Summon(legion.marker, donor.marker, request.creature))


def why_no_summon(position: Position, legion: Legion) -> str:
    """Return why a legion cannot summon anything at all; empty if it can."""
    if position.players[legion.seat].summoned:
        return "something was summoned this turn"
    if legion.height >= HIGHEST:
        return f"{legion.marker} has {legion.height} creatures"
    return ""


def reinforce(play: Play, seat: int, request: ask.Recruit) -> None:
    """Reinforce the defender after the engagement, or not."""
    legion = legion_of(play, seat, request, request.legion)
    engagement = engagement_of(play)
    if legion.marker != engagement.defender:
        refuse(request, f"legion {legion.marker} is not the defender of the engagement; {engagement.defender} is")
    if request.recruit is None:
        play.add(msg.Recruit(legion.marker, None, None, None))
        return
    chosen = chosen_muster(play.position, legion, request)
    play.add(msg.Recruit(legion.marker, chosen.recruit, chosen.recruiter, chosen.number or None))
