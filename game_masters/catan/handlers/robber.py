"""Robber and pirate: discarding, moving them, and what they take."""

from game_masters.catan.game.play import Play
from game_masters.catan.game.turn import Robbery
from game_masters.catan.handlers.declining import decline, not_your_turn, text_only
from game_masters.catan.handlers.ending import ends_by_points
from game_masters.catan.handlers.places import pirate_places, robber_places, victims_of_pirate, victims_of_robber
from game_masters.catan.handlers.reasons import why_not_robber
from game_masters.catan.handlers.turns import calms_down
from game_masters.catan.message.bundles import Bundle, covers, in_words, single, take
from game_masters.catan.message.messages import (
    ChoosePlayer,
    ChoosePlayerRequest,
    Discard,
    DiscardRequest,
    MoveRobber,
    RobberyResult,
)
from game_masters.catan.message.vocabulary import (
    MOVE_PIRATE,
    MOVE_ROBBER,
    TRADE_ESTABLISHED,
    Phase,
    Reason,
    Resource,
    cloth_of,
)

CLOTH = "SCENARIO_CLOTH_COUNT"
_NEXT = {MOVE_ROBBER: Phase.PLACING_ROBBER, MOVE_PIRATE: Phase.PLACING_PIRATE}


def begin_robbery(play: Play) -> None:
    """Let the current player move the robber, or choose between robber and pirate."""
    if _may_move_pirate(play):
        play.goes_on(Phase.ROBBER_OR_PIRATE)
        play.announce(f"{play.name(play.current)} must choose to move the robber or the pirate.")
    else:
        play.goes_on(Phase.PLACING_ROBBER)
        play.announce(f"{play.name(play.current)} will move the robber.")


def _may_move_pirate(play: Play) -> bool:
    if not play.board.net.sea:
        return False
    # In the cloth trade the pirate is for those who have opened a trade.
    return "_SC_CLVI" not in play.variant.on or bool(play.mover.scenario.events & TRADE_ESTABLISHED)


# --- discarding -------------------------------------------------------------------------------------------------------


def check_discard(play: Play, seat: int, move: Discard) -> None:
    """Check that a player discards as many as it must, and has them."""
    one = play.seats[seat]
    if play.phase is not Phase.DISCARDS or not one.discards:
        raise decline("you need not discard now")
    again = DiscardRequest(one.discards)
    # Unknown resources (index 5) would hide what is discarded.
    if sum(move.resources[:5]) != one.discards or min(move.resources) < 0 or move.resources[5]:
        raise text_only(f"you must discard {one.discards}, not {in_words(move.resources)}", again)
    if not covers(one.hand, move.resources):
        raise text_only(f"you cannot discard {in_words(move.resources)}; you have {in_words(one.hand)}", again)


def discard(play: Play, seat: int, move: Discard) -> None:
    """Discard, and let the robber move when all have discarded."""
    play.asked(seat, move)
    one = play.seats[seat]
    take(one.hand, move.resources)
    amount, one.discards = one.discards, 0
    shown = Discard(seat, move.resources)
    if play.variant.open:
        play.send(shown)
    else:
        play.send_one(seat, shown)
        # Others learn how many cards were discarded, not which.
        play.send_but(Discard(seat, single(Resource.UNKNOWN, amount)), seat)
    if any(other.discards for other in play.seats):
        play.goes_on(Phase.DISCARDS)
        names = [other.nick for other in play.seats if other.discards]
        play.announce(f"{' and '.join(names)} {'needs' if len(names) == 1 else 'need'} to discard.")
    else:
        begin_robbery(play)


# --- choosing ---------------------------------------------------------------------------------------------------------


def choices(play: Play) -> list[int]:
    """Return what the current player may choose now."""
    if play.phase is Phase.ROBBER_OR_PIRATE:
        robber = [MOVE_ROBBER] if robber_places(play) else []
        return robber + ([MOVE_PIRATE] if pirate_places(play) else [])
    if play.phase is Phase.CHOOSE_VICTIM:
        return _victims(play)
    if play.phase is Phase.CLOTH_OR_RESOURCE:
        return [play.robbery.victim, cloth_of(play.robbery.victim)]
    return []


def check_choice(play: Play, seat: int, move: ChoosePlayer) -> None:
    """Check a choice."""
    if seat != play.current:
        raise not_your_turn(play)
    if move.choice in choices(play):
        return
    text = f"{move.choice} cannot be chosen; it may be {', '.join(map(str, choices(play))) or 'nothing'}"
    if play.phase is Phase.CHOOSE_VICTIM:
        raise text_only(text, _victim_request(play))
    raise decline(text, Reason.NOT_NOW)


def choose(play: Play, seat: int, move: ChoosePlayer) -> None:
    """Go on with robber or pirate, with a victim, or with what is taken from it."""
    play.asked(seat, move)
    if play.phase is Phase.ROBBER_OR_PIRATE:
        play.goes_on(_NEXT[move.choice])
        what = "robber" if move.choice == MOVE_ROBBER else "pirate"
        play.announce(f"{play.name(seat)} will move the {what}.")
    elif play.phase is Phase.CHOOSE_VICTIM:
        _rob(play, move.choice)
    elif move.choice >= 0:
        _rob_resource(play, play.robbery.victim)
    else:
        _rob_cloth(play, play.robbery.victim)


# --- moving and robbing -----------------------------------------------------------------------------------------------


def targets(play: Play) -> list[int]:
    """Return where the robber, or as negative numbers the pirate, may be moved now."""
    if play.phase is Phase.PLACING_ROBBER:
        return robber_places(play)
    if play.phase is Phase.PLACING_PIRATE:
        return [-hex for hex in pirate_places(play)]
    return []


def check_robber(play: Play, seat: int, move: MoveRobber) -> None:
    """Check that robber or pirate may go there."""
    if seat != play.current:
        raise not_your_turn(play)
    if move.place not in targets(play):
        raise decline(why_not_robber(play, move.place, targets(play)), state=int(play.phase))


def move_robber(play: Play, seat: int, move: MoveRobber) -> None:
    """Move robber or pirate, and rob if there is no choice."""
    play.asked(seat, move)
    who = "pirate" if move.place < 0 else "robber"
    if move.place < 0:
        play.board.pirate = -move.place
    else:
        play.board.robber = move.place
    play.send(MoveRobber(seat, move.place))
    play.announce(f"{play.name(seat)} moved the {who}.")
    play.robbery = Robbery(at_sea=move.place < 0)
    victims = _victims(play)
    # A Soldier that brings the army and the last points wins here, after the robbery.
    if not victims:
        if not ends_by_points(play):
            calms_down(play)
    elif len(victims) == 1:
        _rob(play, victims[0])
    else:
        play.goes_on(Phase.CHOOSE_VICTIM)
        play.send_one(seat, _victim_request(play))


def _victims(play: Play) -> list[int]:
    if play.robbery.at_sea:
        assert play.board.pirate is not None
        return victims_of_pirate(play, play.board.pirate)
    assert play.board.robber is not None
    return victims_of_robber(play, play.board.robber)


def _victim_request(play: Play) -> ChoosePlayerRequest:
    victims = _victims(play)
    return ChoosePlayerRequest(tuple(number in victims for number in range(len(play.seats))))


def _rob(play: Play, victim: int) -> None:
    one = play.seats[victim]
    # Only if the victim has both is there a choice.
    if play.robbery.at_sea and one.scenario.cloth and one.total:
        play.robbery = play.robbery._replace(victim=victim)
        play.goes_on(Phase.CLOTH_OR_RESOURCE)
        play.send_one(play.current, ChoosePlayer(victim))
    elif play.robbery.at_sea and one.scenario.cloth:
        _rob_cloth(play, victim)
    else:
        _rob_resource(play, victim)


def _rob_resource(play: Play, victim: int) -> None:
    thief, robbed = play.mover, play.seats[victim]
    # By chance among the cards of the hand, so common resources are more likely.
    resource = play.chance.theft(robbed.hand)
    stolen: Bundle = single(resource)
    take(robbed.hand, stolen)
    thief.hand[resource - 1] += 1
    shown = RobberyResult(play.current, victim, resource, None, 1)
    if play.variant.open:
        play.send(shown)
    else:
        # Thief and victim see the card, all others that one has changed hands.
        play.send_one(play.current, shown)
        play.send_one(victim, shown)
        play.send_but(RobberyResult(play.current, victim, int(Resource.UNKNOWN), None, 1), play.current, victim)
    _robbed(play)


def _rob_cloth(play: Play, victim: int) -> None:
    thief, robbed = play.mover, play.seats[victim]
    robbed.scenario = robbed.scenario.with_cloth(-1)
    thief.scenario = thief.scenario.with_cloth(1)
    # Cloth is public: the new totals go to all.
    play.send(RobberyResult(play.current, victim, None, CLOTH, thief.scenario.cloth, False, robbed.scenario.cloth))
    _robbed(play)


def _robbed(play: Play) -> None:
    play.robbery = play.robbery._replace(victim=-1)
    if not ends_by_points(play):
        calms_down(play)
